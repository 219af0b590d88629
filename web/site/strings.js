// Every word on the page, in one table: a translation is another object of this shape. Terms between *stars* are explained
// where they stand, for the first time on the page.

import { ORIGINS } from './strings-origins.js';

export const STRINGS = Object.freeze({
  title: 'glassformer',
  tagline: 'A transformer reads your sentence. Every number below is from that run, on this machine.',

  model: 'model',
  models: {
    topics: 'topics',
    words: 'words',
    austen: 'austen',
    dates: 'dates',
    pronounce: 'pronounce',
    translate: 'translate',
  },
  modelSays: {
    topics: 'One of 12 topics that a definition may be about.',
    words: 'What may stand in the blank.',
  },
  openedModel: (/** @type {string} */ name) => `${name} (opened)`,
  open: 'open…',
  openTitle: 'Open a model',
  openSays:
    'A folder in Hugging Face’s layout: config.json, model.safetensors, tokenizer.json. Encoders such as BERT, decoders such as GPT-2 ' +
    'or Llama, and encoder–decoders such as Marian, BART or T5 open. It is read here and goes nowhere. Choose it, or drop it anywhere on ' +
    'this page.',
  chooseFolder: 'choose a folder…',
  dropHere: 'Drop a model’s folder here',
  cancel: 'cancel',
  close: 'close',
  loading: (/** @type {string} */ name) => `loading ${name}`,
  progress: (/** @type {string} */ file, /** @type {string} */ loaded, /** @type {string | null} */ total) =>
    total === null ? `${file}: ${loaded}` : `${file}: ${loaded} of ${total}`,
  noFiles: 'There are no files of a model here: expected a folder with config.json and model.safetensors.',
  noTokenizer: 'This folder has neither tokenizer.json nor vocab.txt; the page needs one of them to read a text.',
  notOpened: (/** @type {string} */ name) => `${name} was not opened.`,
  stillThere: 'The page goes on with the model it had.',

  themes: { auto: 'auto', light: 'light', dark: 'dark' },
  theme: 'theme',

  unsupported: (/** @type {string} */ missing) =>
    `This browser has no ${missing}, which the model runs on. Chrome or Edge from 95, Firefox from 100 and Safari from 16.4 have it.`,

  fields: {
    sentence: { label: 'sentence', placeholder: 'Type a sentence' },
    first: { label: 'first sentence', placeholder: 'Type a sentence' },
    second: { label: 'second sentence', placeholder: 'Type a sentence' },
    prompt: { label: 'prompt', placeholder: 'Type how a text begins' },
    source: { label: 'source', placeholder: 'Type what the model is to read' },
    target: { label: 'target', placeholder: 'Type what the model should have written' },
  },
  first: 'first sentence',
  second: 'second sentence',
  addSecond: 'add a second sentence',
  removeSecond: 'remove',
  addTarget: 'give the output',
  removeTarget: 'let the model write',
  targetSays:
    'The decoder reads the output you give, not its own (*teacher forcing*): at each of its tokens you see what it expected next. ' +
    'While the field is empty, the model writes.',
  asPair: 'in one sequence',
  asBatch: 'side by side, as a batch',
  pairSays:
    'One *sequence* holds both: [SEP] ends each, and the *segment* number tells the model which token is from which. Every token may ' +
    'look at both sentences.',
  batchSays: (/** @type {number} */ length) =>
    `A *batch* runs both at once, each by itself. The shorter is filled up with [PAD] to ${length} tokens. *Padding* may not be looked at: ` +
    'its score gets −∞, so its weight is 0, and the hatched columns show it.',
  batchEven:
    'A *batch* runs both at once, each by itself. These two are equally long: nothing has to be filled up with [PAD].',
  shownSequence: 'shown below:',
  tryThese: 'try',
  examples: {
    topics: [
      'a large wild cat with striped fur',
      'a sweet baked dish of fruit and pastry',
      'someone who plays the piano',
      'the feeling of being far from home',
    ],
    words: [
      'the [MASK] of being alone',
      'the state of [MASK] happy',
      'someone who [MASK] music',
      'a genus of tropical [MASK]',
      'the capital and largest [MASK] of France',
    ],
    austen: [
      'It is a truth universally acknowledged',
      'She had never been so ',
      '“My dear Mr. Bennet,” said his lady',
      'The evening passed',
    ],
    dates: [
      'Montag, 3. Februar 1986',
      'mardi 14 juillet 1992',
      'Friday, August 1, 1997',
      '2024年7月20日',
      '5 мая 1945 г.',
    ],
    pronounce: ['transformer', 'attention', 'knight', 'phoenix', 'colonel'],
    translate: [
      'In the beginning God created the heavens and the earth.',
      'He said to them, Where is your faith?',
      'The king rose up and went to the house of the Lord.',
      'Jesus wept.',
    ],
  },
  truncated: (/** @type {number} */ cut, /** @type {number} */ kept) =>
    `The last ${cut} ${cut === 1 ? 'token is' : 'tokens are'} not read: this model reads at most ${kept}. What is not read is struck out above.`,
  keptPicture: 'What is shown is from the run before.',
  took: (/** @type {string} */ seconds) => `This run took ${seconds} s.`,
  running: 'running',

  tokens: 'tokens',
  tokensSay: {
    encoder: 'The model reads *tokens*: words or pieces of words, by number. The tokenizer adds [CLS] and [SEP].',
    decoder:
      'The model reads *tokens*: words or pieces of words, by number; ␣ is a space. What it wrote itself is underlined.',
  },
  tokensSayBoth:
    'The *encoder* reads the source at once; the *decoder* reads what is written so far, token by token, from a start token on.',
  source: 'source',
  output: 'output',
  continuation: 'continuation',
  startToken: 'the start token',
  byModel: 'written by the model',
  tokenLabel: (/** @type {string} */ token, /** @type {number} */ index, /** @type {number} */ id) =>
    `${token}, token ${index}, number ${id}`,
  special: 'added by the tokenizer',
  padding: 'padding',
  makeBlank: (/** @type {string} */ token) => `make “${token}” a blank`,

  prediction: {
    classes: 'topic',
    tokens: 'class of a token',
    blanks: 'blank',
    next: 'next token',
    none: 'prediction',
  },
  predictionSays: 'The *probabilities* of all add up to 1.',
  noHead: 'This model has no head that predicts something; what it gives is a vector for each token.',
  noBlank: 'Double-click a token to make it a blank, or write [MASK]: the model says what may stand there.',
  chooseToken: 'Choose a token to see its classes.',
  blankOf: (/** @type {number} */ n, /** @type {number} */ of) =>
    of === 1 ? 'in the blank' : `in blank ${n} of ${of}`,
  fillIn: (/** @type {string} */ token) => `fill in “${token}”`,
  allOthers: 'all others',

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
    greedy:
      'What may come next, with *probabilities*. *Greedy* writing takes the likeliest; choose another, and the text goes on from there.',
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
    `The *cache* holds the keys and values of what was read: ${size}. So ${cached.toLocaleString('en')} ${cached === 1 ? 'token' : 'tokens'} went ` +
    `through the decoder so far; without it, ${plain.toLocaleString('en')}, as every step would read all of them again.`,
  hypotheses: 'hypotheses',
  hypothesesSay:
    'The texts kept at this step with their *scores*: log-probabilities added up. Choose one to see its attention.',
  hypothesis: 'text',
  score: 'score',
  beamsSay:
    'A column is a token written; a line leads from a text to those that go on from it. Marked is the one on show.',
  treeLabel: 'the beam search, step by step',
  treeSays: (/** @type {number} */ steps, /** @type {number} */ beams) =>
    `${steps} ${steps === 1 ? 'step' : 'steps'} of ${beams} hypotheses; the table of hypotheses has them in words`,

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
  offSays: (/** @type {string} */ heads) => `Switched off: ${heads}. What they mix counts as 0.`,
  offOne: (/** @type {string} */ grid, /** @type {number} */ layer, /** @type {number} */ head) =>
    `${grid}${grid ? ' ' : ''}layer ${layer} head ${head}`,
  allOn: 'all on again',
  layer: 'layer',
  head: 'head',
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
    `${drawn} ${drawn === 1 ? 'line' : 'lines'}: weights from ${threshold}. Point at a token to see all of its own.`,
  pictureLabel: (/** @type {string} */ head, /** @type {string} */ kind) =>
    `${head}, ${kind}. Arrow keys choose a cell, Escape lets go, plus and minus zoom.`,
  inWords: 'this head in words',
  moreRows: (/** @type {number} */ rows) => `and ${rows} more rows`,

  why: (/** @type {string} */ number) => `why ${number}?`,
  whyNothing: 'Point at a cell to see where its number comes from; click to keep it.',
  whyRow: 'the row of',
  whyColumn: 'the column of',
  chooseKey: 'Where this query looks. Choose a key to see how its weight comes about.',
  columnSays: 'Who looks at this key, and how much. A column has no total of its own.',
  rowTitle: (/** @type {string} */ token) => `the row of “${token}”`,
  otherKeys: (/** @type {number} */ count) => `${count} more`,
  roles: { query: 'query', key: 'key' },
  productsOf: (/** @type {string} */ query, /** @type {string} */ key, /** @type {number} */ count) =>
    `${count} products of query “${query}” and key “${key}”`,
  whyWaiting: 'fetching this layer’s numbers',
  unfold: 'show',
  fold: 'hide',
  letGo: 'let go',
  letGoSaid: 'Nothing is chosen.',
  asks: 'looks at',
  dot: 'query · key',
  dotSays: (/** @type {number} */ width) =>
    `the *dot product*: ${width} numbers of the query, each times that of the key, added up`,
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
  softmaxSays: (/** @type {import('../view/explain.js').Explanation} */ { score, softmax, weight }) =>
    `exp(${score.shown} − ${softmax.max.shown}, the row’s largest) = ${softmax.numerator.shown}; the whole row’s add up to ` +
    `${softmax.denominator.shown}; ${softmax.numerator.shown} ÷ ${softmax.denominator.shown} = ${weight.shown}`,
  differs: (/** @type {string} */ error) =>
    `Recorded and recomputed here differ by ${error}: more than rounding. Something in the model changes this number on its way.`,
  caution:
    'A weight says how much of this key’s value the head took, not why the model answers as it does. What hangs on it can be tried:',
  ablate: (/** @type {string} */ number) => `set this ${number} to 0 and run again`,
  ablated: (/** @type {string} */ label, /** @type {string} */ before, /** @type {string} */ after) =>
    `${label}: ${before} with it, ${after} without.`,
  ablatedNext: 'The next token after the text:',
  less: 'less than the first answers',
  ablatedNothing: 'Nothing that this model predicts depends on it: it has no head.',

  back: 'back',
  path: 'the way here',
  termsOf: (/** @type {number} */ count) => `${count} terms`,
  from: {
    recorded: 'recorded in this run',
    stored: 'a parameter of the model',
    computed: 'computed here, from recorded numbers',
  },
  smallerOnes: (/** @type {number} */ count) => `${count} smaller`,
  together: 'together',
  openNumber: (/** @type {string} */ label, /** @type {string} */ value) => `${label} = ${value}: where it comes from`,
  origins: ORIGINS,
});

/** @typedef {typeof STRINGS} Strings */
