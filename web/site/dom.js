// Small helpers for templates. Templates never hold style attributes: the page's policy refuses them.

import { html, svg, nothing } from 'lit/html.js';
import { STRINGS } from './strings.js';

/** Of the bars of a row of numbers, CSS pixels. */
const HEIGHT = 40;

/**
 * A text whose terms stand between stars, as a template: each term becomes a <dfn>.
 * @param {string} text
 */
export function prose(text) {
  return text.split('*').map((part, i) => (i % 2 === 1 ? html`<dfn>${part}</dfn>` : part));
}

/**
 * Signed bars of a row of numbers, as a picture.
 * @param {ArrayLike<number>} values
 * @param {{ label: string }} options
 */
export function bars(values, { label }) {
  const count = values.length;
  let [low, high] = [0, 0];
  // What has run over, ∞ or NaN, has no height.
  const heights = Array.from(values, (value) => (Number.isFinite(value) ? value : 0));
  for (const value of heights) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const unit = high > low ? HEIGHT / (high - low) : 0;
  const zero = high * unit;
  const rects = heights.map((value, i) => {
    const height = Math.max(0.5, Math.abs(value) * unit);
    const side = value < 0 ? 'negative' : 'positive';
    return svg`<rect class=${side} x=${i * 4} y=${value < 0 ? zero : zero - height} width="3" height=${height}></rect>`;
  });
  const width = Math.max(1, count * 4 - 1);
  return html`<svg
    class="bars"
    role="img"
    aria-label=${label}
    viewBox="0 0 ${width} ${HEIGHT}"
    preserveAspectRatio="none"
  >
    <rect class="axis" x="0" y=${zero - 0.25} width=${width} height="0.5"></rect>
    ${rects}
  </svg>`;
}

/**
 * One bar from 0 to 1; none where there is no number.
 * @param {number} part
 */
export function share(part) {
  const width = Math.max(0, Math.min(100, part * 100)) || 0;
  return html`<svg class="share" aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none">
    <rect x="0" y="0" width=${width} height="8"></rect>
  </svg>`;
}

/**
 * A choice of a few, as radio buttons that look like words.
 * @template {string} T
 * @param {{ name: string, legend: string, value: T, options: { value: T, text: string, disabled?: boolean }[], choose: (value: T) => void }} of
 */
export function choice({ name, legend, value, options, choose }) {
  return html`<fieldset class="choice">
    <legend class="hidden">${legend}</legend>
    ${options.map(
      (option) =>
        html`<label
          ><input
            type="radio"
            name=${name}
            .checked=${option.value === value}
            ?disabled=${option.disabled ?? false}
            @change=${() => choose(option.value)}
          /><span>${option.text}</span></label
        >`,
    )}
  </fieldset>`;
}

/** What the page itself says of a problem: it is in the reader's language already. */
const OWN = new Set([STRINGS.noFiles, STRINGS.noTokenizer, STRINGS.notYetHere]);

/**
 * What went wrong. The core says it in English, exactly; in another language a sentence about its kind stands before that.
 * @param {{ code?: string, message: string }} problem
 */
export function coreSays({ code, message }) {
  const kinds = /** @type {Record<string, string>} */ (STRINGS.problems);
  const kind = OWN.has(message) ? '' : (kinds[code ?? ''] ?? '');
  return kind ? html`${kind} <bdi lang="en">${message}</bdi>` : message;
}

/** A problem with its code, announced. @param {import('./types.js').Problem | null} problem @param {string} [after] */
export function problemText(problem, after = '') {
  if (problem === null) return nothing;
  const message = /[.?!]$/.test(problem.message) || after === '' ? problem.message : `${problem.message}.`;
  return html`<p class="problem" role="alert">
    <strong>${problem.code}</strong> ${coreSays({ ...problem, message })} ${after}
  </p>`;
}
