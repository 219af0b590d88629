// What a number is made of: products that add up, a norm, or a function of one number. Every number has a label, a value and a
// place, and, but for learnt ones, can be opened in the same way, down to the weights.

import { STRINGS } from './strings.js';

/**
 * @typedef {object} Origin
 * @property {string} label e.g. "q(fur)[3]"
 * @property {number} value
 * @property {string} place the tensor and the place in it
 * @property {'recorded' | 'stored' | 'computed'} from by a hook of the run, as a parameter of the model, or here, from those
 * @property {string} says
 * @property {(() => Promise<Terms>) | null} open null where it comes from nowhere: a learnt number
 *
 * @typedef {{ factors: Origin[], value: number }} Term the product of its factors
 * @typedef {object} Terms
 * @property {'sum' | 'function'} kind whether the terms add up to the number
 * @property {string} formula
 * @property {Term[]} terms
 */

/** @param {Origin[]} factors @returns {Term} */
export function term(...factors) {
  return { factors, value: factors.reduce((product, { value }) => product * value, 1) };
}

/** A place in a tensor, written out. @param {string} name @param {number[]} index */
export function placeIn(name, ...index) {
  return `${name}[${index.join(', ')}]`;
}

/**
 * The parameters of a model by the end of their names; each is fetched once.
 * @param {import('./types.js').Model} model
 */
export function createParameters(model) {
  const names = model.parameters().map(({ name }) => name);
  /** @type {Map<string, Promise<import('./types.js').Tensor>>} */
  const fetched = new Map();
  return {
    /** The full name of the parameter that ends so, null where there is none. @param {string} ending */
    find: (ending) => names.find((name) => name === ending || name.endsWith(`.${ending}`)) ?? null,
    /** @param {string} name */
    get(name) {
      let tensor = fetched.get(name);
      if (!tensor) fetched.set(name, (tensor = model.parameter(name)));
      return tensor;
    },
  };
}

/** @typedef {ReturnType<typeof createParameters>} Parameters */

/**
 * A learnt number.
 * @param {Parameters} parameters
 * @param {string} ending of the parameter's name
 * @param {string} label
 * @param {number[]} index
 * @returns {Promise<Origin>}
 */
export async function learnt(parameters, ending, label, index) {
  const name = parameters.find(ending);
  if (name === null) throw new Error(`this model has no parameter ${ending}`);
  const { shape, data } = await parameters.get(name);
  const value = data[index.length === 1 ? index[0] : index[0] * shape[1] + index[1]];
  return { label, value, place: placeIn(name, ...index), from: 'stored', says: STRINGS.origins.learnt, open: null };
}

/**
 * x · W + b: the terms of one output of a linear layer.
 * @param {Parameters} parameters
 * @param {string} base of the parameters' names, e.g. "encoder.layer.0.attention.self.query"
 * @param {string} symbol of the weights, e.g. "Wq"
 * @param {number} row which output
 * @param {Origin[]} inputs
 * @returns {Promise<Terms>}
 */
export async function linearTerms(parameters, base, symbol, row, inputs) {
  const weights = inputs.map((_, j) => learnt(parameters, `${base}.weight`, `${symbol}[${row}, ${j}]`, [row, j]));
  const terms = (await Promise.all(weights)).map((weight, j) => term(inputs[j], weight));
  const bias = parameters.find(`${base}.bias`);
  if (bias !== null) terms.push(term(await learnt(parameters, `${base}.bias`, `b${symbol.slice(1)}[${row}]`, [row])));
  return { kind: 'sum', formula: STRINGS.origins.linear(inputs.length, symbol), terms };
}

/**
 * The mean and spread of a vector, as layer norm takes them (population variance).
 * @param {ArrayLike<number>} vector
 * @param {number} eps
 */
export function momentsOf(vector, eps) {
  let mean = 0;
  for (let i = 0; i < vector.length; i++) mean += vector[i] / vector.length;
  let variance = 0;
  for (let i = 0; i < vector.length; i++) variance += (vector[i] - mean) ** 2 / vector.length;
  return { mean, spread: Math.sqrt(variance + eps) };
}

/**
 * Layer norm of one number: (s − mean) ÷ spread, times a learnt gain, plus a learnt shift.
 * @param {Parameters} parameters
 * @param {string} base
 * @param {ArrayLike<number>} vector all of the token's numbers
 * @param {number} eps
 * @param {number} index
 * @param {Origin} sum the number before
 * @returns {Promise<Terms>}
 */
export async function normTerms(parameters, base, vector, eps, index, sum) {
  const { mean, spread } = momentsOf(vector, eps);
  /** @param {string} label @param {number} value @param {string} says @returns {Origin} */
  const computed = (label, value, says) => ({ label, value, place: '', from: 'computed', says, open: null });
  /** @type {Origin} */
  const standard = {
    ...computed(STRINGS.origins.standardLabel(index), (vector[index] - mean) / spread, STRINGS.origins.standard),
    open: async () => ({
      kind: 'function',
      formula: STRINGS.origins.standardFormula,
      terms: [
        term(sum),
        term(computed(STRINGS.origins.meanLabel, mean, STRINGS.origins.mean(vector.length))),
        term(computed(STRINGS.origins.spreadLabel, spread, STRINGS.origins.spread(vector.length))),
      ],
    }),
  };
  const gain = await learnt(parameters, `${base}.weight`, `γ[${index}]`, [index]);
  const shift = await learnt(parameters, `${base}.bias`, `β[${index}]`, [index]);
  return { kind: 'sum', formula: STRINGS.origins.norm, terms: [term(standard, gain), term(shift)] };
}

/**
 * All numbers of a token after a layer norm.
 * @param {Parameters} parameters
 * @param {string} base
 * @param {ArrayLike<number>} vector
 * @param {number} eps
 * @returns {Promise<Float64Array>}
 */
export async function normed(parameters, base, vector, eps) {
  const [gainName, shiftName] = [parameters.find(`${base}.weight`), parameters.find(`${base}.bias`)];
  if (gainName === null || shiftName === null) return Float64Array.from(vector);
  const [{ data: gain }, { data: shift }] = await Promise.all([parameters.get(gainName), parameters.get(shiftName)]);
  const { mean, spread } = momentsOf(vector, eps);
  return Float64Array.from(vector, (value, i) => ((value - mean) / spread) * gain[i] + shift[i]);
}
