// Scores of patterns: values by hand, heads that are a pattern and nothing else, and bounds that hold of any weights.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PATTERNS, patternScore, sortHeads } from '../../web/view/patterns.js';
import { near, weights } from './view_weights.js';

const matrix = {
  rows: 3,
  columns: 3,
  data: Float32Array.from([0.5, 0.25, 0.25, 0.75, 0.125, 0.125, 0, 0.5, 0.5]),
};
const score = (/** @type {any} */ pattern, /** @type {any} */ tokens = {}, of = matrix) =>
  patternScore(pattern, of, tokens).value;

test('each pattern is the mean over its queries of the weight on its keys', () => {
  assert.equal(score('previous'), (0.75 + 0.5) / 2);
  assert.equal(score('next'), (0.25 + 0.125) / 2);
  near(score('first'), (0.5 + 0.75 + 0) / 3);
  near(score('itself'), (0.5 + 0.125 + 0.5) / 3);
  near(score('separator', { separators: [0, 2] }), (0.75 + 0.875 + 0.5) / 3);
  assert.equal(score('duplicate', { ids: [7, 7, 7] }), (0.75 + 0.5) / 2, 'all earlier ones count');
  assert.equal(score('duplicate', { ids: [7, 8, 7] }), 0);
  assert.equal(score('duplicate', { ids: [7, 7, 7], special: [1, 0, 1] }), 0.75);
});

test('what there is not has no score', () => {
  assert.ok(Number.isNaN(score('separator')));
  assert.ok(Number.isNaN(score('duplicate', { ids: [1, 2, 3] })));
  for (const pattern of ['previous', 'next', 'itself', 'duplicate']) {
    assert.ok(Number.isNaN(score(pattern, { same: false, ids: [1, 1, 1] })), pattern);
  }
  near(score('first', { same: false }), 1.25 / 3);
});

test('padding counts neither as a query nor as a key', () => {
  const real = [1, 1, 0];
  assert.equal(score('previous', { realQueries: real, realKeys: real }), 0.75);
  assert.equal(score('next', { realQueries: real, realKeys: real }), 0.25);
  assert.ok(Number.isNaN(score('separator', { realQueries: real, realKeys: real, separators: [2] })));
});

test('entropy in bits, and as a share of the largest there could be', () => {
  const even = { rows: 2, columns: 4, data: new Float32Array(8).fill(0.25) };
  assert.deepEqual(patternScore('entropy', even), { value: 2, share: 1 });
  const sure = { rows: 2, columns: 4, data: Float32Array.from([1, 0, 0, 0, 0, 0, 1, 0]) };
  assert.deepEqual(patternScore('entropy', sure), { value: 0, share: 0 });
  // 0.5, 0.25 and 0.25: 1.5 bits.
  const row = { rows: 1, columns: 3, data: matrix.data.slice(0, 3) };
  const { value, share } = patternScore('entropy', row);
  assert.equal(value, 1.5);
  near(/** @type {number} */ (share), 1.5 / Math.log2(3));
  // A causal head: the first row sees one key, which is no choice.
  const causal = { rows: 2, columns: 2, data: Float32Array.from([1, 0, 0.5, 0.5]) };
  const hidden = Uint8Array.from([0, 1, 0, 0]);
  assert.deepEqual(patternScore('entropy', causal, { hidden }), { value: 0.5, share: 1 });
  const any = patternScore('entropy', weights(9, 9, 5));
  assert.ok(any.value > 0 && any.value < Math.log2(9));
});

test('a head that is a pattern has its full score, and no other does', () => {
  const rows = 6;
  const shifted = (/** @type {number} */ by) => {
    const data = new Float32Array(rows * rows);
    for (let i = 0; i < rows; i++) data[i * rows + Math.min(rows - 1, Math.max(0, i + by))] = 1;
    return { rows, columns: rows, data };
  };
  assert.equal(score('previous', {}, shifted(-1)), 1);
  assert.equal(score('next', {}, shifted(1)), 1);
  assert.equal(score('itself', {}, shifted(0)), 1);
  assert.equal(score('previous', {}, shifted(1)), 0);
  for (const pattern of PATTERNS.filter((name) => name !== 'entropy')) {
    const value = score(pattern, { separators: [0], ids: [1, 1, 1, 1, 1, 1] }, weights(rows, rows, 4));
    assert.ok(value > 0 && value < 1, pattern);
  }
});

test('heads are sorted by score, those without one last', () => {
  const heads = [0.5, NaN, 0.75, 0.5, 1].map((value, head) => ({ head, score: { value, share: null } }));
  assert.deepEqual(
    sortHeads(heads).map(({ head }) => head),
    [4, 2, 0, 3, 1],
  );
});
