// The controls of figures: a slider with its value and unit, a choice of a few, a switch, a button, a line of text.

import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { ref } from 'lit/directives/ref.js';

/**
 * @param {object} of
 * @param {string} of.label
 * @param {number} of.value
 * @param {number} of.min
 * @param {number} of.max
 * @param {number} [of.step]
 * @param {string} [of.unit] after the value
 * @param {(value: number) => string} [of.write] how the value is written
 * @param {(value: number) => void} of.set
 */
export function slider({ label, value, min, max, step = 1, unit = '', write = String, set }) {
  const shown = `${write(value)}${unit ? ` ${unit}` : ''}`;
  return html`<label class="slider"
    ><span>${label}</span>
    <input
      type="range"
      min=${min}
      max=${max}
      step=${step}
      .value=${live(String(value))}
      aria-valuetext=${shown}
      @input=${(/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).valueAsNumber)}
    /><output>${shown}</output></label
  >`;
}

let groups = 0;

/**
 * @template {string | number} T
 * @param {object} of
 * @param {string} of.label
 * @param {T} of.value
 * @param {{ value: T, text: string }[]} of.options
 * @param {(value: T) => void} of.set
 */
export function choice({ label, value, options, set }) {
  // Radio buttons of one name are one group; the name is given once, when the group first stands there.
  const naming = (/** @type {Element | undefined} */ group) => {
    if (!group || group.hasAttribute('data-group')) return;
    const name = `choice-${++groups}`;
    group.setAttribute('data-group', name);
    for (const input of group.querySelectorAll('input')) input.name = name;
  };
  return html`<fieldset class="choice" ${ref(naming)}>
    <legend>${label}</legend>
    ${options.map(
      (option) =>
        html`<label
          ><input type="radio" .checked=${live(option.value === value)} @change=${() => set(option.value)} /><span
            >${option.text}</span
          ></label
        >`,
    )}
  </fieldset>`;
}

/**
 * @param {object} of
 * @param {string} of.label
 * @param {boolean} of.on
 * @param {(on: boolean) => void} of.set
 */
export function toggle({ label, on, set }) {
  return html`<label class="toggle"
    ><input
      type="checkbox"
      .checked=${live(on)}
      @change=${(/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked)}
    /><span>${label}</span></label
  >`;
}

/** @param {{ label: string, press: () => void, disabled?: boolean }} of */
export function button({ label, press, disabled = false }) {
  return html`<button type="button" class="link" ?disabled=${disabled} @click=${press}>${label}</button>`;
}

/**
 * A line that the reader can type in.
 * @param {object} of
 * @param {string} of.label
 * @param {string} of.value
 * @param {(text: string) => void} of.set
 * @param {string} [of.lang]
 */
export function line({ label, value, set, lang }) {
  return html`<label class="line"
    ><span>${label}</span>
    <input
      type="text"
      autocomplete="off"
      spellcheck="false"
      lang=${lang ?? nothing}
      dir="auto"
      .value=${live(value)}
      @input=${(/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).value)}
  /></label>`;
}
