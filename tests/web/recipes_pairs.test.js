// What `dates` and `pronounce` learn from: data and splits, tokenizers, streams of pairs, error rates. Nothing is trained.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tokenizer as LibraryTokenizer } from '@huggingface/tokenizers';
import { Tokenizer as RustTokenizer } from 'tokenizers';
import { Tokenizer as PageTokenizer } from '../../web/engine/tokenizer.js';
import {
  SPECIAL,
  characterTokenizer,
  characterTokenizerConfig,
  encodeAll,
  vocabularyOf,
} from '../../web/models/recipes/characters.mjs';
import { TARGET_PLACES, massOn, sourcePlaces } from '../../web/models/recipes/alignment.mjs';
import { GRAPHEMES, PHONEMES, cmudictLicence, readCmudict } from '../../web/models/recipes/cmudict.mjs';
import {
  LOCALES,
  NORMALIZER,
  dateCharacters,
  dateWriters,
  isoDate,
  normalise,
  splitDays,
} from '../../web/models/recipes/dates-data.mjs';
import { characterEncoder, dateDraws, dateTests } from '../../web/models/recipes/dates.mjs';
import { editDistance, errorRates } from '../../web/models/recipes/edit-distance.mjs';
import { phonemeTokenizer, pronunciationPairs } from '../../web/models/recipes/pronounce.mjs';
import { random } from '../../web/models/recipes/random.mjs';
import { drawnExamples, pairedExamples, sequenceExample } from '../../web/models/recipes/sequences.mjs';

const END = SPECIAL['</s>'];
const writers = dateWriters();
const dateTokenizer = characterTokenizer({
  characters: dateCharacters(writers),
  normalizer: NORMALIZER,
  decoder: { type: 'Fuse' },
});

function take(stream, count) {
  const taken = [];
  for (const example of stream) {
    taken.push(example);
    if (taken.length === count) break;
  }
  return taken;
}

test('CMUdict: everything is read, and the split is by word', () => {
  const entries = readCmudict();
  assert.equal(entries.length, 123874);
  assert.equal(new Set(entries.map(({ word }) => word)).size, entries.length);
  // The data sheet's number of pairs of 27 graphemes and 39 phonemes.
  assert.equal(
    entries.reduce((sum, { pronunciations }) => sum + pronunciations.length, 0),
    132271,
  );
  const byWord = new Map(entries.map((entry) => [entry.word, entry]));
  assert.deepEqual(
    byWord.get('tomato').pronunciations.map((phonemes) => phonemes.join(' ')),
    ['T AH M EY T OW', 'T AH M AA T OW'],
  );
  // Listed three times; two differ in stress alone.
  assert.deepEqual(
    byWord.get('into').pronunciations.map((phonemes) => phonemes.join(' ')),
    ['IH N T UW', 'IH N T AH'],
  );
  assert.deepEqual(byWord.get("o'clock").pronunciations, [['AH', 'K', 'L', 'AA', 'K']]);
  const used = new Set(entries.flatMap(({ pronunciations }) => pronunciations.flat()));
  assert.deepEqual([...used].sort(), [...PHONEMES]);
  assert.deepEqual([...new Set(entries.flatMap(({ word }) => [...word]))].sort(), [...GRAPHEMES].sort());
  const heldOut = entries.filter((entry) => entry.heldOut).map(({ word }) => word);
  assert.equal(heldOut.length, 6000);
  // These change only if the split does, which would let trained words into the scores.
  assert.deepEqual(heldOut.slice(0, 3), ['aachener', "abbott's", 'abducted']);
  assert.match(
    cmudictLicence(),
    /^The data files[^]*Copyright \(C\) 1993-2015 Carnegie Mellon University[^]*DAMAGE\.\n$/,
  );
});

test('days: the split depends on the days alone', () => {
  const { kept, heldOut } = splitDays();
  assert.equal(heldOut.length, 3650);
  assert.equal(kept.length, 73049 - 3650);
  assert.equal(new Set([...kept, ...heldOut]).size, 73049);
  assert.deepEqual([isoDate(kept[0]), isoDate(kept.at(-1))], ['1900-01-01', '2099-12-31']);
  assert.deepEqual([...heldOut.slice(0, 3)].map(isoDate), ['1900-01-11', '1900-03-10', '1900-03-22']);
  const seen = new Set(kept);
  const encode = characterEncoder(vocabularyOf(dateTokenizer));
  const heldTargets = new Set(Array.from(heldOut, (day) => encode(isoDate(day)).join()));
  const draw = dateDraws({ writers, days: kept, encode, seed: 1 });
  for (let i = 0; i < 5000; i++) assert.ok(!heldTargets.has(draw(i).target.join()), `example ${i} is a held-out day`);
  const tests = dateTests(writers, heldOut);
  assert.equal(tests.length, 3650 * LOCALES.length);
  assert.ok(tests.every(({ day }) => !seen.has(day)));
});

test('dates: the ways to write one say which day is meant', () => {
  assert.equal(writers.length, LOCALES.length);
  // At least the full, the long and one more in every locale; seven formats and the numeric one were asked for.
  for (const [i, formats] of writers.entries()) assert.ok(formats.length >= 3 && formats.length <= 8, LOCALES[i]);
  const day = Date.UTC(1987, 5, 3) / 86_400_000;
  assert.equal(isoDate(day), '1987-06-03');
  const english = writers[LOCALES.indexOf('en-US')].map((writer) => writer.write(day));
  assert.equal(english[0], 'Wednesday, June 3, 1987');
  assert.ok(!english.some((text) => /^[\d/]+$/.test(text)), 'months and days in digits could be swapped');
  assert.ok(writers[LOCALES.indexOf('sv')].some((writer) => writer.write(day) === '1987-06-03'));
  for (const writer of writers.flat()) {
    const parts = writer.parts(day);
    // Intl may write another kind of blank in parts.
    assert.deepEqual(
      parts.flatMap(({ value }) => normalise(value)),
      normalise(writer.write(day)),
    );
    assert.equal(parts.filter(({ type }) => type === 'day').length, 1, writer.write(day));
  }
  // No text stands for two days: all days of a leap year and of another.
  const days = new Map();
  for (const writer of writers.flat())
    for (const year of [1904, 2077])
      for (let i = 0; i < 365; i++) {
        const here = Date.UTC(year, 0, 1 + i) / 86_400_000;
        const text = normalise(writer.write(here)).join('');
        assert.equal(days.get(text) ?? here, here, `${text} in ${writer.locale}`);
        days.set(text, here);
      }
});

test('dates: the tokenizer is the same in Rust, in the library, in the page and in the recipe', async () => {
  const rust = RustTokenizer.fromString(dateTokenizer);
  const library = new LibraryTokenizer(JSON.parse(dateTokenizer), {});
  const page = PageTokenizer.fromFiles(dateTokenizer, characterTokenizerConfig(64));
  const vocabulary = vocabularyOf(dateTokenizer);
  const encode = characterEncoder(vocabulary);
  assert.equal(page.vocabSize, vocabulary.size);
  const next = random(3);
  const texts = writers
    .flat()
    .map((writer) => writer.write(Math.floor(next() * 40000)))
    .concat('2024-02-29', 'June\u00a01,\u202f2000', '23\u200f/06', 'MÄRZ \u{1F4C5}', 'Σ 5', 'Me\u0301');
  const encodings = await rust.encodeBatch(texts);
  for (const [i, text] of texts.entries()) {
    const ids = encodings[i].getIds();
    assert.deepEqual([...encode(text)], ids, text);
    assert.deepEqual(page.encode(text).ids, ids, text);
    assert.deepEqual(library.encode(text).ids, ids, text);
    assert.equal(ids.at(-1), END);
  }
  const iso = [...encode('2024-02-29')];
  assert.equal(iso.length, 11);
  assert.equal(await rust.decode(iso, true), '2024-02-29');
  assert.equal(page.decode(iso, { skipSpecial: true }), '2024-02-29');
  // Every character that a date is written with is known.
  const strange = writers.flat().flatMap((writer) => normalise(writer.write(12345)).filter((c) => !vocabulary.has(c)));
  assert.deepEqual(strange, []);
});

test('phonemes: one tokenizer reads words and reads and writes pronunciations', async () => {
  const json = phonemeTokenizer();
  const vocabulary = vocabularyOf(json);
  assert.equal(vocabulary.size, 3 + 27 + 39);
  const rust = RustTokenizer.fromString(json);
  const library = new LibraryTokenizer(JSON.parse(json), {});
  const page = PageTokenizer.fromFiles(json, characterTokenizerConfig(64));
  const ids = (...tokens) => [...tokens.map((token) => vocabulary.get(token)), END];
  const [[{ source, target }]] = pronunciationPairs(
    [{ word: "o'clock", pronunciations: [['AH', 'K', 'L', 'AA', 'K']], heldOut: false }],
    vocabulary,
  );
  const cases = [
    ["o'clock", [...source]],
    ['AH K L AA K', [...target]],
    ['café’s', ids('c', 'a', 'f', 'e', "'", 's')],
    ['hh', ids('h', 'h')],
    ['B', ids('B')],
    ['x9', ids('x', '<unk>')],
  ];
  for (const [text, expected] of cases) {
    assert.deepEqual((await rust.encode(text)).getIds(), expected, text);
    assert.deepEqual(page.encode(text).ids, expected, text);
    assert.deepEqual(library.encode(text).ids, expected, text);
  }
  // The library takes added tokens for such inside a word as well; the page and Rust do not.
  for (const text of ['AARDVARK', "O'Clock"]) {
    const expected = ids(...text.toLowerCase());
    assert.deepEqual((await rust.encode(text)).getIds(), expected, text);
    assert.deepEqual(page.encode(text).ids, expected, text);
  }
  const ours = await encodeAll(json, ["o'clock", 'AH K L AA K']);
  assert.deepEqual(ours, [source, target]);
  for (const text of ['AH K L AA K', 'ZH']) {
    const there = page.encode(text).ids;
    assert.equal(await rust.decode(there, true), text);
    assert.equal(page.decode(there, { skipSpecial: true }), text);
    assert.equal(library.decode(there, { skip_special_tokens: true }), text);
  }
});

test('pairs: the decoder reads one token behind', () => {
  const example = sequenceExample({ source: Int32Array.of(5, 6, END), target: Int32Array.of(7, 8, END) }, 0);
  assert.deepEqual(example, {
    ids: Int32Array.of(5, 6, END),
    decoderIds: Int32Array.of(0, 7, 8),
    labels: Int32Array.of(7, 8, END),
  });
});

test('pairs: streams go on wherever they were left, with batches of similar length', () => {
  const next = random(9);
  const some = () => Int32Array.from({ length: 1 + Math.floor(next() * 20) }, () => 3 + Math.floor(next() * 50));
  const pairs = Array.from({ length: 333 }, () => ({ source: some(), target: some() }));
  const encode = characterEncoder(vocabularyOf(dateTokenizer));
  const draw = dateDraws({ writers, days: splitDays().kept, encode, seed: 5 });
  const streams = [
    (seed, from) => pairedExamples({ pairs, batchSize: 8, start: 0, seed, from }),
    (seed, from) => drawnExamples({ draw, batchSize: 8, start: 0, seed, from }),
  ];
  for (const stream of streams) {
    const whole = take(stream(5, 0), 1100);
    for (const from of [1, 8, 327, 328, 511, 512, 1000])
      assert.deepEqual(take(stream(5, from), 1100 - from), whole.slice(from), `from ${from}`);
    assert.notDeepEqual(take(stream(6, 0), 8), whole.slice(0, 8));
    let real = 0;
    let padded = 0;
    for (let start = 0; start + 8 <= 328; start += 8) {
      const lengths = whole.slice(start, start + 8).map(({ ids, labels }) => ids.length + labels.length);
      real += lengths.reduce((a, b) => a + b);
      padded += 8 * Math.max(...lengths);
    }
    // Unsorted, the longest of eight is half as long again as the mean.
    assert.ok(padded / real < 1.06, `padded to ${padded / real} of the tokens`);
  }
  const epoch = take(streams[0](5, 0), 328);
  assert.equal(new Set(epoch.map(({ ids }) => ids)).size, 328, 'every pair once an epoch');
});

test('error rates: against values worked out by hand', () => {
  const letters = (text) => [...text];
  const distances = [
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['abc', 'abc', 0],
    ['flaw', 'lawn', 2],
  ];
  for (const [from, to, expected] of distances) assert.equal(editDistance(letters(from), letters(to)), expected);
  assert.equal(editDistance([1, 2, 3], [2, 3, 4]), 2);
  // Right by its second reference; one substitution in three; one insertion against the nearer, shorter reference.
  const said = [['B'], ['K', 'AE', 'D'], ['T', 'UW', 'Z']];
  const references = [
    [['A'], ['B']],
    [['K', 'AE', 'T']],
    [
      ['T', 'UW', 'Z', 'D', 'D'],
      ['T', 'UW'],
    ],
  ];
  const { wordError, phonemeError } = errorRates(said, references);
  assert.equal(wordError, 2 / 3);
  assert.equal(phonemeError, 2 / (1 + 3 + 2));
});

test('alignment: the places of year, month and day, and the weight on them', () => {
  const day = Date.UTC(1987, 5, 3) / 86_400_000;
  const { characters, places } = sourcePlaces(writers[LOCALES.indexOf('en-US')][0].parts(day));
  assert.equal(characters.join(''), 'wednesday, june 3, 1987');
  const at = (part) => places[part].map((i) => characters[i]).join('');
  assert.deepEqual([at('year'), at('month'), at('day')], ['1987', 'june', '3']);
  const japanese = sourcePlaces(writers[LOCALES.indexOf('ja')][0].parts(day));
  assert.deepEqual(
    ['year', 'month', 'day'].map((part) => japanese.places[part].map((i) => japanese.characters[i]).join('')),
    ['1987', '6', '3'],
  );
  assert.deepEqual(
    Object.values(TARGET_PLACES).map((list) => list.map((i) => isoDate(day)[i]).join('')),
    ['1987', '06', '03'],
  );
  // Two heads, two queries, three keys.
  const pattern = Float32Array.of(1, 0, 0, 0, 1, 0, 0.5, 0.25, 0.25, 0.125, 0.125, 0.75);
  assert.equal(massOn(pattern, [2, 3], 1, [0, 1], [1, 2]), (0.5 + 0.875) / 2);
  assert.equal(massOn(pattern, [2, 3], 0, [1], [1]), 1);
});
