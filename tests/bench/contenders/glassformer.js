// Ours as a contender, through its public interface.
import { hasRelaxedSimd } from '../../../web/engine/core.js';
import { create, train } from '../../../web/engine/index.js';
import { checked, disturbed } from '../lib/parameters.js';
import { trainingBatch } from './training_batch.js';

/** @typedef {import('./index.js').Contender} Contender */
/** @typedef {import('../lib/parameters.js').Config} Config */
/** @typedef {import('../../../web/engine/index.js').Model} Model */
/** @typedef {'auto' | 'baseline'} Simd */

/**
 * A new model with random weights, equal for equal configs.
 * @param {Config} config
 * @param {Simd} simd
 * @returns {Promise<Model>}
 */
export async function createModel(config, simd) {
  const model = await create(config, { seed: 1, simd });
  for (const { name, shape } of model.parameters()) {
    if (shape.length === 1) await model.setParameter(name, disturbed(await model.parameter(name), name));
  }
  return model;
}

/** All parameters of a model, for the others. @param {Model} model */
export async function exported(model) {
  /** @type {Map<string, import('../lib/parameters.js').Tensor>} */
  const tensors = new Map();
  for (const { name } of model.parameters()) tensors.set(name, await model.parameter(name));
  return { names: [...tensors.keys()], ...checked(tensors) };
}

/** The attention weights of every layer and head. */
export const PATTERNS = ['blocks.*.attn.hook_pattern'];

/** @returns {Promise<boolean>} whether the binary with relaxed SIMD was built and runs here */
export async function hasRelaxedCore() {
  if (!hasRelaxedSimd()) return false;
  const { default: create } = await import('../../../wasm_build/dist/glassformer-relaxed.mjs');
  return create !== null;
}

/**
 * @param {Model} model
 * @param {{ ids: number[], record: string[] }} job one sequence; names of hooks
 * @returns {Contender}
 */
export function ourEncoder(model, { ids, record }) {
  /** @type {import('../../../web/engine/index.js').Run | null} */
  let last = null;
  return {
    async run() {
      last = await model.run({ ids: [ids] }, { record });
      return { inCore: last.ms };
    },
    result() {
      /** @type {Record<string, Float32Array>} */
      const result = {};
      if (!last) return result;
      result.hidden = last.output.lastHidden.data;
      for (let l = 0; last.names.includes(`blocks.${l}.attn.hook_pattern`); l++)
        result[`pattern.${l}`] = last.get(`blocks.${l}.attn.hook_pattern`).data;
      return result;
    },
  };
}

/**
 * Adam on one batch over and over; dropout off, so that losses can be compared.
 * @param {typeof import('../lib/parameters.js').TRAINED} job
 * @param {Model} model
 * @returns {Contender}
 */
export function ourTraining(job, model) {
  const { ids, labels } = trainingBatch(job);
  const part = (/** @type {number[]} */ values, /** @type {number} */ i) =>
    values.slice(i * job.length, (i + 1) * job.length);
  const data = Array.from({ length: job.batch }, (_, i) => ({ ids: part(ids, i), labels: part(labels, i) }));
  const steps = train(model, {
    data,
    steps: 1e6, // ends with the benchmark
    batchSize: job.batch,
    optimizer: { lr: job.lr, betas: [0.9, 0.999], eps: 1e-8, weightDecay: 0 },
    dropout: 0,
  });
  /** @type {number[]} */
  const losses = [];
  return {
    async run() {
      const { value } = await steps.next();
      losses.push(/** @type {{ loss: number }} */ (value).loss);
    },
    result: () => ({ losses: Float32Array.from(losses) }),
    dispose: () => model.dispose(),
  };
}
