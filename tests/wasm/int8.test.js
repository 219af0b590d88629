// Models whose weights are held in eight bits.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { create, load, train } from '../../web/engine/index.js';
import { assertFails } from './golden.js';
import { config, decoderConfig, encoderDecoderConfig } from './tiny.js';

/** The same model with weights of 32 and of 8 bits. @param {Record<string, any>} tiny */
async function both(tiny) {
  const exact = await create(tiny, { seed: 3 });
  const rounded = await load(await exact.save(), { dtype: 'int8' });
  return { exact, rounded };
}

/** @param {Float32Array} values @param {Float32Array} expected the root of the mean square of their difference, to that of the values */
function relative(values, expected) {
  const power = (/** @type {(i: number) => number} */ of) => expected.reduce((sum, _, i) => sum + of(i) ** 2, 0);
  return Math.sqrt(power((i) => values[i] - expected[i]) / power((i) => expected[i]));
}

for (const [tiny, input] of /** @type {const} */ ([
  [config, { ids: [[1, 2, 3, 4]] }],
  [decoderConfig, { ids: [[1, 2, 3, 4]] }],
  [encoderDecoderConfig, { ids: [[1, 2, 3, 4]], decoderIds: [[2, 5, 6]] }],
])) {
  test(`${tiny.model_type}: logits stay near those of 32 bits`, async () => {
    const { exact, rounded } = await both(tiny);
    const [expected, found] = await Promise.all([exact.run(input), rounded.run(input)]);
    const off = relative(found.output.logits.data, expected.output.logits.data);
    // Each weight is off by some 0.5 % of their deviation, and a dozen products follow one another.
    assert.ok(off > 0 && off < 0.05, `off by ${off}`);
    for (const model of [exact, rounded]) model.dispose();
  });
}

test('what parameter() gives is what the model computes with, and setParameter rounds', async () => {
  const { exact, rounded } = await both(decoderConfig);
  const name = 'transformer.h.0.mlp.c_fc.weight';
  const [was, is] = [await exact.parameter(name), await rounded.parameter(name)];
  assert.deepEqual(is.shape, was.shape);
  const largest = was.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  is.data.forEach((value, i) => assert.ok(Math.abs(value - was.data[i]) <= largest / 254 + 1e-6)); // half a step at most
  assert.ok(is.data.some((value, i) => value !== was.data[i]));

  const input = { ids: [[4, 5, 6]] };
  for (const { name } of exact.parameters()) await exact.setParameter(name, await rounded.parameter(name));
  const same = (await exact.run(input)).output.logits.data;
  const found = (await rounded.run(input)).output.logits.data;
  assert.ok(relative(found, same) < 1e-3, 'inputs of products are rounded to 1 in 32767');

  await rounded.setParameter(name, { shape: was.shape, data: was.data.map(() => 0.25) });
  for (const value of (await rounded.parameter(name)).data) assert.ok(Math.abs(value - 0.25) < 1e-7);
  const again = await load(await rounded.save());
  assert.deepEqual((await again.parameter(name)).data, (await rounded.parameter(name)).data);
  for (const model of [exact, rounded, again]) model.dispose();
});

test('steps with the cache choose what a pass over the whole text chooses', async () => {
  const { exact, rounded } = await both(decoderConfig);
  const prompt = [5, 6, 7];
  const { ids } = await rounded.generate({ ids: [prompt] }, { maxNewTokens: 8, eosTokenId: null }).result();
  const { logits } = (await rounded.run({ ids: [[...prompt, ...ids]] })).output;
  ids.forEach((id, i) => {
    const row = logits.data.subarray((prompt.length - 1 + i) * 16, (prompt.length + i) * 16);
    assert.equal(row.indexOf(Math.max(...row)), id);
  });
  for (const model of [exact, rounded]) model.dispose();
});

test('it is not trained, and says which dtype is', async () => {
  const { exact, rounded } = await both(config);
  const steps = train(rounded, { data: [{ ids: [1, 2], labels: 0 }] });
  await assertFails(steps.next(), 'unsupported', /dtype 'F32'.*int8/);
  assert.equal((await rounded.run({ ids: [[1, 2]] })).output.logits.shape[1], 3); // usable afterwards
  for (const model of [exact, rounded]) model.dispose();
});

test('other names of dtype are refused with those that are accepted', async () => {
  const model = await create(config);
  const files = await model.save();
  for (const dtype of ['int4', 'INT8', null, 8])
    await assertFails(load(files, /** @type {any} */ ({ dtype })), 'bad-input', /dtype: expected 'F32' or 'int8', got/);
  model.dispose();
});

const measure = `
  import { connect } from ${JSON.stringify(new URL('../../web/engine/connection.js', import.meta.url).href)};
  import { create, load } from ${JSON.stringify(new URL('../../web/engine/index.js', import.meta.url).href)};
  const config = { model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], vocab_size: 60000, n_embd: 256, n_layer: 2, n_head: 4,
    n_positions: 64 };
  // Made with another instance of the core, so that this one's memory is as new.
  const made = await create(config, { simd: 'baseline' });
  const files = await made.save();
  const values = made.parameters().reduce((sum, { shape }) => sum + shape.reduce((size, extent) => size * extent, 1), 0);
  const connection = await connect();
  const before = (await connection.call('memory', [])).most;
  await load(files, { dtype: 'int8' });
  console.log(((await connection.call('memory', [])).most - before) / values);
`;

test('opening a large checkpoint takes little more than a byte a weight', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', measure], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  // A byte and 1/32 for scales; 17 million weights; read in parts of 4 MB, which are in memory as bytes and as values.
  assert.ok(Number(stdout) < 2, `${stdout} bytes a weight`);
});
