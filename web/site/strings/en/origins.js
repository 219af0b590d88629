// The words of the way down to the weights: what a number is, and how it is made of others.

import { count } from './count.js';

export const ORIGINS = Object.freeze({
  learnt: 'Learnt in training; the same for every text.',
  linear: (/** @type {number} */ n, /** @type {string} */ symbol) =>
    `${count(n, 'number')} of the token, each times a weight of ${symbol}, and a bias`,
  norm: '(s − mean) ÷ spread, times γ, plus β',
  rmsNorm: 's ÷ root mean square, times γ',
  rmsFormula: 's ÷ root mean square',
  rmsStandard: 'The number before, in units of the root mean square of the token’s numbers.',
  rootLabel: 'root mean square',
  root: (/** @type {number} */ n) =>
    `The root of the mean of the squares of the token’s ${count(n, 'number')} (with the norm’s eps added before the root).`,
  standardLabel: (/** @type {number} */ index) => `s̄[${index}]`,
  standard: 'The number before, in units of the token’s own spread.',
  standardFormula: '(s − mean) ÷ spread',
  meanLabel: 'mean',
  mean: (/** @type {number} */ n) => `The mean of the token’s ${count(n, 'number')}.`,
  spreadLabel: 'spread',
  spread: (/** @type {number} */ n) =>
    `The standard deviation of the token’s ${count(n, 'number')} (with layer_norm_eps added to its square).`,
  addition: 'added',
  mix: 'every token’s value, times the weight it got',
  weight: 'weight',
  dot: (/** @type {number} */ width) => `The sum of ${count(width, 'product')}: how well this query fits this key.`,
  dotFormula: 'query times key, number by number',
  scaled: 'The dot product, scaled.',
  divided: (/** @type {string} */ divisor) => `this, divided by ${divisor}`,
  score: 'score',
  ofScore: 'How well the query fits the key, before the softmax.',
  scoreFormula: 'the scaled product, where nothing masks the key',
  biasLabel: (/** @type {number} */ distance) => `bias(distance ${distance})`,
  bias: (/** @type {number} */ distance, /** @type {number} */ bucket) =>
    `Learnt in training: what a distance of ${distance} adds to this head’s scores (entry ${bucket} of its table).`,
  turned: (/** @type {number} */ at) => `The number after rotary positions have turned it for place ${at}.`,
  cosineLabel: (/** @type {number} */ i) => `cos ${i}`,
  sineLabel: (/** @type {number} */ i, /** @type {boolean} */ minus) => `${minus ? '−' : ''}sin ${i}`,
  turn: (/** @type {number} */ at, /** @type {number} */ angle) =>
    `Of the angle ${angle.toPrecision(4)}: place ${at} times the pair’s frequency.`,
  rotation: 'a pair of numbers, turned like a hand of a clock: each times a cosine or a sine',
  softmax: (/** @type {string} */ score, /** @type {string} */ max, /** @type {string} */ sum) =>
    `e to the power (${score} − ${max}), divided by the row’s sum of such powers, ${sum}`,
  ofWeight: 'A weight of this head’s row for the token.',
  activation: (/** @type {string} */ name) => `${name} of one number`,
  gated: (/** @type {string} */ name) => `An inner number: the gate after ${name}, times the number beside it.`,
  gateFormula: 'the open gate, times the number beside it',
  openGate: 'gate',
  gateSays: 'How far the gate is open for the number beside it.',
  embeddingScaleLabel: '√width',
  embeddingScale:
    'Word embeddings are multiplied by the root of the model’s width, so that positions do not drown them.',
  scaledWord: 'The word’s number, scaled.',
  timesScale: 'times the root of the width',
  sine: 'sine of one angle',
  cosine: 'cosine of one angle',
  angleLabel: 'angle',
  angle: (/** @type {number} */ at, /** @type {number} */ i, /** @type {number} */ width) =>
    `Place ${at} ÷ 10000^(${2 * i} ÷ ${width}).`,
  logitLabel: 'logit',
  logit: 'How well what the decoder has made of the text fits this token; any number is possible.',
  logitFormula: (/** @type {number} */ n) =>
    `${count(n, 'number')} of the last hidden state, each times one of the token’s row`,
  logitsScaleLabel: '1 ÷ √width',
  logitsScale: 'T5 scales its last hidden state before the table of words.',
  probabilityLabel: 'probability',
  probability: 'How likely the model holds this token to be the next one, among all of its vocabulary.',
  softmaxOf: (
    /** @type {string} */ logit,
    /** @type {string} */ max,
    /** @type {string} */ sum,
    /** @type {number} */ n,
  ) => `e to the power (${logit} − ${max}), divided by the sum of such powers of all ${count(n, 'token')}, ${sum}`,
  lastLayer: 'What the last layer made of the token.',
  finalNorm: 'What the last layer made of the token, after the final norm.',
  switchedOff: (/** @type {number} */ head) => `Head ${head} is switched off: this is set to 0.`,
  crossAttention: 'What cross-attention brought to this token from the source, from all heads.',
  crossSum: 'The token after its self-attention, and what cross-attention brought.',
  parts: { word: 'word', position: 'position', segment: 'segment' },
  embedding: {
    word: (/** @type {string} */ token, /** @type {number} */ id) =>
      `Learnt in training: one of the numbers that stand for “${token}”, number ${id} of the vocabulary.`,
    wave: (/** @type {number} */ at) =>
      `Stands for place ${at} in the sequence, whatever the token: a wave, not learnt.`,
    position: (/** @type {string} */ _, /** @type {number} */ at) =>
      `Stands for place ${at} in the sequence, whatever the token.`,
    segment: (/** @type {string} */ _, /** @type {number} */ at) =>
      `Stands for segment ${at}: the ${at === 0 ? 'first' : 'second'} sentence.`,
  },
  embeddingSum: 'The token as it is looked up: word, position and segment, added.',
  embeddingNorm: 'The sum after layer norm.',
  residual: (/** @type {number} */ layer) =>
    layer === 0
      ? 'What the first layer reads of the token: its embedding.'
      : `What layer ${layer} reads of the token: what layer ${layer - 1} made of it.`,
  mlp: 'What the feed-forward part of the layer adds.',
  secondSum: 'What attention left, and what the feed-forward part adds to it.',
  afterAttention: 'The token after attention and layer norm.',
  before: 'The token after layer norm, as attention reads it.',
  attention: 'What attention brought to this token, from all heads.',
  firstSum: 'The token as it came in, and what attention brought.',
  mixed: (/** @type {number} */ head) => `What head ${head} took: the values of all tokens, mixed by its weights.`,
  hidden: 'One of the feed-forward part’s inner numbers.',
  active: (/** @type {string} */ name) => `An inner number after ${name}.`,
  projected: {
    q: 'One number of the query: what the token looks for, in this head.',
    k: 'One number of the key: what the token is looked up by, in this head.',
    v: 'One number of the value: what the token hands over, in this head.',
  },
});
