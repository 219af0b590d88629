// The run that stands beside the one on show: of another text, of another model, or the same without what was changed in it. Only
// its numbers are shown, so nothing is predicted from it.

import { createRecords, namesToRecord } from './recording.js';
import { encoded, extended, sequenceOf } from './sequences.js';
import { inputOf, promptOf } from './writing.js';
import { editsOf } from './switches.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('../engine/edits.js').Edit} Edit */

/**
 * @param {Pick<State, 'compare' | 'text' | 'text2' | 'pair' | 'join' | 'off'>} state
 * @param {Result} result the one on show
 * @param {Model} model another one where models are compared, else the same
 * @param {AbortSignal} signal
 * @returns {Promise<Result>}
 */
export function readOther(state, result, model, signal) {
  if (state.compare === 'edits') return withoutEdits(result, signal);
  const same = model === result.model;
  const edits = same ? editsOf(model, state.off) : [];
  const text = state.compare === 'text' ? (state.text2 ?? '') : sourceText(result, state.text);
  if (model.kind === 'encoder') return readTexts(model, text, state, edits, signal);
  // Beside another source the output stays; another model reads the same words of it.
  const ids = same ? writtenIds(result) : model.kind === 'encoder-decoder' ? targetIds(model, result) : [];
  return readOn(model, text, ids, edits, { following: same ? result.following : null, signal });
}

/** @param {Result} result @param {AbortSignal} signal @returns {Promise<Result>} */
async function withoutEdits(result, signal) {
  const { model, input, run: first } = result;
  const run = await model.run(input, { record: first.names, signal });
  return { ...result, run, records: createRecords(model, input, run), edits: [], prediction: { kind: 'none' } };
}

/**
 * @param {Model} model @param {string} text @param {Pick<State, 'pair' | 'join'>} beside @param {Edit[]} edits
 * @param {AbortSignal} signal @returns {Promise<Result>}
 */
async function readTexts(model, text, { pair, join }, edits, signal) {
  const input = pair === null ? text : join === 'batch' ? [text, pair] : { text, pair };
  const texts = pair === null ? [text] : [text, pair];
  const length = texts.reduce((sum, { length: characters }) => sum + characters, 3);
  const record = namesToRecord(model.config, texts.length, Math.min(length, longest(model)));
  const run = await model.run(input, { record, edits, signal });
  return {
    ...resultOf(model, input, run, edits),
    sequences: run.ids.map((_, b) => sequenceOf(run, b, model.tokenizer)),
    texts,
    padded: run.mask.some((row) => row.includes(0)),
  };
}

/**
 * A text with ids behind it, or beside it, that were written already.
 * @param {Model} model @param {string} text @param {number[]} ids @param {Edit[]} edits
 * @param {{ following: Result['following'], signal: AbortSignal }} rest
 * @returns {Promise<Result>}
 */
async function readOn(model, text, ids, edits, { following, signal }) {
  const prompt = promptOf(model, text);
  const room = Math.max(0, longest(model) - prompt.first.ids.length);
  const kept = ids.slice(0, room);
  const input = inputOf(prompt, kept);
  const record = namesToRecord(model.config, 1, prompt.source.ids.length + kept.length + 1);
  const run = await model.run(input, { record, edits, signal });
  const read = extended(model, prompt.first, kept);
  return {
    ...resultOf(model, input, run, edits),
    sequences: [prompt.target ? prompt.source : read],
    target: prompt.target && read,
    following,
    texts: [text],
  };
}

/** What all of them have. @param {Model} model @param {any} input @param {import('./types.js').Run} run @param {Edit[]} edits @returns {Result} */
function resultOf(model, input, run, edits) {
  return {
    model,
    input,
    run,
    records: createRecords(model, input, run, edits),
    edits,
    sequences: [],
    target: null,
    following: null,
    texts: [],
    padded: false,
    prediction: { kind: 'none' },
    written: null,
    ms: 0,
  };
}

/** What a model's text on show says, what it wrote itself included. @param {Result} result @param {string} text of its field */
function sourceText({ model, sequences, target }, text) {
  if (model.kind !== 'decoder' || target) return text;
  return model.tokenizer?.decode(sequences[0].ids, { skipSpecial: true }) ?? text;
}

/** The ids behind a prompt: what was written or given. @param {Result} result */
function writtenIds({ target, sequences }) {
  const { ids, special, written } = target ?? sequences[0];
  if (!target) return ids.slice(ids.length - written);
  // The start token is the prompt's.
  return ids.slice(special[0] ? 1 : 0);
}

/** The output on show as another model's tokens. @param {Model} model @param {Result} result */
function targetIds(model, { model: first, target }) {
  if (!target) return [];
  const text = first.tokenizer?.decode(target.ids, { skipSpecial: true }) ?? '';
  // The last token is its end, which is never read.
  return encoded(model, text, 1).ids.slice(0, -1);
}

/** @param {Model} model */
function longest({ config, tokenizer }) {
  return Number(config.max_position_embeddings ?? config.n_positions ?? tokenizer?.maxLength ?? Infinity);
}
