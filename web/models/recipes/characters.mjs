// Makes tokenizer.json files whose tokens are single characters, and words that stand for themselves (phonemes): byte-pair
// encoding without merges, which both npm `@huggingface/tokenizers` and the Rust library read.

import { Tokenizer } from 'tokenizers';

/** The special tokens of the encoder–decoders made here. Padding also starts the decoder, as in Marian's models. */
export const SPECIAL = Object.freeze({ '<pad>': 0, '</s>': 1, '<unk>': 2 });

/** @typedef {{ type: string } & Record<string, unknown>} Part a part of tokenizer.json */

/**
 * @param {object} options
 * @param {Iterable<string>} options.characters single code points, in the order of their ids
 * @param {string[]} [options.words] read as one token each where they stand alone and as they are written here, before the
 *   normalizer; ids follow those of the characters
 * @param {Part[]} options.normalizer steps
 * @param {Part | null} [options.preTokenizer]
 * @param {Part | null} [options.decoder] null: tokens with blanks between
 * @returns {string} a tokenizer.json: every text ends with the end token
 */
export function characterTokenizer({ characters, words = [], normalizer, preTokenizer = null, decoder = null }) {
  const alphabet = [...Object.keys(SPECIAL), ...characters];
  const added = (/** @type {string} */ content, /** @type {number} */ id, /** @type {boolean} */ special) => ({
    id,
    content,
    single_word: !special,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special,
  });
  const ending = (/** @type {'A' | 'B'} */ id) => [
    { Sequence: { id, type_id: 0 } },
    { SpecialToken: { id: '</s>', type_id: 0 } },
  ];
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [
      ...Object.entries(SPECIAL).map(([content, id]) => added(content, id, true)),
      ...words.map((word, i) => added(word, alphabet.length + i, false)),
    ],
    normalizer: { type: 'Sequence', normalizers: normalizer },
    pre_tokenizer: preTokenizer,
    post_processor: {
      type: 'TemplateProcessing',
      single: ending('A'),
      pair: [...ending('A'), ...ending('B')],
      special_tokens: { '</s>': { id: '</s>', ids: [SPECIAL['</s>']], tokens: ['</s>'] } },
    },
    decoder,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: '<unk>',
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(alphabet.map((token, id) => [token, id])),
      merges: [],
    },
  });
}

/**
 * What transformers reads beside tokenizer.json.
 * @param {number} maxLength of a text, the end token included
 * @returns {string}
 */
export function characterTokenizerConfig(maxLength) {
  const config = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: maxLength,
    pad_token: '<pad>',
    eos_token: '</s>',
    unk_token: '<unk>',
    clean_up_tokenization_spaces: false,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/**
 * @param {string} json text of a tokenizer.json made here
 * @returns {Map<string, number>} ids by token, words included
 */
export function vocabularyOf(json) {
  const { model, added_tokens: added } = JSON.parse(json);
  /** @type {Map<string, number>} */
  const ids = new Map(Object.entries(model.vocab));
  for (const { content, id } of added) ids.set(content, id);
  return ids;
}

/**
 * Encodes texts with the Rust library, end token included.
 * @param {string} json text of a tokenizer.json
 * @param {string[]} texts
 * @returns {Promise<Int32Array[]>} ids of each text
 */
export async function encodeAll(json, texts) {
  const encodings = await Tokenizer.fromString(json).encodeBatch(texts);
  return encodings.map((encoding) => Int32Array.from(encoding.getIds()));
}
