// What the recipes count without training: baselines to compare with, first embeddings, the table of heads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NeighbourCount, naiveBayes, scoreBlanks } from '../../web/models/recipes/baselines.mjs';
import { cooccurrenceEmbeddings, logFrequencies } from '../../web/models/recipes/embeddings.mjs';
import { COLUMNS, addPattern } from '../../web/models/recipes/heads.mjs';
import { random } from '../../web/models/recipes/random.mjs';
import { withSpecialTokens } from '../../web/models/recipes/streams.mjs';
import { SPECIAL } from '../../web/models/recipes/vocabulary.mjs';

const CLS = SPECIAL['[CLS]'];
const SEP = SPECIAL['[SEP]'];
const MASK = SPECIAL['[MASK]'];

test('neighbour count: probabilities, and the right answer where counting knows it', () => {
  // 5 6 7 three times, 5 8 7 once: between 5 and 7 stands mostly 6.
  const texts = [
    [5, 6, 7],
    [5, 6, 7],
    [5, 6, 7],
    [5, 8, 7],
  ].map((ids) => withSpecialTokens(Int32Array.from(ids), undefined, 64).ids);
  const counted = new NeighbourCount(texts, 10);
  for (const guess of [
    counted.unigram,
    counted.between(5, 7),
    counted.between(MASK, 7),
    counted.between(5, MASK),
    counted.between(9, 9),
  ]) {
    const sum = guess.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-12, `sums to ${sum}`);
    assert.ok(guess.every((p) => p > 0));
  }
  const guess = counted.between(5, 7);
  assert.equal(guess.indexOf(Math.max(...guess)), 6);
  const score = scoreBlanks(
    [{ ids: Int32Array.of(CLS, 5, MASK, 7, SEP), labels: Int32Array.of(-100, -100, 6, -100, -100) }],
    (l, r) => counted.between(l, r),
  );
  assert.deepEqual({ ...score, nats: 0 }, { top1: 1, top5: 1, nats: 0, count: 1 });
  assert.equal(score.nats, -Math.log(guess[6]));
});

test('naive Bayes: separates what words separate', () => {
  const train = ['red fruit', 'sweet fruit', 'fast car', 'old car'].map((text, i) => ({ text, label: i < 2 ? 0 : 1 }));
  assert.equal(
    naiveBayes(
      train,
      [
        { text: 'a fruit', label: 0 },
        { text: 'a car', label: 1 },
      ],
      2,
    ),
    1,
  );
});

test('first embeddings: tokens of the same places come out alike, special tokens do not, lengths are as asked', () => {
  const next = random(2);
  // Tokens 10–14 stand only after 5 and before 6, 20–24 only after 7 and before 8.
  const texts = Array.from({ length: 2000 }, () => {
    const kind = next() < 0.5;
    const middle = (kind ? 10 : 20) + Math.floor(next() * 5);
    return Int32Array.of(kind ? 5 : 7, middle, kind ? 6 : 8);
  });
  const width = 8;
  const table = cooccurrenceEmbeddings(texts, 30, width, 0.1, 1);
  const cosine = (a, b) => {
    const dot = (x, y) =>
      Array.from({ length: width }, (_, i) => table[x * width + i] * table[y * width + i]).reduce((s, v) => s + v);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  // A fifth of each row is noise: its cosine with a like row is 0.94 on average, with an unlike one near 0.
  assert.ok(cosine(10, 13) > 0.75, `alike: ${cosine(10, 13)}`);
  assert.ok(cosine(10, 23) < 0.5, `unlike: ${cosine(10, 23)}`);
  const size = Math.sqrt(table.reduce((sum, v) => sum + v * v, 0) / table.length);
  assert.ok(size > 0.07 && size < 0.12, `root mean square ${size}`);
  const bias = logFrequencies([Int32Array.of(5, 5, 6)], 8);
  assert.deepEqual(
    bias,
    Float32Array.from([0.5, 0.5, 0.5, 0.5, 0.5, 2.5, 1.5, 0.5], (count) => Math.log(count / 7)),
  );
});

test('table of heads: each weight counted once', () => {
  const ids = [CLS, 10, 11, 12, SEP];
  const rows = [0, 1].map((head) => ({ layer: 0, head, previous: 0, next: 0, itself: 0, cls: 0, sep: 0, other: 0 }));
  const pattern = new Float32Array(2 * 25);
  // Head 0: all on the previous token. Head 1: evenly.
  for (let query = 0; query < 5; query++) {
    pattern[query * 5 + Math.max(0, query - 1)] = 1;
    pattern.fill(0.2, 25 + query * 5, 30 + query * 5);
  }
  assert.equal(addPattern(pattern, ids, rows), 3);
  assert.equal(rows[0].previous, 3);
  for (const row of rows) assert.ok(Math.abs(COLUMNS.reduce((sum, column) => sum + row[column], 0) - 3) < 1e-6);
  // The first query's previous token is [CLS] and the last one's next is [SEP]: those count as neighbours.
  assert.ok(Math.abs(rows[1].cls - 0.4) < 1e-6 && Math.abs(rows[1].other - 0.4) < 1e-6);
});
