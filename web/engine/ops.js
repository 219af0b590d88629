// The parts of a transformer one by one: functions from tensors to tensors, and their gradients.
import { connect } from './connection.js';
import { GlassError } from './errors.js';
import { checkedText, described } from './names.js';
import { checkedTensor } from './tensor.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').AnyTensor} AnyTensor */
/** Added to the scores (0 or −Infinity), or a Uint8Array, 1 = may be seen. Broadcasts. @typedef {AnyTensor} Mask */
/** @typedef {'relu' | 'gelu' | 'gelu_new' | 'silu' | 'tanh'} ActivationName */
/**
 * PyTorch's parameters of nn.TransformerEncoderLayer by their names, and heads, activation ('relu'), normFirst (false), eps.
 * @typedef {Record<string, AnyTensor | number | boolean | string | undefined>} Layer
 */
/** @typedef {Record<string, Tensor>} NamedTensors */
/** @typedef {{ step?: number, parameters: NamedTensors, m?: NamedTensors, v?: NamedTensors }} AdamWState */

/** Deeper than any argument: what contains itself is found by it. */
const DEEPEST = 8;

/** What the arguments are called, for messages. @type {Record<string, string[]>} */
const NAMES = {
  splitHeads: ['x', 'heads'],
  joinHeads: ['x'],
  add: ['a', 'b'],
  dropout: ['x', 'options'],
  labelSmoothing: ['labels', 'classes', 'smoothing', 'options'],
  lshBuckets: ['qk', 'options'],
  lshAttention: ['qk', 'v', 'options'],
  linformerAttention: ['q', 'k', 'v', 'options'],
  largestDifference: ['a', 'b'],
  wavelengths: ['dModel', 'options'],
  averageHeads: ['weights'],
  countsAsIds: ['ids', 'vocabSize'],
  softmax: ['x', 'options'],
  attention: ['q', 'k', 'v', 'options'],
  multiHeadAttention: ['query', 'key', 'value', 'options'],
  layerNorm: ['x', 'options'],
  moments: ['x'],
  rmsNorm: ['x', 'options'],
  linear: ['x', 'options'],
  feedForward: ['x', 'options'],
  activation: ['x', 'name'],
  positionalEncoding: ['length', 'dModel', 'options'],
  paddingMask: ['ids', 'padId'],
  lookAheadMask: ['length', 'options'],
  encoderLayer: ['x', 'layer', 'options'],
  decoderLayer: ['x', 'memory', 'layer', 'options'],
  encoder: ['x', 'stack', 'options'],
  embedding: ['ids', 'weight', 'options'],
  meanPool: ['x', 'mask', 'options'],
  crossEntropy: ['logits', 'labels', 'options'],
  noamRate: ['step', 'options'],
  adamW: ['state', 'grads', 'options'],
  clipGradNorm: ['grads', 'max'],
  average: ['tensors', 'options'],
};

/**
 * An argument as the core takes it; tensors are checked on the way.
 * @param {unknown} value
 * @param {string} where
 * @param {number} [depth]
 * @returns {unknown}
 */
function argument(value, where, depth = 0) {
  if (value === undefined || value === null) return undefined;
  if (['number', 'boolean', 'string'].includes(typeof value)) return value;
  if (typeof value !== 'object' || ArrayBuffer.isView(value) || depth > DEEPEST) {
    throw new GlassError(
      'bad-input',
      `${where}: expected a tensor, a number, a text, or options of these, got ${described(value)}`,
    );
  }
  if (Array.isArray(value)) return value.map((item, i) => argument(item, `${where}[${i}]`, depth + 1));
  if ('data' in value || 'shape' in value) return checkedTensor(value, where);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, argument(item, `${where}.${key}`, depth + 1)]));
}

/** @param {string} name @param {unknown[]} args @returns {unknown[]} */
function argumentsOf(name, args) {
  let count = args.length; // those left out at the end are not there
  while (count > 0 && args[count - 1] === undefined) --count;
  const names = Object.hasOwn(NAMES, name) ? NAMES[name] : [];
  return args.slice(0, count).map((arg, i) => argument(arg, `${name}: ${names[i] ?? `argument ${i + 1}`}`));
}

/** @param {string} name @param {unknown[]} args @param {boolean} [mistaken] @returns {Promise<(Tensor & { name: string })[]>} */
export async function results(name, args, mistaken = false) {
  const checked = argumentsOf(name, args);
  return (await connect()).call('opCall', [name, checked, mistaken]);
}

/** @param {(Tensor & { name: string })[]} list @returns {NamedTensors} */
export const byName = (list) => Object.fromEntries(list.map(({ name, shape, data }) => [name, { shape, data }]));

/** An op of one result. @param {string} name @param {unknown[]} args @returns {Promise<Tensor>} */
async function single(name, ...args) {
  const [{ shape, data }] = await results(name, args);
  return { shape, data };
}

/** An op of several. @param {string} name @param {unknown[]} args @returns {Promise<any>} */
const several = async (name, ...args) => byName(await results(name, args));

/**
 * @param {string} name
 * @param {unknown[]} args
 * @param {Tensor | number} upstream
 * @param {boolean} [mistaken]
 * @returns {Promise<NamedTensors>}
 */
export async function gradientsOf(name, args, upstream, mistaken = false) {
  const op = checkedText(name, 'gradients');
  const [checked, from] = calledWith('gradients', op, args, upstream);
  return byName(await (await connect()).call('opGradients', [op, checked, from, mistaken]));
}

/** Arguments of an op that is named by an argument. @param {string} what @param {string} name @param {unknown} args @param {unknown} upstream */
function calledWith(what, name, args, upstream) {
  if (!Array.isArray(args))
    throw new GlassError('bad-input', `${what}: expected a list of arguments, got ${described(args)}`);
  return [argumentsOf(name, args), argument(upstream, 'upstream')];
}

/** The entries of `prefix.NAME`, by NAME. @param {NamedTensors} all @param {string} prefix @returns {NamedTensors} */
const under = (all, prefix) =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => name.startsWith(`${prefix}.`))
      .map(([name, value]) => [name.slice(prefix.length + 1), value]),
  );

/**
 * Shapes and meanings as in PyTorch; a query with no visible key gets zeros. All throw 'bad-input' naming the argument that
 * does not fit.
 */
export const ops = Object.freeze({
  /** Over the last axis. @param {Tensor} x @returns {Promise<Tensor>} */
  softmax: (x) => single('softmax', x),

  /**
   * Vaswani et al. 2017, equation 1.
   * @param {Tensor} q […, T, K]
   * @param {Tensor} k […, S, K]
   * @param {Tensor} v […, S, V]
   * @param {{ mask?: Mask, causal?: boolean, scale?: number }} [options] scale: 1/√K unless given
   * @returns {Promise<{ output: Tensor, weights: Tensor, scores: Tensor }>}
   */
  attention: (q, k, v, options) => several('attention', q, k, v, options),

  /**
   * PyTorch's nn.MultiheadAttention, batch first.
   * @param {Tensor} query [B, T, D]
   * @param {Tensor} key [B, S, D]
   * @param {Tensor} value [B, S, D]
   * @param {{ inProjWeight: Tensor, inProjBias?: Tensor, outProjWeight: Tensor, outProjBias?: Tensor, heads: number,
   *   mask?: Mask, causal?: boolean }} options
   * @returns {Promise<{ output: Tensor, weights: Tensor }>} weights [B, H, T, S]
   */
  multiHeadAttention: (query, key, value, options) => several('multiHeadAttention', query, key, value, options),

  /** @param {Tensor} x @param {{ weight?: Tensor, bias?: Tensor, eps?: number }} [options] @returns {Promise<Tensor>} */
  layerNorm: (x, options) => single('layerNorm', x, options),

  /**
   * What layerNorm takes away from each row and, with eps 0, divides it by: mean and standard deviation over all D.
   * @param {Tensor} x […, D]
   * @returns {Promise<{ mean: Tensor, deviation: Tensor }>} […]
   */
  moments: (x) => several('moments', x),

  /** @param {Tensor} x @param {{ weight?: Tensor, eps?: number }} [options] @returns {Promise<Tensor>} */
  rmsNorm: (x, options) => single('rmsNorm', x, options),

  /** @param {Tensor} x @param {{ weight: Tensor, bias?: Tensor }} options weight [out, in] @returns {Promise<Tensor>} */
  linear: (x, options) => single('linear', x, options),

  /**
   * @param {Tensor} x
   * @param {{ weight1: Tensor, bias1?: Tensor, gateWeight?: Tensor, gateBias?: Tensor, weight2: Tensor, bias2?: Tensor,
   *   activation?: ActivationName }} options with gateWeight, of weight1's shape, the gated form: Shazeer 2020,
   *   (activation(x · gateWeightᵀ + gateBias) ⊙ (x · weight1ᵀ + bias1)) · weight2ᵀ + bias2
   * @returns {Promise<Tensor>}
   */
  feedForward: (x, options) => single('feedForward', x, options),

  /** @param {Tensor} x @param {ActivationName} name @returns {Promise<Tensor>} */
  activation: (x, name) => single('activation', x, name),

  /**
   * Vaswani et al. 2017, section 3.5: sines on even columns, cosines on odd; by the convention 'halves', which Marian has, all
   * sines before all cosines.
   * @param {number} length
   * @param {number} dModel
   * @param {{ convention?: 'interleaved' | 'halves' }} [options]
   * @returns {Promise<Tensor>} [length, dModel]
   */
  positionalEncoding: (length, dModel, options) => single('positionalEncoding', length, dModel, options),

  /**
   * How many positions one wave of each column of positionalEncoding is long: 2π · 10000^(2i/dModel).
   * @param {number} dModel
   * @param {{ convention?: 'interleaved' | 'halves' }} [options]
   * @returns {Promise<Tensor>} [dModel]
   */
  wavelengths: (dModel, options) => single('wavelengths', dModel, options),

  /** @param {Tensor} a @param {Tensor} b of a's shape or of its last axes @returns {Promise<Tensor>} */
  add: (a, b) => single('add', a, b),

  /**
   * Inverted dropout (Srivastava et al. 2014): zero with probability p, else x / (1 − p).
   * @param {Tensor} x
   * @param {{ p: number, seed?: number, training?: boolean }} options training: false gives x
   * @returns {Promise<{ output: Tensor, kept: Tensor }>} kept: 1 where a value was kept, 0 where not
   */
  dropout: (x, options) => several('dropout', x, options),

  /** @param {Tensor} x [B, T, D] @param {number} heads @returns {Promise<Tensor>} [B, H, T, D / H] */
  splitHeads: (x, heads) => single('splitHeads', x, heads),

  /** @param {Tensor} x [B, H, T, K] @returns {Promise<Tensor>} [B, T, H · K] */
  joinHeads: (x) => single('joinHeads', x),

  /**
   * The bucket of each token in each round of hashing: Kitaev et al. 2020, section 2.
   * @param {Tensor} qk [B, H, T, K], queries that are keys too
   * @param {{ buckets: number, hashes?: number, seed?: number }} options buckets: 1 or even; hashes: rounds, 1
   * @returns {Promise<Tensor>} [B, H, hashes, T], whole numbers
   */
  lshBuckets: (qk, options) => single('lshBuckets', qk, options),

  /**
   * Attention among tokens of one bucket, Kitaev et al. 2020: sorted by bucket and cut into chunks, each of which attends to
   * itself and the one before.
   * @param {Tensor} qk [B, H, T, K], queries; keys are the same at unit length
   * @param {Tensor} v [B, H, T, K]
   * @param {{ buckets: number, hashes?: number, chunk?: number, seed?: number, causal?: boolean, weights?: boolean }} options
   *   chunk: tokens in one, twice the mean size of a bucket unless given; weights: false leaves them out
   * @returns {Promise<{ output: Tensor, buckets: Tensor, weights: Tensor }>} weights [B, H, T, T]: the matrix that it amounts to,
   *   computed to be looked at and not counted by `measure`
   */
  lshAttention: (qk, v, options) => several('lshAttention', qk, v, options),

  /**
   * Attention to S positions mixed into k: softmax(q · (e k)ᵀ · scale) · (f v), Wang et al. 2020, equation 7.
   * @param {Tensor} q [B, H, T, K]
   * @param {Tensor} k [B, H, S, K]
   * @param {Tensor} v [B, H, S, K]
   * @param {{ e: Tensor, f?: Tensor, scale?: number, weights?: boolean }} options e and f [k, S], f: e unless given
   * @returns {Promise<{ output: Tensor, projectedWeights: Tensor, weights: Tensor }>} projectedWeights [B, H, T, k]; weights
   *   [B, H, T, S] = projectedWeights · f, the matrix that it amounts to, not counted by `measure`
   */
  linformerAttention: (q, k, v, options) => several('linformerAttention', q, k, v, options),

  /** @param {AnyTensor} ids [B, S] @param {number} padId @returns {Promise<Tensor>} [B, 1, 1, S], −Infinity at padding */
  paddingMask: (ids, padId) => single('paddingMask', ids, padId),

  /** @param {number} length @returns {Promise<Tensor>} [T, T], −Infinity above the diagonal */
  lookAheadMask: (length) => single('lookAheadMask', length),

  /** @param {Tensor} x [B, T, D] @param {Layer} layer @param {{ mask?: Mask }} [options] @returns {Promise<Tensor>} */
  encoderLayer: (x, layer, options) => single('encoderLayer', x, layer, options),

  /**
   * @param {Tensor} x [B, T, D]
   * @param {Tensor} memory [B, S, D], the encoder's output
   * @param {Layer} layer nn.TransformerDecoderLayer's parameters by their names
   * @param {{ mask?: Mask, memoryMask?: Mask, causal?: boolean }} [options] the first mask is of x to itself
   * @returns {Promise<Tensor>}
   */
  decoderLayer: (x, memory, layer, options) => single('decoderLayer', x, memory, layer, options),

  /**
   * @param {Tensor} x [B, T, D]
   * @param {{ layers: Layer[], norm?: { weight?: Tensor, bias?: Tensor, eps?: number } }} stack
   * @param {{ mask?: Mask, recomputeEvery?: number }} [options] recomputeEvery: gradient checkpointing (Chen et al. 2016), the
   *   activations of every n-th layer are kept and the others computed again in the backward pass; 0: all are kept
   * @returns {Promise<Tensor>}
   */
  encoder: (x, stack, options) => single('encoder', x, stack, options),

  /** @param {AnyTensor} ids @param {Tensor} weight [entries, width] @returns {Promise<Tensor>} */
  embedding: (ids, weight) => single('embedding', ids, weight),

  /** @param {Tensor} x [B, T, D] @param {AnyTensor} mask [B, T], 1 = real @returns {Promise<Tensor>} [B, D] */
  meanPool: (x, mask) => single('meanPool', x, mask),

  /**
   * The mean over rows that count, smoothing over all classes.
   * @param {Tensor} logits […, classes]
   * @param {AnyTensor} labels […]
   * @param {{ labelSmoothing?: number, ignoreIndex?: number }} [options] ignoreIndex: −100 unless given
   * @returns {Promise<{ loss: Tensor, perItem: Tensor }>} loss has the shape []
   */
  crossEntropy: (logits, labels, options) => several('crossEntropy', logits, labels, options),

  /**
   * The targets of a smoothed cross-entropy: 1 − smoothing on the label, and smoothing / classes on every class.
   * @param {AnyTensor} labels […]
   * @param {number} classes
   * @param {number} smoothing
   * @returns {Promise<Tensor>} […, classes], rows add up to 1
   */
  labelSmoothing: (labels, classes, smoothing) => single('labelSmoothing', labels, classes, smoothing),

  /**
   * Gradients of Σ output · upstream (the tensor called output or loss where several are returned).
   * @param {string} name of an op
   * @param {unknown[]} args as the op takes them
   * @param {Tensor | number} upstream of the output's shape
   * @returns {Promise<NamedTensors>} by the names of the arguments, a layer's by its parameters' names
   */
  gradients: (name, args, upstream) => gradientsOf(name, args, upstream),

  /**
   * What one call of an op takes; with `upstream`, its forward and its backward pass.
   * @param {string} name
   * @param {unknown[]} args
   * @param {Tensor | number} [upstream]
   * @returns {Promise<{ macs: number, peakBytes: number }>} macs: multiply-adds of all matrix products (projections, scores,
   *   weighted values, hashing, mixing of positions; not norms, softmax, activations), those that are computed again included;
   *   peakBytes: the most that results, what is between and gradients of these took at once
   */
  measure: async (name, args, upstream) => {
    const op = checkedText(name, 'measure');
    const [checked, from] = calledWith('measure', op, args, upstream);
    return (await connect()).call('opMeasure', [op, checked, from]);
  },

  /**
   * The rate of a step, counted from 1: Vaswani et al. 2017, equation 3.
   * @param {number} step
   * @param {{ dModel: number, warmup: number }} options
   * @returns {Promise<number>}
   */
  noamRate: async (step, options) => (await single('noamRate', step, options)).data[0],

  /**
   * One update by AdamW with decoupled decay. What is absent of step, m and v is zero.
   * @param {AdamWState} state
   * @param {NamedTensors} grads
   * @param {{ lr?: number, betas?: [number, number], eps?: number, weightDecay?: number }} [options]
   * @returns {Promise<Required<AdamWState>>} a new state
   */
  adamW: async (state, grads, options) => {
    const all = await several('adamW', state, grads, options);
    return { step: all.step.data[0], parameters: under(all, 'parameters'), m: under(all, 'm'), v: under(all, 'v') };
  },

  /**
   * Scales gradients so that their norm, of all together, is at most `max`.
   * @param {Tensor[]} grads
   * @param {number} max
   * @returns {Promise<{ norm: number, grads: Tensor[] }>} norm before clipping
   */
  clipGradNorm: async (grads, max) => {
    const [norm, ...clipped] = await results('clipGradNorm', [grads, max]);
    return { norm: norm.data[0], grads: clipped.map(({ shape, data }) => ({ shape, data })) };
  },

  /**
   * Their mean. Gradients of parts of a batch, weighted by the tokens that counted in each, give those of the whole.
   * @param {Tensor[]} tensors of one shape
   * @param {{ weights?: number[] }} [options] one for each, 1 unless given
   * @returns {Promise<Tensor>}
   */
  average: (tensors, options) => single('average', tensors, options),

  /** The largest |a − b| of each row. @param {Tensor} a […, D] @param {Tensor} b the same @returns {Promise<Tensor>} […] */
  largestDifference: (a, b) => single('largestDifference', a, b),
});
