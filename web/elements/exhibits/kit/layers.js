// Layers of a model as the core's ops take them: by PyTorch's names.

import { joined, shaped } from './given.js';

/** @typedef {import('../../../engine/index.js').Model} Model */
/** @typedef {import('./types.js').Tensor} Tensor */

/** One below the other. @param {Tensor[]} tensors @returns {Tensor} */
export function stacked(tensors) {
  const rows = tensors.reduce((sum, { shape }) => sum + shape[0], 0);
  return shaped(joined(tensors), [rows, ...tensors[0].shape.slice(1)]);
}

/** What Hugging Face's names are called by PyTorch, in an encoder layer of BERT's kind. */
const BERT = /** @type {const} */ ([
  ['self_attn.out_proj', 'attention.output.dense'],
  ['norm1', 'attention.output.LayerNorm'],
  ['linear1', 'intermediate.dense'],
  ['linear2', 'output.dense'],
  ['norm2', 'output.LayerNorm'],
]);

/**
 * A layer of an encoder of BERT's kind, for `ops.encoderLayer`.
 * @param {Model} model
 * @param {number} l
 * @param {string} [prefix] of the family: 'electra.' …
 * @returns {Promise<Record<string, any>>}
 */
export async function encoderLayer(model, l, prefix = '') {
  const of = (/** @type {string} */ name) => model.parameter(`${prefix}encoder.layer.${l}.${name}`);
  const { num_attention_heads: heads, hidden_act: activation = 'gelu', layer_norm_eps: eps = 1e-12 } = model.config;
  const layer = /** @type {Record<string, any>} */ ({ heads, activation, eps });
  for (const what of ['weight', 'bias']) {
    const three = ['query', 'key', 'value'].map((name) => of(`attention.self.${name}.${what}`));
    layer[`self_attn.in_proj_${what}`] = stacked(await Promise.all(three));
    for (const [ours, theirs] of BERT) layer[`${ours}.${what}`] = await of(`${theirs}.${what}`);
  }
  return layer;
}
