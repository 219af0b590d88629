// What the models are measured against, computed on the very blanks and definitions that score them: counting for masked
// language models, naive Bayes for topics.

import { SPECIAL } from './vocabulary.mjs';
import { IGNORED } from './streams.mjs';

/** @typedef {{ top1: number, top5: number, nats: number, count: number }} BlankScore shares of blanks guessed, mean −ln p, blanks */

/**
 * Guesses a token from counts: what stood between the same two neighbours, backed off to what followed the left one and what
 * came before the right one, backed off to how frequent a token is (Witten and Bell 1991: an unseen event is as likely as a
 * context's number of distinct events). A neighbour that is itself hidden is not used.
 */
export class NeighbourCount {
  #vocabulary;
  #unigram;
  /** @type {Map<number, Map<number, number>>[]} middle tokens by left and right, by left, by right */
  #tables = [new Map(), new Map(), new Map()];

  /**
   * @param {Iterable<ArrayLike<number>>} texts ids with [CLS] and [SEP], which count as neighbours
   * @param {number} vocabulary number of token ids
   */
  constructor(texts, vocabulary) {
    this.#vocabulary = vocabulary;
    const counts = new Float64Array(vocabulary);
    let total = 0;
    for (const ids of texts) {
      for (let i = 1; i + 1 < ids.length; i++) {
        counts[ids[i]]++;
        total++;
        this.#keys(ids[i - 1], ids[i + 1]).forEach((key, table) => {
          let middles = this.#tables[table].get(key);
          if (!middles) this.#tables[table].set(key, (middles = new Map()));
          middles.set(ids[i], (middles.get(ids[i]) ?? 0) + 1);
        });
      }
    }
    const distinct = counts.reduce((n, count) => n + (count > 0 ? 1 : 0), 0);
    this.#unigram = counts.map((count) => (count + distinct / vocabulary) / (total + distinct));
  }

  /** @returns {Float64Array} each token's probability wherever it stands */
  get unigram() {
    return this.#unigram;
  }

  /**
   * @param {number} left
   * @param {number} right ids of the neighbours, [MASK] where hidden
   * @returns {Float64Array} every token's probability to stand between them
   */
  between(left, right) {
    const [both, afterLeft, beforeRight] = this.#keys(left, right);
    const hiddenLeft = left === SPECIAL['[MASK]'];
    const hiddenRight = right === SPECIAL['[MASK]'];
    const one = hiddenLeft ? this.#unigram : this.#backOff(this.#tables[1].get(afterLeft), this.#unigram);
    const other = hiddenRight ? this.#unigram : this.#backOff(this.#tables[2].get(beforeRight), this.#unigram);
    if (hiddenLeft || hiddenRight) return hiddenLeft ? other : one;
    return this.#backOff(this.#tables[0].get(both), product(one, other, this.#unigram));
  }

  /**
   * @param {number} left
   * @param {number} right
   */
  #keys(left, right) {
    return [left * this.#vocabulary + right, left, right];
  }

  /**
   * @param {Map<number, number> | undefined} counts
   * @param {Float64Array} lower the distribution to fall back on
   */
  #backOff(counts, lower) {
    if (!counts) return lower;
    let total = 0;
    for (const count of counts.values()) total += count;
    const result = lower.map((p) => (p * counts.size) / (total + counts.size));
    for (const [token, count] of counts) result[token] += count / (total + counts.size);
    return result;
  }
}

/**
 * p(token | left) p(token | right) / p(token), normalised: exact if the neighbours are independent given the token.
 * @param {Float64Array} one
 * @param {Float64Array} other
 * @param {Float64Array} unigram
 */
function product(one, other, unigram) {
  let sum = 0;
  const result = one.map((p, i) => {
    const value = (p * other[i]) / unigram[i];
    sum += value;
    return value;
  });
  return result.map((p) => p / sum);
}

/**
 * Scores a guesser on hidden tokens.
 * @param {Iterable<import('./streams.mjs').Example>} examples
 * @param {(left: number, right: number) => Float64Array} guess probabilities of the token between two ids
 * @returns {BlankScore}
 */
export function scoreBlanks(examples, guess) {
  const score = { top1: 0, top5: 0, nats: 0, count: 0 };
  for (const { ids, labels } of examples) {
    for (let i = 0; i < ids.length; i++) {
      if (labels[i] === IGNORED) continue;
      const probabilities = guess(ids[i - 1], ids[i + 1]);
      const p = probabilities[labels[i]];
      let better = 0;
      for (let id = 0; id < probabilities.length && better < 5; id++) better += probabilities[id] > p ? 1 : 0;
      score.top1 += better < 1 ? 1 : 0;
      score.top5 += better < 5 ? 1 : 0;
      score.nats -= Math.log(p);
      score.count++;
    }
  }
  score.top1 /= score.count;
  score.top5 /= score.count;
  score.nats /= score.count;
  return score;
}

/**
 * Multinomial naive Bayes over words and pairs of neighbouring words.
 * @param {{ text: string, label: number }[]} train
 * @param {{ text: string, label: number }[]} test
 * @param {number} labels number of classes
 * @param {number} [smoothing] added to every count; 0.1 is the best of 1, 0.3, 0.1 and 0.03 on WordNet's definitions
 * @returns {number} share of `test` labelled rightly
 */
export function naiveBayes(train, test, labels, smoothing = 0.1) {
  /** @type {Map<string, Float64Array>} */
  const features = new Map();
  const totals = new Float64Array(labels);
  const priors = new Float64Array(labels);
  for (const { text, label } of train) {
    priors[label]++;
    for (const feature of featuresOf(text)) {
      let counts = features.get(feature);
      if (!counts) features.set(feature, (counts = new Float64Array(labels)));
      counts[label]++;
      totals[label]++;
    }
  }
  let right = 0;
  for (const { text, label } of test) {
    const scores = priors.map((count) => Math.log(count / train.length));
    for (const feature of featuresOf(text)) {
      const counts = features.get(feature);
      if (!counts) continue;
      for (let c = 0; c < labels; c++) {
        scores[c] += Math.log((counts[c] + smoothing) / (totals[c] + smoothing * features.size));
      }
    }
    right += scores.indexOf(Math.max(...scores)) === label ? 1 : 0;
  }
  return right / test.length;
}

/**
 * @param {string} text
 * @returns {string[]} lower-cased words of two or more letters or digits, and pairs of them
 */
function featuresOf(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)];
}
