// The parts of a transformer one by one: functions from tensors to tensors, and their gradients.
import { connect } from './connection.js';
import { GlassError } from './errors.js';
import { described } from './names.js';
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
  softmax: ['x'],
  attention: ['q', 'k', 'v', 'options'],
  multiHeadAttention: ['query', 'key', 'value', 'options'],
  layerNorm: ['x', 'options'],
  rmsNorm: ['x', 'options'],
  linear: ['x', 'options'],
  feedForward: ['x', 'options'],
  activation: ['x', 'name'],
  positionalEncoding: ['length', 'dModel'],
  paddingMask: ['ids', 'padId'],
  lookAheadMask: ['length'],
  encoderLayer: ['x', 'layer', 'options'],
  decoderLayer: ['x', 'memory', 'layer', 'options'],
  encoder: ['x', 'stack', 'options'],
  embedding: ['ids', 'weight'],
  meanPool: ['x', 'mask'],
  crossEntropy: ['logits', 'labels', 'options'],
  noamRate: ['step', 'options'],
  adamW: ['state', 'grads', 'options'],
  clipGradNorm: ['grads', 'max'],
  average: ['tensors'],
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

/** @param {string} name @param {unknown[]} args @returns {Promise<(Tensor & { name: string })[]>} */
async function results(name, args) {
  const checked = argumentsOf(name, args);
  return (await connect()).call('opCall', [name, checked]);
}

/** @param {(Tensor & { name: string })[]} list @returns {NamedTensors} */
const byName = (list) => Object.fromEntries(list.map(({ name, shape, data }) => [name, { shape, data }]));

/** An op of one result. @param {string} name @param {unknown[]} args @returns {Promise<Tensor>} */
async function single(name, ...args) {
  const [{ shape, data }] = await results(name, args);
  return { shape, data };
}

/** An op of several. @param {string} name @param {unknown[]} args @returns {Promise<any>} */
const several = async (name, ...args) => byName(await results(name, args));

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

  /** @param {Tensor} x @param {{ weight?: Tensor, eps?: number }} [options] @returns {Promise<Tensor>} */
  rmsNorm: (x, options) => single('rmsNorm', x, options),

  /** @param {Tensor} x @param {{ weight: Tensor, bias?: Tensor }} options weight [out, in] @returns {Promise<Tensor>} */
  linear: (x, options) => single('linear', x, options),

  /**
   * @param {Tensor} x
   * @param {{ weight1: Tensor, bias1?: Tensor, weight2: Tensor, bias2?: Tensor, activation?: ActivationName }} options
   * @returns {Promise<Tensor>}
   */
  feedForward: (x, options) => single('feedForward', x, options),

  /** @param {Tensor} x @param {ActivationName} name @returns {Promise<Tensor>} */
  activation: (x, name) => single('activation', x, name),

  /** Sines on even columns, cosines on odd. @param {number} length @param {number} dModel @returns {Promise<Tensor>} */
  positionalEncoding: (length, dModel) => single('positionalEncoding', length, dModel),

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
   * @param {{ mask?: Mask }} [options]
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
   * Gradients of Σ output · upstream (the tensor called output or loss where several are returned).
   * @param {string} name of an op
   * @param {unknown[]} args as the op takes them
   * @param {Tensor | number} upstream of the output's shape
   * @returns {Promise<NamedTensors>} by the names of the arguments, a layer's by its parameters' names
   */
  gradients: async (name, args, upstream) => {
    if (!Array.isArray(args))
      throw new GlassError('bad-input', `gradients: expected a list of arguments, got ${described(args)}`);
    const checked = argumentsOf(String(name), args);
    const from = argument(upstream, 'upstream');
    return byName(await (await connect()).call('opGradients', [String(name), checked, from]));
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

  /** Their mean. @param {Tensor[]} tensors of one shape @returns {Promise<Tensor>} */
  average: (tensors) => single('average', tensors),
});
