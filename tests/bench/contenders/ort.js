// onnxruntime-web as a contender: one thread, its WebAssembly backend, the graph optimizer at its highest level.
import * as ort from 'onnxruntime-web/wasm';
import { encoderGraph } from './onnx.js';

/** @typedef {import('./index.js').Contender} Contender */

/**
 * @param {import('./index.js').EncoderJob} job
 * @returns {Promise<Contender>}
 */
export async function ortEncoder({ config, parameters, ids, record }) {
  ort.env.wasm.numThreads = 1;
  const { length } = ids;
  const session = await ort.InferenceSession.create(encoderGraph(config, parameters, { length, record }), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  const input = new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, length]);
  /** @type {Record<string, Float32Array>} */
  let result = {};
  return {
    async run() {
      const outputs = await session.run({ ids: input });
      result = {};
      for (const [name, { data }] of Object.entries(outputs)) result[name] = /** @type {Float32Array} */ (data);
    },
    result: () => result,
    dispose: () => session.release(),
  };
}
