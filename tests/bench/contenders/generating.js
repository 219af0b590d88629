// Generation as a contender: each takes the prompt, then some steps with its cache, always the most probable token.
import { GPT2, STEPS, promptIds } from '../lib/gpt2.js';
import { spread } from '../lib/rounds.js';
import { tokenText } from './gguf.js';

/** @typedef {import('./index.js').Contender} Contender */
/** @typedef {'F32' | 'int8' | 'Q8_0'} Weights */
/**
 * @typedef {object} GenerationJob
 * @property {string} folder where lib/gpt2_files.js put the weights: a path in Node, a URL in a page
 * @property {((file: string) => Promise<Uint8Array>)} [read] in Node: a file's bytes
 * @property {Weights} weights
 * @property {import('./glassformer.js').Simd} simd
 */

/** @param {number[]} times of the prompt and of each step, milliseconds */
const parts = ([prefill, ...steps]) => ({ parts: { prefill, decode: spread(steps).median } });

/** @param {GenerationJob} job @returns {Promise<Contender>} */
export async function ourGeneration({ folder, weights, simd }) {
  const { load } = await import('../../../web/engine/index.js');
  const dtype = weights === 'F32' ? 'F32' : 'int8';
  const model = await load(folder, { dtype, simd });
  const ids = promptIds();
  /** @type {number[]} */
  let tokens = [];
  return {
    async run() {
      tokens = [];
      const times = [];
      let last = performance.now();
      for await (const { id } of model.generate(
        { ids: [ids] },
        { maxNewTokens: STEPS + 1, eosTokenId: null, top: 1 },
      )) {
        const now = performance.now();
        times.push(now - last);
        last = now;
        tokens.push(/** @type {number} */ (id));
      }
      return parts(times);
    },
    result: () => ({ tokens: Float32Array.from(tokens) }),
    dispose: () => model.dispose(),
  };
}

/** @param {number} tokens @param {number} past @returns {Float32Array} what is added to scores: later tokens are hidden */
function causal(tokens, past) {
  const mask = new Float32Array(tokens * (past + tokens));
  for (let t = 0; t < tokens; t++) mask.fill(-1e9, t * (past + tokens) + past + t + 1, (t + 1) * (past + tokens));
  return mask;
}

/** @param {GenerationJob} job @returns {Promise<Contender>} */
export async function ortGeneration({ folder, read }) {
  const ort = await import('onnxruntime-web/wasm');
  ort.env.wasm.numThreads = 1;
  const file = `${folder}/model.onnx`;
  const session = await ort.InferenceSession.create(read ? await read(file) : /** @type {any} */ (file), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  const { n_embd, n_head, n_layer, vocab_size } = GPT2;
  /** @type {Record<string, import('onnxruntime-web').Tensor>} */
  const empty = {};
  for (let l = 0; l < n_layer; l++)
    for (const what of ['key', 'value'])
      empty[`past.${l}.${what}`] = new ort.Tensor('float32', new Float32Array(0), [1, n_head, 0, n_embd / n_head]);
  const ids = promptIds();
  /** @type {number[]} */
  let tokens = [];
  return {
    async run() {
      tokens = [];
      const times = [];
      let past = empty;
      let length = 0;
      let next = ids;
      for (let step = 0; step <= STEPS; step++) {
        const start = performance.now();
        const ints = (/** @type {number[]} */ values) =>
          new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
        const count = next.length;
        const outputs = await session.run({
          ids: ints(next),
          positions: ints(next.map((_, i) => length + i)),
          mask: new ort.Tensor('float32', causal(count, length), [count, length + count]),
          ...past,
        });
        const logits = /** @type {Float32Array} */ (outputs.logits.data);
        let best = 0;
        for (let i = 1; i < vocab_size; i++) if (logits[i] > logits[best]) best = i;
        past = {};
        for (const [name, value] of Object.entries(outputs))
          if (name !== 'logits') past[name.replace('present', 'past')] = value;
        times.push(performance.now() - start);
        length += count;
        next = [best];
        tokens.push(best);
      }
      return parts(times);
    },
    result: () => ({ tokens: Float32Array.from(tokens) }),
    dispose: () => session.release(),
  };
}

/** By its own timings, which leave the way to its worker out. @param {GenerationJob} job @returns {Promise<Contender>} */
export async function wllamaGeneration({ folder, weights }) {
  const [{ Wllama, LoggerWithoutDebug }, { default: wasm }] = await Promise.all([
    import('@wllama/wllama'),
    import('@wllama/wllama/esm/wasm/wllama.wasm?url'),
  ]);
  const wllama = new Wllama({ default: wasm }, { logger: LoggerWithoutDebug });
  const file = await (await fetch(`${folder}/${weights.toLowerCase()}.gguf`)).blob();
  await wllama.loadModel([file], {
    n_threads: 1,
    n_gpu_layers: 0,
    n_ctx: 2 * promptIds().length,
    n_batch: promptIds().length,
    cache_type_k: 'f32',
    cache_type_v: 'f32',
    warmup: false,
  });
  const ids = promptIds();
  let text = '';
  return {
    async run() {
      const answer = await wllama.createCompletion({
        prompt: ids.map(tokenText).join(''),
        max_tokens: STEPS + 1,
        temperature: 0,
        .../** @type {object} */ ({ cache_prompt: false, ignore_eos: true }),
      });
      text = answer.choices[0].text;
      const timings = /** @type {NonNullable<typeof answer.timings>} */ (answer.timings);
      if (timings.prompt_n !== ids.length || timings.predicted_n !== STEPS + 1)
        throw new Error(`wllama: ${timings.prompt_n} tokens read and ${timings.predicted_n} generated`);
      return { parts: { prefill: timings.prompt_ms, decode: timings.predicted_ms / STEPS } };
    },
    result: () => ({ tokens: Float32Array.from(text.match(/\d+/g) ?? [], Number) }),
    dispose: () => wllama.exit(),
  };
}
