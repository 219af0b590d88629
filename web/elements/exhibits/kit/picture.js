// A matrix as coloured cells without numbers, for what is too large for a table: on a canvas of one pixel a cell. And the colour
// bar that says what the colours mean.

import { Directive, directive, PartType } from 'lit/directive.js';
import { html, noChange, nothing } from 'lit';
import { colorAt, defaultPalette, indexOf, palette, scoreScale, weightScale } from '../../../view/index.js';
import { css } from './css.js';

/** @typedef {import('./types.js').Tensor} Tensor */
/**
 * @typedef {object} PictureOptions
 * @property {string} label what it shows, for readers who do not see it
 * @property {Tensor} tensor its last two axes are shown; a vector is one row
 * @property {number} [at] which matrix, of a tensor with more axes
 * @property {'weights' | 'scores'} [kind] weights are coloured from 0 to their largest, scores about 0
 * @property {number} [most] the scale's end; the largest value where it is left out
 * @property {number} width CSS pixels
 * @property {number} height
 * @property {import('./types.js').Theme} theme
 * @property {{ row?: number | null, column?: number | null }} [mark] frames a row, a column, or both
 * @property {(row: number, column: number) => void} [choose] what a press on a cell does; give sliders for the same
 */

class Pixels extends Directive {
  /** @type {unknown[]} */
  #before = [];

  /** @param {import('lit/directive.js').PartInfo} part */
  constructor(part) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('pixels() stands in a canvas: <canvas ${pixels(…)}>');
  }

  /** @type {(values: Float32Array, columns: number, scale: import('../../../view/scale.js').Scale, dark: boolean) => unknown} */
  render = () => noChange;

  /**
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[Float32Array, number, import('../../../view/scale.js').Scale, boolean]} given
   */
  update(part, [values, columns, scale, dark]) {
    const now = [values, columns, scale.max, dark];
    if (now.every((item, i) => item === this.#before[i])) return noChange;
    this.#before = now;
    const canvas = /** @type {HTMLCanvasElement} */ (part.element);
    canvas.width = columns;
    canvas.height = values.length / columns;
    const context = canvas.getContext('2d');
    if (!context) return noChange;
    const image = context.createImageData(canvas.width, canvas.height);
    const table = palette(defaultPalette(scale.kind, dark), { dark });
    const words = new Uint32Array(image.data.buffer);
    // What has no colour (NaN, −∞) stays transparent.
    for (let i = 0; i < words.length; i++) {
      const entry = indexOf(scale, values[i]);
      if (entry >= 0) words[i] = table.pixels[entry];
    }
    context.putImageData(image, 0, 0);
    return noChange;
  }
}
const pixels = directive(Pixels);

/** @param {number} value */
const percent = (value) => `${100 * value}%`;

/** @param {PictureOptions} options */
export function picture({ label, tensor, at = 0, kind = 'scores', most, width, height, theme, mark = {}, choose }) {
  const columns = tensor.shape[tensor.shape.length - 1];
  const rows = tensor.shape.length > 1 ? tensor.shape[tensor.shape.length - 2] : 1;
  const whole = at === 0 && tensor.data.length === rows * columns;
  const values = whole ? tensor.data : tensor.data.subarray(at * rows * columns, (at + 1) * rows * columns);
  const scale = scaleOf(kind, most, values);
  const press = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const part = (/** @type {number} */ along, /** @type {number} */ count) =>
      Math.min(count - 1, Math.max(0, Math.floor(along * count)));
    choose?.(part((event.clientY - box.top) / box.height, rows), part((event.clientX - box.left) / box.width, columns));
  };
  return html`<div class="pixels ${choose ? 'choosable' : ''}" ${css({ width: `${width}px`, height: `${height}px` })}>
    <canvas
      role="img"
      aria-label=${label}
      @click=${choose ? press : null}
      ${pixels(values, columns, scale, theme.dark)}
    ></canvas>
    ${
      mark.row == null
        ? nothing
        : html`<span
            class="frame"
            ${css({ left: '0', right: '0', top: percent(mark.row / rows), height: percent(1 / rows) })}
          ></span>`
    }
    ${
      mark.column == null
        ? nothing
        : html`<span
            class="frame"
            ${css({ top: '0', bottom: '0', left: percent(mark.column / columns), width: percent(1 / columns) })}
          ></span>`
    }
  </div>`;
}

/** What colours mean. @param {{ kind?: 'weights' | 'scores', most?: number, tensor?: Tensor, theme: import('./types.js').Theme }} of */
export function colorBar({ kind = 'scores', most, tensor, theme }) {
  const scale = scaleOf(kind, most, tensor?.data ?? new Float32Array(0));
  const table = palette(defaultPalette(kind, theme.dark), { dark: theme.dark });
  const stops = Array.from({ length: 17 }, (_, i) => colorAt(table, i / 16));
  return html`<p class="color-bar">
    <span class="value">${scale.ticks[0].text}</span>
    <span class="ramp" ${css({ background: `linear-gradient(to right, ${stops.join(', ')})` })}></span>
    <span class="value">${scale.ticks[scale.ticks.length - 1].text}</span>
  </p>`;
}

/** @param {'weights' | 'scores'} kind @param {number | undefined} most @param {Float32Array} values */
function scaleOf(kind, most, values) {
  return kind === 'weights' ? weightScale({ max: most ?? 1 }) : scoreScale(most ? [most] : values);
}
