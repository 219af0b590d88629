// The difference of two matrices, cell by cell.

import { scoreScale } from './scale.js';

/** @typedef {import('./types.js').Matrix} Matrix */

/** Whether two can be subtracted. @param {Matrix} a @param {Matrix} b */
export function sameSize(a, b) {
  return a.rows === b.rows && a.columns === b.columns;
}

/**
 * Second minus first. Where both may not be seen (−∞) there is no difference: NaN.
 * @param {Matrix} first
 * @param {Matrix} second
 * @returns {Matrix} in memory of its own
 */
export function difference(first, second) {
  if (!sameSize(first, second)) {
    throw new RangeError(
      `difference: expected matrices of one size, got ${first.rows} × ${first.columns} and ${second.rows} × ${second.columns}`,
    );
  }
  const { rows, columns } = first;
  return { rows, columns, data: Float32Array.from(second.data, (value, i) => value - first.data[i]) };
}

/**
 * The cell that differs most; null where none has a finite difference other than 0.
 * @param {Matrix} matrix of differences
 * @returns {{ query: number, key: number, value: number } | null}
 */
export function largestDifference({ columns, data }) {
  let at = -1;
  let most = 0;
  data.forEach((value, i) => {
    if (Number.isFinite(value) && Math.abs(value) > most) {
      most = Math.abs(value);
      at = i;
    }
  });
  return at < 0 ? null : { query: Math.floor(at / columns), key: at % columns, value: data[at] };
}

/**
 * The scale of differences: symmetric about 0, as wide as the largest. Those of weights, which are below 1, need no figure before
 * the point.
 * @param {ArrayLike<number>} values
 * @returns {import('./scale.js').Scale}
 */
export function differenceScale(values) {
  const scale = scoreScale(values);
  if (scale.max > 1) return scale;
  const formats = [true, false].map((leadingZero) => ({
    decimals: 2,
    leadingZero,
    widest: leadingZero ? '\u22120.00' : '\u2212.00',
  }));
  return { ...scale, formats };
}
