// Comparing: what stands beside the picture on show, and the difference of both. Another run is computed when the text, the model
// or the choice changes; a second model is loaded for it, and freed when no longer compared with.

import { load } from '../engine/load.js';
import { errorToPlain } from '../engine/errors.js';
import { difference, differenceScale, palette, sameSize } from '../view/index.js';
import { missing, numbersOf, toDrawn, viewKey, viewOf } from './aggregate.js';
import { editedAt } from './edited.js';
import { gridNamed, headsOf, shownGrid } from './grids.js';
import { follow } from './follow.js';
import { shownHead } from './selection.js';
import { STRINGS } from './strings.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./aggregate.js').Numbers} Numbers */
/** @typedef {ReturnType<typeof differenceOf>} Difference null where sizes differ */

/** After the last keystroke, milliseconds. */
const PAUSE = 120;

/** Keeps the other run in the store. @param {import('./store.js').Store} store */
export function createComparison(store) {
  /** @type {AbortController | null} */
  let current = null;
  /** @type {{ source: import('../engine/sources.js').Source, model: Model } | null} */
  let second = null;
  /** 0 where no run is due. */
  let timer = 0;

  function dropSecond() {
    second?.model.dispose();
    second = null;
  }

  /** @param {import('../engine/sources.js').Source} source @param {AbortSignal} signal */
  async function secondModel(source, signal) {
    if (second?.source === source) return second.model;
    const model = await load(source, { signal });
    if (signal.aborted) {
      model.dispose();
      throw Object.assign(new Error('compare: another model was chosen'), { code: 'aborted' });
    }
    if (!model.tokenizer) {
      model.dispose();
      throw Object.assign(new Error(STRINGS.noTokenizer), { code: 'not-found' });
    }
    dropSecond();
    second = { source, model };
    return model;
  }

  async function update() {
    timer = 0;
    current?.abort();
    const { state } = store;
    const { compare, result, running, model2, folder } = state;
    if (compare !== 'model') dropSecond();
    if (!result || !isOther(state)) return store.set({ other: null, otherProblem: null, otherBusy: false });
    // A text that is being written is compared when it is done.
    if (running) return;
    const mine = new AbortController();
    current = mine;
    try {
      const source = model2 === '' ? folder?.files : model2;
      // What the model before said would stand under the name of this one.
      if (compare === 'model' && source !== second?.source) store.set({ other: null, otherProblem: null });
      const model = compare === 'model' && source ? await secondModel(source, mine.signal) : result.model;
      const other = await (await import('./compare-reading.js')).readOther(state, result, model, mine.signal);
      if (!mine.signal.aborted) store.set({ other, otherProblem: null, otherBusy: timer !== 0 });
    } catch (error) {
      if (!mine.signal.aborted) store.set({ other: null, otherProblem: errorToPlain(error), otherBusy: timer !== 0 });
    }
  }

  store.on(['compare', 'model2', 'folder', 'result', 'running', 'text2'], (state, changed) => {
    clearTimeout(timer);
    store.set({ otherBusy: isOther(state) });
    if (changed.has('text2') && changed.size === 1) timer = window.setTimeout(() => void update(), PAUSE);
    else void update();
  });
}

/** Whether another run stands beside the one on show. @param {State} state */
function isOther({ compare, model2, result }) {
  if (compare === 'model') return model2 !== null;
  return compare === 'text' || (compare === 'edits' && result !== null && result.edits.length > 0);
}

/** Whether that is a model that the reader opened. @param {Pick<State, 'compare' | 'model2'>} state */
export const isOpenedBeside = ({ compare, model2 }) => compare === 'model' && model2 === '';

/** Whether something stands beside the picture: arcs have nothing beside them. @param {Pick<State, 'compare' | 'view'>} state */
export const isComparing = ({ compare, view }) => compare !== null && view === 'matrix';

/**
 * Which head of which run stands beside the picture; null while there is none.
 * @param {State} state
 * @returns {{ result: Result, at: import('./aggregate.js').Place } | null}
 */
export function placeBeside(state) {
  const { compare, other, kind, sequence } = state;
  const result = compare === 'head' ? state.result : other;
  const shown = shownGrid(state);
  if (!isComparing(state) || !result || !shown) return null;
  const grid = gridNamed(result.model, shown.name);
  // What the pointer shows of the first is not what was chosen for the second.
  const { layer, head } = compare === 'head' ? state : shownHead(state);
  const own = compare === 'head' || compare === 'model';
  return {
    result,
    at: {
      grid,
      layer: Math.min(own ? (state.layer2 ?? layer) : layer, grid.layers - 1),
      head: Math.min(own ? (state.head2 ?? head) : head, headsOf(result, grid) - 1),
      batch: Math.min(sequence, result.sequences.length - 1),
      kind,
    },
  };
}

/** @type {{ key: string, result: Result, numbers: Numbers } | null} */
let known = null;

/**
 * The numbers beside the picture, or what has to be fetched for them; null while there are none.
 * @param {State} state
 * @returns {{ result: Result, numbers: Numbers | null, wanted: string | null } | null}
 */
export function besideOf(state) {
  const place = placeBeside(state);
  if (!place) return null;
  const { result, at } = place;
  const wanted = missing(result, at);
  if (wanted !== null) return { result, numbers: null, wanted };
  const view = viewOf(state);
  const key = [at.grid.name, at.layer, at.head, at.batch, at.kind, viewKey(view)].join();
  if (known?.result !== result || known.key !== key) known = { key, result, numbers: numbersOf(result, at, view) };
  return { result, numbers: known.numbers, wanted: null };
}

/**
 * The cells beside the picture that a reader has set.
 * @param {State} state
 * @param {Numbers} beside what is drawn there
 */
export function editedBeside(state, beside) {
  const place = placeBeside(state);
  return place ? editedAt(state, place.result, place.at).map((cell) => toDrawn(beside, cell)) : [];
}

/**
 * What a picture's colours are made for: scores of both, so that a colour is the same number in both.
 * @param {State} state
 * @param {Numbers} shown
 */
export function coloured(state, shown) {
  const beside = besideOf(state)?.numbers;
  const pictures = beside ? [shown, beside] : [shown];
  return {
    values: beside ? Float32Array.from(pictures.flatMap(({ matrix }) => [...matrix.data])) : shown.matrix.data,
    tokens: Math.max(...pictures.flatMap(({ queries, keys }) => [queries.length, keys.length])),
  };
}

/**
 * A row and a column of one picture in the other: by place, and where sizes differ by what is alike at both ends.
 * @param {Numbers} from
 * @param {Numbers} to
 * @param {import('../view/types.js').Spot | null} spot
 */
export function counterpart(from, to, spot) {
  return {
    query: follow(spot?.query ?? null, from.queries, to.queries),
    key: follow(spot?.key ?? null, from.keys, to.keys),
  };
}

/**
 * Second minus first, with both names where tokens differ; null where sizes do.
 * @param {Numbers} first
 * @param {Numbers} second
 */
export function differenceOf(first, second) {
  if (!sameSize(first.matrix, second.matrix)) return null;
  const named = (/** @type {string[]} */ a, /** @type {string[]} */ b) =>
    a.map((text, i) => (text === b[i] ? text : `${text} / ${b[i]}`));
  const queries = named(first.queries, second.queries);
  const keys = named(first.keys, second.keys);
  const { masked: hidden } = second;
  return {
    ...first,
    matrix: difference(first.matrix, second.matrix),
    masked: first.masked && hidden && first.masked.map((value, i) => value & hidden[i]),
    queries,
    keys,
    sameTokens: queries.join('\n') === first.queries.join('\n') && keys.join('\n') === first.keys.join('\n'),
  };
}

/**
 * The difference to be painted: on a diverging scale of its own, with what its colours mean.
 * @param {NonNullable<Difference>} of
 * @param {import('../view/theme.js').Theme} theme
 */
export function differencePicture(of, { dark }) {
  const direction = STRINGS.viewWords.directions.diverging[dark ? 'dark' : 'light'];
  return {
    picture: { ...of, scale: differenceScale(of.matrix.data), palette: palette('brbg', { dark }) },
    barTitle: `${STRINGS.views.differenceBar} · ${direction}`,
  };
}
