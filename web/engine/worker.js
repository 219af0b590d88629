// The module worker that the core lives in, in a browser. Answers are copies made for the asker, so they are transferred.
import * as comlink from 'comlink';
import { errorToPlain } from './errors.js';
import { buffersOf, createHost } from './host.js';

/** @type {import('./host.js').Host | null} */
let host = null;

const service = {
  /** @param {import('./core.js').Simd} simd @returns {Promise<import('./host.js').Answer>} */
  async start(simd) {
    try {
      host = await createHost(simd);
      return {};
    } catch (error) {
      return { error: errorToPlain(error) };
    }
  },
  /** @param {string} name @param {unknown[]} args @returns {import('./host.js').Answer} */
  call(name, args) {
    const answer = /** @type {import('./host.js').Host} */ (host).call(name, args);
    return comlink.transfer(answer, buffersOf(answer.value));
  },
};

/** @typedef {typeof service} Service */

comlink.expose(service);
