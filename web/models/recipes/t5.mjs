// Where `translate` starts: a T5 of its size, its embeddings from counts.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pairedEmbeddings } from './embeddings.mjs';
import { normal, random } from './random.mjs';
import { f32, writeSafetensors } from './safetensors.mjs';

/** @typedef {import('./sequences.mjs').Pair} Pair */
/** @typedef {import('./sequences.mjs').Shape} Shape */

// Root mean square of the first embeddings.
const kDeviation = 0.1;
const kDecoderScale = 1 / kDeviation;

/**
 * @param {Shape} shape
 * @param {{ vocabulary: number, pad: number, end: number }} sizes padding also starts the decoder
 * @returns {Record<string, any>} a T5 configuration: RMS norms before, relative positions, one table for source, target and output
 */
export function t5Config({ width, layers, heads, feedForward }, { vocabulary, pad, end }) {
  return {
    architectures: ['T5ForConditionalGeneration'],
    model_type: 't5',
    is_encoder_decoder: true,
    vocab_size: vocabulary,
    d_model: width,
    d_kv: width / heads,
    d_ff: feedForward,
    num_layers: layers[0],
    num_decoder_layers: layers[1],
    num_heads: heads,
    relative_attention_num_buckets: 32,
    relative_attention_max_distance: 128,
    feed_forward_proj: 'relu',
    dropout_rate: 0.1,
    layer_norm_epsilon: 1e-6,
    tie_word_embeddings: true,
    use_cache: true,
    pad_token_id: pad,
    eos_token_id: end,
    decoder_start_token_id: pad,
    dtype: 'float16',
  };
}

/**
 * Writes the weights that training starts from: embeddings from counts, so that words and their translations are alike from the first step;
 * all else drawn as transformers draws it for T5, but for the decoder's last norm.
 * @param {string} folder
 * @param {Record<string, any>} config
 * @param {{ phrases: Pair[], special: number, seed: number }} data pairs to count in, without special tokens, which are the first ids
 */
export function writeT5Start(folder, config, { phrases, special, seed }) {
  const { vocab_size: size, d_model: width, d_kv: depth, d_ff: wide, num_heads: heads } = config;
  const next = normal(random(seed));
  /** @type {Map<string, import('./safetensors.mjs').RawTensor>} */
  const tensors = new Map();
  const matrix = (
    /** @type {string} */ name,
    /** @type {number} */ rows,
    /** @type {number} */ columns,
    /** @type {number} */ deviation,
  ) =>
    tensors.set(
      `${name}.weight`,
      f32(
        Float32Array.from({ length: rows * columns }, () => deviation * next()),
        [rows, columns],
      ),
    );
  const norm = (/** @type {string} */ name, value = 1) =>
    tensors.set(`${name}.weight`, f32(new Float32Array(width).fill(value), [width]));
  const attention = (/** @type {string} */ name) => {
    // Queries make up for scores that T5 does not divide by √depth.
    matrix(`${name}.q`, heads * depth, width, (width * depth) ** -0.5);
    for (const part of ['k', 'v']) matrix(`${name}.${part}`, heads * depth, width, width ** -0.5);
    matrix(`${name}.o`, width, heads * depth, (heads * depth) ** -0.5);
  };
  const embeddings = pairedEmbeddings(phrases, { vocabulary: size, special, width, deviation: kDeviation, seed });
  tensors.set('shared.weight', f32(embeddings, [size, width]));
  for (const [stack, layers] of /** @type {const} */ ([
    ['encoder', config.num_layers],
    ['decoder', config.num_decoder_layers],
  ])) {
    for (let l = 0; l < layers; l++) {
      const parts = stack === 'decoder' ? ['SelfAttention', 'EncDecAttention'] : ['SelfAttention'];
      for (const [i, part] of parts.entries()) {
        attention(`${stack}.block.${l}.layer.${i}.${part}`);
        norm(`${stack}.block.${l}.layer.${i}.layer_norm`);
      }
      const last = `${stack}.block.${l}.layer.${parts.length}`;
      matrix(`${last}.DenseReluDense.wi`, wide, width, width ** -0.5);
      matrix(`${last}.DenseReluDense.wo`, width, wide, wide ** -0.5);
      norm(`${last}.layer_norm`);
    }
    matrix(
      `${stack}.block.0.layer.0.SelfAttention.relative_attention_bias`,
      config.relative_attention_num_buckets,
      heads,
      width ** -0.5,
    );
    // T5 divides by √width what it compares with the embeddings, which are as large as 1 there and smaller here.
    norm(`${stack}.final_layer_norm`, stack === 'decoder' ? kDecoderScale : 1);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(tensors));
}
