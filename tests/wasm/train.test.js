// Training through `train`: PyTorch's five steps, resuming, stopping, averages, and running between steps.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { create, load, train } from '../../web/engine/index.js';
import { assertFails, goldenFolder, largestDifference, readJson, readTensors, rowsOf } from './golden.js';

const { tolerance, runs } = readJson('train/train.json');

/** Examples of a golden step, without the padding, which is at the end. */
function examplesOf(tensors, i) {
  const given = (key) => tensors.get(`step${i}.${key}`);
  const rows = (key) => (given(key) ? rowsOf(given(key)) : null);
  const [ids, mask, types, decoderIds] = ['input_ids', 'attention_mask', 'token_type_ids', 'decoder_input_ids'].map(
    rows,
  );
  const targetMask = rows('decoder_attention_mask') ?? mask;
  const labels = given('labels');
  const real = (row, of) => {
    const length = of.filter(Boolean).length;
    assert.ok(
      of.slice(0, length).every((one) => one === 1),
      'padding is at the end',
    );
    return row.slice(0, length);
  };
  return ids.map((row, b) => ({
    ids: real(row, mask[b]),
    labels: labels.shape.length === 1 ? labels.data[b] : real(rowsOf(labels)[b], targetMask[b]),
    ...(types ? { typeIds: real(types[b], mask[b]) } : {}),
    ...(decoderIds ? { decoderIds: real(decoderIds[b], targetMask[b]) } : {}),
  }));
}

for (const run of runs) {
  test(`${run.name}: five steps as PyTorch's`, async () => {
    const tensors = readTensors(`train/${run.tensors}`);
    const model = await load(path.join(goldenFolder, run.model));
    const batches = run.steps.map((_, i) => examplesOf(tensors, i));
    let state;
    for (const [i, expected] of run.steps.entries()) {
      // One call a step, so that each has its own rate; the optimizer goes on through the state.
      const training = train(model, {
        data: batches[i],
        steps: i + 1,
        batchSize: batches[i].length,
        optimizer: { lr: expected.lr, betas: run.betas, eps: run.eps, weightDecay: run.weightDecay },
        labelSmoothing: run.labelSmoothing,
        clip: run.clip,
        dropout: 0,
        state,
      });
      const { value } = await training.next();
      assert.equal(value.step, i + 1);
      assert.ok(
        Math.abs(value.loss - expected.loss) <= tolerance.loss * expected.loss,
        `step ${i}: loss ${value.loss}`,
      );
      const offBy = Math.abs(value.gradNorm - expected.gradNorm);
      assert.ok(offBy <= tolerance.gradNorm * expected.gradNorm, `step ${i}: norm ${value.gradNorm}`);
      assert.equal((await training.next()).done, true);
      state = await training.state();
    }
    for (const { name } of model.parameters()) {
      if (run.zeroGradients.includes(name)) continue; // key biases: their gradients are rounding noise
      const { data } = await model.parameter(name);
      const worst = largestDifference(data, tensors.get(`after.${name}`).data, name);
      assert.ok(worst <= tolerance.parameters, `${name}: off by ${worst}`);
    }
    model.dispose();
  });
}

const tiny = {
  model_type: 'glassformer',
  architectures: ['GlassformerForSequenceClassification'],
  vocab_size: 12,
  hidden_size: 16,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 32,
  max_position_embeddings: 16,
  num_labels: 2,
};
// Which of two tokens there are more of.
const examples = Array.from({ length: 24 }, (_, i) => {
  const ids = Array.from({ length: 5 }, (_, t) => 3 + (((i + 1) * (t + 3) * 7) % 11 > 5 ? 1 : 0));
  return { ids, labels: ids.filter((id) => id === 4).length > 2 ? 1 : 0 };
});
const weightsOf = async (model) => {
  const values = [];
  for (const { name } of model.parameters()) values.push((await model.parameter(name)).data);
  return values;
};
const options = { data: examples, batchSize: 7, optimizer: { lr: 0.01 }, clip: 1, seed: 5 };

test('the loss falls, and the model can be run between steps', async () => {
  const model = await create(tiny, { seed: 1 });
  const losses = [];
  for await (const { step, loss, lr, gradNorm, tokensPerSecond } of train(model, {
    ...options,
    steps: 60,
    dropout: 0,
  })) {
    losses.push(loss);
    assert.equal(step, losses.length);
    assert.ok(lr > 0 && gradNorm > 0 && tokensPerSecond > 0);
    const { logits } = (await model.run({ ids: [[3, 4, 4]] })).output;
    assert.deepEqual(logits.shape, [1, 2]);
  }
  assert.equal(losses.length, 60);
  assert.ok(losses.at(-1) < 0.5 * losses[0], `from ${losses[0]} to ${losses.at(-1)}`);
  model.dispose();
});

test('stopped and resumed training gives the bits of one that went on, and equal seeds equal bits', async () => {
  const whole = await create(tiny, { seed: 2 });
  for await (const { step } of train(whole, { ...options, steps: 10 })) assert.ok(step <= 10);
  const again = await create(tiny, { seed: 2 });
  for await (const { step } of train(again, { ...options, steps: 10 })) assert.ok(step <= 10);
  assert.deepEqual(await weightsOf(again), await weightsOf(whole));

  const first = await create(tiny, { seed: 2 });
  const stopped = train(first, { ...options, steps: 10 });
  for await (const { step } of stopped) if (step === 4) break;
  const state = await stopped.state();
  assert.ok(state instanceof Uint8Array);
  const second = await create(tiny, { seed: 9 });
  const steps = [];
  for await (const { step } of train(second, { ...options, steps: 10, state })) steps.push(step);
  assert.deepEqual(steps, [5, 6, 7, 8, 9, 10]);
  assert.deepEqual(await weightsOf(second), await weightsOf(whole));
  for (const model of [whole, again, first, second]) model.dispose();
});

test('data: a generator is read to its end, an asynchronous one too', async () => {
  const model = await create(tiny);
  let closed = 0;
  async function* some() {
    try {
      yield* examples;
    } finally {
      closed += 1;
    }
  }
  const steps = [];
  for await (const { step } of train(model, { ...options, data: some() })) steps.push(step);
  assert.deepEqual(steps, [1, 2, 3, 4], '24 examples are three batches of 7 and one of 3');
  for await (const { step } of train(model, { ...options, data: some() })) if (step === 2) break;
  assert.equal(closed, 2, 'its end and break close the generator');
  await assertFails(train(model, { ...options, data: some(), accumulate: -1 }).next(), 'bad-input', /accumulate/);
  async function* wrong() {
    try {
      yield* [{ ids: [99], labels: 0 }, ...examples];
    } finally {
      closed += 1;
    }
  }
  await assertFails(train(model, { ...options, data: wrong() }).next(), 'bad-input', /99/);
  assert.equal(closed, 3, 'so does an error');
  model.dispose();
});

test('a signal ends training before the next step, and the model goes on', async () => {
  const model = await create(tiny);
  const stop = new AbortController();
  const seen = [];
  await assertFails(
    (async () => {
      for await (const { step } of train(model, { ...options, signal: stop.signal })) {
        seen.push(step);
        if (step === 3) stop.abort();
      }
    })(),
    'aborted',
    /aborted/,
  );
  assert.deepEqual(seen, [1, 2, 3]);
  for await (const { step } of train(model, { ...options, steps: 1 })) assert.equal(step, 1);
  model.dispose();
});

test('leaving the loop after the model was disposed of is no error', async () => {
  const model = await create(tiny);
  const seen = [];
  for await (const { step } of train(model, options)) {
    seen.push(step);
    model.dispose();
    break;
  }
  assert.deepEqual(seen, [1]);
});

test('only what is trainable changes; an average of the weights is what the model ends with', async () => {
  const model = await create(tiny, { seed: 3 });
  const before = await weightsOf(model);
  for await (const { step } of train(model, { ...options, steps: 2, trainable: ['classifier.*'] })) assert.ok(step);
  const after = await weightsOf(model);
  for (const [i, { name }] of model.parameters().entries()) {
    const same = before[i].every((value, j) => value === after[i][j]);
    assert.equal(same, !name.startsWith('classifier.'), name);
  }

  const plain = await create(tiny, { seed: 3 });
  const snapshots = [];
  for await (const { step } of train(plain, { ...options, steps: 4 }))
    if (step > 2) snapshots.push(await weightsOf(plain));
  const averaged = await create(tiny, { seed: 3 });
  for await (const { step } of train(averaged, { ...options, steps: 4, averageLast: 2 })) assert.ok(step);
  for (const [i, values] of (await weightsOf(averaged)).entries()) {
    const mean = values.map((_, j) => (snapshots[0][i][j] + snapshots[1][i][j]) / 2);
    assert.ok(largestDifference(values, mean, 'average') <= 1e-6, 'F32 rounding of a mean of two');
  }
  for (const one of [model, plain, averaged]) one.dispose();
});

test('bad options and examples are named, and change nothing', async () => {
  const model = await create(tiny, { seed: 4 });
  const before = await weightsOf(model);
  const tried = (changes) => train(model, { ...options, ...changes }).next();
  assert.throws(() => train(model, { ...options, stepz: 3 }), { code: 'bad-input', message: /"stepz".*"steps"/ });
  assert.throws(() => train(model, { ...options, clip: NaN }), { code: 'bad-input', message: /clip/ });
  assert.throws(() => train(model, { ...options, clip: 1n }), { code: 'bad-input', message: /clip: .*got 1n/ });
  for (const name of ['steps', 'batchSize', 'accumulate', 'dropout']) {
    for (const value of ['3', Symbol('three'), Object.create(null)]) {
      const message = new RegExp(`^${name}: expected a number, got`);
      assert.throws(() => train(model, { ...options, [name]: value }), { code: 'bad-input', message });
    }
  }
  const optimizer = { lr: null };
  assert.throws(() => train(model, { ...options, optimizer }), {
    code: 'bad-input',
    message: /optimizer\.lr: .*got null/,
  });
  assert.throws(() => train(model, { ...options, data: undefined }), { code: 'bad-input', message: /data/ });
  assert.throws(() => train({}, options), { code: 'bad-input', message: /a model/ });
  await assertFails(tried({ optimizer: { lr: -1 } }), 'bad-input', /lr/);
  await assertFails(tried({ optimizer: { lr: 1e7 } }), 'bad-input', /lr: expected a rate from 0 to below 1000000, got/);
  await assertFails(tried({ schedule: 'cosin' }), 'bad-input', /schedule.*cosin/);
  await assertFails(tried({ trainable: ['nothing.*'] }), 'bad-input', /nothing/);
  await assertFails(tried({ state: Uint8Array.of(1, 2, 3) }), 'bad-weights', /state/);
  assert.throws(() => tried({ state: new Uint8Array() }), { code: 'bad-input', message: /state: .* of 0/ });
  assert.throws(() => tried({ signal: 5 }), { code: 'bad-input', message: /signal/ });
  await assertFails(tried({ data: [{ ids: [3] }] }), 'bad-input', /labels/);
  await assertFails(tried({ data: [{ ids: [3.5], labels: 1 }] }), 'bad-input', /ids\[0\].*3\.5/);
  await assertFails(tried({ data: [{ ids: [99], labels: 1 }] }), 'bad-input', /99/);
  await assertFails(tried({ data: [{ ids: [3], labels: 7 }] }), 'bad-input', /7/);
  await assertFails(tried({ data: [] }), 'bad-input', /data/);
  const much = /batchSize × accumulate: .* 65536 examples a step, got 1000000000/;
  assert.throws(() => tried({ batchSize: 1e9 }), { code: 'bad-input', message: much });
  const one = train(model, options);
  await one.next();
  await assertFails(tried({}), 'bad-input', /trained already/);
  await one.return();
  const unchanged = await create(tiny, { seed: 4 });
  assert.deepEqual(before, await weightsOf(unchanged));
  for (const made of [model, unchanged]) made.dispose();
});

test('gradient checkpointing gives the same step in less memory', async () => {
  const deep = { ...tiny, num_hidden_layers: 6 };
  const peaks = [];
  const weights = [];
  for (const recomputeEvery of [0, 2]) {
    const model = await create(deep, { seed: 6 });
    const { value } = await train(model, { ...options, recomputeEvery }).next();
    peaks.push(value.peakBytes);
    weights.push(await weightsOf(model));
    model.dispose();
  }
  assert.deepEqual(weights[1], weights[0]);
  assert.ok(peaks[1] < peaks[0], `${peaks[1]} bytes instead of ${peaks[0]}`);
});
