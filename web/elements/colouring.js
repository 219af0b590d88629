// Which scale and palette a picture has.

import { defaultPalette, palette, scoreScale, weightScale } from '../view/index.js';

/** @typedef {import('../view/palette.js').PaletteName} PaletteName */
/** @typedef {'weights' | 'scores'} Kind */

/** From here on small weights would all look like none; their square roots do not. */
const LONG = 48;

const SCALES = { short: weightScale(), long: weightScale({ curve: 'sqrt' }) };

/** The scale of weights for a sequence of some length: one object for all heads. @param {number} tokens */
export function scaleOfWeights(tokens) {
  return tokens > LONG ? SCALES.long : SCALES.short;
}

/**
 * The palette on show: the chosen one, where it suits what is shown. Weights have no middle that a diverging one could show.
 * @param {Kind} kind
 * @param {PaletteName | null} wanted
 * @param {boolean} dark
 */
export function paletteName(kind, wanted, dark) {
  return wanted === null || (kind === 'weights' && wanted === 'brbg') ? defaultPalette(kind, dark) : wanted;
}

/**
 * @param {{ kind: Kind, palette: PaletteName | null, dark: boolean }} how
 * @param {ArrayLike<number>} values
 * @param {number} tokens
 */
export function coloursOf({ kind, palette: wanted, dark }, values, tokens) {
  const scale = kind === 'scores' ? scoreScale(values) : scaleOfWeights(tokens);
  return { scale, palette: palette(paletteName(kind, wanted, dark), { dark }) };
}
