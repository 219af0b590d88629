// The address holds the reader's choice: what is written is read back, and what cannot be read or has no room is named.
import assert from 'node:assert/strict';
import test from 'node:test';
import { DEFAULTS, LONGEST, readFragment, VERSION, writeFragment } from '../../web/site/fragment.js';

/** @type {import('../../web/site/types.js').Choice} */
const CHOICE = {
  model: 'translate',
  text: 'one & two = three + 4 % # ü',
  pair: 'second',
  join: 'batch',
  target: 'uno',
  sequence: 1,
  attention: 'decoder',
  layer: 2,
  head: 3,
  query: 4,
  key: 5,
  view: 'arcs',
  kind: 'scores',
  palette: 'viridis',
  look: 'dark',
  off: 'cross.1.0 decoder.0.3',
  edits: [
    { at: 'decoder.blocks.1.cross_attn.hook_pattern', where: { batch: 0, head: 3, query: 4, key: 5 }, set: 0.9 },
    { at: 'encoder.hook_embed', where: { batch: 0, pos: 2, dim: 31 }, set: -1.5e-7 },
    { at: 'encoder.blocks.0.attn.hook_q', where: { batch: 0, pos: 2, head: 1, dim: 7 }, set: 3e21 },
  ],
  how: 'sample',
  temperature: 0.7,
  topk: 20,
  topp: 0.9,
  seed: 77,
  beams: 5,
  penalty: -0.5,
  length: 12,
  taken: [5, 0, 123456],
  over: 'layers',
  by: 'max',
  special: 'renormalised',
  unit: 'words',
  sort: 'duplicate',
  compare: 'text',
  layer2: 1,
  head2: 2,
  text2: 'a second & a third',
  model2: 'words',
};

test('every part of a choice comes back as it was', () => {
  assert.deepEqual(Object.keys(CHOICE).sort(), Object.keys(DEFAULTS).sort(), 'each row of the table is tried here');
  for (const [key, value] of Object.entries(CHOICE))
    assert.notDeepEqual(value, DEFAULTS[/** @type {'text'} */ (key)], `${key} is not as by default`);
  const { fragment, left } = writeFragment(CHOICE);
  assert.deepEqual(readFragment(`#${fragment}`), { choice: CHOICE, notes: [] });
  assert.deepEqual(left, []);
  const plain = writeFragment({ ...DEFAULTS, text: 'a' }).fragment;
  assert.equal(plain, `v=${VERSION}&text=a`, 'what is as by default is left out');
  const none = writeFragment({ ...DEFAULTS, text: 'a', taken: [] }).fragment;
  assert.deepEqual(readFragment(none).choice, { text: 'a', taken: [] }, 'nothing taken is a choice too');
});

test('a link without a version is one of the first, and means what it meant', () => {
  const link = '#model=topics&text=a+wild+cat&layer=1&head=2&query=3&key=2&off=self.0.1&kind=scores&taken=1.2';
  assert.deepEqual(readFragment(link), {
    choice: {
      ...{ model: 'topics', text: 'a wild cat', layer: 1, head: 2, query: 3, key: 2, off: 'self.0.1' },
      ...{ kind: 'scores', taken: [1, 2] },
    },
    notes: [],
  });
});

test('a link from a newer version says so, and shows what is known of it', () => {
  const { choice, notes } = readFragment('v=3&text=a&layer=1&holograms=on');
  assert.deepEqual(choice, { text: 'a', layer: 1 });
  assert.deepEqual(notes, [
    { kind: 'newer', version: '3' },
    { kind: 'broken', fields: ['holograms=on'] },
  ]);
});

test('what cannot be read is named, the rest is read', () => {
  const wrong = [
    ...['attention=both', 'off=x.1', 'how=guess', 'temperature=-1', 'topk=1.5', 'topp=0', 'seed=abc', 'beams=99'],
    ...['penalty=NaN', 'length=0', 'taken=1,2', 'edits=blocks.1.attn.hook_pattern*b0*', 'layer=-1', '__proto__=1'],
    ...['over=rows', 'by=min', 'special=gone', 'unit=letters', 'sort=best', 'compare=all', 'layer2=-1'],
  ];
  assert.deepEqual(readFragment(`#text=a&${wrong.join('&')}`), {
    choice: { text: 'a' },
    notes: [{ kind: 'broken', fields: wrong }],
  });
  assert.deepEqual(readFragment('taken=1.2.&off=self.0.1&beams=3').choice, {
    ...{ taken: [1, 2], off: 'self.0.1', beams: 3 },
  });
  for (const version of ['0', 'x', '-1', '99999'])
    assert.deepEqual(readFragment(`v=${version}`).notes, [{ kind: 'broken', fields: [`v=${version}`] }]);
  const [note] = readFragment(`kind=${'x'.repeat(500)}`).notes;
  assert.ok(note.kind === 'broken' && note.fields[0].length < 60, 'a long value is cut in what is said');
  assert.deepEqual(readFragment(''), { choice: {}, notes: [] });
});

test('a link that would be too long leaves out the longest, and names it', () => {
  const long = { ...CHOICE, text: 'é'.repeat(2000), pair: 'x'.repeat(3000) };
  const { fragment, left } = writeFragment(long);
  assert.deepEqual(left, ['text'], 'é takes six characters of an address');
  assert.ok(fragment.length <= LONGEST);
  const { text, ...rest } = long;
  assert.deepEqual(readFragment(fragment).choice, rest);
  assert.ok(text.length < LONGEST, 'it is the written form that counts');
  assert.deepEqual(writeFragment({ ...DEFAULTS, text: 'a'.repeat(99), pair: 'b'.repeat(50) }, 60).left, ['text']);
  assert.deepEqual(writeFragment({ ...DEFAULTS, text: 'a'.repeat(99), pair: 'b'.repeat(70) }, 60).left, [
    'text',
    'pair',
  ]);
  assert.deepEqual(writeFragment({ ...DEFAULTS, text: 'a' }, 1).fragment, `v=${VERSION}`);
});
