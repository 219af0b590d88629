// What makes a figure live: its state, one computation at a time of which the last one wins, and what went wrong.

/** @typedef {import('./types.js').Exhibit} Exhibit */
/** @typedef {import('./types.js').State} State */

/** Text and sliders come in bursts, milliseconds. */
const PAUSE = 60;

/**
 * @param {Exhibit} exhibit
 * @param {import('./types.js').Core} core
 * @param {() => void} changed something is to be drawn anew
 */
export function createFigure(exhibit, core, changed) {
  /** @type {State} */
  let state = { ...exhibit.start };
  /** @type {AbortController | null} */
  let current = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** What was computed, and the state it belongs to: pictures never mix two. @type {{ state: State, result: any } | null} */
  let shown = null;
  /** @type {Error | null} */
  let problem = null;
  let says = '';
  let computing = false;

  function forget() {
    clearTimeout(timer);
    timer = undefined;
    current?.abort();
    computing = false;
  }

  async function compute() {
    forget();
    const mine = new AbortController();
    current = mine;
    const asked = state;
    computing = true;
    says = '';
    changed();
    try {
      const progress = (/** @type {string} */ text) => {
        if (mine.signal.aborted) return;
        says = text;
        changed();
      };
      const result = await exhibit.compute(asked, core, { signal: mine.signal, progress });
      if (mine.signal.aborted) return;
      shown = { state: asked, result };
      problem = null;
    } catch (error) {
      if (mine.signal.aborted) return;
      problem = /** @type {Error} */ (error);
    }
    computing = false;
    says = '';
    changed();
  }

  return {
    compute,
    /** Changes controls; the core is asked when the reader pauses. @param {Partial<State>} patch */
    set(patch) {
      state = { ...state, ...patch };
      clearTimeout(timer);
      timer = setTimeout(() => void compute(), PAUSE);
      changed();
    },
    reset() {
      state = { ...exhibit.start };
      return compute();
    },
    /** Nothing more is wanted: the exhibit leaves the page. */
    stop: forget,
    get state() {
      return state;
    },
    get shown() {
      return shown;
    },
    get problem() {
      return problem;
    },
    /** Whether what is shown is of other controls than those on show: from their change on, not only once the core is asked. */
    get busy() {
      return computing || timer !== undefined;
    },
    get says() {
      return says;
    },
    /** Whether anything is not as it was at first. */
    get touched() {
      return Object.keys(state).some((key) => !Object.is(state[key], exhibit.start[key]));
    },
  };
}
