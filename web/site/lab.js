// From the text fields to a result in the store: one run at a time, the last one asked for wins, and what was there stays
// until the next is complete.

import { errorToPlain } from '../engine/errors.js';
import { headMatrix } from '../view/index.js';
import { createRecords, namesToRecord, sizesOf } from './recording.js';
import { strongestPair } from './selection.js';
import { predict } from './prediction.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').Run} Run */
/** @typedef {import('./types.js').Sequence} Sequence */
/** @typedef {import('./types.js').State} State */

/** After the last keystroke, milliseconds. */
const PAUSE = 120;

/** @param {import('./store.js').Store} store */
export function createLab(store) {
  /** @type {Model | null} */
  let model = null;
  /** @type {AbortController | null} */
  let current = null;
  let timer = 0;

  /** @param {{ follow?: boolean }} [options] follow: chosen tokens stay chosen where words were typed before or after them */
  async function compute({ follow = true } = {}) {
    clearTimeout(timer);
    current?.abort();
    if (!model) return;
    const used = model;
    const mine = new AbortController();
    current = mine;
    const { signal } = mine;
    const { text, pair, join } = store.state;
    const begun = performance.now();
    store.set({ busy: true });
    try {
      const input = pair === null ? text : join === 'batch' ? [text, pair] : { text, pair };
      const batch = Array.isArray(input) ? 2 : 1;
      const record = namesToRecord(used.config, batch, longest(used, text, pair, join));
      const run = await used.run(input, { record, signal });
      const prediction = await predict(used, run);
      if (signal.aborted || used !== model) return;
      const result = {
        model: used,
        run,
        records: createRecords(used, input, run),
        sequences: run.ids.map((_, b) => sequenceOf(run, b)),
        texts: pair === null ? [text] : [text, pair],
        padded: run.mask.some((row) => row.includes(0)),
        prediction,
        ms: performance.now() - begun,
      };
      store.set({ ...kept(store.state, result, follow), result, problem: null, busy: false });
    } catch (error) {
      const problem = errorToPlain(error);
      if (signal.aborted || used !== model || problem.code === 'aborted') return;
      store.set({ problem, busy: false });
    }
  }

  return {
    compute,
    /** Computes when the reader pauses. */
    soon() {
      clearTimeout(timer);
      timer = window.setTimeout(() => void compute(), PAUSE);
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
    /**
     * The same input again with some numbers changed on the way.
     * @param {import('../engine/edits.js').Edit[]} edits
     */
    async edited(edits) {
      const { result } = store.state;
      if (!result) return null;
      const { texts, run } = result;
      const input = texts.length === 1 ? texts[0] : run.ids.length === 2 ? texts : { text: texts[0], pair: texts[1] };
      return predict(result.model, await result.model.run(input, { edits }));
    },
  };
}

/**
 * How many tokens there may be, to judge what recording costs: no more than the model reads, nor than characters.
 * @param {Model} model
 * @param {string} text
 * @param {string | null} pair
 * @param {State['join']} join
 */
function longest(model, text, pair, join) {
  const second = pair?.length ?? 0;
  const characters = join === 'pair' ? text.length + second : Math.max(text.length, second);
  const most = Number(model.config.max_position_embeddings ?? model.tokenizer?.maxLength ?? Infinity);
  return Math.min(most, characters + 3);
}

/** @param {Run} run @param {number} b @returns {Sequence} */
function sequenceOf(run, b) {
  const padding = run.mask[b].map((real) => real === 0);
  const batch = run.ids.length > 1;
  return {
    tokens: run.tokens[b],
    ids: run.ids[b],
    special: run.special[b].map(Boolean),
    padding,
    typeIds: run.typeIds[b],
    places: run.offsets[b].map(([start, end], t) => {
      const of = run.sequence[b][t];
      if (of === null || start === end) return null;
      return { field: batch ? /** @type {0 | 1} */ (b) : of, start, end };
    }),
    truncated: run.truncated[b],
  };
}

/**
 * The choice as it holds for a new result. A chosen token that is gone, and a first visit, give the head's strongest cell.
 * @param {State} state
 * @param {Pick<import('./types.js').Result, 'sequences' | 'model' | 'run'>} next
 * @param {boolean} following
 * @returns {Partial<State>}
 */
export function kept(state, next, following) {
  const sequence = Math.min(state.sequence, next.sequences.length - 1);
  const { layers, heads } = sizesOf(next.model.config);
  const [layer, head] = [Math.min(state.layer, layers - 1), Math.min(state.head, heads - 1)];
  const { tokens } = next.sequences[sequence];
  const before = following ? (state.result?.sequences[state.sequence]?.tokens ?? null) : null;
  const spot = { query: follow(state.query, before, tokens), key: follow(state.key, before, tokens) };
  const lost = (state.query !== null && spot.query === null) || (state.key !== null && spot.key === null);
  const nothing = state.query === null && state.key === null;
  const choice = { sequence, layer, head, hover: null };
  if (!lost && !(state.result === null && nothing)) return { ...choice, ...spot };
  const pattern = headMatrix(next.run.get(`blocks.${layer}.attn.hook_pattern`), { batch: sequence, head });
  return { ...choice, ...strongestPair(pattern, next.sequences[sequence]) };
}

/**
 * Where a token went: tokens alike at the beginning keep their place, those alike at the end keep it from the end.
 * @param {number | null} index
 * @param {string[] | null} before
 * @param {string[]} after
 * @returns {number | null}
 */
export function follow(index, before, after) {
  if (index === null) return null;
  if (before === null) return index < after.length ? index : null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (index < start) return index;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (index >= before.length - end) return index + after.length - before.length;
  return before.length === after.length ? index : null;
}
