// The pictures in words, for screen readers and for anyone who would rather read. What was computed is said, never what it
// may mean.

import { roundToSum, writeNumber, writeUnits } from './numbers.js';
import { patternScore } from './patterns.js';
import { ENGLISH } from './strings.js';
import { visibleToken } from './text.js';

/** @typedef {import('./types.js').Matrix} Matrix */
/** @typedef {import('./strings.js').Strings} Strings */

const DECIMALS = 2;

/**
 * One cell: "query 'sat', key 'cat', weight 0.42". The number is the one the heatmap shows.
 * @param {{ matrix: Matrix, queries: string[], keys: string[], kind?: 'weights' | 'scores', masked?: Uint8Array | null }} picture
 * @param {number} query
 * @param {number} key
 * @param {Strings} [strings]
 */
export function describeCell(
  { matrix, queries, keys, kind = 'weights', masked = null },
  query,
  key,
  strings = ENGLISH,
) {
  const q = visibleToken(queries[query]);
  const k = visibleToken(keys[key]);
  const at = query * matrix.columns + key;
  if (masked?.[at] || matrix.data[at] === -Infinity) return strings.masked(q, k);
  if (kind === 'scores') return strings.score(q, k, writeNumber(matrix.data[at], DECIMALS));
  return strings.weight(q, k, shownRow(rowOf(matrix, query))[key]);
}

/**
 * Where one query's weights (or scores) are largest: "'sat' has its largest weights on 'cat' 0.42, 'mat' 0.20 and 'the' 0.11."
 * @param {{ matrix: Matrix, queries: string[], keys: string[], kind?: 'weights' | 'scores' }} picture
 * @param {number} query
 * @param {{ count?: number, strings?: Strings }} [options]
 */
export function describeRow({ matrix, queries, keys, kind = 'weights' }, query, { count = 3, strings = ENGLISH } = {}) {
  const values = rowOf(matrix, query);
  const token = visibleToken(queries[query]);
  const best = Array.from(values.keys())
    .filter((key) => values[key] > (kind === 'weights' ? 0 : -Infinity))
    .sort((a, b) => values[b] - values[a] || a - b)
    .slice(0, count);
  if (best.length === 0) return strings.emptyRow(token);
  const shown = kind === 'weights' ? shownRow(values) : Array.from(values, (value) => writeNumber(value, DECIMALS));
  const parts = strings.list(best.map((key) => strings.part(visibleToken(keys[key]), shown[key])));
  return kind === 'weights' ? strings.row(token, parts) : strings.scoreRow(token, parts);
}

/**
 * Every row in a sentence of its own: the whole picture as a list.
 * @param {Parameters<typeof describeRow>[0]} picture
 * @param {Parameters<typeof describeRow>[2]} [options]
 * @returns {string[]}
 */
export function describeRows(picture, options) {
  return picture.queries.map((_, query) => describeRow(picture, query, options));
}

/**
 * @typedef {{ previous: number, next: number, first: number, separator: number, same: number }} HeadMeans
 */

/**
 * A self-attention head's mean weight on the previous, next, first and same token and on separators (summed over them). Each
 * mean is over the real queries that have such a key; NaN where none has.
 * @param {Matrix} matrix weights, T × T
 * @param {{ separators?: number[], real?: ArrayLike<number> | null }} [tokens] positions of separators; 1 for each real token,
 *   0 for padding
 * @returns {HeadMeans}
 */
export function headMeans(matrix, { separators = [], real = null } = {}) {
  const mean = (/** @type {import('./patterns.js').Pattern} */ pattern) =>
    patternScore(pattern, matrix, { realQueries: real, realKeys: real, separators }).value;
  return {
    previous: mean('previous'),
    next: mean('next'),
    first: mean('first'),
    separator: mean('separator'),
    same: mean('itself'),
  };
}

/**
 * A head in two sentences: "Layer 2, head 1: 9 queries by 9 keys. Mean weight on the previous token 0.71, …".
 * @param {Matrix} matrix weights, T × T, or T × S without `tokens`
 * @param {{ layer: number, head: number }} spot
 * @param {Parameters<typeof headMeans>[1] | null} [tokens] null where queries and keys are different tokens: there is no previous one
 * @param {Strings} [strings]
 */
export function describeHead(matrix, { layer, head }, tokens, strings = ENGLISH) {
  const means = tokens === null ? null : headMeans(matrix, tokens);
  const named = /** @type {(keyof HeadMeans)[]} */ (['previous', 'next', 'first', 'separator', 'same']);
  const parts = (means === null ? [] : named)
    .map((name) => ({ name, mean: means?.[name] ?? NaN }))
    .filter(({ mean }) => !Number.isNaN(mean))
    .map(({ name, mean }) => `${strings[name]} ${writeNumber(mean, DECIMALS)}`);
  const picture = strings.picture(matrix.rows, matrix.columns, strings.headName(layer, head));
  return parts.length === 0 ? `${picture}.` : `${picture}. ${strings.means(strings.list(parts))}`;
}

/**
 * The colour bar's title: what is drawn, and which way is more.
 * @param {import('./scale.js').Scale} scale
 * @param {{ kind: 'sequential' | 'diverging', dark: boolean }} palette
 * @param {Strings} [strings]
 */
export function barTitle(scale, palette, strings = ENGLISH) {
  const parts = [
    scale.kind === 'weights' ? strings.weightTitle : strings.scoreTitle,
    strings.directions[palette.kind][palette.dark ? 'dark' : 'light'],
  ];
  if (scale.curve === 'sqrt') parts.push(strings.squareRoot);
  return parts.join(' \u00b7 ');
}

/** @param {Matrix} matrix @param {number} row */
function rowOf({ columns, data }, row) {
  return data.subarray(row * columns, (row + 1) * columns);
}

/** A row of weights as the heatmap shows it. @param {Float32Array} values */
function shownRow(values) {
  return roundToSum(values, DECIMALS).map((units) => writeUnits(units, DECIMALS));
}
