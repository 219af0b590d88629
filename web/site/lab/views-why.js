// Where a cell of another view comes from: which heads it is the mean or the maximum of, which cells of tokens it adds up, and what
// it was divided by. Every head and every cell leads to where it has a formula.

import { html, nothing } from 'lit/html.js';
import { contributions, regroup, roundToSum, visibleToken, writeNumber, writeUnits } from '../../view/index.js';
import { share } from '../dom.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../aggregate.js').Numbers} Numbers */
/** @typedef {import('../types.js').State} State */

/** Lines of a list; of the rest the sum. */
const SHOWN = 9;
const DECIMALS = 2;

/**
 * @param {Numbers} shown
 * @param {import('../aggregate.js').View} view
 * @param {{ query: number, key: number }} cell of what is drawn
 * @param {{ queries: string[], keys: string[] }} tokens all of them, as they are shown
 * @param {(patch: Partial<State>) => void} open
 */
export function viewedCell(shown, view, cell, tokens, open) {
  const { views } = STRINGS;
  const { matrix, sums } = shown;
  const queries = shown.queryGroups[cell.query];
  const keys = shown.keyGroups[cell.key];
  const at = cell.query * matrix.columns + cell.key;
  const sum = sums?.[cell.query] ?? 1;
  const before = matrix.data[at] * sum;
  return html`${
    sums === null
      ? nothing
      : html`<p>${views.whyDivided(writeNumber(before, 3), writeNumber(sum, 3), writeNumber(matrix.data[at], 3))}</p>`
  }
  ${view.over === null ? nothing : headList(shown, view, { queries, keys, before }, open)}
  ${
    queries.length * keys.length === 1
      ? nothing
      : html`<p>${views.whyWords(writeNumber(before, 3), queries.length, keys.length)}</p>
          ${cellList(shown, queries, keys, tokens, open)}`
  }`;
}

/**
 * @param {Numbers} shown
 * @param {import('../aggregate.js').View} view
 * @param {{ queries: number[], keys: number[], before: number }} cell
 * @param {(patch: Partial<State>) => void} open
 */
function headList({ heads, of }, { by }, { queries, keys, before }, open) {
  const { views } = STRINGS;
  // A mean of heads is the mean of their words too; a maximum is taken of tokens, before they become words.
  const tokens = queries.length * keys.length === 1;
  const parts = heads.map(({ layer, head }, i) => {
    const value = regroup(of[i], [queries], [keys]).data[0];
    return { layer, head, value, part: value / heads.length };
  });
  if (by === 'max' && tokens)
    contributions(of, 'max', queries[0], keys[0]).forEach(({ part }, i) => (parts[i].part = part));
  const text = by === 'mean' ? views.whyMean : views.whyMax;
  // What is shown adds up to the mean on show.
  const units =
    by === 'mean'
      ? roundToSum(
          parts.map(({ part }) => part),
          3,
        )
      : parts.map(({ value }) => Math.round(value * 1000));
  const order = [...parts.keys()].sort((a, b) => parts[b].value - parts[a].value || a - b);
  const rest = order.slice(SHOWN).reduce((sum, i) => sum + units[i], 0);
  const others = order.length - SHOWN;
  return html`<p>${by === 'max' && !tokens ? views.whyMaxWords : text(writeNumber(before, 3), heads.length)}</p>
    <ul class="answers from-heads">
      ${order.slice(0, SHOWN).map((i) => {
        const { layer, head, value, part } = parts[i];
        const name = STRINGS.headName(layer, head);
        const chosen = by === 'max' && tokens && part > 0;
        return html`<li class=${chosen ? 'chosen' : ''}>
          <button
            type="button"
            class="link name"
            aria-label=${views.openHead(name, writeNumber(value, DECIMALS))}
            @click=${() => open({ over: null, layer, head })}
          >
            ${name}
          </button>
          ${share(value)}<span class="number">${writeUnits(units[i], 3)}</span>
        </li>`;
      })}
      ${
        others <= 0
          ? nothing
          : html`<li class="others">
              <span class="name"><i>${STRINGS.otherKeys(others)}</i></span>
              ${share(by === 'mean' ? rest / 1000 : 0)}<span class="number"
                >${by === 'mean' ? writeUnits(rest, 3) : ''}</span
              >
            </li>`
      }
    </ul>`;
}

/**
 * The cells of tokens that a cell of words adds up.
 * @param {Numbers} shown
 * @param {number[]} queries
 * @param {number[]} keys
 * @param {{ queries: string[], keys: string[] }} tokens
 * @param {(patch: Partial<State>) => void} open
 */
function cellList({ recorded }, queries, keys, tokens, open) {
  const { views } = STRINGS;
  const cells = queries
    .flatMap((query) => keys.map((key) => ({ query, key, value: recorded.data[query * recorded.columns + key] })))
    .sort((a, b) => b.value - a.value);
  const values = cells.map(({ value }) => value);
  // What is shown adds up.
  const units = roundToSum(values, 3);
  const total = units.reduce((sum, value) => sum + value, 0);
  const rest = units.slice(SHOWN).reduce((sum, value) => sum + value, 0);
  const others = cells.length - SHOWN;
  return html`<ul class="answers from-cells">
    ${cells.slice(0, SHOWN).map(({ query, key, value }, i) => {
      const name = views.cellOf(visibleToken(tokens.queries[query]), visibleToken(tokens.keys[key]));
      const text = writeUnits(units[i], 3);
      return html`<li>
        <button
          type="button"
          class="link name"
          aria-label=${views.openCell(name, text)}
          @click=${() => open({ unit: 'tokens', query, key })}
        >
          <bdi>${name}</bdi>
        </button>
        ${share(value)}<span class="number">${text}</span>
      </li>`;
    })}
    ${
      others <= 0
        ? nothing
        : html`<li class="others">
            <span class="name"><i>${STRINGS.otherKeys(others)}</i></span>
            ${share(rest / 1000 / cells.length)}<span class="number">${writeUnits(rest, 3)}</span>
          </li>`
    }
    <li class="total">
      <span class="name">${STRINGS.together}</span><span></span>
      <span class="number">${writeUnits(total, 3)}</span>
    </li>
  </ul>`;
}
