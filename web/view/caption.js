// A text below a picture in a file: on a page it would stand beside the canvas.

import { elide } from './text.js';
import { font } from './theme.js';

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {{ lines: string[], font: string, align: 'left' | 'right', width: number, height: number }} Caption in CSS pixels */

const SIZE = 11;
const LINE = 16;
/** Between the picture and its caption. */
const ABOVE = 12;

/**
 * Breaks a text at its spaces, into as many lines as there may be; what does not fit ends in "…".
 * @param {string} text
 * @param {{ width: number, measure: import('./types.js').Measure, fonts: { sans: string }, direction?: 'ltr' | 'rtl', most?: number }} room
 * @returns {Caption}
 */
export function layoutCaption(text, { width, measure, fonts, direction = 'ltr', most = 3 }) {
  const own = font(fonts.sans, SIZE);
  const fits = (/** @type {string} */ line) => measure(line, own) <= width;
  /** @type {string[]} */
  const lines = [];
  let words = text.split(' ');
  while (words.length > 0) {
    let count = 1;
    while (count < words.length && fits(words.slice(0, count + 1).join(' '))) count++;
    const last = lines.length === most - 1;
    const line = (last ? words : words.slice(0, count)).join(' ');
    lines.push(elide(line, own, width, measure));
    words = last ? [] : words.slice(count);
  }
  const align = direction === 'rtl' ? 'right' : 'left';
  // An isolate of its own: a file has no page around it that would say which way a line runs.
  const isolated = direction === 'rtl' ? lines.map((line) => `\u2067${line}\u2069`) : lines;
  return { lines: isolated, font: own, align, width, height: ABOVE + lines.length * LINE };
}

/**
 * @param {Context2D} context
 * @param {Caption} caption
 * @param {import('./theme.js').Theme} theme
 * @param {number} top where the picture ends, CSS pixels
 */
export function paintCaption(context, { lines, font: own, align, width }, theme, top) {
  context.font = own;
  context.fillStyle = theme.muted;
  context.textAlign = align;
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  const x = align === 'left' ? 0 : width;
  lines.forEach((line, i) => context.fillText(line, x, top + ABOVE + (i + 0.75) * LINE));
}
