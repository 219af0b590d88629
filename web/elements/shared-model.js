// One copy of a model for all elements of a page that name the same source, and one run for all that ask it the same. A model is
// freed when nobody holds it any more.

import { load } from '../engine/index.js';
import { absoluteSource } from '../engine/sources.js';
import { SharedPromise } from './shared-promise.js';

/** @typedef {import('../engine/index.js').Model} Model */
/** @typedef {import('../engine/index.js').Run} Run */
/** @typedef {import('../engine/sources.js').Source} Source */
/** @typedef {import('../engine/sources/folder.js').Progress} Progress */
/** @typedef {{ shared: SharedPromise<Model>, listeners: Set<(progress: Progress) => void> }} Loading a model on its way */

/** By address, or by the object of files itself. @type {Map<unknown, Loading>} */
const loading = new Map();
/** @type {Map<string, WeakRef<Model>>} */
const byAddress = new Map();
/** @type {WeakMap<object, WeakRef<Model>>} */
const byObject = new WeakMap();

/** How many runs of a model are kept for others that ask the same. */
const RUNS = 4;
/** @type {WeakMap<Model, Map<string, SharedPromise<Run>>>} */
const runs = new WeakMap();

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
  /** @type {Loading['listeners']} */
  const listeners = new Set();
  const onProgress = (/** @type {Progress} */ progress) => listeners.forEach((listen) => listen(progress));
  /** @type {Loading} */
  const made = { shared: new SharedPromise((signal) => load(source, { onProgress, signal })), listeners };
  loading.set(key, made);
  const over = () => loading.get(key) === made && loading.delete(key);
  made.shared.promise.then((model) => {
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
  const known = loading.get(key);
  const mine = known && !known.shared.abandoned ? known : begin(key, source);
  if (onProgress) mine.listeners.add(onProgress);
  try {
    return await mine.shared.wait(signal);
  } finally {
    if (onProgress) mine.listeners.delete(onProgress);
  }
}

/**
 * A run that all who ask the same of a model share. Throws what `model.run` throws.
 * @param {Model} model
 * @param {import('../engine/index.js').Input} input plain data
 * @param {string[]} record
 * @param {AbortSignal} [signal]
 * @returns {Promise<Run>}
 */
export function sharedRun(model, input, record, signal) {
  let known = runs.get(model);
  if (!known) runs.set(model, (known = new Map()));
  const key = JSON.stringify([input, record]);
  let run = known.get(key);
  if (!run || run.abandoned) {
    const made = new SharedPromise((aborted) => model.run(input, { record, signal: aborted }));
    run = made;
    known.set(key, made);
    made.promise.catch(() => known.get(key) === made && known.delete(key));
    for (const old of [...known.keys()].slice(0, -RUNS)) known.delete(old);
  }
  return run.wait(signal);
}

/** Forgets a model's runs: its parameters have changed. @param {Model} model */
export function forgetRuns(model) {
  runs.delete(model);
}
