// Bibles in the SWORD project's zText form, with OSIS markup inside: blocks of zlib data (.bzz), where each block lies (.bzs, 12 bytes
// a record: offset, length, length unpacked), and where each verse lies in them (.bzv, 10 bytes a record: block, offset, length).
// All little-endian. https://crosswire.org/wiki/DevTools:Modules, and the library's own source (zverse.cpp) for the records.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** @typedef {{ book: string, chapter: number, text: string, strongs: string[] }} Verse in order; Strong's numbers as they are marked, repeated */

/**
 * @param {string} folder of a module
 * @returns {Verse[]} both testaments
 */
export function readBible(folder) {
  return ['ot', 'nt'].flatMap((testament) => {
    const [blocks, verses, data] = ['bzs', 'bzv', 'bzz'].map((end) =>
      readFileSync(join(folder, `${testament}.${end}`)),
    );
    return versesOf(readEntries(blocks, verses, data));
  });
}

/**
 * @param {Buffer} blocks the .bzs file
 * @param {Buffer} verses the .bzv file
 * @param {Buffer} data the .bzz file
 * @returns {string[]} every entry's markup; headings and empty places of the numbering have entries too
 */
export function readEntries(blocks, verses, data) {
  /** @type {Map<number, Buffer>} */
  const unpacked = new Map();
  const block = (/** @type {number} */ index) => {
    const known = unpacked.get(index);
    if (known) return known;
    if (12 * (index + 1) > blocks.length)
      throw new Error(`zText: there is no block ${index}, only ${blocks.length / 12}`);
    const [offset, length, size] = [0, 4, 8].map((at) => blocks.readUInt32LE(12 * index + at));
    const bytes = inflateSync(data.subarray(offset, offset + length));
    if (bytes.length !== size) throw new Error(`zText: block ${index} has ${bytes.length} bytes, expected ${size}`);
    unpacked.set(index, bytes);
    return bytes;
  };
  return Array.from({ length: verses.length / 10 }, (_, i) => {
    const length = verses.readUInt16LE(10 * i + 8);
    const offset = verses.readUInt32LE(10 * i + 4);
    return length === 0 ? '' : block(verses.readUInt32LE(10 * i)).toString('utf8', offset, offset + length);
  });
}

/**
 * @param {string[]} entries of a testament, in order
 * @returns {Verse[]} those with text, told apart by the chapter and book marks between them
 */
export function versesOf(entries) {
  /** @type {Verse[]} */
  const verses = [];
  let book = '';
  let chapter = 0;
  for (const entry of entries) {
    const opened = /<chapter [^>]*osisID="(\w+)\.(\d+)"[^>]*sID=/.exec(entry);
    if (opened) {
      book = opened[1];
      chapter = Number(opened[2]);
      continue;
    }
    // Between a book's beginning and its first chapter stand titles and prefaces.
    if (/<div [^>]*osisID="\w+"[^>]*sID=/.test(entry)) book = '';
    // What follows a book's end (a glossary, at the very last verse) is not the verse's.
    const verse = entry.split(/<div canonical="true" eID=/, 1)[0];
    const text = book ? plainText(verse) : '';
    if (text)
      verses.push({ book, chapter, text, strongs: verse.match(/(?<=[: ])[GH]\d{4,5}(?=[" ])/g)?.map(String) ?? [] });
  }
  return verses;
}

/**
 * @param {string} osis a verse's markup
 * @returns {string} what is to be read aloud: no notes, titles or cross-references
 */
export function plainText(osis) {
  return (
    osis
      .replace(/<(note|title|reference)\b[^>]*>[^]*?<\/\1>/g, ' ')
      // Words that the translators added stand unspaced between their neighbours.
      .replace(/<\/?(?:transChange|l|lg|lb|div|milestone|p|divineName)\b[^>]*>/g, ' ')
      .replace(/<[^>]*>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' ')
      .replace(/ (?=[,.;:?!)”’\]])/g, '')
      .replace(/(?<=[(“‘[]) /g, '')
      .trim()
  );
}
