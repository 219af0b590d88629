// Endless streams of training examples. The example at index i depends on the seed and on i alone, so a run that stopped after
// n examples goes on with `from: n` as if it had not stopped.

import { hash, random, shuffle } from './random.mjs';
import { SPECIAL } from './vocabulary.mjs';

/**
 * @typedef {object} Example one text as the trainer reads it
 * @property {Int32Array} ids token ids, special tokens included
 * @property {Int32Array} [typeIds] 0 for the first text, 1 for its pair; all 0 if absent
 * @property {Int32Array} [decoderIds] encoder–decoders: the start token, then the target without its last token
 * @property {Int32Array} labels masked LM: for each token the id to guess, or -100 where none is asked for; classification: one class;
 *   decoders: for each token the one that follows
 * @property {Int32Array} [links] for each label the source token it comes from, -1 where none
 */

/** The label of a token that the loss leaves out (PyTorch's ignore_index). */
export const IGNORED = -100;

/**
 * Batches are cut from this many batches' worth of shuffled texts, sorted by length: padding falls from 45 % of the tokens to
 * 2 %, and a batch still holds an arbitrary sample of the texts of its length.
 */
export const kWindow = 64;

// Keeps the draws for the order of texts, for pairing and for masking apart.
const kOrder = 1;
const kPairing = 2;
const kMasking = 3;

/**
 * The order in which one epoch reads its texts: shuffled, then grouped by similar length into batches, in shuffled order.
 * Only whole batches are kept; the few texts that are left over differ from epoch to epoch.
 * @param {ArrayLike<number>} lengths tokens of each text
 * @param {number} batchSize
 * @param {number} seed
 * @param {number} epoch
 * @returns {Int32Array} indices of texts, a multiple of `batchSize` of them
 */
export function epochOrder(lengths, batchSize, seed, epoch) {
  const next = random(seed, kOrder, epoch);
  const shuffled = shuffle(
    Int32Array.from(lengths, (_, i) => i),
    next,
  );
  const order = new Int32Array(Math.floor(lengths.length / batchSize) * batchSize);
  for (let start = 0; start < order.length; start += kWindow * batchSize) {
    const window = shuffled.slice(start, Math.min(start + kWindow * batchSize, order.length));
    order.set(batchesByLength(window, lengths, batchSize, next), start);
  }
  return order;
}

/**
 * Groups texts of similar length into batches, which come in shuffled order.
 * @param {Int32Array} texts indices, whole batches of them; sorted in place
 * @param {ArrayLike<number>} lengths tokens of each text
 * @param {number} batchSize
 * @param {() => number} next
 * @returns {Int32Array} the same indices
 */
export function batchesByLength(texts, lengths, batchSize, next) {
  texts.sort((a, b) => lengths[a] - lengths[b]);
  const batches = shuffle(
    Array.from({ length: texts.length / batchSize }, (_, i) => i),
    next,
  );
  const order = new Int32Array(texts.length);
  batches.forEach((batch, i) => {
    order.set(texts.subarray(batch * batchSize, (batch + 1) * batchSize), i * batchSize);
  });
  return order;
}

/**
 * @param {Int32Array} first ids without special tokens
 * @param {Int32Array | undefined} second
 * @param {number} maxLength of the result
 * @returns {{ ids: Int32Array, typeIds?: Int32Array }} [CLS] first [SEP], or [CLS] first [SEP] second [SEP]
 */
export function withSpecialTokens(first, second, maxLength) {
  const a = first.subarray(0, maxLength - 2);
  if (!second || a.length + 4 > maxLength) return { ids: Int32Array.of(SPECIAL['[CLS]'], ...a, SPECIAL['[SEP]']) };
  const b = second.subarray(0, maxLength - a.length - 3);
  const ids = Int32Array.of(SPECIAL['[CLS]'], ...a, SPECIAL['[SEP]'], ...b, SPECIAL['[SEP]']);
  return { ids, typeIds: new Int32Array(ids.length).fill(1, a.length + 2) };
}

/**
 * Hides some of a text's tokens, special tokens never, at least one. The number hidden is `rate` of them, rounded up or down at
 * random so that it is `rate` on average. Every hidden token becomes [MASK]: leaving some as they are or swapping them for
 * others (80/10/10) teaches nothing that filling in blanks needs (Wettig et al. 2023, section 5).
 * @param {{ ids: Int32Array, typeIds?: Int32Array }} text
 * @param {number} rate
 * @param {() => number} next
 * @returns {Example}
 */
export function mask(text, rate, next) {
  const ids = text.ids.slice();
  const labels = new Int32Array(ids.length).fill(IGNORED);
  /** @type {number[]} */
  const places = [];
  ids.forEach((id, i) => {
    if (id !== SPECIAL['[CLS]'] && id !== SPECIAL['[SEP]']) places.push(i);
  });
  const count = Math.max(1, Math.floor(rate * places.length + next()));
  for (const i of shuffle(places, next).slice(0, count)) {
    labels[i] = ids[i];
    ids[i] = SPECIAL['[MASK]'];
  }
  return text.typeIds ? { ids, typeIds: text.typeIds, labels } : { ids, labels };
}

/**
 * Masked language model examples without end; every epoch masks anew.
 * @param {object} options
 * @param {{ ids: Int32Array, companions?: Int32Array[] }[]} options.texts without special tokens; a companion is a text that may follow as its pair
 * @param {number} options.batchSize texts of similar length come in groups of this many
 * @param {number} options.maxLength tokens at most, special tokens included
 * @param {[number, number]} options.rate share of tokens hidden, at the first example and at number `total`; linear between, constant after
 * @param {number} options.total
 * @param {number} [options.pairs] how often a text with companions gets one
 * @param {number} options.seed
 * @param {number} [options.from] index of the first example
 * @returns {Generator<Example, never>}
 */
export function* maskedExamples({ texts, batchSize, maxLength, rate, total, pairs = 0, seed, from = 0 }) {
  const lengths = new Int32Array(texts.length);
  /** @type {(Int32Array | undefined)[]} */
  const partners = new Array(texts.length);
  const size = Math.floor(texts.length / batchSize) * batchSize;
  if (size === 0)
    throw new RangeError(`maskedExamples needs at least one batch of ${batchSize} texts, got ${texts.length}`);
  for (let epoch = Math.floor(from / size), i = from - epoch * size; ; epoch++, i = 0) {
    texts.forEach(({ ids, companions }, t) => {
      const drawn = companions?.length ? hash(seed, kPairing, epoch, t) : 0;
      const paired = companions?.length && drawn / 2 ** 32 < pairs;
      partners[t] = paired ? companions[drawn % companions.length] : undefined;
      lengths[t] = Math.min(maxLength, ids.length + 2 + (partners[t] ? partners[t].length + 1 : 0));
    });
    const order = epochOrder(lengths, batchSize, seed, epoch);
    for (; i < order.length; i++) {
      const index = epoch * size + i;
      const now = rate[0] + (rate[1] - rate[0]) * Math.min(1, index / total);
      const text = withSpecialTokens(texts[order[i]].ids, partners[order[i]], maxLength);
      yield mask(text, now, random(seed, kMasking, epoch, i));
    }
  }
}

/**
 * Classification examples without end.
 * @param {object} options
 * @param {{ ids: Int32Array, label: number }[]} options.texts without special tokens
 * @param {number} options.batchSize
 * @param {number} options.maxLength
 * @param {number} options.seed
 * @param {number} [options.from]
 * @returns {Generator<Example, never>}
 */
export function* labelledExamples({ texts, batchSize, maxLength, seed, from = 0 }) {
  const lengths = Int32Array.from(texts, ({ ids }) => Math.min(maxLength, ids.length + 2));
  const size = Math.floor(texts.length / batchSize) * batchSize;
  if (size === 0)
    throw new RangeError(`labelledExamples needs at least one batch of ${batchSize} texts, got ${texts.length}`);
  for (let epoch = Math.floor(from / size), i = from - epoch * size; ; epoch++, i = 0) {
    const order = epochOrder(lengths, batchSize, seed, epoch);
    for (; i < order.length; i++) {
      const { ids, label } = texts[order[i]];
      yield { ...withSpecialTokens(ids, undefined, maxLength), labels: Int32Array.of(label) };
    }
  }
}

/**
 * The blanks that score a masked language model: a `share` of all tokens, one at a time, everything else visible. That is what
 * a reader is asked who fills in a blank, and the same that the neighbour count knows.
 * @param {Int32Array[]} texts without special tokens
 * @param {number} share
 * @param {number} maxLength
 * @param {number} seed
 * @returns {Generator<Example>}
 */
export function* blanks(texts, share, maxLength, seed) {
  for (let t = 0; t < texts.length; t++) {
    const { ids } = withSpecialTokens(texts[t], undefined, maxLength);
    const next = random(seed, kMasking, t);
    for (let place = 1; place + 1 < ids.length; place++) {
      if (next() >= share) continue;
      const hidden = ids.slice();
      const labels = new Int32Array(ids.length).fill(IGNORED);
      labels[place] = ids[place];
      hidden[place] = SPECIAL['[MASK]'];
      yield { ids: hidden, labels };
    }
  }
}

/**
 * The same texts with `rate` of their tokens hidden at once: harder, and closer to how the model was trained.
 * @param {Int32Array[]} texts without special tokens
 * @param {number} rate
 * @param {number} maxLength
 * @param {number} seed
 * @returns {Generator<Example>}
 */
export function* maskedTexts(texts, rate, maxLength, seed) {
  for (let t = 0; t < texts.length; t++) {
    yield mask(withSpecialTokens(texts[t], undefined, maxLength), rate, random(seed, kMasking, t));
  }
}
