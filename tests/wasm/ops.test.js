// Every case of the reference values through ops.* and ops.gradients.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ops, tensor } from '../../web/engine/index.js';
import { assertClose, assertFails, detached, largestDifference, magnitude, readJson, readTensors } from './golden.js';

const { tolerance, cases, optimizers, tensors: file } = readJson('ops.json');
const values = readTensors(file);

/** Arguments with their tensors in place. */
function filled(argument) {
  if (argument === null || typeof argument !== 'object') return argument;
  if (Array.isArray(argument)) return argument.map(filled);
  if (argument.tensor) {
    const { shape, data } = values.get(argument.tensor);
    return { shape, data };
  }
  return Object.fromEntries(Object.entries(argument).map(([key, value]) => [key, filled(value)]));
}

/** What an op gave, by the names that the reference values have. */
function named(result) {
  if (typeof result === 'number') return { rate: { shape: [], data: [result] } };
  if (result.data) return { output: result };
  const { grads, norm, ...others } = result;
  if (!grads) return others;
  return { norm: { shape: [], data: [norm] }, ...Object.fromEntries(grads.map((grad, i) => [`grads.${i}`, grad])) };
}

for (const op of new Set(cases.map((one) => one.op))) {
  const ofOp = cases.filter((one) => one.op === op && !one.coreOnly);
  if (ofOp.length === 0) continue;
  test(`${op}: ${ofOp.length} cases`, async () => {
    for (const { name, args, expect, upstream, gradients, zeroGradients, ...own } of ofOp) {
      const limits = { ...tolerance, ...own.tolerance };
      const outputs = named(await ops[op](...filled(args)));
      assert.deepEqual(Object.keys(outputs).sort(), Object.keys(expect).sort(), `${name}: outputs`);
      for (const [key, at] of Object.entries(expect)) {
        assertClose(outputs[key], values.get(at), limits.forward, `${name} ${key}`);
      }
      if (!upstream) continue;
      const { shape, data } = values.get(upstream);
      const found = await ops.gradients(op, filled(args), { shape, data: Float32Array.from(data) });
      const scale =
        Math.max(...Object.values(gradients).map((at) => magnitude(values.get(at).data))) || magnitude(data);
      for (const [key, at] of Object.entries(gradients)) {
        const what = `${name} gradient of ${key}`;
        assert.ok(found[key], `${what} is missing among ${Object.keys(found)}`);
        if (zeroGradients.includes(key)) {
          const worst = largestDifference(found[key].data, values.get(at).data, what);
          assert.ok(worst <= limits.zeroGradient * scale, `${what}: ${worst}, expected zero`);
        } else {
          assertClose(found[key], values.get(at), limits.gradient, what);
        }
      }
    }
  });
}

for (const { name, options, initial, steps } of optimizers) {
  test(`${name}: ${steps.length} steps`, async () => {
    const all = (keys) => Object.fromEntries(Object.entries(keys).map(([key, at]) => [key, filled({ tensor: at })]));
    let state = { parameters: all(initial) };
    for (const [i, { lr, grads, expect, m, v }] of steps.entries()) {
      state = await ops.adamW(state, all(grads), { ...options, lr });
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
  await assertFails(ops.linear(x, { weight: 5 }), 'bad-input', /linear: weight: .* the number 5$/);
  await assertFails(ops.attention(x, x, { data: [1] }), 'bad-input', /attention: v: expected a tensor/);
  await assertFails(ops.softmax({ shape: [0], data: detached(new Float32Array(2)) }), 'bad-input', /softmax: x/);
  const loop = { bias: {} };
  loop.bias.bias = loop;
  await assertFails(ops.layerNorm(x, loop), 'bad-input', /layerNorm/);
});
