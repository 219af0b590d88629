// A beam search on the page: several texts are written at once, and after every token the best few of all their continuations are
// kept. Every step stays, so that a reader can go back, and see where each hypothesis came from.

import { changesOf, changesWithin } from './edits.js';
import { endsOf, inputOf, lengthsOf, positionsOf, promptOf } from './writing.js';
import { logitsOf } from './reading.js';
import { namesToRecord } from './recording.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */
/** @typedef {{ ids: number[], score: number, parent: number }} Hypothesis parent: its place among those of the step before */
/**
 * @typedef {object} Hypotheses
 * @property {Hypothesis[][]} levels by steps, the first one being the first token
 * @property {number[]} chosen whose attention is shown
 * @property {{ ids: number[], score: number } | null} finished the text that was found, once the search is over
 */

/**
 * @param {Model} model
 * @param {State} state
 * @param {AbortSignal} signal
 */
export async function beginBeams(model, state, signal) {
  const prompt = promptOf(model, state.text);
  const edits = changesOf(model, state, lengthsOf(prompt, Infinity));
  const ends = endsOf(model);
  const read = prompt.first.ids.length;
  const room = Math.max(1, positionsOf(model) - read);
  const generation = model.generate(inputOf(prompt, []), {
    doSample: false,
    beams: state.beams,
    lengthPenalty: state.penalty,
    maxNewTokens: Math.min(room, state.length),
    edits,
    signal,
  });
  const iterator = generation[Symbol.asyncIterator]();
  /** @type {Hypothesis[][]} */
  const levels = [];
  /** The best finished text, once the search is over. @type {{ ids: number[], score: number } | null} */
  let finished = null;

  async function pull() {
    const { value: step, done } = await iterator.next();
    if (done || !step) finished = await generation.result();
    else levels.push(step.beams ?? []);
  }

  const session = {
    prompt,
    edits,
    ends,
    levels,
    /** Searches until so many steps are known. @param {number} steps @returns {Promise<boolean>} whether there are so many */
    async reach(steps) {
      // One step ahead: whether a step was the last is known only then.
      while (levels.length <= steps && !finished) await pull();
      return levels.length >= steps;
    },
    /** The best hypothesis after so many steps, at the end the text that was found. @param {number} steps @returns {number[]} */
    best(steps) {
      if (finished && steps >= levels.length) return finished.ids;
      const level = levels[Math.min(steps, levels.length) - 1] ?? [];
      const sorted = [...level].sort((a, b) => b.score - a.score);
      return sorted[0]?.ids ?? [];
    },
    /**
     * One run over a hypothesis: what is to be shown of it.
     * @param {number[]} ids
     * @param {number} steps
     */
    async at(ids, steps) {
      const kept = ids.filter((id) => !ends.includes(id));
      const rows = read + kept.length;
      const record = namesToRecord(model.config, 1, rows + prompt.source.ids.length);
      const here = changesWithin(model, edits, lengthsOf(prompt, rows));
      const run = await model.run(inputOf(prompt, kept), { record, edits: here, signal });
      const last = finished !== null && steps >= levels.length;
      const over = kept.length < ids.length ? 'end' : last ? 'full' : null;
      /** @type {import('./writing.js').Written} */
      const written = {
        ids,
        next: null,
        over: /** @type {'end' | 'full' | null} */ (over),
        work: { cached: 0, plain: 0, bytes: 0 },
        hypotheses: shownOf(levels.slice(0, steps), ids, last ? finished : null),
      };
      return { rows, run, written, logits: logitsOf(run) };
    },
    close: () => void iterator.return?.(),
  };
  return session;
}

/** @typedef {Awaited<ReturnType<typeof beginBeams>>} Beams */

/** A running text that cannot go on has a score that stands for "never". */
const NEVER = -1e8;

/**
 * The hypotheses as they are shown: without those that never go on; the text that was found stands at the end of its line.
 * @param {Hypothesis[][]} levels
 * @param {number[]} chosen
 * @param {{ ids: number[], score: number } | null} finished
 * @returns {Hypotheses}
 */
export function shownOf(levels, chosen, finished) {
  // Places count among all of a step's: those left out are the last.
  const alive = levels.map((level) => level.filter(({ score }) => score > NEVER)).filter((level) => level.length > 0);
  if (finished === null || finished.ids.length === 0) return { levels: alive, chosen, finished };
  const at = finished.ids.length - 1;
  const before = alive[at - 1] ?? [];
  const parent = before.findIndex(({ ids }) => ids.every((id, i) => id === finished.ids[i]));
  const known = alive[at]?.some(
    ({ ids }) => ids[at] === finished.ids[at] && (at === 0 || ids[at - 1] === finished.ids[at - 1]),
  );
  if (known || (at > 0 && parent < 0) || at > alive.length) return { levels: alive, chosen, finished };
  const last = { ids: finished.ids, score: finished.score, parent: Math.max(0, parent) };
  const grown = [...alive];
  grown[at] = [...(alive[at] ?? []), last];
  return { levels: grown, chosen, finished };
}
