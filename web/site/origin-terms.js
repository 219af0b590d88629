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
 * @property {string} [hook] the hook that announces it and the place there, where `place` is a parameter's
 * @property {(() => Promise<Terms>) | null} open null where it comes from nowhere: a learnt number
 *
 * @typedef {{ factors: Origin[], value: number }} Term the product of its factors
 * @typedef {object} Terms
 * @property {'sum' | 'function'} kind whether the terms add up to the number
 * @property {string} formula
 * @property {Term[]} terms
 * @property {number} [result] what the formula of a function gives for its numbers
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
  // The last axes count: some are kept with one of size 1 before them.
  const columns = shape[shape.length - 1];
  const value = data[index.length === 1 ? index[0] : index[0] * columns + index[1]];
  return { label, value, place: placeIn(name, ...index), from: 'stored', says: STRINGS.origins.learnt, open: null };
}

/** A number that no hook announces. @param {string} label @param {number} value @param {string} says @returns {Origin} */
export function reckoned(label, value, says) {
  return { label, value, place: '', from: 'computed', says, open: null };
}

/** The terms of a sum. @param {...Origin} factors @returns {Terms} */
export function addition(...factors) {
  return { kind: 'sum', formula: STRINGS.origins.addition, terms: factors.map((factor) => term(factor)) };
}
