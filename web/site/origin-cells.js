// The numbers of one cell of attention as origins: from its weight back to the products of query and key.

import { placeIn, term } from './origin-terms.js';
import { STRINGS } from './strings.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {{ layer: number, head: number, batch: number, query: number, key: number }} Cell */
/** @typedef {{ dot: Origin, scaled: Origin, score: Origin, weight: Origin }} CellOrigins */

/**
 * @param {Cell} cell
 * @param {import('../view/explain.js').Explanation} parts
 * @param {string[]} tokens
 * @param {(which: 'q' | 'k', layer: number, head: number, token: number, dim: number) => Promise<Origin>} headNumber
 * @returns {CellOrigins}
 */
export function cellOrigins({ layer, head, batch, query, key }, parts, tokens, headNumber) {
  const words = STRINGS.origins;
  const pair = `(${tokens[query]}, ${tokens[key]})`;
  const hook = (/** @type {string} */ name, /** @type {number} */ other) =>
    placeIn(`blocks.${layer}.attn.${name}`, batch, head, query, other);

  /** @type {Origin} */
  const dot = {
    label: `q · k${pair}`,
    value: parts.dot.value,
    place: '',
    from: 'computed',
    says: words.dot(parts.products.length),
    open: async () => {
      const terms = parts.products.map(async ({ dim }) =>
        term(
          ...(await Promise.all([headNumber('q', layer, head, query, dim), headNumber('k', layer, head, key, dim)])),
        ),
      );
      return { kind: 'sum', formula: words.dotFormula, terms: await Promise.all(terms) };
    },
  };
  /** @type {Origin} */
  const scaled = {
    label: `q · k${pair} ÷ √${parts.scale.width}`,
    value: parts.scaled.value,
    place: '',
    from: 'computed',
    says: words.scaled,
    open: async () => ({ kind: 'function', formula: words.divided(parts.scale.shown), terms: [term(dot)] }),
  };
  /** @type {Origin} */
  const score = {
    label: `${words.score}${pair}`,
    value: parts.score.value,
    place: hook('hook_attn_scores', key),
    from: 'recorded',
    says: words.ofScore,
    open: async () => ({ kind: 'function', formula: words.scoreFormula, terms: [term(scaled)] }),
  };
  /** @type {Origin} */
  const weight = {
    label: `${words.weight}${pair}`,
    value: parts.weight.value,
    place: hook('hook_pattern', key),
    from: 'recorded',
    says: words.ofWeight,
    open: async () => ({
      kind: 'function',
      formula: words.softmax(parts.score.shown, parts.softmax.max.shown, parts.softmax.denominator.shown),
      terms: [term(score)],
    }),
  };
  return { dot, scaled, score, weight };
}
