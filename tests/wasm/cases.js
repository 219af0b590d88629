// The cases of ops.json and of files like it, through the functions that people call.
import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose, largestDifference, magnitude, readJson, readTensors } from './golden.js';

/** A file's cases and its tensors. @param {string} file under golden/ */
export function readCases(file) {
  const index = readJson(file);
  return { ...index, values: readTensors(index.tensors) };
}

/** An argument with its tensors in place. */
export function filled(argument, values) {
  if (argument === null || typeof argument !== 'object') return argument;
  if (Array.isArray(argument)) return argument.map((item) => filled(item, values));
  if (argument.tensor) {
    const { shape, data } = values.get(argument.tensor);
    return { shape, data };
  }
  return Object.fromEntries(Object.entries(argument).map(([key, value]) => [key, filled(value, values)]));
}

/** What an op gave, by the names that the reference values have. */
function named(result) {
  const number = (value) => (typeof value === 'number' ? { shape: [], data: [value] } : value);
  if (typeof result === 'number') return { rate: number(result) };
  if (result.data) return { output: result };
  const { grads, ...others } = Object.fromEntries(Object.entries(result).map(([key, value]) => [key, number(value)]));
  return { ...others, ...Object.fromEntries((grads ?? []).map((grad, i) => [`grads.${i}`, grad])) };
}

/**
 * A test for each op.
 * @param {ReturnType<typeof readCases>} cases
 * @param {Record<string, any>} functions `ops`, or what has its form
 */
export function testCases({ cases, tolerance, values }, functions) {
  for (const op of new Set(cases.map((one) => one.op))) {
    const ofOp = cases.filter((one) => one.op === op && !one.coreOnly);
    if (ofOp.length === 0) continue;
    test(`${op}: ${ofOp.length} cases`, async () => {
      for (const { name, args, expect, upstream, gradients, zeroGradients, ...own } of ofOp) {
        const limits = { ...tolerance, ...own.tolerance };
        const outputs = named(await functions[op](...filled(args, values)));
        assert.deepEqual(Object.keys(outputs).sort(), Object.keys(expect).sort(), `${name}: outputs`);
        for (const [key, at] of Object.entries(expect)) {
          assertClose(outputs[key], values.get(at), limits.forward, `${name} ${key}`);
        }
        if (!upstream) continue;
        const { shape, data } = values.get(upstream);
        const found = await functions.gradients(op, filled(args, values), { shape, data: Float32Array.from(data) });
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
}
