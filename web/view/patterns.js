// How much a head's weights look like a known pattern: for each query the weight on the keys that the pattern names, and of that
// the mean over the queries that have such keys. With A the weights, i a query and R the real ones (no padding):
//
//   previous   mean of A[i, i−1]         over the i of R with a real token before it
//   next       mean of A[i, i+1]         over the i of R with a real token after it
//   first      mean of A[i, 0]           over R
//   itself     mean of A[i, i]           over R
//   separator  mean of Σ A[i, s]         over R; s runs over the separators
//   duplicate  mean of Σ A[i, j], j < i  over the i of R that are no special token; j runs over the same token before i
//   entropy    mean of −Σ A[i, j] log₂ A[i, j] over R, in bits; as a share: each row's of log₂ of the keys it may see, the mean over
//              the rows that may see two or more
//
// Previous, next, itself and duplicate need the same tokens on both sides; first and separator are the keys'.

/** @typedef {import('./types.js').Matrix} Matrix */
/** @typedef {typeof PATTERNS[number]} Pattern */
/**
 * @typedef {object} Tokens
 * @property {ArrayLike<unknown> | null} [realQueries] truthy for each query that is no padding; null: all
 * @property {ArrayLike<unknown> | null} [realKeys] the same for keys
 * @property {number[]} [separators] positions among the keys
 * @property {boolean} [same] queries and keys are the same tokens
 * @property {number[] | null} [ids] the queries' tokens, by number
 * @property {ArrayLike<unknown> | null} [special] truthy for queries that a tokenizer put there
 * @property {Uint8Array | null} [hidden] 1 where a key may not be seen
 *
 * @typedef {{ value: number, share: number | null }} Score share: of the largest entropy there could be, for entropy alone
 */

/** In the order to offer them. */
export const PATTERNS = Object.freeze(
  /** @type {const} */ (['previous', 'next', 'first', 'itself', 'separator', 'duplicate', 'entropy']),
);

/** Those that need the same tokens on both sides. @type {ReadonlySet<Pattern>} */
const SAME = new Set(/** @type {Pattern[]} */ (['previous', 'next', 'itself', 'duplicate']));

/**
 * A head's score; NaN where no query has such a key.
 * @param {Pattern} pattern
 * @param {Matrix} matrix weights
 * @param {Tokens} [tokens]
 * @returns {Score}
 */
export function patternScore(pattern, matrix, tokens = {}) {
  const { realQueries = null, realKeys = null, same = true } = tokens;
  if (SAME.has(pattern) && !same) return { value: NaN, share: null };
  const queries = Array.from({ length: matrix.rows }, (_, i) => i).filter((i) => realQueries?.[i] ?? true);
  if (pattern === 'entropy') return entropyScore(matrix, queries, tokens);
  const exists = (/** @type {number} */ key) => key >= 0 && key < matrix.columns && Boolean(realKeys?.[key] ?? true);
  const rows = queries.map((i) => ({ i, keys: keysOf(pattern, i, tokens).filter(exists) }));
  return {
    value: mean(
      rows
        .filter(({ keys }) => keys.length > 0)
        .map(({ i, keys }) => keys.reduce((sum, key) => sum + matrix.data[i * matrix.columns + key], 0)),
    ),
    share: null,
  };
}

/** The keys that a pattern names for a query. @param {Pattern} pattern @param {number} i @param {Tokens} tokens @returns {number[]} */
function keysOf(pattern, i, { separators = [], ids = null, special = null }) {
  if (pattern === 'previous') return [i - 1];
  if (pattern === 'next') return [i + 1];
  if (pattern === 'first') return [0];
  if (pattern === 'itself') return [i];
  if (pattern === 'separator') return separators;
  if (ids === null || special?.[i]) return [];
  return ids.slice(0, i).flatMap((id, j) => (id === ids[i] ? [j] : []));
}

/** @param {Matrix} matrix @param {number[]} queries @param {Tokens} tokens @returns {Score} */
function entropyScore({ columns, data }, queries, { realKeys = null, hidden = null }) {
  const rows = queries.map((i) => {
    let bits = 0;
    let seen = 0;
    for (let j = 0; j < columns; j++) {
      const at = i * columns + j;
      if ((realKeys && !realKeys[j]) || hidden?.[at]) continue;
      seen++;
      if (data[at] > 0) bits -= data[at] * Math.log2(data[at]);
    }
    return { bits, seen };
  });
  const free = rows.filter(({ seen }) => seen > 1);
  return {
    value: mean(rows.map(({ bits }) => bits)),
    share: mean(free.map(({ bits, seen }) => bits / Math.log2(seen))),
  };
}

/**
 * Heads by a score, largest first; those without one come last, equal ones in the order they came.
 * @template T
 * @param {(T & { score: Score })[]} heads
 */
export function sortHeads(heads) {
  const known = heads.filter(({ score }) => !Number.isNaN(score.value));
  const unknown = heads.filter(({ score }) => Number.isNaN(score.value));
  return [...known.sort((a, b) => b.score.value - a.score.value), ...unknown];
}

/** @param {number[]} values */
function mean(values) {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
