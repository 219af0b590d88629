// Tokens as they are read.

/** @typedef {import('../engine/tokenizer.js').Tokenizer} Tokenizer */

/** @type {WeakMap<Tokenizer, boolean>} */
const byteLevel = new WeakMap();

/** @param {Tokenizer} tokenizer */
function isByteLevel(tokenizer) {
  const known = byteLevel.get(tokenizer);
  if (known !== undefined) return known;
  const { decoder } = tokenizer.files.tokenizer;
  /** @type {{ type: string }[]} */
  const parts = decoder?.type === 'Sequence' ? decoder.decoders : [decoder];
  const is = parts.some((part) => part?.type === 'ByteLevel');
  byteLevel.set(tokenizer, is);
  return is;
}

/**
 * A token as it is read. A byte-level vocabulary writes bytes as letters ("Ġthe"): there the bytes' own text is shown, a space
 * before it as ␣; a part of a character stays as the vocabulary has it.
 * @param {Tokenizer | null} tokenizer
 * @param {number} id
 * @param {string} token
 */
export function readable(tokenizer, id, token) {
  if (tokenizer === null || !isByteLevel(tokenizer)) return token;
  const text = tokenizer.decode([id]);
  return text === '' || text.includes('\ufffd') ? token : text.replace(/ /g, '␣').replace(/\n/g, '⏎');
}

/** A token's text by its id. @param {Tokenizer | null} tokenizer @param {number} id */
export function tokenOf(tokenizer, id) {
  return readable(tokenizer, id, tokenizer?.token(id) ?? String(id));
}
