// Files of numbers: they read back as what was recorded, to the last bit.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readSafetensors } from '../../web/elements/files/safetensors.js';
import { tensorOf } from '../../web/elements/tensor-data.js';
import { fileName } from '../../web/site/export/names.js';
import { csvOf, jsonOf, tsvOf } from '../../web/site/export/numbers.js';
import { halfOf, packBytes, packFloats, packHalves } from '../../web/site/export/pack.js';
import { SLOT, pageOf } from '../../web/site/export/page.js';
import { safetensorsOf } from '../../web/site/export/safetensors.js';
import { fromHalf, readData, unpack } from '../../web/standalone/data.js';
import { directionOf } from '../../web/standalone/parts.js';
import { filled } from '../../web/standalone/words.js';
import { someWeights } from './view_fakes.js';

/** Any float32: from random bits, the same each time. @param {number} count */
function anyFloats(count) {
  const bits = new Uint32Array(count);
  let seed = 7;
  for (let i = 0; i < count; i++) bits[i] = seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return new Float32Array(bits.buffer).map((value) => (Number.isFinite(value) ? value : 0.1));
}

/** Lines of fields as RFC 4180 has them. @param {string} text @param {string} separator */
function parsed(text, separator) {
  /** @type {string[][]} */
  const lines = [[]];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\r\n"]*))(${separator}|\r\n)`, 'gy');
  for (const [, quoted, plain, end] of text.matchAll(field)) {
    lines[lines.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  assert.deepEqual(lines.pop(), [], 'the file ends with a line');
  return lines;
}

const odd = ['a,b', 'say "no"', 'two\nlines', ' space', '\t', 'ñ 猫'];

test('CSV and TSV: tokens come back whatever is in them, numbers to the last bit', () => {
  const matrix = { rows: 6, columns: 6, data: anyFloats(36) };
  matrix.data[4] = -Infinity;
  for (const [text, separator] of [
    [csvOf({ matrix, queries: odd, keys: odd }), ','],
    [tsvOf({ matrix, queries: odd, keys: odd }), '\t'],
  ]) {
    const [head, ...rows] = parsed(text, separator);
    assert.deepEqual(head.slice(1), odd);
    assert.deepEqual(
      rows.map(([token]) => token),
      odd,
    );
    const values = rows.flatMap(([, ...of]) => of.map((value) => (value === '-inf' ? -Infinity : Number(value))));
    assert.deepEqual(Float32Array.from(values), matrix.data);
  }
});

test('JSON says what it holds, and the elements read it', () => {
  const matrix = someWeights(2, 3);
  matrix.data[5] = -Infinity;
  const about = { model: 'topics', layer: 1, head: 2, kind: 'scores' };
  const text = jsonOf({ matrix, queries: odd.slice(0, 2), keys: odd.slice(0, 3) }, about);
  const read = JSON.parse(text);
  assert.deepEqual(read.shape, [2, 3]);
  assert.deepEqual([read.model, read.layer, read.head, read.kind], ['topics', 1, 2, 'scores']);
  assert.equal(read.attention[1][2], null);
  assert.match(read.masked, /^null: minus infinity/);
  const given = tensorOf(read);
  assert.deepEqual([given.shape, given.queries, given.keys], [[2, 3], odd.slice(0, 2), odd.slice(0, 3)]);
  assert.deepEqual(given.data.subarray(0, 5), matrix.data.subarray(0, 5));
});

test('safetensors: shapes, values and metadata', () => {
  const tensors = [
    { name: 'weights', shape: [2, 3], data: someWeights(2, 3).data },
    { name: 'blocks.0.attn.hook_pattern', shape: [1, 2, 5], data: anyFloats(10) },
  ];
  const parts = safetensorsOf(tensors, { text: 'a “cat”', tokens: '["a"]' });
  const bytes = new Uint8Array(Buffer.concat(parts));
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  assert.equal(length % 8, 0);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  assert.deepEqual(header.__metadata__, { text: 'a “cat”', tokens: '["a"]' });
  const file = readSafetensors(bytes, 'a file');
  for (const { name, shape, data } of tensors) assert.deepEqual(file.read(name), { shape, data });
});

test('tensors as text: float32 to the last bit, halves to the nearest', () => {
  const data = anyFloats(300);
  const whole = unpack(packFloats([3, 100], data), 'x');
  assert.deepEqual([whole.shape, whole.data, whole.half], [[3, 100], data, false]);
  const weights = someWeights(9, 9).data;
  const half = unpack(packHalves([9, 9], weights), 'x');
  assert.ok(half.half);
  // Eleven bits: half of the last one is the most that rounding takes, of numbers under 1.
  weights.forEach((value, i) => assert.ok(Math.abs(value - half.data[i]) <= 2 ** -12));
  assert.deepEqual(unpack(packBytes([2], Uint8Array.of(0, 255)), 'x').data, Uint8Array.of(0, 255));
  assert.throws(
    () => unpack({ dtype: 'F32', shape: [3], base64: 'AAAA' }, 'weights'),
    /weights: expected 12 bytes .* got 3/,
  );
  assert.throws(() => unpack({ dtype: 'F64', shape: [3], base64: '' }, 'weights'), /weights: expected dtype/);
});

test('halves: every one comes back as itself, ties go to the even one, too much is infinite', () => {
  const bitsOf = (/** @type {number} */ value) => new Uint32Array(Float32Array.of(value).buffer)[0];
  for (let half = 0; half < 0x10000; half++) {
    const value = fromHalf(half);
    if (!Number.isNaN(value)) assert.equal(halfOf(bitsOf(value)), half);
  }
  assert.equal(fromHalf(halfOf(bitsOf(NaN))), NaN);
  assert.equal(fromHalf(halfOf(bitsOf(1 + 2 ** -11))), 1);
  assert.equal(fromHalf(halfOf(bitsOf(1 + 3 * 2 ** -11))), 1 + 2 ** -9);
  assert.equal(fromHalf(halfOf(bitsOf(65519))), 65504);
  assert.equal(fromHalf(halfOf(bitsOf(65520))), Infinity);
  assert.equal(fromHalf(halfOf(bitsOf(2 ** -25))), 0);
  assert.equal(fromHalf(halfOf(bitsOf(3 * 2 ** -25))), 2 ** -23);
});

test('data in a page: nothing in it can end its element', () => {
  const template = `<script type="application/json">${SLOT}</script><script>run()</script>`;
  const evil = ['</script><script>alert(1)</script>', '<!--', '$& $1 $`', '\u2028', SLOT];
  const page = pageOf(template, { texts: evil });
  const inside = /<script type="application\/json">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
  assert.deepEqual(JSON.parse(inside).texts, evil);
  assert.ok(!inside.includes('<'));
  assert.throws(() => pageOf('<html></html>', {}), /expected a template/);
});

test('data of a page is checked', () => {
  const grid = { queries: ['a'], keys: ['a', 'b'], weights: packFloats([1, 1, 1, 2], Float32Array.of(0.25, 0.75)) };
  const text = (/** @type {object} */ change) =>
    JSON.stringify({ format: 'glassformer attention 1', grids: [{ ...grid, ...change }] });
  const data = readData(text({}));
  assert.deepEqual(data?.grids[0].weights.data, Float32Array.of(0.25, 0.75));
  assert.equal(readData(SLOT), null);
  assert.throws(() => readData('{}'), /expected the format/);
  assert.throws(() => readData(text({ queries: [] })), /self\.queries: expected 1 tokens, got 0/);
  assert.throws(() => readData(text({ scores: packFloats([1], Float32Array.of(1)) })), /self\.scores: its shape/);
});

test('names say model, attention, layer, head, and which of a batch', () => {
  const place = { model: 'topics', grid: /** @type {const} */ ('self'), layer: 1, head: 2, sequence: null };
  assert.equal(fileName([place], 'weights', 'svg'), 'glassformer-topics-layer1-head2-weights.svg');
  const both = { model: 'a/b: ..\\c (opened)', grid: /** @type {const} */ ('cross'), layer: 0, head: 3, sequence: 1 };
  assert.equal(
    fileName([both], 'scores', 'csv'),
    'glassformer-a-b-..-c-opened-cross-layer0-head3-sequence2-scores.csv',
  );
  const all = { ...place, model: '…', layer: null, head: null };
  assert.equal(fileName([all], 'heads', 'png'), 'glassformer-model-heads.png');
  const other = { ...place, model: 'words', layer: 0, view: ['changed'] };
  assert.equal(
    fileName([place, other], 'weights', 'json'),
    'glassformer-topics-layer1-head2-vs-words-layer0-head2-changed-weights.json',
  );
});

test('the viewer: tokens run as their letters do; texts are filled in once', () => {
  assert.equal(directionOf(['[CLS]', 'قطة', 'cat', 'كبيرة', '[SEP]']), 'rtl');
  assert.equal(directionOf(['[CLS]', 'a', 'cat', '。']), 'ltr');
  assert.equal(directionOf(['<s>', '1', '2']), 'ltr');
  assert.equal(filled('{a} and {b}, {c}', { a: '{b}', b: 2 }), '{b} and 2, {c}');
});
