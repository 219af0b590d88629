// Makes a lower-cased WordPiece tokenizer.json with the Rust library (npm `tokenizers`), and encodes texts with it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokenizer, WordPiece, bertNormalizer, bertPreTokenizer } from 'tokenizers';

/** BERT's special tokens, with the ids they have in every vocabulary made here. */
export const SPECIAL = Object.freeze({ '[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, '[MASK]': 4 });

/**
 * Trains a vocabulary and returns the text of its tokenizer.json.
 *
 * The library's Node binding always trains 30,000 entries: the alphabet, then one piece a merge, in order. A vocabulary of
 * `size` is that list's beginning, then sorted, and the file is one line: both make it compress to about half.
 * The library breaks ties between equally frequent pairs by the order of a hash map, so that two trainings differ in a few rare
 * pieces: a recipe trains a vocabulary once and keeps the file.
 * @param {string[]} texts
 * @param {number} size entries, special tokens included
 * @returns {string}
 */
export function trainVocabulary(texts, size) {
  const folder = mkdtempSync(join(tmpdir(), 'glassformer-'));
  try {
    const file = join(folder, 'texts');
    writeFileSync(file, texts.join('\n'));
    const trainer = new Tokenizer(WordPiece.init({}, { unkToken: '[UNK]' }));
    trainer.setNormalizer(bertNormalizer());
    trainer.setPreTokenizer(bertPreTokenizer());
    trainer.train([file]);
    const pieces = Object.entries(trainer.getVocab(false)).sort((a, b) => a[1] - b[1]);
    const special = Object.keys(SPECIAL);
    const kept = pieces.slice(0, size - special.length).map(([piece]) => piece);
    // An object puts keys that look like integers first, whatever their order: number the pieces the way it lists them.
    const sorted = Object.keys(Object.fromEntries(kept.sort().map((piece) => [piece, 0])));
    const vocab = Object.fromEntries([...special, ...sorted].map((piece, id) => [piece, id]));
    return JSON.stringify(tokenizerJson(vocab));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {Record<string, number>} vocab
 * @returns {object} what tokenizer.json holds
 */
function tokenizerJson(vocab) {
  const special = (/** @type {string} */ id, /** @type {number} */ type) => ({ SpecialToken: { id, type_id: type } });
  const text = (/** @type {string} */ id, /** @type {number} */ type) => ({ Sequence: { id, type_id: type } });
  const single = [special('[CLS]', 0), text('A', 0), special('[SEP]', 0)];
  const known = (/** @type {'[CLS]' | '[SEP]'} */ id) => ({ id, ids: [SPECIAL[id]], tokens: [id] });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: Object.entries(SPECIAL).map(([content, id]) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, text('B', 1), special('[SEP]', 1)],
      special_tokens: { '[CLS]': known('[CLS]'), '[SEP]': known('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/**
 * What transformers reads beside tokenizer.json.
 * @param {number} maxLength positions the model has
 * @returns {string}
 */
export function tokenizerConfig(maxLength) {
  const config = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: maxLength,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    mask_token: '[MASK]',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/**
 * Encodes texts without special tokens.
 * @param {string} file a tokenizer.json
 * @param {string[]} texts
 * @returns {Promise<Int32Array[]>} ids of each text
 */
export async function encodeTexts(file, texts) {
  const tokenizer = Tokenizer.fromString(readFileSync(file, 'utf8'));
  const encodings = await tokenizer.encodeBatch(texts, { addSpecialTokens: false });
  return encodings.map((encoding) => Int32Array.from(encoding.getIds()));
}
