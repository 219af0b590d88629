// The contenders of one host (Node, or a page): made by a plain description, run and timed here, so that the one who takes the
// turns may be in another process.
import { ENCODER, TRAINED, randomIds } from '../lib/parameters.js';
import { ourGeneration, ortGeneration, wllamaGeneration } from './generating.js';
import { createModel, exported, ourEncoder, ourTraining } from './glassformer.js';
import { ortEncoder } from './ort.js';
import { tfjsEncoder } from './tfjs.js';
import { tfjsTraining } from './tfjs_training.js';

/**
 * @typedef {object} Contender
 * @property {() => Promise<{ inCore?: number, parts?: Record<string, number> } | void>} run one pass or step, its results in JavaScript's memory at the end
 * @property {() => Record<string, Float32Array>} result of the last run
 * @property {() => unknown} [dispose]
 *
 * @typedef {object} EncoderJob
 * @property {import('../lib/parameters.js').Config} config
 * @property {import('../lib/parameters.js').Parameters} parameters
 * @property {number[]} ids one sequence
 * @property {boolean} record whether every attention pattern is wanted
 * @property {string} [tfjsFolder]
 *
 * @typedef {object} Description
 * @property {'encoder' | 'train' | 'generate'} task
 * @property {'ours' | 'ort' | 'tfjs' | 'wllama'} library
 * @property {string[]} [record] names of hooks; the others record all patterns or nothing
 * @property {'auto' | 'baseline'} [simd]
 * @property {import('./generating.js').Weights} [weights] of a generation
 */

export { hasRelaxedCore } from './glassformer.js';

/** @param {{ tfjsFolder?: string, gpt2Folder?: string, read?: import('./generating.js').GenerationJob['read'] }} [settings] */
export function createContenders({ tfjsFolder, gpt2Folder = '', read } = {}) {
  /** @type {Contender[]} */
  const contenders = [];
  // The encoder is only run, so all who run it on the same binary share one model, and its peers one set of parameters.
  /** @type {Map<string, ReturnType<typeof createModel>>} */
  const encoders = new Map();
  /** @type {ReturnType<typeof exported> | undefined} */
  let encoderParameters;

  /** @param {import('./glassformer.js').Simd} simd */
  function encoderOf(simd) {
    const model = encoders.get(simd) ?? createModel(ENCODER.config, simd);
    encoders.set(simd, model);
    return model;
  }

  async function trainedParameters() {
    const model = await createModel(TRAINED.config, 'baseline');
    const parameters = await exported(model);
    model.dispose();
    return parameters;
  }

  /** @param {Description} description @returns {Promise<Contender>} */
  async function make({ task, library, record = [], simd = 'baseline', weights = 'F32' }) {
    if (task === 'generate') {
      const generation = { ours: ourGeneration, ort: ortGeneration, wllama: wllamaGeneration, tfjs: null }[library];
      if (!generation) throw new Error(`${library} generates nothing here`);
      return generation({ folder: gpt2Folder, read, weights, simd });
    }
    if (task === 'train') {
      if (library === 'ours') return ourTraining(TRAINED, await createModel(TRAINED.config, simd));
      return tfjsTraining(TRAINED, await trainedParameters(), tfjsFolder);
    }
    const { config, length } = ENCODER;
    const ids = randomIds(length, config.vocab_size, 1);
    if (library === 'ours') return ourEncoder(await encoderOf(simd), { ids, record });
    encoderParameters ??= exported(await encoderOf('baseline'));
    const job = { config, ids, record: record.length > 0, parameters: await encoderParameters, tfjsFolder };
    return library === 'ort' ? ortEncoder(job) : tfjsEncoder(job);
  }

  return {
    /** @param {Description} description @returns {Promise<number>} the contender's number */
    async prepare(description) {
      contenders.push(await make(description));
      return contenders.length - 1;
    },
    /** One pass. @param {number} index @returns {Promise<import('../lib/rounds.js').Pass>} */
    async once(index) {
      const before = globalThis.process?.cpuUsage();
      const start = performance.now();
      const more = await contenders[index].run();
      const ms = performance.now() - start;
      if (!before) return { ms, ...more };
      const { user, system } = globalThis.process.cpuUsage(before);
      return { ms, processor: (user + system) / 1000, ...more };
    },
    /**
     * The largest difference of any value between two contenders' last results.
     * @param {number} index
     * @param {number} other
     * @returns {Record<string, number>}
     */
    differences(index, other) {
      const [a, b] = [contenders[index].result(), contenders[other].result()];
      /** @type {Record<string, number>} */
      const found = {};
      for (const name of Object.keys(a)) {
        if (a[name].length !== b[name]?.length)
          throw new Error(`${name}: ${a[name].length} values against ${b[name]?.length}`);
        found[name] = a[name].reduce((most, value, i) => Math.max(most, Math.abs(value - b[name][i])), 0);
      }
      return found;
    },
    /** @param {number} index @returns {Record<string, number[]>} */
    results(index) {
      return Object.fromEntries(
        Object.entries(contenders[index].result()).map(([name, values]) => [name, Array.from(values)]),
      );
    },
    /** What another process needs to train the same model. */
    async training() {
      const parameters = await trainedParameters();
      return Object.fromEntries(parameters.names.map((name) => [name, parameters.get(name)]));
    },
    /** Frees models and sessions; what is prepared next starts anew. */
    async dispose() {
      for (const contender of contenders.splice(0)) await contender.dispose?.();
      for (const model of encoders.values()) (await model).dispose();
      encoders.clear();
      encoderParameters = undefined;
    },
  };
}
