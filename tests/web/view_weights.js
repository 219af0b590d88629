// Matrices of weights to test with: any rows that add up to 1.
import assert from 'node:assert/strict';

/** @typedef {import('../../web/view/types.js').Matrix} Matrix */

/**
 * Rows of a softmax over waves: the same for the same seed.
 * @param {number} rows
 * @param {number} columns
 * @param {number} seed
 * @returns {Matrix}
 */
export function weights(rows, columns, seed) {
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const terms = Array.from({ length: columns }, (_, column) =>
      Math.exp(2 * Math.sin(seed * 12.9898 + row * 78.233 + column * 37.719)),
    );
    const total = terms.reduce((sum, term) => sum + term, 0);
    terms.forEach((term, column) => {
      data[row * columns + column] = term / total;
    });
  }
  return { rows, columns, data };
}

/** @param {Matrix} matrix @returns {number[]} */
export function rowSums({ rows, columns, data }) {
  return Array.from({ length: rows }, (_, row) =>
    data.subarray(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
  );
}

/** Equal but for float32's rounding of a few values below 1. @param {number} a @param {number} b */
export function near(a, b) {
  assert.ok(Math.abs(a - b) < 1e-6, `${a} for ${b}`);
}
