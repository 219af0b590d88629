// Translation, classification, heatmap: every control is touched, numbers on screen are the core's, mistakes do what they say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as engine from '../../web/engine/index.js';
import classification from '../../web/elements/exhibits/classification.js';
import heatmap from '../../web/elements/exhibits/heatmap.js';
import translation from '../../web/elements/exhibits/translation.js';
import { assertClose, computed, course, rowsOf } from './exhibit.js';

const { opened } = course();
describe('translation', () => {
  const exhibit = opened('translation');

  const text = () => exhibit.stage('b[lang="es"]').innerText();
  /** @param {string} source @param {Record<string, unknown>} options */
  async function generated(source, options) {
    const model = await engine.load('translate');
    return model.generate(source, options).result();
  }

  test('greedy text, its attention and its candidates are the model’s', async () => {
    const source = translation.start.text;
    const expected = await generated(source, { beams: 1, maxNewTokens: 48 });
    assert.equal(await text(), expected.text);
    const { steps } = await computed(translation);
    const weights = await exhibit.numbers('cross-attention, layer 1, head 0');
    assert.equal(weights.length, expected.ids.length);
    const drawn = steps.map((/** @type {any} */ { run }) => {
      const { shape, data } = run.get('decoder.blocks.1.cross_attn.hook_pattern');
      return rowsOf({ shape: shape.slice(2), data }, 0)[shape[2] - 1];
    });
    assertClose(weights, drawn, 'each step’s last query, head 0');
    const sum = steps.reduce((/** @type {number} */ all, /** @type {any} */ { id, top }) => {
      const taken = top.find((/** @type {{ id: number }} */ one) => one.id === id);
      return all + taken.logprob;
    }, 0);
    assert.ok(Math.abs(expected.score - sum / steps.length ** 0.6) < 1e-4, 'the score is as the equation says');
    await exhibit.slide('step', 5);
    const shown = await exhibit.values('candidates of step 6');
    shown.forEach((value, i) =>
      assert.ok(Math.abs(Number(value) - Math.exp(steps[5].top[i].logprob)) <= 0.0051, `candidate ${i}`),
    );
  });

  test('a row of the matrix chooses its step', async () => {
    await exhibit.after(() => exhibit.stage('table tbody tr').nth(2).getByRole('button').first().click());
    assert.equal(await exhibit.stage('ul[aria-label="candidates of step 3"]').count(), 1);
  });

  test('beams are the model’s, as a tree', async () => {
    await exhibit.choose('beam search');
    for (const beams of [3, 5]) {
      if (beams !== 3) await exhibit.slide('beams', beams);
      const expected = await generated(translation.start.text, { beams, maxNewTokens: 48 });
      assert.equal(await text(), expected.text);
      // A finished text leaves the beams: its end token is no branch.
      assert.ok((await exhibit.stage('.tree text.chosen').count()) >= expected.ids.length - 1);
      assert.ok(
        (await exhibit.stage('.note').last().innerText()).includes(expected.score.toFixed(3).replace('-', '−')),
      );
    }
    await exhibit.reset();
  });

  test('another text', async () => {
    await exhibit.write('English', 'The king went to the house.');
    assert.equal(await text(), (await generated('The king went to the house.', { beams: 1, maxNewTokens: 48 })).text);
    await exhibit.reset();
  });

  test('each mistake gives another text', async () => {
    const right = await text();
    for (const [label, wrong] of [
      ['begin without the start token', 'no-bos'],
      ['feed counts of words instead of ids', 'counts'],
      ['give the target the source’s length', 'one-length'],
    ]) {
      await exhibit.choose(label);
      const { result } = await computed(translation, { wrong });
      assert.equal(await text(), result.text || '∅', label);
      assert.notEqual(result.text, right, label);
      assert.ok((await exhibit.says()).length > 40);
    }
    assert.ok(right.startsWith(await text()), 'cut off');
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('classification', () => {
  const exhibit = opened('classification');

  /** @param {Record<string, any>} patch */
  async function check(patch) {
    const expected = await computed(classification, patch);
    const { result } = await exhibit.shown();
    // Training adds up roundings that browser and Node do differently: 120 steps of AdamW.
    for (const name of /** @type {const} */ (['probabilities', 'pooled']))
      result[name].data.forEach((/** @type {number} */ value, /** @type {number} */ i) =>
        assert.ok(Math.abs(value - expected[name].data[i]) < 0.02, `${name} ${i}`),
      );
    const shown = await exhibit.values('classes of the text');
    shown.forEach((value, i) =>
      assert.ok(Math.abs(Number(value) - result.probabilities.data[i]) <= 0.0051, `class ${i}`),
    );
    return { expected, result };
  }

  test('probabilities are the softmax of the model’s own logits', async () => {
    const { expected } = await check({});
    const logits = await engine.ops.softmax(expected.run.output.logits);
    expected.probabilities.data.forEach((/** @type {number} */ value, /** @type {number} */ i) =>
      assert.ok(Math.abs(value - logits.data[i]) < 1e-6, `probability ${i}`),
    );
  });

  test('attention of every layer and head; nobody looks at padding', async () => {
    for (const [layer, head] of [
      [0, 1],
      [1, 0],
    ]) {
      await exhibit.slide('layer', layer);
      if ((await exhibit.shown()).state.head !== head) await exhibit.slide('head', head);
      const { result } = await exhibit.shown();
      const rows = await exhibit.numbers('attention of the text');
      const real = result.mask[0].filter(Boolean).length;
      assert.ok(real < rows.length, 'the text is the shorter one');
      for (const row of rows) {
        assert.ok(row.slice(real).every((weight) => weight === 0));
        assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
      }
    }
  });

  test('a word taken out shows what decided', async () => {
    const named = async () => {
      const { probabilities } = (await exhibit.shown()).result;
      return probabilities.data.slice(0, 3).map((/** @type {number} */ value) => value > 0.5);
    };
    assert.deepEqual(await named(), [false, false, true], 'weather');
    await exhibit.write('text', 'a cat slept in the sun');
    assert.deepEqual(await named(), [true, false, false], 'animals');
    await exhibit.reset();
  });

  test('the length of the other text changes nothing, unless padding is counted', async () => {
    const longer = 'we ate hot soup and fresh bread with butter and cheese all';
    const before = (await check({})).result.probabilities.data.slice(0, 3);
    await exhibit.write('another in the batch', longer);
    const after = (await check({ other: longer })).result.probabilities.data.slice(0, 3);
    before.forEach((/** @type {number} */ value, /** @type {number} */ i) =>
      assert.ok(Math.abs(value - after[i]) < 1e-4),
    );
    await exhibit.choose('count padding in the mean');
    const { result } = await check({ other: longer, wrong: 'over-padding' });
    const diluted = result.probabilities.data.slice(0, 3);
    // The mean of the words' vectors and of the padding's.
    const [, length, width] = result.hidden.shape;
    const columns = Array.from({ length: width }, (_, d) => {
      const column = Array.from({ length }, (__, t) => result.hidden.data[t * width + d]);
      return column.reduce((sum, value) => sum + value, 0) / length;
    });
    assertClose([result.pooled.data.slice(0, width)], [columns], 'over all places');
    assert.ok(
      before.some((/** @type {number} */ value, /** @type {number} */ i) => Math.abs(value - diluted[i]) > 1e-3),
    );
    await exhibit.reset();
  });

  test('pooling over the batch gives a vector for each position', async () => {
    await exhibit.choose('pool over the batch');
    const { result } = await check({ wrong: 'over-batch' });
    assert.equal(result.pooled.shape[0], result.ids[0].length);
  });

  test('words numbered anew are other words', async () => {
    const before = (await exhibit.shown()).result.ids[0];
    await exhibit.choose('number the words anew in each run');
    const { result } = await check({ wrong: 'unordered' });
    assert.notDeepEqual(result.ids[0], before);
  });

  test('an empty text is refused in place, and the figure goes on', async () => {
    await exhibit.choose('do it right');
    await exhibit.element.getByLabel('text', { exact: true }).fill('');
    await exhibit.stage('.problem').waitFor();
    assert.match(await exhibit.stage('.problem').innerText(), /text: expected at least one word, got “”/);
    await exhibit.write('text', 'the dog ate bread');
    assert.equal(await exhibit.stage('.problem').count(), 0);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('heatmap', () => {
  const exhibit = opened('heatmap');

  const given = () =>
    exhibit.element.locator('attention-heatmap').evaluate((element) => {
      const { data, tokens } = /** @type {any} */ (element);
      return { shape: data.shape, data: Array.from(data.data), tokens };
    });

  test('draws the run’s weights of the chosen layer and head', async () => {
    const model = await engine.load('words');
    const run = await model.run(heatmap.start.text, { record: ['blocks.*.attn.hook_pattern'] });
    for (const [layer, head] of [
      [1, 1],
      [2, 0],
    ]) {
      if (layer !== 1) {
        await exhibit.slide('layer', layer);
        await exhibit.slide('head', head);
      }
      const pattern = run.get(`blocks.${layer}.attn.hook_pattern`);
      const shown = await given();
      assert.deepEqual(shown.tokens, run.tokens[0]);
      assertClose(
        rowsOf(shown),
        rowsOf({ shape: pattern.shape.slice(2), data: pattern.data }, head),
        `${layer}.${head}`,
      );
    }
    await exhibit.choose('viridis');
    assert.equal(
      await exhibit.element.locator('attention-heatmap').evaluate((element) => /** @type {any} */ (element).palette),
      'viridis',
    );
    await exhibit.write('sentence', 'a dog');
    assert.equal((await given()).tokens.length, 4);
    await exhibit.reset();
  });

  test('an untrained model’s weights look tidy too', async () => {
    const right = await given();
    await exhibit.choose('draw random numbers');
    const random = await given();
    assert.notDeepEqual(random.data, right.data);
    for (const row of rowsOf(random)) assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
    assert.match(await exhibit.stage('.note').first().innerText(), /has learnt nothing/);
  });

  test('black ink cannot be read on dark cells; the right ink can', async () => {
    await exhibit.choose('write black on dark cells');
    const inks = await exhibit
      .stage('table[aria-label="weights"] tbody td')
      .evaluateAll((cells) => [...new Set(cells.map((cell) => getComputedStyle(cell).color))]);
    assert.deepEqual(inks, ['rgb(0, 0, 0)']);
    await exhibit.choose('do it right');
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
