// Writing in the store: one token more, another one, one back, on and on; and the results that come of it.

import { errorToPlain } from '../engine/errors.js';
import { beginBeams } from './beams.js';
import { beginWriting, inputOf, lengthsOf } from './writing.js';
import { changesWithin } from './edits.js';
import { createRecords } from './recording.js';
import { extended, tokenOf } from './sequences.js';
import { gridNamed } from './grids.js';
import { kept, strongestCell } from './kept.js';
import { predictNext } from './prediction.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./writing.js').Writing} Writing */
/** @typedef {import('./beams.js').Beams} Beams */
/** @typedef {ReturnType<typeof createWriter>} Writer */
/** @typedef {{ rows: number, run: import('./types.js').RunLike, written: import('./writing.js').Written, logits: (row: number) =>
 *   Float32Array | null }} Part what a session gives to show */

/**
 * @param {import('./store.js').Store} store
 * @param {{ again: () => Promise<void>, ready: () => Promise<void> }} lab again: begins again with what the store then says; ready:
 *   what was typed or set is read at once, if it is not yet
 */
export function createWriter(store, { again, ready }) {
  /** @type {{ model: Model, signal: AbortSignal, writing: Writing | null, beams: Beams | null, steps: number,
   *   last: Promise<void> } | null} last: the action that is on its way */
  let session = null;

  /** @param {NonNullable<typeof session>} of @param {Part} part @returns {Omit<import('./types.js').Result, 'ms'>} */
  function resultOf({ model, writing, beams }, { rows, run, written, logits }) {
    const { prompt, edits: all } = /** @type {Writing | Beams} */ (writing ?? beams);
    const edits = changesWithin(model, all, lengthsOf(prompt, rows));
    // An end token is never read; nor is the last one where the model has no room left.
    const count = rows - prompt.first.ids.length;
    const ids = written.ids.slice(0, count);
    const next = written.ids[count];
    const input = inputOf(prompt, ids);
    return {
      model,
      input,
      run,
      records: createRecords(model, input, run, edits),
      edits,
      sequences: [prompt.target ? prompt.source : extended(model, prompt.source, ids)],
      target: prompt.target && extended(model, prompt.target, ids),
      following: next === undefined ? null : { id: next, token: tokenOf(model.tokenizer, next) },
      texts: [store.state.text],
      padded: false,
      prediction: predictNext(model, input, logits, edits),
      written,
    };
  }

  /**
   * Shows the session with some ids written.
   * @param {number[]} ids
   * @param {number} [steps] of a beam search
   * @param {() => boolean} [wanted] whether it is still to be shown, once it is known
   */
  async function show(ids, steps = 0, wanted = () => true) {
    const mine = session;
    if (!mine) return;
    const begun = performance.now();
    const part = mine.writing ? mine.writing.at(ids) : await /** @type {Beams} */ (mine.beams).at(ids, steps);
    if (session !== mine || !wanted()) return;
    mine.steps = steps;
    const result = { ...resultOf(mine, part), ms: performance.now() - begun };
    const { state } = store;
    store.set({ ...kept(state, result, { following: false, choosing: false }), taken: ids, result, problem: null });
  }

  /** One action after the other; what was asked of a text that is gone is dropped. @param {() => Promise<void>} action */
  function act(action) {
    const mine = session;
    if (!mine) return Promise.resolve();
    mine.last = mine.last.then(async () => {
      if (session !== mine) return;
      try {
        await action();
      } catch (error) {
        const problem = errorToPlain(error);
        if (session === mine && !mine.signal.aborted && problem.code !== 'aborted')
          store.set({ problem, running: false });
      }
    });
    return mine.last;
  }

  /** Writes a token: known, next in turn, or the beginning of another text. @param {number} id @param {() => boolean} [wanted] */
  async function write(id, wanted) {
    const mine = session;
    const { taken, result } = store.state;
    const ids = taken ?? [];
    if (!mine?.writing || result?.written?.over) return;
    const next = [...ids, id];
    if (!mine.writing.continues(ids, id)) {
      store.set({ taken: next });
      await again();
      return;
    }
    await mine.writing.advance(ids, id);
    if (session === mine) await show(next, 0, wanted);
  }

  /** One step on, as the model would. @param {() => boolean} [wanted] @returns {Promise<boolean>} whether there was one */
  async function step(wanted) {
    const mine = session;
    if (mine?.beams) {
      const steps = mine.steps + 1;
      const more = await mine.beams.reach(steps);
      if (session === mine) await show(mine.beams.best(steps), more ? steps : mine.steps, wanted);
      return more;
    }
    const pick = store.state.result?.written?.next?.pick;
    if (!mine || !pick) return false;
    await write(pick.id, wanted);
    return true;
  }

  return {
    /** @param {Model} model @param {State} state @param {AbortSignal} signal */
    async begin(model, state, signal) {
      const searching = state.how === 'beams';
      const writing = searching ? null : await beginWriting(model, state, signal);
      const beams = searching ? await beginBeams(model, state, signal) : null;
      const next = { model, signal, writing, beams, steps: 0, last: Promise.resolve() };
      const ids = state.taken ?? [];
      if (beams) {
        await beams.reach(ids.length);
        next.steps = Math.min(ids.length, beams.levels.length);
      }
      const part = beams
        ? await beams.at(beams.best(next.steps), next.steps)
        : /** @type {Writing} */ (writing).at(ids);
      if (signal.aborted) {
        (writing ?? beams)?.close();
        throw Object.assign(new Error('writing: another text came'), { code: 'aborted' });
      }
      session = next;
      return resultOf(next, part);
    },
    /** The text on show is no longer this one. */
    leave() {
      (session?.writing ?? session?.beams)?.close();
      session = null;
      store.set({ running: false });
    },
    async next() {
      if (!session) await ready();
      await act(async () => void (await step()));
    },
    /** @param {number} id */
    take(id) {
      store.set({ running: false });
      return act(() => write(id));
    },
    /** Shows one of several hypotheses. @param {number[]} ids */
    choose: (ids) => act(() => show(ids, session?.steps)),
    /** One token back: what was known there is shown again. */
    undo: () =>
      act(async () => {
        const { taken } = store.state;
        const mine = session;
        if (!mine || !taken || taken.length === 0) return;
        if (mine.beams) return show(mine.beams.best(mine.steps - 1), mine.steps - 1);
        const ids = taken.slice(0, -1);
        if (mine.writing?.covers(ids)) return show(ids);
        store.set({ taken: ids });
        return again();
      }),
    /** Back to the prompt. */
    restart: () =>
      act(async () => {
        const mine = session;
        if (mine?.beams || mine?.writing?.covers([])) return show([], 0);
        store.set({ taken: [] });
        return again();
      }),
    /**
     * Writes on until the text ends, is long enough, or somebody stops it.
     * @param {{ choosing?: boolean }} [how] choosing: a cell is chosen at the end, where none is
     */
    async run({ choosing = false } = {}) {
      if (!session) await ready();
      const mine = session;
      if (!mine || store.state.running) return;
      store.set({ running: true });
      await act(async () => {
        // Stopped is stopped: a step on its way is not shown, and is known when it is asked for.
        const wanted = () => session === mine && store.state.running;
        while (wanted()) {
          const { taken, length, result } = store.state;
          if ((taken?.length ?? 0) >= length || result?.written?.over) break;
          if (!(await step(wanted))) break;
          await frame();
        }
      });
      if (session !== mine) return;
      store.set({ running: false });
      const { result, query, key, attention, layer, head, sequence: batch } = store.state;
      if (!choosing || !result || query !== null || key !== null) return;
      store.set(strongestCell(result, gridNamed(result.model, attention), { layer, head, batch }));
    },
    stop: () => store.set({ running: false }),
  };
}

/** Until what was written is on screen; a page in the background is not waited for. */
function frame() {
  return Promise.race([
    new Promise((done) => requestAnimationFrame(done)),
    new Promise((done) => setTimeout(done, 50)),
  ]);
}
