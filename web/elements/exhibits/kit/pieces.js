// A vector as a strip of coloured columns, cut into the pieces that belong to each head.

import { html, nothing } from 'lit';
import { colorAt, defaultPalette, palette, positionOf, scoreScale } from '../../../view/index.js';
import { css } from './css.js';

/**
 * @param {object} of
 * @param {string} of.name
 * @param {string} of.shape
 * @param {import('./types.js').Tensor} of.vector
 * @param {import('./types.js').Theme} of.theme
 * @param {number} [of.heads] 1 where it is not cut
 * @param {number | null} [of.head] the one that is lit
 * @param {((head: number) => void) | null} [of.choose]
 */
export function pieces({ name, shape, vector, theme, heads = 1, head = null, choose = null }) {
  const { data } = vector;
  const table = palette(defaultPalette('scores', theme.dark), { dark: theme.dark });
  const scale = scoreScale(data);
  const width = data.length / heads;
  const part = (/** @type {number} */ h) => {
    const stops = Array.from(data.subarray(h * width, (h + 1) * width), (value, i) => {
      const color = colorAt(table, positionOf(scale, value));
      return `${color} ${(100 * i) / width}% ${(100 * (i + 1)) / width}%`;
    });
    const columns = html`<span
      class="columns"
      ${css({ background: `linear-gradient(to right, ${stops.join(', ')})` })}
    ></span>`;
    if (!choose) return html`<span class="piece">${columns}</span>`;
    return html`<button
      type="button"
      class="piece head-${h % 4}"
      aria-pressed=${h === head}
      aria-label="${name}: head ${h}, columns ${h * width} to ${(h + 1) * width - 1}"
      @click=${() => choose(h)}
    >
      ${columns}<span class="head-name">head ${h}</span>
    </button>`;
  };
  return html`<div class="cut">
    <p class="name">
      <b>${name}</b> <span class="shape">${shape}${heads > 1 ? html` = ${heads} × ${width}` : nothing}</span>
    </p>
    <div class="pieces">${Array.from({ length: heads }, (_, h) => part(h))}</div>
  </div>`;
}
