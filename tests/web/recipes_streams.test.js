// The recipes' streams of examples: special tokens, masking, epochs, and going on where they were left.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../web/models/recipes/random.mjs';
import {
  IGNORED,
  blanks,
  epochOrder,
  labelledExamples,
  mask,
  maskedExamples,
  withSpecialTokens,
} from '../../web/models/recipes/streams.mjs';
import { SPECIAL } from '../../web/models/recipes/vocabulary.mjs';

const CLS = SPECIAL['[CLS]'];
const SEP = SPECIAL['[SEP]'];
const MASK = SPECIAL['[MASK]'];

/** Texts of 1 to 30 tokens, made up. */
function someTexts(count, seed = 1) {
  const next = random(seed);
  return Array.from({ length: count }, () => ({
    ids: Int32Array.from({ length: 1 + Math.floor(next() * 30) }, () => 5 + Math.floor(next() * 100)),
    label: Math.floor(next() * 12),
  }));
}

function take(stream, count) {
  const taken = [];
  for (const example of stream) {
    taken.push(example);
    if (taken.length === count) break;
  }
  return taken;
}

test('special tokens, pairs and truncation', () => {
  const a = Int32Array.of(10, 11, 12);
  const b = Int32Array.of(20, 21);
  assert.deepEqual([...withSpecialTokens(a, undefined, 64).ids], [CLS, 10, 11, 12, SEP]);
  const pair = withSpecialTokens(a, b, 64);
  assert.deepEqual([...pair.ids], [CLS, 10, 11, 12, SEP, 20, 21, SEP]);
  assert.deepEqual([...pair.typeIds], [0, 0, 0, 0, 0, 1, 1, 1]);
  assert.deepEqual([...withSpecialTokens(a, undefined, 4).ids], [CLS, 10, 11, SEP]);
  assert.deepEqual([...withSpecialTokens(a, b, 7).ids], [CLS, 10, 11, 12, SEP, 20, SEP]);
  assert.deepEqual([...withSpecialTokens(a, b, 6).ids], [CLS, 10, 11, 12, SEP], 'no room for a token of the pair');
});

test('masking: the rate asked for, never special tokens, at least one', () => {
  let hidden = 0;
  let tokens = 0;
  for (const [i, { ids }] of someTexts(4000).entries()) {
    const text = withSpecialTokens(ids, undefined, 64);
    const example = mask(text, 0.25, random(7, i));
    let here = 0;
    example.ids.forEach((id, at) => {
      const masked = example.labels[at] !== IGNORED;
      assert.equal(masked, id === MASK);
      assert.equal(masked ? example.labels[at] : id, text.ids[at], 'labels are what was hidden, the rest is untouched');
      here += masked ? 1 : 0;
    });
    assert.equal(example.labels[0], IGNORED);
    assert.equal(example.labels.at(-1), IGNORED);
    assert.ok(here >= 1);
    // Short texts are always asked for one, which is more than the rate.
    if (ids.length >= 4) {
      hidden += here;
      tokens += ids.length;
    }
  }
  // About 66,000 tokens: three standard deviations of the rounding are 0.002.
  assert.ok(Math.abs(hidden / tokens - 0.25) < 0.002, `rate ${hidden / tokens}`);
});

test('masking rate: from the first to the last, then constant', () => {
  const texts = someTexts(640);
  const options = { texts, batchSize: 16, maxLength: 64, rate: [0.4, 0.1], total: 6400, seed: 3 };
  const rateOf = (examples) => {
    const long = examples.filter(({ ids }) => ids.length > 12);
    const hidden = long.reduce((sum, { labels }) => sum + labels.filter((id) => id !== IGNORED).length, 0);
    return hidden / long.reduce((sum, { ids }) => sum + ids.length - 2, 0);
  };
  // Some 7,000 tokens each: ± 0.01 is three standard deviations; the first 640 examples' mean rate is 0.385.
  assert.ok(Math.abs(rateOf(take(maskedExamples(options), 640)) - 0.385) < 0.01);
  assert.ok(Math.abs(rateOf(take(maskedExamples({ ...options, from: 6400 }), 640)) - 0.1) < 0.01);
});

test('streams: resumed anywhere, they go on as if not interrupted', () => {
  const texts = someTexts(333).map((text, i) => ({
    ...text,
    companions: i % 2 ? [Int32Array.of(i + 5, 7), Int32Array.of(8)] : [],
  }));
  const shared = { texts, batchSize: 16, maxLength: 24, seed: 5 };
  const streams = [
    (from) => maskedExamples({ ...shared, rate: [0.3, 0.15], total: 900, pairs: 0.5, from }),
    (from) => labelledExamples({ ...shared, from }),
  ];
  for (const stream of streams) {
    const whole = take(stream(0), 1000);
    for (const from of [1, 17, 319, 320, 321, 700]) {
      assert.deepEqual(take(stream(from), 1000 - from), whole.slice(from), `from ${from}`);
    }
    assert.ok(whole.every(({ ids }) => ids.length <= 24));
  }
  const paired = take(streams[0](0), 320).filter(({ typeIds }) => typeIds);
  // Half of 166 texts with companions, less those too long to have one: 50 to 100 with certainty for all practical purposes.
  assert.ok(paired.length > 40 && paired.length < 110, `${paired.length} pairs`);
});

test('epochs: every text at most once, batches of similar length, another order each time', () => {
  const lengths = someTexts(1000).map(({ ids }) => ids.length);
  const order = epochOrder(lengths, 16, 1, 0);
  assert.equal(order.length, 992);
  assert.equal(new Set(order).size, 992);
  assert.notDeepEqual(order, epochOrder(lengths, 16, 1, 1));
  assert.notDeepEqual(order, epochOrder(lengths, 16, 2, 0));
  assert.deepEqual(order, epochOrder(lengths, 16, 1, 0));
  let real = 0;
  let padded = 0;
  for (let start = 0; start < order.length; start += 16) {
    const batch = [...order.subarray(start, start + 16)].map((i) => lengths[i]);
    real += batch.reduce((a, b) => a + b);
    padded += 16 * Math.max(...batch);
  }
  assert.ok(padded / real < 1.05, `padded to ${padded / real} of the tokens`);
});

test('blanks: one hidden token each, the same on every call', () => {
  const texts = someTexts(500).map(({ ids }) => ids);
  const all = [...blanks(texts, 0.2, 64, 1)];
  for (const { ids, labels } of all) {
    assert.equal(ids.filter((id) => id === MASK).length, 1);
    assert.notEqual(labels[ids.indexOf(MASK)], IGNORED);
  }
  assert.deepEqual([...blanks(texts, 0.2, 64, 1)], all);
});
