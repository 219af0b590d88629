// Masks, positions, layer normalization: every control is touched, numbers on screen are the core's, mistakes change what they say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ops } from '../../web/engine/index.js';
import masks from '../../web/elements/exhibits/masks.js';
import layerNorm from '../../web/elements/exhibits/layer-norm.js';
import { assertClose, course, rowsOf } from './exhibit.js';

/** @typedef {import('../../web/engine/tensor.js').Tensor} Tensor */

const { opened } = course();

const sum = (/** @type {number[]} */ row) => row.reduce((all, value) => all + value, 0);
const zero = (/** @type {number[]} */ row) => row.every((value) => value === 0);

describe('masks', () => {
  const N = 6;
  const exhibit = opened('masks');

  /** Weights and output on screen are the core's for a mask written out here. @param {(query: number, key: number) => boolean} sees */
  async function check(sees) {
    const data = Uint8Array.from({ length: N * N }, (_, i) => Number(sees(Math.floor(i / N), i % N)));
    const { q, k, v } = masks.start;
    const { weights, output } = await ops.attention(q, k, v, { mask: { shape: [N, N], data } });
    assertClose(await exhibit.numbers('weights'), rowsOf(weights), 'weights');
    assertClose(await exhibit.numbers('output'), rowsOf(output), 'output');
    const hidden = await exhibit.stage('table[aria-label="scores"] td.hatched').count();
    assert.equal(hidden, N * N - sum(Array.from(data)), 'hidden cells are hatched');
  }
  const cell = (/** @type {string} */ name) =>
    exhibit.stage('table[aria-label="scores"]').getByRole('button', { name }).first();

  test('padding, look-ahead, and both', async () => {
    await check((t, s) => s < 4 && s <= t);
    await exhibit.turn('look-ahead mask', false);
    await check((_, s) => s < 4);
    await exhibit.slide('padding', 3);
    await check((_, s) => s < 3);
    await exhibit.choose('left');
    await check((_, s) => s >= 3);
    await exhibit.turn('look-ahead mask');
    await check((t, s) => s >= 3 && s <= t);
    const weights = await exhibit.numbers('weights');
    weights.forEach((row, t) => assert.ok(t < 3 ? zero(row) : Math.abs(sum(row) - 1) < 1e-6, `row ${t}`));
    await exhibit.reset();
  });

  test('cells are painted by pointer, by key, and along a stroke', async () => {
    await exhibit.slide('padding', 0);
    await exhibit.turn('look-ahead mask', false);
    await exhibit.after(() => cell('scores, sat, cat:').click());
    await check((t, s) => !(t === 2 && s === 1));
    await exhibit.after(() => cell('scores, sat, cat:').press('Enter'));
    await check(() => true);
    // Over the whole row of “on”: it sees nothing.
    await exhibit.still();
    await exhibit.after(async () => {
      const first = await cell('scores, on, The:').boundingBox();
      const last = await cell('scores, on, mat:').boundingBox();
      assert.ok(first && last);
      const y = first.y + first.height / 2;
      await exhibit.page.mouse.move(first.x + 8, y);
      await exhibit.page.mouse.down();
      for (let i = 0; i <= 20; i++) await exhibit.page.mouse.move(first.x + 8 + ((last.x - first.x) * i) / 20, y);
      await exhibit.page.mouse.up();
    });
    await check((t) => t !== 3);
    assert.ok(zero((await exhibit.numbers('output'))[3]), 'a row that sees nothing gives zeros');
    await exhibit.after(() => exhibit.element.getByRole('button', { name: 'take the paint away' }).click());
    await check(() => true);
    await exhibit.reset();
  });

  test('the triangle turned round shows what comes later', async () => {
    await exhibit.choose('turn the triangle round');
    const weights = await exhibit.numbers('weights');
    weights.forEach((row, t) => assert.ok(zero(row.slice(0, t + 1)), `row ${t} does not see the past`));
    assert.ok(sum(weights[0]) > 0.99 && weights[0][3] > 0, 'the first word sees later ones');
    assert.ok(zero(weights[5]), 'the last row sees nothing');
    assert.match(await exhibit.says(), /last row/);
    await exhibit.choose('do it right');
  });

  test('a row that sees nothing is NaN where the rule is forgotten', async () => {
    await exhibit.choose('left');
    await exhibit.choose('forget rows that see nothing');
    const [output, right] = [await exhibit.numbers('output'), await exhibit.numbers('output as it should be')];
    output.forEach((row, t) => assert.equal(row.every(Number.isNaN), t < 2, `row ${t}`));
    assert.ok(zero(right[0]) && zero(right[1]));
  });

  test('−1e9 for each mask lets the future in', async () => {
    await exhibit.choose('add −1e9, once for each mask');
    const [weights, right] = [await exhibit.numbers('weights'), await exhibit.numbers('weights as they should be')];
    assertClose([weights[0]], [[0.2, 0, 0.2, 0.2, 0.2, 0.2]], 'keys that one mask hides share the weight');
    assertClose(weights.slice(2), right.slice(2), 'rows that see something');
    assertClose([(await exhibit.numbers('scores with the wrong mask'))[0].slice(0, 2)], [[-1e9, -2e9]], 'scores');
  });

  test('−1e9 times −1e9 lets hidden keys win', async () => {
    await exhibit.choose('multiply a mask of −1e9 by −1e9');
    const [weights, right] = [await exhibit.numbers('weights'), await exhibit.numbers('weights as they should be')];
    weights.forEach((row, t) =>
      row.forEach((weight, s) => {
        if (right[t][s] > 0) assert.equal(weight, 0, `${t}, ${s} may be seen, and is not`);
      }),
    );
    await exhibit.reset();
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('positions', () => {
  const exhibit = opened('positions');

  /** What Vaswani et al. write, in double. @param {number} length @param {number} width @param {boolean} halves */
  const formula = (length, width, halves) =>
    Array.from({ length }, (_, p) =>
      Array.from({ length: width }, (__, column) => {
        const sines = Math.ceil(width / 2);
        const sine = halves ? column < sines : column % 2 === 0;
        const i = halves ? column % sines : Math.floor(column / 2);
        const angle = p / 10000 ** ((2 * i) / width);
        return sine ? Math.sin(angle) : Math.cos(angle);
      }),
    );
  async function check(/** @type {number} */ length, /** @type {number} */ width, halves = false) {
    const { result } = await exhibit.shown();
    const expected = formula(length, width, halves);
    assertClose(rowsOf(result.encoding), expected, `${length} × ${width}`);
    const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => sum(a.map((value, c) => value * b[c]));
    assertClose(
      rowsOf(result.products),
      expected.map((a) => expected.map((b) => dot(a, b))),
      'dot products',
    );
    // The picture has a pixel a value.
    const sizes = await exhibit
      .stage('canvas')
      .evaluateAll((all) =>
        all.map((canvas) => [/** @type {any} */ (canvas).width, /** @type {any} */ (canvas).height]),
      );
    assert.deepEqual(sizes, [
      [width, length],
      [length, length],
    ]);
    return result;
  }

  test('are those of the formula, for each convention, odd widths too', async () => {
    await check(48, 32);
    await exhibit.choose('halves');
    await check(48, 32, true);
    await exhibit.slide('D', 31);
    await check(48, 31, true);
    await exhibit.choose('interleaved');
    await check(48, 31);
    await exhibit.slide('T', 17);
    await exhibit.slide('D', 1);
    await check(17, 1);
    await exhibit.reset();
  });

  test('position and dimension are followed', async () => {
    await exhibit.slide('position', 20);
    await exhibit.slide('dimension', 9);
    const value = formula(48, 32, false)[20][9];
    const named = exhibit.stage('.name').filter({ hasText: 'dimension 9' });
    assert.match(
      await named.innerText(),
      new RegExp(`cosine, i = 4, wavelength 62\\.8; at position 20 ${value.toFixed(2).replace('-', '−')}`),
    );
    await exhibit.after(
      () =>
        exhibit
          .stage('canvas')
          .first()
          .click({ position: { x: 6, y: 7 } }), // in the midst of a cell: 12.5 by 4.7 px
    );
    const { state } = await exhibit.shown();
    assert.deepEqual([state.position, state.dimension], [1, 0]);
    await exhibit.after(() =>
      exhibit
        .stage('svg.plot')
        .first()
        .click({ position: { x: 300, y: 60 } }),
    );
    assert.ok((await exhibit.shown()).state.position > 10, 'dragged along the wave');
    await exhibit.after(() =>
      exhibit
        .stage('canvas')
        .nth(1)
        .click({ position: { x: 5, y: 200 } }),
    );
    assert.ok((await exhibit.shown()).state.position > 35, 'a row of the dot products');
    await exhibit.reset();
  });

  test('without positions the order of words is lost', async () => {
    await exhibit.turn('what goes wrong if you leave the positions out');
    for (const [order, sentence] of [
      ['cat and mat changed', 'The mat sat on the cat'],
      ['backwards', 'mat the on sat cat The'],
    ]) {
      if (order === 'backwards') await exhibit.choose(order);
      const with_ = await exhibit.numbers('with positions');
      const moved = await exhibit.numbers('with, second order');
      assert.ok((await exhibit.stage('.orders').innerText()).includes(`“${sentence}”`));
      assert.ok(
        with_.some((row, r) => row.some((value, c) => Math.abs(value - moved[r][c]) > 0.05)),
        'the order shows',
      );
      assertClose(
        await exhibit.numbers('without, second order'),
        await exhibit.numbers('without'),
        'the order does not show',
      );
    }
    await exhibit.turn('what goes wrong if you leave the positions out', false);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('layer normalization', () => {
  const { x, weight, bias } = layerNorm.start;
  const [rows, width] = x.shape;
  const exhibit = opened('layer-norm');
  const vector = (/** @type {Tensor} */ { data }) => ({ shape: [width], data });
  const put = (/** @type {Tensor} */ { shape, data }, /** @type {number} */ at, /** @type {number} */ value) => {
    const copy = data.slice();
    copy[at] = value;
    return { shape, data: copy };
  };

  test('shows the core’s numbers, after edits of x, weight and bias too', async () => {
    assertClose(await exhibit.numbers('y'), rowsOf(await ops.layerNorm(x, { eps: 1e-5 })), 'y');
    assertClose(await exhibit.numbers('RMS norm'), rowsOf(await ops.rmsNorm(x, { eps: 1e-5 })), 'RMS norm');
    await exhibit.edit('x, sat, column 3', 7);
    await exhibit.edit('weight, row 1, column 2', 0.5);
    await exhibit.edit('bias, row 1, column 6', -1);
    await exhibit.slide('ε', -2);
    const options = { weight: vector(put(weight, 1, 0.5)), eps: 1e-2 };
    const edited = put(x, 2 * width + 2, 7);
    const y = await ops.layerNorm(edited, { ...options, bias: vector(put(bias, 5, -1)) });
    assertClose(await exhibit.numbers('y'), rowsOf(y), 'y, edited');
    assertClose(await exhibit.numbers('RMS norm'), rowsOf(await ops.rmsNorm(edited, options)), 'RMS norm, edited');
    await exhibit.reset();
  });

  test('marks mean and deviation of the chosen row', async () => {
    for (let r = 0; r < rows; r++) {
      if (r === 1)
        await exhibit.after(() =>
          exhibit.stage('table[aria-label="y"]').getByRole('button', { name: 'y, cat, column 1:' }).click(),
        );
      else await exhibit.slide('row', r + 1);
      const row = rowsOf(x)[r];
      const mean = sum(row) / width;
      const deviation = Math.sqrt(sum(row.map((value) => (value - mean) ** 2)) / width);
      const { result } = await exhibit.shown();
      assertClose([[result.marks.before[r].mean, result.marks.before[r].deviation]], [[mean, deviation]], `row ${r}`);
      const label = await exhibit.stage('.row-bars svg').first().getAttribute('aria-label');
      const digits = r === 0 ? 3 : 2;
      const write = (/** @type {number} */ value) => value.toFixed(digits).replace('-', '−');
      assert.ok(label?.endsWith(`mean ${write(mean)}, deviation ${write(deviation)}`), label ?? '');
    }
    await exhibit.reset();
  });

  test('squares beyond float32 are a deviation of ∞, and a number beyond float32 is not taken', async () => {
    const field = exhibit.element.getByLabel('x, The, column 2', { exact: true });
    const before = await field.inputValue();
    await field.fill('-1e39');
    await field.press('Tab');
    assert.equal(await field.inputValue(), before);
    await exhibit.edit('x, The, column 2', 3e38);
    const { result } = await exhibit.shown();
    assert.equal(result.marks.before[0].deviation, Infinity);
    assert.match(await exhibit.stage('.row-bars .num').first().innerText(), /σ ∞$/);
    await exhibit.reset();
  });

  test('σ + ε differs where the deviation is small, and the sample’s variance everywhere', async () => {
    await exhibit.slide('ε', -2);
    await exhibit.choose('divide by σ + ε');
    let [wrong, right] = [await exhibit.numbers('y'), await exhibit.numbers('y as it should be')];
    const ratio = (/** @type {number} */ r, /** @type {number} */ c) => wrong[r][c] / right[r][c];
    assert.ok(ratio(0, 2) > 3, `tiny numbers: ${ratio(0, 2)}`);
    assert.ok(Math.abs(ratio(1, 1) - 1) < 0.01, `ordinary ones: ${ratio(1, 1)}`);
    await exhibit.choose('take the sample’s variance');
    await exhibit.slide('ε', -8);
    [wrong, right] = [await exhibit.numbers('y'), await exhibit.numbers('y as it should be')];
    assert.ok(Math.abs(ratio(1, 1) - Math.sqrt((width - 1) / width)) < 1e-4, `${ratio(1, 1)}`);
  });

  test('a weight for each position fits one length only', async () => {
    await exhibit.choose('shape weight and bias like the sequence');
    assertClose(await exhibit.numbers('y'), await exhibit.numbers('y as it should be'), 'three words');
    await exhibit.slide('words in the sentence', 2);
    assert.equal((await exhibit.numbers('y')).length, 2);
    assert.match(await exhibit.stage('.stage .problem').innerText(), /weight/);
    await exhibit.reset();
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
