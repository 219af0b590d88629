// Texts within a PNG, as its standard keeps them: a picture says what it is wherever it goes.
// PNG (Third Edition), W3C 2025: 5.3 chunks, 11.3.3.4 iTXt, annex D the checksum.

/** Behind the signature and the header, which comes first and is always as long. */
const HEADER = 8 + 25;

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 of a chunk's type and data. @param {Uint8Array} bytes */
export function checksum(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 0xff] ^ (c >>> 8);
  return ~c >>> 0;
}

/** @param {string} keyword e.g. 'Title', in Latin letters @param {string} text in any @returns {Uint8Array<ArrayBuffer>} */
function textChunk(keyword, text) {
  // Not compressed, in no language that is named, the keyword not translated.
  const content = new TextEncoder().encode(`iTXt${keyword}\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(content.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length - 4);
  chunk.set(content, 4);
  view.setUint32(content.length + 4, checksum(content));
  return chunk;
}

/**
 * The same PNG with texts in it.
 * @param {Blob} png
 * @param {Record<string, string>} texts by keyword: 'Title' and 'Description' are the standard's
 */
export function withTexts(png, texts) {
  const chunks = Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text));
  return new Blob([png.slice(0, HEADER), ...chunks, png.slice(HEADER)], { type: 'image/png' });
}
