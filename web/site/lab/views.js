// The choice of other views, in a fold beside the picture's controls, and the words for what is on show.

import { html, nothing } from 'lit/html.js';
import { PATTERNS } from '../../view/index.js';
import { isRecorded, viewOf } from '../aggregate.js';
import { prose } from '../dom.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../aggregate.js').Numbers} Numbers */

const REDUCTIONS = /** @type {const} */ (['mean', 'max']);
const OVER = /** @type {const} */ (['heads', 'layers', 'all']);

/**
 * @param {import('../store.js').Store} store
 * @param {unknown} [rest] further choices
 */
export function viewsFold(store, rest = nothing) {
  const { state } = store;
  const { views } = STRINGS;
  const view = viewOf(state);
  const only = state.kind === 'scores';
  const reductions = REDUCTIONS.flatMap((by) =>
    OVER.map((over) => ({ value: `${by}.${over}`, text: views.reductions[by][over], disabled: only })),
  );
  return html`<details class="views">
    <summary>${views.more}</summary>
    <div class="choices">
      ${pick(
        views.heads,
        view.over === null ? '' : `${view.by}.${view.over}`,
        [{ value: '', text: views.one }, ...reductions],
        (value) => {
          const [by, over] = value.split('.');
          store.set(
            value === ''
              ? { over: null }
              : { by: /** @type {any} */ (by), over: /** @type {any} */ (over), hover: null },
          );
        },
      )}
      ${pick(
        views.special,
        view.special,
        /** @type {const} */ (['shown', 'hidden', 'renormalised']).map((value) => ({
          value,
          text: views.specials[value],
          disabled: only && value === 'renormalised',
        })),
        (value) => store.set({ special: value }),
      )}
      ${pick(
        views.unit,
        view.unit,
        /** @type {const} */ (['tokens', 'words']).map((value) => ({
          value,
          text: views.units[value],
          disabled: only && value === 'words',
        })),
        (value) => store.set({ unit: value }),
      )}
      ${pick(
        views.sort,
        state.sort ?? '',
        [{ value: '', text: views.unsorted }, ...PATTERNS.map((value) => ({ value, text: views.patterns[value] }))],
        (value) => store.set({ sort: value === '' ? null : value }),
      )}
      ${rest}
    </div>
    ${only ? html`<p class="says">${views.weightsOnly}</p>` : nothing}
  </details>`;
}

/**
 * A native list of choices behind its name.
 * @template {string} T
 * @param {string} label
 * @param {T} value
 * @param {{ value: T, text: string, disabled?: boolean }[]} options
 * @param {(value: T) => void} choose
 */
export function pick(label, value, options, choose) {
  return html`<label
    >${label}
    <select
      @change=${(/** @type {Event} */ event) => choose(/** @type {T} */ (/** @type {HTMLSelectElement} */ (event.target).value))}
    >
      ${options.map(
        (option) =>
          html`<option value=${option.value} ?disabled=${option.disabled ?? false} .selected=${option.value === value}>
            ${option.text}
          </option>`,
      )}
    </select></label
  >`;
}

/**
 * Which heads are on show, as a title: lists of layers and heads where one is to be chosen.
 * @param {State} state
 * @param {number} count of the heads that are put together
 * @param {{ layer: unknown, head: unknown }} choices
 */
export function headsTitle(state, count, { layer, head }) {
  const { over, by } = viewOf(state);
  if (over === null) return html`${layer} ${head}`;
  return html`${STRINGS.views.of[by](count)}${over === 'all' ? nothing : html`, ${over === 'heads' ? layer : head}`}`;
}

/** The same in words. @param {State} state @param {number} count @param {{ layer: number, head: number }} at */
export function headsName(state, count, { layer, head }) {
  const { over, by } = viewOf(state);
  const [inLayer, ofHead] = [`${STRINGS.layer} ${layer}`, `${STRINGS.head} ${head}`];
  if (over === null) return STRINGS.headName(layer, head);
  const rest = over === 'all' ? [] : [over === 'heads' ? inLayer : ofHead];
  return [STRINGS.views.of[by](count), ...rest].join(', ');
}

/** What else the title says. @param {State} state @returns {string[]} */
export function viewNotes(state) {
  const { special, unit } = viewOf(state);
  const { notes } = STRINGS.views;
  return [...(unit === 'words' ? [notes.words] : []), ...(special === 'shown' ? [] : [notes[special]])];
}

/** How the numbers on show come about, where they are not a head's own. @param {State} state @param {Numbers} shown */
export function viewSays(state, { heads }) {
  const view = viewOf(state);
  const { says } = STRINGS.views;
  if (isRecorded(view) && view.special === 'shown') return null;
  return prose(
    [
      view.over === null ? '' : says[view.by](heads.length),
      view.unit === 'words' ? says.words : '',
      view.special === 'shown' ? '' : says[view.special],
    ]
      .filter(Boolean)
      .join(' '),
  );
}
