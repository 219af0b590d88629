// Where the numbers on show are from: for a file's name, and for what it says at its beginning.

import { viewOf } from '../aggregate.js';

/** @typedef {import('../types.js').State} State */
/**
 * @typedef {object} Side numbers, and the run and head they are from: the ones on show, or those beside them
 * @property {State} state
 * @property {import('../types.js').Result} result
 * @property {import('../grids.js').Grid} grid
 * @property {number} layer
 * @property {number} head
 * @property {number} batch
 * @property {string} model its name
 * @property {import('../aggregate.js').Numbers} numbers
 *
 * @typedef {Side & { drawn: import('./pictures.js').Shown }} Context what is on show
 */

/** What was made of the heads' numbers; nothing where they are as recorded. @param {State} state */
function viewParts(state) {
  const { over, by, special, unit } = viewOf(state);
  return [
    ...(over === null ? [] : [`${by}-of-${over === 'all' ? 'all-heads' : over}`]),
    ...(unit === 'words' ? ['words'] : []),
    ...(special === 'shown' ? [] : [special === 'hidden' ? 'special-hidden' : 'special-left-out']),
  ];
}

/** Which head a side's numbers are from, or which ones and how. @param {Side} side */
export function placeOf({ state, grid, layer, head, numbers }) {
  const view = viewParts(state);
  if (view.length === 0) return { attention: grid.name, layer, head };
  return { attention: grid.name, heads: numbers.heads, made: view };
}

/** A run, for a name. @param {Pick<Side, 'result' | 'grid' | 'batch' | 'model'>} side @returns {import('./names.js').Place} */
export function runPlace({ result, grid, batch, model }) {
  const sequence = result.sequences.length > 1 ? batch : null;
  const view = result.edits.length > 0 ? ['changed'] : [];
  return { model, grid: grid.name, layer: null, head: null, sequence, view };
}

/** A side's numbers, for a name. @param {Side} side @returns {import('./names.js').Place} */
export function headPlace(side) {
  const { over } = viewOf(side.state);
  const all = runPlace(side);
  return {
    ...all,
    layer: over === null || over === 'heads' ? side.layer : null,
    head: over === null || over === 'layers' ? side.head : null,
    view: [...viewParts(side.state), ...(all.view ?? [])],
  };
}
