// How the next token is chosen: the likeliest, one drawn at random, or by a search; with the numbers that belong to each.

import { html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { choice } from '../dom.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {'temperature' | 'topk' | 'topp' | 'seed' | 'beams' | 'penalty' | 'length'} Setting */

/** @type {Record<Setting, { min: number, max: number, step: number }>} */
const LIMITS = {
  temperature: { min: 0.1, max: 3, step: 0.1 },
  topk: { min: 0, max: 1000, step: 1 },
  topp: { min: 0.05, max: 1, step: 0.05 },
  seed: { min: 0, max: 999_999_999, step: 1 },
  beams: { min: 2, max: 8, step: 1 },
  penalty: { min: -2, max: 3, step: 0.1 },
  length: { min: 1, max: 500, step: 1 },
};
/** @type {Record<State['how'], Setting[]>} */
const OF = {
  greedy: ['length'],
  sample: ['temperature', 'topk', 'topp', 'seed', 'length'],
  beams: ['beams', 'penalty', 'length'],
};

/**
 * @param {import('../store.js').Store} store
 * @param {{ compute: () => void, soon: () => void }} lab what was known of the next token no longer holds; soon: numbers come in bursts
 */
export function createSettings(store, { compute, soon }) {
  /** @param {Setting} name @param {Event} event */
  function set(name, event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const { min, max, step } = LIMITS[name];
    const value = Number(input.value);
    // No finer than a link holds (fragment.js).
    const written = step === 1 ? Math.round(value) : Number(value.toFixed(6));
    const within = Math.min(max, Math.max(min, written));
    const isSetting = input.value !== '' && within === value;
    // What is not a setting is put right when the field is left.
    if (!isSetting && event.type !== 'change') return;
    if (input.value === '' || Number.isNaN(value)) {
      input.value = String(store.state[name]);
      return;
    }
    input.value = String(within);
    if (within === store.state[name]) return;
    store.set({ [name]: within });
    // The length says only when to stop; a search is of one length.
    if (name !== 'length' || store.state.how === 'beams') soon();
  }

  /** @param {State} state @param {Setting} name */
  const field = (state, name) => {
    const { min, max, step } = LIMITS[name];
    const { word, title } = STRINGS.settings[name];
    return html`<label class="setting" title=${title}
      >${word}
      <input
        type="number"
        inputmode="decimal"
        min=${min}
        max=${max}
        step=${step}
        .value=${live(String(state[name]))}
        @input=${(/** @type {Event} */ event) => set(name, event)}
        @change=${(/** @type {Event} */ event) => set(name, event)}
    /></label>`;
  };

  /** @param {State} state */
  return (state) =>
    html`<div class="settings">
      ${choice({
        name: 'how',
        legend: STRINGS.how,
        value: state.how,
        options: [
          { value: 'greedy', text: STRINGS.hows.greedy },
          { value: 'sample', text: STRINGS.hows.sample },
          { value: 'beams', text: STRINGS.hows.beams },
        ],
        choose(how) {
          store.set({ how });
          compute();
        },
      })}
      ${OF[state.how].map((name) => field(state, name))}
      ${
        state.how === 'sample'
          ? html`<button
              type="button"
              class="link"
              @click=${() => {
                store.set({ seed: (store.state.seed + 1) % LIMITS.seed.max });
                compute();
              }}
            >
              ${STRINGS.drawAgain}
            </button>`
          : nothing
      }
    </div>`;
}
