import assert from 'node:assert/strict';
import test from 'node:test';
import { barTitle, describeCell, describeHead, describeRow, describeRows, headMeans } from '../../web/view/describe.js';
import { explain } from '../../web/view/explain.js';
import { palette } from '../../web/view/palette.js';
import { scoreScale, weightScale } from '../../web/view/scale.js';

const tokens = ['the', 'cat', 'sat'];
const matrix = {
  rows: 3,
  columns: 3,
  data: Float32Array.from([0.334, 0.333, 0.333, 0.7, 0.2, 0.1, 0.1, 0.42, 0.48]),
};

test('a cell in words, with the number the heatmap shows', () => {
  const picture = { matrix, queries: tokens, keys: tokens };
  assert.equal(describeCell(picture, 2, 1), "query 'sat', key 'cat', weight 0.42");
  assert.equal(describeCell(picture, 0, 0), "query 'the', key 'the', weight 0.34");
  const scores = { rows: 1, columns: 2, data: Float32Array.from([-1.5, -Infinity]) };
  const causal = /** @type {const} */ ({ matrix: scores, queries: ['a'], keys: ['a', 'b'], kind: 'scores' });
  assert.equal(describeCell({ ...causal, queries: ['a'], keys: ['a', 'b'] }, 0, 0), "query 'a', key 'a', score −1.50");
  assert.match(describeCell({ ...causal, queries: ['a'], keys: ['a', 'b'] }, 0, 1), /masked/);
});

test('rows in words: the largest first, an empty row says so', () => {
  const picture = { matrix, queries: tokens, keys: tokens };
  assert.equal(describeRow(picture, 1, { count: 2 }), "'cat' has its largest weights on 'the' 0.70 and 'cat' 0.20.");
  assert.equal(describeRows(picture).length, 3);
  const none = { matrix: { rows: 1, columns: 2, data: new Float32Array(2) }, queries: ['x'], keys: ['x', 'y'] };
  assert.equal(describeRow(none, 0), "'x' has no key it may see; its weights are all 0.");
});

test('means of a head: over the real queries that have such a key', () => {
  const means = headMeans(matrix, { separators: [2] });
  const near = (/** @type {number} */ a, /** @type {number} */ b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} for ${b}`);
  near(means.previous, (0.7 + 0.42) / 2);
  near(means.next, (0.333 + 0.1) / 2);
  near(means.first, (0.334 + 0.7 + 0.1) / 3);
  near(means.separator, (0.333 + 0.1 + 0.48) / 3);
  near(means.same, (0.334 + 0.2 + 0.48) / 3);
  const padded = headMeans(matrix, { real: [1, 1, 0] });
  near(padded.previous, 0.7);
  near(padded.next, 0.333);
  assert.ok(Number.isNaN(padded.separator));
  assert.equal(
    describeHead(matrix, { layer: 2, head: 1 }, { separators: [2] }),
    'Layer 2, head 1: 3 queries by 3 keys. Mean weight on the previous token 0.56, the next token 0.22, ' +
      'the first token 0.38, separators 0.30 and the same token 0.34.',
  );
});

test('the colour bar says which way is more', () => {
  assert.equal(barTitle(weightScale(), palette('ylorrd')), 'weight · more is darker');
  assert.equal(barTitle(scoreScale([1]), palette('brbg', { dark: true })), 'score · further from 0 is lighter');
  assert.match(barTitle(weightScale({ curve: 'sqrt' }), palette('viridis')), /square-root scale$/);
});

/** Two queries' worth of attention by hand. @param {number} width @param {number} keys */
function attention(width, keys) {
  const q = Float32Array.from({ length: width }, (_, d) => Math.fround(Math.sin(d * 1.7 + 0.3) * 1.9));
  const all = Array.from({ length: keys }, (_, j) =>
    Float32Array.from({ length: width }, (__, d) => Math.fround(Math.cos(d * 0.9 + j * 2.1) * 1.4)),
  );
  const scores = Float32Array.from(all, (k) => k.reduce((sum, value, d) => sum + value * q[d], 0) / Math.sqrt(width));
  return { q, all, scores };
}

/** @param {Float32Array} scores */
function softmax(scores) {
  const max = Math.max(...scores);
  const terms = scores.map((score) => Math.exp(score - max));
  const total = terms.reduce((a, b) => a + b, 0);
  return terms.map((term) => term / total);
}

const number = (/** @type {string} */ shown) => Number(shown.replace('−', '-'));
const cents = (/** @type {{ shown: string }[]} */ list, /** @type {number} */ unit) =>
  list.reduce((sum, { shown }) => sum + Math.round(number(shown) * unit), 0);

test('an explanation adds up: products to the dot product, terms to the denominator, weights to 1.00', () => {
  for (const [width, keys] of [
    [1, 1],
    [16, 9],
    [64, 40],
  ]) {
    const { q, all, scores } = attention(width, keys);
    const weights = softmax(scores);
    for (let key = 0; key < keys; key++) {
      const told = explain({ q, k: all[key], scores, weights, key });
      assert.equal(cents(told.products, 100), Math.round(number(told.dot.shown) * 100));
      assert.equal(cents(told.softmax.terms, 1000), Math.round(number(told.softmax.denominator.shown) * 1000));
      assert.equal(cents(told.row, 100), 100);
      assert.equal(told.scale.divisor, Math.sqrt(width));
      assert.ok(Math.abs(told.scaled.value - scores[key]) < 1e-5);
      // Everything was computed from float32 inputs in float64: float32's rounding of the recorded numbers is left.
      assert.ok(told.error < 1e-5, `${told.error}`);
      assert.equal(told.mask, null);
    }
  }
});

test('masked keys, rows without a visible key, a scale of its own, and numbers that do not fit the record', () => {
  const { q, all } = attention(4, 3);
  const scores = Float32Array.from([1, -Infinity, 0]);
  const told = explain({ q, k: all[1], scores, weights: softmax(scores), key: 1 });
  assert.equal(told.mask?.masked, true);
  assert.equal(told.mask?.shown, '−∞');
  assert.equal(told.score.shown, '−∞');
  assert.equal(told.weight.shown, '0.00');
  assert.equal(told.softmax.numerator.value, 0);

  const blind = new Float32Array(2).fill(-Infinity);
  const nothing = explain({ q, k: all[0], scores: blind, weights: [0, 0], key: 0 });
  assert.equal(nothing.softmax.denominator.shown, '0.000');
  assert.equal(nothing.weight.shown, '0.00');
  assert.equal(nothing.error, 0);

  const dot = all[0].reduce((sum, value, d) => sum + value * q[d], 0);
  const unscaled = explain({ q, k: all[0], scores: [dot], weights: [1], key: 0, scale: 1, mask: [0] });
  assert.equal(unscaled.scale.shown, '1');
  assert.equal(unscaled.mask?.shown, '0');
  assert.ok(unscaled.error < 1e-6);
  assert.ok(explain({ q, k: all[0], scores: [dot + 1], weights: [1], key: 0, scale: 1 }).error > 0.9);

  assert.throws(() => explain({ q, k: [1], scores, weights: scores, key: 0 }), /q has 4 values, k has 1/);
  assert.throws(() => explain({ q, k: all[0], scores, weights: [1], key: 0 }), /3 scores and 1 weights/);
  assert.throws(() => explain({ q, k: all[0], scores, weights: scores, key: 3 }), /outside 0 to 2/);
});
