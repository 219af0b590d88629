// One copy of a model for all elements of a page that name the same source. It is freed when nobody holds it any more.

import { load } from '../engine/index.js';
import { GlassError } from '../engine/errors.js';
import { absoluteSource } from '../engine/sources.js';

/** @typedef {import('../engine/index.js').Model} Model */
/** @typedef {import('../engine/sources.js').Source} Source */
/** @typedef {import('../engine/sources/folder.js').Progress} Progress */
/**
 * @typedef {object} Loading a model on its way
 * @property {Promise<Model>} promise
 * @property {Set<(progress: Progress) => void>} listeners
 * @property {number} wanting how many still wait
 * @property {AbortController} abort
 */

/** By address, or by the object of files itself. @type {Map<unknown, Loading>} */
const loading = new Map();
/** @type {Map<string, WeakRef<Model>>} */
const byAddress = new Map();
/** @type {WeakMap<object, WeakRef<Model>>} */
const byObject = new WeakMap();

/** @param {Source} source */
function keyOf(source) {
  const known = absoluteSource(source);
  return typeof known === 'string' ? known.replace(/\/+$/, '') : known;
}

/** @param {string | object} key */
function kept(key) {
  return (typeof key === 'string' ? byAddress.get(key) : byObject.get(key))?.deref() ?? null;
}

/** @param {string | object} key @param {Source} source @returns {Loading} */
function begin(key, source) {
  const abort = new AbortController();
  /** @type {Loading['listeners']} */
  const listeners = new Set();
  const onProgress = (/** @type {Progress} */ progress) => listeners.forEach((listen) => listen(progress));
  const promise = load(source, { onProgress, signal: abort.signal });
  /** @type {Loading} */
  const made = { promise, listeners, wanting: 0, abort };
  loading.set(key, made);
  const over = () => loading.get(key) === made && loading.delete(key);
  promise.then((model) => {
    if (typeof key === 'string') byAddress.set(key, new WeakRef(model));
    else byObject.set(key, new WeakRef(model));
    over();
  }, over);
  return made;
}

/**
 * The page's copy of a model, loaded by the first who asks. Throws what `load` throws; 'aborted' where the signal came first: the
 * loading itself ends only when all who wait have left.
 * @param {Source} source
 * @param {{ onProgress?: (progress: Progress) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<Model>}
 */
export async function sharedModel(source, { onProgress, signal } = {}) {
  const key = /** @type {string | object} */ (keyOf(source));
  const model = kept(key);
  if (model) return model;
  const mine = loading.get(key) ?? begin(key, source);
  mine.wanting++;
  if (onProgress) mine.listeners.add(onProgress);
  /** @type {() => void} */
  let leave = () => {};
  try {
    return await new Promise((resolve, reject) => {
      leave = () => reject(new GlassError('aborted', 'sharedModel: aborted', { cause: signal?.reason }));
      if (signal?.aborted) leave();
      signal?.addEventListener('abort', leave, { once: true });
      mine.promise.then(resolve, reject);
    });
  } finally {
    signal?.removeEventListener('abort', leave);
    if (onProgress) mine.listeners.delete(onProgress);
    mine.wanting--;
    // Nobody wants it any more: a later request begins anew.
    if (mine.wanting === 0 && loading.get(key) === mine) {
      loading.delete(key);
      mine.abort.abort();
    }
  }
}
