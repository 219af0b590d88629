// The six novels in Debian's r-cran-janeaustenr. R keeps them in a lazy-load database: Rdata.rdx is a gzipped list of where each
// variable lies in Rdata.rdb, where each is a zlib stream behind four bytes of length. Both hold R's serialization, XDR format:
// "R Internals", section 1.8, https://cran.r-project.org/doc/manuals/r-release/R-ints.html#Serialization-Formats

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { debianPackage } from './debian.mjs';

export const NOVELS_PACKAGE = 'r-cran-janeaustenr';

/** The novels' names in the package, in the order of publication. */
export const NOVELS = Object.freeze([
  'sensesensibility',
  'prideprejudice',
  'mansfieldpark',
  'emma',
  'northangerabbey',
  'persuasion',
]);

/** @typedef {{ name: string, train: string, heldOut: string }} Novel */

const kHeldOutShare = 0.05;

/**
 * @returns {Novel[]} each novel's text, a line of print a line; the last 5 % of its
 *   characters are held out
 */
export function readNovels() {
  const folder = join(debianPackage(NOVELS_PACKAGE), 'usr/lib/R/site-library/janeaustenr/data');
  const variables = readLazyLoad(readFileSync(join(folder, 'Rdata.rdx')), readFileSync(join(folder, 'Rdata.rdb')));
  return NOVELS.map((name) => {
    const lines = variables.get(name);
    if (!Array.isArray(lines)) throw new Error(`${NOVELS_PACKAGE}: there is no text called ${name}`);
    return { name, ...splitEnd(lines.join('\n'), kHeldOutShare) };
  });
}

/**
 * @param {string} text
 * @param {number} share of the characters that are held out, at the end
 * @returns {{ train: string, heldOut: string }}
 */
export function splitEnd(text, share) {
  const at = Math.floor((1 - share) * text.length);
  return { train: text.slice(0, at), heldOut: text.slice(at) };
}

/** @typedef {null | string | symbol | (string | number | null)[] | Map<string, any> | any[]} RValue a list with names is a Map */

/**
 * @param {Buffer} index the .rdx file
 * @param {Buffer} data the .rdb file
 * @returns {Map<string, RValue>} every variable
 */
export function readLazyLoad(index, data) {
  const places = /** @type {Map<string, any>} */ (unserialize(gunzipSync(index))).get('variables');
  return new Map(
    [...places].map(([name, [offset, length]]) => {
      const size = data.readUInt32BE(offset);
      const bytes = inflateSync(data.subarray(offset + 4, offset + length));
      if (bytes.length !== size) throw new Error(`${name}: expected ${size} bytes of data, got ${bytes.length}`);
      return [name, unserialize(bytes)];
    }),
  );
}

// Types of items, as in R's source (Rinternals.h and serialize.c).
const SYMBOL = 1;
const PAIRS = 2;
const CHARACTERS = 9;
const LOGICALS = 10;
const INTEGERS = 13;
const REALS = 14;
const STRINGS = 16;
const LIST = 19;
const NOTHING = 254;
const REFERENCE = 255;

const HAS_ATTRIBUTES = 0x200;
const HAS_TAG = 0x400;

/**
 * Reads vectors of strings, numbers and logicals, lists and NULL: what data sets are made of.
 * @param {Buffer} bytes in R's XDR serialization, version 2 or 3
 * @returns {RValue}
 */
export function unserialize(bytes) {
  let at = 0;
  const integer = () => bytes.readInt32BE((at += 4) - 4);
  const real = () => bytes.readDoubleBE((at += 8) - 8);
  const text = (/** @type {number} */ length) => bytes.toString('utf8', at, (at += length));
  /** @type {RValue[]} */
  const symbols = [];

  /** @param {() => any} read */
  const vector = (read) => Array.from({ length: integer() }, read);

  /** @returns {any} */
  const item = () => {
    const flags = integer();
    const type = flags & 0xff;
    const value = content(type, flags);
    if (type === PAIRS || type === CHARACTERS || !(flags & HAS_ATTRIBUTES)) return value;
    const names = /** @type {Map<string, any>} */ (item()).get('names');
    return type === LIST && names
      ? new Map(names.map((/** @type {string} */ name, /** @type {number} */ i) => [name, value[i]]))
      : value;
  };

  /**
   * @param {number} type
   * @param {number} flags
   * @returns {any}
   */
  const content = (type, flags) => {
    switch (type) {
      case NOTHING:
        return null;
      case SYMBOL:
        symbols.push(item());
        return symbols.at(-1);
      case REFERENCE:
        return symbols[(flags >> 8 || integer()) - 1];
      case CHARACTERS: {
        const length = integer();
        return length < 0 ? null : text(length);
      }
      case LOGICALS:
      case INTEGERS:
        return vector(integer);
      case REALS:
        return vector(real);
      case STRINGS:
      case LIST:
        return vector(item);
      case PAIRS: {
        /** @type {Map<string, any>} */
        const pairs = new Map();
        for (let now = flags; (now & 0xff) === PAIRS; now = integer()) {
          if (now & HAS_ATTRIBUTES) item();
          const tag = now & HAS_TAG ? item() : '';
          pairs.set(tag, item());
        }
        return pairs;
      }
      default:
        throw new Error(`R serialization: type ${type} at byte ${at - 4} is none that a data set of texts has`);
    }
  };

  if (text(2) !== 'X\n') throw new Error('R serialization: expected XDR data, which begin with X');
  const version = integer();
  if (version !== 2 && version !== 3) throw new Error(`R serialization: expected version 2 or 3, got ${version}`);
  at += 8; // the versions of R that wrote it and that can read it
  if (version === 3) text(integer()); // the native encoding; strings say their own
  return item();
}
