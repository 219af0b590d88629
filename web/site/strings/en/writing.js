// The words of what a model writes: the next token, how it is chosen, the beam search.

import { count, number } from './count.js';

export const WRITING = Object.freeze({
  nextToken: 'next token',
  runOn: 'write on',
  stop: 'stop',
  undo: 'undo',
  startOver: 'start over',
  nothingYet: '…',
  over: { end: '(the end)', full: '(no more room)' },
  overSays: {
    end: 'The model has ended the text: its likeliest next token was the end token.',
    full: 'This model reads no more tokens than these.',
  },
  wrote: (/** @type {string} */ token, /** @type {string | null} */ probability) =>
    probability === null ? `Written: ${token}.` : `Written: ${token}, probability ${probability}.`,
  tookBack: 'Taken back.',
  candidatesSay: {
    greedy: 'What may come next, with *probabilities*. *Greedy* writing takes the first; choose any other.',
    sample:
      'What may come next, with the *probabilities* it is drawn by; the marked one was drawn. A lower *temperature* prefers likely tokens; ' +
      '*top-k* keeps the k likeliest (0: all), *top-p* the likeliest that make up p; the same *seed* draws the same.',
  },
  take: (/** @type {string} */ token) => `take “${token}”`,
  whyProbability: (/** @type {string} */ token, /** @type {string} */ value) =>
    `${token}: ${value}, where it comes from`,
  expectedAfter: (/** @type {string} */ token) => `expected after “${token}”`,
  how: 'how the next token is chosen',
  hows: { greedy: 'likeliest', sample: 'drawn', beams: 'beam search' },
  settings: {
    temperature: { word: 'temperature', title: 'Divides the scores before the softmax' },
    topk: { word: 'top-k', title: 'Only the k likeliest tokens may be drawn; 0 for all' },
    topp: { word: 'top-p', title: 'Only the likeliest tokens that together make up p may be drawn' },
    seed: { word: 'seed', title: 'Where the random numbers begin' },
    beams: { word: 'beams', title: 'How many texts are written at once' },
    penalty: { word: 'length penalty', title: 'A score is divided by the length to this power' },
    length: { word: 'up to', title: 'Tokens to write at most' },
  },
  drawAgain: 'draw again',
  cacheSays: (/** @type {string} */ size, /** @type {number} */ cached, /** @type {number} */ plain) =>
    `The *cache* keeps keys and values: ${size}. So ${count(cached, 'token was', 'tokens were')} read ` +
    `so far; without it, ${number(plain)}, all anew at each step.`,
  hypotheses: 'hypotheses',
  hypothesesSay:
    'The texts kept at this step with their *scores*: log-probabilities added up. Choose one to see its attention.',
  hypothesis: 'text',
  score: 'score',
  beamsSay:
    'A column is a token written; a line leads from a text to those that go on from it. Marked is the one on show.',
  treeLabel: 'the beam search, step by step',
  treeSays: (/** @type {number} */ steps, /** @type {number} */ beams) =>
    `${count(steps, 'step')} of ${count(beams, 'hypothesis', 'hypotheses')}; the table of hypotheses has them in words`,
});
