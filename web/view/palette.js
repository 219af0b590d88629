// Colour tables of 256 entries for the heatmaps, each in a light and a dark direction: more is always further from the
// background. Colours come from d3-scale-chromatic (viridis; ColorBrewer's YlOrRd and BrBG, the latter safe for colour-blind
// readers). Pixels are looked up in the table, never parsed.

import { interpolateBrBG, interpolateViridis, interpolateYlOrRd } from 'd3-scale-chromatic';
import { lab, rgb } from 'd3-color';

/** @typedef {'viridis' | 'ylorrd' | 'brbg'} PaletteName */
/**
 * @typedef {object} Palette
 * @property {PaletteName} name
 * @property {'sequential' | 'diverging'} kind
 * @property {boolean} dark made for a dark background
 * @property {Uint8ClampedArray} bytes 256 × R, G, B, A
 * @property {Uint32Array} pixels the same memory as one word a colour, as ImageData wants it on this machine
 * @property {string[]} css the colours as `rgb(…)`
 * @property {string[]} ink black or white for each colour, whichever reads better on it; its contrast is at least 4.5
 */

const SIZE = 256;

/** @type {Record<PaletteName, { kind: 'sequential' | 'diverging', color: (t: number) => string, darkensUp: boolean }>} */
const SOURCES = {
  viridis: { kind: 'sequential', color: interpolateViridis, darkensUp: false },
  ylorrd: { kind: 'sequential', color: interpolateYlOrRd, darkensUp: true },
  brbg: { kind: 'diverging', color: interpolateBrBG, darkensUp: true },
};

/** Names with what to call them, in the order to offer them. */
export const PALETTES = Object.freeze([
  { name: /** @type {const} */ ('viridis'), title: 'viridis', kind: /** @type {const} */ ('sequential') },
  { name: /** @type {const} */ ('ylorrd'), title: 'YlOrRd', kind: /** @type {const} */ ('sequential') },
  { name: /** @type {const} */ ('brbg'), title: 'BrBG', kind: /** @type {const} */ ('diverging') },
]);

/**
 * A diverging colour for a dark page: hue and chroma stay, CIELAB lightness is turned over, so that zero sinks into the
 * background and both ends stand out.
 * @param {string} color
 */
function turnLightness(color) {
  const c = lab(color);
  return lab(14 + (97 - c.l) * 0.92, c.a, c.b).formatRgb();
}

/**
 * @param {PaletteName} name
 * @param {boolean} dark
 * @returns {(t: number) => string}
 */
function ramp(name, dark) {
  const { kind, color, darkensUp } = SOURCES[name];
  if (kind === 'diverging') return dark ? (t) => turnLightness(color(t)) : color;
  return darkensUp === dark ? (t) => color(1 - t) : color;
}

/**
 * WCAG 2 relative luminance of an sRGB colour, 0 to 1.
 * @param {number} r 0 to 255
 * @param {number} g
 * @param {number} b
 */
export function luminance(r, g, b) {
  const linear = (/** @type {number} */ c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/**
 * WCAG 2 contrast of two CSS colours, 1 to 21.
 * @param {string} a
 * @param {string} b
 */
export function contrast(a, b) {
  const [la, lb] = [a, b].map((text) => {
    const c = rgb(text).rgb();
    return luminance(c.r, c.g, c.b);
  });
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
}

/** @type {Map<string, Palette>} */
const made = new Map();

/**
 * The table for a palette on a light or dark background; the same object for the same arguments.
 * @param {PaletteName} name
 * @param {{ dark?: boolean }} [options]
 * @returns {Palette}
 */
export function palette(name, { dark = false } = {}) {
  if (!Object.hasOwn(SOURCES, name)) {
    throw new RangeError(`palette: expected one of ${Object.keys(SOURCES).join(', ')}, got ${name}`);
  }
  const id = `${name} ${dark}`;
  const known = made.get(id);
  if (known) return known;

  const color = ramp(name, dark);
  const bytes = new Uint8ClampedArray(SIZE * 4);
  const css = new Array(SIZE);
  const ink = new Array(SIZE);
  for (let i = 0; i < SIZE; i++) {
    const c = rgb(color(i / (SIZE - 1))).clamp();
    const [r, g, b] = [c.r, c.g, c.b].map(Math.round);
    bytes.set([r, g, b, 255], i * 4);
    css[i] = `rgb(${r}, ${g}, ${b})`;
    // Where both pass, (L + 0.05)² = 0.0525 at the crossing: the better of the two is never under 4.58.
    const l = luminance(r, g, b);
    ink[i] = (l + 0.05) / 0.05 >= 1.05 / (l + 0.05) ? '#000' : '#fff';
  }
  // Written as bytes and read as words: right on either byte order.
  const pixels = new Uint32Array(bytes.buffer);
  const result = Object.freeze({ name, kind: SOURCES[name].kind, dark, bytes, pixels, css, ink });
  made.set(id, result);
  return result;
}

/**
 * The colour at a position of the table.
 * @param {Palette} table
 * @param {number} t 0 to 1; outside it is clamped
 */
export function colorAt(table, t) {
  return table.css[indexAt(t)];
}

/**
 * Black or white, to write on `colorAt(table, t)`.
 * @param {Palette} table
 * @param {number} t 0 to 1; outside it is clamped
 */
export function inkAt(table, t) {
  return table.ink[indexAt(t)];
}

/**
 * The palette to start with: the one whose low end lies nearest to the background, so that small weights step back.
 * @param {'weights' | 'scores'} kind
 * @param {boolean} dark
 * @returns {PaletteName}
 */
export function defaultPalette(kind, dark) {
  return kind === 'scores' ? 'brbg' : dark ? 'viridis' : 'ylorrd';
}

/** @param {number} t */
function indexAt(t) {
  return Math.round(Math.min(1, Math.max(0, t)) * (SIZE - 1));
}
