// IBM model 1 (Brown et al. 1993, section 4.4): which word translates which, from paired sentences alone. Each target word comes from
// one source word or from none (NULL), all equally likely beforehand; expectation maximisation finds the probabilities.

/** @typedef {{ source: string[], target: string[] }} WordPair a sentence and its translation, as words */

/** What a target word comes from that no source word explains. */
export const NULL_WORD = '';

/** Translation probabilities of words, learnt from paired sentences. */
export class WordTranslation {
  /** @type {Map<string, Map<string, number>>} */
  #table;

  /**
   * @param {WordPair[]} pairs
   * @param {number} [iterations] of expectation maximisation, from equal probabilities
   */
  constructor(pairs, iterations = 6) {
    const sources = new Map([[NULL_WORD, 0]]);
    /** @type {Map<string, number>} */
    const targets = new Map();
    const number = (/** @type {Map<string, number>} */ numbers, /** @type {string} */ word) => {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      numbers.set(word, numbers.size);
      return numbers.size - 1;
    };
    // The places where a pair of words may be linked, as indices into the list of such pairs: `links` holds for each target word of
    // each sentence as many as the sentence has source words, NULL first.
    let size = 0;
    for (const { source, target } of pairs) size += (source.length + 1) * target.length;
    const links = new Int32Array(size);
    /** @type {Map<number, number>[]} */
    const known = [];
    /** @type {number[]} */
    const sourceOf = [];
    let at = 0;
    for (const { source, target } of pairs) {
      const from = [0, ...source.map((word) => number(sources, word))];
      while (known.length < sources.size) known.push(new Map());
      for (const word of target) {
        const to = number(targets, word);
        for (const s of from) {
          let link = known[s].get(to);
          if (link === undefined) {
            link = sourceOf.length;
            known[s].set(to, link);
            sourceOf.push(s);
          }
          links[at++] = link;
        }
      }
    }
    /** @type {Float64Array} */
    let probabilities = new Float64Array(sourceOf.length).fill(1 / Math.max(1, targets.size));
    for (let i = 0; i < iterations; i++) probabilities = improve(pairs, links, sourceOf, sources.size, probabilities);
    const names = [...targets.keys()];
    this.#table = new Map(
      [...sources].map(([word, s]) => [
        word,
        new Map([...(known[s] ?? [])].map(([to, link]) => [names[to], probabilities[link]])),
      ]),
    );
  }

  /**
   * @param {string} source a word or NULL_WORD
   * @param {string} target
   * @returns {number} probability that `target` is what `source` becomes
   */
  probability(source, target) {
    return this.#table.get(source)?.get(target) ?? 0;
  }

  /**
   * @param {string} source
   * @returns {string | undefined} its likeliest translation; undefined for a word that was never seen
   */
  best(source) {
    let best;
    let most = 0;
    for (const [word, probability] of this.#table.get(source) ?? []) {
      if (probability > most) [best, most] = [word, probability];
    }
    return best;
  }
}

/**
 * One round of expectation maximisation.
 * @param {WordPair[]} pairs
 * @param {Int32Array} links
 * @param {number[]} sourceOf source word of each linked pair
 * @param {number} sources how many there are
 * @param {Float64Array} probabilities
 * @returns {Float64Array} better ones
 */
function improve(pairs, links, sourceOf, sources, probabilities) {
  const counts = new Float64Array(probabilities.length);
  let at = 0;
  for (const { source, target } of pairs) {
    for (let t = 0; t < target.length; t++) {
      const end = at + source.length + 1;
      let total = 0;
      for (let k = at; k < end; k++) total += probabilities[links[k]];
      for (; at < end; at++) counts[links[at]] += probabilities[links[at]] / total;
    }
  }
  const totals = new Float64Array(sources);
  counts.forEach((count, link) => (totals[sourceOf[link]] += count));
  return counts.map((count, link) => count / totals[sourceOf[link]]);
}
