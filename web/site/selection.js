// What is shown: what is pointed at, or else what is chosen.

import { coloursOf } from '../elements/colouring.js';
import { gridNamed, shownGrid } from './grids.js';

export { paletteName, scaleOfWeights } from '../elements/colouring.js';

/** @typedef {import('./types.js').State} State */

/** The head to draw large. @param {Pick<State, 'hover' | 'layer' | 'head'>} state */
export function shownHead({ hover, layer, head }) {
  return hover?.part === 'head' ? { layer: hover.layer, head: hover.head } : { layer, head };
}

/** The cell, row or column to explain: a token alone explains nothing. @param {State} state @returns {import('../view/types.js').Spot} */
export function shownSpot(state) {
  const { hover, query, key } = state;
  // Another grid's rows and columns are other tokens.
  if (hover?.part === 'head' && hover.grid !== gridNameOf(state)) return { query: null, key: null };
  if (hover?.part === 'cell' || hover?.part === 'row') return { query: hover.query, key: hover.key };
  return { query, key };
}

/** @param {State} state */
function gridNameOf({ result, attention }) {
  return result ? gridNamed(result.model, attention).name : null;
}

/**
 * What the pointer lights in a grid: rows and columns of the chosen grid, a token wherever it stands.
 * @param {State} state
 * @param {import('./grids.js').Grid | null} [grid] the one on show when left out
 * @returns {import('../view/types.js').Spot | null}
 */
export function litSpot(state, grid = shownGrid(state)) {
  const { hover } = state;
  if (hover === null || hover.part === 'head' || grid === null) return null;
  if (hover.part !== 'token') {
    return grid.name === gridNameOf(state) ? { query: hover.query, key: hover.key } : null;
  }
  const { side, token } = hover;
  const spot = { query: grid.queries === side ? token : null, key: grid.keys === side ? token : null };
  return spot.query === null && spot.key === null ? null : spot;
}

/**
 * The query and the key among one side's tokens: what is pointed at, or else what is chosen.
 * @param {State} state
 * @param {import('./grids.js').Side} side
 * @returns {{ query: number | null, key: number | null }}
 */
export function litTokens(state, side) {
  const { hover } = state;
  if (hover?.part === 'token') {
    const token = hover.side === side ? hover.token : null;
    return { query: token, key: token };
  }
  const grid = state.result ? gridNamed(state.result.model, state.attention) : null;
  const { query = null, key = null } = (hover && litSpot(state, grid)) ?? state;
  return { query: grid?.queries === side ? query : null, key: grid?.keys === side ? key : null };
}

/** Differs where other tokens are lit: what shows tokens alone need not hear of a pointer that moves over heads. @param {State} state */
export function litKey(state) {
  return JSON.stringify([litTokens(state, 'source'), litTokens(state, 'target'), state.hover?.part === 'token']);
}

/** The sequence on show. @param {State} state */
export function shownSequence({ result, sequence }) {
  return result?.sequences[sequence] ?? result?.sequences[0] ?? null;
}

/**
 * Colours for the numbers on show.
 * @param {State} state
 * @param {ArrayLike<number>} values
 * @param {number} tokens
 */
export function colouring({ kind, palette: wanted, theme }, values, tokens) {
  return coloursOf({ kind, palette: wanted, dark: theme.dark }, values, tokens);
}

/**
 * The largest weight of a head from one word to another: a cell to begin with. Where there are no two words, the largest of all.
 * @param {import('../view/types.js').Matrix} matrix
 * @param {import('./types.js').Sequence} queries
 * @param {import('./types.js').Sequence} keys
 * @param {boolean} same whether both are the same tokens, which a word should not look at itself for
 * @returns {{ query: number, key: number }}
 */
export function strongestPair({ rows, columns, data }, queries, keys, same) {
  const largest = (/** @type {(query: number, key: number) => boolean} */ counts) => {
    /** @type {{ query: number, key: number } | null} */
    let best = null;
    let most = 0;
    for (let query = 0; query < rows; query++) {
      for (let key = 0; key < columns; key++) {
        if (data[query * columns + key] <= most || !counts(query, key)) continue;
        most = data[query * columns + key];
        best = { query, key };
      }
    }
    return best;
  };
  return (
    largest((query, key) => !(same && query === key) && !queries.special[query] && !keys.special[key]) ??
    largest(() => true) ?? { query: 0, key: 0 }
  );
}
