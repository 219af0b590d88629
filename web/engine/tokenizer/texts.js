// What each token adds to a text, as bytes: where stop strings are looked for. As transformers' StopStringCriteria has it.
import { BYTE_CHARACTERS } from './pretokenize.js';

/** Of all tokens by their ids, one behind the other; `ends[id]`: where that of token id ends. @typedef {{ bytes: Uint8Array, ends: Int32Array }} TokenTexts */
/** @typedef {import('@huggingface/tokenizers').Decoder} Decoder */

/** Of an id that is no token: a byte that is in no text, so that nothing is found across it. */
const IN_NO_TEXT = Uint8Array.of(0xff);

const encoder = new TextEncoder();

/** @param {any} decoder of a tokenizer.json @param {string} type @returns {boolean} whether it is or holds one of that type */
function holds(decoder, type) {
  if (decoder === null || typeof decoder !== 'object') return false;
  return decoder.type === type || Object.values(decoder).some((part) => holds(part, type));
}

/** @param {string} token @returns {Uint8Array | null} the byte that "<0xE9>" stands for */
function fallbackByte(token) {
  const hex = /^<0x([0-9a-f]{2})>$/i.exec(token);
  return hex ? Uint8Array.of(Number.parseInt(hex[1], 16)) : null;
}

/** The bytes that byte-level tokens spell, null for others. @returns {(token: string) => Uint8Array | null} */
function byteLevel() {
  const byCharacter = new Map(BYTE_CHARACTERS.map((character, byte) => [character, byte]));
  return (token) => {
    const bytes = Array.from(token, (character) => byCharacter.get(character));
    return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(/** @type {number[]} */ (bytes)) : null;
  };
}

/**
 * The texts of tokens that are no bytes: what the decoder writes behind other tokens, since it may write a first one otherwise.
 * @param {Decoder | null} decoder
 * @param {string[]} before some tokens of a text
 * @returns {(token: string) => Uint8Array}
 */
function decoded(decoder, before) {
  const write = (/** @type {string[]} */ tokens) => (decoder ? decoder.decode(tokens) : tokens.join(' '));
  const start = write(before);
  return (token) => {
    const text = write([...before, token]);
    return encoder.encode(text.startsWith(start) ? text.slice(start.length) : token);
  };
}

/**
 * @param {object} tokenizer
 * @param {any} tokenizer.json its tokenizer.json
 * @param {Decoder | null} tokenizer.decoder
 * @param {string[]} tokenizer.before tokens of any text
 * @param {(string | null)[]} tokenizer.tokens by their ids, null where an id is not used
 * @returns {TokenTexts}
 */
export function tokenTexts({ json, decoder, before, tokens }) {
  const inBytes = holds(json.decoder, 'ByteFallback')
    ? fallbackByte
    : holds(json.decoder, 'ByteLevel')
      ? byteLevel()
      : null;
  const inText = decoded(decoder, before);
  const texts = tokens.map((token) => (token === null ? IN_NO_TEXT : (inBytes?.(token) ?? inText(token))));
  const ends = new Int32Array(texts.length);
  const bytes = new Uint8Array(texts.reduce((size, text) => size + text.length, 0));
  let at = 0;
  for (const [id, text] of texts.entries()) {
    bytes.set(text, at);
    ends[id] = at += text.length;
  }
  return { bytes, ends };
}
