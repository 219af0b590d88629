// Work that several wait for. Each may leave; when all have left before it is done, it is given up.

import { GlassError } from '../engine/errors.js';

/** @template T */
export class SharedPromise {
  #abort = new AbortController();
  #wanting = 0;
  #over = false;

  /** @param {(signal: AbortSignal) => Promise<T>} begin */
  constructor(begin) {
    /** @type {Promise<T>} */
    this.promise = begin(this.#abort.signal);
    const over = () => {
      this.#over = true;
    };
    this.promise.then(over, over);
  }

  /** Whether it was given up: whoever comes later begins anew. */
  get abandoned() {
    return this.#abort.signal.aborted;
  }

  /**
   * Throws what the work throws, and 'aborted' where the signal comes first.
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  async wait(signal) {
    this.#wanting++;
    /** @type {() => void} */
    let leave = () => {};
    try {
      return await new Promise((resolve, reject) => {
        leave = () => reject(new GlassError('aborted', 'nobody waits for this any more', { cause: signal?.reason }));
        if (signal?.aborted) leave();
        signal?.addEventListener('abort', leave, { once: true });
        this.promise.then(resolve, reject);
      });
    } finally {
      signal?.removeEventListener('abort', leave);
      this.#wanting--;
      if (this.#wanting === 0 && !this.#over) this.#abort.abort();
    }
  }
}
