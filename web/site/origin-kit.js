// What all parts of the way down share: the run's vectors, origins of its numbers, and the terms of linear layers and norms of a
// model's family.

import { addition, createParameters, learnt, placeIn, reckoned, term } from './origin-terms.js';
import { architectureOf } from './architecture.js';
import { editAt, placeOf, spotOf } from './edits.js';
import { STRINGS } from './strings.js';
import { visibleToken } from '../view/index.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {import('./origin-terms.js').Terms} Terms */
/** @typedef {import('./architecture.js').StackName} StackName */
/**
 * @typedef {object} Stack
 * @property {StackName} name
 * @property {import('./types.js').Sequence} sequence its tokens
 * @property {number} batch which sequence of the run
 * @property {number} layers
 */
/** @typedef {ReturnType<typeof createKit>} Kit */

const { origins: words } = STRINGS;

/** @param {import('./types.js').Result} result */
export function createKit({ model, records, edits }) {
  const arch = architectureOf(model);
  const parameters = createParameters(model);

  /** A token's vector of a recorded [B, T, …] tensor, all its last axes in a row. @param {Stack} stack @param {string} hook @param {number} t */
  async function vector({ name, batch }, hook, t) {
    const { shape, data } = await records.get(`${name}${hook}`);
    const width = data.length / (shape[0] * shape[1]);
    return data.subarray((batch * shape[1] + t) * width, (batch * shape[1] + t + 1) * width);
  }

  /**
   * Number j of a recorded vector.
   * @param {Stack} stack @param {string} hook @param {number} t @param {number} j
   * @param {{ symbol: string, says: string, values?: ArrayLike<number>, index?: number[], open: (() => Promise<Terms>) | null }} about
   *   values: the vector, where it is at hand; index: where the number is in the tensor, beside batch and token
   * @returns {Promise<Origin>}
   */
  async function recorded(stack, hook, t, j, { symbol, says, values, index = [j], open }) {
    const all = values ?? (await vector(stack, hook, t));
    const place = placeIn(`${stack.name}${hook}`, stack.batch, t, ...index);
    return own({ label: named(stack, symbol, t, j), value: all[j], place, from: 'recorded', says, open });
  }

  /** Whether the reader has set the number at a hook's place. @param {string} place */
  function isSet(place) {
    const spot = edits.length === 0 ? null : spotOf(model, place);
    return spot !== null && editAt(edits, placeOf(spot)) !== null;
  }

  /** A number that the reader has set comes from nowhere else. @param {Origin} origin @returns {Origin} */
  function own(origin) {
    return isSet(origin.place) ? { ...origin, says: STRINGS.edits.byReader, open: null } : origin;
  }

  /** @param {Stack} stack @param {string} symbol @param {number} t @param {number} j */
  function named({ sequence }, symbol, t, j) {
    return `${symbol}(${visibleToken(sequence.tokens[t])})[${j}]`;
  }

  /**
   * Number j of a vector that is computed here.
   * @param {Stack} stack @param {string} symbol @param {number} t @param {ArrayLike<number>} values @param {number} j @param {string} says
   * @param {() => Promise<Terms>} open @returns {Origin}
   */
  function computed(stack, symbol, t, values, j, says, open) {
    return { ...reckoned(named(stack, symbol, t, j), values[j], says), open };
  }

  /** The checkpoint's name of a module. @param {Stack} stack @param {string} module @param {number} layer */
  function baseOf({ name, layers }, module, layer) {
    return arch.name(name, module, arch.group(layer, layers));
  }

  /**
   * W · x + b: the terms of one output of a linear layer.
   * @param {Stack} stack @param {string} module @param {number} layer
   * @param {string} symbol of the weights, e.g. "Wq"
   * @param {number} row which output
   * @param {Origin[]} inputs
   * @param {{ part: number, width: number, head: number }} [within] of one matrix for queries, keys and values: which of them, how many
   *   outputs each has, and how many of those a head has
   * @returns {Promise<Terms>}
   */
  async function linear(stack, module, layer, symbol, row, inputs, within) {
    const apart = baseOf(stack, module, layer);
    const base = apart && parameters.find(`${apart}.weight`) ? apart : baseOf(stack, 'attn.qkv', layer);
    const joined = base !== apart && within;
    const at = !joined
      ? row
      : arch.projection === 'joined'
        ? within.part * within.width + row
        : (Math.floor(row / within.head) * 3 + within.part) * within.head + (row % within.head);
    const weights = inputs.map((_, j) =>
      learnt(parameters, `${base}.weight`, `${symbol}[${row}, ${j}]`, arch.transposed ? [j, at] : [at, j]),
    );
    const terms = (await Promise.all(weights)).map((weight, j) => term(inputs[j], weight));
    if (parameters.find(`${base}.bias`) !== null)
      terms.push(term(await learnt(parameters, `${base}.bias`, `b${symbol.slice(1)}[${row}]`, [at])));
    return { kind: 'sum', formula: words.linear(inputs.length, symbol), terms };
  }

  /** Mean and spread of a vector, or with RMS norm 0 and the root of its mean square. @param {ArrayLike<number>} vector */
  function momentsOf(vector) {
    const count = vector.length;
    let mean = 0;
    if (!arch.rms) for (let i = 0; i < count; i++) mean += vector[i] / count;
    let variance = 0;
    for (let i = 0; i < count; i++) variance += (vector[i] - mean) ** 2 / count;
    return { mean, spread: Math.sqrt(variance + arch.eps) };
  }

  /** Whether the stack has the norm. @param {Stack} stack @param {string} module @param {number} layer */
  function hasNorm(stack, module, layer) {
    const base = baseOf(stack, module, layer);
    return base !== null && parameters.find(`${base}.weight`) !== null;
  }

  /** All numbers of a vector after a norm. @param {Stack} stack @param {string} module @param {number} layer @param {ArrayLike<number>} values */
  async function normed(stack, module, layer, values) {
    const base = baseOf(stack, module, layer);
    const [gain, shift] = await Promise.all(
      ['weight', 'bias'].map(async (part) => {
        const name = base && parameters.find(`${base}.${part}`);
        return name ? (await parameters.get(name)).data : null;
      }),
    );
    const { mean, spread } = momentsOf(values);
    return Float64Array.from(values, (value, i) => ((value - mean) / spread) * (gain?.[i] ?? 1) + (shift?.[i] ?? 0));
  }

  /**
   * A norm of one number: (s − mean) ÷ spread, or s ÷ root, times a learnt gain, plus a learnt shift.
   * @param {Stack} stack @param {string} module @param {number} layer @param {ArrayLike<number>} values @param {number} j
   * @param {Origin} sum the number before
   * @returns {Promise<Terms>}
   */
  async function norm(stack, module, layer, values, j, sum) {
    const base = baseOf(stack, module, layer);
    const { mean, spread } = momentsOf(values);
    const { length } = values;
    const parts = [
      term(sum),
      ...(arch.rms ? [] : [term(reckoned(words.meanLabel, mean, words.mean(length)))]),
      term(
        reckoned(
          arch.rms ? words.rootLabel : words.spreadLabel,
          spread,
          (arch.rms ? words.root : words.spread)(length),
        ),
      ),
    ];
    const formula = arch.rms ? words.rmsFormula : words.standardFormula;
    /** @type {Origin} */
    const standard = {
      ...reckoned(words.standardLabel(j), (values[j] - mean) / spread, arch.rms ? words.rmsStandard : words.standard),
      open: async () => ({ kind: 'function', formula, terms: parts, result: (sum.value - mean) / spread }),
    };
    const gain = parameters.find(`${base}.weight`) && (await learnt(parameters, `${base}.weight`, `γ[${j}]`, [j]));
    const shift = parameters.find(`${base}.bias`) && (await learnt(parameters, `${base}.bias`, `β[${j}]`, [j]));
    const terms = [gain ? term(standard, gain) : term(standard)];
    if (shift) terms.push(term(shift));
    return { kind: 'sum', formula: arch.rms ? words.rmsNorm : words.norm, terms };
  }

  /** @template T @param {ArrayLike<number>} values @param {(j: number) => Promise<T>} make @returns {Promise<T[]>} */
  const each = (values, make) => Promise.all(Array.from(values, (_, j) => make(j)));

  return {
    arch,
    parameters,
    records,
    edits,
    vector,
    recorded,
    isSet,
    own,
    named,
    computed,
    baseOf,
    linear,
    hasNorm,
    normed,
    norm,
    each,
    addition,
  };
}
