// Words in place of their pieces, and fewer tokens: values by hand, and what must hold of any weights.
import assert from 'node:assert/strict';
import test from 'node:test';
import { regroup, regroupHidden, renormalise, singles, wordGroups, wordText } from '../../web/view/merge.js';
import { near, rowSums, weights } from './view_weights.js';

/**
 * Tokens with their places, found in a text one after the other.
 * @param {string} text
 * @param {string[]} tokens
 * @param {(token: string) => string} written a token as it stands in the text
 */
function placed(text, tokens, written) {
  let at = 0;
  return tokens.map((token) => {
    if (/^\[.*\]$/.test(token)) return null;
    const start = text.indexOf(written(token), at);
    at = start + written(token).length;
    return { field: 0, start, end: at };
  });
}
const special = (/** @type {string[]} */ tokens) => tokens.map((token) => /^\[.*\]$/.test(token));

test('pieces that WordPiece marks are joined', () => {
  const tokens = ['[CLS]', 'un', '##aff', '##able', ',', 'cats', '[SEP]'];
  const places = placed('unaffable, cats', tokens, (token) => token.replace('##', ''));
  const groups = wordGroups(tokens, { marking: 'wordpiece', alone: special(tokens), places });
  assert.deepEqual(groups, [[0], [1, 2, 3], [4], [5], [6]]);
  assert.equal(wordText(tokens, groups[1]), 'unaffable');
  assert.deepEqual(
    wordGroups(['[CLS]', '##s', '##t'], { marking: 'wordpiece', alone: [1, 0, 0], places: [null, null, null] }),
    [[0], [1, 2]],
    'a piece with nothing to go on from begins a word',
  );
});

test('where spaces are marked a word is a run of letters, of digits or of others', () => {
  const tokens = ['Mr', '.', '␣Ben', 'net', ',', '␣aged', '␣4', '5', '⏎', 'said'];
  const places = tokens.map(() => null);
  const groups = wordGroups(tokens, { marking: 'spaces', alone: tokens.map(() => false), places });
  assert.deepEqual(groups, [[0], [1], [2, 3], [4], [5], [6, 7], [8], [9]]);
  assert.equal(wordText(tokens, groups[2]), '␣Bennet');
  // Two tokens that share a character belong together, whatever stands for their bytes.
  const halves = [
    { field: 0, start: 0, end: 1 },
    { field: 0, start: 0, end: 1 },
  ];
  assert.deepEqual(wordGroups(['â', '1'], { marking: 'spaces', alone: [0, 0], places: halves }), [[0, 1]]);
});

test('where nothing is marked, letters side by side in the text are a word', () => {
  const tokens = ['3', '.', ' ', 'M', 'a', 'i'];
  const places = tokens.map((_, i) => ({ field: 0, start: i, end: i + 1 }));
  const alone = tokens.map(() => false);
  assert.deepEqual(wordGroups(tokens, { marking: 'none', alone, places }), [[0], [1], [2], [3, 4, 5]]);
  const apart = ['M', 'a'].map((_, i) => ({ field: 0, start: i * 2, end: i * 2 + 1 }));
  assert.deepEqual(wordGroups(['M', 'a'], { marking: 'none', alone: [0, 0], places: apart }), [[0], [1]]);
  assert.deepEqual(wordGroups(['M', 'a'], { marking: 'none', alone: [0, 0], places: [null, null] }), [[0], [1]]);
});

test('a second text begins a word of its own', () => {
  const places = [
    { field: 0, start: 0, end: 2 },
    { field: 1, start: 0, end: 2 },
  ];
  assert.deepEqual(wordGroups(['ab', '##cd'], { marking: 'wordpiece', alone: [0, 0], places }), [[0], [1]]);
});

test('to a word: the sum over its pieces; from a word: the mean', () => {
  const matrix = { rows: 3, columns: 3, data: Float32Array.from([0.5, 0.25, 0.25, 0.125, 0.5, 0.375, 0.25, 0, 0.75]) };
  const groups = [[0], [1, 2]];
  assert.deepEqual(regroup(matrix, groups, groups), {
    rows: 2,
    columns: 2,
    data: Float32Array.from([0.5, 0.5, (0.125 + 0.25) / 2, (0.5 + 0.375 + 0 + 0.75) / 2]),
  });
});

test('rows still add up to 1, and a text without pieces stays as it was', () => {
  const matrix = weights(6, 6, 3);
  const groups = [[0], [1, 2, 3], [4], [5]];
  for (const sum of rowSums(regroup(matrix, groups, groups))) near(sum, 1);
  assert.deepEqual(regroup(matrix, singles(6), singles(6)), matrix);
});

test('without some tokens rows add up to less, and renormalised to 1 again in the same proportions', () => {
  const matrix = weights(5, 5, 2);
  const kept = [[1], [2], [3]];
  const less = regroup(matrix, kept, kept);
  assert.equal(less.data[1], matrix.data[1 * 5 + 2]);
  const { matrix: whole, sums } = renormalise(less);
  rowSums(whole).forEach((sum, row) => {
    near(sum, 1);
    assert.ok(sums[row] < 1);
    near(whole.data[row * 3 + 1] * sums[row], less.data[row * 3 + 1]);
  });
  const none = { rows: 1, columns: 2, data: new Float32Array(2) };
  assert.deepEqual(renormalise(none), { matrix: none, sums: [0] }, 'a row of nothing has nothing to share');
});

test('a cell of words is hidden where all of its parts are', () => {
  // Causal: query 0 sees key 0, query 1 keys 0 and 1, query 2 all.
  const hidden = Uint8Array.from([0, 1, 1, 0, 0, 1, 0, 0, 0]);
  assert.deepEqual([...regroupHidden(hidden, 3, [[0, 1], [2]], [[0, 1], [2]])], [0, 1, 0, 0]);
  assert.deepEqual([...regroupHidden(hidden, 3, [[0], [1, 2]], [[0], [1, 2]])], [0, 1, 0, 0]);
});
