// Numbers that an exhibit begins with, and tensors in another layout. Nothing is computed here.

/** @typedef {import('./types.js').Tensor} Tensor */

/** A matrix, row by row. @param {number[][]} rows @returns {Tensor} */
export const given = (rows) => ({ shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flat()) });

/** Rows become columns: the core's weights are [out, in], formulas write them the other way round. @param {Tensor} matrix @returns {Tensor} */
export function transposed({ shape: [rows, columns], data }) {
  return {
    shape: [columns, rows],
    data: Float32Array.from(data, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)]),
  };
}

/** Row `at` of a tensor's last axis, as a vector. @param {Tensor} tensor @param {number} at @returns {Tensor} */
export function rowOf({ shape, data }, at) {
  const width = shape[shape.length - 1];
  return { shape: [width], data: data.subarray(at * width, (at + 1) * width) };
}

/** The same numbers with other axes. @param {Tensor} tensor @param {number[]} shape @returns {Tensor} */
export const shaped = ({ data }, shape) => ({ shape, data });

/** All numbers of some tensors, one after the other, as one row. @param {Tensor[]} tensors @returns {Tensor} */
export function joined(tensors) {
  const data = new Float32Array(tensors.reduce((length, tensor) => length + tensor.data.length, 0));
  let at = 0;
  for (const tensor of tensors) {
    data.set(tensor.data, at);
    at += tensor.data.length;
  }
  return { shape: [data.length], data };
}
