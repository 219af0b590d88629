// The numbers of one cell of attention as origins: from its weight back to the products of query and key.

import { addition, placeIn, reckoned, term } from './origin-terms.js';
import { STRINGS } from './strings.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {{ prefix: string, layer: number, head: number, batch: number, query: number, key: number }} Cell prefix: of the hooks */
/** @typedef {{ dot: Origin, scaled: Origin, bias: Origin | null, score: Origin, weight: Origin }} CellOrigins */

/**
 * @param {Cell} cell
 * @param {import('../view/explain.js').Explanation} parts
 * @param {{ query: string, key: string }} tokens
 * @param {{ number: (which: 'q' | 'k', dim: number) => Promise<Origin>, bias: Origin | null, own: (origin: Origin) => Origin }} from
 *   number: of the vectors multiplied; bias: what is added by distance; own: what the reader has set comes from nowhere else
 * @returns {CellOrigins}
 */
export function cellOrigins({ prefix, head, batch, query, key }, parts, tokens, { number, bias, own }) {
  const words = STRINGS.origins;
  const pair = `(${tokens.query}, ${tokens.key})`;
  const hook = (/** @type {string} */ name, /** @type {number} */ other) =>
    placeIn(`${prefix}.${name}`, batch, head, query, other);

  /** @type {Origin} */
  const dot = {
    ...reckoned(`q · k${pair}`, parts.dot.value, words.dot(parts.products.length)),
    open: async () => {
      const terms = parts.products.map(async ({ dim }) =>
        term(...(await Promise.all([number('q', dim), number('k', dim)]))),
      );
      return { kind: 'sum', formula: words.dotFormula, terms: await Promise.all(terms) };
    },
  };
  /** @type {Origin} */
  const scaled =
    parts.scale.divisor === 1
      ? dot
      : {
          ...reckoned(`q · k${pair} ÷ ${parts.scale.shown}`, parts.scaled.value, words.scaled),
          open: async () => ({
            kind: 'function',
            formula: words.divided(parts.scale.shown),
            terms: [term(dot)],
            result: parts.dot.value / parts.scale.divisor,
          }),
        };
  const score = own({
    label: `${words.score}${pair}`,
    value: parts.score.value,
    place: hook('hook_attn_scores', key),
    from: 'recorded',
    says: words.ofScore,
    open: async () =>
      bias === null || parts.mask?.masked
        ? {
            kind: 'function',
            formula: words.scoreFormula,
            terms: [term(scaled)],
            result: parts.mask?.masked ? -Infinity : parts.scaled.value,
          }
        : addition(scaled, bias),
  });
  const weight = own({
    label: `${words.weight}${pair}`,
    value: parts.weight.value,
    place: hook('hook_pattern', key),
    from: 'recorded',
    says: words.ofWeight,
    open: async () => ({
      kind: 'function',
      formula: words.softmax(parts.score.shown, parts.softmax.max.shown, parts.softmax.denominator.shown),
      terms: [term(score)],
      result:
        parts.softmax.denominator.value === 0 ? 0 : parts.softmax.numerator.value / parts.softmax.denominator.value,
    }),
  });
  return { dot, scaled, bias, score, weight };
}
