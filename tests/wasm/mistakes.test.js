// Mistakes through the functions that pages call: what PyTorch gives for the wrong formula, and names that the core knows.
import assert from 'node:assert/strict';
import test from 'node:test';
import { mistakes, ops, tensor } from '../../web/engine/index.js';
import { filled, readCases, testCases } from './cases.js';
import { assertFails } from './golden.js';

const all = readCases('mistakes.json');

testCases(all, mistakes);

test('every mistake that is listed has a case, and every case is listed', () => {
  const covered = new Map();
  for (const { op, args } of all.cases) {
    const made = [args.at(-1)?.mistake ?? []].flat();
    covered.set(op, new Set([...(covered.get(op) ?? []), ...made]));
  }
  for (const [op, known] of Object.entries(mistakes.names)) {
    assert.deepEqual([...covered.get(op)].sort(), [...known].sort(), op);
  }
});

test('a row that sees nothing is NaN in the mistake and zeros in the op', async () => {
  const q = tensor([
    [1, 2],
    [3, 4],
  ]);
  const mask = { shape: [2, 2], data: Uint8Array.of(0, 0, 1, 1) };
  const wrong = await mistakes.attention(q, q, q, { mask, mistake: 'nanRows' });
  const right = await ops.attention(q, q, q, { mask });
  assert.deepEqual([...wrong.weights.data.subarray(0, 2)], [NaN, NaN]);
  assert.deepEqual([...right.weights.data.subarray(0, 2)], [0, 0]);
  assert.deepEqual(wrong.weights.data.subarray(2), right.weights.data.subarray(2));
});

test('gradients never arrive below what was not computed again', async () => {
  const { args, upstream } = all.cases.find(({ name }) => name === 'encoder/neverRecomputed_pre_norm');
  const [x, stack, { mask }] = filled(args, all.values);
  const { shape, data } = all.values.get(upstream);
  const from = { shape, data: Float32Array.from(data) };
  const right = await ops.gradients('encoder', [x, stack, { mask, recomputeEvery: 1 }], from);
  const plain = await ops.gradients('encoder', [x, stack, { mask }], from);
  const wrong = await mistakes.gradients('encoder', [x, stack, { mask, mistake: 'neverRecomputed' }], from);
  assert.deepEqual(right, plain, 'computed again, gradients are the same to the bit');
  assert.ok(wrong.x.data.every((value) => value === 0) && right.x.data.some((value) => value !== 0));
  assert.deepEqual(wrong['layers.2.linear1.weight'], right['layers.2.linear1.weight']);
});

test('unknown mistakes are named', async () => {
  const x = tensor([[1, 2, 3]]);
  await assertFails(mistakes.layerNorm(x, { mistake: 'epsInside' }), 'bad-input', /layerNorm: mistake: .*epsOutside/s);
  await assertFails(mistakes.attention(x, x, x, { mistake: [], scales: 1 }), 'bad-input', /scales/);
  await assertFails(mistakes.gradients('layerNorm', [x, { mistake: 'epsOutside' }], x), 'bad-input', /no gradient/);
});
