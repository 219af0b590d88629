// Dates as the world writes them, from Node's own `Intl`: which locales and formats, which days are held out, and what the
// tokenizer makes of a date.

import { hash } from './random.mjs';

/**
 * @typedef {object} Writer one way to write a day
 * @property {string} locale
 * @property {(day: number) => string} write
 * @property {(day: number) => { type: string, value: string }[]} parts the same text in parts: 'day', 'month', 'literal' …; blanks
 *   may be of another kind
 */

/** Sixty-one locales, in twenty scripts; ar-EG, fa, mr, ne and bn have digits of their own. */
export const LOCALES = Object.freeze(
  (
    'en-US en-GB de fr es it pt-BR nl sv da nb fi is et lv lt pl cs sk sl hr hu ro bg ru uk be el tr az sr mk sq ca eu gl ' +
    'ga cy id vi sw af ja zh-CN ko he ar ar-EG fa hi mr ne bn ta th ka hy kk mn fil zu'
  ).split(' '),
);

/** @type {readonly Intl.DateTimeFormatOptions[]} */
const kFormats = [
  { dateStyle: 'full' },
  { dateStyle: 'long' },
  { dateStyle: 'medium' },
  { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' },
  { year: 'numeric', month: 'long', day: '2-digit' },
  { year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' },
  { year: 'numeric', month: 'short', day: '2-digit' },
  { year: 'numeric', month: '2-digit', day: '2-digit' },
];

const kMilliseconds = 86_400_000;
/** Days are counted from 1970-01-01, as Date counts milliseconds: 1900-01-01 to 2099-12-31. */
const kFirst = Date.UTC(1900, 0, 1) / kMilliseconds;
const kEnd = Date.UTC(2100, 0, 1) / kMilliseconds;
const kHeldOut = 3650;
const kSplit = 8601;

/**
 * @param {number} day
 * @returns {string} such as '1987-06-23'
 */
export function isoDate(day) {
  return new Date(day * kMilliseconds).toISOString().slice(0, 10);
}

/**
 * The split: 3,650 of the 73,049 days are held out, in every locale and format. It depends on the days alone, so that no
 * version of Node or of its locale data moves a day from one side to the other.
 * @returns {{ kept: Int32Array, heldOut: Int32Array }} days, in order of time
 */
export function splitDays() {
  const days = Int32Array.from({ length: kEnd - kFirst }, (_, i) => kFirst + i);
  const keys = new Map(Array.from(days, (day) => [day, hash(kSplit, day)]));
  const drawn = [...days].sort((a, b) => Number(keys.get(a)) - Number(keys.get(b)) || a - b);
  return {
    kept: Int32Array.from(drawn.slice(kHeldOut)).sort(),
    heldOut: Int32Array.from(drawn.slice(0, kHeldOut)).sort(),
  };
}

/**
 * All ways to write a date from which the date can be told. Left out are those of digits alone (06/07/1987 is June or July)
 * unless the year comes first, then month, then day; and ways that a locale has twice.
 * @returns {Writer[][]} the writers of each locale
 */
export function dateWriters() {
  return LOCALES.map((locale) => {
    const seen = new Set();
    return kFormats.flatMap((options) => {
      const format = new Intl.DateTimeFormat(locale, { ...options, calendar: 'gregory', timeZone: 'UTC' });
      const parts = (/** @type {number} */ day) => format.formatToParts(day * kMilliseconds);
      // May is as long as its short name in most languages; September is not.
      const samples = [Date.UTC(1987, 4, 6), Date.UTC(1987, 8, 23)].map((time) => time / kMilliseconds);
      const order = parts(samples[0]).filter(({ type }) => ['year', 'month', 'day'].includes(type));
      const named = order.some(({ type, value }) => type === 'month' && /\p{L}/u.test(value));
      const text = samples.map((day) => format.format(day * kMilliseconds)).join();
      if ((!named && order.map(({ type }) => type).join(' ') !== 'year month day') || seen.has(text)) return [];
      seen.add(text);
      return [{ locale, parts, write: (day) => format.format(day * kMilliseconds) }];
    });
  });
}

// Blanks of all widths, and marks that are not seen: which of them Intl writes changes between versions.
const kBlanks = '[\u00a0\u2000-\u200a\u202f\u3000]';
const kUnseen = '[\u061c\u200b-\u200f\u2060\ufeff]';

/** The tokenizer's normalizer; `normalise` does the same. */
export const NORMALIZER = [
  { type: 'NFC' },
  { type: 'Replace', pattern: { Regex: kBlanks }, content: ' ' },
  { type: 'Replace', pattern: { Regex: kUnseen }, content: '' },
  { type: 'Lowercase' },
];

const kBlank = new RegExp(kBlanks, 'gu');
const kInvisible = new RegExp(kUnseen, 'gu');

/**
 * A date's characters as the tokenizer has them.
 * @param {string} text
 * @returns {string[]} code points; lower-cased one by one, as the Rust library does (a final sigma stays one)
 */
export function normalise(text) {
  const plain = text.normalize('NFC').replace(kBlank, ' ').replace(kInvisible, '');
  return Array.from(plain, (character) => [...character.toLowerCase()]).flat();
}

/**
 * The characters that dates are written with, digits and the hyphen first.
 * @param {Writer[][]} writers
 * @returns {string[]}
 */
export function dateCharacters(writers) {
  const first = [...'0123456789-'];
  const all = new Set();
  for (const writer of writers.flat())
    // Every day of a month and every month of a year; three years have all ten digits and the weekdays in all places.
    for (const year of [1906, 1978, 2035])
      for (let day = 0; day < 366; day++) {
        const text = writer.write(Date.UTC(year, 0, 1 + day) / kMilliseconds);
        for (const character of normalise(text)) all.add(character);
      }
  for (const digit of first) all.delete(digit);
  // By code point: the same order on every machine.
  return [...first, ...[...all].sort((a, b) => Number(a.codePointAt(0)) - Number(b.codePointAt(0)))];
}
