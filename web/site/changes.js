// What the reader has changed in the model's run, heads and numbers alike, with the way back and forth again. Changed numbers follow
// their tokens when words are typed before or after them; one whose token is gone goes with it, and comes back with its text.

import { DEFAULTS } from './fragment.js';
import { nameOfEdit } from './edit-names.js';
import { placeOf, withEdit, withoutEdit } from './edits.js';
import { followEdits, textsOf } from './follow.js';
import { switched } from './switches.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').NumberEdit} NumberEdit */
/** @typedef {Pick<import('./types.js').Choice, 'off' | 'edits'>} Changes */
/** @typedef {import('./follow.js').Texts} Texts */
/** @typedef {ReturnType<typeof createChanges>} ChangesOf */
/**
 * Changes, and the texts that positions in them are of.
 * @typedef {Changes & { texts: Texts }} Point
 * @typedef {{ from: Point, to: Point, typed: boolean }} Step typed: the text changed too, and took changes with it
 */

/** Names of changes that are lost: none. @type {readonly string[]} */
export const NONE = Object.freeze([]);

/**
 * @param {import('./store.js').Store} store
 * @param {{ compute: (options?: { follow?: boolean }) => Promise<void> }} lab
 */
export function createChanges(store, lab) {
  /** @type {Step[]} */
  let past = [];
  /** @type {Step[]} */
  let future = [];
  /** The place that is being moved on: its steps are undone as one. @type {string | null} */
  let moving = null;
  /** What was there before the first change, by place. @type {Map<string, number>} */
  const before = new Map();
  /** What the lists end with: anything else came from the address, or with another model. @type {Point} */
  let now = of(store.state);
  /** The model that has read it. @type {Model | null} */
  let reader = null;

  /** Lists of another page's state are of no use. */
  function check() {
    const { off, edits } = store.state;
    if (off !== now.off || edits !== now.edits) forget();
  }
  function forget() {
    [past, future, moving, now] = [[], [], null, of(store.state)];
    store.set({ lost: NONE });
  }

  /** @param {Partial<Changes>} patch @param {Texts} [texts] where they come back with theirs */
  function show(patch, texts) {
    now = { ...now, ...patch, texts: texts ?? now.texts };
    const { off, edits } = now;
    store.set({ off, edits, hover: null, lost: NONE });
    // What was written goes on from another text.
    if (texts) store.set({ ...texts, taken: null });
    return lab.compute({ follow: texts !== undefined });
  }

  /** @param {Partial<Changes>} patch */
  function change(patch) {
    check();
    past.push({ from: now, to: now, typed: false });
    future = [];
    moving = null;
    return show(patch);
  }

  /** Shows what was there, in the text on show where that has its tokens, else in its own. @param {Point} point @param {boolean} typed */
  function go({ off, edits, texts }, typed) {
    moving = null;
    if (!reader) return show({ off, edits });
    const { pairs, lost } = followEdits(reader, edits, texts, now.texts);
    return typed || lost.length > 0 ? show({ off, edits }, texts) : show({ off, edits: edited(edits, pairs) });
  }

  return {
    /** Switches a head off, or on again. @param {import('./switches.js').HeadPlace} place */
    toggle: (place) => change({ off: switched(store.state.off, place) }),
    /**
     * Sets a number.
     * @param {NumberEdit} edit
     * @param {{ was: number, moves?: boolean }} how was: what is there now; moves: on from what was set just before
     */
    set(edit, { was, moves = false }) {
      const place = placeOf(edit);
      if (!store.state.edits.some((other) => placeOf(other) === place)) before.set(place, was);
      const edits = withEdit(store.state.edits, edit);
      check();
      if (moves && moving === place) return show({ edits });
      const done = change({ edits });
      moving = place;
      return done;
    },
    /** What is set next at the same place is undone by itself. */
    settle() {
      moving = null;
    },
    /** Gives a number back. @param {string} place */
    remove: (place) => change({ edits: withoutEdit(store.state.edits, place) }),
    removeAll: () => change({ off: DEFAULTS.off, edits: DEFAULTS.edits }),
    undo() {
      check();
      const { off, edits, texts } = now;
      if (past.length === 0 && off === '' && edits.length === 0) return;
      // Of a link only the result is known: its last change goes first.
      const last =
        edits.length > 0
          ? { off, edits: Object.freeze(edits.slice(0, -1)), texts }
          : { off: off.split(' ').slice(0, -1).join(' '), edits, texts };
      const step = past.pop() ?? { from: last, to: now, typed: false };
      future.push({ ...step, to: now });
      return go(step.from, step.typed);
    },
    redo() {
      check();
      const step = future.pop();
      if (!step) return;
      past.push({ ...step, from: now });
      return go(step.to, step.typed);
    },
    get canUndo() {
      check();
      return past.length > 0 || now.off !== '' || now.edits.length > 0;
    },
    get canRedo() {
      check();
      return future.length > 0;
    },
    /** What was at a place before it was changed; null where that is not known, as in a link. @param {string} place */
    was: (place) => before.get(place) ?? null,
    /** Lets the changed numbers follow their tokens into the text that a model is about to read. @param {Model} model */
    reading(model) {
      if (model !== reader) forget();
      reader = model;
      check();
      const texts = textsOf(store.state);
      const { pairs, lost } = followEdits(model, now.edits, now.texts, texts);
      const { result } = store.state;
      const names = lost.map((edit) => nameOfEdit(result, edit));
      if (lost.length > 0) {
        past.push({ from: now, to: now, typed: true });
        future = [];
      }
      for (const { from, to } of pairs) {
        const was = before.get(placeOf(from));
        if (to && was !== undefined) before.set(placeOf(to), was);
      }
      const edits = edited(now.edits, pairs);
      now = { ...now, edits, texts };
      store.set({ edits, ...(lost.length > 0 ? { lost: names } : {}) });
    },
  };
}

/** The same list where nothing moved. @param {readonly NumberEdit[]} edits @param {{ from: NumberEdit, to: NumberEdit | null }[]} pairs */
function edited(edits, pairs) {
  if (pairs.every(({ from, to }) => from === to)) return edits;
  return Object.freeze(pairs.flatMap(({ to }) => to ?? []));
}

/** @param {Changes & Texts} state @returns {Point} */
function of({ off, edits, ...state }) {
  return { off, edits, texts: textsOf(state) };
}
