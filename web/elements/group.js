// What elements that show the same share: the attention itself and one selection. An element by itself is a group of one.

import { errorToPlain } from '../engine/errors.js';
import { isTold, readTold } from './reading.js';

/** @typedef {import('./attention.js').Attention} Attention */
/** @typedef {import('./reading.js').Told} Told */
/** @typedef {import('./reading.js').Result} Result */
/** @typedef {{ layer: number, head: number } | { query: number | null, key: number | null }} Hover */
/**
 * @typedef {object} Selection what is chosen in one stack of layers
 * @property {number} layer
 * @property {number} head
 * @property {number | null} query
 * @property {number | null} key
 * @property {Hover | null} hover what is pointed at
 *
 * @typedef {'state' | 'selection' | 'hover'} Change
 */

export class Group {
  /** @type {Set<(change: Change) => void>} */ #listeners = new Set();
  /** @type {Map<string, Selection>} */ #selections = new Map();
  /** @type {Partial<Selection>} */ #initial = {};
  /** @type {Told} */ #told = {};
  /** @type {AbortController | null} */ #current = null;
  #begun = false;
  #scores = false;
  /** @type {Result | null} */ result = null;
  /** @type {{ code: string, message: string } | null} */ problem = null;
  /** What there is to wait for. @type {{ loaded: number, total: number | null } | null} */ progress = null;
  busy = false;

  /** @param {(change: Change) => void} listener @returns {() => void} ends it */
  on(listener) {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** @param {Change} change */
  #notify(change) {
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** What to show; it is read now if somebody has begun. @param {Told} told */
  show(told) {
    const before = this.#told;
    const names = /** @type {Set<keyof Told>} */ (new Set(Object.keys({ ...before, ...told })));
    if ([...names].every((name) => before[name] === told[name])) return;
    this.#told = told;
    if (this.#begun) void this.read();
  }

  /** Somebody comes near: from now on things are fetched and computed. */
  begin() {
    if (this.#begun) return;
    this.#begun = true;
    void this.read();
  }

  /** Scores are recorded only where somebody shows them. */
  wantScores() {
    if (this.#scores) return;
    this.#scores = true;
    if (this.#begun && this.result?.model) void this.read();
  }

  /** Reads anew; the last one asked for wins, and what was there stays until then. */
  async read() {
    this.#current?.abort();
    this.#current = null;
    if (!isTold(this.#told)) {
      const message = '<glass-model> has nothing to show: expected src and text, or data';
      this.problem = { code: 'bad-input', message };
      this.#notify('state');
      return;
    }
    const mine = new AbortController();
    this.#current = mine;
    const { signal } = mine;
    /** @type {Map<string, { loaded: number, total: number | null }>} */
    const files = new Map();
    this.busy = true;
    this.#notify('state');
    try {
      const result = await readTold(this.#told, {
        scores: this.#scores,
        signal,
        onProgress: ({ file, loaded, total }) => {
          files.set(file, { loaded, total });
          this.progress = sum([...files.values()]);
          if (!signal.aborted) this.#notify('state');
        },
      });
      if (signal.aborted) return;
      this.result = result;
      this.problem = null;
      for (const [name, selection] of this.#selections) {
        selection.hover = null;
        this.#keepInside(name, selection);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.problem = errorToPlain(error);
    }
    this.busy = false;
    this.progress = null;
    this.#notify('state');
  }

  /** Nobody is left: what is on its way is given up. */
  stop() {
    if (this.busy) {
      this.#begun = false;
      this.busy = false;
    }
    this.#current?.abort();
    this.#current = null;
  }

  /** The attention of a name; without one, the last, which is the cross-attention where there is one. @param {string | null} name */
  attention(name) {
    const all = this.result?.attentions ?? [];
    return (name === null ? all.at(-1) : all.find((one) => one.name === name)) ?? null;
  }

  /** What is chosen in a stack. @param {string} name @returns {Selection} */
  selection(name) {
    let selection = this.#selections.get(name);
    if (!selection) {
      selection = { layer: 0, head: 0, query: null, key: null, hover: null, ...this.#initial };
      this.#selections.set(name, selection);
      this.#keepInside(name, selection);
    }
    return selection;
  }

  /** Chooses, of tokens those that are there; without a name, in every stack. @param {string | null} name @param {Partial<Selection>} part */
  select(name, part) {
    if (name === null) {
      this.#initial = { ...this.#initial, ...part };
      for (const selection of this.#selections.values()) Object.assign(selection, part);
    } else {
      Object.assign(this.selection(name), part);
    }
    for (const [stack, selection] of this.#selections) this.#keepInside(stack, selection);
    this.#notify('selection');
  }

  /** Points. @param {string} name @param {Hover | null} hover @returns {boolean} whether that is new */
  hover(name, hover) {
    const selection = this.selection(name);
    if (JSON.stringify(selection.hover) === JSON.stringify(hover)) return false;
    selection.hover = hover;
    this.#notify('hover');
    return true;
  }

  /** Tokens that there are not are not chosen: a new text may have fewer. @param {string} name @param {Selection} selection */
  #keepInside(name, selection) {
    const attention = this.attention(name);
    if (!attention) return;
    const there = (/** @type {number | null} */ token, /** @type {string[]} */ tokens) =>
      token !== null && Number.isInteger(token) && token in tokens ? token : null;
    selection.query = there(selection.query, attention.queries);
    selection.key = there(selection.key, attention.keys);
  }
}

/** @param {{ loaded: number, total: number | null }[]} files */
function sum(files) {
  const add = (/** @type {(number | null)[]} */ values) =>
    values.reduce((a, b) => (a === null || b === null ? null : a + b), 0);
  return { loaded: add(files.map(({ loaded }) => loaded)) ?? 0, total: add(files.map(({ total }) => total)) };
}
