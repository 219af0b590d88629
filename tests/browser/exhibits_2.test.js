// Feed-forward network, residual connection, encoder, decoder: every control is touched, numbers on screen are the core's, mistakes
// do what they say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as engine from '../../web/engine/index.js';
import decoder from '../../web/elements/exhibits/decoder.js';
import encoder from '../../web/elements/exhibits/encoder.js';
import feedForward from '../../web/elements/exhibits/feed-forward.js';
import residual from '../../web/elements/exhibits/residual.js';
import { assertClose, computed, course, rowsOf } from './exhibit.js';

const { ops } = engine;
/** The browser's core may round a multiply-add once where Node's rounds twice; models add many of them up. */
const NEAR = 1e-4;

const { opened } = course();

describe('feed-forward', () => {
  const exhibit = opened('feed-forward');

  /** @param {Record<string, any>} patch */
  async function check(patch) {
    const { before: first, after: then, output } = await computed(feedForward, patch);
    assertClose(await exhibit.numbers('xW₁ + b₁'), rowsOf(first), 'before');
    assertClose(await exhibit.numbers('φ(xW₁ + b₁)'), rowsOf(then), 'after');
    assertClose(await exhibit.numbers('output'), rowsOf(output), 'output');
    return rowsOf(output);
  }

  test('each activation is the core’s', async () => {
    await check({});
    const { x, weight1, bias1, weight2 } = feedForward.start;
    const unit = (/** @type {number[]} */ row, /** @type {number} */ u) =>
      rowsOf(weight1)[u].reduce((sum, w, i) => sum + w * row[i], bias1.data[u]);
    const hidden = rowsOf(x).map((row) => Array.from(bias1.data, (_, u) => Math.max(0, unit(row, u))));
    const narrowed = hidden.map((row) => rowsOf(weight2).map((w) => w.reduce((sum, one, u) => sum + one * row[u], 0)));
    assertClose(await exhibit.numbers('output'), narrowed, 'worked out here');
    for (const activation of ['gelu', 'gelu_new', 'silu', 'tanh', 'relu']) {
      await exhibit.choose(activation);
      await check({ activation });
    }
  });

  test('gated: the activation of the gate, times the other projection', async () => {
    await exhibit.turn('gated');
    await exhibit.choose('silu');
    const { x, weight1, bias1, weight2, bias2, gate } = feedForward.start;
    const inner = await ops.linear(x, { weight: weight1, bias: bias1 });
    const opened = await ops.activation(await ops.linear(x, { weight: gate }), 'silu');
    const hidden = { shape: inner.shape, data: inner.data.map((value, i) => value * opened.data[i]) };
    for (const [name, tensor] of Object.entries({
      xG: await ops.linear(x, { weight: gate }),
      'φ(xG)': opened,
      'xW₁ + b₁': inner,
      'φ(xG) ⊙ (xW₁ + b₁)': hidden,
      output: await ops.linear(hidden, { weight: weight2, bias: bias2 }),
    }))
      assertClose(await exhibit.numbers(name), rowsOf(tensor), name);
    await exhibit.reset();
  });

  test('an edit changes its own row only', async () => {
    const start = await check({});
    await exhibit.edit('x, cat, column 2', -2);
    const x = { shape: feedForward.start.x.shape, data: feedForward.start.x.data.slice() };
    x.data[4] = -2;
    const changed = await check({ x });
    assert.deepEqual([changed[0], changed[2]], [start[0], start[2]]);
    assert.notDeepEqual(changed[1], start[1]);
    await exhibit.reset();
  });

  test('the mark on the curve follows the chosen unit', async () => {
    await exhibit.after(() =>
      exhibit.stage('table[aria-label="xW₁ + b₁"]').getByRole('button', { name: 'xW₁ + b₁, sat, unit 3:' }).click(),
    );
    assert.equal(await exhibit.stage('svg.plot .tick.accent').textContent(), 'sat, unit 3');
    await exhibit.slide('unit', 0);
    assert.equal(await exhibit.stage('svg.plot .tick.accent').textContent(), 'sat, unit 0');
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('residual', () => {
  const exhibit = opened('residual');

  /** @param {Record<string, any>} patch @param {string} sum what the sum is called */
  async function check(patch, sum = 'x + dropout') {
    const result = await computed(residual, patch);
    assertClose(await exhibit.numbers('dropout'), rowsOf(result.dropped.output), 'dropout');
    assertClose(await exhibit.numbers(sum), rowsOf(result.sum), sum);
    assertClose(await exhibit.numbers('mean of dropout over 1000 draws'), rowsOf(result.mean), 'mean');
    return result;
  }

  test('norm, rate, draws and training are the core’s', async () => {
    const { given, mean, dropped } = await check({});
    const added = Array.from(residual.start.x.data, (value, i) => value + dropped.output.data[i]);
    assertClose(await exhibit.numbers('x + dropout'), [added], 'the sum');
    // A thousand draws at p = 0.25: a deviation of |f| · √(1/3 / 1000), so four of them.
    given.data.forEach((/** @type {number} */ value, /** @type {number} */ i) =>
      assert.ok(Math.abs(mean.data[i] - value) < 4 * Math.abs(value) * Math.sqrt(1 / 3000), `mean of number ${i}`),
    );
    await exhibit.after(() => exhibit.element.getByRole('button', { name: 'draw again' }).click());
    const seed = residual.start.seed + 1;
    await check({ seed });
    await exhibit.slide('p', 0.5);
    await check({ seed, p: 0.5 });
    await exhibit.choose('after the sum');
    const post = await check({ seed, p: 0.5, where: 'post' });
    assertClose(await exhibit.numbers('norm of the sum'), rowsOf(post.output), 'norm of the sum');
    await exhibit.turn('training', false);
    const still = await check({ seed, p: 0.5, where: 'post', training: false });
    assert.deepEqual(still.dropped.output.data, still.given.data, 'outside training nothing is dropped');
    await exhibit.edit('x, row 1, column 1', 3);
    await exhibit.slide('token', 1);
    assert.match(await exhibit.stage('.strip .name').innerText(), /the stream of “a”/);
    await exhibit.reset();
  });

  test('without the sum, x is gone', async () => {
    await exhibit.choose('leave out the sum');
    const { sum, dropped } = await check({ wrong: 'no-residual' }, 'no sum');
    assert.deepEqual(sum.data, dropped.output.data);
    // Directions of all tokens after the last layer: without sums they are one.
    const { run, alike } = (await exhibit.shown()).result;
    assert.equal(run.tokens[0].length, alike.shape[1]);
    const cosines = rowsOf(alike).map((row, _, all) => {
      const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((s, x, i) => s + x * b[i], 0);
      return dot(row, all[0]) / Math.sqrt(dot(row, row) * dot(all[0], all[0]));
    });
    assert.ok(Math.min(...cosines) > 0.999, cosines.join(' '));
    assert.equal(await exhibit.stage('.strip').filter({ hasText: 'without sums' }).count(), 1);
    await exhibit.choose('do it right');
  });

  test('without the division, the mean is smaller by 1 − p', async () => {
    await exhibit.choose('do not divide by 1 − p');
    const wrong = await check({ wrong: 'not-inverted' });
    const right = await computed(residual);
    wrong.mean.data.forEach((/** @type {number} */ value, /** @type {number} */ i) =>
      assert.ok(Math.abs(value - 0.75 * right.mean.data[i]) < NEAR, `mean of number ${i}`),
    );
  });

  test('left on outside training, it draws anew', async () => {
    await exhibit.choose('leave dropout on outside training');
    await exhibit.turn('training', false);
    const one = await check({ wrong: 'at-inference', training: false });
    await exhibit.after(() => exhibit.element.getByRole('button', { name: 'draw again' }).click());
    await exhibit.after(() => exhibit.element.getByRole('button', { name: 'draw again' }).click());
    const other = await check({ wrong: 'at-inference', training: false, seed: residual.start.seed + 2 });
    assert.notDeepEqual(one.dropped.output.data, other.dropped.output.data);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('encoder', () => {
  const exhibit = opened('encoder');

  /** @param {Record<string, any>} patch */
  async function check(patch) {
    const expected = await computed(encoder, patch);
    for (const [label, list] of /** @type {const} */ ([
      ['topics of the sentence', expected.classes],
      ['topics of the reversed sentence', expected.turnedClasses],
    ])) {
      const shown = await exhibit.bars(label);
      assert.deepEqual(
        shown.map(([name]) => name),
        list.map((/** @type {{ name: string }} */ { name }) => name),
      );
      shown.forEach(([, value], i) => assert.ok(Math.abs(value - list[i].value) <= 0.005 + NEAR, `${label}, ${i}`));
    }
    const { result } = await exhibit.shown();
    assertClose(rowsOf(result.vectors), rowsOf(expected.vectors), 'vectors');
    return expected;
  }

  test('vectors of each layer and topics are the model’s', async () => {
    const { classes } = await check({});
    const model = await engine.load('topics');
    const run = await model.run(encoder.start.text);
    const { data } = await ops.softmax(/** @type {any} */ (run.output.logits));
    assert.ok(Math.abs(classes[0].value - Math.max(...data)) < 1e-6, 'the first is the likeliest');
    for (const layer of [0, 3]) {
      await exhibit.slide('vectors after layer', layer);
      await check({ layer });
    }
    await exhibit.write('sentence', 'a sweet baked dish of fruit');
    await check({ layer: 3, text: 'a sweet baked dish of fruit' });
    await exhibit.reset();
  });

  test('without positions, order does not matter', async () => {
    await exhibit.choose('leave the positions out');
    const { classes, turnedClasses } = await check({ wrong: 'no-positions' });
    classes.forEach((/** @type {{ name: string, value: number }} */ { name, value }, /** @type {number} */ i) => {
      assert.equal(name, turnedClasses[i].name);
      assert.ok(Math.abs(value - turnedClasses[i].value) < NEAR, 'sums in another order');
    });
  });

  test('ids as vectors: the words no longer matter', async () => {
    await exhibit.choose('give the layers ids where they need vectors');
    const one = await check({ wrong: 'ids-as-vectors' });
    await exhibit.write('sentence', 'a sweet baked dish of fruit and pastry');
    const other = await check({ wrong: 'ids-as-vectors', text: 'a sweet baked dish of fruit and pastry' });
    assert.equal(one.classes[0].name, other.classes[0].name);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('decoder', () => {
  const exhibit = opened('decoder');

  /** @param {Record<string, any>} patch */
  async function check(patch) {
    const expected = await computed(decoder, patch);
    const shown = await exhibit.bars('how far each row moves');
    assert.deepEqual(
      shown.map(([name]) => name),
      expected.tokens.target.slice(0, expected.rows),
    );
    shown.forEach(([, value], i) => assert.ok(Math.abs(value - expected.moved[i]) <= 0.005 + NEAR, `row ${i}`));
    return expected;
  }

  test('the layer is the trained one, and only the last row moves', async () => {
    const { moved, off } = await check({});
    assert.ok(
      off.every((/** @type {number} */ value) => value === 0),
      'one forward: equal to the last bit',
    );
    assert.ok(moved.slice(0, -1).every((/** @type {number} */ value) => value === 0));
    assert.ok(moved[moved.length - 1] > 0.1);
  });

  test('weights of both attentions and every head are the run’s', async () => {
    const model = await engine.load('translate');
    const record = ['decoder.blocks.0.attn.hook_pattern', 'decoder.blocks.0.cross_attn.hook_pattern'];
    const { source, target } = decoder.start;
    const run = await model.run({ source, target }, { record });
    for (const [which, name] of [
      ['self-attention', record[0]],
      ['cross-attention', record[1]],
    ]) {
      if (which !== 'self-attention') await exhibit.choose(which);
      for (const head of which === 'self-attention' ? [1, 3] : [0, 2]) {
        await exhibit.choose(String(head));
        const pattern = run.get(name);
        const rows = rowsOf({ shape: pattern.shape.slice(2), data: pattern.data }, head);
        const padding = new Array(which === 'cross-attention' ? decoder.start.pads : 0).fill(0);
        const want = rows.map((row) => [...row, ...padding]);
        assertClose(await exhibit.numbers(which), want, `${which}, head ${head}`);
      }
    }
    await exhibit.reset();
  });

  test('padding of the source changes nothing, unless it is forgotten', async () => {
    const { moved } = await check({});
    await exhibit.slide('padding of the source', 5);
    const padded = await check({ pads: 5 });
    assert.deepEqual(padded.moved, moved);
    assert.ok(padded.off.every((/** @type {number} */ value) => value === 0));
    await exhibit.choose('cross-attention');
    const sum = (/** @type {number[]} */ row) => row.reduce((all, weight) => all + weight, 0);
    for (const row of await exhibit.numbers('cross-attention')) assert.equal(sum(row.slice(-5)), 0);
    await exhibit.choose('forget the source’s padding');
    const { off } = await check({ wrong: 'no-memory-mask', pads: 5 });
    const shown = await exhibit.bars('how far each row is off');
    shown.forEach(([, value], i) => assert.ok(value > 0.01 && Math.abs(value - off[i]) <= 0.005 + NEAR, `row ${i}`));
    for (const row of await exhibit.numbers('cross-attention')) {
      assert.ok(sum(row.slice(-5)) > 0, 'padding is looked at');
      assert.ok(Math.abs(sum(row) - 1) < 1e-5);
    }
    await exhibit.reset();
  });

  test('other words', async () => {
    await exhibit.write('another last word', 'viene');
    await check({ last: 'viene' });
    await exhibit.write('target', 'Y les dijo');
    await check({ last: 'viene', target: 'Y les dijo' });
    await exhibit.write('source', 'He said to them');
    await check({ last: 'viene', target: 'Y les dijo', source: 'He said to them' });
    await exhibit.reset();
  });

  test('without the mask, every row has seen the last word', async () => {
    await exhibit.choose('forget the causal mask');
    const { moved } = await check({ wrong: 'no-mask' });
    assert.ok(
      moved.every((/** @type {number} */ value) => value > 1e-3),
      moved.join(' '),
    );
    const [first] = await exhibit.numbers('self-attention');
    assert.ok(
      first.every((weight) => weight > 0),
      'the first row looks at all that comes later',
    );
  });

  test('without the feed-forward network, rows are off', async () => {
    await exhibit.choose('leave out the feed-forward network');
    const { moved, off } = await check({ wrong: 'no-feed-forward' });
    assert.ok(moved.slice(0, -1).every((/** @type {number} */ value) => value === 0));
    const shown = await exhibit.bars('how far each row is off');
    shown.forEach(([, value], i) => assert.ok(value > 0 && Math.abs(value - off[i]) <= 0.005 + NEAR, `row ${i}`));
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
