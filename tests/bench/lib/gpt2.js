// A decoder of GPT-2 small's shape with random weights: its config, its parameters by Hugging Face's names, one at a time
// since they are 498 MB together, and its prompt.
import { generator, randomIds } from './parameters.js';

/** @typedef {import('./parameters.js').Tensor} Tensor */

export const GPT2 = Object.freeze({
  model_type: 'gpt2',
  architectures: ['GPT2LMHeadModel'],
  vocab_size: 50257,
  n_positions: 1024,
  n_embd: 768,
  n_layer: 12,
  n_head: 12,
  activation_function: 'gelu_new',
  layer_norm_epsilon: 1e-5,
  tie_word_embeddings: true,
  bos_token_id: 50256,
  eos_token_id: 50256,
});

/** What is generated from, and how many tokens: the first comes of the prompt, each further one of a step with the cache. */
export const PROMPT = 64;
export const STEPS = 8;
export const promptIds = () => randomIds(PROMPT, GPT2.vocab_size, 64);

/** Names and shapes in a file's order; matrices of layers are [in, out]. @returns {[string, number[]][]} */
export function gpt2Shapes() {
  const { vocab_size: V, n_positions: P, n_embd: D, n_layer: L } = GPT2;
  /** @type {[string, number[]][]} */
  const shapes = [
    ['wte.weight', [V, D]],
    ['wpe.weight', [P, D]],
  ];
  const part = (/** @type {string} */ name, /** @type {number[]} */ weight) =>
    shapes.push([`${name}.weight`, weight], [`${name}.bias`, weight.slice(-1)]);
  for (let l = 0; l < L; l++) {
    part(`h.${l}.ln_1`, [D]);
    part(`h.${l}.attn.c_attn`, [D, 3 * D]);
    part(`h.${l}.attn.c_proj`, [D, D]);
    part(`h.${l}.ln_2`, [D]);
    part(`h.${l}.mlp.c_fc`, [D, 4 * D]);
    part(`h.${l}.mlp.c_proj`, [4 * D, D]);
  }
  part('ln_f', [D]);
  return shapes;
}

const shapes = new Map(gpt2Shapes());

/**
 * Matrices are near to normal (four uniform numbers added up) with deviation 0.02, as GPT-2 begins; norms and biases are as
 * training might leave them.
 * @param {string} name
 * @returns {Tensor} equal on every host
 */
export function gpt2Tensor(name) {
  const shape = shapes.get(name);
  if (!shape) throw new Error(`no parameter ${name}`);
  const random = generator([...name].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0)) | 0, 7));
  const data = new Float32Array(shape.reduce((a, b) => a * b));
  const scale = 0.02 * Math.sqrt(3);
  const middle = /ln_\w+\.weight$/.test(name) ? 1 : 0;
  for (let i = 0; i < data.length; i++) {
    data[i] =
      shape.length > 1 ? scale * (random() + random() + random() + random() - 2) : middle + (random() - 0.5) / 5;
  }
  return { shape, data };
}

/** [rows, columns] as [columns, rows]. @param {Tensor} tensor @returns {Tensor} */
export function transposed({ shape: [rows, columns], data }) {
  const values = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) values[j * rows + i] = data[i * columns + j];
  return { shape: [columns, rows], data: values };
}
