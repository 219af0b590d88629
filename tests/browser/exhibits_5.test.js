// Training, cache, checkpointing, papers: every control is touched, numbers on screen are the core's, mistakes do what they say.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as engine from '../../web/engine/index.js';
import caching from '../../web/elements/exhibits/caching.js';
import checkpointing from '../../web/elements/exhibits/checkpointing.js';
import papers from '../../web/elements/exhibits/papers.js';
import training from '../../web/elements/exhibits/training.js';
import { assertClose, openExhibit, rowsOf } from './exhibit.js';
import { openBrowser } from './page.js';

const { ops } = engine;
const core = { .../** @type {any} */ (engine), model: (/** @type {string} */ name) => engine.load(name) };
const waiting = { signal: new AbortController().signal, progress() {} };

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
/** @type {Awaited<ReturnType<typeof openExhibit>>} */
let exhibit;
before(async () => {
  site = await openBrowser();
});
after(() => site?.close());

/** @param {string} name */
function opened(name) {
  before(async () => {
    exhibit = await openExhibit(site, name);
  });
  after(() => exhibit?.close());
}

/** What was computed for what is chosen. */
const result = async () => (await exhibit.shown()).result;

describe('training', () => {
  opened('training');

  test('the schedule is the core’s, and highest where warm-up ends', async () => {
    await exhibit.slide('warm-up', 2000);
    await exhibit.slide('d_model', 256);
    const { points, top } = (await result()).result;
    for (const [step, rate] of [points[0], points[50], points[99]])
      assert.ok(Math.abs(rate - 256 ** -0.5 * Math.min(step ** -0.5, step * 2000 ** -1.5)) < 1e-9, `step ${step}`);
    assert.equal(top, await ops.noamRate(2000, { dModel: 256, warmup: 2000 }));
    assert.ok(points.every(([, rate]) => rate <= top));
    // Dragging moves the end of the warm-up.
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
      await exhibit.stage('svg.plot').boundingBox()
    );
    await exhibit.after(async () => {
      await exhibit.page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
      await exhibit.page.mouse.down();
      await exhibit.page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
      await exhibit.page.mouse.up();
    });
    await exhibit.page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('glass-exhibit[name="training"]')).shown.state.warmup > 5000,
    );
  });

  test('step 0 divides by zero', async () => {
    await exhibit.choose('count steps from 0');
    const { zero } = (await result()).result;
    assert.equal(zero.byStep, Infinity);
    assert.match(await exhibit.stage('.note').first().innerText(), /at step 0.*∞/s);
  });

  test('smoothed labels add up to 1, and not when undivided', async () => {
    await exhibit.choose('label smoothing');
    const sum = async () =>
      (await result()).result.targets.data.reduce((/** @type {number} */ all, /** @type {number} */ x) => all + x, 0);
    assert.ok(Math.abs((await sum()) - 1) < 1e-6);
    await exhibit.slide('smoothing ε', 0.2);
    const labels = { shape: [1], data: Int32Array.of(0) };
    const right = await ops.crossEntropy(training.start.logits, labels, { labelSmoothing: 0.2 });
    assert.ok(Math.abs((await result()).result.loss - right.loss.data[0]) < 1e-6);
    await exhibit.edit('logits for “the cat sat on the …”, row 1, mat', 4);
    assert.ok((await result()).result.probabilities.data[0] > 0.8);
    await exhibit.choose('smooth without dividing by the number of classes');
    assert.ok((await sum()) > 1.5);
    await exhibit.choose('take a softmax of probabilities');
    const { loss, other } = (await result()).result;
    assert.ok(other > loss, 'a softmax of a softmax is flatter');
  });

  test('accumulation over parts equals one batch; a mean of means does not', async () => {
    await exhibit.choose('accumulation');
    for (const parts of [8, 2]) {
      await exhibit.choose(String(parts));
      const { whole, split, difference, losses, tokens, byTokens } = (await result()).result;
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
    const { byParts, byTokens, losses } = (await result()).result;
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
    const { losses, averaged } = (await result()).result;
    assert.ok(Math.abs(averaged - losses[losses.length - 1][1]) < 1e-5, 'a mean of one');
    await exhibit.slide('mean of the last', 6);
    assert.notEqual((await result()).result.averaged, averaged);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('caching', () => {
  opened('caching');

  test('both ways write the same; with the cache a step costs the same each time', async () => {
    const { kept, anew, text } = await result();
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
    assert.equal((await result()).kept.length, 4);
    await exhibit.after(() => exhibit.element.getByRole('textbox', { name: 'beginning' }).fill('It is a truth'));
    await exhibit.slide('head', 1);
    const expected = await caching.compute(
      { ...caching.start, steps: 4, text: 'It is a truth', head: 1 },
      core,
      waiting,
    );
    assertClose(await exhibit.numbers('weights of the beginning, layer 0'), rowsOf(expected.right.weights), 'weights');
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
  opened('checkpointing');

  test('equal weights, less memory, more work', async () => {
    for (const [layers, every] of [
      [8, 2],
      [6, 3],
    ]) {
      if (layers !== 8) {
        await exhibit.slide('layers N', layers);
        await exhibit.slide('keep every n-th', every);
      }
      const { all, some, difference, right } = await result();
      const expected = await checkpointing.compute({ ...checkpointing.start, layers, every }, core, waiting);
      for (const [got, wanted] of [
        [all, expected.all],
        [some, expected.some],
      ]) {
        assert.deepEqual([got.macs, got.peakBytes], [wanted.macs, wanted.peakBytes], 'counted, so equal everywhere');
        assert.ok(Math.abs(got.loss - wanted.loss) < 1e-4, 'roundings of eight layers');
      }
      assertClose([right], [expected.right], 'norms of the gradients');
      const values = (/** @type {string} */ label) =>
        exhibit.stage(`ul[aria-label="${label}"] .value`).allTextContents();
      assert.deepEqual(
        await values('memory'),
        [all, some].map(({ peakBytes }) => `${(peakBytes / 1e6).toFixed(2)} MB`),
      );
      assert.deepEqual(
        await values('work'),
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
    const { other } = await result();
    assert.deepEqual(other.slice(0, 6), [0, 0, 0, 0, 0, 0]);
    assert.ok(other[7] > 1);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});

describe('papers', () => {
  opened('papers');

  test('LSH attention: buckets, rounds, directions, heads', async () => {
    /** @param {Record<string, any>} patch */
    const check = async (patch) => {
      const state = { ...papers.start, ...patch };
      const { cheap, full, tokens } = await papers.compute(state, core, waiting);
      const shown = await exhibit.numbers('LSH attention');
      assertClose(shown, rowsOf(cheap.weights, state.head), JSON.stringify(patch));
      assertClose(await exhibit.numbers('full attention, queries as keys'), rowsOf(full.weights, state.head), 'full');
      const [buckets] = await exhibit.numbers('buckets of the first round');
      assert.equal(buckets.length, tokens.length);
      assert.ok(buckets.every((bucket) => Number.isInteger(bucket) && bucket >= 0 && bucket < state.buckets));
    };
    await check({});
    await exhibit.slide('buckets', 2);
    await check({ buckets: 2 });
    await exhibit.slide('rounds of hashing', 8);
    await check({ buckets: 2, hashes: 8 });
    await exhibit.after(() => exhibit.element.getByRole('button', { name: 'other directions' }).click());
    await check({ buckets: 2, hashes: 8, seed: 2 });
    await exhibit.slide('head', 0);
    await check({ buckets: 2, hashes: 8, seed: 2, head: 0 });
    await exhibit.reset();
  });

  test('one bucket is full attention, in which nobody looks at itself', async () => {
    const { full } = await papers.compute(papers.start, core, waiting);
    const model = await engine.load('words');
    const names = ['q', 'v'].map((name) => `blocks.1.attn.hook_${name}`);
    const run = await model.run(papers.start.text, { record: names });
    const [q, v] = names.map((name) => {
      const { shape, data } = run.get(name); // [1, T, H, K]
      const [, length, heads, width] = shape;
      const one = new Float32Array(length * width);
      for (let t = 0; t < length; t++) {
        const at = (t * heads + papers.start.head) * width;
        one.set(data.subarray(at, at + width), t * width);
      }
      return { shape: [length, width], data: one };
    });
    const [length, width] = q.shape;
    const unit = q.data.map((value, i) => {
      const from = i - (i % width);
      return value / Math.hypot(...q.data.subarray(from, from + width));
    });
    const mask = {
      shape: [length, length],
      data: Uint8Array.from({ length: length * length }, (_, i) => +(i % (length + 1) !== 0)),
    };
    const { weights } = await ops.attention(q, { shape: q.shape, data: unit }, v, { mask, scale: 1 });
    assertClose(
      await exhibit.numbers('full attention, queries as keys'),
      rowsOf(weights),
      'queries as keys of length 1',
    );
    assertClose(rowsOf(full.weights, papers.start.head), rowsOf(weights), 'one bucket');
  });

  test('projected keys: with k as large as the text nothing is lost', async () => {
    await exhibit.choose('projected keys (Linformer)');
    assert.ok((await result()).most > 0.01);
    for (const k of [papers.start.k, 2]) {
      if (k !== papers.start.k) await exhibit.slide('k', k);
      const { cheap, full } = await papers.compute({ ...papers.start, variant: 'linformer', k }, core, waiting);
      const [amounts, whole] = [
        await exhibit.numbers('what the projection amounts to'),
        await exhibit.numbers('full attention'),
      ];
      assertClose(amounts, rowsOf(cheap.weights, papers.start.head), `k = ${k}`);
      assertClose(whole, rowsOf(full.weights, papers.start.head), 'full attention');
    }
    const length = (await result()).tokens.length;
    await exhibit.slide('k', length);
    assert.ok((await result()).most < 1e-4, 'the mixing is the identity');
    await exhibit.after(() => exhibit.element.getByLabel('text', { exact: true }).fill('the dog'));
    assert.equal((await exhibit.numbers('full attention')).length, 4);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
