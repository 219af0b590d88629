// English and Spanish verses that say the same: the World English Bible and the Reina-Valera of 1909, paired by the Strong's numbers
// (one for every Hebrew or Greek word) that both carry, since their numberings of verses differ.

import { join } from 'node:path';
import { debianPackage } from './debian.mjs';
import { hash } from './random.mjs';
import { readBible } from './sword.mjs';

/** @typedef {import('./sword.mjs').Verse} Verse */
/** @typedef {{ book: string, chapter: number, english: string, spanish: string }} VersePair */

export const ENGLISH_PACKAGE = 'sword-text-web';
export const SPANISH_PACKAGE = 'sword-text-sparv';

const kModules = 'usr/share/sword/modules/texts/ztext';
// Dice coefficient of the two sets of Strong's numbers, below which two verses are no pair.
const kLeastAlike = 0.3;
// How far a verse's pair may stand from its own place in the book: the numberings drift by fewer.
const kReach = 40;

const kTest = 1000;
const kTuning = 300;
const kSplitSeed = 1909;

/**
 * @returns {{ train: VersePair[], tuning: VersePair[], test: VersePair[] }} 1,000 verses to score on, 300 to choose settings with,
 *   drawn by a hash of their place; the rest to train on, without those that equal a held-out one
 */
export function readVersePairs() {
  const english = readBible(join(debianPackage(ENGLISH_PACKAGE), kModules, 'engWEB2015eb'));
  const spanish = readBible(join(debianPackage(SPANISH_PACKAGE), kModules, 'spaRV1909eb'));
  return splitPairs(pairVerses(english, spanish));
}

/**
 * @param {VersePair[]} pairs
 * @param {number} [test] how many to score on
 * @param {number} [tuning]
 * @returns {{ train: VersePair[], tuning: VersePair[], test: VersePair[] }}
 */
export function splitPairs(pairs, test = kTest, tuning = kTuning) {
  const drawn = pairs
    .map((_, i) => i)
    .sort((a, b) => hash(kSplitSeed, a) - hash(kSplitSeed, b))
    .slice(0, test + tuning);
  const sorted = (/** @type {number[]} */ places) => places.sort((a, b) => a - b).map((i) => pairs[i]);
  const held = { test: sorted(drawn.slice(0, test)), tuning: sorted(drawn.slice(test)) };
  // Some verses stand in two books word for word.
  const known = new Set([...held.test, ...held.tuning].flatMap(({ english, spanish }) => [english, spanish]));
  return { train: pairs.filter(({ english, spanish }) => !known.has(english) && !known.has(spanish)), ...held };
}

/**
 * Pairs verses book by book: the order-preserving pairing with the largest sum of likeness.
 * @param {Verse[]} english
 * @param {Verse[]} spanish
 * @returns {VersePair[]} in order
 */
export function pairVerses(english, spanish) {
  const books = byBook(english);
  return [...byBook(spanish)].flatMap(([book, verses]) => {
    const others = books.get(book);
    if (!others) return [];
    return pairOrdered(
      others.map(({ strongs }) => new Set(strongs)),
      verses.map(({ strongs }) => new Set(strongs)),
    ).map(([i, j]) => ({
      book,
      chapter: verses[j].chapter,
      english: others[i].text,
      spanish: modernSpanish(verses[j].text),
    }));
  });
}

/**
 * @param {Verse[]} verses
 * @returns {Map<string, Verse[]>}
 */
function byBook(verses) {
  /** @type {Map<string, Verse[]>} */
  const books = new Map();
  for (const verse of verses) {
    const book = books.get(verse.book);
    if (book) book.push(verse);
    else books.set(verse.book, [verse]);
  }
  return books;
}

/**
 * @param {Set<string>[]} left
 * @param {Set<string>[]} right
 * @returns {[number, number][]} indices of pairs, both rising
 */
function pairOrdered(left, right) {
  const width = right.length + 1;
  // best[i, j]: the largest sum for the first i and the first j; a cell out of reach holds what the nearest one in reach does.
  const best = new Float64Array((left.length + 1) * width);
  const alike = (/** @type {number} */ i, /** @type {number} */ j) => {
    if (Math.abs(i - (j * left.length) / right.length) > kReach) return 0;
    const likeness = dice(left[i], right[j]);
    return likeness < kLeastAlike ? 0 : likeness;
  };
  for (let i = 1; i <= left.length; i++) {
    for (let j = 1; j <= right.length; j++) {
      const paired = best[(i - 1) * width + j - 1] + alike(i - 1, j - 1);
      best[i * width + j] = Math.max(best[(i - 1) * width + j], best[i * width + j - 1], paired);
    }
  }
  /** @type {[number, number][]} */
  const pairs = [];
  for (let i = left.length, j = right.length; i > 0 && j > 0;) {
    const here = best[i * width + j];
    if (here === best[(i - 1) * width + j]) i--;
    else if (here === best[i * width + j - 1]) j--;
    else pairs.push([--i, --j]);
  }
  return pairs.reverse();
}

/**
 * @param {Set<string>} a
 * @param {Set<string>} b
 * @returns {number} 0 to 1
 */
function dice(a, b) {
  let shared = 0;
  for (const entry of a) if (b.has(entry)) shared++;
  return shared === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

// Words that have lost their accent since 1909 (Ortografía of 1952 and 1959).
const kUnaccented = new Map(
  Object.entries({
    á: 'a',
    é: 'e',
    ó: 'o',
    ú: 'u',
    fué: 'fue',
    fuí: 'fui',
    dió: 'dio',
    vió: 'vio',
    dí: 'di',
    fé: 'fe',
    pié: 'pie',
    fuése: 'fuese',
  }),
);

/**
 * Today's spelling of the commonest words, no circumflexes (Achâb), and no words in capitals, with which chapters begin.
 * @param {string} text
 * @returns {string}
 */
export function modernSpanish(text) {
  return text
    .replace(/[âêîôûÂÊÎÔÛ]/g, (letter) => letter.normalize('NFD')[0])
    .replace(/\p{L}+/gu, (word) => {
      const small = word.toLowerCase();
      const capital = word !== small && word[0] === word[0].toUpperCase();
      const now = kUnaccented.get(small) ?? (word.length > 1 && word === word.toUpperCase() ? small : undefined);
      if (now === undefined) return word;
      return capital ? now[0].toUpperCase() + now.slice(1) : now;
    });
}
