// The data of the page: JSON in an element of its own, tensors in base64. What does not fit is refused with a reason: the page may
// have been written by any program.

/** @typedef {import('../view/types.js').Matrix} Matrix */
/** @typedef {{ shape: number[], data: Float32Array | Uint8Array, half: boolean }} Unpacked */
/**
 * @typedef {object} Grid one attention: all its layers and heads
 * @property {string} name
 * @property {string} title '' where there is only one
 * @property {boolean} same whether queries and keys are the same tokens
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {string} [queryTitle]
 * @property {string} [keyTitle]
 * @property {number} layers
 * @property {number} heads
 * @property {Unpacked} weights
 * @property {Unpacked | null} scores
 * @property {Unpacked | null} hidden
 * @property {{ layer: number, head: number, query: number, key: number }[]} edited cells whose values were set by hand
 *
 * @typedef {object} PageData
 * @property {string} model
 * @property {string[]} texts
 * @property {string} changes what was changed in the run by hand, in words; '' where nothing was
 * @property {string} language
 * @property {string} direction
 * @property {Partial<import('./words.js').Words>} words
 * @property {Record<string, any>} shown what to begin with
 * @property {Grid[]} grids
 */

const FORMAT = 'glassformer attention 1';
const BYTES = /** @type {Record<string, number>} */ ({ F32: 4, F16: 2, U8: 1 });

/** A half-precision number's value. @param {number} bits */
export function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** @param {any} packed @param {string} name @returns {Unpacked} */
export function unpack(packed, name) {
  const { dtype, shape, base64 } = packed ?? {};
  if (!(dtype in BYTES) || !Array.isArray(shape) || typeof base64 !== 'string') {
    throw new Error(`${name}: expected dtype F32, F16 or U8, shape and base64`);
  }
  const text = atob(base64);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (text.length !== count * BYTES[dtype]) {
    throw new Error(`${name}: expected ${count * BYTES[dtype]} bytes for the shape [${shape}], got ${text.length}`);
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  if (dtype === 'U8') return { shape, data: bytes, half: false };
  const view = new DataView(bytes.buffer);
  const data = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    data[i] = dtype === 'F32' ? view.getFloat32(i * 4, true) : fromHalf(view.getUint16(i * 2, true));
  }
  return { shape, data, half: dtype === 'F16' };
}

/** @param {any} tokens @param {number} count @param {string} name @returns {string[]} */
function tokensOf(tokens, count, name) {
  if (!Array.isArray(tokens) || tokens.length !== count) {
    throw new Error(`${name}: expected ${count} tokens, got ${Array.isArray(tokens) ? tokens.length : typeof tokens}`);
  }
  return tokens.map(String);
}

/** @param {any} cells @param {string} name @returns {Grid['edited']} */
function editedOf(cells, name) {
  const whole = (/** @type {any} */ cell) =>
    ['layer', 'head', 'query', 'key'].every((part) => Number.isInteger(cell?.[part]));
  if (!Array.isArray(cells) || !cells.every(whole))
    throw new Error(`${name}: expected a list of { layer, head, query, key }`);
  return cells;
}

/** @param {any} grid @returns {Grid} */
function gridOf({ name = 'self', title = '', same, queries, keys, queryTitle, keyTitle, edited = [], ...packed }) {
  const weights = unpack(packed.weights, `${name}.weights`);
  if (weights.shape.length !== 4) throw new Error(`${name}.weights: expected [layers, heads, queries, keys]`);
  const [layers, heads, rows, columns] = weights.shape;
  const other = (/** @type {'scores' | 'hidden'} */ part, /** @type {number[]} */ shapes) => {
    if (!packed[part]) return null;
    const found = unpack(packed[part], `${name}.${part}`);
    if (!shapes.includes(found.data.length))
      throw new Error(`${name}.${part}: its shape [${found.shape}] does not fit`);
    return found;
  };
  return {
    name,
    title,
    same: same ?? true,
    queries: tokensOf(queries, rows, `${name}.queries`),
    keys: tokensOf(keys, columns, `${name}.keys`),
    queryTitle,
    keyTitle,
    layers,
    heads,
    weights,
    scores: other('scores', [weights.data.length]),
    hidden: other('hidden', [weights.data.length, rows * columns]),
    edited: editedOf(edited, `${name}.edited`),
  };
}

/** @param {string} text @returns {PageData | null} null: the template without data */
export function readData(text) {
  const data = JSON.parse(text);
  if (typeof data !== 'object' || data === null) return null;
  if (data.format !== FORMAT) throw new Error(`expected the format "${FORMAT}", got "${data.format}"`);
  if (!Array.isArray(data.grids) || data.grids.length === 0)
    throw new Error('expected at least one attention in "grids"');
  return {
    model: String(data.model ?? ''),
    texts: (data.texts ?? []).map(String),
    changes: String(data.changes ?? ''),
    language: data.language ?? 'en',
    direction: data.direction ?? 'ltr',
    words: data.words ?? {},
    shown: data.shown ?? {},
    grids: data.grids.map(gridOf),
  };
}

/** One head's numbers. @param {Unpacked} tensor @param {Grid} grid @param {{ layer: number, head: number }} at @returns {Matrix} */
export function matrixOf(tensor, { heads, queries, keys }, { layer, head }) {
  const size = queries.length * keys.length;
  const start = (layer * heads + head) * size;
  const data = /** @type {Float32Array} */ (tensor.data).subarray(start, start + size);
  return { rows: queries.length, columns: keys.length, data };
}

/** Which of a head's cells may not be seen. @param {Grid} grid @param {{ layer: number, head: number }} at @returns {Uint8Array | null} */
export function hiddenOf({ hidden, heads, queries, keys }, { layer, head }) {
  if (!hidden) return null;
  const size = queries.length * keys.length;
  const start = hidden.data.length === size ? 0 : (layer * heads + head) * size;
  return /** @type {Uint8Array} */ (hidden.data).subarray(start, start + size);
}
