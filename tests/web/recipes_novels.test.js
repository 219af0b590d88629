// The reader of R's lazy-load databases, on bytes made here; the windows a language model learns from and is scored on; its baseline.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { KneserNey } from '../../web/models/recipes/kneser-ney.mjs';
import { slidingExamples, windowExamples } from '../../web/models/recipes/language.mjs';
import { readLazyLoad, splitEnd, unserialize } from '../../web/models/recipes/novels.mjs';

const integers = (/** @type {number[]} */ ...values) => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeInt32BE(value, 4 * i));
  return bytes;
};
const header = (version = 3) =>
  Buffer.concat([
    Buffer.from('X\n'),
    integers(version, 0x40201, 0x30500),
    ...(version === 3 ? [integers(5), Buffer.from('UTF-8')] : []),
  ]);
const character = (/** @type {string | null} */ text) =>
  text === null ? integers(9, -1) : Buffer.concat([integers(0x8009, Buffer.byteLength(text)), Buffer.from(text)]);
const strings = (/** @type {(string | null)[]} */ list, flags = 16) =>
  Buffer.concat([integers(flags, list.length), ...list.map(character)]);
const symbol = (/** @type {string} */ name) => Buffer.concat([integers(1), character(name)]);
const END = integers(254);
const named = (/** @type {Buffer[]} */ items, /** @type {string[]} */ names, tag = symbol('names')) =>
  Buffer.concat([integers(19 | 0x200, items.length), ...items, integers(2 | 0x400), tag, strings(names), END]);

test('R serialization: strings, numbers, names, references, in both versions', () => {
  const reference = integers((1 << 8) | 255);
  const inner = named([Buffer.concat([integers(13, 2), integers(7, -7)])], ['pair'], reference);
  const real = Buffer.concat([integers(14, 1), Buffer.from('3ff8000000000000', 'hex')]);
  const bytes = named([strings(['añejo', null, '']), real, END], ['text', 'number', 'none']);
  for (const version of [2, 3]) {
    assert.deepEqual(
      unserialize(Buffer.concat([header(version), bytes])),
      new Map([
        ['text', ['añejo', null, '']],
        ['number', [1.5]],
        ['none', null],
      ]),
    );
  }
  // Attributes follow the elements: the second list refers to the symbol that the first one brought.
  const both = Buffer.concat([integers(19, 2), named([real], ['first']), inner]);
  assert.deepEqual(unserialize(Buffer.concat([header(), both])), [
    new Map([['first', [1.5]]]),
    new Map([['pair', [7, -7]]]),
  ]);
});

test('R serialization: what is not read is refused by name', () => {
  assert.throws(() => unserialize(Buffer.from('A\n')), /begin with X/);
  assert.throws(() => unserialize(Buffer.concat([header(2), integers(3)])), /type 3 at byte/);
  const old = Buffer.concat([Buffer.from('X\n'), integers(1, 0, 0)]);
  assert.throws(() => unserialize(old), /version 2 or 3, got 1/);
});

test('lazy-load databases: each variable is found where the index says', () => {
  const pack = (/** @type {Buffer} */ item) => {
    const bytes = Buffer.concat([header(), item]);
    return Buffer.concat([integers(bytes.length), deflateSync(bytes)]);
  };
  const [emma, persuasion] = [pack(strings(['EMMA', '', 'By'])), pack(strings(['Persuasion']))];
  const place = (/** @type {number} */ offset, /** @type {number} */ length) => integers(13, 2, offset, length);
  const variables = named(
    [place(emma.length, persuasion.length), place(0, emma.length)],
    ['persuasion', 'emma'],
    integers((1 << 8) | 255),
  );
  const again = integers((1 << 8) | 255);
  const index = Buffer.concat([header(), named([named([], []), variables], ['references', 'variables'], again)]);
  const read = readLazyLoad(gzipSync(index), Buffer.concat([emma, persuasion]));
  assert.deepEqual(read.get('emma'), ['EMMA', '', 'By']);
  assert.deepEqual(read.get('persuasion'), ['Persuasion']);
  const broken = Buffer.concat([emma, persuasion]);
  broken.writeUInt32BE(1, 0);
  assert.throws(() => readLazyLoad(gzipSync(index), broken), /emma: expected 1 bytes/);
});

test('held-out ends: the parts make the whole', () => {
  const { train, heldOut } = splitEnd('x'.repeat(190) + 'y'.repeat(10), 0.05);
  assert.equal(train, 'x'.repeat(190));
  assert.equal(heldOut, 'y'.repeat(10));
});

const TEXTS = [100, 57].map((size, t) => Int32Array.from({ length: size }, (_, i) => 1 + 1000 * t + i));

test('windows: they begin with the beginning, labels are what follows, epochs differ', () => {
  const stream = windowExamples({ texts: TEXTS, length: 8, begin: 0, seed: 3 });
  const epoch = () => Array.from({ length: 11 + 6 }, () => stream.next().value);
  const [first, second] = [epoch(), epoch()];
  for (const { ids, labels } of [...first, ...second]) {
    assert.equal(ids[0], 0);
    assert.equal(labels.length, 8);
    assert.deepEqual(ids.subarray(1), labels.subarray(0, -1));
    labels.forEach((label, i) => assert.equal(label, labels[0] + i));
  }
  const starts = (/** @type {any[]} */ list) => list.map(({ labels }) => labels[0]);
  assert.equal(new Set(starts(first)).size, first.length);
  assert.notDeepEqual(starts(first).sort(), starts(second).sort());
});

test('windows: a stream goes on anywhere as if it had not stopped', () => {
  const take = (/** @type {number} */ from, /** @type {number} */ count, seed = 3) => {
    const stream = windowExamples({ texts: TEXTS, length: 8, begin: 0, seed, from });
    return Array.from({ length: count }, () => [...stream.next().value.labels]);
  };
  const whole = take(0, 60);
  for (const from of [1, 16, 17, 18, 40]) assert.deepEqual(take(from, 60 - from), whole.slice(from));
  assert.notDeepEqual(take(0, 60, 4), whole);
  assert.throws(() => windowExamples({ texts: [], length: 8, begin: 0, seed: 1 }).next(), RangeError);
});

test('scoring windows: every token counts once, with half a window before it', () => {
  for (const size of [1, 7, 8, 9, 12, 13, 50]) {
    const text = Int32Array.from({ length: size }, (_, i) => i + 1);
    /** @type {number[]} */
    const counted = [];
    for (const [w, { ids, labels }] of [...slidingExamples(text, 8, 0)].entries()) {
      assert.equal(ids[0], 0);
      assert.ok(ids.length <= 8);
      labels.forEach((label, i) => {
        if (label === -100) return;
        counted.push(label);
        if (w > 0) assert.ok(i >= 4, `token ${label} has ${i} before it`);
        if (i > 0) assert.equal(ids[i], label - 1);
      });
    }
    assert.deepEqual(counted, [...text]);
  }
});

test('Kneser–Ney: a distribution at every place, and by hand for pairs', () => {
  const bytes = (/** @type {string} */ text) => new Uint8Array(Buffer.from(text));
  const model = new KneserNey([bytes('abracadabra, abracadabra'), bytes('cadabra')], 4);
  for (const context of ['', 'a', 'abr', 'abracad', 'zzz', 'za']) {
    let sum = 0;
    for (let byte = 0; byte < 256; byte++) {
      const text = new Uint8Array([...bytes(context), byte]);
      sum += model.probability(text, text.length - 1);
    }
    // 256 terms of double precision.
    assert.ok(Math.abs(sum - 1) < 1e-12, `after '${context}' the probabilities add up to ${sum}`);
  }
  // Pairs of 'aab': aa and ab once each. No count of 2, so Y = 1, D1 = 1 − 2·Y·0/2 = 1: all of it goes to the shorter context, where a and b each
  // follow one byte (a): counts of 1 and 1, D1 = 1 again, all to 1/256.
  const pairs = new KneserNey([bytes('aab')], 2);
  assert.equal(pairs.probability(bytes('ab'), 1), 1 / 256);
  // 'aaab': aa twice, ab once: n1 = n2 = 1, Y = 1/3, D1 = 1 − 2/3 = 1/3, D2 = 2 − 3·(1/3)·0 = 2, so ab keeps 2/3 of 3, and 1/3 + 2 go down.
  const skewed = new KneserNey([bytes('aaab')], 2);
  const wanted = (2 / 3 + (1 / 3 + 2) / 256) / 3;
  assert.ok(Math.abs(skewed.probability(bytes('ab'), 1) - wanted) < 1e-15);
  assert.throws(() => new KneserNey([], 9), RangeError);
});
