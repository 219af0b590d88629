// What the core holds in memory: copies that outlive growth, nothing left behind by runs, loads, errors and dropped models.
// Finalizers need node --expose-gc, so that part starts a process of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { connect } from '../../web/engine/connection.js';
import { create, load, ops, tensor, train } from '../../web/engine/index.js';
import { assertFails, goldenFolder } from './golden.js';

const memory = async () => (await connect()).call('memory', []);
const folder = path.join(goldenFolder, 'models/bert_sequence');
const input = {
  ids: [
    [1, 2, 3, 4],
    [1, 2],
  ],
};

// The allocator counts what it rounds a block up by, some bytes that depend on what is free beside it.
const slack = 256;

/** Bytes in use after repeating `work`, less those after a first round of it that fills caches. */
async function growth(times, work) {
  for (let i = 0; i < 20; ++i) await work(i);
  const before = (await memory()).inUse;
  for (let i = 0; i < times; ++i) await work(i);
  return (await memory()).inUse - before;
}

test('values taken before the memory grows stay as they were', async () => {
  const model = await load(folder);
  const run = await model.run(input, { record: ['*'] });
  const weight = await model.parameter('bert.embeddings.word_embeddings.weight');
  const kept = [
    ...run.names.map((name) => run.get(name).data),
    ...Object.values(run.output).map(({ data }) => data),
    weight.data,
  ];
  const copies = kept.map((data) => [...data]);
  const { heap } = await memory();
  const large = await create({ ...model.config, architectures: ['BertModel'], vocab_size: 1000000 });
  assert.ok((await memory()).heap > heap, 'the memory has grown');
  kept.forEach((data, i) => assert.deepEqual([...data], copies[i]));
  assert.deepEqual((await model.run(input)).output.logits, run.output.logits);
  large.dispose();
  model.dispose();
});

test('a config that claims more than its files hold is refused before it takes memory', async () => {
  const names = ['config.json', 'model.safetensors'];
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name))]));
  const config = JSON.parse(files['config.json']);
  const { heap } = await memory();
  const refused = (changes, pattern) => {
    const claimed = { ...files, 'config.json': JSON.stringify({ ...config, ...changes }) };
    return assertFails(load(claimed), 'bad-weights', pattern);
  };
  await refused({ vocab_size: 16000000 }, /word_embeddings\.weight": expected shape \[16000000, 20\], got/);
  await refused({ num_hidden_layers: 1000 }, /lacks \d+ of \d+ tensors/);
  assert.equal((await memory()).heap, heap, 'the memory has not grown by what was claimed, 1.3 GB');
});

test('2,000 runs, with and without recording, leave nothing behind', async () => {
  const model = await load(folder);
  const grown = await growth(2000, async (i) => {
    const run = await model.run(input, i % 2 ? { record: ['*'], edits: [{ at: 'hook_embed', scale: 2 }] } : {});
    assert.equal(run.names.length > 0, i % 2 === 1);
  });
  assert.ok(grown < slack, `${grown} bytes`);
  model.dispose();
});

test('2,000 loads and disposals leave nothing behind', async () => {
  const made = await load(folder);
  const files = await made.save();
  made.dispose();
  const grown = await growth(2000, async () => {
    const model = await load(files);
    model.dispose();
  });
  assert.ok(grown < slack, `${grown} bytes`);
});

test('500 operations, trainings and parameters leave nothing behind', async () => {
  const model = await load(folder);
  const x = tensor([[1, 2, 3]]);
  const data = [
    { ids: [1, 2], labels: 0 },
    { ids: [1, 3, 4], labels: 1 },
  ];
  const grown = await growth(500, async () => {
    await ops.gradients('layerNorm', [x, { weight: tensor([1, 2, 3]), bias: tensor([1, 1, 1]) }], x);
    await model.setParameter('classifier.bias', await model.parameter('classifier.bias'));
    const training = train(model, { data, batchSize: 2, steps: 1, optimizer: { lr: 0 } });
    await training.next();
    await training.state();
  });
  assert.ok(grown < slack, `${grown} bytes`);
  model.dispose();
});

test('hundreds of errors of every kind leave the module as it was', async () => {
  const model = await load(folder);
  const files = await model.save();
  const before = (await model.run(input)).output.logits;
  const failing = [
    () => model.run({ ids: [[99999]] }),
    () => model.run(input, { record: ['nothing'] }),
    () => model.run(input, { edits: [{ at: 'blocks.0.hook_mlp_out', where: { pos: 99 }, set: 0 }] }),
    () => model.run(input, { edits: [{ at: 'blocks.1.hook_mlp_out', set: Float32Array.of(1, 2) }] }),
    () => model.parameter('nothing'),
    () => model.setParameter('classifier.bias', tensor([1])),
    () => create({ model_type: 'bert', hidden_size: 5 }),
    () => create({ ...model.config, vocab_size: 1000000, hidden_size: 1024, num_attention_heads: 4 }),
    () => load({ ...files, 'model.safetensors': files['model.safetensors'].slice(0, -1) }),
    () => load({ ...files, 'config.json': files['config.json'].replace('"bert"', '"bret"') }),
    () => ops.linear(tensor([[1, 2]]), { weight: tensor([[1]]) }),
    () => ops.gradients('softmax', [tensor([[1, 2]])], tensor([[1, 2, 3]])),
    () => train(model, { data: [{ ids: [1], labels: 99 }] }).next(),
    () => train(model, { data: [{ ids: [1], labels: 0 }], trainable: ['nothing'] }).next(),
    () => train(model, { data: [{ ids: [1], labels: 0 }], state: new Uint8Array(64) }).next(),
  ];
  const grown = await growth(40 * failing.length, (i) =>
    assert.rejects(failing[i % failing.length](), (error) => typeof error.code === 'string'),
  );
  assert.ok(grown < slack, `${grown} bytes`);
  assert.deepEqual((await model.run(input)).output.logits, before);
  model.dispose();
});

test('an allocation that fails in the middle is one error, and the module goes on', async () => {
  const model = await load(folder);
  const long = { ...model.config, max_position_embeddings: 40000, architectures: ['BertModel'] };
  const wide = await create(long);
  const { inUse } = await memory();
  await assert.rejects(wide.run({ ids: [Array(40000).fill(1)] }), { code: 'out-of-memory' });
  assert.ok((await memory()).inUse <= inUse, 'what the run had taken has been given back');
  assert.equal((await wide.run({ ids: [[1, 2]] })).output.lastHidden.shape[1], 2);
  assert.equal((await model.run(input)).output.logits.shape[0], 2);
  for (const one of [wide, model]) one.dispose();
});

const measure = `
  import { connect } from ${JSON.stringify(new URL('../../web/engine/connection.js', import.meta.url).href)};
  import { create, load } from ${JSON.stringify(new URL('../../web/engine/index.js', import.meta.url).href)};
  const config = { model_type: 'bert', architectures: ['BertModel'], vocab_size: 60000, hidden_size: 256, num_hidden_layers: 2,
    num_attention_heads: 4, intermediate_size: 512, max_position_embeddings: 64 };
  // Made with another instance of the core, so that this one's memory is as new.
  const made = await create(config, { seed: 1, simd: 'baseline' });
  const files = await made.save({ dtype: process.argv[1] });
  const expected = (await made.run({ ids: [[1, 59999]] })).output.pooled.data;
  const bytes = made.parameters().reduce((sum, { shape }) => sum + 4 * shape.reduce((size, extent) => size * extent, 1), 0);
  const connection = await connect();
  const before = (await connection.call('memory', [])).most;
  const model = await load(files);
  const most = (await connection.call('memory', [])).most - before;
  const pooled = (await model.run({ ids: [[1, 59999]] })).output.pooled.data;
  console.log(JSON.stringify({ ratio: most / bytes, off: Math.max(...pooled.map((value, i) => Math.abs(value - expected[i]))) }));
`;

for (const dtype of ['F32', 'F16']) {
  test(`opening a large ${dtype} checkpoint needs little more than its weights, and reads all of them`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', measure, dtype], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const { ratio, off } = JSON.parse(stdout);
    assert.ok(ratio < 1.3, `${ratio} times the weights`);
    // F32 is read as it was written; F16 keeps 11 bits of weights of 0.02.
    assert.ok(dtype === 'F32' ? off === 0 : off < 1e-3, `off by ${off}`);
  });
}

const collect = `
  import { connect } from ${JSON.stringify(new URL('../../web/engine/connection.js', import.meta.url).href)};
  import { load, train } from ${JSON.stringify(new URL('../../web/engine/index.js', import.meta.url).href)};
  const inUse = async () => (await (await connect()).call('memory', [])).inUse;
  const use = async () => {
    const model = await load(${JSON.stringify(folder)});
    await model.run({ ids: [[1, 2]] });
    await train(model, { data: [{ ids: [1, 2], labels: 0 }] }).next();
  };
  await use();
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
  const settle = async () => { for (let i = 0; i < 10; ++i) { gc(); await turn(); } };
  await settle();
  const before = await inUse();
  for (let i = 0; i < 50; ++i) await use();
  const during = await inUse();
  await settle();
  const after = await inUse();
  console.log(JSON.stringify({ before, during, after }));
`;

test('models and trainings that are dropped are freed when collected', () => {
  const args = ['--expose-gc', '--input-type=module', '--eval', collect];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  assert.equal(status, 0, stderr);
  const { before, during, after } = JSON.parse(stdout);
  assert.ok(during > before, 'models in use take memory');
  assert.equal(after, before);
});
