// A matrix with many columns as a picture: one canvas pixel a value, which the page enlarges; rows have names, and a line below
// reads the value that is pointed at.

import { html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { defaultPalette, palette, scoreScale, weightScale, writeNumber } from '../../../view/index.js';
import { fillPixels } from '../../../view/scale.js';
import { css } from './css.js';

/** @typedef {import('./types.js').Tensor} Tensor */

/**
 * @param {object} of
 * @param {string} of.name
 * @param {string} [of.shape] in letters
 * @param {Tensor} of.tensor its last two axes are shown
 * @param {number} [of.at] which matrix, of a tensor with more axes
 * @param {string[]} [of.rows] names
 * @param {string} [of.column] what a column is, e.g. 'dimension'
 * @param {'weights' | 'scores'} [of.kind]
 * @param {number} [of.most] end of the scale; the largest value where it is left out
 * @param {number} [of.rowHeight] CSS pixels
 * @param {number | null} [of.marked] a row in the accent colour
 * @param {(row: number, column: number) => void} [of.choose] a click on a value
 * @param {import('./types.js').Theme} of.theme
 */
export function strip({ name, shape, tensor, at = 0, rows, column = 'dimension', kind = 'scores', ...rest }) {
  const { most, rowHeight = 20, marked = null, choose, theme } = rest;
  const width = tensor.shape[tensor.shape.length - 1];
  const height = tensor.shape.length > 1 ? tensor.shape[tensor.shape.length - 2] : 1;
  const values = tensor.data.subarray(at * width * height, (at + 1) * width * height);
  const scale = kind === 'weights' ? weightScale(most ? { max: most } : {}) : scoreScale(most ? [most] : values);
  const colours = palette(defaultPalette(kind, theme.dark), { dark: theme.dark });

  const paint = (/** @type {Element | undefined} */ element) => {
    if (!element) return;
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    if (!context) return;
    const pixels = new Uint32Array(width * height);
    fillPixels(scale, colours, values, pixels);
    context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
  };
  const placeOf = (/** @type {PointerEvent | MouseEvent} */ event) => {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const inside = (/** @type {number} */ part, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor(part * count)));
    const row = inside((event.clientY - box.top) / box.height, height);
    return { row, column: inside((event.clientX - box.left) / box.width, width) };
  };
  const read = (/** @type {PointerEvent} */ event) => {
    const place = placeOf(event);
    const value = writeNumber(values[place.row * width + place.column], 3);
    const named = rows ? `${rows[place.row]}, ` : '';
    const line = /** @type {HTMLElement} */ (event.currentTarget).closest('.strip')?.querySelector('output');
    if (line) line.textContent = `${named}${column} ${place.column}: ${value}`;
  };
  const ends = [scale.min, scale.max].map((end) => writeNumber(end, scale.max < 1 ? 2 : 1));
  return html`<div class="strip">
    <p class="name">
      <b>${name}</b> ${shape ? html`<span class="shape">${shape} = ${height} × ${width}</span>` : nothing}
    </p>
    <div class="rows" ${css({ 'line-height': `${rowHeight}px` })}>
      ${
        rows
          ? html`<ol aria-hidden="true">
              ${rows.map((text, r) => html`<li class=${marked === r ? 'accent' : ''}><bdi>${text}</bdi></li>`)}
            </ol>`
          : nothing
      }
      <canvas
        role="img"
        aria-label="${name}: ${height} rows of ${width} values, from ${writeNumber(lowest(values), 2)} to ${writeNumber(highest(values), 2)}"
        ${css({ height: `${rowHeight * height}px` })}
        ${ref(paint)}
        @pointermove=${read}
        @click=${(/** @type {MouseEvent} */ event) => {
          const place = placeOf(event);
          choose?.(place.row, place.column);
        }}
      ></canvas>
    </div>
    <p class="scale" aria-hidden="true">
      <span>${ends[0]}</span
      ><span
        class="ramp"
        ${css({ background: `linear-gradient(to right, ${colours.css.filter((_, i) => i % 15 === 0).join(', ')})` })}
      ></span
      ><span>${ends[1]}</span> <output></output>
    </p>
  </div>`;
}

/** @param {Float32Array} values */
const lowest = (values) => values.reduce((least, value) => Math.min(least, value), Infinity);
/** @param {Float32Array} values */
const highest = (values) => values.reduce((most, value) => Math.max(most, value), -Infinity);
