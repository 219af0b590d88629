// Tokens as they are drawn: nothing invisible, nothing longer than its place.

/** @typedef {import('./types.js').Measure} Measure */

const ELLIPSIS = '\u2026';

/**
 * A token with what cannot be seen made visible: control characters as control pictures, lone surrogates as U+FFFD,
 * direction marks and joiners standing alone as a dotted circle, a token of spaces as open boxes.
 * @param {string} token
 */
export function visibleToken(token) {
  if (token === '') return '\u2205';
  if (/^[\p{Zs}]+$/u.test(token)) return '\u2423'.repeat(Math.min(token.length, 4));
  return token
    .replace(/\p{Cc}/gu, (character) => {
      const code = character.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
    })
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]|^[\u200b-\u200d\ufeff]+$/g, '\u25cc');
}

/**
 * Remembers widths: a picture of 512 tokens measures each text once.
 * @param {Measure} measure
 * @returns {Measure}
 */
export function remembered(measure) {
  /** @type {Map<string, Map<string, number>>} */
  const fonts = new Map();
  return (text, font) => {
    let widths = fonts.get(font);
    if (!widths) fonts.set(font, (widths = new Map()));
    let width = widths.get(text);
    if (width === undefined) widths.set(text, (width = measure(text, font)));
    return width;
  };
}

/**
 * A measure from a canvas context; it remembers widths.
 * @param {import('./types.js').Context2D} context its font is changed
 * @returns {Measure}
 */
export function measureWith(context) {
  return remembered((text, font) => {
    context.font = font;
    return context.measureText(text).width;
  });
}

/**
 * Cuts a text to a width, between characters as a reader sees them, with an ellipsis at the end.
 * @param {string} text
 * @param {string} font
 * @param {number} width CSS pixels
 * @param {Measure} measure
 */
export function elide(text, font, width, measure) {
  if (measure(text, font) <= width) return text;
  const parts = graphemes(text);
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(parts.slice(0, middle).join('') + ELLIPSIS, font) <= width) low = middle;
    else high = middle - 1;
  }
  return parts.slice(0, low).join('') + ELLIPSIS;
}

/** @param {string} text @returns {string[]} */
function graphemes(text) {
  // Firefox before 125 has no Segmenter; code points are the next best cut.
  if (typeof Intl.Segmenter !== 'function') return Array.from(text);
  return Array.from(new Intl.Segmenter().segment(text), (part) => part.segment);
}
