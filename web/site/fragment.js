// The reader's choice in the address, after the #: it can be kept and sent, and no server sees it. What is as it is by default
// is left out.

import { PATTERNS } from '../view/patterns.js';
import { languageIn } from './language.js';

/** @typedef {import('./types.js').Choice} Choice */

/** @type {Readonly<Choice>} */
export const DEFAULTS = Object.freeze({
  model: 'topics',
  text: '',
  pair: null,
  join: 'pair',
  target: null,
  sequence: 0,
  attention: null,
  layer: 0,
  head: 0,
  query: null,
  key: null,
  view: 'matrix',
  kind: 'weights',
  palette: null,
  off: '',
  how: 'greedy',
  temperature: 1,
  topk: 0,
  topp: 1,
  seed: 1,
  beams: 4,
  penalty: 1,
  length: 60,
  taken: null,
  over: null,
  by: 'mean',
  special: 'shown',
  unit: 'tokens',
  sort: null,
  compare: null,
  layer2: null,
  head2: null,
  text2: null,
  model2: null,
});

/** What a text of the address is read as; what does not fit is left out. @type {Record<keyof Choice, (text: string) => any>} */
const READ = {
  model: (text) => text,
  text: (text) => text,
  pair: (text) => text,
  join: oneOf('pair', 'batch'),
  target: (text) => text,
  sequence: whole(0, 999_999),
  attention: oneOf('encoder', 'decoder', 'cross'),
  layer: whole(0, 999_999),
  head: whole(0, 999_999),
  query: whole(0, 999_999),
  key: whole(0, 999_999),
  view: oneOf('matrix', 'arcs'),
  kind: oneOf('weights', 'scores'),
  palette: oneOf('viridis', 'ylorrd', 'brbg'),
  off: (text) => (/^((self|encoder|decoder|cross)\.\d{1,3}\.\d{1,3}( |$))*$/.test(text) ? text.trim() : undefined),
  how: oneOf('greedy', 'sample', 'beams'),
  temperature: between(0.05, 5),
  topk: whole(0, 999_999),
  topp: between(0.01, 1),
  seed: whole(0, 999_999_999),
  beams: whole(2, 16),
  penalty: between(-5, 5),
  length: whole(1, 2000),
  taken: (text) => (/^(\d{1,7}(\.|$)){0,2000}$/.test(text) ? text.split('.').filter(Boolean).map(Number) : undefined),
  over: oneOf('heads', 'layers', 'all'),
  by: oneOf('mean', 'max'),
  special: oneOf('shown', 'hidden', 'renormalised'),
  unit: oneOf('tokens', 'words'),
  sort: oneOf(...PATTERNS),
  compare: oneOf('head', 'text', 'model', 'edits'),
  layer2: whole(0, 999_999),
  head2: whole(0, 999_999),
  text2: (text) => text,
  model2: (text) => text,
};
const ORDER = /** @type {(keyof Choice)[]} */ (Object.keys(READ));

/** @param {...string} words */
function oneOf(...words) {
  return (/** @type {string} */ text) => (words.includes(text) ? text : undefined);
}

/** @param {number} least @param {number} most */
function whole(least, most) {
  const read = between(least, most);
  return (/** @type {string} */ text) => (/^\d{1,9}$/.test(text) ? read(text) : undefined);
}

/** @param {number} least @param {number} most */
function between(least, most) {
  return (/** @type {string} */ text) => {
    const value = /^-?\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? value : undefined;
  };
}

/** An address that is too long is cut by what it is pasted into; a longer text is left out. */
const LONGEST_TEXT = 4000;

/** @param {Choice} choice @returns {string} without the # */
export function writeFragment(choice) {
  const fields = new URLSearchParams();
  for (const key of ORDER) {
    const value = choice[key];
    // A text is always written: an empty one is a choice too.
    if (value === null || (value === DEFAULTS[key] && key !== 'text')) continue;
    const text = Array.isArray(value) ? value.join('.') : String(value);
    if (text.length > LONGEST_TEXT) continue;
    fields.set(key, text);
  }
  return fields.toString();
}

/**
 * What a fragment says; what it does not say, or says wrongly, is left out.
 * @param {string} fragment with or without the #
 * @returns {Partial<Choice>}
 */
export function readFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  /** @type {Record<string, any>} */
  const choice = {};
  for (const key of ORDER) {
    const text = fields.get(key);
    const value = text === null ? undefined : READ[key](text);
    if (value !== undefined) choice[key] = value;
  }
  return /** @type {Partial<Choice>} */ (choice);
}

/** What makes a step of its own in the browser's history; all else replaces the last one. @type {ReadonlySet<string>} */
const STEPS = new Set([
  'model',
  'join',
  'sequence',
  'attention',
  'layer',
  'head',
  'view',
  'kind',
  'palette',
  'off',
  'how',
  'over',
  'by',
  'special',
  'unit',
  'sort',
  'compare',
  'model2',
]);

/**
 * Keeps the address and the store alike, both ways.
 * @param {import('./store.js').Store} store
 * @param {(choice: Partial<Choice>) => void} arrived the reader went back or forward, or wrote another fragment
 */
export function followAddress(store, arrived) {
  let written = location.hash;
  const language = languageIn(written);
  let timer = 0;
  /** @param {boolean} step */
  const write = (step) => {
    clearTimeout(timer);
    const next = `#${writeFragment(store.state)}${language}`;
    if (next === written) return;
    written = next;
    try {
      if (step) history.pushState(null, '', next);
      else history.replaceState(null, '', next);
    } catch {
      // A sandboxed frame, or more than 100 calls in 30 seconds (Safari): the page works without its address.
    }
  };
  store.on(ORDER, (_, changed) => {
    if ([...changed].some((key) => STEPS.has(key))) write(true);
    else {
      clearTimeout(timer);
      timer = window.setTimeout(() => write(false), 300);
    }
  });
  addEventListener('popstate', () => {
    if (location.hash === written) return;
    clearTimeout(timer);
    written = location.hash;
    arrived({ ...DEFAULTS, ...readFragment(location.hash) });
  });
}
