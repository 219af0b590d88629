// Training, cache, checkpointing: every control is touched, numbers on screen are the core's, mistakes do what they say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as engine from '../../web/engine/index.js';
import caching from '../../web/elements/exhibits/caching.js';
import checkpointing from '../../web/elements/exhibits/checkpointing.js';
import training from '../../web/elements/exhibits/training.js';
import { assertClose, computed, course, rowsOf } from './exhibit.js';

const { ops } = engine;

const { opened } = course();

describe('training', () => {
  const exhibit = opened('training');

  test('the schedule is the core’s, and highest where warm-up ends', async () => {
    await exhibit.slide('warm-up', 2000);
    await exhibit.slide('d_model', 256);
    const { points, top } = (await exhibit.result()).result;
    for (const [step, rate] of [points[0], points[50], points[99]])
      assert.ok(Math.abs(rate - 256 ** -0.5 * Math.min(step ** -0.5, step * 2000 ** -1.5)) < 1e-9, `step ${step}`);
    assert.equal(top, await ops.noamRate(2000, { dModel: 256, warmup: 2000 }));
    assert.ok(points.every(([, rate]) => rate <= top));
    // Dragging moves the end of the warm-up.
    await exhibit.still();
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
      await exhibit.stage('svg.plot').boundingBox()
    );
    await exhibit.after(async () => {
      await exhibit.page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
      await exhibit.page.mouse.down();
      await exhibit.page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
      await exhibit.page.mouse.up();
    });
    assert.ok((await exhibit.shown()).state.warmup > 5000);
  });

  test('step 0 divides by zero', async () => {
    await exhibit.choose('count steps from 0');
    const { zero } = (await exhibit.result()).result;
    assert.equal(zero.byStep, Infinity);
    assert.match(await exhibit.stage('.note').first().innerText(), /at step 0.*∞/s);
  });

  test('smoothed labels add up to 1, and not when undivided', async () => {
    await exhibit.choose('label smoothing');
    const told = () => exhibit.stage('.note').filter({ hasText: 'what it is asked for' }).innerText();
    const targets = async () => (await exhibit.result()).result.targets.data;
    const sum = async () =>
      (await targets()).reduce((/** @type {number} */ all, /** @type {number} */ x) => all + x, 0);
    assert.ok(Math.abs((await sum()) - 1) < 1e-6);
    assert.match(await told(), /in all 1\.00/);
    await exhibit.slide('smoothing ε', 0.2);
    const labels = { shape: [1], data: Int32Array.of(0) };
    const right = await ops.crossEntropy(training.start.logits, labels, { labelSmoothing: 0.2 });
    assert.ok(Math.abs((await exhibit.result()).result.right.loss - right.loss.data[0]) < 1e-6);
    // Softmax minus target, the gradient of every cross-entropy.
    const probabilities = await ops.softmax(training.start.logits);
    const target = await targets();
    assertClose(
      await exhibit.numbers('gradients of the loss'),
      [Array.from(probabilities.data, (p, i) => p - target[i])],
      'gradients',
    );
    await exhibit.edit('logits for “the cat sat on the …”, row 1, mat', 4);
    assert.ok((await exhibit.result()).result.probabilities.data[0] > 0.8);
    await exhibit.choose('smooth without dividing by the number of classes');
    assert.ok((await sum()) > 1.5);
    assert.match(await told(), /in all 1\.80/);
    await exhibit.choose('take a softmax of probabilities');
    const flatter = (await exhibit.result()).result;
    assert.ok(flatter.other.loss > flatter.right.loss, 'a softmax of a softmax is flatter');
  });

  test('a loss of logits taken for probabilities is negative or NaN, and holds no other word down', async () => {
    await exhibit.choose('take logits for probabilities');
    const { other, right } = (await exhibit.result()).result;
    assert.ok(Math.abs(other.loss + Math.log(4)) < 1e-6, 'the right logit is 4');
    const [gradients] = await exhibit.numbers('gradients of the loss');
    assertClose([gradients], [[-1 / 4, 0, 0, 0, 0]], 'gradients');
    assertClose(await exhibit.numbers('gradients as they should be'), rowsOf(right.gradients), 'right ones');
    await exhibit.edit('logits for “the cat sat on the …”, row 1, mat', -1);
    assert.ok(Number.isNaN((await exhibit.result()).result.other.loss));
    await exhibit.edit('logits for “the cat sat on the …”, row 1, mat', 4);
  });

  test('with the gradients of something else the loss stays where it is', async () => {
    await exhibit.choose('take the gradients of something else');
    const { other, right, paths } = (await exhibit.result()).result;
    assert.ok(Math.abs(other.loss - right.loss) < 1e-6, 'the loss that is reported is right');
    assertClose(await exhibit.numbers('gradients of the loss'), [[0.2, 0.2, 0.2, 0.2, 0.2]], 'all alike');
    const [first, last] = [paths.other[0][1], paths.other[30][1]];
    assert.ok(Math.abs(last - first) < 1e-5, `${first} to ${last}: rounding of thirty steps`);
    assert.ok(paths.right[30][1] < paths.right[0][1] - 0.01, 'and falls along the right ones');
    assert.equal(await exhibit.stage('svg.plot path.curve').count(), 2);
  });

  test('accumulation over parts equals one batch; a mean of means does not', async () => {
    await exhibit.choose('accumulation');
    for (const parts of [8, 2]) {
      await exhibit.choose(String(parts));
      const { whole, split, difference, losses, tokens, byTokens } = (await exhibit.result()).result;
      assert.ok(Math.abs(whole.loss - split.loss) < 1e-5);
      assert.ok(Math.abs(whole.gradNorm - split.gradNorm) < 1e-5);
      assert.ok(difference < 1e-4, 'a tenth of what AdamW’s first step moves a weight');
      assert.ok(split.peakBytes < whole.peakBytes);
      assert.equal(losses.length, parts);
      const total = tokens.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0);
      const mean = losses.reduce(
        (/** @type {number} */ sum, /** @type {number} */ loss, /** @type {number} */ i) =>
          sum + (loss * tokens[i]) / total,
        0,
      );
      assert.ok(Math.abs(mean - byTokens) < 1e-5 && Math.abs(mean - whole.loss) < 1e-5);
    }
    await exhibit.choose('average the parts, not the tokens');
    const { byParts, byTokens, losses } = (await exhibit.result()).result;
    const plain =
      losses.reduce((/** @type {number} */ sum, /** @type {number} */ loss) => sum + loss, 0) / losses.length;
    assert.ok(Math.abs(byParts - plain) < 1e-5);
    assert.notEqual(byParts, byTokens);
  });

  test('clipping keeps the direction', async () => {
    await exhibit.choose('clipping');
    await exhibit.slide('norm at most', 0.5);
    const clipped = await ops.clipGradNorm([training.start.gradients], 0.5);
    assertClose(await exhibit.numbers('clipped'), rowsOf(clipped.grads[0]), 'clipped');
    await exhibit.edit('gradients, row 1, column 1', 0);
    assert.equal((await exhibit.numbers('clipped'))[0][0], 0);
  });

  test('averaged weights are those of the last checkpoints', async () => {
    await exhibit.choose('averaging');
    await exhibit.slide('mean of the last', 1);
    const { losses, averaged } = (await exhibit.result()).result;
    assert.ok(Math.abs(averaged - losses[losses.length - 1][1]) < 1e-5, 'a mean of one');
    await exhibit.slide('mean of the last', 6);
    assert.notEqual((await exhibit.result()).result.averaged, averaged);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('caching', () => {
  const exhibit = opened('caching');

  test('both ways write the same; with the cache a step costs the same each time', async () => {
    const { kept, anew, text } = await exhibit.result();
    assert.deepEqual(
      kept.map((/** @type {{ id: number }} */ { id }) => id),
      anew.map((/** @type {{ id: number }} */ { id }) => id),
    );
    const model = await engine.load('austen');
    const written = await model.generate(caching.start.text, { maxNewTokens: 12, doSample: false }).result();
    assert.equal(text, caching.start.text + written.text);
    const macs = (/** @type {{ macs: number }[]} */ steps) => steps.map((step) => step.macs);
    assert.equal(macs(kept)[0], macs(anew)[0], 'the beginning is read in both');
    for (let i = 1; i < 12; i++) {
      assert.ok(macs(anew)[i] > macs(anew)[i - 1]);
      assert.ok(macs(kept)[i] < macs(anew)[i] / 3);
    }
    assert.ok(kept[11].cacheBytes > 0 && anew[11].cacheBytes === 0);
    assert.match(await exhibit.stage('.note').first().innerText(), /same tokens/);
  });

  test('length, text and head', async () => {
    await exhibit.slide('tokens to write', 4);
    assert.equal((await exhibit.result()).kept.length, 4);
    await exhibit.after(() => exhibit.element.getByRole('textbox', { name: 'beginning' }).fill('It is a truth'));
    await exhibit.slide('head', 1);
    const model = await engine.load('austen');
    const hook = 'blocks.0.attn.hook_pattern';
    /** @param {string} text */
    const pattern = async (text) => {
      const { shape, data } = (await model.run(text, { record: [hook] })).get(hook);
      return rowsOf({ shape: shape.slice(2), data }, 1);
    };
    const shown = () => exhibit.numbers('weights of the beginning, layer 0');
    assertClose(await shown(), await pattern('It is a truth'), 'the run’s weights');
    const long = 'It is a truth universally acknowledged, that a single man in possession of a good fortune';
    await exhibit.after(() => exhibit.element.getByRole('textbox', { name: 'beginning' }).fill(long));
    const first = (await pattern(long)).slice(0, 10).map((row) => row.slice(0, 10));
    assertClose(await shown(), first, 'of a longer text the first ten');
    await exhibit.reset();
  });

  test('weights kept by the keys alone: every row is the first', async () => {
    await exhibit.turn('what goes wrong if you cache the weights by the keys');
    const rows = await exhibit.numbers('weights kept by the keys alone');
    for (const row of rows) assert.deepEqual(row, rows[0]);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('checkpointing', () => {
  const exhibit = opened('checkpointing');

  test('equal weights, less memory, more work', async () => {
    for (const [layers, every] of [
      [8, 2],
      [6, 3],
    ]) {
      if (layers !== 8) {
        await exhibit.slide('layers N', layers);
        await exhibit.slide('keep every n-th', every);
      }
      const { all, some, difference, right } = await exhibit.result();
      const expected = await computed(checkpointing, { layers, every });
      for (const [got, wanted] of [
        [all, expected.all],
        [some, expected.some],
      ]) {
        assert.deepEqual([got.macs, got.peakBytes], [wanted.macs, wanted.peakBytes], 'counted, so equal everywhere');
        assert.ok(Math.abs(got.loss - wanted.loss) < 1e-4, 'roundings of eight layers');
      }
      assertClose([right], [expected.right], 'norms of the gradients');
      assert.deepEqual(
        await exhibit.values('memory'),
        [all, some].map(({ peakBytes }) => `${(peakBytes / 1e6).toFixed(2)} MB`),
      );
      assert.deepEqual(
        await exhibit.values('work'),
        [all, some].map(({ macs }) => `${(macs / 1e6).toFixed(0)} million`),
      );
      assert.equal(difference, 0);
      assert.equal(all.loss, some.loss);
      assert.ok(some.peakBytes < all.peakBytes * 0.8);
      assert.ok(some.macs > all.macs && some.macs < all.macs * 1.5, 'less than one more forward pass');
      assert.equal(right.length, layers);
      assert.ok(right.every((/** @type {number} */ norm) => norm > 1));
    }
    await exhibit.reset();
  });

  test('activations that are never computed again: earlier layers get no gradient', async () => {
    await exhibit.turn('what goes wrong if you drop activations and never compute them again');
    const { other } = await exhibit.result();
    assert.deepEqual(other.slice(0, 6), [0, 0, 0, 0, 0, 0]);
    assert.ok(other[7] > 1);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
