// Cuts paired verses into paired clauses. Translations of a verse go clause by clause in one order, so the cut is the one under which the words
// of each clause explain those of its counterpart best.

import { NULL_WORD } from './ibm1.mjs';

/** @typedef {import('./ibm1.mjs').WordTranslation} WordTranslation */

// How many neighbouring clauses of one side may stand for one of the other.
const kMost = 3;
// Probability that IBM model 1 is given for what it has never seen: keeps logarithms finite.
const kUnseen = 1e-6;

/**
 * @param {string} text
 * @returns {string[]} its clauses, each ending with . ; : ? or ! and what closes behind it
 */
export function clauses(text) {
  return cut(text, /(?<=[.;:?!][”’"')\]]*) +/);
}

/**
 * @param {string} text
 * @returns {string[]} its clauses, cut at commas too: the smallest parts that are paired
 */
export function phrases(text) {
  return cut(text, /(?<=[,.;:?!][”’"')\]]*) +/);
}

/**
 * @param {string} text
 * @param {RegExp} at
 * @returns {string[]}
 */
function cut(text, at) {
  return text
    .split(at)
    .map((part) => part.trim())
    .filter(Boolean);
}

/**
 * @param {string} text
 * @returns {string[]} words in small letters, and marks
 */
export function words(text) {
  return text.toLowerCase().match(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\d+|[^\s\p{L}\p{M}\d]/gu) ?? [];
}

/**
 * Pairs the clauses of a text with those of its translation, in order: one with one, or one with up to three neighbours.
 * @param {string[]} source clauses
 * @param {string[]} target clauses
 * @param {WordTranslation} forward source words to target words
 * @param {WordTranslation} backward
 * @returns {{ source: string, target: string }[]} all clauses, neighbours joined by a space
 */
export function pairClauses(source, target, forward, backward) {
  if (source.length === 0 || target.length === 0) return [];
  const sourceWords = source.map(words);
  const targetWords = target.map(words);
  const forwards = explanations(sourceWords, targetWords, forward);
  const backwards = explanations(targetWords, sourceWords, backward);
  const width = target.length + 1;
  const best = new Float64Array((source.length + 1) * width).fill(-Infinity);
  const taken = new Int32Array(best.length);
  best[0] = 0;
  for (let i = 1; i <= source.length; i++) {
    for (let j = 1; j <= target.length; j++) {
      for (const [m, n] of steps(i, j, source.length, target.length)) {
        const before = best[(i - m) * width + j - n];
        if (before === -Infinity) continue;
        const score = before + forwards(i - m, i, j - n, j) + backwards(j - n, j, i - m, i);
        if (score <= best[i * width + j]) continue;
        best[i * width + j] = score;
        taken[i * width + j] = m * (target.length + 1) + n;
      }
    }
  }
  const pairs = [];
  for (let i = source.length, j = target.length; i > 0;) {
    const m = Math.floor(taken[i * width + j] / width);
    const n = taken[i * width + j] % width;
    pairs.push({ source: source.slice(i - m, i).join(' '), target: target.slice(j - n, j).join(' ') });
    i -= m;
    j -= n;
  }
  return pairs.reverse();
}

/**
 * How many clauses of each side may end here together. Where one side has many times the clauses of the other, no short step would
 * reach the end: then everything may be one pair.
 * @param {number} i
 * @param {number} j
 * @param {number} sources
 * @param {number} targets
 * @returns {number[][]}
 */
function steps(i, j, sources, targets) {
  const list = [];
  for (let m = 1; m <= Math.min(kMost, i); m++) list.push([m, 1]);
  for (let n = 2; n <= Math.min(kMost, j); n++) list.push([1, n]);
  if (i === sources && j === targets) list.push([i, j]);
  return list;
}

/**
 * @param {string[][]} source words of each clause
 * @param {string[][]} target
 * @param {WordTranslation} table
 * @returns {(i: number, m: number, j: number, n: number) => number} log-probability of target clauses [j, n) given source clauses
 *   [i, m), IBM model 1
 */
function explanations(source, target, table) {
  // For each target word, what the source words before each clause's end add up to.
  const sums = target.map((clause) =>
    clause.map((word) => {
      let sum = 0;
      const upTo = source.map((from) => (sum += from.reduce((all, other) => all + table.probability(other, word), 0)));
      return { none: table.probability(NULL_WORD, word), upTo: [0, ...upTo] };
    }),
  );
  return (i, m, j, n) => {
    let count = 1;
    for (let clause = i; clause < m; clause++) count += source[clause].length;
    let logs = 0;
    for (let clause = j; clause < n; clause++) {
      for (const { none, upTo } of sums[clause])
        logs += Math.log(Math.max(kUnseen, (none + upTo[m] - upTo[i]) / count));
    }
    return logs;
  };
}
