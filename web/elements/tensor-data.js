// Numbers that somebody gives: nested lists, { shape, data }, or the bytes of a .npy, .safetensors or .json file, made one form.

import { GlassError } from '../engine/errors.js';
import { described } from '../engine/names.js';
import { tensor } from '../engine/tensor.js';
import { readNpy } from './files/npy.js';
import { readSafetensors } from './files/safetensors.js';

/** @typedef {{ shape: number[], data: Float32Array }} Tensor */
/**
 * @typedef {object} Given a tensor, and the tokens that came with it
 * @property {number[]} shape
 * @property {Float32Array} data
 * @property {string[]} [tokens] both sides
 * @property {string[]} [queries]
 * @property {string[]} [keys]
 */

/** What another origin has to allow. */
export const ELSEWHERE =
  '. This is another origin: its server must send Access-Control-Allow-Origin, and this page’s policy allow it in connect-src';

/** @param {import('../engine/errors.js').ErrorCode} code @param {string} message @returns {never} */
function refuse(code, message) {
  throw new GlassError(code, message);
}

/** @param {unknown} value @param {string} name @param {string} where @returns {string[] | undefined} */
function texts(value, name, where) {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((token) => typeof token === 'string')) return value;
  return refuse('bad-input', `${where}: "${name}": expected a list of texts`);
}

/** Of lists and objects in each other: the axes, and what may stand around them. */
const DEEPEST = 8;

/**
 * What stands around the parts of a list or an object: itself, and what it is in. Throws where that never ends.
 * @param {object} value
 * @param {readonly unknown[]} around
 * @param {string} where
 * @returns {readonly unknown[]}
 */
function inside(value, around, where) {
  if (around.includes(value))
    refuse('bad-input', `${where}: expected nested lists of numbers, got ${described(value)} that holds itself`);
  if (around.length === DEEPEST) refuse('bad-input', `${where}: expected at most 5 axes, got lists nested deeper`);
  return [...around, value];
}

/**
 * Nested lists with null, which stands for what JSON cannot write, made numbers.
 * @param {unknown} value
 * @param {readonly unknown[]} around lists that it is in
 * @param {string} where
 * @returns {any}
 */
function withoutNull(value, around, where) {
  if (!Array.isArray(value)) return value === null ? NaN : value;
  const within = inside(value, around, where);
  return value.map((one) => withoutNull(one, within, where));
}

/**
 * A tensor from a value: nested lists (null for masked), { shape, data }, or an object with one of them under "attention",
 * "attentions" or "data" and, beside it, "tokens" or "queries" and "keys". Throws 'bad-input'.
 * @param {unknown} value
 * @param {string} [where] for messages
 * @param {readonly unknown[]} [around] lists and objects that it is in
 * @returns {Given}
 */
export function tensorOf(value, where = 'data', around = /** @type {readonly unknown[]} */ ([])) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)) {
    const { shape, data, attention, attentions, tokens, queries, keys } = /** @type {Record<string, any>} */ (value);
    const numbers = attention ?? attentions ?? data;
    if (numbers === undefined) {
      refuse('bad-input', `${where}: expected nested lists, or an object with "attention" or with "shape" and "data"`);
    }
    const within = inside(value, around, where);
    /** @type {Given} */
    const found =
      Array.isArray(shape) && numbers === data ? shaped(data, shape, where) : tensorOf(numbers, where, within);
    return {
      ...found,
      tokens: texts(tokens, 'tokens', where) ?? found.tokens,
      queries: texts(queries, 'queries', where) ?? found.queries,
      keys: texts(keys, 'keys', where) ?? found.keys,
    };
  }
  if (!Array.isArray(value)) refuse('bad-input', `${where}: expected nested lists of numbers, got ${described(value)}`);
  // Layers as tensors of their own, as transformers gives them.
  if (value.length > 0 && value.every((one) => one !== null && typeof one === 'object' && 'shape' in one)) {
    const within = inside(value, around, where);
    return stacked(
      value.map((one, i) => tensorOf(one, `${where}[${i}]`, within)),
      where,
    );
  }
  return shaped(value, undefined, where);
}

/** @param {unknown} data @param {number[] | undefined} shape @param {string} where @returns {Tensor} */
function shaped(data, shape, where) {
  const numbers = withoutNull(data, [], where);
  try {
    const made = tensor(numbers, /** @type {any} */ (shape));
    return { shape: made.shape, data: Float32Array.from(made.data) };
  } catch (error) {
    return refuse('bad-input', `${where}: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Tensors of equal shape as one with another axis in front.
 * @param {Tensor[]} parts
 * @param {string} where
 * @returns {Tensor}
 */
export function stacked(parts, where) {
  const [first] = parts;
  const other = parts.find(({ shape }) => shape.join() !== first.shape.join());
  if (other) refuse('bad-input', `${where}: layers of different shapes, [${first.shape}] and [${other.shape}]`);
  const data = new Float32Array(parts.length * first.data.length);
  parts.forEach((part, i) => data.set(part.data, i * first.data.length));
  return { shape: [parts.length, ...first.shape], data };
}

/**
 * A tensor from a file's bytes, whichever of the three kinds it is.
 * @param {Uint8Array} bytes
 * @param {{ name?: string, tensor?: string | null }} [options] name: the file's, for messages; tensor: which one of a
 *   .safetensors file, with * for any run of characters: those found are stacked as layers
 * @returns {Given}
 */
export function parseTensor(bytes, { name = 'data', tensor: wanted = null } = {}) {
  if (bytes.length === 0) refuse('bad-input', `${name} is empty`);
  if (bytes[0] === 0x93) return readNpy(bytes, name);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    refuse(
      'unsupported',
      `${name} is a zip, such as .npz or .pt: save one array with numpy.save, or a .safetensors file`,
    );
  }
  if (bytes[8] === 0x7b && bytes.length > 8 && bytes[7] === 0) return safetensor(bytes, name, wanted);
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is no text';
    refuse('bad-input', `${name}: expected a .npy, .safetensors or .json file; as JSON it cannot be read: ${reason}`);
  }
  return tensorOf(value, name);
}

/** @param {Uint8Array} bytes @param {string} name @param {string | null} wanted @returns {Tensor} */
function safetensor(bytes, name, wanted) {
  const file = readSafetensors(bytes, name);
  const listed = file.names.slice(0, 12).join(', ') + (file.names.length > 12 ? ', …' : '');
  if (wanted === null || wanted === '') {
    if (file.names.length === 1) return file.read(file.names[0]);
    refuse('bad-input', `${name} holds ${file.names.length} tensors; say which with tensor="…": ${listed}`);
  }
  if (!wanted.includes('*')) {
    if (file.names.includes(wanted)) return file.read(wanted);
    refuse('not-found', `${name} has no tensor "${wanted}"; it holds ${listed}`);
  }
  const pattern = new RegExp(`^${wanted.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
  const found = file.names.filter((one) => pattern.test(one));
  if (found.length === 0) refuse('not-found', `${name} has no tensor like "${wanted}"; it holds ${listed}`);
  // "layer.10" comes after "layer.9".
  found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return stacked(found.map(file.read), name);
}

/**
 * A tensor from an address.
 * @param {string | URL} address
 * @param {{ tensor?: string | null, signal?: AbortSignal }} [options]
 * @returns {Promise<Given>}
 */
export async function fetchTensor(address, { tensor: wanted = null, signal } = {}) {
  /** @type {URL} */
  let url;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    return refuse('bad-input', `src: expected an address, got "${address}"`);
  }
  const name = url.pathname.split('/').pop() || url.href;
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (signal?.aborted) throw new GlassError('aborted', `${name}: aborted`, { cause: error });
    const advice = url.origin === location.origin ? '' : ELSEWHERE;
    throw new GlassError('not-found', `${url.href} could not be fetched${advice}`, { cause: error });
  }
  if (!response.ok) refuse('not-found', `${url.href}: the server answered ${response.status} ${response.statusText}`);
  return parseTensor(new Uint8Array(await response.arrayBuffer()), { name, tensor: wanted });
}
