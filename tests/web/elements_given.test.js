// Numbers that authors give to the elements: .npy, .safetensors, JSON and values, made one form or refused by name.
import assert from 'node:assert/strict';
import test from 'node:test';
import { attentionOfTensor } from '../../web/elements/attention.js';
import { tokenList } from '../../web/elements/reading.js';
import { parseTensor, tensorOf } from '../../web/elements/tensor-data.js';
import { npy, safetensors, withHead } from './elements_files.js';

const shape = [2, 3];
const values = [0.5, 0.25, 0.25, 1, 0, 0];

/** @param {(...args: any[]) => unknown} act @param {string} code @param {RegExp} message */
const refuses = (act, code, message) =>
  assert.throws(act, (/** @type {any} */ error) => error.code === code && message.test(error.message));

test('.npy: every width of number, both byte orders and both orders of memory', () => {
  for (const descr of ['<f4', '>f4', '<f8', '<f2', '|b1', '<i4', '<i8', '|u1']) {
    const whole = !descr.includes('f');
    const given = whole ? [1, 0, 0, 1, 0, 0] : values;
    const { shape: axes, data } = parseTensor(npy({ descr, shape, values: given }), { name: 'a.npy' });
    assert.deepEqual(axes, shape, descr);
    assert.deepEqual(Array.from(data), given, descr);
  }
  // Columns first: the same matrix lies in memory as its transpose.
  const turned = npy({ descr: '<f4', shape, values: [0.5, 1, 0.25, 0, 0.25, 0], fortran: true });
  assert.deepEqual(Array.from(parseTensor(turned).data), values);
  assert.deepEqual(Array.from(parseTensor(npy({ descr: '<f4', shape, values, version: 2 })).data), values);
  assert.deepEqual(parseTensor(npy({ descr: '<f4', shape: [6], values })).shape, [6]);
});

test('.npy: what cannot be read is refused by name', () => {
  refuses(() => parseTensor(npy({ descr: '<c8', shape, values }), { name: 'a.npy' }), 'unsupported', /a\.npy: .*<c8/);
  const cut = npy({ descr: '<f4', shape, values }).slice(0, -4);
  refuses(() => parseTensor(cut, { name: 'a.npy' }), 'bad-input', /expected 24 bytes for the shape \[2,3\], got 20/);
  refuses(() => parseTensor(Uint8Array.of(0x50, 0x4b, 3, 4)), 'unsupported', /zip/);
  refuses(() => parseTensor(new Uint8Array(0), { name: 'a.npy' }), 'bad-input', /a\.npy is empty/);
});

test('.safetensors: a tensor by its name, or several as layers in the order of their numbers', () => {
  const file = safetensors({
    'layer.10': { dtype: 'F32', shape: [1, 1], values: [1] },
    'layer.9': { dtype: 'F32', shape: [1, 1], values: [0.5] },
    half: { dtype: 'F16', shape: [1, 2], values: [0.25, 0.75] },
    brain: { dtype: 'BF16', shape: [1, 2], values: [0.25, 0.75] },
    odd: { dtype: 'F8_E4M3', shape: [1, 1], values: [1] },
  });
  const read = (/** @type {string | null} */ tensor) => parseTensor(file, { name: 'a.safetensors', tensor });
  assert.deepEqual(Array.from(read('half').data), [0.25, 0.75]);
  assert.deepEqual(Array.from(read('brain').data), [0.25, 0.75]);
  assert.deepEqual(read('layer.*').shape, [2, 1, 1]);
  assert.deepEqual(Array.from(read('layer.*').data), [0.5, 1]);
  refuses(() => read(null), 'bad-input', /5 tensors; say which.*layer\.10/);
  refuses(() => read('none'), 'not-found', /no tensor "none"; it holds/);
  refuses(() => read('x*'), 'not-found', /no tensor like/);
  refuses(() => read('odd'), 'unsupported', /F8_E4M3/);
  refuses(() => read('*a*'), 'bad-input', /layers of different shapes/);
  const only = safetensors({ attention: { dtype: 'F32', shape, values } });
  assert.deepEqual(Array.from(parseTensor(only).data), values);
});

test('.safetensors with a header that cannot be true is refused, never read past its numbers', () => {
  for (const [entry, said] of /** @type {[unknown, RegExp][]} */ ([
    [null, /"a": expected dtype, shape and data_offsets .* got null/],
    [{ dtype: 'F32' }, /"a": expected dtype, shape and data_offsets .* got \{"dtype":"F32"\}/],
    [{ dtype: 'F32', shape: [2], data_offsets: [-8, 0] }, /whole numbers from 0, got/],
    [{ dtype: 'F32', shape: [-1, -2], data_offsets: [0, 8] }, /whole numbers from 0, got/],
    [{ dtype: 'F32', shape: [0.5, 4], data_offsets: [0, 8] }, /whole numbers from 0, got/],
    [{ dtype: 'F32', shape: [2], data_offsets: [100, 108] }, /its end within the 16 bytes of numbers, got 108/],
    [{ dtype: 'F32', shape: [3], data_offsets: [0, 8] }, /expected 12 bytes for the shape \[3\], got 8/],
  ])) {
    const file = withHead({ a: entry }, new Uint8Array(16));
    refuses(() => parseTensor(file, { name: 'a.safetensors' }), 'bad-input', said);
  }
  const file = withHead({ a: { dtype: 'constructor', shape: [2], data_offsets: [0, 8] } }, new Uint8Array(16));
  refuses(() => parseTensor(file, { name: 'a.safetensors' }), 'unsupported', /of the type constructor/);
});

test('JSON and values: nested lists, { shape, data }, an object with tokens, layers of their own', () => {
  const bytes = (/** @type {unknown} */ value) => new TextEncoder().encode(JSON.stringify(value));
  assert.deepEqual(parseTensor(bytes([[0.5, null]])).shape, [1, 2]);
  assert.ok(Number.isNaN(parseTensor(bytes([[0.5, null]])).data[1]));
  const named = parseTensor(bytes({ attention: [[1]], tokens: ['a'] }));
  assert.deepEqual([named.shape, named.tokens], [[1, 1], ['a']]);
  assert.deepEqual(tensorOf({ shape: [1, 2], data: [0, 1] }).shape, [1, 2]);
  const layer = { shape: [1, 2, 1, 1], data: Float32Array.of(1, 1) };
  assert.deepEqual(tensorOf([layer, layer, layer]).shape, [3, 1, 2, 1, 1]);
  refuses(() => tensorOf([[1], [1, 2]]), 'bad-input', /expected 1 entries at \[1\]/);
  refuses(() => tensorOf(null), 'bad-input', /expected nested lists of numbers, got null/);
  refuses(() => tensorOf({ tokens: ['a'] }), 'bad-input', /expected nested lists/);
  refuses(() => tensorOf({ attention: [[1]], tokens: [1] }), 'bad-input', /"tokens": expected a list of texts/);
  refuses(() => parseTensor(new TextEncoder().encode('[[NaN]]'), { name: 'a.json' }), 'bad-input', /a\.json.*JSON/);
});

test('what holds itself is refused, and so is what is nested without end', () => {
  const itself = /** @type {any[]} */ ([[0.5, 0.5]]);
  itself.push(itself);
  refuses(
    () => tensorOf(itself),
    'bad-input',
    /^data: expected nested lists of numbers, got Array of 2 that holds itself$/,
  );
  const layers = /** @type {any[]} */ ([{ shape: [1, 1], data: [1] }]);
  layers.push({ shape: [1, 1], attention: layers });
  refuses(
    () => tensorOf(layers),
    'bad-input',
    /^data\[1\]: expected nested lists of numbers, got Array of 2 that holds/,
  );
  /** @type {any} */
  const ring = { tokens: ['a'] };
  ring.attention = { data: ring };
  refuses(() => tensorOf(ring), 'bad-input', /^data: expected nested lists of numbers, got Object that holds itself$/);
  const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000));
  refuses(() => tensorOf(deep), 'bad-input', /^data: expected at most 5 axes/);
  refuses(() => tensorOf([[[[[[1]]]]]]), 'bad-input', /at most 5 axes/);
  // The same list in two places is no ring.
  const row = [0.25, 0.75];
  assert.deepEqual(tensorOf([row, row]).shape, [2, 2]);
});

test('shapes: one head, heads, layers of heads; a batch of one is no batch', () => {
  const of = (/** @type {number[]} */ axes) => {
    const data = new Float32Array(axes.reduce((a, b) => a * b, 1));
    const { layers, heads, queries, keys } = attentionOfTensor({ shape: axes, data }, {});
    return [layers, heads, queries.length, keys.length];
  };
  assert.deepEqual(of([2, 3]), [1, 1, 2, 3]);
  assert.deepEqual(of([4, 2, 3]), [1, 4, 2, 3]);
  assert.deepEqual(of([5, 4, 2, 3]), [5, 4, 2, 3]);
  assert.deepEqual(of([5, 1, 4, 2, 3]), [5, 4, 2, 3]);
  refuses(() => of([5, 2, 4, 2, 3]), 'bad-input', /one text, got \[5, 2, 4, 2, 3\]/);
  refuses(() => of([3]), 'bad-input', /got \[3\]/);
  const tensor = { shape: [1, 2], data: Float32Array.of(0, 1) };
  refuses(() => attentionOfTensor(tensor, { tokens: ['a'] }), 'bad-input', /expected 2 tokens as keys/);
  // Numbers outside 0 to 1 are no weights.
  assert.equal(attentionOfTensor({ shape: [1, 2], data: Float32Array.of(-3, 12) }, {}).weights.length, 0);
});

test('tokens in an attribute: a JSON list, or words', () => {
  assert.deepEqual(tokenList('["a b", "c"]', 'tokens'), ['a b', 'c']);
  assert.deepEqual(tokenList('[CLS] a  cat', 'tokens'), ['[CLS]', 'a', 'cat']);
  assert.equal(tokenList('', 'tokens'), null);
  refuses(() => tokenList('["a", ', 'tokens'), 'bad-input', /tokens: not a JSON list/);
  refuses(() => tokenList(/** @type {any} */ ([1]), 'tokens'), 'bad-input', /expected a list of texts/);
});
