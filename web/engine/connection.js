// The way to the core: through a worker in a browser, directly in Node and where no worker can be made. One call at a time;
// a call whose signal is given while it waits is dropped.
import * as comlink from 'comlink';
import { inNode } from './core.js';
import { errorFromPlain, errorToPlain, GlassError } from './errors.js';
import { createHost } from './host.js';
import { described } from './names.js';

/**
 * @typedef {object} CallOptions
 * @property {AbortSignal | null} [signal] drops the call while it waits
 * @property {ArrayBuffer[]} [transfer] buffers of the arguments that are not needed here any more
 */

/** @typedef {(name: string, args: unknown[], transfer: ArrayBuffer[]) => Promise<import('./host.js').Answer>} Ask */

/** Lets events in: a timer or a click that aborts what waits. @returns {Promise<void>} */
const nextTurn = () =>
  new Promise((resolve) => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel(); // setTimeout would wait 4 ms
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

export class Connection {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  #ask;
  #tell;

  /**
   * @param {Ask} ask
   * @param {(name: string, args: unknown[]) => void} tell asks without waiting for its turn or an answer
   */
  constructor(ask, tell) {
    this.#ask = ask;
    this.#tell = tell;
  }

  /**
   * Calls a function of the core when all earlier calls are done. Throws what the core answers as an error, and 'aborted'.
   * @param {string} name
   * @param {unknown[]} args
   * @param {CallOptions} [options]
   * @returns {Promise<any>}
   */
  call(name, args, { signal = null, transfer = [] } = {}) {
    const turn = this.#last;
    const answer = new Promise((resolve, reject) => {
      let dropped = false;
      const drop = () => {
        dropped = true;
        reject(new GlassError('aborted', `${name}: aborted before it began`, { cause: signal?.reason }));
      };
      if (signal?.aborted) {
        drop();
        return;
      }
      signal?.addEventListener('abort', drop, { once: true });
      const begin = async () => {
        signal?.removeEventListener('abort', drop);
        if (!dropped) resolve(await this.#ask(name, args, transfer));
      };
      this.#last = turn.then(begin).catch((error) => reject(errorFromPlain(errorToPlain(error))));
    });
    return answer.then(({ value, error }) => {
      if (error) throw errorFromPlain(error);
      return value;
    });
  }

  /**
   * Calls a function at once and does not wait: for what frees memory.
   * @param {string} name
   * @param {unknown[]} args
   */
  tell(name, args) {
    this.#tell(name, args);
  }
}

/** @param {import('./core.js').Simd} simd @returns {Promise<Connection>} */
async function connectHere(simd) {
  const host = await createHost(simd);
  return new Connection(
    async (name, args) => {
      await nextTurn();
      return host.call(name, args);
    },
    (name, args) => void host.call(name, args),
  );
}

/**
 * Null where no worker can be made: the page is in a sandboxed frame, or this script came from another origin.
 * @param {import('./core.js').Simd} simd
 * @returns {Promise<Connection | null>}
 */
async function connectWorker(simd) {
  if (inNode || typeof Worker !== 'function') return null;
  /** @type {Worker} */
  let worker;
  try {
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  } catch {
    return null;
  }
  /** @type {comlink.Remote<import('./worker.js').Service>} */
  const service = comlink.wrap(worker);
  const failed = new Promise((resolve) => worker.addEventListener('error', () => resolve(null), { once: true }));
  const started = await Promise.race([service.start(simd), failed]);
  if (started === null) {
    worker.terminate();
    return null;
  }
  const { error } = /** @type {import('./host.js').Answer} */ (started);
  if (error) {
    worker.terminate();
    throw errorFromPlain(error);
  }
  /** What waits for an answer. @type {Set<(reason: unknown) => void>} */
  const waiting = new Set();
  /** @type {GlassError | null} */
  let stopped = null;
  worker.addEventListener('error', (event) => {
    worker.terminate();
    connections.delete(simd); // the next model gets a new worker
    const reason = event.message || 'the browser does not say why';
    stopped = new GlassError('out-of-memory', `the worker stopped: ${reason}`);
    for (const reject of waiting) reject(stopped);
  });
  return new Connection(
    (name, args, transfer) =>
      new Promise((resolve, reject) => {
        if (stopped) throw stopped;
        waiting.add(reject);
        const answer = service.call(name, transfer.length > 0 ? comlink.transfer(args, transfer) : args);
        answer.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
    (name, args) => void service.call(name, args),
  );
}

/** @type {Map<import('./core.js').Simd, Promise<Connection>>} */
const connections = new Map();

/**
 * The connection to the core, made once. Throws what loadCore throws.
 * @param {import('./core.js').Simd} [simd]
 * @returns {Promise<Connection>}
 */
export function connect(simd = 'auto') {
  if (simd !== 'auto' && simd !== 'baseline') {
    throw new GlassError('bad-input', `simd: expected 'auto' or 'baseline', got ${described(simd)}`);
  }
  let connection = connections.get(simd);
  if (!connection) {
    connection = connectWorker(simd).then((made) => made ?? connectHere(simd));
    connections.set(simd, connection);
    connection.catch(() => connections.delete(simd));
  }
  return connection;
}
