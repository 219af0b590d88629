// English, and the shape of every language: a word that is added here is added in es.js and ar.js too (README.md says how;
// the tests fail for one that is missing). Terms between *stars* are explained where they stand, for the first time on the page.

import { ENGLISH as VIEW } from '../../view/index.js';
import { count } from './en/count.js';
import { EXPORT } from './en/export.js';
import { HEADS } from './en/heads.js';
import { OFFLINE } from './en/offline.js';
import { ORIGINS } from './en/origins.js';
import { STATE } from './en/state.js';
import { VIEWS } from './en/views.js';
import { WHY } from './en/why.js';
import { WRITING } from './en/writing.js';

export const ENGLISH = Object.freeze({
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
  stillThere: 'The page goes on with the model it had.',
  notYetHere: 'This model has not been loaded on this machine yet, and no server answers: it needs the network once.',
  tryAgain: 'try again',
  ...OFFLINE,

  language: 'language',
  parts: {
    sentence: 'sentence',
    output: 'output',
    status: 'status',
    tokens: 'tokens',
    heads: 'all heads',
    head: 'one head',
    answers: 'prediction',
    why: 'explanation',
  },
  pages: 'pages',
  learn: 'learn',
  embed: 'embed',

  themes: { auto: 'auto', light: 'light', dark: 'dark' },
  theme: 'theme',
  /** What stands before the core's own words, which are English: here they need nothing before them. */
  problems: {
    'not-found': '',
    'bad-config': '',
    'bad-weights': '',
    'bad-input': '',
    unsupported: '',
    'out-of-memory': '',
    aborted: '',
    disposed: '',
  },

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
  truncated: (/** @type {number} */ cut, /** @type {number} */ kept) =>
    `The last ${count(cut, 'token is', 'tokens are')} not read: this model reads at most ${kept}. What is not read is struck out above.`,
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

  ...WRITING,
  ...HEADS,
  ...EXPORT,
  ...WHY,
  ...STATE,
  origins: ORIGINS,
  viewWords: VIEW,
  views: VIEWS,
});
