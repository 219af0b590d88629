// What a model may be run on, brought into one form: token ids of equal length with a mask.
import { GlassError } from './errors.js';
import { checkOptions, described } from './names.js';
import { isTyped } from './tensor.js';

/** @typedef {string | { text: string, pair?: string }} Text */
/** @typedef {{ ids: ArrayLike<number>[], mask?: ArrayLike<number>[], typeIds?: ArrayLike<number>[] }} Ids */
/** @typedef {Text | Text[] | Ids} Input */

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
 */

/**
 * What is asked of a model here.
 * @typedef {object} Reader
 * @property {import('./tokenizer.js').Tokenizer | null} tokenizer
 * @property {number} padId
 * @property {number} types how many segments the model tells apart
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

/** @param {Ids} input @param {Reader} reader @returns {Batch} */
function fromIds(input, { tokenizer }) {
  const { ids: given, mask, typeIds } = input;
  checkOptions(input, ['ids', 'mask', 'typeIds'], 'input');
  const ids = checkedRows(given, 'ids', null);
  if (ids.length === 0) refuse('ids: expected at least one sequence, got none');
  const lengths = ids.map((row) => row.length);
  const same = (/** @type {number} */ value) => ids.map((row) => row.map(() => value));
  return {
    tokens: ids.map((row) => row.map((id) => tokenizer?.token(id) ?? String(id))),
    ids,
    mask: mask === undefined ? same(1) : checkedRows(mask, 'mask', lengths),
    typeIds: typeIds === undefined ? same(0) : checkedRows(typeIds, 'typeIds', lengths),
    special: same(0),
    offsets: ids.map((row) => row.map(() => [0, 0])),
    sequence: ids.map((row) => row.map(() => null)),
    truncated: ids.map(() => 0),
  };
}

/** @param {unknown[]} texts @param {boolean} many @param {Reader} reader @returns {Batch} */
function fromTexts(texts, many, { tokenizer, types }) {
  if (!tokenizer) refuse('input: this model has no tokenizer; expected { ids }, got text');
  if (texts.length === 0) refuse('input: expected at least one text, got an empty list');
  const encodings = Array.from(texts, (text, i) => {
    const where = many ? `input[${i}]` : 'input';
    if (typeof text === 'string') return tokenizer.encode(text);
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
 * Throws 'bad-input' naming the argument, what was expected and what came.
 * @param {unknown} input
 * @param {Reader} reader
 * @returns {Batch}
 */
export function readInput(input, reader) {
  if (typeof input === 'string') return fromTexts([input], false, reader);
  if (Array.isArray(input)) return padded(fromTexts(input, true, reader), reader);
  if (input !== null && typeof input === 'object') {
    if ('ids' in input) return padded(fromIds(/** @type {Ids} */ (input), reader), reader);
    if ('text' in input) return fromTexts([input], false, reader);
  }
  return refuse(`input: expected a string, a list of strings, { text, pair } or { ids }, got ${described(input)}`);
}

/**
 * As the core reads it.
 * @param {Batch} batch
 * @returns {{ size: number, length: number, ids: Int32Array, mask: Int32Array, types: Int32Array }}
 */
export function coreBatch({ ids, mask, typeIds }) {
  return {
    size: ids.length,
    length: ids[0].length,
    ids: Int32Array.from(ids.flat()),
    mask: Int32Array.from(mask.flat()),
    types: Int32Array.from(typeIds.flat()),
  };
}
