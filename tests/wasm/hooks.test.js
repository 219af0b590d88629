// Hooks, edits and parameters, as the interface states them.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { create, load, tensor } from '../../web/engine/index.js';
import { assertFails, goldenFolder, largestDifference } from './golden.js';
import { config } from './tiny.js';

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
  assert.throws(() => some.get(Symbol('hook')), { code: 'bad-input', message: /hook: expected a string, got symbol/ });
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
  const flat = await model.run({ ids: [input.ids.flat()] }, { record }); // as many values, in other places
  const shapes = /expected values of shape \[2, 4, 8\], as in this run, got \[1, 8, 8\]/;
  await refused({ at: 'blocks.1.hook_resid_post', from: flat }, 'bad-input', shapes);
  model.dispose();
});

test('an edit at any hook: nothing before it changes, it holds, and what is recorded beside it changes no bit', async () => {
  const model = await create({ ...config, initializer_range: 0.5 }, { seed: 4 });
  const input = {
    ids: [
      [2, 4, 5, 3],
      [2, 9, 8],
    ],
  };
  const other = {
    ids: [
      [2, 6, 7, 1],
      [3, 5, 2],
    ],
    typeIds: [
      [0, 1, 1, 1],
      [0, 0, 1],
    ],
  };
  const plain = await model.run(input, { record: ['*'] });
  const from = await model.run(other, { record: ['*'] });
  for (const [i, at] of plain.names.entries()) {
    const edits = [{ at, from }];
    const all = await model.run(input, { record: ['*'], edits });
    const alone = await model.run(input, { record: [at], edits });
    const bare = await model.run(input, { edits });
    assert.deepEqual(all.get(at), from.get(at), at);
    assert.deepEqual(alone.get(at), from.get(at), at);
    assert.deepEqual(alone.output, all.output, at);
    assert.deepEqual(bare.output, all.output, at);
    for (const earlier of plain.names.slice(0, i)) {
      assert.deepEqual(all.get(earlier), plain.get(earlier), `${earlier} is before ${at}`);
    }
    if (at === 'hook_pos_embed') continue; // the same in both
    assert.ok(largestDifference(all.output.logits.data, plain.output.logits.data, at) > 0, `${at} matters`);
  }
  assert.deepEqual((await model.run(input)).output, plain.output, 'the model is as it was');
  model.dispose();
});

test('parameters: listed, copied out, copied in', async () => {
  const model = await load(path.join(goldenFolder, 'models/bert_sequence_f16'));
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
  const zeros = tensor(new Float32Array(weight.data.length), shape);
  const setting = model.setParameter(name, zeros);
  zeros.data.fill(9);
  await setting;
  assert.equal((await model.parameter(name)).data[0], 0, 'what goes in is the values of the call');
  await assertFails(model.parameter('classifier.wieght'), 'not-found', /"classifier\.weight"/);
  model.dispose();
});
