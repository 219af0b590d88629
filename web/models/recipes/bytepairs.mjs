// Makes a byte-level BPE tokenizer.json with the Rust library (npm `tokenizers`): any text can be encoded, nothing is unknown.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BPE, Tokenizer, byteLevelPreTokenizer } from 'tokenizers';

/**
 * @typedef {object} BytePairOptions
 * @property {number} size entries, special tokens and the 256 bytes included
 * @property {string[]} special tokens with the first ids, in this order
 * @property {boolean} [leadingSpace] a text begins as if a space stood before it, so that its first word is the same token as elsewhere
 * @property {object | null} [normalizer] as tokenizer.json has it; texts are normalised by it before training
 * @property {string} [first] special token that every text begins with
 * @property {string} [last] special token that every text ends with
 */

/**
 * Trains a vocabulary and returns the text of its tokenizer.json.
 *
 * The library's Node binding always trains 30,000 entries; BPE's first merges are the same whatever the number wanted is, so the list's beginning
 * is the smaller vocabulary. As with WordPiece, ties between equally frequent pairs are broken by the order of a hash map:
 * a recipe trains a vocabulary once and keeps the file.
 * @param {string[]} texts
 * @param {BytePairOptions} options
 * @returns {string}
 */
export function trainBytePairs(texts, options) {
  const { size, special, leadingSpace = false, normalizer = null } = options;
  const folder = mkdtempSync(join(tmpdir(), 'glassformer-'));
  try {
    const file = join(folder, 'texts');
    const empty = tokenizerJson({}, [], { ...options, special: [], first: undefined, last: undefined });
    const shaped = Tokenizer.fromString(JSON.stringify(empty));
    const normalize = normalizer ? shaped.getNormalizer() : null;
    writeFileSync(file, texts.map((text) => normalize?.normalizeString(text) ?? text).join('\n'));
    const trainer = new Tokenizer(BPE.empty());
    trainer.setPreTokenizer(byteLevelPreTokenizer(leadingSpace));
    trainer.train([file]);
    trainer.save(join(folder, 'trained.json'));
    /** @type {{ model: { merges: [string, string][] } }} */
    const { model } = JSON.parse(readFileSync(join(folder, 'trained.json'), 'utf8'));
    const entries = new Set([...special, ...byteCharacters()]);
    let kept = 0;
    for (; kept < model.merges.length && entries.size < size; kept++) entries.add(model.merges[kept].join(''));
    if (entries.size < size) throw new Error(`the texts give ${entries.size} pieces, ${size} were asked for`);
    // An object puts keys that look like integers first, whatever their order: a digit's id is its place in that listing.
    const listed = Object.keys(Object.fromEntries([...entries].slice(special.length).map((entry) => [entry, 0])));
    const vocab = Object.fromEntries([...special, ...listed].map((entry, id) => [entry, id]));
    return JSON.stringify(tokenizerJson(vocab, model.merges.slice(0, kept), options));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The characters that byte-level BPE writes bytes with: printable Latin-1 as itself, the other bytes as what follows U+00FF.
 * @returns {string[]} for bytes 0 to 255
 */
export function byteCharacters() {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCharCode(printable ? byte : next++);
  });
}

/**
 * @param {Record<string, number>} vocab
 * @param {[string, string][]} merges
 * @param {BytePairOptions} options
 * @returns {object} what tokenizer.json holds
 */
function tokenizerJson(vocab, merges, { special, leadingSpace = false, normalizer = null, first, last }) {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: leadingSpace, trim_offsets: true, use_regex: true };
  const place = (/** @type {string | undefined} */ id) => (id ? [{ SpecialToken: { id, type_id: 0 } }] : []);
  const single = [...place(first), { Sequence: { id: 'A', type_id: 0 } }, ...place(last)];
  const named = [first, last].filter((id) => id !== undefined);
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer,
    pre_tokenizer: byteLevel,
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, { Sequence: { id: 'B', type_id: 0 } }, ...place(last)],
      special_tokens: Object.fromEntries(named.map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }])),
    },
    decoder: leadingSpace
      ? { type: 'Sequence', decoders: [byteLevel, { type: 'Strip', content: ' ', start: 1, stop: 0 }] }
      : byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges: merges.map((pair) => pair.join(' ')),
    },
  };
}

/**
 * Encodes texts without special tokens.
 * @param {string} json text of a tokenizer.json
 * @param {string[]} texts
 * @returns {Promise<Int32Array[]>} ids of each text
 */
export async function encodeBytePairs(json, texts) {
  const tokenizer = Tokenizer.fromString(json);
  const encodings = await tokenizer.encodeBatch(texts, { addSpecialTokens: false });
  return encodings.map((encoding) => Int32Array.from(encoding.getIds()));
}

/**
 * @param {string} json text of a tokenizer.json
 * @param {number[][]} rows ids
 * @returns {Promise<string[]>} texts without special tokens
 */
export async function decodeBytePairs(json, rows) {
  return Tokenizer.fromString(json).decodeBatch(rows, true);
}
