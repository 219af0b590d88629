// The labels of an axis, each cut to its room when it is asked for: of tens of thousands of tokens a picture writes a few dozen, and
// measuring them all would take seconds.

import { elide, visibleToken } from './text.js';

/** @typedef {{ text: string, width: number }} Fitted width in CSS pixels */
/**
 * @typedef {object} FittedTexts
 * @property {number} count
 * @property {(index: number) => Fitted} at
 * @property {() => number} widest of all of them; of very many, as wide as one may be
 */

/** Beyond so many labels the widest is not looked for. */
const MANY = 4096;

/**
 * @param {string[]} tokens
 * @param {{ font: string, longest: number, measure: import('./types.js').Measure }} room longest: CSS pixels that a label may take
 * @returns {FittedTexts}
 */
export function fittedTexts(tokens, { font, longest, measure }) {
  /** @type {Fitted[]} */
  const known = new Array(tokens.length);
  const at = (/** @type {number} */ index) => {
    if (known[index] === undefined) {
      const text = elide(visibleToken(tokens[index]), font, longest, measure);
      known[index] = { text, width: measure(text, font) };
    }
    return known[index];
  };
  return {
    count: tokens.length,
    at,
    widest: () =>
      tokens.length > MANY ? longest : tokens.reduce((most, _, index) => Math.max(most, at(index).width), 0),
  };
}
