// What the recipes read and write: WordNet and its split, the vocabularies, safetensors.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Tokenizer as PageTokenizer } from '@huggingface/tokenizers';
import { Tokenizer as RustTokenizer } from 'tokenizers';
import { f32, readSafetensors, writeSafetensors } from '../../web/models/recipes/safetensors.mjs';
import { SPECIAL } from '../../web/models/recipes/vocabulary.mjs';
import { LABELS, isHeldOut, readWordNet, splitGloss, wordNetLicence } from '../../web/models/recipes/wordnet.mjs';

test('WordNet: everything is read, and the split is by synset, stable and disjoint', () => {
  const synsets = readWordNet();
  assert.equal(synsets.length, 117791);
  assert.equal(new Set(synsets.map(({ id }) => id)).size, synsets.length);
  assert.equal(LABELS.length, 12);
  assert.equal(synsets.filter(({ topic }) => topic).length, 67825);
  const heldOut = synsets.filter((synset) => synset.heldOut);
  // These two numbers change only if the split does, which would let trained texts into the scores.
  assert.equal(heldOut.length, 12060);
  assert.equal(heldOut.filter(({ topic }) => topic).length, 6954);
  for (const { id, heldOut: held } of synsets) assert.equal(isHeldOut(id), held);
  const dog = synsets.find(({ definition }) => definition.startsWith('a member of the genus Canis'));
  assert.equal(dog.topic, 'animal');
  assert.deepEqual(dog.examples, ['the dog barked all night']);
  assert.match(
    wordNetLicence(),
    /^This software and database[^]*WordNet 3\.1 Copyright 2011[^]*Licensee agrees to preserve same\.\n$/i,
  );
});

test('glosses: examples are split off, quotations inside a definition stay', () => {
  const cases = [
    ['a tangible entity; "it was full of balls"', 'a tangible entity', ['it was full of balls']],
    ['spread ("straw" is archaic); "strew toys all over"', 'spread ("straw" is archaic)', ['strew toys all over']],
    ['being a slave; "So every bondman bears it"--Shakespeare', 'being a slave', ['So every bondman bears it']],
    ['of color; "dirty" is often used; "a dirty white"; ', 'of color', ['a dirty white']],
    ['no examples here; only two parts', 'no examples here; only two parts', []],
    ['', '', []],
  ];
  for (const [gloss, definition, examples] of cases) assert.deepEqual(splitGloss(gloss), { definition, examples });
});

test('vocabularies: both tokenizers give the same ids', async () => {
  const texts = [
    ...readWordNet()
      .filter((_, i) => i % 200 === 0)
      .map(({ definition }) => definition),
    'Café naïve “quoted” — dashes… 3.14% of £5',
    'ﬁ ligature, Straße, ÅNGSTRÖM, 東京 tower, \u200bzero width',
    '',
    "don't [MASK] the [SEP] question",
    'x'.repeat(120),
  ];
  for (const name of ['words', 'words-small', 'topics']) {
    const file = new URL(`../../web/models/${name}/tokenizer.json`, import.meta.url);
    assert.ok(existsSync(file), `${name} has a vocabulary`);
    const json = readFileSync(file, 'utf8');
    const rust = RustTokenizer.fromString(json);
    const page = new PageTokenizer(JSON.parse(json), {});
    const vocab = JSON.parse(json).model.vocab;
    assert.equal(Object.keys(vocab).length, 8000);
    for (const [token, id] of Object.entries(SPECIAL)) assert.equal(vocab[token], id);
    const encodings = await rust.encodeBatch(texts);
    texts.forEach((text, i) => assert.deepEqual(page.encode(text).ids, encodings[i].getIds(), text));
    const pair = await rust.encode('a small river', 'it runs');
    assert.deepEqual(page.encode('a small river', { text_pair: 'it runs' }).ids, pair.getIds());
  }
});

test('safetensors: written and read back', () => {
  const tensors = new Map([
    ['a', f32(Float32Array.of(1, 2, 3, 4), [2, 2])],
    ['b', f32(Float32Array.of(5), [1])],
  ]);
  const file = writeSafetensors(tensors);
  assert.equal(Number(file.readBigUInt64LE(0)) % 8, 0);
  const read = readSafetensors(file);
  assert.deepEqual([...read], [...tensors]);
});
