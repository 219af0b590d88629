// Where training starts: token embeddings from co-occurrence counts (masked language models, `translate`) and an output bias from frequencies.
// A table drawn at random has to learn from scratch which tokens are alike before attention has anything to move; a small model
// spends its first thousands of steps at that, no better than guessing by frequency. Nothing is put into the attention layers.

import { normal, random } from './random.mjs';
import { SPECIAL } from './vocabulary.mjs';

// Neighbours up to this far on either side; every distance and side is a context of its own.
const kReach = 2;
// Subspace iterations; the spectrum falls slowly, but directions this small matter little.
const kIterations = 4;
// Random columns beyond those wanted (Halko, Martinsson and Tropp 2011, section 4.2).
const kOversampling = 8;

/**
 * The frequencies of tokens as log-probabilities: the output bias of a model that knows nothing else yet.
 * @param {Iterable<ArrayLike<number>>} texts without special tokens
 * @param {number} vocabulary
 * @returns {Float32Array} [vocabulary], as if each token had been seen half a time more
 */
export function logFrequencies(texts, vocabulary) {
  const counts = new Float64Array(vocabulary).fill(0.5);
  let total = vocabulary / 2;
  for (const ids of texts) {
    for (let i = 0; i < ids.length; i++) counts[ids[i]]++;
    total += ids.length;
  }
  return Float32Array.from(counts, (count) => Math.log(count / total));
}

/**
 * Token embeddings from positive pointwise mutual information with the neighbours, reduced by singular value decomposition
 * (Levy and Goldberg 2014), as U sqrt(S), each row scaled to the same length. Tokens that stand in the same places come out alike.
 * @param {Int32Array[]} texts without special tokens, whose ends count as neighbours
 * @param {number} vocabulary
 * @param {number} width
 * @param {number} deviation root mean square of the values
 * @param {number} seed
 * @returns {Float32Array} [vocabulary, width]; a fifth of each row is random, special tokens' rows wholly
 */
export function cooccurrenceEmbeddings(texts, vocabulary, width, deviation, seed) {
  const special = SPECIAL['[MASK]'] + 1;
  return reduced(neighbourAssociations(texts, vocabulary), { vocabulary, special, width, deviation, seed });
}

/**
 * The same for a source and a target language with one vocabulary: a token's contexts are the tokens of both sides of a pair that it stands
 * in, so that a word and its translation come out alike.
 * @param {{ source: Int32Array, target: Int32Array }[]} pairs without special tokens
 * @param {object} options
 * @param {number} options.vocabulary
 * @param {number} options.special how many special tokens there are, the first ids
 * @param {number} options.width
 * @param {number} options.deviation root mean square of the values
 * @param {number} options.seed
 * @returns {Float32Array} [vocabulary, width]
 */
export function pairedEmbeddings(pairs, options) {
  return reduced(pairedAssociations(pairs, options.vocabulary), options);
}

/**
 * @param {Sparse} matrix [vocabulary, contexts]
 * @param {{ vocabulary: number, special: number, width: number, deviation: number, seed: number }} options
 * @returns {Float32Array} [vocabulary, width]
 */
function reduced(matrix, { vocabulary, special, width, deviation, seed }) {
  const next = normal(random(seed));
  const rank = width + kOversampling;
  /** @type {Float64Array} */
  let basis = Float64Array.from({ length: vocabulary * rank }, next);
  for (let i = 0; i < kIterations; i++) {
    orthonormalize(basis, vocabulary, rank);
    basis = multiply(matrix, transposed(matrix, basis, rank), rank, vocabulary);
  }
  const strengths = orthonormalize(basis, vocabulary, rank);
  // `basis` spans the leading left singular vectors of the matrix, its columns roughly in order; `strengths` are about S².
  // Weighted, the rows are turned at random so that no coordinate is special.
  const turn = Float64Array.from({ length: width * width }, next);
  orthonormalize(turn, width, width);
  const table = new Float32Array(vocabulary * width);
  for (let row = 0; row < vocabulary; row++) {
    const known = row >= special;
    const turned = new Float64Array(width);
    let square = 0;
    for (let c = 0; known && c < width; c++) {
      const value = basis[row * rank + c] * Math.sqrt(Math.sqrt(strengths[c]));
      for (let d = 0; d < width; d++) turned[d] += value * turn[c * width + d];
      square += value * value;
    }
    const scale = square > 0 ? 0.8 / Math.sqrt(square / width) : 0;
    const noise = square > 0 ? 0.2 : 1;
    for (let d = 0; d < width; d++) table[row * width + d] = deviation * (scale * turned[d] + noise * next());
  }
  return table;
}

/** @typedef {{ starts: Int32Array, columns: Int32Array, values: Float64Array, width: number }} Sparse rows in compressed form */

/**
 * @param {Int32Array[]} texts
 * @param {number} vocabulary
 * @returns {Sparse} positive pointwise mutual information of token and context, [vocabulary, contexts]
 */
function neighbourAssociations(texts, vocabulary) {
  const width = 2 * kReach * vocabulary;
  /** @type {Map<number, number>[]} */
  const rows = Array.from({ length: vocabulary }, () => new Map());
  const rowTotals = new Float64Array(vocabulary);
  const columnTotals = new Float64Array(width);
  let total = 0;
  for (const text of texts) {
    const ids = [SPECIAL['[CLS]'], ...text, SPECIAL['[SEP]']];
    for (let i = 1; i + 1 < ids.length; i++) {
      for (let distance = 1; distance <= kReach; distance++) {
        for (const [side, j] of [i - distance, i + distance].entries()) {
          if (j < 0 || j >= ids.length) continue;
          const column = (2 * (distance - 1) + side) * vocabulary + ids[j];
          rows[ids[i]].set(column, (rows[ids[i]].get(column) ?? 0) + 1);
          rowTotals[ids[i]]++;
          columnTotals[column]++;
          total++;
        }
      }
    }
  }
  const information = (/** @type {number} */ count, /** @type {number} */ token, /** @type {number} */ column) =>
    Math.log((count * total) / (rowTotals[token] * columnTotals[column]));
  return sparse(
    rows.map((row, token) => [...row].map(([column, count]) => [column, information(count, token, column)])),
    width,
  );
}

/**
 * @param {{ source: Int32Array, target: Int32Array }[]} pairs
 * @param {number} vocabulary
 * @returns {Sparse} positive pointwise mutual information of standing in one pair, [vocabulary, vocabulary]
 */
function pairedAssociations(pairs, vocabulary) {
  const counts = new Int32Array(vocabulary * vocabulary);
  for (const { source, target } of pairs) {
    const ids = [...source, ...target];
    for (const [i, row] of ids.entries()) {
      for (let j = 0; j < ids.length; j++) if (i !== j) counts[row * vocabulary + ids[j]]++;
    }
  }
  const totals = Float64Array.from({ length: vocabulary }, (_, row) =>
    counts.subarray(row * vocabulary, (row + 1) * vocabulary).reduce((sum, count) => sum + count, 0),
  );
  const total = totals.reduce((sum, count) => sum + count, 0);
  const rows = Array.from(totals, (own, row) => {
    /** @type {[number, number][]} */
    const list = [];
    for (let column = 0; column < vocabulary; column++) {
      const count = counts[row * vocabulary + column];
      if (count > 0) list.push([column, Math.log((count * total) / (own * totals[column]))]);
    }
    return list;
  });
  return sparse(rows, vocabulary);
}

/**
 * @param {number[][][]} rows [column, value] of each row; values of 0 and less are left out
 * @param {number} width columns
 * @returns {Sparse}
 */
function sparse(rows, width) {
  const starts = new Int32Array(rows.length + 1);
  /** @type {number[]} */
  const columns = [];
  /** @type {number[]} */
  const values = [];
  rows.forEach((row, token) => {
    for (const [column, value] of row) {
      if (value <= 0) continue;
      columns.push(column);
      values.push(value);
    }
    starts[token + 1] = columns.length;
  });
  return { starts, columns: Int32Array.from(columns), values: Float64Array.from(values), width };
}

/**
 * @param {Sparse} matrix [R, C]
 * @param {Float64Array} right [C, rank]
 * @param {number} rank
 * @param {number} rows R
 * @returns {Float64Array} [R, rank]
 */
function multiply({ starts, columns, values }, right, rank, rows) {
  const result = new Float64Array(rows * rank);
  for (let row = 0; row < rows; row++) {
    for (let k = starts[row]; k < starts[row + 1]; k++) {
      const from = columns[k] * rank;
      for (let c = 0; c < rank; c++) result[row * rank + c] += values[k] * right[from + c];
    }
  }
  return result;
}

/**
 * @param {Sparse} matrix [R, C]
 * @param {Float64Array} right [R, rank]
 * @param {number} rank
 * @returns {Float64Array} the transposed matrix times `right`, [C, rank]
 */
function transposed({ starts, columns, values, width }, right, rank) {
  const result = new Float64Array(width * rank);
  for (let row = 0; row + 1 < starts.length; row++) {
    for (let k = starts[row]; k < starts[row + 1]; k++) {
      const to = columns[k] * rank;
      for (let c = 0; c < rank; c++) result[to + c] += values[k] * right[row * rank + c];
    }
  }
  return result;
}

/**
 * Makes the columns orthonormal in place (modified Gram–Schmidt).
 * @param {Float64Array} matrix [rows, columns]
 * @param {number} rows
 * @param {number} columns
 * @returns {Float64Array} each column's length after the earlier ones were taken out
 */
function orthonormalize(matrix, rows, columns) {
  const lengths = new Float64Array(columns);
  for (let c = 0; c < columns; c++) {
    for (let earlier = 0; earlier < c; earlier++) {
      let dot = 0;
      for (let r = 0; r < rows; r++) dot += matrix[r * columns + c] * matrix[r * columns + earlier];
      for (let r = 0; r < rows; r++) matrix[r * columns + c] -= dot * matrix[r * columns + earlier];
    }
    let square = 0;
    for (let r = 0; r < rows; r++) square += matrix[r * columns + c] ** 2;
    lengths[c] = Math.sqrt(square);
    for (let r = 0; r < rows; r++) matrix[r * columns + c] /= lengths[c] || 1;
  }
  return lengths;
}
