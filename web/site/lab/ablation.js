// The test of a tempting picture: the same input again with one weight set to 0, and what the model then predicts.

import { html, nothing } from 'lit/html.js';
import { visibleToken, writeNumber } from '../../view/index.js';
import { hookOf } from '../grids.js';
import { coreSays } from '../dom.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../prediction.js').Prediction} Prediction */
/** @typedef {{ grid: import('../grids.js').Grid, layer: number, head: number, batch: number }} Place */

/**
 * @param {import('../store.js').Store} store
 * @param {{ edited: ReturnType<typeof import('../lab.js').createLab>['edited'] }} lab
 * @param {() => void} changed
 */
export function createAblation(store, lab, changed) {
  /** @type {{ lines: unknown[] } | null} */
  let outcome = null;

  /** @param {import('../types.js').Result} result @param {Place} at @param {number} query @param {number} key */
  async function run(result, { grid, layer, head, batch }, query, key) {
    const edit = { at: hookOf(grid, layer, 'hook_pattern'), where: { batch, head, query, key }, set: 0 };
    try {
      const after = await lab.edited([edit]);
      const { state } = store;
      if (after === null || state.result !== result || state.query !== query || state.key !== key) return;
      outcome = { lines: await compare(result, after, batch) };
    } catch (error) {
      outcome = { lines: [coreSays(/** @type {Error} */ (error))] };
    }
    changed();
  }

  return {
    clear() {
      outcome = null;
    },
    /** @param {import('../types.js').Result} result @param {Place} at @param {number} query @param {number} key @param {string} shown */
    template(result, at, query, key, shown) {
      return html`<div class="ablation">
        <p class="says">${STRINGS.caution}</p>
        <button type="button" class="link" @click=${() => run(result, at, query, key)}>${STRINGS.ablate(shown)}</button>
        <div role="status">${outcome ? outcome.lines.map((line) => html`<p>${line}</p>`) : nothing}</div>
      </div>`;
    },
  };
}

/**
 * The likeliest answers before, and what became of them.
 * @param {import('../types.js').Result} result
 * @param {Prediction} after
 * @param {number} batch
 * @returns {Promise<string[]>}
 */
async function compare(result, after, batch) {
  const { prediction: before, target, sequences } = result;
  const text = (/** @type {number} */ value) => writeNumber(value, 3);
  if (before.kind === 'next' && after.kind === 'next') {
    const row = (target ?? sequences[0]).tokens.length - 1;
    const [was] = await before.at(row, null);
    const now = (await after.at(row, was?.id ?? null)).find(({ id }) => id === was?.id);
    return was && now
      ? [STRINGS.ablatedNext, STRINGS.ablated(visibleToken(was.label), text(was.probability), text(now.probability))]
      : [STRINGS.ablatedNothing];
  }
  const [one, other] = [answersOf(before, batch), answersOf(after, batch)];
  if (one.length === 0) return [STRINGS.ablatedNothing];
  return one.map(({ label, probability }, i) => {
    const now = other[i].all.find((guess) => guess.label === label);
    return STRINGS.ablated(visibleToken(label), text(probability), now ? text(now.probability) : STRINGS.less);
  });
}

/** @param {Prediction} prediction @param {number} batch */
function answersOf(prediction, batch) {
  const lists =
    prediction.kind === 'classes'
      ? [prediction.of[batch]]
      : prediction.kind === 'blanks'
        ? prediction.of[batch].map(({ guesses }) => guesses)
        : prediction.kind === 'tokens'
          ? prediction.of[batch].slice(0, 1)
          : [];
  return lists.map((all) => ({ ...all[0], all }));
}
