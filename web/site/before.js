// What the model says without the reader's changes: the same input again, with nothing set and all heads on.

import { ops } from '../engine/ops.js';
import { optionsOf } from './writing.js';
import { tokenOf } from './sequences.js';

/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./types.js').State} State */
/**
 * @typedef {object} Before the probabilities at one place
 * @property {(id: number) => number | null} of null where it is less than all that are known
 * @property {number} first the likeliest
 */
/**
 * Where a prediction is: a sequence's, a token's of a sequence, behind a row, or of the token to be written.
 * @typedef {{ batch: number, token?: number } | { row: number } | 'next'} Place
 */

/** @param {import('./store.js').Store} store */
export function createBefore(store) {
  /** @type {WeakMap<Result, { run: Promise<any> | null, places: Map<string, Promise<void>>, known: Map<string, Before | null> }>} */
  const kept = new WeakMap();

  /** @param {Result} result */
  function of(result) {
    let all = kept.get(result);
    if (!all) kept.set(result, (all = { run: null, places: new Map(), known: new Map() }));
    return all;
  }

  /** @param {Result} result @param {Place} place @returns {Promise<Before>} */
  async function ask(result, place) {
    if (place === 'next') return nextOf(result, store.state);
    const all = of(result);
    const run = await (all.run ??= result.model.run(result.input));
    const { shape, data } = run.output.logits;
    const classes = shape[shape.length - 1];
    const at = 'row' in place ? place.row : place.batch * (shape.length === 3 ? shape[1] : 1) + (place.token ?? 0);
    const row = { shape: [classes], data: data.slice(at * classes, (at + 1) * classes) };
    const { data: probabilities } = await ops.softmax(row);
    return { of: (id) => probabilities[id] ?? null, first: largestOf(probabilities) };
  }

  /**
   * What was said at a place; undefined while it is asked for, null where nothing was changed or it cannot be had.
   * @param {Result} result
   * @param {Place} place
   * @param {() => void} changed it is there, or will not be
   * @returns {Before | null | undefined}
   */
  return (result, place, changed) => {
    if (result.edits.length === 0) return null;
    const { places, known } = of(result);
    const key = JSON.stringify(place);
    if (known.has(key)) return known.get(key);
    let asked = places.get(key);
    if (!asked) {
      asked = ask(result, place).then(
        (before) => void known.set(key, before),
        // The page goes on without it: what is shown is the run that there is.
        () => void known.set(key, null),
      );
      places.set(key, asked);
    }
    void asked.then(() => store.state.result === result && changed());
    return undefined;
  };
}

/** @typedef {ReturnType<typeof createBefore>} BeforeOf */

/** @param {Float32Array} values */
function largestOf(values) {
  return values.reduce((best, value, i) => (value > values[best] ? i : best), 0);
}

/**
 * The candidates for the next token, by the same choices.
 * @param {Result} result
 * @param {State} state
 * @returns {Promise<Before>}
 */
async function nextOf({ model, input, written }, state) {
  const options = optionsOf(state, written?.ids.length ?? 0);
  const { steps } = await model.generate(input, { ...options, maxNewTokens: 1 }).result();
  const top = steps[0]?.top ?? [];
  const known = new Map(top.map(({ id, logprob }) => [id, Math.exp(logprob)]));
  return { of: (id) => known.get(id) ?? null, first: top[0]?.id ?? -1 };
}

/** The name of what an id stands for in a prediction. @param {Result} result @param {number} id */
export function nameOf({ model, prediction }, id) {
  if (prediction.kind === 'classes' || prediction.kind === 'tokens') return model.labels[id] ?? `class ${id}`;
  return tokenOf(model.tokenizer, id);
}
