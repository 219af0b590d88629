// The engine as API.md states it: inputs, hooks, edits, saving, errors, disposal, and what waits.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { create, GlassError, load, Run, tensor } from '../../web/engine/index.js';
import { assertFails, goldenFolder, largestDifference } from './golden.js';

const folder = (name) => path.join(goldenFolder, name);
const config = {
  model_type: 'bert',
  architectures: ['BertForSequenceClassification'],
  vocab_size: 16,
  hidden_size: 8,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 12,
  max_position_embeddings: 10,
  type_vocab_size: 2,
  num_labels: 3,
};
const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content, id) => ({
    ...{ id, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  })),
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      ...[
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      ...[{ Sequence: { id: 'B', type_id: 1 } }, { SpecialToken: { id: '[SEP]', type_id: 1 } }],
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: { '[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, a: 4, large: 5, wild: 6, cat: 7, small: 8, dog: 9 },
  },
};

/** A model with a tokenizer, by way of its files. */
async function textModel() {
  const made = await create(config, { seed: 7 });
  const model = await load({ ...(await made.save()), 'tokenizer.json': JSON.stringify(tokenizer) });
  made.dispose();
  return model;
}
const near = (actual, expected, what) => {
  assert.deepEqual(actual.shape, expected.shape, what);
  const worst = largestDifference(actual.data, expected.data, what);
  assert.ok(worst <= 1e-5, `${what}: off by ${worst}`); // other shapes sum in the same order; padding adds exact zeros
};

test('inputs: text, texts, a pair and ids are the same model run', async () => {
  const model = await textModel();
  const one = await model.run('A large wild cat');
  assert.deepEqual(one.tokens, [['[CLS]', 'a', 'large', 'wild', 'cat', '[SEP]']]);
  assert.deepEqual(one.ids, [[2, 4, 5, 6, 7, 3]]);
  assert.deepEqual(one.mask, [[1, 1, 1, 1, 1, 1]]);
  assert.deepEqual(one.offsets[0].slice(1, 3), [
    [0, 1],
    [2, 7],
  ]);
  assert.deepEqual(one.output.logits.shape, [1, 3]);
  assert.deepEqual(one.output.lastHidden.shape, [1, 6, 8]);
  assert.deepEqual(one.output.pooled.shape, [1, 8]);
  assert.ok(one.ms > 0 && one.names.length === 0);

  const both = await model.run(['a large wild cat', 'dog']);
  assert.deepEqual(both.ids[1], [2, 9, 3, 0, 0, 0]);
  assert.deepEqual(both.mask[1], [1, 1, 1, 0, 0, 0]);
  assert.equal(both.tokens[1][5], '[PAD]');
  const dog = await model.run('dog');
  near({ shape: [1, 3], data: both.output.logits.data.slice(0, 3) }, one.output.logits, 'the first of a batch');
  near({ shape: [1, 3], data: both.output.logits.data.slice(3) }, dog.output.logits, 'the second of a batch');

  const pair = await model.run({ text: 'a cat', pair: 'a dog' });
  assert.deepEqual(pair.typeIds, [[0, 0, 0, 0, 1, 1, 1]]);
  assert.deepEqual(pair.sequence, [[null, 0, 0, null, 1, 1, null]]);
  const ids = await model.run({ ids: [[2, 4, 7, 3, 4, 9, 3]], typeIds: [[0, 0, 0, 0, 1, 1, 1]] });
  assert.deepEqual(ids.output.logits.data, pair.output.logits.data);
  const ragged = await model.run({ ids: [Int32Array.of(2, 9, 3), [2, 4, 5, 6, 7, 3]] });
  assert.deepEqual(ragged.mask, [
    [1, 1, 1, 0, 0, 0],
    [1, 1, 1, 1, 1, 1],
  ]);
  near({ shape: [1, 3], data: ragged.output.logits.data.slice(0, 3) }, dog.output.logits, 'padded ids');
  model.dispose();
});

test('a text longer than the model reads is cut, and says so', async () => {
  const model = await textModel();
  const run = await model.run('cat '.repeat(25000));
  assert.equal(run.ids[0].length, 10);
  assert.deepEqual(run.truncated, [25000 - 8]);
  assert.equal(model.tokenizer.encode('cat '.repeat(20)).truncated, 12);
  assert.deepEqual((await model.run('')).tokens, [['[CLS]', '[SEP]']]);
  for (const odd of ['\u0000\u0001', '\ud800', '🐈', 'كلب', 'e\u0301']) {
    assert.ok((await model.run(odd)).output.logits.data.every(Number.isFinite), JSON.stringify(odd));
  }
  model.dispose();
});

test('inputs that make no sense are refused by argument', async () => {
  const model = await textModel();
  const refused = (input, pattern, options) => assertFails(model.run(input, options), 'bad-input', pattern);
  await refused(5, /input: expected .* got 5/);
  await refused([], /input: expected at least one text/);
  await refused(['a', 5], /input\[1\]: .* got 5/);
  await refused({ text: 5 }, /input: .*/);
  await refused({ ids: [] }, /ids: expected at least one sequence/);
  await refused({ ids: [[]] }, /ids: expected at least one sequence of at least one token/);
  await refused({ ids: [1, 2] }, /ids\[0\]: expected a list/);
  await refused({ ids: [[1, 2.5]] }, /ids\[0\]\[1\]: expected a whole number, got 2\.5/);
  await refused({ ids: [[1, 16]] }, /ids: expected values from 0 to 15, got 16 in sequence 0 at position 1/);
  await refused({ ids: [[1, -1]] }, /ids: .* got -1/);
  await refused({ ids: [Array(11).fill(1)] }, /at most 10 tokens/);
  await refused({ ids: [[1, 2]], mask: [[1]] }, /mask\[0\]: expected 2 values/);
  await refused({ ids: [[1, 2]], mask: [[1, 2]] }, /mask: expected values from 0 to 1, got 2/);
  await refused({ ids: [[1]], typeIds: [[2]] }, /typeIds: expected values from 0 to 1, got 2/);
  await refused({ ids: [[1]], typeIDs: [[0]] }, /"typeIDs"; nearest: "typeIds"/);
  await refused('a', /no option "recrod"; nearest: "record"/, { recrod: [] });
  await refused('a', /record: expected a list/, { record: 'hook_embed' });
  const plain = await load(folder('models/bert_base'));
  assert.equal(plain.tokenizer, null);
  await assertFails(plain.run('text'), 'bad-input', /no tokenizer; expected \{ ids \}/);
  for (const one of [model, plain]) one.dispose();
});

test('hooks: names and axes, recording by pattern, errors with the nearest names', async () => {
  const model = await create(config);
  const hooks = model.hooks();
  assert.equal(hooks.length, 3 + 2 * 13);
  assert.deepEqual(hooks.find(({ name }) => name === 'blocks.1.attn.hook_pattern').dims, [
    'batch',
    'head',
    'query',
    'key',
  ]);
  assert.deepEqual(hooks.find(({ name }) => name === 'blocks.0.attn.hook_q').dims, ['batch', 'pos', 'head', 'dim']);
  const all = await model.run({ ids: [[2, 5, 3]] }, { record: ['*'] });
  assert.deepEqual(
    all.names,
    hooks.map(({ name }) => name),
  );
  const shapes = {
    hook_embed: [1, 3, 8],
    'blocks.0.attn.hook_z': [1, 3, 2, 4],
    'blocks.1.attn.hook_attn_scores': [1, 2, 3, 3],
    'blocks.0.mlp.hook_post': [1, 3, 12],
  };
  for (const [name, shape] of Object.entries(shapes)) assert.deepEqual(all.get(name).shape, shape, name);
  const some = await model.run({ ids: [[2, 5, 3]] }, { record: ['blocks.*.attn.hook_pattern', 'hook_embed'] });
  assert.deepEqual(some.names, ['hook_embed', 'blocks.0.attn.hook_pattern', 'blocks.1.attn.hook_pattern']);
  assert.deepEqual(some.dims('hook_embed'), ['batch', 'pos', 'dim']);
  assert.throws(() => some.get('blocks.0.attn.hook_pattren'), {
    code: 'not-found',
    message: /"blocks\.0\.attn\.hook_pattern"/,
  });
  assert.throws(() => some.get('hook_pos_embed'), { code: 'not-found', message: /not recorded.*"hook_embed"/ });
  await assertFails(model.run({ ids: [[1]] }, { record: ['blocks.*.hook_patern'] }), 'not-found', /nearest: "blocks/);
  model.dispose();
});

test('edits: set, scale, add and another run, before anything downstream', async () => {
  const model = await create({ ...config, initializer_range: 0.5 }, { seed: 3 });
  const input = {
    ids: [
      [2, 4, 5, 3],
      [2, 9, 8, 3],
    ],
  };
  const record = ['blocks.0.attn.hook_pattern', 'blocks.0.attn.hook_z', 'blocks.1.hook_resid_post'];
  const plain = await model.run(input, { record });
  const edited = (edits) => model.run(input, { record, edits });
  const pattern = 'blocks.0.attn.hook_pattern';

  const zeroed = await edited([{ at: 'blocks.0.attn.hook_z', where: { head: 1 }, set: 0 }]);
  const z = zeroed.get('blocks.0.attn.hook_z');
  const before = plain.get('blocks.0.attn.hook_z');
  z.data.forEach((value, i) => assert.equal(value, Math.floor(i / 4) % 2 === 1 ? 0 : before.data[i]));
  assert.ok(
    largestDifference(zeroed.output.logits.data, plain.output.logits.data, 'logits') > 1e-4,
    'it is seen downstream',
  );

  const scaled = await edited([{ at: pattern, where: { batch: 0, head: 0, query: -1 }, scale: 0.5 }]);
  const rows = scaled.get(pattern).data;
  plain.get(pattern).data.forEach((value, i) => assert.equal(rows[i], i >= 12 && i < 16 ? value * 0.5 : value));

  const added = await edited([
    { at: pattern, where: { batch: 1, head: 1, query: 2 }, add: Float32Array.of(1, 2, 3, 4) },
  ]);
  const from = 16 + 32 + 8 - 16 + 16;
  plain
    .get(pattern)
    .data.forEach((value, i) =>
      assert.equal(added.get(pattern).data[i], Math.fround(value + (i >= from && i < from + 4 ? i - from + 1 : 0))),
    );

  // All of another run's values give that run; one sequence's, that sequence.
  const other = await model.run(
    {
      ids: [
        [2, 7, 6, 3],
        [2, 7, 7, 3],
      ],
    },
    { record: ['blocks.1.hook_resid_post'] },
  );
  const whole = await edited([{ at: 'blocks.1.hook_resid_post', from: other }]);
  assert.deepEqual(whole.output.logits.data, other.output.logits.data);
  const part = await edited([{ at: 'blocks.1.hook_resid_post', where: { batch: 1 }, from: other }]);
  assert.deepEqual(
    [...part.output.logits.data],
    [...plain.output.logits.data.slice(0, 3), ...other.output.logits.data.slice(3)],
  );
  assert.deepEqual((await edited([])).output.logits.data, plain.output.logits.data, 'nothing stays behind');

  const refused = (edit, code, pattern) => assertFails(edited([edit]), code, pattern);
  await refused(
    { at: 'blocks.0.attn.hook_zz', set: 0 },
    'not-found',
    /edits\[0\]: no hook .*nearest: "blocks\.0\.attn\.hook_z"/,
  );
  await refused({ at: pattern }, 'bad-input', /one of set, scale, add and from, got none/);
  await refused({ at: pattern, set: 0, add: 1 }, 'bad-input', /one of set/);
  await refused({ at: pattern, set: 'x' }, 'bad-input', /set: expected a number/);
  await refused({ at: pattern, where: { pos: 0 }, set: 0 }, 'bad-input', /"pos"/);
  await refused({ at: pattern, where: { head: 2 }, set: 0 }, 'bad-input', /head below 2, got 2/);
  await refused({ at: pattern, where: { head: 0.5 }, set: 0 }, 'bad-input', /head: expected a whole number/);
  await refused({ at: pattern, set: Float32Array.of(1, 2) }, 'bad-input', /1 value or 64, got 2/);
  await refused({ at: pattern, from: other }, 'not-found', /not recorded/);
  await refused({ at: pattern, from: {} }, 'bad-input', /expected a Run/);
  model.dispose();
});

test('parameters: listed, copied out, copied in', async () => {
  const model = await load(folder('models/bert_sequence_f16'));
  const list = model.parameters();
  assert.ok(list.every(({ dtype }) => dtype === 'F16'));
  const { name, shape } = list.find((one) => one.name === 'classifier.weight');
  const weight = await model.parameter(name);
  assert.deepEqual(weight.shape, shape);
  const input = { ids: [[1, 2, 3]] };
  const before = (await model.run(input)).output.logits;
  await model.setParameter(
    name,
    tensor(
      weight.data.map((x) => 2 * x),
      shape,
    ),
  );
  const bias = await model.parameter('classifier.bias');
  const after = (await model.run(input)).output.logits;
  const doubled = before.data.map((x, i) => 2 * (x - bias.data[i]) + bias.data[i]);
  assert.ok(largestDifference(after.data, doubled, 'logits') <= 1e-5, 'seen by the next run');
  weight.data.fill(9);
  assert.notEqual((await model.parameter(name)).data[0], 9, 'what came out is a copy');
  await assertFails(model.setParameter(name, tensor([1, 2])), 'bad-input', /classifier\.weight.*expected shape/);
  await assertFails(model.setParameter(name, [1, 2]), 'bad-input', /expected a tensor/);
  await assertFails(model.parameter('classifier.wieght'), 'not-found', /"classifier\.weight"/);
  model.dispose();
});

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
  await assertFails(load(good, { dtype: 'int3' }), 'unsupported', /"int3"/);
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
  bad(/at most 5 axes/, [[[[[[1]]]]]]);
  bad(/expected numbers/, ['1'], [1]);
  bad(/expected a list of values/, 5, [1]);
});
