// Values of every odd kind where a name, a list or a number belongs: one error with a code, and the library goes on.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { create, load, ops, train } from '../../web/engine/index.js';
import { detached, goldenFolder } from './golden.js';

const odd = {
  'a bare object': () => Object.create(null),
  'a ring': () => {
    const ring = {};
    return Object.assign(ring, { ring });
  },
  'a symbol': () => Symbol('odd'),
  'a bigint': () => 5n,
  'a detached array': () => detached(Float32Array.of(1, 2)),
  bigints: () => new BigInt64Array(2),
  'a function': () => () => 1,
  'a promise': () => Promise.resolve(1),
  'a view of bytes': () => new DataView(new ArrayBuffer(4)),
};

const input = { ids: [[3, 4]] };
const one = { data: [{ ids: [3, 4, 5] }], steps: 1, batchSize: 1 };
/** What may be called with an odd value, by what it is for. @type {Record<string, (model: any, run: any, value: any) => unknown>} */
const calls = {
  load: (model, run, value) => load(value),
  'load, simd': (model, run, value) => create(model.config, { simd: value }),
  run: (model, run, value) => model.run(value),
  'run, record': (model, run, value) => model.run(input, { record: value }),
  'run, edits': (model, run, value) => model.run(input, { edits: value }),
  'run, edit’s place': (model, run, value) => model.run(input, { edits: [{ at: value, set: 0 }] }),
  'run, edit’s where': (model, run, value) =>
    model.run(input, { edits: [{ at: 'hook_embed', set: 0, where: { pos: value } }] }),
  'run.get': (model, run, value) => run.get(value),
  parameter: (model, run, value) => model.parameter(value),
  setParameter: (model, run, value) => model.setParameter(value, { shape: [1], data: Float32Array.of(1) }),
  'setParameter, values': (model, run, value) => model.setParameter('transformer.ln_f.bias', value),
  'generate, beams': (model, run, value) => model.generate(input, { beams: value }).result(),
  'generate, stop': (model, run, value) => model.generate(input, { stop: value }).result(),
  'generate, eosTokenId': (model, run, value) => model.generate(input, { eosTokenId: [value] }).result(),
  'train, batchSize': (model, run, value) => train(model, { ...one, batchSize: value }).next(),
  'train, dropout': (model, run, value) => train(model, { ...one, dropout: value }).next(),
  'train, data': (model, run, value) => train(model, { ...one, data: value }).next(),
  'train, example': (model, run, value) => train(model, { ...one, data: [{ ids: value }] }).next(),
  gradients: (model, run, value) => ops.gradients(value, [{ shape: [1], data: Float32Array.of(1) }], 1),
  measure: (model, run, value) => ops.measure(value, []),
};

test('odd values are one error with a code wherever they stand', async () => {
  const model = await load(path.join(goldenFolder, 'generate/gpt2'));
  const run = await model.run(input, { record: ['hook_embed'] });
  for (const [call, made] of Object.entries(calls)) {
    for (const [kind, value] of Object.entries(odd)) {
      const error = await (async () => made(model, run, value()))().then(
        () => null,
        (reason) => reason,
      );
      assert.ok(error, `${call} of ${kind} is refused`);
      assert.ok(['bad-input', 'not-found', 'unsupported'].includes(error.code), `${call} of ${kind}: ${error.stack}`);
    }
  }
  assert.deepEqual((await model.run(input)).output, (await model.run(input)).output);
  model.dispose();
});
