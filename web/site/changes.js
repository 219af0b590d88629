// What the reader has changed in the model's run, heads and numbers alike, with the way back and forth again.

import { DEFAULTS } from './fragment.js';
import { placeOf, withEdit, withoutEdit } from './edits.js';
import { switched } from './switches.js';

/** @typedef {import('./types.js').NumberEdit} NumberEdit */
/** @typedef {Pick<import('./types.js').Choice, 'off' | 'edits'>} Changes */
/** @typedef {ReturnType<typeof createChanges>} ChangesOf */

/**
 * @param {import('./store.js').Store} store
 * @param {{ compute: (options?: { follow?: boolean }) => Promise<void> }} lab
 */
export function createChanges(store, lab) {
  /** @type {Changes[]} */
  let past = [];
  /** @type {Changes[]} */
  let future = [];
  /** The place that is being moved on: its steps are undone as one. @type {string | null} */
  let moving = null;
  /** What was there before the first change, by place. @type {Map<string, number>} */
  const before = new Map();
  /** What the two lists end with: anything else came from the address, or with another model. @type {Changes} */
  let now = of(store.state);

  /** Lists of another page's state are of no use. */
  function check() {
    const { off, edits } = store.state;
    if (off === now.off && edits === now.edits) return;
    [past, future, moving, now] = [[], [], null, of(store.state)];
  }

  /** @param {Partial<Changes>} patch */
  function show(patch) {
    now = { ...now, ...patch };
    store.set({ ...now, hover: null });
    return lab.compute({ follow: false });
  }

  /** @param {Partial<Changes>} patch */
  function change(patch) {
    check();
    past.push(now);
    future = [];
    moving = null;
    return show(patch);
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
      const { off, edits } = now;
      if (past.length === 0 && off === '' && edits.length === 0) return;
      future.push(now);
      moving = null;
      // Of a link only the result is known: its last change goes first.
      const last =
        edits.length > 0
          ? { off, edits: Object.freeze(edits.slice(0, -1)) }
          : { off: off.split(' ').slice(0, -1).join(' '), edits };
      return show(past.pop() ?? last);
    },
    redo() {
      check();
      const next = future.pop();
      if (!next) return;
      past.push(now);
      moving = null;
      return show(next);
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
  };
}

/** @param {Changes} state @returns {Changes} */
function of({ off, edits }) {
  return { off, edits };
}
