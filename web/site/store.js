// The page's one store: a frozen object of state, replaced as a whole, and listeners that are told what changed.

/** @typedef {import('./types.js').State} State */
/** @typedef {(state: State, changed: ReadonlySet<keyof State>) => void} Listener */
/** @typedef {ReturnType<typeof createStore>} Store */

/** @param {State} initial */
export function createStore(initial) {
  /** @type {Readonly<State>} */
  let state = Object.freeze({ ...initial });
  /** @type {Set<Listener>} */
  const listeners = new Set();
  /** @type {Set<keyof State>} */
  let changed = new Set();

  function tell() {
    const now = changed;
    changed = new Set();
    for (const listener of listeners) listener(state, now);
  }

  return {
    get state() {
      return state;
    },
    /** Sets some of it; listeners hear of all changes of a turn at once, in the order they came. @param {Partial<State>} patch */
    set(patch) {
      const keys = /** @type {(keyof State)[]} */ (Object.keys(patch)).filter(
        (key) => !Object.is(state[key], patch[key]),
      );
      if (keys.length === 0) return;
      if (changed.size === 0) queueMicrotask(tell);
      for (const key of keys) changed.add(key);
      state = Object.freeze({ ...state, ...patch });
    },
    /**
     * Calls back after changes of any of these keys.
     * @param {(keyof State)[]} keys
     * @param {Listener} listener
     */
    on(keys, listener) {
      listeners.add((now, which) => {
        if (keys.some((key) => which.has(key))) listener(now, which);
      });
    },
  };
}
