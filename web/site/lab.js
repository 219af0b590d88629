// From the text fields to a result in the store: one run at a time, the last one asked for wins, and what was there stays
// until the next is complete. A text that the model writes goes on from there, token by token (writer.js).

import { errorToPlain } from '../engine/errors.js';
import { createWriter } from './writer.js';
import { isWriting } from './writing.js';
import { kept } from './kept.js';
import { readBoth, readTexts } from './reading.js';
import { isToken } from './sequences.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */

/** After the last keystroke, milliseconds. */
const PAUSE = 120;

/**
 * @param {import('./store.js').Store} store
 * @param {{ reading: (model: Model) => void }} callbacks reading: the model is about to read what the store says
 */
export function createLab(store, { reading }) {
  /** @type {Model | null} */
  let model = null;
  /** @type {AbortController | null} */
  let current = null;
  /** 0 where no run is due. */
  let timer = 0;
  let latest = Promise.resolve();
  const writer = createWriter(store, {
    again: () => compute(),
    ready() {
      if (timer !== 0) void compute();
      return latest;
    },
  });

  /** @param {{ follow?: boolean }} [options] follow: chosen tokens stay chosen where words were typed before or after them */
  function compute(options) {
    latest = read(options);
    return latest;
  }

  /** @param {{ follow?: boolean }} [options] */
  async function read({ follow = true } = {}) {
    clearTimeout(timer);
    timer = 0;
    current?.abort();
    writer.leave();
    if (!model) return;
    const used = model;
    const mine = new AbortController();
    current = mine;
    const { signal } = mine;
    // A link may name tokens of another model: what was written goes as far as this one has them.
    const { taken } = store.state;
    const unknown = taken?.findIndex((id) => !isToken(used, id)) ?? -1;
    if (taken && unknown >= 0) store.set({ taken: taken.slice(0, unknown) });
    reading(used);
    const { state } = store;
    const begun = performance.now();
    store.set({ busy: true });
    try {
      const writes = isWriting(used, state);
      const read = writes
        ? await writer.begin(used, state, signal)
        : used.kind === 'encoder'
          ? await readTexts(used, state, signal)
          : await readBoth(used, state, signal);
      if (signal.aborted || used !== model) return;
      const result = { ...read, ms: performance.now() - begun };
      // Nobody has chosen yet, and the source's translation is not there yet: a cell is chosen when it is.
      const byItself = writes && used.kind === 'encoder-decoder' && store.state.taken === null;
      const choice = kept(store.state, result, { following: follow, choosing: !byItself });
      // What has been typed since is still to be read.
      store.set({ ...choice, result, problem: null, busy: timer !== 0 });
      if (byItself) await writer.run({ choosing: true });
    } catch (error) {
      const problem = errorToPlain(error);
      if (signal.aborted || used !== model || problem.code === 'aborted') return;
      store.set({ problem, busy: timer !== 0, running: false });
    }
  }

  return {
    compute,
    writer,
    /** Computes when the reader pauses; what was being written, and what is on show until then, is of another text or setting. */
    soon() {
      writer.leave();
      clearTimeout(timer);
      timer = window.setTimeout(() => void compute(), PAUSE);
      if (model) store.set({ busy: true });
    },
    /** Takes a model; the one before is freed. @param {Model} next */
    use(next) {
      const before = model;
      model = next;
      if (before && before !== next) before.dispose();
      return compute();
    },
    get model() {
      return model;
    },
  };
}
