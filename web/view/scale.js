// From a value to a place in a palette, with the ticks of the colour bar. Weights have the fixed domain 0 to 1; scores
// a domain symmetric about 0, so that the middle of a diverging palette is 0.

import { writeNumber } from './numbers.js';

/** @typedef {import('./palette.js').Palette} Palette */
/**
 * @typedef {{ decimals: number, leadingZero: boolean, widest: string }} CellFormat a way to write a cell's number, and the
 *   widest text it gives
 * @typedef {object} Scale
 * @property {'weights' | 'scores'} kind
 * @property {number} min
 * @property {number} max
 * @property {'linear' | 'sqrt'} curve
 * @property {{ at: number, value: number, text: string }[]} ticks `at`: 0 (low end of the bar) to 1
 * @property {CellFormat[]} formats from the most to the least detailed
 */

const LAST = 255;

/**
 * The scale of attention weights.
 * @param {{ max?: number, curve?: 'linear' | 'sqrt' }} [options] `sqrt` lifts small weights, as in long texts; the colour
 *   bar's ticks move with it
 * @returns {Scale}
 */
export function weightScale({ max = 1, curve = 'linear' } = {}) {
  if (!(max > 0)) throw new RangeError(`weightScale: expected max > 0, got ${max}`);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const value = part * max;
    return { at: curve === 'sqrt' ? Math.sqrt(part) : part, value, text: trim(value) };
  });
  return {
    kind: 'weights',
    min: 0,
    max,
    curve,
    ticks: curve === 'sqrt' ? ticks.filter((_, i) => i !== 3) : ticks.filter((_, i) => i % 2 === 0),
    formats: [
      { decimals: 2, leadingZero: true, widest: '0.00' },
      { decimals: 2, leadingZero: false, widest: '.00' },
    ],
  };
}

/**
 * The scale of scores: symmetric about 0, as wide as the largest finite score, rounded up to two figures.
 * @param {ArrayLike<number>} values −Infinity (masked) and NaN are passed over
 * @returns {Scale}
 */
export function scoreScale(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > largest && size < Infinity) largest = size;
  }
  const max = largest > 0 ? roundUp(largest) : 1;
  // Ticks half-way only where they are short to write.
  const parts = trim(max / 2).replace(/[.0]/g, '').length > 1 ? [-1, 0, 1] : [-1, -0.5, 0, 0.5, 1];
  const ticks = parts.map((part) => ({ at: (part + 1) / 2, value: part * max, text: trim(part * max) }));
  const formats = [1, 0].map((decimals) => ({ decimals, leadingZero: true, widest: writeNumber(-largest, decimals) }));
  if (largest < 10) formats.unshift({ decimals: 2, leadingZero: true, widest: writeNumber(-largest, 2) });
  return { kind: 'scores', min: -max, max, curve: 'linear', ticks, formats };
}

/**
 * Where a value stands on the bar.
 * @param {Scale} scale
 * @param {number} value
 * @returns {number} 0 to 1, clamped; NaN for what has no colour (−Infinity, NaN)
 */
export function positionOf(scale, value) {
  if (value === -Infinity || Number.isNaN(value)) return NaN;
  const t = Math.min(1, Math.max(0, (value - scale.min) / (scale.max - scale.min)));
  return scale.curve === 'sqrt' ? Math.sqrt(t) : t;
}

/**
 * A value's entry in a palette of 256.
 * @param {Scale} scale
 * @param {number} value
 * @returns {number} 0 to 255, or −1 for what has no colour
 */
export function indexOf(scale, value) {
  const t = positionOf(scale, value);
  return Number.isNaN(t) ? -1 : Math.round(t * LAST);
}

/**
 * Colours values, one word each. What is masked, −Infinity or NaN stays transparent, so that the hatching below shows.
 * @param {Scale} scale
 * @param {Palette} palette
 * @param {Float32Array} values
 * @param {Uint32Array} out as long as `values`
 * @param {Uint8Array | null} [masked] 1 where a cell may not be seen
 * @returns {boolean} whether any stays transparent
 */
export function fillPixels(scale, palette, values, out, masked = null) {
  const { min, max, curve } = scale;
  const { pixels } = palette;
  const factor = 1 / (max - min);
  const root = curve === 'sqrt';
  let clear = false;
  for (let i = 0; i < values.length; i++) {
    let t = (values[i] - min) * factor;
    // Written so that NaN and −Infinity fall through to transparent.
    if (!(t > -Infinity) || (masked !== null && masked[i] !== 0)) {
      out[i] = 0;
      clear = true;
      continue;
    }
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    if (root) t = Math.sqrt(t);
    out[i] = pixels[(t * LAST + 0.5) | 0];
  }
  return clear;
}

/** Up to the next number of two figures. @param {number} value */
function roundUp(value) {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2));
}

/** A tick's text: as many decimals as it needs, at most three figures. @param {number} value */
function trim(value) {
  return String(Number(value.toPrecision(3))).replace('-', '\u2212');
}
