// The reader's choice in the address, after the #: it can be kept and sent, and no server sees it. What is as it is by default
// is left out.
//
// One row of KEYS is one thing that the address holds. To add one: add it to Choice (types.js) and a row here; DEFAULTS, reading,
// writing, back and forward and what the page says about links follow from the row.
//   standard  its value where the address says nothing
//   read      what a text of the address means; undefined: nothing, and the page says so
//   write     the text of a value that is not null; String where left out
//   step      whether a change is a step of its own in the browser's history, or a function of (before, after) that says so
//   always    written even where it is as by default

import { PATTERNS } from '../view/patterns.js';
import { readEdits, writeEdits } from './edits.js';
import { languageIn } from './language.js';

/** @typedef {import('./types.js').Choice} Choice */
/** @typedef {import('./types.js').Note} Note */
/**
 * @typedef {object} Row
 * @property {any} standard
 * @property {(text: string) => any} read
 * @property {(value: any) => string} [write]
 * @property {boolean | ((before: any, after: any) => boolean)} [step]
 * @property {boolean} [always]
 */

const text = (/** @type {string} */ given) => given;
const number = whole(0, 999_999);

/** @type {Record<keyof Choice, Row>} */
const KEYS = {
  model: { standard: 'topics', read: text, step: true },
  // An empty text is a choice too.
  text: { standard: '', read: text, always: true },
  pair: { standard: null, read: text },
  join: { standard: 'pair', read: oneOf('pair', 'batch'), step: true },
  target: { standard: null, read: text },
  sequence: { standard: 0, read: number, step: true },
  attention: { standard: null, read: oneOf('encoder', 'decoder', 'cross'), step: true },
  layer: { standard: 0, read: number, step: true },
  head: { standard: 0, read: number, step: true },
  query: { standard: null, read: number },
  key: { standard: null, read: number },
  view: { standard: 'matrix', read: oneOf('matrix', 'arcs'), step: true },
  kind: { standard: 'weights', read: oneOf('weights', 'scores'), step: true },
  palette: { standard: null, read: oneOf('viridis', 'ylorrd', 'brbg'), step: true },
  // A reader's own choice on this page, kept before, goes before a link's (theme.js); it is no step back.
  look: { standard: 'auto', read: oneOf('light', 'dark') },
  off: { standard: '', read: heads, step: true },
  edits: {
    standard: Object.freeze([]),
    read: readEdits,
    write: writeEdits,
    // A number that is moved on is the same step.
    step: (before, after) => before.length !== after.length,
  },
  how: { standard: 'greedy', read: oneOf('greedy', 'sample', 'beams'), step: true },
  temperature: { standard: 1, read: between(0.05, 5) },
  topk: { standard: 0, read: number },
  topp: { standard: 1, read: between(0.01, 1) },
  seed: { standard: 1, read: whole(0, 999_999_999) },
  beams: { standard: 4, read: whole(2, 16) },
  penalty: { standard: 1, read: between(-5, 5) },
  length: { standard: 60, read: whole(1, 2000) },
  taken: { standard: null, read: ids, write: (value) => value.join('.') },
  over: { standard: null, read: oneOf('heads', 'layers', 'all'), step: true },
  by: { standard: 'mean', read: oneOf('mean', 'max'), step: true },
  special: { standard: 'shown', read: oneOf('shown', 'hidden', 'renormalised'), step: true },
  unit: { standard: 'tokens', read: oneOf('tokens', 'words'), step: true },
  sort: { standard: null, read: oneOf(...PATTERNS), step: true },
  compare: { standard: null, read: oneOf('head', 'text', 'model', 'edits'), step: true },
  layer2: { standard: null, read: number },
  head2: { standard: null, read: number },
  text2: { standard: null, read: text },
  model2: { standard: null, read: text, step: true },
};
const ORDER = /** @type {(keyof Choice)[]} */ (Object.keys(KEYS));

/** @type {Readonly<Choice>} */
export const DEFAULTS = Object.freeze(
  /** @type {Choice} */ (Object.fromEntries(ORDER.map((key) => [key, KEYS[key].standard]))),
);

/** Of what the fields mean. Version 1 wrote no version; every one of its fields means the same today. */
export const VERSION = 2;
/** What mail and chat programs, and some servers' logs of pasted links, still take as one link. */
export const LONGEST = 8000;
/** Fields that are no part of the choice: the version, and the page's language (language.js). */
const OTHERS = new Set(['v', 'lang']);
/** Characters of a broken value that are repeated to the reader. */
const REPEATED = 40;

/** @param {...string} words */
function oneOf(...words) {
  return (/** @type {string} */ given) => (words.includes(given) ? given : undefined);
}

/** @param {number} least @param {number} most */
function whole(least, most) {
  const read = between(least, most);
  return (/** @type {string} */ given) => (/^\d{1,9}$/.test(given) ? read(given) : undefined);
}

/** @param {number} least @param {number} most */
function between(least, most) {
  return (/** @type {string} */ given) => {
    const value = /^-?\d{1,9}(\.\d{1,6})?$/.test(given) ? Number(given) : NaN;
    return value >= least && value <= most ? value : undefined;
  };
}

/** @param {string} given */
function heads(given) {
  return /^((self|encoder|decoder|cross)\.\d{1,3}\.\d{1,3}( |$))*$/.test(given) ? given.trim() : undefined;
}

/** @param {string} given */
function ids(given) {
  return /^(\d{1,7}(\.|$)){0,2000}$/.test(given) ? given.split('.').filter(Boolean).map(Number) : undefined;
}

/** What a value is in the address, null where it is not there. @param {keyof Choice} key @param {any} value */
function textOf(key, value) {
  const { write = String } = KEYS[key];
  return value === null ? null : write(value);
}

/**
 * A choice as a fragment, and what it had to leave out to be no longer than a link may be: the longest first.
 * @param {Choice} choice
 * @param {number} [room] characters that there are for it
 * @returns {{ fragment: string, left: (keyof Choice)[] }} the fragment is without the #
 */
export function writeFragment(choice, room = LONGEST) {
  /** @type {Map<keyof Choice, string>} */
  const fields = new Map();
  for (const key of ORDER) {
    const { standard, always = false } = KEYS[key];
    const written = textOf(key, choice[key]);
    if (written === null || (!always && written === textOf(key, standard))) continue;
    fields.set(key, new URLSearchParams({ [key]: written }).toString());
  }
  /** @type {(keyof Choice)[]} */
  const left = [];
  const joined = () => [`v=${VERSION}`, ...fields.values()].join('&');
  while (joined().length > room && fields.size > 0) {
    const [longest] = [...fields].reduce((most, field) => (field[1].length > most[1].length ? field : most));
    fields.delete(longest);
    left.push(longest);
  }
  return { fragment: joined(), left };
}

/**
 * What a fragment says, and what of it could not be read.
 * @param {string} fragment with or without the #
 * @returns {{ choice: Partial<Choice>, notes: Note[] }}
 */
export function readFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  /** @type {Record<string, any>} */
  const choice = {};
  /** @type {string[]} */
  const broken = [];
  for (const [key, given] of fields) {
    if (OTHERS.has(key)) continue;
    const value = Object.hasOwn(KEYS, key) ? KEYS[/** @type {keyof Choice} */ (key)].read(given) : undefined;
    if (value !== undefined) choice[key] = value;
    else if (key !== '') broken.push(`${key}=${given.length > REPEATED ? `${given.slice(0, REPEATED)}…` : given}`);
  }
  /** @type {Note[]} */
  const notes = [];
  const version = fields.get('v') ?? '1';
  if (!/^\d{1,4}$/.test(version) || version === '0') broken.unshift(`v=${version.slice(0, REPEATED)}`);
  else if (Number(version) > VERSION) notes.push({ kind: 'newer', version });
  if (broken.length > 0) notes.push({ kind: 'broken', fields: broken });
  return { choice: /** @type {Partial<Choice>} */ (choice), notes };
}

/** A choice as a whole link, and what is not in it. @param {Choice} choice */
export function linkOf(choice) {
  const page = location.href.replace(/#.*$/, '');
  const language = languageIn(location.hash);
  const { fragment, left } = writeFragment(choice, LONGEST - page.length - language.length - 1);
  return { link: `${page}#${fragment}${language}`, left };
}

/**
 * Keeps the address and the store alike, both ways.
 * @param {import('./store.js').Store} store
 * @param {(choice: Choice, given: Partial<Choice>, notes: Note[]) => void} arrived the reader went back or forward, or wrote another
 *   fragment; given: what it says, without what is by default
 */
export function followAddress(store, arrived) {
  let written = location.hash;
  let timer = 0;
  /** What the address was last written of. @type {Choice} */
  let last = store.state;
  /** What it is about to be written of. @type {Choice | null} */
  let waiting = null;
  /** @param {boolean} step @param {Choice} choice */
  const write = (step, choice) => {
    clearTimeout(timer);
    waiting = null;
    last = choice;
    const { link, left } = linkOf(choice);
    note(left);
    const next = link.slice(link.indexOf('#'));
    if (next === written) return;
    written = next;
    try {
      if (step) history.pushState(null, '', next);
      else history.replaceState(null, '', next);
    } catch {
      // A sandboxed frame, or more than 100 calls in 30 seconds (Safari): the page works without its address.
    }
  };
  /** Says what the address has no room for, as long as that is so. @param {(keyof Choice)[]} left */
  const note = (left) => {
    const { notes } = store.state;
    const before = notes.find(({ kind }) => kind === 'long');
    if (before?.kind === 'long' ? before.left.join() === left.join() : left.length === 0) return;
    const others = notes.filter((one) => one !== before);
    store.set({ notes: left.length === 0 ? others : [...others, { kind: 'long', left }] });
  };
  /** Whether a key makes a step: not where it only follows the address. @param {keyof Choice} key */
  const isStep = (key) => {
    const { step = false } = KEYS[key];
    const [before, after] = [last[key], store.state[key]];
    if (textOf(key, before) === textOf(key, after)) return false;
    return typeof step === 'function' ? step(before, after) : step;
  };
  store.on(ORDER, (_, changed) => {
    if (ORDER.some((key) => changed.has(key) && isStep(key))) {
      // A step goes on from what was there, and back to it: a text typed just before is no part of the step.
      if (waiting) write(false, waiting);
      write(true, store.state);
    } else {
      clearTimeout(timer);
      waiting = store.state;
      timer = window.setTimeout(() => write(false, store.state), 300);
    }
  });
  addEventListener('popstate', () => {
    if (location.hash === written) return;
    clearTimeout(timer);
    waiting = null;
    written = location.hash;
    const { choice, notes } = readFragment(location.hash);
    const next = { ...DEFAULTS, ...choice };
    last = next;
    arrived(next, choice, notes);
  });
}
