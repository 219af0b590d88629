// What was changed in a run, for whoever shows or keeps its numbers: which cells a reader has set, and all changes in words.

import { writeFull } from '../view/index.js';
import { nameOfEdit } from './edit-names.js';
import { hookOf, shownGrid } from './grids.js';
import { shownHead } from './selection.js';
import { STRINGS } from './strings.js';
import { headOff } from './switches.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./types.js').NumberEdit} NumberEdit */
/** @typedef {{ layer: number, head: number, query: number, key: number }} Cell */

/**
 * The cells of a grid whose weight or score was set in a run, in one sequence of it.
 * @param {Result} result
 * @param {import('./grids.js').Grid} grid
 * @param {number} batch
 * @returns {Cell[]}
 */
export function editedIn(result, grid, batch) {
  /** @type {Map<string, number>} */
  const layerOf = new Map();
  for (let layer = 0; layer < grid.layers; layer++) {
    for (const hook of ['hook_pattern', 'hook_attn_scores']) layerOf.set(hookOf(grid, layer, hook), layer);
  }
  return result.edits.flatMap(({ at, where: { batch: b = batch, head, query, key } = {} }) => {
    const layer = layerOf.get(at);
    if (layer === undefined || head === undefined || query === undefined || key === undefined || b !== batch) return [];
    return [{ layer, head, query, key }];
  });
}

/** Those of the head on show. @param {State} state @returns {Cell[]} */
export function editedCells(state) {
  const { result, sequence } = state;
  const grid = shownGrid(state);
  return result && grid ? editedAt(state, result, { grid, ...shownHead(state), batch: sequence }) : [];
}

/**
 * Those of one head, as far as it is on show by itself: what several heads make together is no head's own number.
 * @param {Pick<State, 'over'>} state
 * @param {Result} result
 * @param {{ grid: import('./grids.js').Grid, layer: number, head: number, batch: number }} place
 * @returns {Cell[]}
 */
export function editedAt({ over }, result, { grid, layer, head, batch }) {
  if (over !== null || result.edits.length === 0) return [];
  return editedIn(result, grid, batch).filter((cell) => cell.layer === layer && cell.head === head);
}

/**
 * All that was changed in a run, in words: numbers that were set, with what they are now, and heads that were off.
 * @param {Result} result
 * @returns {string} '' where nothing was
 */
export function changesSaid(result) {
  const { edits } = result;
  const off = edits.flatMap((edit) => headOff(result.model, edit) ?? []);
  const set = edits.filter((edit) => headOff(result.model, edit) === null);
  const numbers = set.map((edit) => {
    const { at, where, set: now } = /** @type {NumberEdit} */ (edit);
    return STRINGS.edits.oneUnknown(nameOfEdit(result, { at, where }), writeFull(now));
  });
  const heads = off.map(({ grid, layer, head }) =>
    STRINGS.offOne(grid === 'self' ? '' : STRINGS.grids[grid].title, layer, head),
  );
  return [
    ...(numbers.length > 0 ? [`${STRINGS.edits.list} ${numbers.join('; ')}.`] : []),
    ...(heads.length > 0 ? [STRINGS.offSays(heads.join('; '))] : []),
  ].join(' ');
}
