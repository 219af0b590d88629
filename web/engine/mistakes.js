// What goes wrong: the mistakes that people make in attention and around it, computed by the core on the same input as the right
// form, to be shown beside it. For nothing else.
import { byName, gradientsOf, results } from './ops.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').AnyTensor} AnyTensor */
/** @typedef {import('./ops.js').Mask} Mask */
/** @typedef {import('./ops.js').Layer} Layer */
/** @typedef {import('./ops.js').NamedTensors} NamedTensors */

/** What may be asked of each, for lists to choose from; cpp/mistakes/mistakes.cpp says what is wrong with each. */
const names = Object.freeze({
  softmax: /** @type {const} */ (['withoutMaximum']),
  attention: /** @type {const} */ ([
    ...['scaleByModelWidth', 'noScale', 'invertedTriangle', 'noCausalMask', 'billion', 'billionTwice'],
    ...['billionSquared', 'nanRows', 'withoutMaximum', 'transposeAll', 'cachedByKeys'],
  ]),
  lookAheadMask: /** @type {const} */ (['inverted']),
  layerNorm: /** @type {const} */ (['epsOutside', 'sampleVariance', 'sampleDeviation', 'weightsPerPosition']),
  dropout: /** @type {const} */ (['notInverted', 'atInference']),
  encoderLayer: /** @type {const} */ (['withoutResidual']),
  encoder: /** @type {const} */ (['withoutResidual', 'neverRecomputed']),
  decoderLayer: /** @type {const} */ (['withoutResidual', 'withoutFeedForward', 'noCausalMask', 'noMemoryMask']),
  embedding: /** @type {const} */ (['idsAsVectors']),
  meanPool: /** @type {const} */ (['overPadding', 'overBatch']),
  crossEntropy: /** @type {const} */ ([
    ...[
      'logitsAsProbabilities',
      'probabilitiesAsLogits',
      'smoothingUndivided',
      'smoothingOverOthers',
      'gradientOfMean',
    ],
  ]),
  labelSmoothing: /** @type {const} */ (['undivided', 'overOthers']),
  noamRate: /** @type {const} */ (['fromZero']),
  average: /** @type {const} */ (['meanOfMeans']),
});

/** Of one result. @param {string} name @param {unknown[]} args @returns {Promise<Tensor>} */
async function single(name, ...args) {
  const [{ shape, data }] = await results(name, args, true);
  return { shape, data };
}

/** Of several. @param {string} name @param {unknown[]} args @returns {Promise<any>} */
const several = async (name, ...args) => byName(await results(name, args, true));

/**
 * The names, arguments and results of `ops`, and in the options the `mistake` that is made. NaN and infinity come out where 32-bit
 * floats give them. All throw 'bad-input' naming the argument that does not fit, also an unknown mistake.
 */
export const mistakes = Object.freeze({
  names,

  /**
   * withoutMaximum: exp of raw scores, infinite above 88.7.
   * @param {Tensor} x
   * @param {{ mistake: 'withoutMaximum' }} options
   * @returns {Promise<{ output: Tensor, exponentials: Tensor }>}
   */
  softmax: (x, options) => several('softmax', x, options),

  /**
   * scaleByModelWidth: divided by √dModel · noScale · invertedTriangle: `causal` hides the past and the token itself ·
   * noCausalMask: `causal` is forgotten · billion: −1e9 where −∞ belongs · billionTwice: the mask's added twice · billionSquared:
   * the mask's −1e9 multiplied by −1e9 · nanRows: no rule for a row in which all is hidden · withoutMaximum · transposeAll: k.T of
   * all axes, for q, k and v [N, N, N] · cachedByKeys: the first query's weights for all.
   * @param {Tensor} q […, T, K]
   * @param {Tensor} k […, S, K]
   * @param {Tensor} v […, S, V]
   * @param {{ mistake: string | string[], mask?: Mask, causal?: boolean, scale?: number, dModel?: number }} options one mistake or
   *   several at once
   * @returns {Promise<{ output: Tensor, weights: Tensor, scores: Tensor }>}
   */
  attention: (q, k, v, options) => several('attention', q, k, v, options),

  /**
   * The mean over heads that libraries return, and how far the farthest head is from it.
   * @param {Tensor} weights [B, H, T, S]
   * @returns {Promise<{ weights: Tensor, lost: Tensor }>} [B, T, S]
   */
  averageHeads: (weights) => several('averageHeads', weights),

  /** @param {number} length @param {{ mistake: 'inverted' }} options @returns {Promise<Tensor>} [T, T], −Infinity on and below the diagonal */
  lookAheadMask: (length, options) => single('lookAheadMask', length, options),

  /**
   * epsOutside: std + eps · sampleVariance: n − 1 · sampleDeviation: both · weightsPerPosition: weight and bias are [T, D].
   * @param {Tensor} x
   * @param {{ mistake: string, weight?: Tensor, bias?: Tensor, eps?: number }} options
   * @returns {Promise<Tensor>}
   */
  layerNorm: (x, options) => single('layerNorm', x, options),

  /**
   * notInverted: kept values are not divided by 1 − p · atInference: drops whatever `training` says.
   * @param {Tensor} x
   * @param {{ mistake: string, p: number, seed?: number, training?: boolean }} options
   * @returns {Promise<{ output: Tensor, kept: Tensor }>}
   */
  dropout: (x, options) => several('dropout', x, options),

  /** @param {Tensor} x @param {Layer} layer @param {{ mistake: 'withoutResidual', mask?: Mask }} options @returns {Promise<Tensor>} */
  encoderLayer: (x, layer, options) => single('encoderLayer', x, layer, options),

  /**
   * neverRecomputed: all segments of recomputeEvery layers (1) but the last forget their activations; the output is right, the
   * gradients below are zero.
   * @param {Tensor} x [B, T, D]
   * @param {{ layers: Layer[], norm?: { weight?: Tensor, bias?: Tensor, eps?: number } }} stack
   * @param {{ mistake: string, mask?: Mask, recomputeEvery?: number }} options
   * @returns {Promise<Tensor>}
   */
  encoder: (x, stack, options) => single('encoder', x, stack, options),

  /**
   * withoutResidual · withoutFeedForward · noCausalMask: nothing of x is hidden · noMemoryMask: nothing of memory is.
   * @param {Tensor} x [B, T, D]
   * @param {Tensor} memory [B, S, D]
   * @param {Layer} layer
   * @param {{ mistake: string, mask?: Mask, memoryMask?: Mask, causal?: boolean }} options
   * @returns {Promise<Tensor>}
   */
  decoderLayer: (x, memory, layer, options) => single('decoderLayer', x, memory, layer, options),

  /**
   * idsAsVectors: each id repeated over the width.
   * @param {AnyTensor} ids
   * @param {Tensor} weight [entries, width]
   * @param {{ mistake: 'idsAsVectors' }} options
   * @returns {Promise<Tensor>}
   */
  embedding: (ids, weight, options) => single('embedding', ids, weight, options),

  /** How often each id occurs, which is then read as ids. @param {AnyTensor} ids [B, T] @param {number} vocabSize @returns {Promise<Tensor>} [B, vocabSize] */
  countsAsIds: (ids, vocabSize) => single('countsAsIds', ids, vocabSize),

  /**
   * overPadding → [B, D] · overBatch → [T, D].
   * @param {Tensor} x [B, T, D]
   * @param {AnyTensor} mask [B, T]
   * @param {{ mistake: string }} options
   * @returns {Promise<Tensor>}
   */
  meanPool: (x, mask, options) => single('meanPool', x, mask, options),

  /**
   * logitsAsProbabilities: −log of a logit · probabilitiesAsLogits: a softmax before the loss's own · smoothingUndivided,
   * smoothingOverOthers: targets that do not add up to 1, see labelSmoothing · gradientOfMean: the loss is right, its gradients are
   * those of the logits' mean.
   * @param {Tensor} logits […, classes]
   * @param {AnyTensor} labels […]
   * @param {{ mistake: string, labelSmoothing?: number, ignoreIndex?: number }} options
   * @returns {Promise<{ loss: Tensor, perItem: Tensor }>}
   */
  crossEntropy: (logits, labels, options) => several('crossEntropy', logits, labels, options),

  /**
   * undivided: smoothing whole on every class · overOthers: divided by classes − 1, but on every class.
   * @param {AnyTensor} labels […]
   * @param {number} classes
   * @param {number} smoothing
   * @param {{ mistake: string }} options
   * @returns {Promise<Tensor>} […, classes]
   */
  labelSmoothing: (labels, classes, smoothing, options) =>
    single('labelSmoothing', labels, classes, smoothing, options),

  /**
   * fromZero: step 0 is allowed; byStep is then infinite, and the rate, the lesser of both terms, 0.
   * @param {number} step
   * @param {{ mistake: 'fromZero', dModel: number, warmup: number }} options
   * @returns {Promise<{ rate: number, byStep: number, byWarmup: number }>} byStep = step^−½, byWarmup = step · warmup^−1.5
   */
  noamRate: async (step, options) => {
    const { rate, byStep, byWarmup } = await several('noamRate', step, options);
    return { rate: rate.data[0], byStep: byStep.data[0], byWarmup: byWarmup.data[0] };
  },

  /**
   * meanOfMeans: the weights are forgotten.
   * @param {Tensor[]} tensors
   * @param {{ mistake: 'meanOfMeans', weights?: number[] }} options
   * @returns {Promise<Tensor>}
   */
  average: (tensors, options) => single('average', tensors, options),

  /**
   * Gradients, as `ops.gradients` gives them; of dropout, layers, encoder and crossEntropy.
   * @param {string} name
   * @param {unknown[]} args
   * @param {Tensor | number} upstream
   * @returns {Promise<NamedTensors>}
   */
  gradients: (name, args, upstream) => gradientsOf(name, args, upstream, true),
});
