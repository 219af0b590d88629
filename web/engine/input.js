// What a model may be run on, brought into one form: token ids of equal length with a mask, for an encoder–decoder two of them.
import { GlassError } from './errors.js';
import { checkOptions, described } from './names.js';
import { isTyped } from './tensor.js';

/** @typedef {string | { text: string, pair?: string }} Text */
/**
 * @typedef {object} Ids
 * @property {ArrayLike<number>[]} ids
 * @property {ArrayLike<number>[]} [mask] 1 = real, 0 = padding
 * @property {ArrayLike<number>[]} [typeIds]
 * @property {ArrayLike<number>[]} [decoderIds] what an encoder–decoder's decoder reads, its start token first
 * @property {ArrayLike<number>[]} [decoderMask]
 */
/** For an encoder–decoder, which reads the target behind its start token. @typedef {{ source: string | string[], target?: string | string[] }} Texts */
/** @typedef {Text | Text[] | Ids | Texts} Input */

/**
 * A batch, one entry per sequence. Shorter sequences are padded at the end; there, mask is 0.
 * @typedef {object} Batch
 * @property {string[][]} tokens
 * @property {number[][]} ids
 * @property {number[][]} mask
 * @property {number[][]} typeIds
 * @property {number[][]} special 1 where the tokenizer put a token, and at padding
 * @property {[number, number][][]} offsets [start, end) in the text; [0, 0] for special tokens, padding, and given ids
 * @property {(0 | 1 | null)[][]} sequence which of two texts a token is from, null for neither
 * @property {number[]} truncated how many tokens of each text were cut off to keep to the model's length
 * @property {Batch | null} [target] what an encoder–decoder's decoder reads
 */

/**
 * What is asked of a model here.
 * @typedef {object} Reader
 * @property {import('./tokenizer.js').Tokenizer | null} tokenizer
 * @property {number} padId
 * @property {number} types how many segments the model tells apart
 * @property {'encoder' | 'decoder' | 'encoder-decoder'} kind
 * @property {number} decoderStartId
 */

/** @param {string} message @returns {never} */
function refuse(message) {
  throw new GlassError('bad-input', message);
}

/**
 * Rows of whole numbers.
 * @param {unknown} rows
 * @param {string} name
 * @param {number[] | null} lengths of the ids' rows, which mask and typeIds share
 * @returns {number[][]}
 */
function checkedRows(rows, name, lengths) {
  if (!Array.isArray(rows)) refuse(`${name}: expected a list of lists of numbers, got ${described(rows)}`);
  const list = Array.from(rows);
  if (lengths && list.length !== lengths.length) {
    refuse(`${name}: expected ${lengths.length} sequences, as in ids, got ${list.length}`);
  }
  return list.map((row, i) => {
    if (!Array.isArray(row) && !isTyped(row))
      refuse(`${name}[${i}]: expected a list of numbers, got ${described(row)}`);
    if (lengths && row.length !== lengths[i])
      refuse(`${name}[${i}]: expected ${lengths[i]} values, as in ids, got ${row.length}`);
    return Array.from(row, (value, t) => {
      if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
      return refuse(`${name}[${i}][${t}]: expected a whole number, got ${described(value)}`);
    });
  });
}

/** @param {Batch} batch @param {Reader} reader @returns {Batch} padded to the longest */
function padded(batch, { tokenizer, padId }) {
  const length = batch.ids.reduce((most, row) => Math.max(most, row.length), 0);
  if (padId < 0 && batch.ids.some((row) => row.length < length)) {
    const lengths = batch.ids.map((row) => row.length).join(', ');
    refuse(`input: expected sequences of one length, as this model has no pad_token_id, got lengths of ${lengths}`);
  }
  const padToken = tokenizer?.token(padId) ?? String(padId);
  /** @type {<T>(rows: T[][], filler: T) => T[][]} */
  const fill = (rows, filler) => rows.map((row) => [...row, ...Array(length - row.length).fill(filler)]);
  return {
    tokens: fill(batch.tokens, padToken),
    ids: fill(batch.ids, padId),
    mask: fill(batch.mask, 0),
    typeIds: fill(batch.typeIds, 0),
    special: fill(batch.special, 1),
    offsets: batch.offsets.map((row) => [
      ...row,
      ...Array.from({ length: length - row.length }, () => /** @type {[number, number]} */ ([0, 0])),
    ]),
    sequence: fill(batch.sequence, null),
    truncated: batch.truncated,
  };
}

/**
 * A batch of ids that nothing more is known of.
 * @param {number[][]} ids
 * @param {import('./tokenizer.js').Tokenizer | null} tokenizer
 * @returns {Batch}
 */
export function idsBatch(ids, tokenizer) {
  const same = (/** @type {number} */ value) => ids.map((row) => row.map(() => value));
  return {
    tokens: ids.map((row) => row.map((id) => tokenizer?.token(id) ?? String(id))),
    ids,
    mask: same(1),
    typeIds: same(0),
    special: same(0),
    offsets: ids.map((row) => row.map(() => [0, 0])),
    sequence: ids.map((row) => row.map(() => null)),
    truncated: ids.map(() => 0),
  };
}

/** @param {Ids} input @param {Reader} reader @returns {Batch} */
function fromIds(input, { tokenizer }) {
  const { mask, typeIds } = input;
  const ids = checkedRows(input.ids, 'ids', null);
  if (ids.length === 0) refuse('ids: expected at least one sequence, got none');
  const lengths = ids.map((row) => row.length);
  const batch = idsBatch(ids, tokenizer);
  if (mask !== undefined) batch.mask = checkedRows(mask, 'mask', lengths);
  if (typeIds !== undefined) batch.typeIds = checkedRows(typeIds, 'typeIds', lengths);
  return batch;
}

/** @param {Ids} input @param {Reader} reader @returns {Batch | null} */
function targetOfIds({ ids, decoderIds, decoderMask }, { tokenizer }) {
  if (decoderIds === undefined) {
    if (decoderMask !== undefined) refuse('decoderMask: expected decoderIds beside it, got none');
    return null;
  }
  const rows = checkedRows(decoderIds, 'decoderIds', null);
  if (rows.length !== ids.length) refuse(`decoderIds: expected ${ids.length} sequences, as in ids, got ${rows.length}`);
  const batch = idsBatch(rows, tokenizer);
  const lengths = rows.map((row) => row.length);
  if (decoderMask !== undefined) batch.mask = checkedRows(decoderMask, 'decoderMask', lengths);
  return batch;
}

/**
 * What a decoder reads of its targets: each behind the start token and without the end token that a tokenizer puts, as in
 * training each of its tokens is predicted from those before it.
 * @param {unknown[]} texts
 * @param {Reader} reader
 * @returns {Batch}
 */
function targetOfTexts(texts, reader) {
  const { decoderStartId, tokenizer } = reader;
  const batch = fromTexts(texts, true, reader, 'target');
  const start = idsBatch(
    texts.map(() => [decoderStartId]),
    tokenizer,
  );
  start.special = texts.map(() => [1]);
  const ends = batch.special.map((row) => row.length - (row.at(-1) === 1 ? 1 : 0));
  /** @type {<T>(first: T[][], rest: T[][]) => T[][]} */
  const shift = (first, rest) => rest.map((row, i) => [...first[i], ...row.slice(0, ends[i])]);
  return {
    tokens: shift(start.tokens, batch.tokens),
    ids: shift(start.ids, batch.ids),
    mask: shift(start.mask, batch.mask),
    typeIds: shift(start.typeIds, batch.typeIds),
    special: shift(start.special, batch.special),
    offsets: shift(start.offsets, batch.offsets),
    sequence: shift(start.sequence, batch.sequence),
    truncated: batch.truncated,
  };
}

/** @param {Texts} input @param {Reader} reader @returns {Batch} */
function fromSources(input, reader) {
  checkOptions(input, ['source', 'target'], 'input');
  const { source, target } = input;
  const listed = (/** @type {unknown} */ texts) => (Array.isArray(texts) ? texts : [texts]);
  const batch = padded(fromTexts(listed(source), Array.isArray(source), reader, 'source'), reader);
  if (target === undefined) return batch;
  const targets = listed(target);
  if (targets.length !== batch.ids.length) {
    refuse(`target: expected ${batch.ids.length} texts, as in source, got ${targets.length}`);
  }
  return { ...batch, target: padded(targetOfTexts(targets, reader), reader) };
}

/**
 * @param {unknown[]} texts
 * @param {boolean} many
 * @param {Reader} reader
 * @param {'input' | 'source' | 'target'} [name] of the argument
 * @returns {Batch}
 */
function fromTexts(texts, many, { tokenizer, types }, name = 'input') {
  if (!tokenizer) refuse('input: this model has no tokenizer; expected { ids }, got text');
  if (texts.length === 0) refuse(`${name}: expected at least one text, got an empty list`);
  const encodings = Array.from(texts, (text, i) => {
    const where = many ? `${name}[${i}]` : name;
    if (typeof text === 'string') return tokenizer.encode(text);
    if (name !== 'input') refuse(`${where}: expected a string, got ${described(text)}`);
    const { text: first, pair } = /** @type {{ text?: unknown, pair?: unknown }} */ (text ?? {});
    if (typeof first !== 'string' || !(pair === undefined || pair === null || typeof pair === 'string')) {
      refuse(`${where}: expected a string, { text, pair } or { ids }, got ${described(text)}`);
    }
    checkOptions(text, ['text', 'pair'], where);
    return tokenizer.encode(first, { pair });
  });
  return {
    tokens: encodings.map(({ tokens }) => tokens),
    ids: encodings.map(({ ids }) => ids),
    mask: encodings.map(({ mask }) => mask),
    // A model without segments reads pairs too.
    typeIds: encodings.map(({ typeIds }) => (types > 0 ? typeIds : typeIds.map(() => 0))),
    special: encodings.map(({ special }) => special),
    offsets: encodings.map(({ offsets }) => offsets),
    sequence: encodings.map(({ sequence }) => sequence),
    truncated: encodings.map(({ truncated }) => truncated),
  };
}

/**
 * Throws 'bad-input' naming the argument, what was expected and what came. The target of an encoder–decoder may be missing.
 * @param {unknown} input
 * @param {Reader} reader
 * @returns {Batch}
 */
export function readInput(input, reader) {
  const two = reader.kind === 'encoder-decoder';
  if (typeof input === 'string') return fromTexts([input], false, reader);
  if (Array.isArray(input)) return padded(fromTexts(input, true, reader), reader);
  if (input !== null && typeof input === 'object') {
    if ('ids' in input) {
      const ids = /** @type {Ids} */ (input);
      const names = ['ids', 'mask', 'typeIds', ...(two ? ['decoderIds', 'decoderMask'] : [])];
      if (!two && ('decoderIds' in input || 'decoderMask' in input)) {
        refuse(`decoderIds: expected none, as this model is ${reader.kind === 'encoder' ? 'an encoder' : 'a decoder'}`);
      }
      checkOptions(input, names, 'input');
      const batch = padded(fromIds(ids, reader), reader);
      const target = targetOfIds(ids, reader);
      return target ? { ...batch, target: padded(target, reader) } : batch;
    }
    if ('source' in input) {
      if (!two) refuse(`source: only encoder–decoders have one, this model is of kind ${reader.kind}; expected a text`);
      return fromSources(/** @type {Texts} */ (input), reader);
    }
    if ('text' in input) return fromTexts([input], false, reader);
  }
  const kinds = two
    ? '{ source, target } or { ids, decoderIds }'
    : 'a string, a list of strings, { text, pair } or { ids }';
  return refuse(`input: expected ${kinds}, got ${described(input)}`);
}

/**
 * The same for a run, which needs both sides of an encoder–decoder.
 * @param {unknown} input
 * @param {Reader} reader
 * @returns {Batch}
 */
export function readRunInput(input, reader) {
  const batch = readInput(input, reader);
  if (reader.kind === 'encoder-decoder' && !batch.target) {
    refuse(
      'input: an encoder–decoder runs on two texts; expected { source, target } or { ids, decoderIds }, got one side',
    );
  }
  return batch;
}

/**
 * As the core reads it.
 * @param {Batch} batch
 * @returns {{ size: number, length: number, ids: Int32Array, mask: Int32Array, types: Int32Array, target?: unknown }}
 */
export function coreBatch({ ids, mask, typeIds, target }) {
  return {
    size: ids.length,
    length: ids[0].length,
    ids: Int32Array.from(ids.flat()),
    mask: Int32Array.from(mask.flat()),
    types: Int32Array.from(typeIds.flat()),
    ...(target ? { target: coreBatch({ ...target, typeIds: [] }) } : {}),
  };
}
