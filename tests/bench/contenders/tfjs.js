// TensorFlow.js with its WebAssembly backend as a contender: one thread, SIMD. It has no encoder of its own, so one is put
// together from its operators, fused where it fuses (matrix product with bias).
import * as tfModule from '@tensorflow/tfjs-core';
import * as wasmModule from '@tensorflow/tfjs-backend-wasm';

/** @typedef {import('./index.js').Contender} Contender */
/** @typedef {import('@tensorflow/tfjs-core').Tensor} Tensor */
/** @typedef {(name: string) => Tensor} Weights */

// In Node these are CommonJS modules.
/** @type {typeof import('@tensorflow/tfjs-core')} */
export const tf = /** @type {any} */ (tfModule).default ?? tfModule;
/** @type {typeof import('@tensorflow/tfjs-backend-wasm')} */
const wasm = /** @type {any} */ (wasmModule).default ?? wasmModule;

/** @type {Promise<void> | undefined} */
let started;

/** @param {string | undefined} folder where its wasm files are; known to the package itself in Node */
export function startTfjs(folder) {
  started ??= (async () => {
    tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    if (folder) wasm.setWasmPaths(folder);
    await tf.setBackend('wasm');
    await tf.ready();
    if (!tf.env().get('WASM_HAS_SIMD_SUPPORT')) throw new Error('tfjs: the backend runs without SIMD');
  })();
  return started;
}

/** @param {import('../lib/parameters.js').Parameters} parameters @param {string} name */
export function asTensor(parameters, name) {
  const { shape, data } = parameters.get(name);
  const tensor = tf.tensor(data, shape);
  return shape.length === 2 && !/embeddings\.\w+\.weight$/.test(name) ? tf.transpose(tensor) : tensor;
}

/**
 * Parameters as tensors of its own, kept between runs. Dense weights are turned to [in, out]: its fast product takes no
 * transposed operand.
 * @param {import('../lib/parameters.js').Parameters} parameters
 * @returns {Weights}
 */
export function constants(parameters) {
  /** @type {Map<string, Tensor>} */
  const made = new Map();
  return (name) => {
    let tensor = made.get(name);
    if (!tensor) {
      tensor = tf.keep(tf.tidy(() => asTensor(parameters, name)));
      made.set(name, tensor);
    }
    return tensor;
  };
}

/** x [N, in] · W + b. @typedef {(x: Tensor, weights: Weights, name: string) => Tensor} Linear */

/** @type {Linear} */
const fusedLinear = (x, weights, name) =>
  tf.fused.matMul({
    a: /** @type {any} */ (x),
    b: /** @type {any} */ (weights(`${name}.weight`)),
    bias: weights(`${name}.bias`),
  });

/** @param {Tensor} x @param {Weights} weights @param {string} name @param {number} epsilon */
function norm(x, weights, name, epsilon) {
  const centred = tf.sub(x, tf.mean(x, -1, true));
  const variance = tf.mean(tf.square(centred), -1, true);
  const scaled = tf.mul(centred, tf.rsqrt(tf.add(variance, epsilon)));
  return tf.add(tf.mul(scaled, weights(`${name}.weight`)), weights(`${name}.bias`));
}

/** @param {Tensor} x */
const gelu = (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));

/** What every sequence's embeddings have added. @param {Weights} weights @param {string} prefix @param {number} length @returns {Tensor} [T, D] */
export function positionsAndSegment(weights, prefix, length) {
  const positions = tf.slice(weights(`${prefix}embeddings.position_embeddings.weight`), [0, 0], [length, -1]);
  return tf.add(positions, tf.slice(weights(`${prefix}embeddings.token_type_embeddings.weight`), [0, 0], [1, -1]));
}

/**
 * The encoder from its embedded tokens on.
 * @param {import('../lib/parameters.js').Config} config
 * @param {Weights} weights
 * @param {Tensor} embedded [B · T, D], before the norm
 * @param {{ batch: number, prefix?: string, linear?: Linear }} options
 * @returns {{ hidden: Tensor, patterns: Tensor[] }} hidden [B · T, D], patterns [B · H, T, T]
 */
export function encode(config, weights, embedded, { batch, prefix = '', linear = fusedLinear }) {
  const { hidden_size: D, num_attention_heads: H, num_hidden_layers: L, layer_norm_eps: epsilon } = config;
  const T = embedded.shape[0] / batch;
  const K = D / H;
  const perm = [0, 2, 1, 3]; // tokens and heads change places
  let x = norm(embedded, weights, `${prefix}embeddings.LayerNorm`, epsilon);
  const patterns = [];
  for (let l = 0; l < L; l++) {
    const layer = `${prefix}encoder.layer.${l}`;
    const [q, k, v] = ['query', 'key', 'value'].map((part) => {
      const rows = linear(x, weights, `${layer}.attention.self.${part}`);
      return tf.reshape(tf.transpose(tf.reshape(rows, [batch, T, H, K]), perm), [batch * H, T, K]);
    });
    const scores = tf.matMul(q, tf.transpose(k, [0, 2, 1]));
    const pattern = tf.softmax(tf.mul(scores, 1 / Math.sqrt(K)));
    patterns.push(pattern);
    const weighted = tf.reshape(tf.matMul(pattern, v), [batch, H, T, K]);
    const z = tf.reshape(tf.transpose(weighted, perm), [batch * T, D]);
    const attended = linear(z, weights, `${layer}.attention.output.dense`);
    x = norm(tf.add(attended, x), weights, `${layer}.attention.output.LayerNorm`, epsilon);
    const fed = linear(gelu(linear(x, weights, `${layer}.intermediate.dense`)), weights, `${layer}.output.dense`);
    x = norm(tf.add(fed, x), weights, `${layer}.output.LayerNorm`, epsilon);
  }
  return { hidden: x, patterns };
}

/**
 * @param {import('./index.js').EncoderJob} job
 * @returns {Promise<Contender>}
 */
export async function tfjsEncoder({ config, parameters, ids, record, tfjsFolder }) {
  await startTfjs(tfjsFolder);
  const weights = constants(parameters);
  const { length } = ids;
  const fixed = tf.keep(tf.tidy(() => positionsAndSegment(weights, '', length)));
  /** @type {Record<string, Float32Array>} */
  let result = {};
  const forward = () => {
    const word = tf.gather(weights('embeddings.word_embeddings.weight'), tf.tensor1d(ids, 'int32'));
    const { hidden, patterns } = encode(config, weights, tf.add(word, fixed), { batch: 1 });
    result = { hidden: /** @type {Float32Array} */ (hidden.dataSync()) };
    if (record)
      patterns.forEach((pattern, l) => (result[`pattern.${l}`] = /** @type {Float32Array} */ (pattern.dataSync())));
  };
  return {
    run: async () => tf.tidy(forward),
    result: () => result,
  };
}
