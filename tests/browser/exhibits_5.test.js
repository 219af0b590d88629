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
    const told = () => exhibit.stage('.note').filter({ hasText: 'what it is asked for' }).innerText();
    const targets = async () => (await result()).result.targets.data;
    const sum = async () =>
      (await targets()).reduce((/** @type {number} */ all, /** @type {number} */ x) => all + x, 0);
    assert.ok(Math.abs((await sum()) - 1) < 1e-6);
    assert.match(await told(), /in all 1\.00/);
    await exhibit.slide('smoothing ε', 0.2);
    const labels = { shape: [1], data: Int32Array.of(0) };
    const right = await ops.crossEntropy(training.start.logits, labels, { labelSmoothing: 0.2 });
    assert.ok(Math.abs((await result()).result.right.loss - right.loss.data[0]) < 1e-6);
    // Softmax minus target, the gradient of every cross-entropy.
    const probabilities = await ops.softmax(training.start.logits);
    const target = await targets();
    assertClose(
      await exhibit.numbers('gradients of the loss'),
      [Array.from(probabilities.data, (p, i) => p - target[i])],
      'gradients',
    );
    await exhibit.edit('logits for “the cat sat on the …”, row 1, mat', 4);
    assert.ok((await result()).result.probabilities.data[0] > 0.8);
    await exhibit.choose('smooth without dividing by the number of classes');
    assert.ok((await sum()) > 1.5);
    assert.match(await told(), /in all 1\.80/);
    await exhibit.choose('take a softmax of probabilities');
    const flatter = (await result()).result;
    assert.ok(flatter.other.loss > flatter.right.loss, 'a softmax of a softmax is flatter');
  });

  test('a loss of logits taken for probabilities is negative or NaN, and holds no other word down', async () => {
    await exhibit.choose('take logits for probabilities');
    const { other, right } = (await result()).result;
    assert.ok(Math.abs(other.loss + Math.log(4)) < 1e-6, 'the right logit is 4');
    const [gradients] = await exhibit.numbers('gradients of the loss');
    assertClose([gradients], [[-1 / 4, 0, 0, 0, 0]], 'gradients');
    assertClose(await exhibit.numbers('gradients as they should be'), rowsOf(right.gradients), 'right ones');
    await exhibit.edit('logits for “the cat sat on the …”, row 1, mat', -1);
    assert.ok(Number.isNaN((await result()).result.other.loss));
    await exhibit.edit('logits for “the cat sat on the …”, row 1, mat', 4);
  });

  test('with the gradients of something else the loss stays where it is', async () => {
    await exhibit.choose('take the gradients of something else');
    const { other, right, paths } = (await result()).result;
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

  test('Attention Is All You Need: three attentions of a trained model, and layers of the paper’s sizes', async () => {
    const names = ['encoder.blocks.0.attn', 'decoder.blocks.0.attn', 'decoder.blocks.0.cross_attn'];
    const record = names.map((name) => `${name}.hook_pattern`);
    const model = await engine.load('translate');
    const { source, target, head } = papers.start;
    const run = await model.run({ source, target }, { record });
    const shown = ['encoder, to itself', 'decoder, to itself', 'decoder, to the encoder'];
    for (const [i, name] of record.entries()) {
      const { shape, data } = run.get(name);
      assertClose(await exhibit.numbers(shown[i]), rowsOf({ shape: shape.slice(2), data }, head), shown[i]);
    }
    assert.match(await exhibit.stage('.note').first().innerText(), /N = 3 layers, D = 128, F = 512, H = 4 heads/);
    // Parameters of an encoder and a decoder layer: 4 and 8 matrices D × D, two F × D with their biases each, 2 and 3 norms.
    const count = (/** @type {number} */ D, /** @type {number} */ F) =>
      12 * D * D + 2 * (2 * D * F + F + D) + 5 * 2 * D;
    for (const [size, D, F, H] of /** @type {[string, number, number, number][]} */ ([
      ['base', 512, 2048, 8],
      ['big', 1024, 4096, 16],
    ])) {
      await exhibit.choose(size);
      const said = await exhibit.stage('.note').first().innerText();
      assert.ok(said.includes(`N = 6 layers, D = ${D}, F = ${F}, H = ${H} heads`), said);
      assert.ok(said.includes(`${count(D, F).toLocaleString('en')} random weights`), said);
      await exhibit.slide('head', H - 1);
      const rows = await exhibit.numbers('decoder, to itself');
      rows.forEach((row, r) => assert.ok(row.slice(r + 1).every((weight) => weight === 0)));
    }
    await exhibit.after(() => exhibit.element.getByLabel('target', { exact: true }).fill('Y'));
    await exhibit.after(() => exhibit.element.getByLabel('source', { exact: true }).fill('He said'));
    const [, , cross] = (await result()).result.patterns;
    assert.deepEqual(cross.shape.slice(1), [16, 2, 3], 'start and Y; He, said and the end');
    await exhibit.reset();
  });

  test('BERT: guesses for [MASK], segments, the pooled vector', async () => {
    await exhibit.choose('BERT');
    const model = await engine.load('words');
    const text = 'the dog [MASK] in the house';
    await exhibit.after(() => exhibit.element.getByLabel('text with a [MASK]', { exact: true }).fill(text));
    await exhibit.slide('head', 0);
    const run = await model.run(text, { record: ['blocks.1.attn.hook_pattern'] });
    const pattern = run.get('blocks.1.attn.hook_pattern');
    assertClose(
      await exhibit.numbers('attention, layer 1'),
      rowsOf({ shape: pattern.shape.slice(2), data: pattern.data }),
      'head 0',
    );
    // The likeliest of the row of [MASK], by logits.
    const { shape, data } = /** @type {engine.Tensor} */ (run.output.logits);
    const at = run.tokens[0].indexOf('[MASK]') * shape[2];
    const logits = Array.from(data.subarray(at, at + shape[2]));
    const best = logits.indexOf(Math.max(...logits));
    const sum = logits.reduce((all, logit) => all + Math.exp(logit - logits[best]), 0);
    const [first] = await exhibit.stage('ul[aria-label="guesses"] li').allInnerTexts();
    assert.ok(first.includes(String(model.tokenizer?.token(best))), first);
    assert.ok(first.includes((1 / sum).toFixed(2)), `${first}, not ${1 / sum}`);
    await exhibit.after(() => exhibit.element.getByLabel('second segment', { exact: true }).fill('it barks'));
    const { segments, pooled, pairTokens } = (await result()).result;
    const rows = rowsOf(segments).map(String);
    const end = pairTokens.indexOf('[SEP]');
    assert.equal(new Set(rows.slice(0, end + 1)).size, 1, 'one vector for all of the first');
    assert.equal(new Set(rows.slice(end + 1)).size, 1, 'another for the second');
    assert.notEqual(rows[0], rows[end + 1]);
    assert.ok(
      pooled.data.every((/** @type {number} */ value) => Math.abs(value) < 1),
      'tanh',
    );
    await exhibit.element.getByLabel('text with a [MASK]', { exact: true }).fill('the dog');
    await exhibit.stage('.problem').waitFor();
    assert.match(await exhibit.stage('.problem').innerText(), /expected a \[MASK\]/);
    await exhibit.reset();
  });

  test('Transformers: folders of three families, their tensors’ names and their attention', async () => {
    await exhibit.choose('Transformers');
    for (const [folder, hook] of [
      ['topics', 'blocks.0.attn.hook_pattern'],
      ['austen', 'blocks.0.attn.hook_pattern'],
      ['translate', 'encoder.blocks.0.attn.hook_pattern'],
    ]) {
      if (folder !== 'topics') await exhibit.choose(folder);
      const model = await engine.load(folder);
      const names = await exhibit.stage('table[aria-label="tensors"] code').allTextContents();
      assert.deepEqual(
        names,
        model
          .parameters()
          .slice(0, names.length)
          .map(({ name }) => name),
      );
      const input = folder === 'translate' ? { source: papers.start.text, target: 'y' } : papers.start.text;
      const { shape, data } = (await model.run(input, { record: [hook] })).get(hook);
      const shown = await exhibit.numbers(`first attention of ${folder}`);
      assertClose(shown, rowsOf({ shape: shape.slice(2), data }, papers.start.head), folder);
    }
    await exhibit.reset();
  });

  test('reversible layers: less memory, more work', async () => {
    await exhibit.choose('reversible layers (Reformer)');
    let before = 0;
    for (const layers of [6, 12]) {
      if (layers !== 6) await exhibit.slide('layers N', layers);
      const { plain, reversible } = (await result()).result;
      const expected = (await papers.compute({ ...papers.start, paper: 'reversible', layers }, core, waiting)).result;
      assert.deepEqual(
        [plain.peakBytes, reversible.peakBytes, plain.macs, reversible.macs],
        [expected.plain.peakBytes, expected.reversible.peakBytes, expected.plain.macs, expected.reversible.macs],
      );
      assert.ok(reversible.peakBytes < plain.peakBytes / 2, `${reversible.peakBytes} of ${plain.peakBytes}`);
      assert.ok(reversible.macs > plain.macs && reversible.macs < plain.macs * 1.5, 'one more forward pass');
      const saved = plain.peakBytes - reversible.peakBytes;
      assert.ok(saved > before, 'the more the more layers');
      before = saved;
    }
    await exhibit.reset();
  });

  test('LSH attention: buckets, rounds, directions, heads', async () => {
    /** @param {Record<string, any>} patch */
    const check = async (patch) => {
      const state = { ...papers.start, paper: 'lsh', ...patch };
      const { cheap, full, tokens } = (await papers.compute(state, core, waiting)).result;
      const shown = await exhibit.numbers('LSH attention');
      assertClose(shown, rowsOf(cheap.weights, state.head), JSON.stringify(patch));
      assertClose(await exhibit.numbers('full attention, queries as keys'), rowsOf(full.weights, state.head), 'full');
      const [buckets] = await exhibit.numbers('buckets of the first round');
      assert.equal(buckets.length, tokens.length);
      assert.ok(buckets.every((bucket) => Number.isInteger(bucket) && bucket >= 0 && bucket < state.buckets));
    };
    await exhibit.choose('LSH attention (Reformer)');
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
    await exhibit.choose('LSH attention (Reformer)');
    const { full } = (await papers.compute({ ...papers.start, paper: 'lsh' }, core, waiting)).result;
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
    assert.ok((await result()).result.most > 0.01);
    for (const k of [papers.start.k, 2]) {
      if (k !== papers.start.k) await exhibit.slide('k', k);
      const { cheap, full } = (await papers.compute({ ...papers.start, paper: 'linformer', k }, core, waiting)).result;
      const [amounts, whole] = [
        await exhibit.numbers('what the projection amounts to'),
        await exhibit.numbers('full attention'),
      ];
      assertClose(amounts, rowsOf(cheap.weights, papers.start.head), `k = ${k}`);
      assertClose(whole, rowsOf(full.weights, papers.start.head), 'full attention');
    }
    const length = (await result()).result.tokens.length;
    await exhibit.slide('k', length);
    assert.ok((await result()).result.most < 1e-4, 'the mixing is the identity');
    await exhibit.after(() => exhibit.element.getByLabel('text', { exact: true }).fill('the dog'));
    assert.equal((await exhibit.numbers('full attention')).length, 4);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
