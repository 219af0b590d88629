// The choice as the result on show has it. A link, the way back and another model choose for a result that is still to come; until
// it is there the one before stays on show, which may have fewer layers, heads, texts or tokens.

import { gridNamed, headsOf, sequenceAt } from './grids.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./store.js').Store} Store */

/**
 * The chosen text, grid and heads, or the last ones that there are.
 * @param {Pick<State, 'sequence' | 'attention' | 'layer' | 'head' | 'layer2' | 'head2'>} choice
 * @param {Result} result
 */
export function placesIn({ sequence, attention, layer, head, layer2, head2 }, result) {
  const grid = gridNamed(result.model, attention);
  const heads = headsOf(result, grid);
  const limited = (/** @type {number | null} */ index, /** @type {number} */ count) =>
    index === null ? null : Math.min(index, count - 1);
  return {
    sequence: Math.min(sequence, result.sequences.length - 1),
    attention: attention === grid.name ? grid.name : null,
    layer: Math.min(layer, grid.layers - 1),
    head: Math.min(head, heads - 1),
    layer2: limited(layer2, grid.layers),
    head2: limited(head2, heads),
  };
}

/** The state with a choice that its result has. @param {State} state @returns {State} the same where it fits */
function fitted(state) {
  const { result, query, key, compare, layer2, head2 } = state;
  if (!result) return state;
  const places = placesIn(state, result);
  const grid = gridNamed(result.model, state.attention);
  const there = (/** @type {number | null} */ token, /** @type {import('./grids.js').Side} */ side) =>
    token !== null && token < sequenceAt(result, side, places.sequence).tokens.length ? token : null;
  // Beside a head stands one of the same grid; another model's has other ends (compare.js).
  const beside = compare === 'head' ? {} : { layer2, head2 };
  const patch = { ...places, ...beside, query: there(query, grid.queries), key: there(key, grid.keys) };
  const fits = Object.entries(patch).every(([name, value]) => state[/** @type {keyof State} */ (name)] === value);
  return fits ? state : Object.freeze({ ...state, ...patch });
}

/**
 * The store as what draws sees it.
 * @param {Store} store
 * @returns {Store}
 */
export function onShow(store) {
  /** @type {State | null} */
  let seen = null;
  let shown = store.state;
  const show = (/** @type {State} */ state) => {
    if (state !== seen) [seen, shown] = [state, fitted(state)];
    return shown;
  };
  return {
    get state() {
      return show(store.state);
    },
    set: store.set,
    on: (keys, listener) => store.on(keys, (state, changed) => listener(show(state), changed)),
  };
}
