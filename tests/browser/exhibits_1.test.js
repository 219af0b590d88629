// Self-attention, several heads: every control is touched, numbers on screen are the core's, mistakes change what they say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as engine from '../../web/engine/index.js';
import selfAttention from '../../web/elements/exhibits/self-attention.js';
import multiHead from '../../web/elements/exhibits/multi-head.js';
import { assertClose, computed, course, rowsOf } from './exhibit.js';

const { opened } = course();

describe('self-attention', () => {
  const exhibit = opened('self-attention');

  /** What is on screen is what the core gives in Node for the same state. @param {Record<string, any>} patch to the first state */
  async function check(patch) {
    const { q, k, v, right, other } = await computed(selfAttention, patch);
    const expected = {
      Q: q,
      K: k,
      V: v,
      scores: right.scores,
      weights: (other ?? right).weights,
      output: (other ?? right).output,
    };
    for (const [name, tensor] of Object.entries(expected))
      assertClose(await exhibit.numbers(name), rowsOf(tensor), name);
  }
  const replaced = (/** @type {any} */ { shape, data }, /** @type {number} */ at, /** @type {number} */ value) => {
    const copy = data.slice();
    copy[at] = value;
    return { shape, data: copy };
  };

  test('shows the core’s numbers, at first and after edits of each matrix', async () => {
    await check({});
    const { x, wq, wk, wv } = selfAttention.start;
    const edits = {};
    for (const [label, key, tensor, at] of [
      ['X, sat, deed', 'x', x, 2 * 3 + 1],
      ['W for Q, row 1, column 1', 'wq', wq, 0],
      ['W for K, row 2, column 2', 'wk', wk, 3],
      ['W for V, row 3, column 1', 'wv', wv, 4],
    ]) {
      await exhibit.edit(label, 2.5);
      Object.assign(edits, { [key]: replaced(tensor, at, 2.5) });
      await check(edits);
    }
    await exhibit.reset();
    await check({});
  });

  test('the numbers are those of the equation, worked out here', async () => {
    const { x, wq, wk, wv } = selfAttention.start;
    const rows = rowsOf(x);
    const product = (/** @type {number[][]} */ a, /** @type {number[][]} */ b) =>
      a.map((row) => b[0].map((_, c) => row.reduce((sum, value, i) => sum + value * b[i][c], 0)));
    const [q, k, v] = [wq, wk, wv].map((w) => product(rows, rowsOf(w)));
    const turned = k[0].map((_, c) => k.map((row) => row[c]));
    const scores = product(q, turned).map((row) => row.map((score) => score / Math.sqrt(2)));
    const weights = scores.map((row) => {
      const exponentials = row.map(Math.exp);
      return exponentials.map((e) => e / exponentials.reduce((all, one) => all + one, 0));
    });
    for (const [name, expected] of Object.entries({ Q: q, K: k, V: v, scores, weights, output: product(weights, v) }))
      assertClose(await exhibit.numbers(name), expected, name);
  });

  test('the line below follows the chosen cell', async () => {
    await exhibit.after(() =>
      exhibit.stage('table[aria-label="weights"]').getByRole('button', { name: 'weights, on, mat:' }).click(),
    );
    const { result } = await exhibit.shown();
    const line = await exhibit.stage('.chain').innerText();
    const score = result.right.scores.data[3 * 6 + 5];
    assert.match(line, /How much “on” takes from “mat”/);
    assert.ok(line.includes(`= ${score.toFixed(2)}`), line);
    assert.ok(line.includes(`gives ${result.right.weights.data[3 * 6 + 5].toFixed(2)}`), line);
  });

  test('the mask takes later words out of sight', async () => {
    await exhibit.choose('hide later words');
    await check({ mask: 'ahead' });
    const weights = await exhibit.numbers('weights');
    weights.forEach((row, r) => assert.ok(row.slice(r + 1).every((weight) => weight === 0)));
    assert.equal(await exhibit.stage('table[aria-label="weights"] td.hatched').count(), 15);
    await exhibit.choose('none');
  });

  test('without the maximum, large scores overflow', async () => {
    await exhibit.turn('what goes wrong if you leave out the row’s maximum');
    await check({ wrong: 'no-maximum' });
    assertClose(
      await exhibit.numbers('weights'),
      await exhibit.numbers('weights as they should be'),
      'small scores do no harm',
    );
    await exhibit.slide('scores times', 60);
    await check({ wrong: 'no-maximum', times: 60 });
    const scores = (await exhibit.numbers('scores')).map((row) => Math.max(...row));
    assert.ok(Math.max(...scores) > 88.8, 'scores are over the limit');
    const [exponentials, weights] = [await exhibit.numbers('exp of the scores'), await exhibit.numbers('weights')];
    scores.forEach((most, r) => {
      const over = most > 88.8;
      assert.equal(exponentials[r].includes(Infinity), over, `row ${r}: an exponential is too large`);
      assert.equal(weights[r].some(Number.isNaN), over, `row ${r}: NaN`);
    });
    for (const row of await exhibit.numbers('weights as they should be')) {
      const sum = row.reduce((all, weight) => all + weight, 0);
      assert.ok(Math.abs(sum - 1) < 1e-6, `rounding of six weights: ${sum}`);
    }
    assert.match(await exhibit.says(), /88\.7/);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('several heads', () => {
  const exhibit = opened('multi-head');
  const expected = (/** @type {Record<string, any>} */ patch) => computed(multiHead, patch);

  test('each head’s weights are the run’s, and the parts give the whole', async () => {
    const want = await expected({});
    for (let h = 0; h < 4; h++) {
      await exhibit.after(() =>
        exhibit
          .stage('.thumbnails')
          .getByRole('button', { name: `head ${h}` })
          .click(),
      );
      assertClose(await exhibit.numbers(`head ${h}`), rowsOf(want.pattern, h), `head ${h}`);
    }
    // The core's function for the whole, from the same vectors and weights.
    const model = await engine.load('topics');
    const layer = 'electra.encoder.layer.0.attention';
    const get = (/** @type {string} */ name) => model.parameter(`${layer}.${name}`);
    const parts = await Promise.all(
      ['query', 'key', 'value'].flatMap((one) => [get(`self.${one}.weight`), get(`self.${one}.bias`)]),
    );
    const joined = (/** @type {any[]} */ list, /** @type {number[]} */ shape) => ({
      shape,
      data: Float32Array.from(list.flatMap(({ data }) => Array.from(data))),
    });
    const whole = await engine.ops.multiHeadAttention(want.x, want.x, want.x, {
      inProjWeight: joined([parts[0], parts[2], parts[4]], [192, 64]),
      inProjBias: joined([parts[1], parts[3], parts[5]], [192]),
      outProjWeight: await get('output.dense.weight'),
      outProjBias: await get('output.dense.bias'),
      heads: 4,
    });
    assertClose(rowsOf(want.pattern, 3), rowsOf(whole.weights, 3), 'weights');
    assertClose(rowsOf(want.out), rowsOf(whole.output), 'output');
    const { result } = await exhibit.shown();
    assertClose(rowsOf(result.out), rowsOf(whole.output), 'output on the page');
  });

  test('words, layers and texts are chosen', async () => {
    await exhibit.slide('layer', 2);
    await exhibit.after(() => exhibit.stage('.thumbnails').getByRole('button', { name: 'head 3' }).click());
    await exhibit.after(() => exhibit.stage('table').getByRole('button', { name: 'head 3, mat, mat:' }).click());
    await exhibit.write('sentence', 'a large wild cat');
    const want = await expected({ layer: 2, text: 'a large wild cat' });
    assertClose(await exhibit.numbers('head 3'), rowsOf(want.pattern, 3), 'another text');
    await exhibit.after(() =>
      exhibit
        .stage('.cut')
        .first()
        .locator('..')
        .getByRole('button', { name: /its query.*head 1/ })
        .click(),
    );
    assertClose(await exhibit.numbers('head 1'), rowsOf(want.pattern, 1), 'chosen by its columns');
    await exhibit.slide('word', 1);
    const long = 'a large wild cat that lives in the woods of the north and hunts at night';
    await exhibit.write('sentence', long);
    await exhibit.stage('attention-heatmap canvas').waitFor();
    await exhibit.write('sentence', 'a large wild cat');
    assert.match(await exhibit.stage('.cut').first().innerText(), /x of “a”/);
    await exhibit.reset();
  });

  test('cross-attention has rows of one sentence and columns of another', async () => {
    await exhibit.choose('of a translation to its source');
    const { result: whole } = await exhibit.shown();
    assert.deepEqual(whole.queries.slice(1, 4), ['El', 'gat', 'o'], 'tokens as they are read');
    assert.equal((await exhibit.numbers('head 0')).length, whole.queries.length);
    await exhibit.write('translation', 'El gato.');
    const want = await expected({ kind: 'cross', target: 'El gato.' });
    assert.notEqual(want.queries.length, want.keys.length);
    assertClose(await exhibit.numbers('head 0'), rowsOf(want.pattern), 'cross-attention');
    // The picture's first strip is what the queries are projected from.
    const model = await engine.load('translate');
    const part = 'model.decoder.layers.0.encoder_attn.q_proj';
    const q = await engine.ops.linear(want.x, {
      weight: await model.parameter(`${part}.weight`),
      bias: await model.parameter(`${part}.bias`),
    });
    assertClose(rowsOf(q), rowsOf(want.q), 'x gives q');
    await exhibit.reset();
  });

  test('the mean of the heads is like none of them', async () => {
    await exhibit.choose('keep only the mean of the heads');
    const { result } = await exhibit.shown();
    const mean = await exhibit.numbers('mean of the heads');
    const heads = [0, 1, 2, 3].map((h) => rowsOf(result.pattern, h));
    const average = mean.map((row, r) => row.map((_, c) => heads.reduce((sum, head) => sum + head[r][c] / 4, 0)));
    assertClose(mean, average, 'mean');
    const lost = await exhibit.numbers('largest distance of a head from it');
    assertClose(
      lost,
      mean.map((row, r) => row.map((value, c) => Math.max(...heads.map((head) => Math.abs(head[r][c] - value))))),
      'lost',
    );
  });

  test('dividing by √D flattens every row', async () => {
    await exhibit.choose('divide by √D instead of √K');
    const flat = await exhibit.numbers('head 0, divided by √D');
    const right = await exhibit.numbers('head 0 as it should be');
    assert.equal(flat.length, right.length);
    flat.forEach((row, r) => assert.ok(Math.max(...row) < Math.max(...right[r]), `row ${r} is flatter`));
    const names = ['q', 'k', 'v'].map((name) => `blocks.0.attn.hook_${name}`);
    const run = await (await engine.load('topics')).run(multiHead.start.text, { record: names });
    const [q, k, v] = names.map((name) => {
      const { shape, data } = run.get(name); // [1, T, H, K], of which the first head
      const [, length, heads, width] = shape;
      const rows = Array.from({ length }, (_, t) => data.subarray(t * heads * width, t * heads * width + width));
      return { shape: [length, width], data: Float32Array.from(rows.flatMap((row) => Array.from(row))) };
    });
    const { weights } = await engine.ops.attention(q, k, v, { scale: 1 / Math.sqrt(64) });
    assertClose(flat, rowsOf(weights), '1/√64');
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
