// Checks what tokenizer.json says before anything is built from it, so that a broken file gives one clear error.
import { GlassError } from '../errors.js';

/** @typedef {{ [key: string]: any }} Json */

/** @param {unknown} value @returns {value is Json} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {string} message @returns {never} */
function bad(message) {
  throw new GlassError('bad-input', `tokenizer.json: ${message}`);
}

/**
 * Builds something from a part of tokenizer.json; whatever goes wrong in there is said to be that part's fault.
 * @template T
 * @param {string} name
 * @param {() => T} make
 * @returns {T}
 */
export function readPart(name, make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof GlassError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const code = /^Unknown .* type/.test(message) ? 'unsupported' : 'bad-input';
    throw new GlassError(code, `tokenizer.json: ${name} cannot be read: ${message}`, { cause: error });
  }
}

/** @param {unknown} id @returns {boolean} */
const isId = (id) => typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < 2 ** 31;

/**
 * Files of before 2021 do not say the model's type; it shows in what they hold.
 * @param {Json} model
 * @returns {string}
 */
function modelType(model) {
  if (typeof model.type === 'string') return model.type;
  if (Array.isArray(model.vocab)) return 'Unigram';
  return 'merges' in model ? 'BPE' : 'WordPiece';
}

/** @param {Json} model */
function checkUnigram(model) {
  if (!Array.isArray(model.vocab)) bad('model.vocab must be a list of [token, score]');
  for (const [i, entry] of model.vocab.entries()) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'number') {
      bad(`model.vocab[${i}] must be [token, score]`);
    }
  }
  if (!isId(model.unk_id) || model.unk_id >= model.vocab.length) bad('model.unk_id must be an index of model.vocab');
}

/** @param {Json} model */
function checkBpe(model) {
  if (!Array.isArray(model.merges)) bad('model.merges must be a list');
  for (const [i, merge] of model.merges.entries()) {
    if (typeof merge !== 'string' && !(Array.isArray(merge) && merge.length === 2))
      bad(`model.merges[${i}] must be a pair`);
  }
  if (model.dropout)
    throw new GlassError('unsupported', 'tokenizer.json: model.dropout makes tokens random; set it to null');
  if (model.continuing_subword_prefix) {
    throw new GlassError('unsupported', 'tokenizer.json: model.continuing_subword_prefix is not supported for BPE');
  }
}

/**
 * The parts of tokenizer.json with the model's type filled in and absent parts null.
 * @param {unknown} json
 * @returns {{ model: Json, normalizer: any, pre_tokenizer: any, post_processor: any, decoder: any, added_tokens: unknown }}
 */
export function checkTokenizerJson(json) {
  if (!isObject(json)) return bad('expected an object');
  const { model } = json;
  if (!isObject(model)) return bad('the field "model" is missing');
  const type = modelType(model);
  if (!['WordPiece', 'BPE', 'Unigram'].includes(type)) {
    throw new GlassError(
      'unsupported',
      `tokenizer.json: model.type ${JSON.stringify(type)} is not supported (WordPiece, BPE, Unigram are)`,
    );
  }
  if (model.vocab === undefined || model.vocab === null) bad('the field "model.vocab" is missing');
  if (type === 'Unigram') {
    checkUnigram(model);
  } else {
    if (!isObject(model.vocab)) bad('model.vocab must be an object of tokens and ids');
    for (const [token, id] of Object.entries(model.vocab)) {
      if (!isId(id))
        bad(`model.vocab: the id of ${JSON.stringify(token)} must be a whole number from 0, not ${JSON.stringify(id)}`);
    }
    if (type === 'BPE') checkBpe(model);
  }
  for (const name of ['normalizer', 'pre_tokenizer', 'post_processor', 'decoder']) {
    const part = json[name];
    if (part !== undefined && part !== null && (!isObject(part) || typeof part.type !== 'string')) {
      bad(`${name} must be an object with a type, or null`);
    }
  }
  return {
    model: { ...model, type },
    normalizer: json.normalizer ?? null,
    pre_tokenizer: json.pre_tokenizer ?? null,
    post_processor: json.post_processor ?? null,
    decoder: json.decoder ?? null,
    added_tokens: json.added_tokens,
  };
}
