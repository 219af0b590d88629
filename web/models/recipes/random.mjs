// Seeded random numbers for the recipes. Everything a recipe draws comes from a seed and a counter, never from a clock or from
// the state of an earlier draw, so that any part of a stream can be made again on its own.

/**
 * Mixes integers into 32 well-spread bits (the finalizer of MurmurHash3, applied to each part in turn).
 * @param {...number} parts integers; bits above 32 are dropped
 * @returns {number} an unsigned 32-bit integer
 */
export function hash(...parts) {
  let h = 0x9e3779b9;
  for (const part of parts) {
    h = Math.imul(h ^ part, 0x85ebca6b);
    h ^= h >>> 15;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 13;
    h = Math.imul(h, 0x27d4eb2f);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/**
 * A generator of numbers in [0, 1), 32 bits each: a Weyl sequence through `hash`'s mixing.
 * @param {...number} seed integers; equal seeds give equal sequences
 * @returns {() => number}
 */
export function random(...seed) {
  let state = hash(...seed);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Shuffles in place (Fisher and Yates).
 * @template {{ length: number, [index: number]: any }} T
 * @param {T} list
 * @param {() => number} next
 * @returns {T} the same list
 */
export function shuffle(list, next) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    const kept = list[i];
    list[i] = list[j];
    list[j] = kept;
  }
  return list;
}

/**
 * A normally distributed number generator (Box and Muller), for the few weights a recipe makes itself.
 * @param {() => number} next
 * @returns {() => number} mean 0, deviation 1
 */
export function normal(next) {
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}
