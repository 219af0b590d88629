// Tiny models, and a tokenizer of ten words.
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
/** A tiny decoder. */
export const decoderConfig = {
  model_type: 'gpt2',
  architectures: ['GPT2LMHeadModel'],
  vocab_size: 16,
  n_embd: 8,
  n_layer: 2,
  n_head: 2,
  n_positions: 24,
  initializer_range: 0.5,
  bos_token_id: 2,
  eos_token_id: 3,
};
/** A tiny encoder–decoder. */
export const encoderDecoderConfig = {
  model_type: 'bart',
  architectures: ['BartForConditionalGeneration'],
  vocab_size: 16,
  d_model: 8,
  encoder_layers: 1,
  decoder_layers: 1,
  encoder_attention_heads: 2,
  decoder_attention_heads: 2,
  encoder_ffn_dim: 12,
  decoder_ffn_dim: 12,
  max_position_embeddings: 24,
  init_std: 0.5,
  pad_token_id: 0,
  bos_token_id: 2,
  eos_token_id: 3,
  decoder_start_token_id: 3,
  forced_eos_token_id: null,
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

/** A new model of a config with the tokenizer, by way of its files. */
export async function withTokenizer(of) {
  const made = await create(of, { seed: 7 });
  const model = await load({ ...(await made.save()), 'tokenizer.json': JSON.stringify(tokenizer) });
  made.dispose();
  return model;
}

export const textModel = () => withTokenizer(config);

/** Equal up to what other shapes of a batch change: nothing but the order in which blocks are computed. */
export const assertNear = (actual, expected, what) => {
  assert.deepEqual(actual.shape, expected.shape, what);
  const worst = largestDifference(actual.data, expected.data, what);
  assert.ok(worst <= 1e-5, `${what}: off by ${worst}`);
};
