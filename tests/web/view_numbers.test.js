import assert from 'node:assert/strict';
import test from 'node:test';
import { roundToSum, writeFull, writeNumber, writeUnits } from '../../web/view/numbers.js';
import { someWeights } from './view_fakes.js';

const sum = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b, 0);

test('rows of a softmax add up to 1.00 as shown, each within 0.01 of its value', () => {
  for (const size of [1, 2, 3, 7, 40, 512]) {
    const { data } = someWeights(20, size);
    for (let row = 0; row < 20; row++) {
      const values = data.subarray(row * size, (row + 1) * size);
      const units = roundToSum(values, 2);
      assert.equal(sum(units), 100);
      units.forEach((unit, i) => assert.ok(Math.abs(unit / 100 - values[i]) < 0.01, `${unit} for ${values[i]}`));
    }
  }
});

test('signed values add up to their rounded sum; a total of its own is met', () => {
  const values = [1.005, -2.337, 0.334, -0.334, 3.1415];
  assert.equal(sum(roundToSum(values, 2)), Math.round(sum(values) * 100));
  assert.deepEqual(roundToSum([1 / 3, 1 / 3, 1 / 3], 2), [34, 33, 33]);
  assert.deepEqual(roundToSum([0, 0, 0], 2), [0, 0, 0]);
  assert.deepEqual(roundToSum([], 2), []);
  assert.equal(sum(roundToSum([0.2, 0.2], 1, 1)), 10);
  assert.equal(sum(roundToSum([0.9, 0.9], 1, 0.5)), 5);
});

test('numbers are written with a true minus, without −0, masked as −∞', () => {
  assert.equal(writeUnits(42, 2), '0.42');
  assert.equal(writeUnits(42, 2, { leadingZero: false }), '.42');
  assert.equal(writeUnits(100, 2, { leadingZero: false }), '1.0');
  assert.equal(writeUnits(-5, 2), '−0.05');
  assert.equal(writeNumber(-0.001, 2), '0.00');
  assert.equal(writeNumber(-1.239, 2), '−1.24');
  assert.equal(writeNumber(-Infinity, 2), '−∞');
  assert.equal(writeNumber(NaN, 2), 'NaN');
});

test('the full value reads back as the same float32', () => {
  for (const value of [0.1, 1 / 3, 1e-12, 123456.789, -7.3153, 0]) {
    const single = Math.fround(value);
    assert.equal(Math.fround(Number(writeFull(single).replace('−', '-'))), single);
  }
  assert.equal(writeFull(Math.fround(0.1)), '0.1');
});
