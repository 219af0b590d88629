// The difference of two matrices, cell by cell.

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
