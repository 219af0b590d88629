// A model's life: made, opened, saved, waited for, disposed of; and tensors.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { create, GlassError, load, Run, tensor } from '../../web/engine/index.js';
import { assertFails, detached, goldenFolder, largestDifference } from './golden.js';
import { config, textModel } from './tiny.js';

const folder = (name) => path.join(goldenFolder, name);

test('create: equal seeds give equal weights, and a config is checked', async () => {
  const [a, b, c] = await Promise.all([1, 1, 2].map((seed) => create(config, { seed })));
  const table = 'bert.embeddings.word_embeddings.weight';
  const [one, same, other] = await Promise.all([a, b, c].map((model) => model.parameter(table)));
  assert.deepEqual(same, one);
  assert.notDeepEqual(other, one);
  assert.equal(a.family, 'bert');
  assert.equal(a.kind, 'encoder');
  assert.deepEqual(a.config, config);
  for (const model of [a, b, c]) model.dispose();
  await assertFails(create({ ...config, hidden_size: 7 }), 'bad-config', /hidden_size 7/);
  await assertFails(create({ ...config, hidden_size: '8' }), 'bad-config', /hidden_size/);
  await assertFails(create({ ...config, model_type: 'gpt9' }), 'unsupported', /"gpt9"/);
  await assertFails(create({ ...config, hidden_act: 'mish' }), 'unsupported', /"mish"/);
  await assertFails(create({ ...config, vocab_size: -1 }), 'bad-config', /vocab_size/);
  const huge = { ...config, vocab_size: 1000000, hidden_size: 1024 };
  await assertFails(create(huge), 'out-of-memory', /the weights need \d+ MB/);
  await assertFails(create(undefined), 'bad-config', /config/);
  await assertFails(create({ ...config, vocab_size: NaN }), 'bad-config', /"vocab_size".*NaN/);
  await assertFails(create({ ...config, vocab_size: 16n }), 'bad-config', /"vocab_size": expected a number, got 16n/);
  await assertFails(create({ ...config, hidden_act: Symbol('relu') }), 'bad-config', /"hidden_act".*got symbol/);
  const loop = { ...config };
  loop.itself = loop;
  await assertFails(create(loop), 'bad-config', /JSON/);
  await assertFails(create(config, { seed: -1 }), 'bad-input', /seed/);
  await assertFails(create(config, { simd: 'avx' }), 'bad-input', /simd/);
});

test('save: what is written opens again with equal numbers, in every stored type', async () => {
  for (const name of [
    'models/bert_mlm_hub',
    'models/electra_sequence_f16_sharded',
    'models/bert_base_prefixed',
    'family/family_pre_mean',
  ]) {
    const model = await load(folder(name));
    const input = { ids: [[1, 2, 3, 4]] };
    const { output } = await model.run(input);
    const files = await model.save();
    assert.deepEqual(Object.keys(files), ['config.json', 'model.safetensors']);
    const again = await load(files);
    assert.deepEqual((await again.run(input)).output, output, name);
    const small = await load(await model.save({ dtype: 'F16' }));
    assert.ok(small.parameters().every(({ dtype }) => dtype === 'F16'));
    const worst = largestDifference((await small.run(input)).output.lastHidden.data, output.lastHidden.data, name);
    assert.ok(worst <= 0.02, `${name}: F16 has 11 bits; off by ${worst}`);
    for (const one of [model, again, small]) one.dispose();
  }
  const model = await textModel();
  const files = await model.save();
  const again = await load(new Map(Object.entries(files)).size === 3 ? files : {});
  assert.deepEqual((await again.run('a wild dog')).output, (await model.run('a wild dog')).output);
  await assertFails(model.save({ dtype: 'F64' }), 'bad-input', /"F64"/);
  await assertFails(model.save({ dtype: null }), 'bad-input', /dtype: .* got null/);
  for (const one of [model, again]) one.dispose();
});

test('disposed: at once, twice, while runs wait, during training of it', async () => {
  const model = await create(config);
  const input = { ids: [[1, 2]] };
  const kept = await model.run(input, { record: ['hook_embed'] });
  const waiting = [model.run(input), model.run(input), model.parameter('classifier.bias')];
  model.dispose();
  model.dispose();
  for (const one of waiting) await assertFails(one, 'disposed', /disposed/);
  await assertFails(model.run(input), 'disposed', /run: this model has been disposed/);
  await assertFails(model.save(), 'disposed', /save/);
  assert.equal(kept.get('hook_embed').data.length, 16, 'a run stays');
  const next = await create(config);
  assert.equal((await next.run(input)).output.logits.data.length, 3);
  next.dispose();
});

test('a run that was superseded while it waited is dropped', async () => {
  const model = await create(config);
  const input = { ids: [[1, 2]] };
  const stop = new AbortController();
  const first = model.run(input);
  const second = model.run(input, { signal: stop.signal });
  const third = model.run(input);
  stop.abort();
  await assertFails(second, 'aborted', /aborted/);
  assert.ok((await first) instanceof Run && (await third) instanceof Run);
  await assertFails(model.run(input, { signal: AbortSignal.abort() }), 'aborted', /aborted/);
  await assertFails(load(folder('models/bert_mlm'), { signal: AbortSignal.abort() }), 'aborted', /aborted/);
  const during = new AbortController();
  const loading = load(folder('models/bert_mlm'), { signal: during.signal, onProgress: () => during.abort() });
  await assertFails(loading, 'aborted', /aborted/);
  model.dispose();
});

test('load: progress, and errors that say which file and what', async () => {
  const seen = [];
  const model = await load(folder('models/bert_base_sharded'), { onProgress: (progress) => seen.push(progress) });
  model.dispose();
  const files = new Set(seen.map(({ file }) => file));
  assert.ok(files.has('config.json') && files.has('model-00005-of-00005.safetensors'), [...files].join());
  assert.ok(seen.every(({ loaded, total }) => loaded <= total));
  const made = await create(config);
  const good = await made.save();
  made.dispose();
  const refused = (changes, code, pattern) => assertFails(load({ ...good, ...changes }), code, pattern);
  const weights = good['model.safetensors'];
  await refused({ 'config.json': '{' }, 'bad-config', /config\.json/);
  await refused({ 'config.json': JSON.stringify({ ...config, num_hidden_layers: 3 }) }, 'bad-weights', /lacks \d+ of/);
  await refused(
    { 'config.json': JSON.stringify({ ...config, num_hidden_layers: 1 }) },
    'bad-weights',
    /does not explain/,
  );
  await refused(
    { 'config.json': JSON.stringify({ ...config, intermediate_size: 13 }) },
    'bad-weights',
    /expected shape/,
  );
  await refused({ 'model.safetensors': weights.slice(0, -4) }, 'bad-weights', /model\.safetensors/);
  await refused({ 'model.safetensors': weights.slice(0, 4) }, 'bad-weights', /model\.safetensors/);
  await refused({ 'model.safetensors': new Uint8Array(0) }, 'bad-weights', /model\.safetensors/);
  await refused({ 'model.safetensors': '<!doctype html><p>Not found' }, 'bad-weights', /model\.safetensors/);
  const broken = weights.slice();
  broken.fill(0xff, -4);
  await refused({ 'model.safetensors': broken }, 'bad-weights', /finite/);
  await refused({ 'tokenizer.json': '{}' }, 'bad-input', /tokenizer\.json/);
  await assertFails(load({ 'config.json': good['config.json'] }), 'not-found', /model\.safetensors/);
  await assertFails(load({}), 'not-found', /config\.json/);
  await assertFails(load(folder('models/nothing')), 'not-found', /nothing/);
  await assertFails(load(5), 'bad-input', /source/);
  await assertFails(load('https://'), 'bad-input', /source: .*"https:\/\/"/);
  await assertFails(load('a\0b/'), 'not-found', /could not be read/);
  await refused({ 'model.safetensors': detached(new Uint8Array(8)) }, 'bad-input', /model\.safetensors.*transferred/);
  await assertFails(load(good, { onProgress: 5 }), 'bad-input', /onProgress: expected a function, got 5/);
  const fail = () => {
    throw new Error('the caller’s');
  };
  await assert.rejects(load('topics', { onProgress: fail }), { message: 'the caller’s' });
  await assert.rejects(load('topics', { onTokenizer: fail }), { message: 'the caller’s' });
  await assertFails(load(good, { signal: {} }), 'bad-input', /signal: expected an AbortSignal/);
  await assertFails(load(good, { dtype: 'int3' }), 'bad-input', /'F32' or 'int8', got "int3"/);
  await assertFails(load(good, { onprogress: () => {} }), 'bad-input', /"onProgress"/);
});

test('tensor: from nested lists or values and a shape, checked', () => {
  assert.deepEqual(
    tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]),
    { shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) },
  );
  assert.deepEqual(tensor([1, 2, 3, 4], [2, 2]), { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) });
  assert.deepEqual(tensor(7), { shape: [], data: Float32Array.of(7) });
  assert.deepEqual(tensor([]), { shape: [0], data: new Float32Array() });
  const ids = Int32Array.of(1, 2);
  const made = tensor(ids, [1, 2]);
  ids[0] = 5;
  assert.deepEqual(made, { shape: [1, 2], data: Int32Array.of(1, 2) });
  const bad = (pattern, ...args) =>
    assert.throws(
      () => tensor(...args),
      (error) => error instanceof GlassError && error.code === 'bad-input' && pattern.test(error.message),
    );
  bad(/expected 2 entries at \[1\]/, [[1, 2], [3]]);
  bad(/expected a number at \[0,1\], got "x"/, [[1, 'x']]);
  bad(/expected a number at \[1\]/, [1, [2]]);
  bad(/expected 4 values for the shape \[2,2\], got 3/, [1, 2, 3], [2, 2]);
  bad(/whole numbers in the shape/, [1], [0.5]);
  bad(/expected a list of values, got BigInt64Array of 1/, new BigInt64Array(1), [1]);
  bad(/expected a number at \[\], got BigInt64Array of 1/, new BigInt64Array(1));
  bad(/expected a number at \[\], got Float32Array of 0/, detached(new Float32Array(2)));
  bad(/at most 5 axes/, [[[[[[1]]]]]]);
  bad(/expected numbers/, ['1'], [1]);
  bad(/expected a list of values/, 5, [1]);
});
