// Reference values and checkpoint folders for the tests of the module that ships, and how values are compared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const goldenFolder = fileURLToPath(new URL('../reference/golden/', import.meta.url));

/** @param {string} file under golden/ */
export const readJson = (file) => JSON.parse(readFileSync(path.join(goldenFolder, file), 'utf8'));

const readers = {
  F64: [8, (/** @type {DataView} */ view, /** @type {number} */ at) => view.getFloat64(at, true)],
  F32: [4, (/** @type {DataView} */ view, /** @type {number} */ at) => view.getFloat32(at, true)],
  I32: [4, (/** @type {DataView} */ view, /** @type {number} */ at) => view.getInt32(at, true)],
  U8: [1, (/** @type {DataView} */ view, /** @type {number} */ at) => view.getUint8(at)],
};
const arrays = { F64: Float64Array, F32: Float32Array, I32: Int32Array, U8: Uint8Array };

/**
 * The tensors of a safetensors file under golden/, or of bytes; F64 stays Float64Array, as only expected values have it.
 * @param {string | Uint8Array} source
 * @returns {Map<string, { shape: number[], data: Float64Array | Float32Array | Int32Array | Uint8Array, dtype: string }>}
 */
export function readTensors(source) {
  const file = typeof source === 'string' ? readFileSync(path.join(goldenFolder, source)) : source;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  const tensors = new Map();
  for (const [
    name,
    {
      dtype,
      shape,
      data_offsets: [from, to],
    },
  ] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const [width, read] = readers[dtype];
    const data = new arrays[dtype]((to - from) / width);
    for (let i = 0; i < data.length; ++i) data[i] = read(view, start + from + width * i);
    tensors.set(name, { shape, data, dtype });
  }
  return tensors;
}

/** Rows of a tensor of two axes as lists. */
export function rowsOf({ shape: [rows, width], data }) {
  return Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * width, (i + 1) * width)));
}

/**
 * What a model was run on for the values of a checkpoint folder's expected.safetensors, as `model.run` takes it.
 * @param {ReturnType<typeof readTensors>} expected
 * @param {string} run "run0."
 */
export function inputOf(expected, run) {
  const names = {
    ids: 'input_ids',
    mask: 'attention_mask',
    typeIds: 'token_type_ids',
    decoderIds: 'decoder_input_ids',
    decoderMask: 'decoder_attention_mask',
  };
  const given = Object.entries(names).filter(([, key]) => expected.has(run + key));
  return Object.fromEntries(given.map(([name, key]) => [name, rowsOf(expected.get(run + key))]));
}

/** The largest difference over finite entries; infinities must be equal. */
export function largestDifference(actual, expected, what) {
  assert.equal(actual.length, expected.length, `${what}: number of values`);
  let largest = 0;
  for (let i = 0; i < expected.length; ++i) {
    if (Number.isFinite(expected[i])) {
      assert.ok(Number.isFinite(actual[i]), `${what}: ${actual[i]} at ${i}, expected ${expected[i]}`);
      largest = Math.max(largest, Math.abs(actual[i] - expected[i]));
    } else {
      assert.equal(actual[i], expected[i], `${what} at ${i}`);
    }
  }
  return largest;
}

/** The largest absolute finite entry. */
export const magnitude = (values) =>
  values.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);

/** Asserts |actual − expected| ≤ tolerance × max |expected|, PyTorch's values being in float64. */
export function assertClose(actual, expected, tolerance, what) {
  assert.deepEqual(actual.shape, expected.shape, `${what}: shape`);
  const limit = tolerance * magnitude(expected.data);
  const worst = largestDifference(actual.data, expected.data, what);
  assert.ok(worst <= limit, `${what}: off by ${worst}, at most ${limit}`);
}

/** A typed array whose memory was transferred elsewhere. */
export function detached(typed) {
  structuredClone(typed, { transfer: [typed.buffer] });
  return typed;
}

/** Asserts that a promise fails with the code, and a message that matches. */
export async function assertFails(promise, code, pattern) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof Error);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, pattern);
    return true;
  });
}
