// Bibles in zText form, made here; their verses paired by Strong's numbers; old spelling; the split.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { plainText, readEntries, versesOf } from '../../web/models/recipes/sword.mjs';
import { modernSpanish, pairVerses, splitPairs } from '../../web/models/recipes/verses.mjs';

/**
 * @param {string[][]} blocks entries of each block
 */
function zText(blocks) {
  const [bzs, bzv, bzz] = [[], [], []].map(() => /** @type {Buffer[]} */ ([]));
  let at = 0;
  blocks.forEach((entries, block) => {
    const bytes = Buffer.from(entries.join(''));
    const packed = deflateSync(bytes);
    const record = Buffer.alloc(12);
    [at, packed.length, bytes.length].forEach((value, i) => record.writeUInt32LE(value, 4 * i));
    bzs.push(record);
    bzz.push(packed);
    at += packed.length;
    let offset = 0;
    for (const entry of entries) {
      const verse = Buffer.alloc(10);
      verse.writeUInt32LE(block, 0);
      verse.writeUInt32LE(offset, 4);
      verse.writeUInt16LE(Buffer.byteLength(entry), 8);
      bzv.push(verse);
      offset += Buffer.byteLength(entry);
    }
  });
  return /** @type {const} */ ([Buffer.concat(bzs), Buffer.concat(bzv), Buffer.concat(bzz)]);
}

const GENESIS = [
  '<milestone type="x-importer"/>',
  '<div canonical="true" osisID="Gen" sID="g1" type="book"/> <title level="1">Génesis</title>',
  '<chapter n="1" osisID="Gen.1" sID="Gen.1"/>',
  '<w lemma="strong:H7225">EN el principio</w> <w lemma="strong:H1254">crió</w> <w lemma="strong:H0430 H0001">Dios</w><note>v. 1</note><w lemma="strong:H8064">los cielos</w>. ',
  '',
  'la<transChange type="added">que fué</transChange><w lemma="strong:G1537">de</w> Urías , “ dijo ”',
];
const EXODUS = [
  '<div canonical="true" osisID="Exod" sID="g2" type="book"/> Preface.',
  '<chapter n="2" osisID="Exod.2" sID="Exod.2"/>',
  'Fin &amp; nada.<chapter eID="Exod.2"/> <div canonical="true" eID="g2" osisID="Exod" type="book"/> <div sID="g3" type="glossary"/> Words',
];

test('zText: entries of every block, empty ones too', () => {
  assert.deepEqual(readEntries(...zText([GENESIS, EXODUS])), [...GENESIS, ...EXODUS]);
  const [blocks, verses, data] = zText([GENESIS]);
  assert.throws(() => readEntries(blocks.subarray(0, 0), verses, data), /no block 0/);
  const lying = Buffer.from(blocks);
  lying.writeUInt32LE(5, 8);
  assert.throws(() => readEntries(lying, verses, data), /expected 5/);
});

test('verses: chapter marks tell where they are; headings, prefaces and glossaries are none', () => {
  assert.deepEqual(versesOf([...GENESIS, ...EXODUS]), [
    {
      book: 'Gen',
      chapter: 1,
      text: 'EN el principio crió Dios los cielos.',
      strongs: ['H7225', 'H1254', 'H0430', 'H0001', 'H8064'],
    },
    { book: 'Gen', chapter: 1, text: 'la que fué de Urías, “dijo”', strongs: ['G1537'] },
    { book: 'Exod', chapter: 2, text: 'Fin & nada.', strongs: [] },
  ]);
  assert.equal(plainText('<q marker="“"/>a<lb/>b <reference>1:1 </reference>c'), 'a b c');
});

test("pairs: by Strong's numbers, in order, whatever the numbering", () => {
  const verse = (/** @type {string} */ text, /** @type {string} */ strongs, book = 'Ps') => ({
    book,
    chapter: 1,
    text,
    strongs: strongs.split(' '),
  });
  const english = [
    verse('zero', 'H1'),
    verse('one', 'H2 H3 H4'),
    verse('two', 'H5 H6'),
    verse('three', 'H7 H8'),
    verse('apart', 'H7', 'Tob'),
  ];
  const spanish = [verse('Uno', 'H2 H3'), verse('DOS', 'H5 H6 H9'), verse('nada', 'H10'), verse('trés', 'H8 H7')];
  assert.deepEqual(
    pairVerses(english, spanish).map((pair) => [pair.english, pair.spanish]),
    [
      ['one', 'Uno'],
      ['two', 'Dos'],
      ['three', 'trés'],
    ],
  );
  assert.deepEqual(pairVerses(english, []), []);
});

test('old spelling: single letters and short words lose their accents, capitals and circumflexes go', () => {
  const cases = [
    ['EN el principio', 'En el principio'],
    ['Y fué á Achâb, ó Rachâb: é vió', 'Y fue a Achab, o Rachab: e vio'],
    ['JEHOVÁ es mi pastor; Ó sea, tú y él', 'Jehová es mi pastor; O sea, tú y él'],
    ['A DIOS', 'A Dios'],
  ];
  for (const [old, now] of cases) assert.equal(modernSpanish(old), now);
});

test('split: disjoint, repeatable, and no held-out verse is trained on elsewhere', () => {
  const pairs = Array.from({ length: 50 }, (_, i) => ({
    book: 'Ps',
    chapter: i,
    english: `e${i % 40}`,
    spanish: `s${i}`,
  }));
  const { train, tuning, test: held } = splitPairs(pairs, 10, 5);
  assert.equal(held.length, 10);
  assert.equal(tuning.length, 5);
  assert.deepEqual(splitPairs(pairs, 10, 5), { train, tuning, test: held });
  const known = new Set([...held, ...tuning].map(({ english }) => english));
  for (const { english } of train) assert.ok(!known.has(english));
  const twice = pairs.filter(({ english }) => known.has(english)).length;
  assert.equal(train.length, 50 - twice);
});
