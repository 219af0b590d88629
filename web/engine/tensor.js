// Tensors as plain data: a shape and the values row by row.
import { GlassError } from './errors.js';
import { described } from './names.js';

/** @typedef {{ shape: number[], data: Float32Array }} Tensor row-major, in memory of its own */
/** @typedef {Float32Array | Int32Array | Uint8Array} Data ids and labels are Int32Array, boolean masks Uint8Array */
/** @typedef {{ shape: number[], data: Data }} AnyTensor */
/** @typedef {number | NestedNumbers[]} NestedNumbers */

const MOST_AXES = 5;

/** @param {string} message @returns {never} */
function refuse(message) {
  throw new GlassError('bad-input', message);
}

/**
 * Throws 'bad-input' where a shape is not a list of at most 5 whole numbers.
 * @param {unknown} shape
 * @param {string} where
 * @returns {number[]}
 */
function checkedShape(shape, where) {
  if (!Array.isArray(shape)) refuse(`${where}: expected a shape (a list of numbers), got ${described(shape)}`);
  if (shape.length > MOST_AXES) refuse(`${where}: expected at most ${MOST_AXES} axes, got ${shape.length}`);
  const wrong = shape.find((extent) => !Number.isSafeInteger(extent) || extent < 0);
  if (wrong !== undefined) refuse(`${where}: expected whole numbers in the shape, got ${described(wrong)}`);
  return [...shape];
}

/** @param {number[]} shape @returns {number} */
export const sizeOf = (shape) => shape.reduce((size, extent) => size * extent, 1);

/**
 * Whether something is a typed array of numbers that can be read: not of BigInts, not without its memory (a detached one).
 * @param {unknown} value
 * @returns {value is ArrayLike<number>}
 */
export function isTyped(value) {
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return false;
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return false;
  try {
    /** @type {Float32Array} */ (value).values(); // throws where it is detached
    return true;
  } catch {
    return false;
  }
}

/** @param {ArrayLike<unknown>} data @returns {Data} a copy; ids and masks keep their type */
function copied(data) {
  if (data instanceof Int32Array || data instanceof Uint8Array) return data.slice();
  if (!isTyped(data)) {
    for (let i = 0; i < data.length; ++i) {
      if (typeof data[i] !== 'number') refuse(`tensor: expected numbers, got ${described(data[i])} at index ${i}`);
    }
  }
  return Float32Array.from(/** @type {ArrayLike<number>} */ (data));
}

/**
 * @param {unknown} nested
 * @param {number[]} shape what the places before have shown
 * @param {number} axis
 * @param {number[]} at
 * @param {number[]} values
 */
function collect(nested, shape, axis, at, values) {
  if (axis === shape.length) {
    if (typeof nested !== 'number') refuse(`tensor: expected a number at [${at}], got ${described(nested)}`);
    values.push(/** @type {number} */ (nested));
    return;
  }
  const list = /** @type {ArrayLike<unknown>} */ (nested);
  if (!(Array.isArray(nested) || isTyped(nested)) || list.length !== shape[axis]) {
    refuse(`tensor: expected ${shape[axis]} entries at [${at}], as in the places before, got ${described(nested)}`);
  }
  for (let i = 0; i < list.length; ++i) collect(list[i], shape, axis + 1, [...at, i], values);
}

/**
 * Makes a tensor: from nested lists, `tensor([[1, 2], [3, 4]])`, or from values and a shape, `tensor(data, [2, 2])`. The
 * values are copied. Throws 'bad-input' for ragged lists, values that are not numbers, and sizes that do not fit.
 * @overload
 * @param {Int32Array} data
 * @param {number[]} [shape]
 * @returns {{ shape: number[], data: Int32Array }}
 */
/**
 * @overload
 * @param {Uint8Array} data
 * @param {number[]} [shape]
 * @returns {{ shape: number[], data: Uint8Array }}
 */
/**
 * @overload
 * @param {NestedNumbers | ArrayLike<number>} data
 * @param {number[]} [shape]
 * @returns {Tensor}
 */
/**
 * @param {any} data
 * @param {number[]} [shape]
 * @returns {any}
 */
export function tensor(data, shape) {
  if (shape !== undefined) {
    if (!Array.isArray(data) && !isTyped(data)) refuse(`tensor: expected a list of values, got ${described(data)}`);
    const extents = checkedShape(shape, 'tensor');
    if (data.length !== sizeOf(extents)) {
      refuse(`tensor: expected ${sizeOf(extents)} values for the shape [${extents}], got ${data.length}`);
    }
    return { shape: extents, data: copied(data) };
  }
  if (isTyped(data)) return { shape: [data.length], data: copied(data) };
  const found = [];
  for (let list = data; Array.isArray(list) || isTyped(list); list = /** @type {any} */ (list)[0]) {
    found.push(list.length);
    if (found.length > MOST_AXES) refuse(`tensor: expected at most ${MOST_AXES} axes`);
  }
  /** @type {number[]} */
  const values = [];
  collect(data, found, 0, [], values);
  return { shape: found, data: Float32Array.from(values) };
}

/**
 * A copy, so that what the caller does to the values after a call does not matter, however long the call waits for its turn.
 * Throws 'bad-input' where something is no tensor.
 * @param {unknown} value
 * @param {string} where the argument, for the message
 * @returns {AnyTensor}
 */
export function checkedTensor(value, where) {
  const { shape, data } = /** @type {{ shape?: unknown, data?: unknown }} */ (value ?? {});
  const known = data instanceof Float32Array || data instanceof Int32Array || data instanceof Uint8Array;
  if (!known || !isTyped(data)) {
    refuse(
      `${where}: expected a tensor { shape, data: Float32Array }, got ${described(data === undefined ? value : data)}`,
    );
  }
  const extents = checkedShape(shape, where);
  if (data.length !== sizeOf(extents)) {
    refuse(`${where}: expected ${sizeOf(extents)} values for the shape [${extents}], got ${data.length}`);
  }
  return { shape: extents, data: data.slice() };
}
