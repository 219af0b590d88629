// Every word on the page, in one table: a translation is another object of this shape. Terms between *stars* are explained
// where they stand, for the first time on the page.

export const STRINGS = Object.freeze({
  title: 'glassformer',
  tagline: 'A transformer reads your sentence. Every number below is from that run, on this machine.',

  model: 'model',
  models: { topics: 'topics', words: 'words' },
  modelSays: {
    topics: 'One of 12 topics that a definition may be about.',
    words: 'What may stand in the blank.',
  },
  openedModel: (/** @type {string} */ name) => `${name} (opened)`,
  open: 'open…',
  openTitle: 'Open a model',
  openSays:
    'A folder in Hugging Face’s layout, of the BERT or ELECTRA family: config.json, model.safetensors, tokenizer.json. It is read ' +
    'here and goes nowhere. Choose it, or drop it anywhere on this page.',
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

  sentence: 'sentence',
  first: 'first sentence',
  second: 'second sentence',
  placeholder: 'Type a sentence',
  addSecond: 'add a second sentence',
  removeSecond: 'remove',
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
  },
  truncated: (/** @type {number} */ cut, /** @type {number} */ kept) =>
    `The last ${cut} ${cut === 1 ? 'token is' : 'tokens are'} not read: this model reads at most ${kept}. What is not read is struck out above.`,
  keptPicture: 'What is shown is from the run before.',
  took: (/** @type {string} */ seconds) => `This run took ${seconds} s.`,
  running: 'running',

  tokens: 'tokens',
  tokensSay: 'The model reads *tokens*: words or pieces of words, by number. The tokenizer adds [CLS] and [SEP].',
  tokenLabel: (/** @type {string} */ token, /** @type {number} */ index, /** @type {number} */ id) =>
    `${token}, token ${index}, number ${id}`,
  special: 'added by the tokenizer',
  padding: 'padding',
  makeBlank: (/** @type {string} */ token) => `make “${token}” a blank`,

  prediction: { classes: 'topic', tokens: 'class of a token', blanks: 'blank', none: 'prediction' },
  predictionSays: 'The *probabilities* of all add up to 1.',
  noHead: 'This model has no head that predicts something; what it gives is a vector for each token.',
  noBlank: 'Double-click a token to make it a blank, or write [MASK]: the model says what may stand there.',
  chooseToken: 'Choose a token to see its classes.',
  blankOf: (/** @type {number} */ n, /** @type {number} */ of) =>
    of === 1 ? 'in the blank' : `in blank ${n} of ${of}`,
  fillIn: (/** @type {string} */ token) => `fill in “${token}”`,
  allOthers: 'all others',

  heads: 'all heads',
  headsSay: 'Each *layer* (down) has several *heads* (across), and each head looks in its own way.',
  headsSayStrip: 'Each *layer* has several *heads* (written layer.head), and each head looks in its own way.',
  headsLabel: 'All heads. Arrow keys choose a head.',
  layer: 'layer',
  head: 'head',
  whereTokensLook: 'where each token looks',
  beforeSoftmax: 'how well each query fits each key',
  weightsSay:
    'A row is a *query*, the token that looks; a column is a *key*, a token looked at. The *weights* of a row add up to 1.',
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
  origins: {
    learnt: 'Learnt in training; the same for every text.',
    linear: (/** @type {number} */ count, /** @type {string} */ symbol) =>
      `${count} numbers of the token, each times a weight of ${symbol}, and a bias`,
    norm: '(s − mean) ÷ spread, times γ, plus β',
    standardLabel: (/** @type {number} */ index) => `s̄[${index}]`,
    standard: 'The number before, in units of the token’s own spread.',
    standardFormula: '(s − mean) ÷ spread',
    meanLabel: 'mean',
    mean: (/** @type {number} */ count) => `The mean of the token’s ${count} numbers.`,
    spreadLabel: 'spread',
    spread: (/** @type {number} */ count) =>
      `The standard deviation of the token’s ${count} numbers (with layer_norm_eps added to its square).`,
    addition: 'added',
    mix: 'every token’s value, times the weight it got',
    weight: 'weight',
    dot: (/** @type {number} */ width) => `The sum of ${width} products: how well this query fits this key.`,
    dotFormula: 'query times key, number by number',
    scaled: 'The dot product, scaled.',
    divided: (/** @type {string} */ divisor) => `this, divided by ${divisor}`,
    score: 'score',
    ofScore: 'How well the query fits the key, before the softmax.',
    scoreFormula: 'the scaled product, where nothing masks the key',
    softmax: (/** @type {string} */ score, /** @type {string} */ max, /** @type {string} */ sum) =>
      `e to the power (${score} − ${max}), divided by the row’s sum of such powers, ${sum}`,
    ofWeight: 'A weight of this head’s row for the token.',
    activation: (/** @type {string} */ name) => `${name} of one number`,
    parts: { word: 'word', position: 'position', segment: 'segment' },
    embedding: {
      word: (/** @type {string} */ token, /** @type {number} */ id) =>
        `Learnt in training: one of the numbers that stand for “${token}”, number ${id} of the vocabulary.`,
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
  },
});

/** @typedef {typeof STRINGS} Strings */
