// Numbers that an exhibit begins with, and tensors in another layout. Nothing is computed here.

/** @typedef {import('./types.js').Tensor} Tensor */

/** A matrix, row by row. @param {number[][]} rows @returns {Tensor} */
export const given = (rows) => ({ shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flat()) });

const SMALL_LENGTH = 48;

/** Texts that a small decoder is trained on for a step. */
export const smallTexts = Array.from({ length: 4 }, (_, i) => ({
  ids: Array.from({ length: SMALL_LENGTH }, (__, t) => 1 + ((t * 7 + i * 3) % 39)),
}));

/**
 * The config of a small decoder of our own family, for what does not hang on what was learned.
 * @param {number} layers
 * @param {Record<string, unknown>} [others] settings that are other than its own
 * @returns {Record<string, any>}
 */
export const smallDecoder = (layers, others = {}) => ({
  model_type: 'glassformer',
  architectures: ['GlassformerForCausalLM'],
  is_decoder: true,
  vocab_size: 40,
  hidden_size: 48,
  num_hidden_layers: layers,
  num_attention_heads: 4,
  intermediate_size: 192,
  max_position_embeddings: SMALL_LENGTH,
  pad_token_id: 0,
  ...others,
});

/** Rows become columns: the core's weights are [out, in], formulas write them the other way round. @param {Tensor} matrix @returns {Tensor} */
export function transposed({ shape: [rows, columns], data }) {
  return {
    shape: [columns, rows],
    data: Float32Array.from(data, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)]),
  };
}

/** Row `at` of a tensor's last axis, as a vector. @param {Tensor} tensor @param {number} at @returns {Tensor} */
export function rowOf({ shape, data }, at) {
  const width = shape[shape.length - 1];
  return { shape: [width], data: data.subarray(at * width, (at + 1) * width) };
}

/** The same numbers with other axes. @param {Tensor} tensor @param {number[]} shape @returns {Tensor} */
export const shaped = ({ data }, shape) => ({ shape, data });

/** All numbers of some tensors, one after the other, as one row. @param {Tensor[]} tensors @returns {Tensor} */
export function joined(tensors) {
  const data = new Float32Array(tensors.reduce((length, tensor) => length + tensor.data.length, 0));
  let at = 0;
  for (const tensor of tensors) {
    data.set(tensor.data, at);
    at += tensor.data.length;
  }
  return { shape: [data.length], data };
}
