// What may come next, with probabilities: behind the whole text, where a reader may take any of them, and behind a chosen token,
// with the one that did come.

import { html, nothing } from 'lit/html.js';
import { visibleToken } from '../../view/index.js';
import { problemText, prose } from '../dom.js';
import { gridNamed, sequenceAt } from '../grids.js';
import { list } from './guesses.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Result} Result */
/** @typedef {import('../prediction.js').Guess} Guess */

const SHOWN = 8;
const BEHIND = 5;

/**
 * @param {import('../store.js').Store} store
 * @param {{ take: (id: number) => void, why: (result: Result, row: number, id: number, logits: Float32Array) => void,
 *   before: import('../before.js').BeforeOf, changed: () => void }} actions changed: guesses that were asked for are there
 */
export function createNext(store, { take, why, before, changed }) {
  /** @type {{ result: Result, row: number, guesses: Guess[] | null, problem: import('../types.js').Problem | null } | null} */
  let behind = null;

  /** @param {Result} result @param {number} row @param {number | null} also */
  function ask(result, row, also) {
    if (behind?.result === result && behind.row === row) return;
    const mine = {
      result,
      row,
      guesses: /** @type {Guess[] | null} */ (null),
      problem: /** @type {import('../types.js').Problem | null} */ (null),
    };
    behind = mine;
    const { prediction } = result;
    if (prediction.kind !== 'next') return;
    const settle = () => store.state.result === result && behind === mine && changed();
    prediction.at(row, also).then(
      (guesses) => {
        mine.guesses = guesses;
        settle();
      },
      (error) => {
        mine.problem = error;
        settle();
      },
    );
  }

  /** @param {Result} result @param {number} row @param {number} id */
  async function explain(result, row, id) {
    if (result.prediction.kind !== 'next') return;
    const logits = await result.prediction.logits(row);
    if (store.state.result === result) why(result, row, id, logits);
  }

  /** @param {State} state @param {Result} result */
  return (state, result) => {
    const { written } = result;
    const next = written?.next ?? null;
    const read = result.target ?? result.sequences[0];
    const last = read.tokens.length - 1;
    const row = rowOf(state, result, next ? null : last);
    return html`${next ? candidates(result, next) : nothing}
    ${written?.over ? html`<p class="says">${STRINGS.overSays[written.over]}</p>` : nothing}
    ${written && written.work.bytes > 0 ? work(written.work) : nothing}
    ${row === null || row > last ? nothing : behindToken(result, read, row)}`;
  };

  /** @param {Result} result @param {import('../writing.js').Place} next */
  function candidates(result, { candidates: all, pick }) {
    const guesses = all.map(({ id, token, probability }) => ({ id, label: token, probability }));
    const marked = guesses.find(({ id }) => id === pick.id) ?? null;
    const { how } = store.state;
    return html`<p class="says">${prose(STRINGS.candidatesSay[how === 'sample' ? 'sample' : 'greedy'])}</p>
      ${list(guesses, SHOWN, ({ id }) => take(/** @type {number} */ (id)), { label: STRINGS.take, marked, before: before(result, 'next', changed) })}`;
  }

  /** @param {Result} result @param {import('../types.js').Sequence} read @param {number} row */
  function behindToken(result, read, row) {
    const came = read.ids[row + 1] ?? result.following?.id ?? null;
    ask(result, row, came);
    const token = visibleToken(read.tokens[row]);
    if (!behind || behind.problem) return problemText(behind?.problem ?? null);
    const { guesses } = behind;
    const marked = guesses?.find(({ id }) => id === came) ?? null;
    // The token that came has a line, however unlikely it was.
    const shown = guesses ? [...guesses.slice(0, BEHIND)] : [];
    if (marked && !shown.includes(marked)) shown.push(marked);
    return html`<h3 class="behind">${STRINGS.expectedAfter(token)}</h3>
      ${guesses ? list(shown, shown.length, null, { marked, why: ({ id }) => void explain(result, row, id ?? 0), before: before(result, { row }, changed) }) : html`<p class="says">${STRINGS.whyWaiting}</p>`}`;
  }
}

/**
 * The row whose expectations are shown: that of the chosen query, where what is read has one.
 * @param {State} state
 * @param {Result} result
 * @param {number | null} otherwise
 */
function rowOf(state, result, otherwise) {
  const grid = gridNamed(result.model, state.attention);
  const reads = grid.queries === (result.target ? 'target' : 'source');
  if (!reads || state.query === null) return otherwise;
  return state.query < sequenceAt(result, grid.queries, 0).tokens.length ? state.query : otherwise;
}

/** What the cache holds and spares. @param {import('../writing.js').Written['work']} work */
function work({ cached, plain, bytes }) {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return html`<p class="says cache">${prose(STRINGS.cacheSays(size, cached, plain))}</p>`;
}
