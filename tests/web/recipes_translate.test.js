// What `translate` is made of: IBM model 1, clauses and their pairing, streams of merged phrases, the word-by-word baseline.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clauses, pairClauses, phrases, words } from '../../web/models/recipes/clauses.mjs';
import { pairedEmbeddings } from '../../web/models/recipes/embeddings.mjs';
import { NULL_WORD, WordTranslation } from '../../web/models/recipes/ibm1.mjs';
import { mergedExamples, wordByWord, wordTable } from '../../web/models/recipes/translate.mjs';

const TOY = [
  ['das haus', 'the house'],
  ['das buch', 'the book'],
  ['ein buch', 'a book'],
].map(([source, target]) => ({ source: source.split(' '), target: target.split(' ') }));

test('IBM model 1: one round by hand', () => {
  // Every word of a sentence of two is explained a third each by NULL and the two words, so NULL has counts the 2/3, house 1/3, book 2/3, a 1/3
  // of 2 in all; das: the 2/3, house 1/3, book 1/3 of 4/3; haus: the and house 1/3 each.
  const table = new WordTranslation(TOY, 1);
  for (const [source, target, wanted] of /** @type {const} */ ([
    [NULL_WORD, 'the', 1 / 3],
    [NULL_WORD, 'a', 1 / 6],
    ['das', 'the', 1 / 2],
    ['das', 'book', 1 / 4],
    ['haus', 'house', 1 / 2],
    ['haus', 'book', 0],
  ])) {
    // A handful of additions in double precision.
    assert.ok(Math.abs(table.probability(source, target) - wanted) < 1e-14, `${source} → ${target}`);
  }
});

test('IBM model 1: what it comes to stays there, and rows add up to 1', () => {
  const [many, more] = [new WordTranslation(TOY, 2000), new WordTranslation(TOY, 2001)];
  for (const source of [NULL_WORD, 'das', 'haus', 'buch', 'ein']) {
    let sum = 0;
    for (const target of ['the', 'house', 'book', 'a']) {
      sum += many.probability(source, target);
      // Convergence is linear or, for what vanishes, as 1/n: two thousand rounds leave less than 1e-4 a round.
      assert.ok(Math.abs(many.probability(source, target) - more.probability(source, target)) < 1e-4);
    }
    assert.ok(Math.abs(sum - 1) < 1e-12, `${source}: ${sum}`);
  }
  assert.deepEqual(
    ['das', 'haus', 'buch', 'ein', 'nie'].map((word) => many.best(word)),
    ['the', 'house', 'book', 'a', undefined],
  );
  // Each further round makes the corpus no less likely.
  const likelihood = (/** @type {number} */ rounds) => {
    const table = new WordTranslation(TOY, rounds);
    let sum = 0;
    for (const { source, target } of TOY) {
      for (const word of target) {
        sum += Math.log([NULL_WORD, ...source].reduce((all, from) => all + table.probability(from, word), 0) / 3);
      }
    }
    return sum;
  };
  for (let rounds = 1; rounds < 20; rounds++) assert.ok(likelihood(rounds + 1) >= likelihood(rounds));
});

test('clauses and phrases: marks stay with what they end', () => {
  const text = 'God said, “Let there be light;” and so on: was it? “Yes!” 3.5 said the dog’s master';
  assert.deepEqual(clauses(text), [
    ...['God said, “Let there be light;”', 'and so on:', 'was it?', '“Yes!”', '3.5 said the dog’s master'],
  ]);
  assert.equal(phrases(text).length, 6);
  for (const cut of [clauses, phrases]) assert.equal(cut(text).join(' '), text);
  assert.deepEqual(clauses(''), []);
  assert.deepEqual(words('Él dijo: “¿Qué?” dog’s 12.'), [
    'él',
    'dijo',
    ':',
    '“',
    '¿',
    'qué',
    '?',
    '”',
    'dog’s',
    '12',
    '.',
  ]);
});

test('pairing: in order, each clause once, by what the words say', () => {
  const lexicon = ['one uno', 'two dos', 'three tres', 'four cuatro', '. .', ', ,'].map((pair) => pair.split(' '));
  const sentences = lexicon.flatMap(([source, target]) => Array(20).fill({ source: [source], target: [target] }));
  const forward = new WordTranslation(sentences);
  const backward = new WordTranslation(sentences.map(({ source, target }) => ({ source: target, target: source })));
  const pair = (/** @type {string} */ source, /** @type {string} */ target) =>
    pairClauses(phrases(source), phrases(target), forward, backward).map(
      (found) => `${found.source} = ${found.target}`,
    );
  assert.deepEqual(pair('one, two. three.', 'uno. dos. tres.'), ['one, = uno.', 'two. = dos.', 'three. = tres.']);
  assert.deepEqual(pair('one one, two. three.', 'uno uno dos. tres.'), [
    'one one, two. = uno uno dos.',
    'three. = tres.',
  ]);
  assert.deepEqual(pair('one two. four.', 'uno. dos. cuatro.'), ['one two. = uno. dos.', 'four. = cuatro.']);
  // Five against one is more than a step takes, so it is all one pair.
  assert.deepEqual(pair('one, two, three, four, one.', 'uno.'), ['one, two, three, four, one. = uno.']);
  assert.deepEqual(pair('', 'uno.'), []);
});

const VERSES = Array.from({ length: 9 }, (_, v) =>
  Array.from({ length: 1 + (v % 4) }, (_, p) => ({
    source: Int32Array.from({ length: 2 + p }, (_, i) => 100 * v + 10 * p + i + 2),
    target: Int32Array.from({ length: 3 + p }, (_, i) => 1000 + 100 * v + 10 * p + i),
  })),
);
const stream = (from = 0, join = 0.5, seed = 7) =>
  mergedExamples({ verses: VERSES, batchSize: 4, join, start: 0, end: 1, seed, from });
const take = (/** @type {Generator<any>} */ source, /** @type {number} */ count) =>
  Array.from({ length: count }, () => source.next().value);

test('merged phrases: neighbours of one verse, in order, ends marked', () => {
  const examples = take(stream(), 200);
  const lengths = new Set();
  for (const { ids, decoderIds, labels } of examples) {
    assert.equal(ids.at(-1), 1);
    assert.equal(labels.at(-1), 1);
    assert.deepEqual([...decoderIds], [0, ...labels.subarray(0, -1)]);
    const verse = Math.floor((labels[0] - 1000) / 100);
    const place = Math.floor(((labels[0] - 1000) % 100) / 10);
    let count = 0;
    for (let length = 0; length < ids.length - 1; count++) length += VERSES[verse][place + count].source.length;
    const group = VERSES[verse].slice(place, place + count);
    assert.deepEqual([...ids], [...group.flatMap(({ source }) => [...source]), 1]);
    assert.deepEqual([...labels], [...group.flatMap(({ target }) => [...target]), 1]);
    lengths.add(count);
  }
  assert.deepEqual([...lengths].sort(), [1, 2, 3, 4]);
  // Never and always: phrases alone, verses whole.
  assert.ok(take(stream(0, 0), 20).every(({ ids }) => ids.length <= 6));
  assert.ok(take(stream(0, 1), 16).every(({ labels }) => labels[0] % 100 === 0));
});

test('merged phrases: a stream goes on anywhere as if it had not stopped', () => {
  const whole = take(stream(), 120);
  for (const from of [1, 3, 4, 19, 40, 77]) assert.deepEqual(take(stream(from), 120 - from), whole.slice(from));
  assert.notDeepEqual(take(stream(0, 0.5, 8), 120), whole);
  assert.throws(
    () => mergedExamples({ verses: [], batchSize: 4, join: 0, start: 0, end: 1, seed: 1 }).next(),
    RangeError,
  );
});

test('paired embeddings: a word and its translation come out alike', () => {
  // Words 2 to 21 mean what words 22 to 41 do; sentences hold three that are near each other.
  const pairs = Array.from({ length: 600 }, (_, i) => {
    const meanings = [i % 20, (i + 1 + (i % 3)) % 20, (i * 7 + 3) % 20];
    return { source: Int32Array.from(meanings, (m) => m + 2), target: Int32Array.from(meanings, (m) => m + 22) };
  });
  const width = 12;
  const table = pairedEmbeddings(pairs, { vocabulary: 42, special: 2, width, deviation: 0.3, seed: 5 });
  const cosine = (/** @type {number} */ a, /** @type {number} */ b) => {
    let [dot, first, second] = [0, 0, 0];
    for (let d = 0; d < width; d++) {
      const [x, y] = [table[a * width + d], table[b * width + d]];
      [dot, first, second] = [dot + x * y, first + x * x, second + y * y];
    }
    return dot / Math.sqrt(first * second);
  };
  let nearest = 0;
  for (let m = 0; m < 20; m++) {
    const others = Array.from({ length: 20 }, (_, o) => cosine(m + 2, o + 22));
    if (others.every((value, o) => o === m || value < others[m])) nearest++;
  }
  assert.ok(nearest >= 18, `${nearest} of 20 words are nearest to their translations`);
  const square = table.reduce((sum, value) => sum + value * value, 0) / table.length;
  // Four fifths from counts, scaled exactly, and a random fifth (of 480 draws, whence the tolerance): √0.68 of the deviation.
  assert.ok(Math.abs(Math.sqrt(square) - 0.3 * Math.sqrt(0.68)) < 0.02, `root mean square ${Math.sqrt(square)}`);
});

test('word by word: marks stay, quotation marks go, unknown words are copied', () => {
  const table = wordTable(
    ['the light la luz', 'the day el día', 'light luz', 'day día', 'the la', 'god Dios', 'god Dios'].map((line) => {
      const list = line.split(' ');
      const half = list.length / 2;
      return { book: '', chapter: 1, english: list.slice(0, half).join(' '), spanish: list.slice(half).join(' ') };
    }),
  );
  assert.equal(wordByWord('“Light, God’s ‘day’; Zion.”', table), 'Luz, God’s día; Zion.');
  assert.equal(wordByWord('', table), '');
});
