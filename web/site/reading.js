// Results of a text that is only read: one run, and what it predicts.

import { createRecords, namesToRecord } from './recording.js';
import { predict, predictNext } from './prediction.js';
import { changesOf } from './edits.js';
import { encoded, extended, sequenceOf } from './sequences.js';
import { inputOf, promptOf } from './writing.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */
/** @typedef {Omit<import('./types.js').Result, 'ms'>} Read */

/**
 * One or two texts in an encoder.
 * @param {Model} model
 * @param {State} state
 * @param {AbortSignal} signal
 * @returns {Promise<Read>}
 */
export async function readTexts(model, state, signal) {
  const { text, pair, join } = state;
  const input = pair === null ? text : join === 'batch' ? [text, pair] : { text, pair };
  const batch = Array.isArray(input) ? 2 : 1;
  const record = namesToRecord(model.config, batch, longest(model, text, pair, join));
  const edits = changesOf(model, state, { source: state.edits.length > 0 ? tokensIn(model, input) : 0, batch });
  const run = await model.run(input, { record, edits, signal });
  const prediction = await predict(model, run);
  return {
    model,
    input,
    run,
    records: createRecords(model, input, run, edits),
    edits,
    sequences: run.ids.map((_, b) => sequenceOf(run, b, model.tokenizer)),
    target: null,
    following: null,
    texts: pair === null ? [text] : [text, pair],
    padded: run.mask.some((row) => row.includes(0)),
    prediction,
    written: null,
  };
}

/**
 * A source and the target that goes with it, both given: the decoder reads the target and says at each token what it expects next.
 * @param {Model} model
 * @param {State} state
 * @param {AbortSignal} signal
 * @returns {Promise<Read>}
 */
export async function readBoth(model, state, signal) {
  const given = state.target ?? '';
  const prompt = promptOf(model, state.text);
  const { source, first } = prompt;
  const wanted = encoded(model, given, 1);
  // The last token is never read: nothing comes after it that would have to be expected.
  const shown = wanted.ids.length - 1;
  const input = inputOf(prompt, wanted.ids.slice(0, shown));
  const record = namesToRecord(model.config, 1, source.ids.length + wanted.ids.length + 1);
  const lengths = { source: source.ids.length, target: first.ids.length + Math.max(0, shown) };
  const edits = changesOf(model, state, lengths);
  const run = await model.run(input, { record, edits, signal });
  const read = extended(model, first, wanted.ids.slice(0, shown), { written: false });
  return {
    model,
    input,
    run,
    records: createRecords(model, input, run, edits),
    edits,
    sequences: [source],
    target: {
      ...read,
      places: [...first.places, ...wanted.places.slice(0, shown)],
      truncated: wanted.truncated,
    },
    following: shown >= 0 ? { id: wanted.ids[shown], token: wanted.tokens[shown] } : null,
    texts: [state.text, given],
    padded: false,
    prediction: predictNext(model, input, logitsOf(run), edits),
    written: null,
  };
}

/** The logits behind each token of a run's first sequence. @param {import('./types.js').Run} run */
export function logitsOf({ output: { logits } }) {
  return (/** @type {number} */ row) => {
    if (!logits || logits.shape.length !== 3 || row >= logits.shape[1]) return null;
    const classes = logits.shape[2];
    return logits.data.subarray(row * classes, (row + 1) * classes);
  };
}

/**
 * How many tokens there may be, to judge what recording costs: no more than the model reads, nor than characters.
 * @param {Model} model
 * @param {string} text
 * @param {string | null} pair
 * @param {State['join']} join
 */
function longest(model, text, pair, join) {
  const second = pair?.length ?? 0;
  const characters = join === 'pair' ? text.length + second : Math.max(text.length, second);
  const most = Number(model.config.max_position_embeddings ?? model.tokenizer?.maxLength ?? Infinity);
  return Math.min(most, characters + 3);
}

/**
 * How many tokens a run of texts has.
 * @param {Model} model
 * @param {string | string[] | { text: string, pair: string }} input
 */
function tokensIn({ tokenizer }, input) {
  const count = (/** @type {string} */ text, /** @type {string | null} */ pair = null) =>
    tokenizer?.encode(text, { pair }).ids.length ?? 0;
  if (typeof input === 'string') return count(input);
  return Array.isArray(input) ? Math.max(...input.map((text) => count(text))) : count(input.text, input.pair);
}
