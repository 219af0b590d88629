// The reader's choice as it holds for a new result.

import { headMatrix } from '../view/index.js';
import { placesIn } from './fitting.js';
import { follow } from './follow.js';
import { gridNamed, hookOf, sequenceAt } from './grids.js';
import { strongestPair } from './selection.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Result} Result */

/**
 * A chosen token that is gone, and a first visit, give the head's strongest cell.
 * @param {State} state
 * @param {Result} next
 * @param {{ following?: boolean, choosing?: boolean }} [how] following: chosen tokens stay chosen where words were typed before or
 *   after them; choosing: a cell is chosen where none is left
 * @returns {Partial<State>}
 */
export function kept(state, next, { following = true, choosing = true } = {}) {
  const { layer2, head2, ...places } = placesIn(state, next);
  const { sequence, layer, head } = places;
  const grid = gridNamed(next.model, state.attention);
  // Beside a head stands one of the same grid; another model has other ends (compare.js).
  const beside = state.compare === 'head' ? { layer2, head2 } : {};
  const before = state.result;
  const same = before?.model.kind === next.model.kind ? before : null;
  const place = (/** @type {number | null} */ index, /** @type {import('./grids.js').Side} */ side) =>
    follow(
      index,
      following && same ? sequenceAt(same, side, state.sequence).tokens : null,
      sequenceAt(next, side, sequence).tokens,
    );
  const spot = { query: place(state.query, grid.queries), key: place(state.key, grid.keys) };
  const lost = (state.query !== null && spot.query === null) || (state.key !== null && spot.key === null);
  const nothing = state.query === null && state.key === null;
  const choice = { ...places, ...beside, hover: null };
  if (!choosing || (!lost && !(before === null && nothing))) return { ...choice, ...spot };
  return { ...choice, ...strongestCell(next, grid, { layer, head, batch: sequence }) };
}

/**
 * @param {Result} result
 * @param {import('./grids.js').Grid} grid
 * @param {{ layer: number, head: number, batch: number }} at
 */
export function strongestCell(result, grid, { layer, head, batch }) {
  const pattern = headMatrix(result.run.get(hookOf(grid, layer, 'hook_pattern')), { batch, head });
  const queries = sequenceAt(result, grid.queries, batch);
  return strongestPair(pattern, queries, sequenceAt(result, grid.keys, batch), grid.queries === grid.keys);
}
