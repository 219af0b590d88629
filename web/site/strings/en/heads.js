// The words of the heads: all of them, and one in large.

import { count } from './count.js';

export const HEADS = Object.freeze({
  heads: 'all heads',
  headsSay: 'Each *layer* (down) has several *heads* (across), and each head looks in its own way.',
  headsSayStrip: 'Each *layer* has several *heads* (written layer.head), and each head looks in its own way.',
  grids: {
    self: {
      title: 'self-attention',
      says: '',
      heads: 'All heads. Arrow keys choose a head.',
      looks: 'where each token looks',
    },
    encoder: {
      title: 'encoder',
      says: 'source to source',
      heads: 'All heads of the encoder. Arrow keys choose a head.',
      looks: 'where each token of the source looks',
    },
    decoder: {
      title: 'decoder',
      says: 'output to output',
      heads: 'All heads of the decoder. Arrow keys choose a head.',
      looks: 'where each token of the output looks back',
    },
    cross: {
      title: 'cross-attention',
      says: 'output to source',
      heads: 'All heads of the cross-attention. Arrow keys choose a head.',
      looks: 'where in the source each token looks',
    },
  },
  axes: {
    self: { queryTitle: 'query', keyTitle: 'key' },
    encoder: { queryTitle: 'query', keyTitle: 'key' },
    decoder: { queryTitle: 'query', keyTitle: 'key' },
    cross: { queryTitle: 'output', keyTitle: 'source' },
  },
  attention: 'attention',
  switchOff: 'switch this head off',
  switchOn: 'switch this head on',
  offSays: (/** @type {string} */ heads) => `Switched off: ${heads}. What is mixed there counts as 0.`,
  offMissed: (/** @type {string} */ heads) => `Not in this model, so nothing to switch off: ${heads}.`,
  offOne: (/** @type {string} */ grid, /** @type {number} */ layer, /** @type {number} */ head) =>
    `${grid}${grid ? ' ' : ''}layer ${layer} head ${head}`,
  layer: 'layer',
  head: 'head',
  headName: (/** @type {number} */ layer, /** @type {number} */ head) => `layer ${layer}, head ${head}`,
  beforeSoftmax: 'how well each query fits each key',
  weightsSay:
    'A row is a *query*, the token that looks; a column is a *key*, a token looked at. The *weights* of a row add up to 1.',
  causalSays:
    'A row is a *query*, the token that looks; a column is a *key*, a token looked at. A token sees itself and what came before: what comes ' +
    'later is hidden (hatched). The *weights* of a row add up to 1.',
  crossSays:
    'A row is a *query*: a token of the output and, after the arrow, what is written next. A column is a *key*: a token of the source. ' +
    'The *weights* of a row add up to 1.',
  scoresSay:
    '*Scores* are what the weights are made of: the product of query and key, scaled and masked, before the softmax. Any number is possible.',
  arcsSay:
    'A line leads from a *query*, the token that looks, to a *key*, a token looked at: the thicker, the larger the *weight*. Scores have ' +
    'no total that a line could be a part of.',
  weights: 'weights',
  scores: 'scores',
  matrix: 'matrix',
  arcs: 'arcs',
  kind: 'numbers',
  view: 'view',
  palette: 'colours',
  zoomIn: 'enlarge',
  zoomOut: 'reduce',
  zoomFit: 'fit',
  linesDrawn: (/** @type {number} */ drawn, /** @type {string} */ threshold) =>
    `${count(drawn, 'line')}: weights from ${threshold}. Point at a token to see all of its own.`,
  pictureLabel: (/** @type {string} */ head, /** @type {string} */ kind) =>
    `${head}, ${kind}. Arrow keys choose a cell, Escape lets go, plus and minus zoom.`,
  inWords: 'this head in words',
  moreRows: (/** @type {number} */ rows) => `and ${count(rows, 'more row')}`,
});
