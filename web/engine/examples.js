// Training examples: drawn from what the caller gave, and packed for the core.
import { GlassError } from './errors.js';
import { checkOptions, described } from './names.js';
import { isTyped } from './tensor.js';

/**
 * Labels are one for each token (−100: does not count), or one for the text where the model classifies texts. A decoder's labels
 * are the tokens that follow, and may be left out: then they are the ids, each at the place before its own. An encoder–decoder reads
 * `ids`, and `decoderIds` from its start token on; label t is what follows decoderIds[t].
 * @typedef {{ ids: ArrayLike<number>, labels?: ArrayLike<number> | number, typeIds?: ArrayLike<number>,
 *   decoderIds?: ArrayLike<number> }} Example
 */

/** A label that does not count, as in PyTorch. */
const IGNORED = -100;

/** @param {string} message @returns {never} */
function refuse(message) {
  throw new GlassError('bad-input', message);
}

/** @param {unknown} list @param {string} where @returns {number[]} */
function integers(list, where) {
  if (!Array.isArray(list) && !isTyped(list)) refuse(`${where}: expected a list of numbers, got ${described(list)}`);
  return Array.from(/** @type {ArrayLike<unknown>} */ (list), (value, i) => {
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
    return refuse(`${where}[${i}]: expected a whole number, got ${described(value)}`);
  });
}

/**
 * Examples as the core reads them: [ids, typeIds, decoderIds, labels] one after the other, and their lengths.
 * @param {Example[]} examples
 * @param {import('./model.js').Description['kind']} kind of the model
 * @returns {[Int32Array, Int32Array]}
 */
export function packed(examples, kind) {
  const lists = examples.flatMap((example, i) => {
    const where = `example ${i} of the step`;
    checkOptions(example, ['ids', 'labels', 'typeIds', 'decoderIds'], where);
    const { labels, typeIds = [], decoderIds = [] } = example;
    if (labels === undefined && kind !== 'decoder') refuse(`${where}: expected labels beside ids, got none`);
    const ids = integers(example.ids, `${where}, ids`);
    return [
      ids,
      integers(typeIds, `${where}, typeIds`),
      integers(decoderIds, `${where}, decoderIds`),
      labels === undefined
        ? [...ids.slice(1), IGNORED]
        : integers(typeof labels === 'number' ? [labels] : labels, `${where}, labels`),
    ];
  });
  return [Int32Array.from(lists, (list) => list.length), Int32Array.from(lists.flat())];
}

/** Draws examples: from a list over and over, from an iterator to its end. */
export class Examples {
  #data;
  #iterator;
  #again;

  /** @param {Iterable<Example> | AsyncIterable<Example>} data */
  constructor(data) {
    this.#data = data;
    this.#iterator = this.#open();
    // An iterator gives itself: it can be read once.
    this.#again = Symbol.iterator in data && /** @type {unknown} */ (this.#iterator) !== data;
  }

  /** @returns {Iterator<Example> | AsyncIterator<Example>} */
  #open() {
    const data = /** @type {any} */ (this.#data);
    // Of numbers: no examples, and one whose memory has gone elsewhere throws when it is opened.
    const isList = typeof data === 'object' && !ArrayBuffer.isView(data);
    const open = isList ? (data?.[Symbol.asyncIterator] ?? data?.[Symbol.iterator]) : undefined;
    if (typeof open !== 'function') refuse(`data: expected an iterable of { ids, labels }, got ${described(data)}`);
    return open.call(data);
  }

  /** @param {number} most @returns {Promise<Example[]>} fewer only at the end */
  async take(most) {
    /** @type {Example[]} */
    const taken = [];
    while (taken.length < most) {
      let next = await this.#iterator.next();
      if (next.done && this.#again) {
        this.#iterator = this.#open();
        next = await this.#iterator.next();
      }
      if (next.done) break;
      taken.push(next.value);
    }
    return taken;
  }

  /** A list goes on where an earlier training stopped; an iterator stands there already. @param {number} count */
  async skip(count) {
    if (this.#again) await this.take(Array.isArray(this.#data) ? count % Math.max(this.#data.length, 1) : count);
  }

  async close() {
    await this.#iterator.return?.();
  }
}
