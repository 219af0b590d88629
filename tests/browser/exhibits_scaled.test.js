// Scaled dot-product attention: every control, the core's numbers, the mistakes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ops } from '../../web/engine/index.js';
import scaled from '../../web/elements/exhibits/scaled-dot-product.js';
import { assertClose, course, rowsOf } from './exhibit.js';

const { opened } = course();

const { q, k, v } = scaled.start;
/** At first the last key is hidden from the first query. */
const mask = { shape: [2, 4], data: Uint8Array.of(1, 1, 1, 0, 1, 1, 1, 1) };

describe('scaled dot-product attention', () => {
  const exhibit = opened('scaled-dot-product');

  test('shows the core’s numbers, with the division and without', async () => {
    const right = await ops.attention(q, k, v, { mask });
    const raw = await ops.attention(q, k, v, { mask, scale: 1 });
    for (const [name, tensor] of Object.entries({
      QKᵀ: (await ops.attention(q, k, v, { scale: 1 })).scores,
      scores: right.scores,
      weights: right.weights,
      output: right.output,
    }))
      assertClose(await exhibit.numbers(name), rowsOf(tensor), name);
    await exhibit.turn('divide by √K', false);
    assertClose(await exhibit.numbers('weights'), rowsOf(raw.weights), 'weights without the division');
    const largest = (/** @type {number[][]} */ rows) => rows.map((row) => Math.max(...row));
    largest(rowsOf(raw.weights)).forEach((most, r) =>
      assert.ok(most > largest(rowsOf(right.weights))[r], `row ${r} is sharper`),
    );
    await exhibit.turn('divide by √K');
  });

  test('follows an edit of each matrix', async () => {
    const edits = { q, k, v };
    for (const [label, name, at] of /** @type {[string, 'q' | 'k' | 'v', number][]} */ ([
      ['Q, it, column 1', 'q', 0],
      ['K, cat, column 2', 'k', 5],
      ['V, down, column 2', 'v', 7],
    ])) {
      await exhibit.edit(label, -1.5);
      const data = edits[name].data.slice();
      data[at] = -1.5;
      edits[name] = { shape: edits[name].shape, data };
      const { output } = await ops.attention(edits.q, edits.k, edits.v, { mask });
      assertClose(await exhibit.numbers('output'), rowsOf(output), label);
    }
    await exhibit.reset();
  });

  test('a chosen cell lights its query, its key and its value', async () => {
    await exhibit.after(() =>
      exhibit.stage('table[aria-label="weights"]').getByRole('button', { name: 'weights, sat, down:' }).click(),
    );
    const lit = (/** @type {string} */ name) =>
      exhibit.stage(`table[aria-label="${name}"] tr:has(td.along) th`).allTextContents();
    assert.deepEqual([await lit('Q'), await lit('K'), await lit('V')], [['sat'], ['down'], ['down']]);
  });

  test('division by the root of the layer’s width flattens rows, the more the more heads there are', async () => {
    await exhibit.choose('divide by the root of the layer’s width');
    let before = Infinity;
    for (const heads of [1, 4, 16]) {
      await exhibit.slide('heads in the layer', heads);
      const { weights } = await ops.attention(q, k, v, { mask, scale: 1 / Math.sqrt(heads * q.shape[1]) });
      assertClose(await exhibit.numbers('weights'), rowsOf(weights), `${heads} heads`);
      const most = Math.max(...rowsOf(weights)[0]);
      assert.ok(most < before, `${heads} heads: the largest weight is ${most}`);
      before = most;
    }
    const right = await ops.attention(q, k, v, { mask });
    assertClose(await exhibit.numbers('weights as they should be'), rowsOf(right.weights), 'beside it');
    assert.match(await exhibit.says(), /√H times too small/);
  });

  test('a cell of the mask hides a key from a query, and shows it again', async () => {
    await exhibit.reset();
    const cell = (/** @type {string} */ name) => exhibit.stage('table[aria-label="M"]').getByRole('button', { name });
    await exhibit.after(() => cell('M, it, down:').click());
    assertClose(await exhibit.numbers('weights'), rowsOf((await ops.attention(q, k, v)).weights), 'nothing hidden');
    await exhibit.after(() => cell('M, sat, the:').press('Enter'));
    const data = Uint8Array.of(1, 1, 1, 1, 0, 1, 1, 1);
    const { scores, weights } = await ops.attention(q, k, v, { mask: { shape: [2, 4], data } });
    assertClose(await exhibit.numbers('weights'), rowsOf(weights), 'another one hidden');
    assertClose(await exhibit.numbers('scores'), rowsOf(scores), '−∞ where it is hidden');
    assert.equal(weights.data[4], 0);
    await exhibit.reset();
  });

  test('−1e9 twice swallows the scores it hides; a row of nothing else is spread over them', async () => {
    await exhibit.choose('add −1e9 times the mask, twice');
    assert.equal((await exhibit.numbers('scores'))[0][3], -2e9);
    assertClose(await exhibit.numbers('weights'), await exhibit.numbers('weights as they should be'), 'harmless');
    for (const key of ['the', 'cat', 'sat'])
      await exhibit.after(() =>
        exhibit
          .stage('table[aria-label="M"]')
          .getByRole('button', { name: `M, it, ${key}:` })
          .click(),
      );
    assert.deepEqual((await exhibit.numbers('weights'))[0], [0.25, 0.25, 0.25, 0.25]);
    assert.deepEqual((await exhibit.numbers('weights as they should be'))[0], [0, 0, 0, 0]);
    await exhibit.reset();
  });

  test('K.T of a batch mixes up its sentences', async () => {
    await exhibit.choose('turn all axes of K round');
    const names = ['all axes turned', 'the last two turned'].map((how) => `weights of “we eat fish”, ${how}`);
    const { queries, keys } = scaled.start;
    // Scores of the first sentence, worked out here: Σ q[0, t, j] · k[s, j, 0], where k[0, s, j] belongs.
    const dot = (/** @type {number} */ t, /** @type {(j: number) => number} */ key) =>
      [0, 1, 2].reduce((sum, j) => sum + queries.data[t * 3 + j] * key(j), 0) / Math.sqrt(3);
    const softmax = (/** @type {number[]} */ scores) => {
      const exponentials = scores.map(Math.exp);
      return exponentials.map((e) => e / exponentials.reduce((a, b) => a + b, 0));
    };
    const weights = (/** @type {(s: number, j: number) => number} */ key) =>
      [0, 1, 2].map((t) => softmax([0, 1, 2].map((s) => dot(t, (j) => key(s, j)))));
    assertClose(
      await exhibit.numbers(names[0]),
      weights((s, j) => keys.data[(s * 3 + j) * 3]),
      'all axes',
    );
    const right = weights((s, j) => keys.data[s * 3 + j]);
    assertClose(await exhibit.numbers(names[1]), right, 'the last two');
    const before = await exhibit.numbers(names[0]);
    await exhibit.edit('keys of “it rains today”, rains, column 1', 3);
    assert.notDeepEqual(await exhibit.numbers(names[0]), before, 'another sentence’s key shows');
    assertClose(await exhibit.numbers(names[1]), right, 'and does not where it is right');
    await exhibit.reset();
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
