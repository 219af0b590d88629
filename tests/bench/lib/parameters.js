// The models that are compared: their configs, and their parameters by Hugging Face's names.

/** @typedef {{ shape: number[], data: Float32Array }} Tensor */
/** @typedef {{ get: (name: string) => Tensor }} Parameters throws for a name that is not there */
/**
 * A BERT config, as far as it matters here.
 * @typedef {object} Config
 * @property {string} model_type
 * @property {string[]} architectures
 * @property {number} vocab_size
 * @property {number} hidden_size
 * @property {number} num_hidden_layers
 * @property {number} num_attention_heads
 * @property {number} intermediate_size
 * @property {number} max_position_embeddings
 * @property {number} type_vocab_size
 * @property {number} layer_norm_eps
 * @property {number} [num_labels]
 */

/**
 * @param {{ architecture: string, layers: number, width: number, heads: number, feedForward: number, positions: number,
 *   vocabulary: number, labels?: number }} shape
 * @returns {Config}
 */
const bert = ({ architecture, layers, width, heads, feedForward, positions, vocabulary, labels }) => ({
  model_type: 'bert',
  architectures: [architecture],
  vocab_size: vocabulary,
  hidden_size: width,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  intermediate_size: feedForward,
  max_position_embeddings: positions,
  type_vocab_size: 2,
  layer_norm_eps: 1e-12,
  ...(labels ? { num_labels: labels } : {}),
});

/** The encoder of the forward pass: 2.87 GFLOP for 128 tokens. */
export const ENCODER = Object.freeze({
  config: bert({
    architecture: 'BertModel',
    layers: 6,
    width: 384,
    heads: 12,
    feedForward: 1536,
    positions: 128,
    vocabulary: 1000,
  }),
  length: 128,
});

/** The smallest encoder of the same form: running it means that a library is up. */
export const TINY = Object.freeze({
  config: bert({
    architecture: 'BertModel',
    layers: 1,
    width: 16,
    heads: 2,
    feedForward: 32,
    positions: 8,
    vocabulary: 16,
  }),
  length: 8,
});

/** The model that is trained: a label out of 256 for each of 64 tokens. */
export const TRAINED = Object.freeze({
  config: bert({
    architecture: 'BertForTokenClassification',
    layers: 4,
    width: 128,
    heads: 4,
    feedForward: 512,
    positions: 64,
    vocabulary: 256,
    labels: 256,
  }),
  length: 64,
  batch: 16,
  lr: 1e-3,
});

/** A small generator: equal numbers on every host. @param {number} seed @returns {() => number} in [0, 1) */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {number} count @param {number} below @param {number} seed @returns {number[]} */
export function randomIds(count, below, seed) {
  const random = generator(seed);
  return Array.from({ length: count }, () => Math.floor(random() * below));
}

/** Norms and biases as training leaves them, so that leaving one out would be seen. @param {Tensor} tensor @param {string} name */
export function disturbed({ shape, data }, name) {
  const random = generator(name.length * 7919 + data.length);
  const middle = name.endsWith('LayerNorm.weight') ? 1 : 0;
  return { shape, data: Float32Array.from(data, () => middle + (random() - 0.5) / 5) };
}

/** Names and shapes of the encoder's parameters. @param {Config} config @returns {[string, number[]][]} */
function encoderShapes(config) {
  const { hidden_size: D, intermediate_size: F } = config;
  /** @type {(name: string, out: number, width: number) => [string, number[]][]} */
  const dense = (name, out, width) => [
    [`${name}.weight`, [out, width]],
    [`${name}.bias`, [out]],
  ];
  /** @type {(name: string) => [string, number[]][]} */
  const norm = (name) => [
    [`${name}.weight`, [D]],
    [`${name}.bias`, [D]],
  ];
  const layer = (/** @type {number} */ l) => {
    const at = `encoder.layer.${l}`;
    return [
      ...['query', 'key', 'value'].flatMap((part) => dense(`${at}.attention.self.${part}`, D, D)),
      ...dense(`${at}.attention.output.dense`, D, D),
      ...norm(`${at}.attention.output.LayerNorm`),
      ...dense(`${at}.intermediate.dense`, F, D),
      ...dense(`${at}.output.dense`, D, F),
      ...norm(`${at}.output.LayerNorm`),
    ];
  };
  return [
    ['embeddings.word_embeddings.weight', [config.vocab_size, D]],
    ['embeddings.position_embeddings.weight', [config.max_position_embeddings, D]],
    ['embeddings.token_type_embeddings.weight', [config.type_vocab_size, D]],
    ...norm('embeddings.LayerNorm'),
    ...Array.from({ length: config.num_hidden_layers }, (_, l) => layer(l)).flat(),
  ];
}

/** Random parameters, for when nothing is compared with ours. @param {Config} config @returns {Parameters} */
export function randomParameters(config) {
  const random = generator(1);
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  for (const [name, shape] of encoderShapes(config)) {
    const data = new Float32Array(shape.reduce((a, b) => a * b));
    for (let i = 0; i < data.length; i++) data[i] = (random() - 0.5) / 15; // deviation 0.02, as BERT begins
    const tensor = { shape, data };
    tensors.set(name, shape.length === 1 ? disturbed(tensor, name) : tensor);
  }
  return checked(tensors);
}

/** @param {Map<string, Tensor>} tensors @returns {Parameters} */
export function checked(tensors) {
  return {
    get(name) {
      const tensor = tensors.get(name);
      if (!tensor) throw new Error(`no parameter ${name}; there are ${[...tensors.keys()].join(', ')}`);
      return tensor;
    },
  };
}
