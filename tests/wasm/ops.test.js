// Every case of the reference values through ops.* and ops.gradients.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ops, tensor } from '../../web/engine/index.js';
import { filled, readCases, testCases } from './cases.js';
import { assertClose, assertFails, detached } from './golden.js';

const all = readCases('ops.json');
const { tolerance, optimizers, values } = all;

testCases(all, ops);

for (const { name, options, initial, steps } of optimizers) {
  test(`${name}: ${steps.length} steps`, async () => {
    const named = (keys) =>
      Object.fromEntries(Object.entries(keys).map(([key, at]) => [key, filled({ tensor: at }, values)]));
    let state = { parameters: named(initial) };
    for (const [i, { lr, grads, expect, m, v }] of steps.entries()) {
      state = await ops.adamW(state, named(grads), { ...options, lr });
      assert.equal(state.step, i + 1);
      for (const [part, keys] of Object.entries({ parameters: expect, m, v })) {
        for (const [key, at] of Object.entries(keys)) {
          assertClose(state[part][key], values.get(at), tolerance.forward, `step ${i} ${part} ${key}`);
        }
      }
    }
  });
}

test('a query that sees no key gets zeros', async () => {
  const q = tensor([
    [1, 2],
    [3, 4],
  ]);
  const mask = { shape: [2, 2], data: Uint8Array.of(0, 0, 1, 1) };
  const { output, weights } = await ops.attention(q, q, q, { mask });
  assert.deepEqual([...weights.data.subarray(0, 2)], [0, 0]);
  assert.deepEqual([...output.data.subarray(0, 2)], [0, 0]);
  assert.ok(output.data[2] > 0);
});

test('values are those of the call, whatever becomes of them while it waits', async () => {
  const x = tensor([1, 1]);
  const waiting = ops.softmax(x);
  x.data[0] = 100;
  assert.deepEqual((await waiting).data, Float32Array.of(0.5, 0.5));
});

test('rows of no values: a product is zero, or the bias', async () => {
  await ops.softmax(tensor([[1, 2, 3]])); // leaves something in the memory that comes next
  const empty = (...shape) => ({ shape, data: new Float32Array() });
  const zeros = await ops.linear(empty(2, 0), { weight: empty(3, 0) });
  assert.deepEqual(zeros, { shape: [2, 3], data: new Float32Array(6) });
  const { data } = await ops.linear(empty(2, 0), { weight: empty(3, 0), bias: tensor([1, 2, 3]) });
  assert.deepEqual(data, Float32Array.of(1, 2, 3, 1, 2, 3));
});

test('bad arguments are named', async () => {
  const x = tensor([[1, 2, 3]]);
  await assertFails(ops.softmax([[1, 2]]), 'bad-input', /softmax: x: expected a tensor/);
  await assertFails(ops.softmax({ shape: [2, 2], data: Float32Array.of(1) }), 'bad-input', /expected 4 values/);
  await assertFails(ops.linear(x, { weight: tensor([[1, 2]]) }), 'bad-input', /linear.*weight/s);
  await assertFails(ops.linear(x, { wieght: tensor([[1, 2, 3]]) }), 'bad-input', /weight/);
  await assertFails(ops.activation(x, 'sofplus'), 'bad-input', /activation.*sofplus/s);
  await assertFails(ops.gradients('softmaxx', [x], x), 'not-found', /"softmax"/);
  await assertFails(ops.gradients('softmax', x, x), 'bad-input', /list of arguments/);
  await assertFails(ops.embedding(tensor(Int32Array.of(0, 9)), tensor([[1], [2]])), 'bad-input', /9/);
  await assertFails(ops.layerNorm(x, { eps: -1 }), 'bad-input', /layerNorm: eps: expected a number of at least 0/);
  await assertFails(ops.rmsNorm(x, { eps: -1 }), 'bad-input', /rmsNorm: eps: expected a number of at least 0/);
  await assertFails(
    ops.attention(x, x, x, { scale: 1e300 }),
    'bad-input',
    /scale: expected a number that 32-bit floats/,
  );
  await assertFails(ops.linear(x, { weight: 5 }), 'bad-input', /linear: weight: .* the number 5$/);
  await assertFails(ops.attention(x, x, { data: [1] }), 'bad-input', /attention: v: expected a tensor/);
  await assertFails(ops.softmax({ shape: [0], data: detached(new Float32Array(2)) }), 'bad-input', /softmax: x/);
  const loop = { bias: {} };
  loop.bias.bias = loop;
  await assertFails(ops.layerNorm(x, loop), 'bad-input', /layerNorm/);
});
