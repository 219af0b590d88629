// The reader's choice as it holds for a new result.

import { headMatrix } from '../view/index.js';
import { gridNamed, headsOf, hookOf, sequenceAt } from './grids.js';
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
  const sequence = Math.min(state.sequence, next.sequences.length - 1);
  const grid = gridNamed(next.model, state.attention);
  const layer = Math.min(state.layer, grid.layers - 1);
  const heads = headsOf(next, grid);
  const head = Math.min(state.head, heads - 1);
  const attention = state.attention === grid.name ? grid.name : null;
  const limited = (/** @type {number | null} */ index, /** @type {number} */ count) =>
    index === null ? null : Math.min(index, count - 1);
  // Beside a head stands one of the same grid; another model has other ends (compare.js).
  const beside =
    state.compare === 'head' ? { layer2: limited(state.layer2, grid.layers), head2: limited(state.head2, heads) } : {};
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
  const choice = { sequence, attention, layer, head, ...beside, hover: null };
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

/**
 * Where a token went: tokens alike at the beginning keep their place, those alike at the end keep it from the end.
 * @param {number | null} index
 * @param {string[] | null} before
 * @param {string[]} after
 * @returns {number | null}
 */
export function follow(index, before, after) {
  if (index === null) return null;
  if (before === null) return index < after.length ? index : null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (index < start) return index;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (index >= before.length - end) return index + after.length - before.length;
  return before.length === after.length ? index : null;
}
