// A small matrix as a table: numbers on their colours, some of which can be edited in place.

import { html, nothing } from 'lit';
import {
  colorAt,
  defaultPalette,
  inkAt,
  palette,
  positionOf,
  scoreScale,
  weightScale,
  writeFull,
  writeNumber,
} from '../../../view/index.js';
import { css } from './css.js';

/** @typedef {import('./types.js').Tensor} Tensor */
/**
 * @typedef {object} MatrixOptions
 * @property {string} name what it is called, e.g. 'Q'
 * @property {unknown} [title] how the name is shown, where it is more than letters
 * @property {'query' | 'key' | 'value' | ''} [role] colours the name
 * @property {string} [shape] in letters: 'T × K'
 * @property {Tensor} tensor its last two axes are shown; a vector is one row
 * @property {number} [at] which matrix, of a tensor with more axes
 * @property {string[]} [rows] labels
 * @property {string[]} [columns]
 * @property {'weights' | 'scores'} [kind] weights are coloured from 0 to 1, scores about 0
 * @property {number} [most] the scale's end; the largest value where it is left out
 * @property {'black'} [ink] of the numbers, whatever their ground; the one that reads better where it is left out
 * @property {import('../../../view/palette.js').PaletteName} [palette]
 * @property {number} [digits] decimals; 2 where left out
 * @property {(value: number) => string} [write] how a number is written, where decimals do not fit
 * @property {import('./types.js').Theme} theme
 * @property {(row: number, column: number, value: number) => void} [edit] makes the numbers fields
 * @property {{ row?: number | null, column?: number | null }} [mark] lights a row, a column or a cell
 * @property {(row: number, column: number) => void} [choose] makes the numbers buttons
 * @property {(row: number, column: number, first: boolean) => void} [paint] makes the numbers buttons that a mouse drawn over
 *   them presses one after the other; `first` is where it began
 * @property {(row: number, column: number) => boolean} [hatched] cells that may not be seen
 */

/** Whether the press that a click ends was painted already; a page has one pointer that draws. */
let byPointer = false;

/** @param {MatrixOptions} options */
export function matrix({ name, title = name, role = '', shape, tensor, at = 0, rows, columns, theme, ...rest }) {
  const { kind = 'scores', most, digits = 2, write, ink, edit, mark = {}, choose, paint, hatched = () => false } = rest;
  const width = tensor.shape[tensor.shape.length - 1];
  const height = tensor.shape.length > 1 ? tensor.shape[tensor.shape.length - 2] : 1;
  const values = tensor.data.subarray(at * width * height, (at + 1) * width * height);
  const scale = kind === 'weights' ? weightScale(most ? { max: most } : {}) : scoreScale(most ? [most] : values);
  const table = palette(rest.palette ?? defaultPalette(kind, theme.dark), { dark: theme.dark });
  const cell = (/** @type {number} */ r, /** @type {number} */ c) => {
    const value = values[r * width + c];
    const t = positionOf(scale, value);
    const coloured = !Number.isNaN(t) && !hatched(r, c);
    const look = coloured
      ? { background: colorAt(table, t), color: ink ?? inkAt(table, t) }
      : /** @type {Record<string, string>} */ ({});
    const label = `${name}, ${rows?.[r] ?? `row ${r + 1}`}, ${columns?.[c] ?? `column ${c + 1}`}`;
    const marked = mark.row === r && mark.column === c;
    const along = mark.row === r && mark.column == null ? 'along' : '';
    const down = mark.column === c && mark.row == null ? 'down' : '';
    const text = write ? write(value) : writeNumber(value, digits);
    return html`<td
      class="${marked ? 'marked' : ''} ${along} ${down} ${hatched(r, c) ? 'hatched' : ''}"
      ${css(look)}
      title=${writeFull(value)}
    >
      ${
        edit
          ? html`<input
              type="number"
              step="0.1"
              aria-label=${label}
              .value=${fieldOf(value)}
              @change=${(/** @type {Event} */ event) => {
                const field = /** @type {HTMLInputElement} */ (event.target);
                const written = Math.fround(field.valueAsNumber);
                if (Number.isFinite(written)) edit(r, c, written);
                else field.value = fieldOf(value); // no number, or beyond float32: the one before stays
              }}
            />`
          : paint
            ? html`<button
                type="button"
                aria-label="${label}: ${text}"
                aria-pressed=${hatched(r, c)}
                @pointerdown=${(/** @type {PointerEvent} */ event) => {
                  // Fingers scroll by drawing: they press one cell at a time, by a click.
                  byPointer = event.pointerType !== 'touch' && event.button === 0;
                  if (!byPointer) return;
                  const pressed = /** @type {Element} */ (event.currentTarget);
                  if (pressed.hasPointerCapture(event.pointerId)) pressed.releasePointerCapture(event.pointerId);
                  paint(r, c, true);
                }}
                @pointerenter=${(/** @type {PointerEvent} */ event) => {
                  if (event.buttons === 1 && byPointer) paint(r, c, false);
                }}
                @click=${(/** @type {MouseEvent} */ event) => {
                  if (!byPointer || event.detail === 0) paint(r, c, true); // a finger, or a key
                }}
              >
                ${text}
              </button>`
            : choose
              ? html`<button
                  type="button"
                  aria-label="${label}: ${text}"
                  aria-pressed=${marked}
                  @click=${() => choose(r, c)}
                >
                  ${text}
                </button>`
              : text
      }
    </td>`;
  };
  // On a phone it may be wider than the page and scrolls: fields and buttons in it bring a keyboard there, mere numbers do not.
  const wide = width > (edit || paint || choose ? 8 : 5);
  return html`<div class="matrix" part="matrix">
    <p class="name">
      <b class=${role}>${title}</b>
      ${shape ? html`<span class="shape">${shape} = ${height} × ${width}</span>` : nothing}
    </p>
    <div
      class="scroll"
      tabindex=${wide ? 0 : nothing}
      role=${wide ? 'group' : nothing}
      aria-label=${wide ? name : nothing}
    >
      <table aria-label=${name}>
        ${
          columns
            ? html`<thead>
                <tr>
                  ${rows ? html`<td></td>` : nothing}
                  ${columns.map((text) => html`<th scope="col" title=${text.length > 9 ? text : nothing}><bdi>${text}</bdi></th>`)}
                </tr>
              </thead>`
            : nothing
        }
        <tbody>
          ${Array.from(
            { length: height },
            (_, r) =>
              html`<tr>
                ${rows ? html`<th scope="row"><bdi>${rows[r]}</bdi></th>` : nothing}
                ${Array.from({ length: width }, (__, c) => cell(r, c))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </div>`;
}

/** A number as a field holds it; a field cannot hold ∞ or NaN, and is empty then. @param {number} value */
const fieldOf = (value) => (Number.isFinite(value) ? String(Number(value.toFixed(3))) : '');

/** A tensor with one number changed: state is never changed in place. @param {Tensor} tensor @param {number} index @param {number} value */
export function changed({ shape, data }, index, value) {
  const copy = data.slice();
  copy[index] = value;
  return { shape, data: copy };
}

/** A number of any size in a few signs: −1e9 where decimals would be too long. @param {number} value */
export function writeShort(value) {
  if (!Number.isFinite(value) || Math.abs(value) < 1000) return writeNumber(value, 2);
  return value.toExponential(0).replace('e+', 'e').replace('-', '−');
}
