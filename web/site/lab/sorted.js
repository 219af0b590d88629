// Heads in the order of a pattern, as a list: each with its score, and leading to the head.

import { html, nothing, render } from 'lit/html.js';
import { headMatrix, patternScore, sortHeads, writeNumber } from '../../view/index.js';
import { prose, share } from '../dom.js';
import { gridNamed, gridsOf, headsOf, hiddenCells, hookOf, sequenceAt } from '../grids.js';
import { otherGrid } from './head-grid.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Result} Result */
/** @typedef {import('../../view/patterns.js').Pattern} Pattern */
/** @typedef {{ grid: import('../grids.js').GridName, layer: number, head: number, score: import('../../view/patterns.js').Score }} Line */

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 */
export function createSorted(root, store) {
  /** @type {{ key: string, result: Result, lines: Line[] } | null} */
  let made = null;

  function update() {
    const { state } = store;
    const { result, sort, sequence, running } = state;
    root.hidden = result === null || sort === null;
    if (!result || !sort) return render(nothing, root);
    // While the model writes, scores would be of a text that is gone at once.
    if (running && made) return;
    const key = [sort, sequence].join();
    if (made?.result !== result || made.key !== key) made = { key, result, lines: scored(result, sort, sequence) };
    const { views } = STRINGS;
    const several = gridsOf(result.model).length > 1;
    const here = gridNamed(result.model, state.attention).name;
    render(
      html`<h3>${views.sorted(views.patterns[sort])}</h3>
        <p class="says">${prose(views.patternsSay[sort])}</p>
        <p class="formula">${views.formulas[sort]}</p>
        <ol class="answers">
          ${made.lines.map(({ grid, layer, head, score }) => {
            const chosen = grid === here && layer === state.layer && head === state.head;
            const text = scoreText(score);
            const of = several ? `${STRINGS.grids[grid].title}, ` : '';
            const hover = () => store.set({ hover: { part: 'head', grid, layer, head } });
            return html`<li class=${chosen ? 'chosen' : ''}>
              <button
                type="button"
                class="link name"
                aria-label=${`${of}${STRINGS.headName(layer, head)}: ${text}`}
                aria-current=${chosen ? 'true' : 'false'}
                @pointerenter=${hover}
                @pointerleave=${() => store.set({ hover: null })}
                @click=${() => store.set({ ...otherGrid(store.state, grid), layer, head, over: null, hover: null })}
              >
                ${several ? `${STRINGS.grids[grid].title} ` : ''}${layer}.${head}
              </button>
              ${share(score.share ?? score.value)}<span class="number">${text}</span>
            </li>`;
          })}
        </ol>`,
      root,
    );
  }

  store.on(['result', 'sequence', 'sort', 'attention', 'layer', 'head', 'running'], update);
  update();
}

/** @param {import('../../view/patterns.js').Score} score */
function scoreText({ value, share: part }) {
  if (Number.isNaN(value)) return STRINGS.views.noScore;
  if (part === null) return writeNumber(value, 2);
  return STRINGS.views.bits(writeNumber(value, 2), writeNumber((Number.isNaN(part) ? 0 : part) * 100, 0));
}

/** All heads of all attentions with their scores, highest first. @param {Result} result @param {Pattern} pattern @param {number} batch @returns {Line[]} */
function scored(result, pattern, batch) {
  const { sep, eos } = result.model.tokenizer?.specials ?? { sep: null, eos: null };
  const lines = gridsOf(result.model).flatMap((grid) => {
    const queries = sequenceAt(result, grid.queries, batch);
    const keys = sequenceAt(result, grid.keys, batch);
    const tokens = {
      realQueries: queries.padding.map((padding) => !padding),
      realKeys: keys.padding.map((padding) => !padding),
      separators: keys.ids.flatMap((id, i) => (id === sep?.id || id === eos?.id ? [i] : [])),
      same: grid.queries === grid.keys,
      ids: queries.ids,
      special: queries.special,
    };
    return Array.from({ length: grid.layers }, (_, layer) =>
      Array.from({ length: headsOf(result, grid) }, (__, head) => {
        const matrix = headMatrix(result.run.get(hookOf(grid, layer, 'hook_pattern')), { batch, head });
        const hidden = hiddenCells(grid, null, matrix);
        return { grid: grid.name, layer, head, score: patternScore(pattern, matrix, { ...tokens, hidden }) };
      }),
    ).flat();
  });
  return sortHeads(lines);
}
