// Why a weight is what it is: the numbers of scaled dot-product attention (Vaswani et al. 2017, equation 1) for one cell,
// computed from the recorded query, key and scores, with what is shown rounded so that a reader can add it up. Numbers only:
// whoever shows them chooses the words.

import { roundToSum, writeNumber, writeUnits } from './numbers.js';

/**
 * @typedef {{ value: number, shown: string }} Shown a number, and how to write it
 * @typedef {object} Explanation
 * @property {{ dim: number, q: number, k: number, value: number, shown: string }[]} products q[d] · k[d] for each of K dimensions;
 *   what is shown adds up to what is shown of `dot`
 * @property {Shown} dot their sum
 * @property {{ width: number, divisor: number, shown: string }} scale K, and what the dot product is divided by (√K by default)
 * @property {Shown} scaled dot ÷ divisor
 * @property {Shown | null} bias what is added by the distance of query and key; null where nothing is
 * @property {{ value: number, shown: string, masked: boolean } | null} mask what is added; null where there is no mask
 * @property {Shown} score scaled + bias + mask: the recorded score
 * @property {object} softmax over the row
 * @property {Shown} softmax.max the row's largest score, subtracted before exp
 * @property {Shown} softmax.numerator exp(score − max)
 * @property {Shown} softmax.denominator the sum of the row's terms
 * @property {(Shown & { key: number })[]} softmax.terms every key's exp(score − max); what is shown adds up
 * @property {Shown} weight numerator ÷ denominator: the recorded weight
 * @property {Shown[]} row the row's weights; what is shown adds up to 1.00
 * @property {number} error the largest difference between what is recorded here (score, weight) and what these numbers give;
 *   more than rounding of float32 means that the model changed it on the way (an edit, dropout)
 */

/**
 * @param {object} parts
 * @param {ArrayLike<number>} parts.q the query's vector, K values; where positions turn it, after that
 * @param {ArrayLike<number>} parts.k the key's vector, K values; the same
 * @param {ArrayLike<number>} parts.scores the query's row of scores, after scaling and mask; S values
 * @param {ArrayLike<number>} parts.weights the query's row of weights; S values
 * @param {number} parts.key which key, 0 to S − 1
 * @param {number} [parts.scale] the factor on the dot product; 1 / √K when left out
 * @param {number | null} [parts.bias] what is added to the scaled product by distance (T5)
 * @param {ArrayLike<number> | null} [parts.mask] the row of the additive mask, 0 or −Infinity; S values
 * @param {number} [parts.decimals] of products and scores; weights have 2, exponentials 3
 * @returns {Explanation}
 * @throws {RangeError} when lengths do not fit
 */
export function explain({ q, k, scores, weights, key, scale, bias = null, mask = null, decimals = 2 }) {
  const width = q.length;
  if (k.length !== width) throw new RangeError(`explain: q has ${width} values, k has ${k.length}`);
  if (weights.length !== scores.length) {
    throw new RangeError(`explain: the row has ${scores.length} scores and ${weights.length} weights`);
  }
  if (!(key >= 0 && key < scores.length))
    throw new RangeError(`explain: key ${key} is outside 0 to ${scores.length - 1}`);

  const divisor = scale === undefined ? Math.sqrt(width) : 1 / scale;
  const values = Array.from({ length: width }, (_, d) => q[d] * k[d]);
  const dot = values.reduce((sum, value) => sum + value, 0);
  const shown = roundToSum(values, decimals);
  const scaled = dot / divisor;

  const masked = scores[key] === -Infinity || mask?.[key] === -Infinity;
  const added = mask ? mask[key] : masked ? -Infinity : null;
  const score = scores[key];

  const softmax = explainSoftmax(scores, key);
  const shownWeights = roundToSum(weights, 2);
  const row = Array.from(weights, (value, i) => ({ value, shown: writeUnits(shownWeights[i], 2) }));
  const expectedWeight = softmax.denominator.value === 0 ? 0 : softmax.numerator.value / softmax.denominator.value;
  const scoreError = masked ? 0 : Math.abs(scaled + (bias ?? 0) + (added ?? 0) - score);

  return {
    products: values.map((value, dim) => ({
      dim,
      q: q[dim],
      k: k[dim],
      value,
      shown: writeUnits(shown[dim], decimals),
    })),
    dot: { value: dot, shown: writeUnits(sumOf(shown), decimals) },
    scale: { width, divisor, shown: writeNumber(divisor, Number.isInteger(divisor) ? 0 : decimals) },
    scaled: show(scaled, decimals),
    bias: bias === null ? null : show(bias, decimals),
    mask: added === null ? null : { ...show(added, added === 0 ? 0 : decimals), masked },
    score: show(score, decimals),
    softmax,
    weight: row[key],
    row,
    error: Math.max(scoreError, Math.abs(expectedWeight - weights[key])),
  };
}

/**
 * @param {ArrayLike<number>} scores
 * @param {number} key
 * @returns {Explanation['softmax']}
 */
function explainSoftmax(scores, key) {
  const decimals = 3;
  let max = -Infinity;
  for (let i = 0; i < scores.length; i++) max = Math.max(max, scores[i]);
  // A row with no visible key has no largest score: all its terms are 0, and so are its weights.
  const terms = Array.from(scores, (score) => (max === -Infinity ? 0 : Math.exp(score - max)));
  const shown = roundToSum(terms, decimals);
  const all = terms.map((value, i) => ({ key: i, value, shown: writeUnits(shown[i], decimals) }));
  return {
    max: show(max, 2),
    numerator: { value: all[key].value, shown: all[key].shown },
    denominator: { value: terms.reduce((sum, term) => sum + term, 0), shown: writeUnits(sumOf(shown), decimals) },
    terms: all,
  };
}

/** @param {number} value @param {number} decimals @returns {Shown} */
function show(value, decimals) {
  return { value, shown: writeNumber(value, decimals) };
}

/** @param {number[]} units */
function sumOf(units) {
  return units.reduce((sum, value) => sum + value, 0);
}
