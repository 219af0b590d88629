// From what an element is told to show, a model and a text or given numbers, to the attention that it draws.

import { connect } from '../engine/connection.js';
import { GlassError } from '../engine/errors.js';
import { absoluteSource } from '../engine/sources.js';
import { attentionOfTensor, attentionsOfRun } from './attention.js';
import { sharedModel, sharedRun } from './shared-model.js';
import { ELSEWHERE, fetchTensor, tensorOf } from './tensor-data.js';

/** @typedef {import('../engine/index.js').Model} Model */
/** @typedef {import('../engine/index.js').Run} Run */
/** @typedef {import('./attention.js').Attention} Attention */
/**
 * @typedef {object} Told
 * @property {import('../engine/sources.js').Source | Model | null} [model]
 * @property {string | null} [text]
 * @property {string | null} [pair]
 * @property {string | null} [target]
 * @property {import('../engine/edits.js').Edit[] | null} [edits]
 * @property {unknown} [data] numbers, or null
 * @property {string | null} [src] their address
 * @property {string | null} [tensor] their name in a .safetensors file
 * @property {string | string[] | null} [tokens]
 * @property {string | string[] | null} [queries]
 * @property {string | string[] | null} [keys]
 *
 * @typedef {object} Result
 * @property {Attention[]} attentions
 * @property {Model | null} model
 * @property {Run | null} run
 * @property {number} ms from asking to having it
 *
 * @typedef {object} How
 * @property {boolean} scores whether scores are wanted too
 * @property {AbortSignal} signal
 * @property {(progress: import('../engine/sources/folder.js').Progress) => void} [onProgress]
 */

/** Whether there is anything to show. @param {Told} told */
export function isTold({ model, data, src }) {
  return [model, data, src].some((value) => value !== null && value !== undefined && value !== '');
}

/**
 * A list of tokens as an attribute writes it: a JSON list, or words with spaces between.
 * @param {string | string[] | null | undefined} value
 * @param {string} name
 * @returns {string[] | null}
 */
export function tokenList(value, name) {
  if (value === null || value === undefined || value === '') return null;
  /** @type {unknown} */
  let list = value;
  if (typeof value === 'string') {
    if (!/^\s*\[\s*["\]]/.test(value)) return value.trim().split(/\s+/);
    try {
      list = JSON.parse(value);
    } catch (error) {
      throw new GlassError('bad-input', `${name}: not a JSON list: ${/** @type {Error} */ (error).message}`);
    }
  }
  if (Array.isArray(list) && list.every((token) => typeof token === 'string')) return list;
  throw new GlassError('bad-input', `${name}: expected a list of texts`);
}

/** @param {Told} told @param {How} how @returns {Promise<Result>} */
export async function readTold(told, how) {
  const begun = performance.now();
  const given = (told.data ?? null) !== null || Boolean(told.src);
  const result = given ? await readGiven(told, how) : await readModel(told, how);
  return { ...result, ms: performance.now() - begun };
}

/** @param {Told} told @param {How} how @returns {Promise<Omit<Result, 'ms'>>} */
async function readGiven({ data = null, src, tensor, tokens, queries, keys }, { signal }) {
  const given = data !== null ? tensorOf(data) : await fetchTensor(String(src), { tensor, signal });
  const both = tokenList(tokens, 'tokens') ?? given.tokens ?? null;
  const attention = attentionOfTensor(given, {
    tokens: both,
    queries: tokenList(queries, 'queries') ?? given.queries ?? both,
    keys: tokenList(keys, 'keys') ?? given.keys ?? both,
  });
  return { attentions: [attention], model: null, run: null };
}

/** @param {unknown} source @returns {source is Model} */
const isModel = (source) => typeof (/** @type {Partial<Model> | null} */ (source)?.run) === 'function';

/**
 * The page's copy of a model. Where its files are missing, the error says what is to be hosted where.
 * @param {import('../engine/sources.js').Source} source
 * @param {Pick<How, 'signal' | 'onProgress'>} how
 */
async function modelOf(source, { signal, onProgress }) {
  try {
    return await sharedModel(source, { onProgress, signal });
  } catch (error) {
    if (!(error instanceof GlassError) || error.code !== 'not-found' || typeof source !== 'string') throw error;
    await connect(); // else it is the core that is missing, and says so itself
    const foreign = new URL(String(absoluteSource(source))).origin !== location.origin;
    const there = 'Expected there: config.json, model.safetensors and tokenizer.json';
    throw new GlassError('not-found', `${error.message}. ${there}${foreign ? ELSEWHERE : ''}.`, { cause: error });
  }
}

/** @param {Told} told @param {How} how @returns {Promise<Omit<Result, 'ms'>>} */
async function readModel({ model: source, text, pair, target, edits }, { scores, signal, onProgress }) {
  if (!source) throw new GlassError('bad-input', 'expected a model, such as model="topics", or numbers in src');
  if (text === null || text === undefined) {
    throw new GlassError('bad-input', `expected a text for the model to read, such as text="a large wild cat"`);
  }
  const model = isModel(source) ? source : await modelOf(source, { onProgress, signal });
  if (!model.tokenizer) {
    throw new GlassError('not-found', `this model's folder has no tokenizer.json, so it cannot read a text`);
  }
  const record = scores ? ['*.hook_pattern', '*.hook_attn_scores'] : ['*.hook_pattern'];
  const run = (/** @type {import('../engine/index.js').Input} */ input) =>
    edits && edits.length > 0 ? model.run(input, { record, edits, signal }) : sharedRun(model, input, record, signal);
  if (model.kind !== 'encoder-decoder') {
    const made = await run(typeof pair === 'string' ? { text, pair } : text);
    return { attentions: attentionsOfRun(model, made), model, run: made };
  }
  if (typeof target === 'string') {
    const made = await run({ source: text, target });
    return { attentions: attentionsOfRun(model, made), model, run: made };
  }
  // Without a target the model writes its own; what it read to write it is run once more, to have all of it in one piece.
  const { ids } = await model.generate(text, { doSample: false, beams: 1, signal }).result();
  const start = model.core.about.decoderStartId;
  const read = [start, ...ids].slice(0, -1);
  const made = await run({ ids: [Array.from(model.tokenizer.encode(text).ids)], decoderIds: [read] });
  return { attentions: attentionsOfRun(model, made, ids), model, run: made };
}
