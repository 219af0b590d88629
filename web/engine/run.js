// Run: what one forward gave. Its numbers are its own; it stays valid whatever becomes of the model.
import { GlassError } from './errors.js';
import { checkedText, joined, nearest } from './names.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {{ logits?: Tensor, lastHidden: Tensor, encoderLastHidden?: Tensor, pooled?: Tensor }} Output */
/** @typedef {Tensor & { name: string, dims: string[] }} Recorded */

export class Run {
  /** @type {Map<string, Recorded>} */ #recorded;
  #hooks;

  /**
   * Runs come from `model.run` and from the steps of `model.generate`.
   * @param {import('./input.js').Batch} batch
   * @param {{ output: Output, recorded: Recorded[], ms: number, macs: number }} result
   * @param {string[]} hooks all that could have been recorded
   */
  constructor(batch, { output, recorded, ms, macs }, hooks) {
    /** Tokens of each sequence, padding included. @type {string[][]} */
    this.tokens = batch.tokens;
    /** @type {number[][]} */
    this.ids = batch.ids;
    /** 1 = real, 0 = padding. @type {number[][]} */
    this.mask = batch.mask;
    /** Segments. @type {number[][]} */
    this.typeIds = batch.typeIds;
    /** 1 where the tokenizer put a token there, and at padding. @type {number[][]} */
    this.special = batch.special;
    /** [start, end) of each token in its text, in UTF-16 units. @type {[number, number][][]} */
    this.offsets = batch.offsets;
    /** Which of two texts each token is from. @type {(0 | 1 | null)[][]} */
    this.sequence = batch.sequence;
    /** How many tokens of each text were cut off because the model reads no more. @type {number[]} */
    this.truncated = batch.truncated;
    const target = batch.target ?? null;
    /** What an encoder–decoder's decoder read; null for other models. @type {string[][] | null} */
    this.targetTokens = target && target.tokens;
    /** @type {number[][] | null} */
    this.targetIds = target && target.ids;
    /** @type {number[][] | null} */
    this.targetMask = target && target.mask;
    /** @type {number[][] | null} */
    this.targetSpecial = target && target.special;
    /** @type {[number, number][][] | null} */
    this.targetOffsets = target && target.offsets;
    /** Shaped as transformers shapes them. @type {Output} */
    this.output = output;
    /** Time in the core, milliseconds. @type {number} */
    this.ms = ms;
    /** Multiply-adds of its matrix products: projections, scores, weighted values, logits. @type {number} */
    this.macs = macs;
    this.#hooks = hooks;
    this.#recorded = new Map(recorded.map((value) => [value.name, value]));
  }

  /** What was recorded, in the order it was computed. @returns {string[]} */
  get names() {
    return [...this.#recorded.keys()];
  }

  /** @param {string} name @returns {Recorded} */
  #find(name) {
    const value = this.#recorded.get(name);
    if (value) return value;
    const known = this.#hooks.includes(name);
    const asked = checkedText(name, 'hook');
    const near = joined(nearest(asked, known && this.names.length > 0 ? this.names : this.#hooks));
    const message = known ? `"${asked}" was not recorded in this run (option record)` : `no hook "${asked}"`;
    throw new GlassError('not-found', `${message}; nearest: ${near}`);
  }

  /**
   * The recorded value of a hook. Throws 'not-found', with the nearest names, where it was not recorded.
   * @param {string} name
   * @returns {Tensor}
   */
  get(name) {
    const { shape, data } = this.#find(name);
    return { shape, data };
  }

  /** The names of its axes, as `model.hooks()` gives them. @param {string} name @returns {string[]} */
  dims(name) {
    return [...this.#find(name).dims];
  }
}
