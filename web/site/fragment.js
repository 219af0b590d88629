// The reader's choice in the address, after the #: it can be kept and sent, and no server sees it. What is as it is by default
// is left out.

/** @typedef {import('./types.js').Choice} Choice */

/** @type {Readonly<Choice>} */
export const DEFAULTS = Object.freeze({
  model: 'topics',
  text: '',
  pair: null,
  join: 'pair',
  sequence: 0,
  layer: 0,
  head: 0,
  query: null,
  key: null,
  view: 'matrix',
  kind: 'weights',
  palette: null,
});

/** @type {(keyof Choice)[]} */
const ORDER = ['model', 'text', 'pair', 'join', 'sequence', 'layer', 'head', 'query', 'key', 'view', 'kind', 'palette'];
/** @type {Partial<Record<keyof Choice, readonly string[]>>} */
const ONE_OF = {
  join: ['pair', 'batch'],
  view: ['matrix', 'arcs'],
  kind: ['weights', 'scores'],
  palette: ['viridis', 'ylorrd', 'brbg'],
};
const NUMBERS = new Set(['sequence', 'layer', 'head', 'query', 'key']);
/** An address that is too long is cut by what it is pasted into; a longer text is left out. */
const LONGEST_TEXT = 4000;

/** @param {Choice} choice @returns {string} without the # */
export function writeFragment(choice) {
  const fields = new URLSearchParams();
  for (const key of ORDER) {
    const value = choice[key];
    // A text is always written: an empty one is a choice too.
    if (value === null || (value === DEFAULTS[key] && key !== 'text')) continue;
    const text = String(value);
    if ((key === 'text' || key === 'pair') && text.length > LONGEST_TEXT) continue;
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
  /** @type {Record<string, string | number>} */
  const choice = {};
  for (const key of ORDER) {
    const text = fields.get(key);
    if (text === null) continue;
    if (NUMBERS.has(key)) {
      if (/^\d{1,6}$/.test(text)) choice[key] = Number(text);
    } else if (!ONE_OF[key] || ONE_OF[key].includes(text)) {
      choice[key] = text;
    }
  }
  return /** @type {Partial<Choice>} */ (choice);
}

/** What makes a step of its own in the browser's history; all else replaces the last one. @type {ReadonlySet<string>} */
const STEPS = new Set(['model', 'join', 'sequence', 'layer', 'head', 'view', 'kind', 'palette']);

/**
 * Keeps the address and the store alike, both ways.
 * @param {import('./store.js').Store} store
 * @param {(choice: Partial<Choice>) => void} arrived the reader went back or forward, or wrote another fragment
 */
export function followAddress(store, arrived) {
  let written = location.hash;
  let timer = 0;
  /** @param {boolean} step */
  const write = (step) => {
    clearTimeout(timer);
    const next = `#${writeFragment(store.state)}`;
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
