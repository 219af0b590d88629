// The grids of a model's attentions (elements/grids.js) in a result of the page.

import { gridsOf, hookOf } from '../elements/grids.js';

export { gridsOf, hiddenCells, hookOf } from '../elements/grids.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Sequence} Sequence */
/** @typedef {import('../elements/grids.js').GridName} GridName */
/** @typedef {import('../elements/grids.js').Side} Side */
/** @typedef {import('../elements/grids.js').Grid} Grid */

/** The grid of a name; where there is none of it, the one to begin with: the last. @param {Model} model @param {string | null} name */
export function gridNamed(model, name) {
  const grids = gridsOf(model);
  return grids.find((grid) => grid.name === name) ?? grids[grids.length - 1];
}

/** The grid that is chosen, or pointed at. @param {Pick<State, 'result' | 'attention' | 'hover'>} state @returns {Grid | null} */
export function shownGrid({ result, attention, hover }) {
  if (!result) return null;
  return gridNamed(result.model, hover?.part === 'head' ? hover.grid : attention);
}

/** How many heads a layer of the grid has, in a run. @param {import('./types.js').Result} result @param {Grid} grid */
export function headsOf({ run }, grid) {
  return run.get(hookOf(grid, 0, 'hook_pattern')).shape[1];
}

/** The tokens of one side. @param {import('./types.js').Result} result @param {Side} side @param {number} batch @returns {Sequence} */
export function sequenceAt({ sequences, target }, side, batch) {
  const sequence = side === 'target' ? target : (sequences[batch] ?? sequences[0]);
  if (!sequence) throw new Error(`this run has no ${side}`);
  return sequence;
}

/**
 * Tokens down and across a grid. Beside a source, a row of the cross-attention also names what the model says from there: a
 * query is the token that was read, and what it asks the source for is the next one.
 * @param {import('./types.js').Result} result
 * @param {Grid} grid
 * @param {number} batch
 * @returns {{ queries: string[], keys: string[] }}
 */
export function axesOf(result, grid, batch) {
  const queries = sequenceAt(result, grid.queries, batch).tokens;
  const keys = sequenceAt(result, grid.keys, batch).tokens;
  if (grid.name !== 'cross') return { queries, keys };
  const said = [...queries.slice(1), result.following?.token ?? '…'];
  return { queries: queries.map((token, i) => `${token} → ${said[i]}`), keys };
}
