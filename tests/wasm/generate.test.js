// Generation through the public interface: equal to transformers, equal with and without the cache, watched, edited, ended.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { connect } from '../../web/engine/connection.js';
import { create, load, Run } from '../../web/engine/index.js';
import { assertFails, goldenFolder, largestDifference, readJson } from './golden.js';
import { decoderConfig, encoderDecoderConfig, withTokenizer } from './tiny.js';

const { cases, tolerance } = readJson('generate/generate.json');
const folder = (name) => path.join(goldenFolder, 'generate', name);
const inputOf = ({ ids, decoderIds }) => ({ ids: [ids], ...(decoderIds ? { decoderIds: [decoderIds] } : {}) });
const memory = async () => (await (await connect()).call('memory', [])).inUse;

for (const name of [...new Set(cases.map(({ model }) => model))]) {
  test(`${name} writes what transformers writes`, async () => {
    const model = await load(folder(name));
    for (const one of cases.filter((each) => each.model === name)) {
      const { ids, score, text, steps, ending } = await model.generate(inputOf(one), one.options).result();
      assert.deepEqual(ids, one.expect.ids, one.name);
      if ('score' in one.expect)
        assert.ok(Math.abs(score - one.expect.score) < tolerance.score, `${one.name}: ${score}`);
      assert.equal(text, '', 'no tokenizer');
      assert.ok(steps.length >= ids.length && ['end-token', 'length'].includes(ending), one.name);
    }
    model.dispose();
  });

  test(`${name}: a step's logits and patterns are those of a run over the whole text`, async () => {
    const model = await load(folder(name));
    const two = model.kind === 'encoder-decoder';
    const prompt = [5, 9, 3, 7];
    const own = two ? 'decoder.' : '';
    const record = [`${own}blocks.0.attn.hook_pattern`, `${own}blocks.0.hook_resid_post`];
    if (two) record.push('decoder.blocks.0.cross_attn.hook_pattern', 'encoder.blocks.0.attn.hook_pattern');
    const options = { maxNewTokens: 6, beams: 1, eosTokenId: null, forcedEosTokenId: null, record };
    const { ids, steps } = await model.generate({ ids: [prompt] }, options).result();
    assert.equal(steps.length, 6);
    const start = two ? [model.config.decoder_start_token_id] : prompt;
    const whole = [...start, ...ids.slice(0, -1)];
    const full = await model.run(two ? { ids: [prompt], decoderIds: [whole] } : { ids: [whole] }, { record });
    const last = (tensor) => tensor.data.subarray(-tensor.shape.at(-1));
    let past = 0;
    for (const [i, { run, cacheBytes, id, top, logprob }] of steps.entries()) {
      const length = i === 0 ? start.length : 1;
      const row = past + length - 1;
      const vocab = full.output.logits.shape[2];
      // The same sums in another order, and a softmax over other lengths: roundings of numbers of size 10.
      const near = (actual, expected, what) =>
        assert.ok(largestDifference(actual, expected, what) < 2e-5, `${name} step ${i}: ${what}`);
      assert.deepEqual(run.output.logits.shape, [1, 1, vocab]);
      near(run.output.logits.data, full.output.logits.data.subarray(row * vocab, (row + 1) * vocab), 'logits');
      const pattern = run.get(record[0]);
      const [, heads, , keys] = pattern.shape;
      assert.deepEqual(pattern.shape, [1, heads, length, past + length]);
      const wide = full.get(record[0]).shape[3];
      for (let h = 0; h < heads; ++h) {
        const expected = full.get(record[0]).data.subarray((h * wide + row) * wide, (h * wide + row) * wide + keys);
        near(
          pattern.data.subarray((h * length + length - 1) * keys, (h * length + length) * keys),
          expected,
          'pattern',
        );
      }
      const width = full.get(record[1]).shape[2];
      near(last(run.get(record[1])), full.get(record[1]).data.subarray(row * width, (row + 1) * width), 'resid');
      if (two) {
        assert.deepEqual(run.get(record[2]).shape, [1, full.get(record[2]).shape[1], length, prompt.length]);
        assert.equal(run.names.includes(record[3]), i === 0, 'the encoder runs once');
        assert.equal('encoderLastHidden' in run.output, i === 0);
        assert.deepEqual(run.tokens, [prompt.map(String)]);
        assert.deepEqual(run.targetIds, [i === 0 ? start : [ids[i - 1]]]);
      } else {
        assert.deepEqual(run.ids, [i === 0 ? start : [ids[i - 1]]]);
        assert.equal(run.targetTokens, null);
      }
      assert.ok(run instanceof Run && cacheBytes > 0 && Number.isInteger(cacheBytes));
      assert.equal(top[0].id, id);
      assert.equal(top[0].logprob, logprob);
      past += length;
    }
    model.dispose();
  });
}

test('edits reach cached steps, their positions counted from the text’s beginning', async () => {
  for (const name of ['gpt2', 'llama', 't5', 'marian']) {
    const model = await load(folder(name));
    const two = model.kind === 'encoder-decoder';
    const own = two ? 'decoder.' : '';
    const prompt = [5, 9, 3, 7];
    const start = two ? [model.config.decoder_start_token_id] : prompt;
    const at = start.length + 1; // the token that is generated second
    const edits = [
      { at: `${own}blocks.0.attn.hook_pattern`, where: { head: 0, key: 0 }, set: 0 },
      { at: `${own}blocks.0.hook_resid_post`, where: { pos: at }, scale: -1 },
      { at: `${own}blocks.0.attn.hook_z`, where: { pos: start.length - 1, head: 1 }, add: 0.5 },
    ];
    if (two) edits.push({ at: 'encoder.blocks.0.mlp.hook_post', set: 0.25 });
    if (two) edits.push({ at: 'decoder.blocks.0.cross_attn.hook_v', where: { pos: 2 }, set: 0 });
    const options = { maxNewTokens: 5, beams: 1, eosTokenId: null, forcedEosTokenId: null };
    const { ids, steps } = await model.generate({ ids: [prompt] }, { ...options, edits }).result();
    const whole = [...start, ...ids.slice(0, -1)];
    const input = two ? { ids: [prompt], decoderIds: [whole] } : { ids: [whole] };
    const [full, plain] = [await model.run(input, { edits }), await model.run(input)];
    const vocab = full.output.logits.shape[2];
    for (const [i, { run }] of steps.entries()) {
      const row = start.length - 1 + i;
      const expected = full.output.logits.data.subarray(row * vocab, (row + 1) * vocab);
      assert.ok(largestDifference(run.output.logits.data, expected, name) < 2e-5, `${name} step ${i}`);
      const unedited = plain.output.logits.data.subarray(row * vocab, (row + 1) * vocab);
      assert.ok(largestDifference(expected, unedited, name) > 1e-3, `${name} step ${i}: the edits do something`);
    }
    model.dispose();
  }
});

test('beams: running texts, their scores and parents at every step', async () => {
  const model = await load(folder('gpt2'));
  const record = ['blocks.0.attn.hook_pattern'];
  const generation = model.generate({ ids: [[4, 28, 17]] }, { beams: 3, maxNewTokens: 4, eosTokenId: null, record });
  let before = null;
  for await (const { beams, run } of generation) {
    assert.equal(beams.length, 3);
    for (const { ids, score, parent } of beams) {
      assert.deepEqual(ids.slice(0, -1), before ? before[parent].ids : []);
      if (before && ids.length < 4) assert.ok(score <= before[parent].score);
    }
    assert.deepEqual(run.get(record[0]).shape, before ? [3, 2, 1, 2 + before[0].ids.length + 1] : [1, 2, 3, 3]);
    assert.deepEqual(run.ids, before ? before.map(({ ids }) => [ids.at(-1)]) : [[4, 28, 17]]);
    before = beams;
  }
  const { ids, score } = await generation.result();
  assert.equal(ids.length, 4);
  assert.ok(Number.isFinite(score));
  model.dispose();
});

test('sampling: a seed repeats it, another one does not; top-k of 1 is greedy', async () => {
  const model = await load(folder('llama'));
  const write = async (options) =>
    (await model.generate({ ids: [[4, 8]] }, { maxNewTokens: 12, ...options }).result()).ids;
  const sample = (seed, others) => write({ doSample: true, seed, temperature: 2, ...others });
  assert.deepEqual(await sample(1), await sample(1));
  assert.notDeepEqual(await sample(1), await sample(2));
  assert.deepEqual(await sample(3, { topK: 1 }), await write({}));
  assert.deepEqual(await sample(3, { topP: 0 }), await write({}));
  assert.equal((await sample(4, { beams: 3 })).length > 0, true);
  model.dispose();
});

test('text: prompts, pieces, stop strings, special tokens left out', async () => {
  const model = await withTokenizer(decoderConfig);
  const prompt = 'a large wild cat';
  const options = { maxNewTokens: 6, suppressTokens: [0, 1, 10, 11, 12, 13, 14, 15] };
  const generation = model.generate(prompt, options);
  const pieces = [];
  for await (const { text, token, id, run } of generation) {
    assert.equal(token, model.tokenizer.token(id));
    assert.deepEqual(run.tokens[0].length, pieces.length === 0 ? 6 : 1);
    if (pieces.length === 0) assert.deepEqual(run.offsets[0].slice(1, 3), [[0, 1], [2, 7]]); // prettier-ignore
    pieces.push(text);
  }
  const { text, ids, steps, ending } = await generation.result();
  assert.equal(pieces.join(''), text);
  assert.equal(text, model.tokenizer.decode(ids, { skipSpecial: true }));
  assert.deepEqual([ids.length, steps.length, ending], [6, 0, 'length']);

  const first = ids.findIndex((id) => id > 3);
  const word = model.tokenizer.decode([ids[first]]);
  const stopped = await model.generate(prompt, { ...options, stop: ['never', word.slice(0, -1)] }).result();
  assert.equal(stopped.ending, 'stop');
  assert.deepEqual(stopped.ids, ids.slice(0, first + 1), 'whole tokens');
  assert.equal(stopped.text, word.slice(0, -1), 'up to the end of what was found');
  assert.equal(stopped.steps.map((step) => step.text).join(''), stopped.text);
  model.dispose();
});

test('encoder–decoders: source and target texts, in runs and before generation', async () => {
  const model = await withTokenizer(encoderDecoderConfig);
  assert.equal(model.kind, 'encoder-decoder');
  assert.ok(model.hooks().some(({ name }) => name === 'decoder.blocks.0.cross_attn.hook_pattern'));
  const run = await model.run({ source: 'a wild cat', target: 'a dog' }, { record: ['*pattern'] });
  assert.deepEqual(run.tokens, [['[CLS]', 'a', 'wild', 'cat', '[SEP]']]);
  const start = model.tokenizer.token(model.config.decoder_start_token_id);
  assert.deepEqual(run.targetTokens, [[start, '[CLS]', 'a', 'dog']], 'behind the start token, without the end token');
  assert.deepEqual(run.output.logits.shape, [1, 4, 16]);
  assert.deepEqual(run.output.encoderLastHidden.shape, [1, 5, 8]);
  assert.deepEqual(run.get('decoder.blocks.0.cross_attn.hook_pattern').shape, [1, 2, 4, 5]);
  assert.deepEqual(run.get('encoder.blocks.0.attn.hook_pattern').shape, [1, 2, 5, 5]);
  const both = await model.run({ source: ['a wild cat', 'dog'], target: ['a dog', 'a large small cat'] });
  assert.deepEqual(both.targetMask, [[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]]); // prettier-ignore
  assert.deepEqual(both.output.logits.shape, [2, 6, 16]);
  assert.ok(
    largestDifference(both.output.logits.data.subarray(0, 64), run.output.logits.data, 'alone and padded') < 1e-5,
  );
  const ids = await model.run({ ids: run.ids, decoderIds: run.targetIds });
  assert.deepEqual(ids.output.logits.data, run.output.logits.data);

  const options = { maxNewTokens: 3, eosTokenId: null };
  const alone = await model.generate('a wild cat', options).result();
  const same = await model.generate({ source: 'a wild cat' }, options).result();
  assert.deepEqual(same.ids, alone.ids);
  const led = await model.generate({ source: 'a wild cat', target: 'a dog' }, options).result();
  assert.deepEqual(led.steps[0].run.targetTokens, run.targetTokens);
  assert.deepEqual(led.steps[0].run.targetOffsets[0].slice(2), [[0, 1], [2, 5]]); // prettier-ignore
  const vocab = 16;
  assert.ok(
    largestDifference(led.steps[0].run.output.logits.data, run.output.logits.data.subarray(3 * vocab), 'prefix') < 1e-5,
  );
  const fails = (input, pattern) => assertFails(model.run(input), 'bad-input', pattern);
  await fails('a wild cat', /source, target.*one side/);
  await fails({ source: 'a' }, /one side/);
  await fails({ source: ['a', 'b'], target: 'c' }, /target: expected 2 texts/);
  await fails({ source: 'a', target: 5 }, /target\[0\]: expected a string, got 5/);
  await fails({ ids: [[4]], decoderIds: [[4], [5]] }, /decoderIds: expected 1 sequences/);
  await fails({ ids: [[4]], decoderIds: [[99]] }, /decoderIds: .*99/);
  await fails({ ids: [[4]], decoderMask: [[1]] }, /decoderMask/);
  model.dispose();
});

test('ended between steps: abort, break, disposal; nothing stays and the model goes on', async () => {
  const model = await load(folder('marian'));
  const input = { ids: [[5, 6, 7]] };
  const options = { maxNewTokens: 20, eosTokenId: null, beams: 2 };
  await model.generate(input, options).result();
  const before = await memory();

  const stop = new AbortController();
  const aborted = model.generate(input, { ...options, signal: stop.signal });
  await aborted.next();
  assert.ok((await memory()) > before, 'a generation holds keys and values');
  stop.abort();
  assert.equal(await memory(), before, 'an abort frees them at once');
  await assertFails(aborted.next(), 'aborted', /generate/);
  assert.deepEqual(await aborted.next(), { done: true, value: undefined });
  await assertFails(aborted.result(), 'aborted', /generate/);
  await assertFails(model.generate(input, { signal: AbortSignal.abort() }).result(), 'aborted', /aborted/);

  const left = model.generate(input, { ...options, beams: 1 });
  for await (const step of left) {
    assert.ok(step.run);
    break;
  }
  assert.equal(await memory(), before, 'break frees them');
  const { ids, ending } = await left.result();
  assert.deepEqual([ids.length, ending], [1, null], 'what there was so far');

  await assertFails(model.generate(input, { ...options, edits: [{ at: 'decoder.blocks.0.hook_resid_pre', set: new Float32Array(3) }] }).result(), 'bad-input', /hook_resid_pre/); // prettier-ignore
  assert.equal(await memory(), before, 'an error frees them');
  for (let i = 0; i < 200; ++i) {
    const one = model.generate(input, { maxNewTokens: 2, beams: 1 + (i % 3) });
    if (i % 2) await one.result();
    else {
      await one.next();
      await one.return();
    }
  }
  assert.equal(await memory(), before, '200 generations leave nothing');

  const disposed = model.generate(input, options);
  await disposed.next();
  model.dispose();
  await assertFails(disposed.next(), 'disposed', /disposed/);
  assert.deepEqual(await disposed.return(), { done: true, value: undefined });
  await assertFails(model.generate(input).result(), 'disposed', /disposed/);
});

test('positions end: learned ones are all used, a longer prompt is refused', async () => {
  const model = await load(folder('gpt2'));
  const most = model.config.n_positions;
  const prompt = Array.from({ length: most - 3 }, (_, i) => 3 + (i % 20));
  const { ids, ending } = await model.generate({ ids: [prompt] }, { maxNewTokens: 50, eosTokenId: null }).result();
  assert.deepEqual([ids.length, ending], [4, 'positions'], 'the last token need not be read');
  const beams = await model.generate({ ids: [prompt] }, { maxNewTokens: 50, eosTokenId: null, beams: 2 }).result();
  assert.deepEqual([beams.ids.length, beams.ending], [4, 'positions']);
  const long = Array(most + 1).fill(3);
  await assertFails(model.generate({ ids: [long] }).result(), 'bad-input', /at most 32 tokens.*got 33/);
  model.dispose();
  const window = await create({ ...decoderConfig, model_type: 'mistral', architectures: ['MistralForCausalLM'], sliding_window: 5, ...llamaSizes }); // prettier-ignore
  const slid = await window.generate({ ids: [[3, 4, 5]] }, { eosTokenId: null }).result();
  assert.deepEqual([slid.ids.length, slid.ending], [3, 'positions']);
  window.dispose();
  const marian = await load(folder('marian')); // its sinusoids are a table too
  const endless = { maxNewTokens: 50, eosTokenId: null, forcedEosTokenId: null };
  for (const beams of [1, 2]) {
    const whole = await marian.generate({ ids: [[3, 4]] }, { ...endless, beams }).result();
    assert.deepEqual([whole.ids.length, whole.ending], [marian.config.max_position_embeddings, 'positions']);
  }
  const begun = { ids: [[3]], decoderIds: [[marian.config.decoder_start_token_id, 5]] };
  const masked = marian.generate({ ...begun, decoderMask: [[1, 0]] }).result();
  await assertFails(masked, 'bad-input', /decoderMask: expected no padding/);
  marian.dispose();
});

const collect = `
  import { connect } from ${JSON.stringify(new URL('../../web/engine/connection.js', import.meta.url).href)};
  import { load } from ${JSON.stringify(new URL('../../web/engine/index.js', import.meta.url).href)};
  const inUse = async () => (await (await connect()).call('memory', [])).inUse;
  const model = await load(${JSON.stringify(folder('marian'))});
  const begin = async () => void (await model.generate({ ids: [[5, 6]] }, { beams: 2 }).next());
  const settle = async () => { for (let i = 0; i < 10; ++i) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); } };
  await begin();
  await settle();
  const before = await inUse();
  for (let i = 0; i < 50; ++i) await begin();
  const during = await inUse();
  await settle();
  console.log(JSON.stringify({ before, during, after: await inUse() }));
`;

test('generations that are dropped are freed when collected', () => {
  const args = ['--expose-gc', '--input-type=module', '--eval', collect];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const { before, during, after } = JSON.parse(stdout);
  assert.ok(during > before, 'generations that go on take memory');
  assert.equal(after, before);
});

const llamaSizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, num_key_value_heads: 1, intermediate_size: 12, max_position_embeddings: 64 }; // prettier-ignore

test('probabilities that are NaN choose no token', async () => {
  const model = await load(folder('gpt2'));
  const input = { ids: [[3, 4, 5]] };
  const before = await model.generate(input, { maxNewTokens: 2 }).result();
  const edits = [{ at: 'blocks.0.hook_resid_post', set: NaN }];
  for (const how of [{}, { doSample: true, seed: 1 }, { beams: 2 }])
    await assertFails(model.generate(input, { maxNewTokens: 2, edits, ...how }).result(), 'bad-weights', /got NaN/);
  const again = await model.generate(input, { maxNewTokens: 2 }).result();
  assert.deepEqual(again.ids, before.ids, 'the model goes on');
  model.dispose();
});

test('what cannot be asked for', async () => {
  const model = await load(folder('gpt2'));
  const input = { ids: [[4, 5]] };
  const fails = (given, options, code, pattern) => assertFails(model.generate(given, options).result(), code, pattern);
  await fails(input, { beam: 2 }, 'bad-input', /no option "beam"; nearest: "beams"/);
  await fails(input, { beams: 0 }, 'bad-input', /beams/);
  await fails(input, { temperature: NaN }, 'bad-input', /temperature: expected a finite number, got NaN/);
  await fails(input, { temperature: null }, 'bad-input', /temperature: expected a value, or none at all, got null/);
  await fails(input, { topK: () => 5 }, 'bad-input', /topK: expected plain data, got function/);
  await fails(input, { suppressTokens: Float32Array.of(1, NaN) }, 'bad-input', /suppressTokens\.1: .*got NaN/);
  await fails(input, { topP: 2 }, 'bad-input', /topP/);
  await fails(input, { topK: 1n }, 'bad-input', /topK/);
  await fails(input, { suppressTokens: [1000] }, 'bad-input', /suppressTokens/);
  await fails(input, { earlyStopping: 'soon' }, 'bad-input', /earlyStopping/);
  await fails(input, { maxLength: 2 }, 'bad-input', /maxLength: expected more than the 2 tokens/);
  await fails(input, { record: ['blocks.9.hook_z'] }, 'not-found', /blocks\.9/);
  await fails(input, { edits: [{ at: 'nothing', set: 0 }] }, 'not-found', /nothing/);
  await fails(input, { signal: {} }, 'bad-input', /signal/);
  await fails(input, { stop: 'a' }, 'bad-input', /tokenizer/);
  await fails({ ids: [[4], [5]] }, {}, 'bad-input', /one sequence to go on with, got 2/);
  await fails({ ids: [[400]] }, {}, 'bad-input', /400/);
  await fails({ ids: [[4, 5]], mask: [[0, 1]] }, {}, 'bad-input', /padding/);
  await fails(
    { ids: [[4]], decoderIds: [[5]] },
    {},
    'bad-input',
    /decoderIds: expected none, as this model is a decoder/,
  );
  await fails({ source: 'a' }, {}, 'bad-input', /source/);
  await fails('a text', {}, 'bad-input', /no tokenizer/);
  assert.equal(
    (await model.generate(input, { suppressTokens: Int32Array.of(1, 2), maxNewTokens: 2 }).result()).ids.length,
    2,
  );
  const begun = await model.generate({ ids: [[]] }, { maxNewTokens: 2, eosTokenId: null }).result();
  assert.deepEqual(begun.steps[0].run.ids, [[model.config.bos_token_id]], 'an empty prompt is a text’s beginning');
  await fails({ ids: [[]] }, { bosTokenId: null }, 'bad-input', /at least one token/);
  model.dispose();

  const rotary = await load(folder('llama'));
  const huge = { beams: 1000, maxNewTokens: 10000000 };
  await assertFails(rotary.generate(input, huge).result(), 'out-of-memory', /1000 × 10000002 tokens need \d+ MB/);
  assert.equal((await rotary.generate(input, { maxNewTokens: 1 }).result()).ids.length, 1, 'usable afterwards');
  rotary.dispose();
  const encoder = await load(path.join(goldenFolder, 'models/bert_mlm'));
  await assertFails(encoder.generate(input).result(), 'bad-input', /this model is an encoder/);
  await assertFails(encoder.run({ ids: [[4]], decoderIds: [[5]] }), 'bad-input', /decoderIds: expected none/);
  encoder.dispose();
});

test('generation_config.json: honoured, written back, refused by name', async () => {
  const made = await create(decoderConfig, { seed: 2 });
  const files = await made.save();
  assert.ok(!('generation_config.json' in files));
  const settings = JSON.stringify({ max_new_tokens: 3, eos_token_id: null, transformers_version: '5.24.0' });
  const model = await load({ ...files, 'generation_config.json': settings });
  assert.equal((await model.generate({ ids: [[4]] }).result()).ids.length, 3);
  assert.equal((await model.generate({ ids: [[4]] }, { maxNewTokens: 2 }).result()).ids.length, 2);
  assert.equal((await model.save())['generation_config.json'], settings);
  const other = await load({ ...files, 'generation_config.json': '{"penalty_alpha": 0.6}' });
  await assertFails(
    other.generate({ ids: [[4]] }).result(),
    'unsupported',
    /generation_config\.json: penalty_alpha 0\.6/,
  );
  assert.equal((await other.run({ ids: [[4]] })).output.logits.shape[2], 16, 'runs all the same');
  for (const one of [made, model, other]) one.dispose();
});
