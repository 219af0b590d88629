// The core as a service: the name of one of its functions and plain data in, plain data out, errors included. Used as it is
// in Node, and through worker.js in a browser.
import { errorToPlain } from './errors.js';
import { loadCore } from './core.js';

/** @typedef {{ value?: any, error?: { code: string, message: string } }} Answer */

/**
 * @typedef {object} Host
 * @property {(name: string, args: unknown[]) => Answer} call never throws
 */

/**
 * Throws what loadCore throws.
 * @param {import('./core.js').Simd} simd
 * @returns {Promise<Host>}
 */
export async function createHost(simd) {
  const core = await loadCore(simd);
  return {
    call(name, args) {
      try {
        return core[name](...args);
      } catch (error) {
        return { error: errorToPlain(error) }; // of the glue: an argument of another type, a trap, no memory for a copy
      }
    },
  };
}

/**
 * The buffers of all typed arrays in plain data, to be transferred instead of copied.
 * @param {unknown} data
 * @returns {ArrayBuffer[]}
 */
export function buffersOf(data) {
  if (ArrayBuffer.isView(data)) return [/** @type {ArrayBuffer} */ (data.buffer)];
  if (data === null || typeof data !== 'object') return [];
  return Object.values(data).flatMap(buffersOf);
}
