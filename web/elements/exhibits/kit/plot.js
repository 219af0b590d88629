// Lines and bars with axes, as SVG with real text. Scales and paths are d3's.

import { html, nothing, svg } from 'lit';
import { scaleLinear } from 'd3-scale';
import { line as linePath } from 'd3-shape';
import { writeNumber } from '../../../view/index.js';
import { css } from './css.js';

/** @typedef {{ name: string, points: [number, number][], role?: 'query' | 'key' | 'accent' | 'muted' | '', dashed?: boolean }} Line */

const HEIGHT = 200;
/** Room for labels, CSS pixels. */
const EDGE = { left: 52, right: 24, top: 24, bottom: 36 };

/**
 * Lines over a common axis; those with a name get it at their end.
 * @param {object} of
 * @param {string} of.label what the picture shows, for readers who do not see it
 * @param {Line[]} of.lines
 * @param {string} of.x title of the horizontal axis, with its unit
 * @param {string} of.y
 * @param {number} of.room width, CSS pixels
 * @param {number} [of.height]
 * @param {[number, number]} [of.domainX]
 * @param {[number, number]} [of.domainY]
 * @param {{ x: number, text: string } | null} [of.mark] a vertical line with a text
 * @param {((x: number) => void) | null} [of.drag] the mark can be dragged: where to, in units of the axis
 */
export function plot({ label, lines, x, y, room, height = HEIGHT, domainX, domainY, mark = null, drag = null }) {
  const width = Math.max(240, Math.min(room, 680));
  const points = lines.flatMap(({ points }) => points).filter(([, value]) => Number.isFinite(value));
  const extent = (/** @type {0 | 1} */ axis) => {
    const all = points.map((point) => point[axis]);
    return all.length > 0 ? [Math.min(...all), Math.max(...all)] : [0, 1];
  };
  const across = scaleLinear(domainX ?? extent(0), [EDGE.left, width - EDGE.right]);
  const up = scaleLinear(domainY ?? extent(1), [height - EDGE.bottom, EDGE.top]).nice(4);
  const path = linePath()
    .defined(([, value]) => Number.isFinite(value))
    .x(([at]) => across(at))
    .y(([, value]) => up(value));
  const late = mark !== null && across(mark.x) > width / 2; // its text has more room before it
  const dragged = (/** @type {PointerEvent} */ event) => {
    if (!drag || event.buttons === 0) return;
    const box = /** @type {SVGElement} */ (event.currentTarget).getBoundingClientRect();
    const at = across.invert(((event.clientX - box.left) * width) / box.width);
    const [least, most] = across.domain();
    drag(Math.min(most, Math.max(least, at)));
  };
  return html`<svg
      class="plot ${drag ? 'draggable' : ''}"
      role="img"
      aria-label=${label}
      viewBox="0 0 ${width} ${height}"
      width=${width}
      height=${height}
      @pointerdown=${(/** @type {PointerEvent} */ event) => {
        /** @type {SVGElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
        dragged(event);
      }}
      @pointermove=${dragged}
    >
      ${across
        .ticks(5)
        .map(
          (tick) =>
            svg`<text class="tick" text-anchor="middle" x=${across(tick)} y=${height - EDGE.bottom + 16}>${short(tick)}</text>`,
        )}
      ${up.ticks(4).map(
        (tick) => svg`<line class="grid" x1=${EDGE.left} x2=${width - EDGE.right} y1=${up(tick)} y2=${up(tick)}></line>
        <text class="tick" text-anchor="end" x=${EDGE.left - 8} y=${up(tick) + 4}>${short(tick)}</text>`,
      )}
      <text class="axis" text-anchor="end" x=${width - EDGE.right} y=${height - 4}>${x}</text>
      <text class="axis" x="0" y="10">${y}</text>
      ${lines.map(
        ({ points, role = '', dashed = false }) =>
          svg`<path class="curve ${role} ${dashed ? 'dashed' : ''}" d=${path(points) ?? ''}></path>`,
      )}
      ${
        mark
          ? svg`<line class="mark" x1=${across(mark.x)} x2=${across(mark.x)} y1=${EDGE.top} y2=${height - EDGE.bottom}></line>
            <text
              class="tick accent"
              text-anchor=${late ? 'end' : 'start'}
              x=${across(mark.x) + (late ? -6 : 6)}
              y=${EDGE.top + 10}
            >${mark.text}</text>`
          : nothing
      }
    </svg>
    ${
      lines.length > 1
        ? html`<ul class="legend">
            ${lines.map(({ name, role = '', dashed }) => html`<li class="${role} ${dashed ? 'dashed' : ''}">${name}</li>`)}
          </ul>`
        : nothing
    }`;
}

/**
 * Values as bars with their names and numbers, in a list.
 * @param {object} of
 * @param {string} of.label
 * @param {{ name: string, value: number, role?: string, text?: string }[]} of.bars
 * @param {number} [of.most] the length of a full bar; the largest value where it is left out
 * @param {number} [of.digits]
 */
export function bars({ label, bars: all, most, digits = 2 }) {
  const full = most ?? Math.max(1e-12, ...all.map(({ value }) => Math.abs(value)).filter(Number.isFinite));
  return html`<ul class="bars" aria-label=${label}>
    ${all.map(({ name, value, role = '', text }) => {
      const share = Number.isFinite(value) ? Math.min(1, Math.abs(value) / full) : 0;
      return html`<li>
        <bdi>${name}</bdi>
        <span class="bar ${role}" aria-hidden="true"><span ${css({ width: `${share * 100}%` })}></span></span>
        <span class="value">${text ?? writeNumber(value, digits)}</span>
      </li>`;
    })}
  </ul>`;
}

/** @param {number} value */
function short(value) {
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6))
    return value.toExponential(0).replace('-', '−').replace('e+', 'e');
  return String(Number(value.toPrecision(4))).replace('-', '−');
}
