// From a number to what it is made of, and on, down to the weights: each step takes the place of the one before, and the
// way back stays above it.

import { html, nothing } from 'lit/html.js';
import { roundToSum, writeFull, writeNumber, writeUnits } from '../../view/index.js';
import { bars, problemText } from '../dom.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../origin-terms.js').Origin} Origin */
/** @typedef {import('../origin-terms.js').Terms} Terms */

/** Terms in a list; all others in one line. */
const SHOWN = 8;

/**
 * @param {() => void} changed asks for the template again
 * @param {{ beneath: (origin: Origin) => unknown }} parts beneath: what stands beside a number's full value
 */
export function createTrail(changed, { beneath }) {
  /** @type {Origin[]} */
  let path = [];
  /** @type {{ of: Origin, terms: Terms | null, problem: import('../types.js').Problem | null }} */
  let opened = { of: /** @type {any} */ (null), terms: null, problem: null };

  /** @param {Origin[]} next */
  async function go(next) {
    path = next;
    const of = next[next.length - 1];
    if (of) {
      opened = { of, terms: null, problem: null };
      of.open?.().then(
        (terms) => opened.of === of && finish({ of, terms, problem: null }),
        (error) => opened.of === of && finish({ of, terms: null, problem: error }),
      );
    }
    changed();
  }
  /** @param {typeof opened} next */
  function finish(next) {
    opened = next;
    changed();
  }

  const crumb = (/** @type {Origin} */ origin, /** @type {number} */ i) =>
    html`<li>
      <button type="button" class="link" @click=${() => go(path.slice(0, i + 1))}><bdi>${origin.label}</bdi></button>
    </li>`;

  /** @param {Origin} origin */
  const factor = (origin) =>
    html`<button
      type="button"
      class="number"
      aria-label=${STRINGS.openNumber(origin.label, writeNumber(origin.value, 3))}
      @click=${() => go([...path, origin])}
    >
      <small><bdi>${origin.label}</bdi></small> <span>${writeNumber(origin.value, 3)}</span>
    </button>`;

  return {
    get open() {
      return path.length > 0;
    },
    /** Whether what the number is made of is still on its way. */
    get coming() {
      const { of, terms, problem } = opened;
      return Boolean(of?.open) && terms === null && problem === null;
    },
    /** @param {Origin} origin */
    start: (origin) => go([origin]),
    clear() {
      path = [];
    },
    template() {
      const here = path[path.length - 1];
      const back = () => go(path.slice(0, -1));
      const escape = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        back();
      };
      return html`<div class="trail" @keydown=${escape}>
        <nav aria-label=${STRINGS.path}>
          <ol>
            <li><button type="button" class="link" @click=${() => go([])}>${STRINGS.back}</button></li>
            ${path.slice(0, -1).map(crumb)}
          </ol>
        </nav>
        <h2><bdi>${here.label}</bdi></h2>
        <p class="full">= ${writeFull(here.value)}</p>
        <p class="editable">${beneath(here)}</p>
        <p class="says">${here.says}</p>
        <p class="says">
          ${STRINGS.from[here.from]}${here.place === '' ? nothing : html`: <code>${here.place}</code>`}
        </p>
        ${problemText(opened.problem)} ${opened.terms ? termsOf(opened.terms) : nothing}
      </div>`;
    },
  };

  /** @param {Terms} of */
  function termsOf({ kind, formula, terms }) {
    if (kind === 'function') {
      return html`<h3>${formula}</h3>
        <ul class="terms">
          ${terms.map(({ factors }) => html`<li>${factors.map(factor)}</li>`)}
        </ul>`;
    }
    const values = terms.map(({ value }) => value);
    const order = Array.from(values.keys()).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b);
    const shown = order.slice(0, SHOWN);
    const rest = order.slice(SHOWN).reduce((sum, i) => sum + values[i], 0);
    const decimals = 3;
    const units = roundToSum([...shown.map((i) => values[i]), rest], decimals);
    const write = (/** @type {number} */ of) => writeUnits(of, decimals);
    return html`<h3>${formula}</h3>
      ${values.length > 2 ? bars(values, { label: STRINGS.termsOf(values.length) }) : nothing}
      <ul class="terms">
        ${shown.map(
          (i, n) =>
            html`<li>
              <span>${terms[i].factors.map((of, f) => html`${f > 0 ? ' × ' : ''}${factor(of)}`)}</span>
              <span class="number">${write(units[n])}</span>
            </li>`,
        )}
        ${
          order.length > SHOWN
            ? html`<li>
                <i>${STRINGS.smallerOnes(order.length - SHOWN)}</i><span class="number">${write(units[SHOWN])}</span>
              </li>`
            : nothing
        }
        <li class="total">
          <span>${STRINGS.together}</span
          ><span class="number">${write(units.reduce((sum, value) => sum + value, 0))}</span>
        </li>
      </ul>`;
  }
}
