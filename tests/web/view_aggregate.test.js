// Several heads as one, and two as their difference: values by hand, and what must hold of any weights.
import assert from 'node:assert/strict';
import test from 'node:test';
import { aggregate, contributions } from '../../web/view/aggregate.js';
import { difference, differenceScale, largestDifference, sameSize } from '../../web/view/compare.js';
import { near, rowSums, weights } from './view_weights.js';

/** @param {number[]} data */
const square = (...data) => ({ rows: 2, columns: 2, data: Float32Array.from(data) });
const one = square(0.25, 0.75, 1, 0);
const other = square(0.5, 0.5, 0.25, 0.75);

test('a mean and a maximum are those of each cell', () => {
  assert.deepEqual([...aggregate([one, other], 'mean').data], [0.375, 0.625, 0.625, 0.375]);
  assert.deepEqual([...aggregate([one, other], 'max').data], [0.5, 0.75, 1, 0.75]);
  assert.deepEqual(aggregate([one], 'mean'), one);
  assert.deepEqual(aggregate([one], 'max'), one);
});

test('rows of a mean add up to 1; those of a maximum to no less', () => {
  const heads = [1, 2, 3, 4].map((seed) => weights(7, 7, seed));
  for (const sum of rowSums(aggregate(heads, 'mean'))) near(sum, 1);
  for (const sum of rowSums(aggregate(heads, 'max'))) assert.ok(sum > 1);
});

test('contributions add up to the cell, and say which head is the largest', () => {
  const heads = [1, 2, 3].map((seed) => weights(5, 6, seed));
  for (const how of /** @type {const} */ (['mean', 'max'])) {
    const { columns, data } = aggregate(heads, how);
    for (let query = 0; query < 5; query++) {
      const parts = contributions(heads, how, query, 2);
      near(
        parts.reduce((sum, { part }) => sum + part, 0),
        data[query * columns + 2],
      );
      assert.deepEqual(
        parts.map(({ value }) => value),
        heads.map((head) => head.data[query * columns + 2]),
      );
    }
  }
  assert.deepEqual(contributions([one, other], 'max', 1, 1), [
    { value: 0, part: 0 },
    { value: 0.75, part: 0.75 },
  ]);
});

test('matrices that do not fit are refused', () => {
  assert.throws(() => aggregate([], 'mean'), RangeError);
  assert.throws(() => aggregate([one, weights(2, 3, 1)], 'mean'), /2 × 2 and 2 × 3/);
  assert.throws(() => difference(one, weights(3, 2, 1)), /2 × 2 and 3 × 2/);
  assert.equal(sameSize(one, weights(3, 2, 1)), false);
});

test('a difference is second minus first; what neither may see has none', () => {
  assert.deepEqual([...difference(one, other).data], [0.25, -0.25, -0.75, 0.75]);
  assert.deepEqual(largestDifference(difference(one, other)), { query: 1, key: 0, value: -0.75 });
  assert.equal(largestDifference(difference(one, one)), null);
  const masked = square(1, -Infinity, 2, 3);
  const less = square(0, -Infinity, 2, 3.5);
  const between = difference(masked, less);
  assert.ok(Number.isNaN(between.data[1]));
  assert.deepEqual(largestDifference(between), { query: 0, key: 0, value: -1 });
  // Rows of weights add up to the same, so those of their difference add up to 0.
  for (const sum of rowSums(difference(weights(4, 5, 1), weights(4, 5, 2)))) near(sum, 0);
});

test('the scale of differences is symmetric about 0, and as wide as the largest', () => {
  const scale = differenceScale(difference(one, other).data);
  assert.deepEqual([scale.min, scale.max], [-0.75, 0.75]);
  assert.deepEqual(
    scale.formats.map(({ decimals, widest }) => [decimals, widest]),
    [
      [2, '−0.00'],
      [2, '−.00'],
    ],
  );
  const scores = differenceScale([-12, 3]);
  assert.deepEqual([scale.kind, scores.min, scores.max], ['scores', -12, 12]);
  assert.ok(scores.formats.every(({ leadingZero }) => leadingZero));
});
