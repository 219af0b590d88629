// Papers, and cheaper attention: every control is touched, numbers on screen are the core's, mistakes do what they say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as engine from '../../web/engine/index.js';
import papers from '../../web/elements/exhibits/papers.js';
import { assertClose, computed, course, rowsOf } from './exhibit.js';

const { ops } = engine;

const { opened } = course();

describe('papers', () => {
  const exhibit = opened('papers');

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
    await exhibit.write('target', 'Y');
    await exhibit.write('source', 'He said');
    const [, , cross] = (await exhibit.result()).result.patterns;
    assert.deepEqual(cross.shape.slice(1), [16, 2, 3], 'start and Y; He, said and the end');
    await exhibit.reset();
  });

  test('BERT: guesses for [MASK], segments, the pooled vector', async () => {
    await exhibit.choose('BERT');
    const model = await engine.load('words');
    const text = 'the dog [MASK] in the house';
    await exhibit.write('text with a [MASK]', text);
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
    await exhibit.write('second segment', 'it barks');
    const { segments, pooled, pairTokens } = (await exhibit.result()).result;
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
      const { plain, reversible } = (await exhibit.result()).result;
      const expected = (await computed(papers, { paper: 'reversible', layers })).result;
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
      const { cheap, full, tokens } = (await computed(papers, state)).result;
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
    const { full } = (await computed(papers, { paper: 'lsh' })).result;
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
    assert.ok((await exhibit.result()).result.most > 0.01);
    for (const k of [papers.start.k, 2]) {
      if (k !== papers.start.k) await exhibit.slide('k', k);
      const { cheap, full } = (await computed(papers, { paper: 'linformer', k })).result;
      const [amounts, whole] = [
        await exhibit.numbers('what the projection amounts to'),
        await exhibit.numbers('full attention'),
      ];
      assertClose(amounts, rowsOf(cheap.weights, papers.start.head), `k = ${k}`);
      assertClose(whole, rowsOf(full.weights, papers.start.head), 'full attention');
    }
    const length = (await exhibit.result()).result.tokens.length;
    await exhibit.slide('k', length);
    assert.ok((await exhibit.result()).result.most < 1e-4, 'the mixing is the identity');
    await exhibit.write('text', 'the dog');
    assert.equal((await exhibit.numbers('full attention')).length, 4);
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
