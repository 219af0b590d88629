// A tiny model with a tokenizer of ten words.
import assert from 'node:assert/strict';
import { create, load } from '../../web/engine/index.js';
import { largestDifference } from './golden.js';

/** A tiny config. */
export const config = {
  model_type: 'bert',
  architectures: ['BertForSequenceClassification'],
  vocab_size: 16,
  hidden_size: 8,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 12,
  max_position_embeddings: 10,
  type_vocab_size: 2,
  num_labels: 3,
};
const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content, id) => ({
    ...{ id, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  })),
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      ...[
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      ...[{ Sequence: { id: 'B', type_id: 1 } }, { SpecialToken: { id: '[SEP]', type_id: 1 } }],
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: { '[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, a: 4, large: 5, wild: 6, cat: 7, small: 8, dog: 9 },
  },
};

/** A model with a tokenizer, by way of its files. */
export async function textModel() {
  const made = await create(config, { seed: 7 });
  const model = await load({ ...(await made.save()), 'tokenizer.json': JSON.stringify(tokenizer) });
  made.dispose();
  return model;
}

/** Equal up to what other shapes of a batch change: nothing but the order in which blocks are computed. */
export const assertNear = (actual, expected, what) => {
  assert.deepEqual(actual.shape, expected.shape, what);
  const worst = largestDifference(actual.data, expected.data, what);
  assert.ok(worst <= 1e-5, `${what}: off by ${worst}`);
};
