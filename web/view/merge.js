// A matrix of weights over groups of tokens: words in place of their pieces, or fewer tokens than there are. Attention to a word
// is the sum of the attention to its pieces; attention from a word is the mean of that from its pieces (Clark et al. 2019, "What
// Does BERT Look At?", section 4.1). So rows that add up to 1 still do.

/** @typedef {import('./types.js').Matrix} Matrix */
/** @typedef {number[][]} Groups indices of tokens, group by group; a token in no group is left out */
/**
 * How a tokenizer marks the pieces of a word. wordpiece: what continues one begins with ##. spaces: what begins one begins with
 * the space before it. none: nothing is marked.
 * @typedef {'wordpiece' | 'spaces' | 'none'} Marking
 */

const SPACE = /^[\s␣▁⏎]/u;
const PREFIX = '##';

/**
 * Tokens that make up a word each. Where spaces are marked or nothing is, a word is a run of letters, of digits or of other
 * characters, which is how such tokenizers take a text apart first; where nothing is marked, a gap in the text ends it too.
 * @param {string[]} tokens
 * @param {object} about
 * @param {Marking} about.marking
 * @param {ArrayLike<unknown>} about.alone truthy for tokens that belong to no word: special ones and padding
 * @param {({ field: number, start: number, end: number } | null)[]} about.places where each token is from
 * @returns {Groups} every token in one group, in order
 */
export function wordGroups(tokens, { marking, alone, places }) {
  /** @type {Groups} */
  const groups = [];
  tokens.forEach((token, i) => {
    const joined = i > 0 && !alone[i] && !alone[i - 1] && continues(tokens[i - 1], token, places[i - 1], places[i]);
    if (joined) groups[groups.length - 1].push(i);
    else groups.push([i]);
  });
  return groups;

  /** @param {string} before @param {string} token @param {typeof places[0]} from @param {typeof places[0]} here */
  function continues(before, token, from, here) {
    if (from && here && from.field !== here.field) return false;
    if (marking === 'wordpiece') return token.startsWith(PREFIX) && token.length > PREFIX.length;
    // Two parts of one character.
    if (from && here && here.start < from.end) return true;
    if (marking === 'none' && !(from && here && here.start === from.end)) return false;
    return !SPACE.test(token) && !SPACE.test(last(before)) && sortOf(first(token)) === sortOf(last(before));
  }
}

/** Each token by itself. @param {number} count @returns {Groups} */
export function singles(count) {
  return Array.from({ length: count }, (_, i) => [i]);
}

/**
 * A word's text. The sign for "goes on" is dropped, a space before it stays as it is shown.
 * @param {string[]} tokens
 * @param {number[]} group
 */
export function wordText(tokens, group) {
  return group
    .map((token, i) => (i > 0 && tokens[token].startsWith(PREFIX) ? tokens[token].slice(PREFIX.length) : tokens[token]))
    .join('');
}

/**
 * The matrix over groups: summed over the keys of a group, the mean over its queries.
 * @param {Matrix} matrix
 * @param {Groups} queries
 * @param {Groups} keys
 * @returns {Matrix} in memory of its own
 */
export function regroup({ columns, data }, queries, keys) {
  const grouped = new Float32Array(queries.length * keys.length);
  queries.forEach((group, row) => {
    keys.forEach((members, column) => {
      let sum = 0;
      for (const query of group) for (const key of members) sum += data[query * columns + key];
      grouped[row * keys.length + column] = sum / group.length;
    });
  });
  return { rows: queries.length, columns: keys.length, data: grouped };
}

/**
 * Which cells over groups may not be seen: those of which no part may.
 * @param {Uint8Array} hidden 1 where a cell of tokens may not be seen
 * @param {number} columns of `hidden`
 * @param {Groups} queries
 * @param {Groups} keys
 */
export function regroupHidden(hidden, columns, queries, keys) {
  return Uint8Array.from(
    queries.flatMap((group) =>
      keys.map((members) =>
        group.every((query) => members.every((key) => hidden[query * columns + key] === 1)) ? 1 : 0,
      ),
    ),
  );
}

/**
 * Rows that add up to 1 again; a row of zeros stays one.
 * @param {Matrix} matrix
 * @returns {{ matrix: Matrix, sums: number[] }} sums: what the rows added up to
 */
export function renormalise({ rows, columns, data }) {
  const next = new Float32Array(data.length);
  const sums = Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let column = 0; column < columns; column++) sum += data[row * columns + column];
    for (let column = 0; column < columns; column++) {
      next[row * columns + column] = sum === 0 ? 0 : data[row * columns + column] / sum;
    }
    return sum;
  });
  return { matrix: { rows, columns, data: next }, sums };
}

/** @param {string} text */
const first = (text) => [...text][0] ?? '';
/** @param {string} text */
const last = (text) => [...text].pop() ?? '';

/** @param {string} character */
function sortOf(character) {
  return /[\p{L}\p{M}]/u.test(character) ? 'letter' : /\p{N}/u.test(character) ? 'digit' : 'other';
}
