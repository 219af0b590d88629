// Multiply-adds and memory: numbers that can be worked out by hand, and what they are compared for.
import assert from 'node:assert/strict';
import test from 'node:test';
import { create, ops, train } from '../../web/engine/index.js';
import { assertFails } from './golden.js';
import { decoderConfig, encoderDecoderConfig } from './tiny.js';

const filled = (...shape) => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(3 * i)),
});

test('products are counted, forward and backward', async () => {
  const x = filled(2, 5, 8);
  const linear = ['linear', [x, { weight: filled(12, 8) }]];
  const forward = 10 * 8 * 12;
  assert.equal((await ops.measure(...linear)).macs, forward);
  assert.equal((await ops.measure(...linear, filled(2, 5, 12))).macs, 3 * forward); // dW and dx too
  const q = filled(2, 3, 7, 4);
  const k = filled(2, 3, 9, 4);
  const attention = 2 * (6 * 7 * 9 * 4); // scores and values of 6 matrices
  assert.equal((await ops.measure('attention', [q, k, k])).macs, attention);
  assert.equal((await ops.measure('attention', [q, k, k], q)).macs, 3 * attention);
  assert.equal((await ops.measure('softmax', [x])).macs, 0);
});

test('Linformer and LSH attention take less work than full attention on a long text, and no matrix of its square', async () => {
  const T = 256;
  const x = filled(1, 2, T, 8);
  const square = 2 * T * T * 4; // bytes of one such matrix for two heads
  const full = await ops.measure('attention', [x, x, x]);
  assert.ok(full.peakBytes >= square);
  const e = filled(16, T);
  const cases = [
    ['linformerAttention', [x, x, x, { e, weights: false }]],
    ['lshAttention', [x, x, { buckets: 32, weights: false }]],
  ];
  for (const [name, args] of cases) {
    const { macs, peakBytes } = await ops.measure(name, args);
    assert.ok(macs < full.macs / 2, `${name}: ${macs} of ${full.macs}`);
    assert.ok(peakBytes < square, `${name}: ${peakBytes}`);
    const looked = await ops.measure(name, [...args.slice(0, -1), { ...args.at(-1), weights: true }]);
    assert.equal(looked.macs, macs, 'the matrix that is looked at is not counted');
  }
  const { macs } = await ops.measure(...cases[0]);
  assert.equal(macs, 2 * 2 * (16 * T * 8) + 2 * 2 * (T * 16 * 8)); // e k and f v, then scores and values, for two heads
});

test('a recomputed stack takes less memory and one forward more', async () => {
  const D = 16;
  const layer = {
    'self_attn.in_proj_weight': filled(3 * D, D),
    'self_attn.out_proj.weight': filled(D, D),
    'linear1.weight': filled(64, D),
    'linear2.weight': filled(D, 64),
    heads: 2,
    normFirst: true,
  };
  const x = filled(2, 32, D);
  const stack = { layers: Array.from({ length: 6 }, () => layer) };
  const forward = await ops.measure('encoder', [x, stack]);
  const kept = await ops.measure('encoder', [x, stack], x);
  const again = await ops.measure('encoder', [x, stack, { recomputeEvery: 1 }], x);
  assert.equal(kept.macs, 3 * forward.macs);
  assert.equal(again.macs, 4 * forward.macs);
  assert.ok(again.peakBytes < kept.peakBytes / 2, `${again.peakBytes} of ${kept.peakBytes}`);
});

test('a step of training tells its work: what recomputeEvery adds is at most one forward', async () => {
  const data = [{ ids: [1, 2, 3, 4, 5, 6, 7, 8], labels: [2, 3, 4, 5, 6, 7, 8, 9] }];
  const macs = [];
  for (const recomputeEvery of [0, 1]) {
    const model = await create({ ...decoderConfig, n_layer: 4 }, { seed: 1 });
    const { value } = await train(model, { data, steps: 1, batchSize: 1, recomputeEvery }).next();
    macs.push(value.macs);
    if (recomputeEvery) {
      const forward = (await model.run({ ids: [data[0].ids] })).macs;
      assert.ok(macs[1] - macs[0] > 0 && macs[1] - macs[0] < forward, `${macs}, forward ${forward}`);
    }
    model.dispose();
  }
});

test('without a cache: equal tokens, no bytes, and work that grows with the text', async () => {
  const cases = [
    [decoderConfig, { ids: [[2, 5, 6]] }],
    [encoderDecoderConfig, { ids: [[2, 5, 6, 3]] }],
  ];
  for (const [config, input] of cases) {
    const model = await create(config, { seed: 3 });
    const options = { maxNewTokens: 8, eosTokenId: null };
    const kept = await model.generate(input, options).result();
    const anew = await model.generate(input, { ...options, cache: false }).result();
    assert.deepEqual(anew.ids, kept.ids);
    assert.ok(anew.steps.every(({ cacheBytes }) => cacheBytes === 0));
    assert.ok(kept.steps.every(({ cacheBytes }) => cacheBytes > 0));
    assert.equal(anew.steps[0].macs, kept.steps[0].macs, 'the first step has nothing to remember');
    for (let i = 1; i < 8; ++i) {
      assert.ok(anew.steps[i].macs > anew.steps[i - 1].macs);
      assert.ok(kept.steps[i].macs < kept.steps[0].macs);
      // The run of a step covers what it read.
      const length = (anew.steps[i].run.targetIds ?? anew.steps[i].run.ids)[0].length;
      assert.equal(length, (anew.steps[0].run.targetIds ?? anew.steps[0].run.ids)[0].length + i);
    }
    await assertFails(model.generate(input, { cache: false, beams: 2 }).next(), 'bad-input', /cache/);
    model.dispose();
  }
});

test('what is measured is named', async () => {
  await assertFails(ops.measure('sofmax', [filled(2)]), 'not-found', /softmax/);
  await assertFails(ops.measure('softmax', filled(2)), 'bad-input', /measure: expected a list of arguments/);
  await assertFails(ops.measure('noamRate', [1, { dModel: 4, warmup: 1 }], 1), 'bad-input', /no gradient/);
});
