// What people import, in a page and in Node.
export { load, create } from './load.js';
export { ops } from './ops.js';
export { mistakes } from './mistakes.js';
export { train } from './train.js';
export { tensor } from './tensor.js';
export { Model } from './model.js';
export { Generation } from './generate.js';
export { Run } from './run.js';
export { GlassError } from './errors.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./input.js').Input} Input */
/** @typedef {import('./edits.js').Edit} Edit */
/** @typedef {import('./model.js').RunOptions} RunOptions */
/** @typedef {import('./asked.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./generate.js').Step} GenerateStep */
/** @typedef {import('./generate.js').Generated} Generated */
/** @typedef {import('./train.js').TrainOptions} TrainOptions */
/** @typedef {import('./train.js').Training} Training */
/** @typedef {import('./load.js').LoadOptions} LoadOptions */
