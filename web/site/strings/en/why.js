// The words of the explanation: where a number comes from, step by step, and what hangs on it.

import { count, number } from './count.js';

export const WHY = Object.freeze({
  why: (/** @type {string} */ number) => `why ${number}?`,
  whyNothing: 'Point at a cell to see where its number comes from; click to keep it.',
  whyRow: 'the row of',
  whyColumn: 'the column of',
  chooseKey: 'Where this query looks. Choose a key to see how its weight comes about.',
  columnSays: 'Who looks at this key, and how much. A column has no total of its own.',
  rowTitle: (/** @type {string} */ token) => `the row of “${token}”`,
  otherKeys: (/** @type {number} */ n) => `${number(n)} more`,
  roles: { query: 'query', key: 'key' },
  productsOf: (/** @type {string} */ query, /** @type {string} */ key, /** @type {number} */ n) =>
    `${count(n, 'product')} of query “${query}” and key “${key}”`,
  whyWaiting: 'fetching this layer’s numbers',
  unfold: 'show',
  fold: 'hide',
  letGo: 'let go',
  letGoSaid: 'Nothing is chosen.',
  asks: 'looks at',
  dot: 'query · key',
  dotSays: (/** @type {number} */ width) =>
    `the *dot product*: ${count(width, 'number')} of the query, each times that of the key, added up`,
  scaleStep: (/** @type {number} */ width) => `÷ √${width}`,
  scaleSays: (/** @type {string} */ dot, /** @type {string} */ divisor, /** @type {string} */ scaled) =>
    `${dot} ÷ ${divisor} = ${scaled}; else longer vectors would give larger scores`,
  biasStep: 'bias by distance',
  biasSays: 'learnt for each head: how much this distance adds to the score',
  scaleByStep: (/** @type {string} */ divisor) => `÷ ${divisor}`,
  maskStep: 'mask',
  maskSays: 'this key is padding, or may not be seen from here',
  softmaxStep: 'softmax',
  softmaxTerm: 'the *softmax* turns a row’s scores into weights that add up to 1:',
  softmaxMasked: 'exp(−∞) = 0, so nothing of this key is taken',
  softmaxSays: (/** @type {import('../../../view/explain.js').Explanation} */ { score, softmax, weight }) =>
    `exp(${score.shown} − ${softmax.max.shown}, the row’s largest) = ${softmax.numerator.shown}; the whole row’s add up to ` +
    `${softmax.denominator.shown}; ${softmax.numerator.shown} ÷ ${softmax.denominator.shown} = ${weight.shown}`,
  differs: (/** @type {string} */ error) =>
    `Recorded and recomputed here differ by ${error}: more than rounding. Something in the model changes this number on its way.`,
  caution:
    'A weight says how much of this key’s value the head took, not why the model answers as it does. What hangs on it can be tried:',

  back: 'back',
  path: 'the way here',
  termsOf: (/** @type {number} */ n) => count(n, 'term'),
  from: {
    recorded: 'recorded in this run',
    stored: 'a parameter of the model',
    computed: 'computed here, from recorded numbers',
  },
  smallerOnes: (/** @type {number} */ n) => `${number(n)} smaller`,
  together: 'together',
  openNumber: (/** @type {string} */ label, /** @type {string} */ value) => `${label} = ${value}: where it comes from`,
});
