// Words for other views of the heads: several as one, words in place of tokens, heads in order, two side by side.

import { count } from './count.js';

export const VIEWS = Object.freeze({
  more: 'more views',
  heads: 'heads',
  one: 'one head',
  reductions: {
    mean: { heads: 'mean of the layer', layers: 'mean of this head in all layers', all: 'mean of all' },
    max: { heads: 'largest of the layer', layers: 'largest of this head in all layers', all: 'largest of all' },
  },
  /** What is on show, before a layer or a head. */
  of: {
    mean: (/** @type {number} */ heads) => `mean of ${count(heads, 'head')}`,
    max: (/** @type {number} */ heads) => `largest of ${count(heads, 'head')}`,
  },
  special: 'special tokens',
  specials: { shown: 'shown', hidden: 'hidden', renormalised: 'hidden, rows add up to 1 again' },
  unit: 'rows and columns',
  units: { tokens: 'tokens', words: 'words' },
  notes: {
    hidden: 'without special tokens',
    renormalised: 'without special tokens, rows add up to 1 again',
    words: 'over words',
  },
  says: {
    mean: (/** @type {number} */ heads) =>
      `Each cell is the *mean* of that cell in ${count(heads, 'head')}: no head computes it, and it has no formula of its own.`,
    max: (/** @type {number} */ heads) =>
      `Each cell is the largest of that cell in ${count(heads, 'head')}: no head computes it, and a row may add up to more than 1.`,
    words:
      'The weight on a word is the sum over its tokens; that of a word is the mean over its tokens (Clark et al. 2019).',
    hidden: 'Rows and columns of special tokens are left out, so a row may add up to less than 1.',
    renormalised:
      'Rows and columns of special tokens are left out, and each row is divided by what is left of it, so that it adds up to 1.',
  },
  weightsOnly: 'Heads are put together, and tokens become words, for weights alone: scores have no sum or mean of use.',

  whyMean: (/** @type {string} */ value, /** @type {number} */ heads) =>
    `${value} is the mean of ${count(heads, 'head')}. Each adds its weight, divided by ${heads}:`,
  whyMax: (/** @type {string} */ value, /** @type {number} */ heads) =>
    `${value} is the largest weight that one of ${count(heads, 'head')} has here:`,
  whyMaxWords: 'The largest is taken token by token. Each head’s own weight on these words:',
  whyWords: (/** @type {string} */ value, /** @type {number} */ queries, /** @type {number} */ keys) =>
    queries === 1
      ? `${value} is the sum over the ${keys} tokens of the key:`
      : keys === 1
        ? `${value} is the mean over the ${queries} tokens of the query:`
        : `${value} is the sum over the ${keys} tokens of the key, divided by the ${queries} tokens of the query:`,
  whyDivided: (/** @type {string} */ before, /** @type {string} */ sum, /** @type {string} */ value) =>
    `${before}, divided by ${sum}, which is what is left of the row without special tokens: ${value}.`,
  cellOf: (/** @type {string} */ query, /** @type {string} */ key) => `${query} → ${key}`,
  openHead: (/** @type {string} */ name, /** @type {string} */ value) => `${name}: weight ${value}, show this head`,
  openCell: (/** @type {string} */ name, /** @type {string} */ value) => `${name}: ${value}, show this cell of tokens`,

  sort: 'sort heads by',
  unsorted: 'layer and head',
  patterns: {
    previous: 'previous token',
    next: 'next token',
    first: 'first token',
    itself: 'the token itself',
    separator: 'separators',
    duplicate: 'same token earlier',
    entropy: 'entropy',
  },
  patternsSay: {
    previous: 'The mean weight of a token on the one before it.',
    next: 'The mean weight of a token on the one after it.',
    first: 'The mean weight on the first token.',
    itself: 'The mean weight of a token on itself: the diagonal.',
    separator: 'The mean weight on separators, all of them together.',
    duplicate: 'The mean weight of a token on all earlier ones like it, over those that have some.',
    entropy:
      'The mean *entropy* of a row: 0 bits where all weight is on one key, most where it is spread evenly. In %: of the most it could be.',
  },
  formulas: {
    previous: 'mean of A[i, i−1] over i',
    next: 'mean of A[i, i+1] over i',
    first: 'mean of A[i, 0] over i',
    itself: 'mean of A[i, i] over i',
    separator: 'mean of Σₛ A[i, s] over i',
    duplicate: 'mean of Σⱼ A[i, j] over i; j < i, the same token',
    entropy: 'mean of −Σⱼ A[i, j] log₂ A[i, j] over i',
  },
  sorted: (/** @type {string} */ pattern) => `heads by ${pattern}, highest first`,
  noScore: 'none here',
  bits: (/** @type {string} */ bits, /** @type {string} */ percent) => `${bits} bits, ${percent} %`,

  compare: 'compare with',
  comparisons: {
    none: 'nothing',
    head: 'another head',
    text: 'another text',
    model: 'another model',
    edits: 'the run without changes',
  },
  first: 'first',
  second: 'second',
  secondText: 'text of the second picture',
  changed: 'with changes',
  unchanged: 'without changes',
  nothingChanged: 'Nothing is changed in this run.',
  otherModelSays: 'The second model reads the same text with its own tokenizer.',
  choosePlace: 'Choose a cell in any of the pictures: it is chosen in all.',
  difference: 'difference',
  differenceSays: 'Second minus first, cell by cell.',
  differenceBar: 'second − first',
  largestDifference: (/** @type {string} */ query, /** @type {string} */ key, /** @type {string} */ value) =>
    `The largest is ${value}, of “${query}” to “${key}”.`,
  allEqual: 'All cells are equal.',
  otherTokens: 'Their tokens differ: cells are compared by their place, whatever stands there.',
  noDifference: (
    /** @type {number} */ rows,
    /** @type {number} */ columns,
    /** @type {number} */ otherRows,
    /** @type {number} */ otherColumns,
  ) =>
    `There is no difference to show: the first has ${count(rows, 'row')} and ${count(columns, 'column')}, the second ${otherRows} and ${otherColumns}.`,
  compared: (
    /** @type {string} */ cell,
    /** @type {string} */ first,
    /** @type {string} */ second,
    /** @type {string} */ difference,
  ) => `${cell}: ${first} and ${second}, difference ${difference}`,
  endComparison: 'end the comparison',
});
