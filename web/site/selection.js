// What is shown: what is pointed at, or else what is chosen.

import { defaultPalette, palette, scoreScale, weightScale } from '../view/index.js';

/** @typedef {import('./types.js').State} State */

/** The head to draw large. @param {State} state */
export function shownHead({ hover, layer, head }) {
  return hover?.part === 'head' ? { layer: hover.layer, head: hover.head } : { layer, head };
}

/** The cell, row or column to explain: a token alone explains nothing. @param {State} state @returns {import('../view/types.js').Spot} */
export function shownSpot({ hover, query, key }) {
  if (hover?.part === 'cell' || hover?.part === 'row') return { query: hover.query, key: hover.key };
  return { query, key };
}

/** What the pointer lights. @param {State} state @returns {import('../view/types.js').Spot | null} */
export function litSpot({ hover }) {
  return hover === null || hover.part === 'head' ? null : { query: hover.query, key: hover.key };
}

/** The sequence on show. @param {State} state */
export function shownSequence({ result, sequence }) {
  return result?.sequences[sequence] ?? result?.sequences[0] ?? null;
}

/** From here on small weights would all look like none; their square roots do not. */
const LONG = 48;

/** The scale of weights for a sequence of some length. @param {number} tokens */
export function scaleOfWeights(tokens) {
  return weightScale({ curve: tokens > LONG ? 'sqrt' : 'linear' });
}

/**
 * Colours for the numbers on show.
 * @param {State} state
 * @param {ArrayLike<number>} values
 * @param {number} tokens
 */
export function colouring({ kind, palette: wanted, theme }, values, tokens) {
  const name = paletteName(kind, wanted, theme.dark);
  const scale = kind === 'scores' ? scoreScale(values) : scaleOfWeights(tokens);
  return { scale, palette: palette(name, { dark: theme.dark }) };
}

/**
 * The palette on show: the chosen one, where it suits what is shown. Weights have no middle that a diverging one could show.
 * @param {State['kind']} kind
 * @param {State['palette']} wanted
 * @param {boolean} dark
 */
export function paletteName(kind, wanted, dark) {
  return wanted === null || (kind === 'weights' && wanted === 'brbg') ? defaultPalette(kind, dark) : wanted;
}

/**
 * The largest weight of a head from one word to another: a cell to begin with. Where there are no two words, the largest of all.
 * @param {import('../view/types.js').Matrix} matrix
 * @param {import('./types.js').Sequence} sequence
 * @returns {{ query: number, key: number }}
 */
export function strongestPair({ rows, columns, data }, { special }) {
  const largest = (/** @type {(query: number, key: number) => boolean} */ counts) => {
    /** @type {{ query: number, key: number } | null} */
    let best = null;
    let most = 0;
    for (let query = 0; query < rows; query++) {
      for (let key = 0; key < columns; key++) {
        if (data[query * columns + key] <= most || !counts(query, key)) continue;
        most = data[query * columns + key];
        best = { query, key };
      }
    }
    return best;
  };
  return (
    largest((query, key) => query !== key && !special[query] && !special[key]) ??
    largest(() => true) ?? { query: 0, key: 0 }
  );
}
