// The baseline of `austen`: interpolated modified Kneser–Ney over bytes (Chen and Goodman 1999, section 3), the strongest of the
// models that count.

/** @typedef {{ keys: BigUint64Array, counts: Uint32Array, discounts: number[] }} Level n-grams of one length, sorted, as big-endian numbers; discounts for counts 1, 2, and 3 or more */

/** Predicts each byte from up to `order` − 1 before it. */
export class KneserNey {
  /** @type {Level[]} */
  #levels = [];

  /**
   * @param {Uint8Array[]} texts
   * @param {number} order 1 to 8: bytes of the longest n-gram
   */
  constructor(texts, order) {
    if (!Number.isInteger(order) || order < 1 || order > 8)
      throw new RangeError(`expected an order from 1 to 8, got ${order}`);
    let level = counted(ngrams(texts, order));
    this.#levels[order - 1] = level;
    // A shorter n-gram counts as often as there are different bytes before it.
    for (let n = order - 1; n > 0; n--) {
      const mask = (1n << BigInt(8 * n)) - 1n;
      level = counted(level.keys.map((key) => key & mask));
      this.#levels[n - 1] = level;
    }
  }

  /**
   * @param {Uint8Array} text
   * @param {number} at
   * @returns {number} probability of the byte at `at`, given those before it in the text
   */
  probability(text, at) {
    let probability = 1 / 256;
    let context = 0n;
    for (let n = 1; n <= this.#levels.length && n <= at + 1; n++) {
      // Bytes at − n + 1 to at − 1, the earliest one highest.
      if (n > 1) context |= BigInt(text[at - n + 1]) << BigInt(8 * (n - 2));
      const { keys, counts, discounts } = this.#levels[n - 1];
      const first = context << 8n;
      const wanted = first | BigInt(text[at]);
      const end = first + 256n;
      let total = 0;
      let left = 0;
      let own = 0;
      for (let i = lowerBound(keys, first); i < keys.length && keys[i] < end; i++) {
        const discount = discounts[Math.min(counts[i], 3) - 1];
        total += counts[i];
        left += discount;
        if (keys[i] === wanted) own = counts[i] - discount;
      }
      // Longer contexts were not seen either.
      if (total === 0) break;
      probability = (own + left * probability) / total;
    }
    return probability;
  }

  /**
   * @param {Uint8Array} text
   * @returns {number} its −log₂ p
   */
  bits(text) {
    let sum = 0;
    for (let i = 0; i < text.length; i++) sum -= Math.log2(this.probability(text, i));
    return sum;
  }
}

/**
 * @param {Uint8Array[]} texts
 * @param {number} n
 * @returns {BigUint64Array} all n-grams, in order of place
 */
function ngrams(texts, n) {
  const sizes = texts.map(({ length }) => Math.max(0, length - n + 1));
  const all = new BigUint64Array(sizes.reduce((sum, size) => sum + size, 0));
  const mask = (1n << BigInt(8 * n)) - 1n;
  let next = 0;
  for (const text of texts) {
    let key = 0n;
    text.forEach((byte, i) => {
      key = ((key << 8n) | BigInt(byte)) & mask;
      if (i + 1 >= n) all[next++] = key;
    });
  }
  return all;
}

/**
 * @param {BigUint64Array} all n-grams, sorted in place
 * @returns {Level}
 */
function counted(all) {
  all.sort();
  const keys = new BigUint64Array(all.length);
  const counts = new Uint32Array(all.length);
  let size = 0;
  all.forEach((key, i) => {
    if (i === 0 || key !== all[i - 1]) keys[size++] = key;
    counts[size - 1]++;
  });
  return {
    keys: keys.slice(0, size),
    counts: counts.slice(0, size),
    discounts: discountsFor(counts.subarray(0, size)),
  };
}

/**
 * @param {Uint32Array} counts
 * @returns {number[]} what is taken from counts of 1, 2, and 3 or more (Chen and Goodman 1999, equation 26)
 */
function discountsFor(counts) {
  const having = [0, 0, 0, 0, 0];
  for (const count of counts) if (count < 5) having[count]++;
  const [, one, two] = having;
  const share = one / (one + 2 * two);
  return [1, 2, 3].map((count) => {
    const discount = count - ((count + 1) * share * having[count + 1]) / having[count];
    // Single bytes, a few dozen, may have no count this low to estimate from.
    return Number.isFinite(discount) && discount > 0 ? discount : 0.5;
  });
}

/**
 * @param {BigUint64Array} keys sorted
 * @param {bigint} wanted
 * @returns {number} index of the first key that is not smaller
 */
function lowerBound(keys, wanted) {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
