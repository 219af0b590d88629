// Several heads as one matrix: their mean, or the largest of each cell. Rows of a mean of weights add up to 1, as each head's do;
// rows of a maximum add up to 1 or more.

/** @typedef {import('./types.js').Matrix} Matrix */
/** @typedef {'mean' | 'max'} Reduction */

/**
 * @param {Matrix[]} matrices of one size, at least one
 * @param {Reduction} how
 * @returns {Matrix} in memory of its own
 */
export function aggregate(matrices, how) {
  const [{ rows, columns }] = checked(matrices);
  const data = new Float32Array(rows * columns);
  for (let i = 0; i < data.length; i++) data[i] = reduced(matrices, how, i);
  return { rows, columns, data };
}

/**
 * What each matrix adds to a cell. Of a mean of n it is the nth part of its value: the parts add up to the cell. Of a maximum
 * it is all of it for the first largest one, and nothing for the others.
 * @param {Matrix[]} matrices
 * @param {Reduction} how
 * @param {number} query
 * @param {number} key
 * @returns {{ value: number, part: number }[]} one a matrix: its own value, and its part of the cell
 */
export function contributions(matrices, how, query, key) {
  const [{ columns }] = checked(matrices);
  const values = matrices.map(({ data }) => data[query * columns + key]);
  const largest = values.indexOf(Math.max(...values));
  return values.map((value, i) => ({
    value,
    part: how === 'mean' ? value / values.length : i === largest ? value : 0,
  }));
}

/** @param {Matrix[]} matrices @param {Reduction} how @param {number} i */
function reduced(matrices, how, i) {
  let sum = 0;
  let most = -Infinity;
  for (const { data } of matrices) {
    sum += data[i];
    if (data[i] > most) most = data[i];
  }
  return how === 'mean' ? sum / matrices.length : most;
}

/** @param {Matrix[]} matrices */
function checked(matrices) {
  if (matrices.length === 0) throw new RangeError('aggregate: expected at least one matrix');
  const [{ rows, columns }] = matrices;
  const other = matrices.find((matrix) => matrix.rows !== rows || matrix.columns !== columns);
  if (other) {
    throw new RangeError(
      `aggregate: expected matrices of one size, got ${rows} × ${columns} and ${other.rows} × ${other.columns}`,
    );
  }
  return matrices;
}
