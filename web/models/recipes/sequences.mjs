// Trains and scores encoder–decoders: pairs of a source and a target, from one shared vocabulary.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFolder, train, trainingFolder } from './command.mjs';
import { evaluateNative, generateNative } from './native.mjs';
import { random } from './random.mjs';
import { batchesByLength, epochOrder, kWindow } from './streams.mjs';

/** @typedef {import('./streams.mjs').Example} Example */
/** @typedef {{ source: Int32Array, target: Int32Array, links?: Int32Array }} Pair ids, each with the end token; links: see Example */
/** @typedef {{ width: number, layers: [number, number], heads: number, feedForward: number }} Shape `layers`: encoder, decoder */

// Keeps the draws for the order of batches apart from those for what is drawn.
const kOrder = 4;

/**
 * @param {Pair} pair
 * @param {number} start the decoder's first token
 * @returns {Example} the decoder reads the target one token behind what it is to say
 */
export function sequenceExample({ source, target }, start) {
  const decoderIds = new Int32Array(target.length);
  decoderIds[0] = start;
  decoderIds.set(target.subarray(0, -1), 1);
  return { ids: source, decoderIds, labels: target };
}

/** @param {Pair} pair @returns {number} what it costs: tokens read and written */
const lengthOf = ({ source, target }) => source.length + target.length;

/**
 * Examples without end from a list of pairs, epoch by epoch; batches hold pairs of similar length.
 * @param {object} options
 * @param {Pair[]} options.pairs
 * @param {number} options.batchSize
 * @param {number} options.start the decoder's first token
 * @param {number} options.seed
 * @param {number} [options.from] index of the first example
 * @returns {Generator<Example, never>}
 */
export function* pairedExamples({ pairs, batchSize, start, seed, from = 0 }) {
  const lengths = Int32Array.from(pairs, lengthOf);
  const size = Math.floor(pairs.length / batchSize) * batchSize;
  if (size === 0)
    throw new RangeError(`pairedExamples needs at least one batch of ${batchSize} pairs, got ${pairs.length}`);
  for (let epoch = Math.floor(from / size), i = from - epoch * size; ; epoch++, i = 0) {
    const order = epochOrder(lengths, batchSize, seed, epoch);
    for (; i < order.length; i++) yield sequenceExample(pairs[order[i]], start);
  }
}

/**
 * Examples without end that are made when they are asked for; batches hold pairs of similar length.
 * @param {object} options
 * @param {(index: number) => Pair} options.draw makes pair number `index`, the same whenever it is asked
 * @param {number} options.batchSize
 * @param {number} options.start the decoder's first token
 * @param {number} options.seed
 * @param {number} [options.from] index of the first example
 * @returns {Generator<Example, never>}
 */
export function* drawnExamples({ draw, batchSize, start, seed, from = 0 }) {
  const size = kWindow * batchSize;
  for (let window = Math.floor(from / size), i = from - window * size; ; window++, i = 0) {
    const pairs = Array.from({ length: size }, (_, k) => draw(window * size + k));
    const order = batchesByLength(
      Int32Array.from(pairs, (_, k) => k),
      Int32Array.from(pairs, lengthOf),
      batchSize,
      random(seed, kOrder, window),
    );
    for (; i < size; i++) yield sequenceExample(pairs[order[i]], start);
  }
}

/**
 * A Marian configuration: post-norm, sinusoidal positions, one table for source, target and output.
 * @param {Shape} shape
 * @param {{ vocabulary: number, positions: number, pad: number, end: number }} sizes padding also starts the decoder
 * @returns {Record<string, unknown>}
 */
export function marianConfig({ width, layers, heads, feedForward }, { vocabulary, positions, pad, end }) {
  return {
    architectures: ['MarianMTModel'],
    model_type: 'marian',
    is_encoder_decoder: true,
    vocab_size: vocabulary,
    decoder_vocab_size: vocabulary,
    share_encoder_decoder_embeddings: true,
    tie_word_embeddings: true,
    d_model: width,
    encoder_layers: layers[0],
    decoder_layers: layers[1],
    encoder_attention_heads: heads,
    decoder_attention_heads: heads,
    encoder_ffn_dim: feedForward,
    decoder_ffn_dim: feedForward,
    activation_function: 'relu',
    scale_embedding: true,
    static_position_embeddings: true,
    max_position_embeddings: positions,
    dropout: 0.1,
    attention_dropout: 0,
    activation_dropout: 0,
    // Embeddings, scaled by √width, are then as large as positions, and matrices keep the size of what passes through them.
    init_std: Number((width ** -0.5).toPrecision(4)),
    pad_token_id: pad,
    eos_token_id: end,
    bos_token_id: null,
    decoder_start_token_id: pad,
    forced_eos_token_id: null,
    dtype: 'float16',
  };
}

/**
 * @param {Record<string, any>} config
 * @param {Record<string, unknown>} options transformers' names: num_beams, max_length …
 * @returns {Record<string, unknown>} generation_config.json
 */
export function generationConfig(config, options) {
  const { pad_token_id: pad, eos_token_id: end, decoder_start_token_id: start } = config;
  return { pad_token_id: pad, eos_token_id: end, decoder_start_token_id: start, ...options };
}

/**
 * Writes what is not trained into a model's folder and trains.
 * @param {object} recipe
 * @param {string} recipe.name
 * @param {string} [recipe.run] name of the training, where it is not the model's: its weights stay in build/train/<run>
 * @param {Record<string, any>} recipe.config
 * @param {Record<string, string>} recipe.files of the folder besides config.json, by name: generation_config.json, tokenizer.json …
 * @param {{ steps: number, batchSize: number } & Record<string, unknown>} recipe.settings of the trainer
 * @param {(from: number) => Iterable<Example>} recipe.examples
 * @param {import('./command.mjs').Command} command
 * @returns {Promise<{ finished: boolean, seconds: number, step: number, folder: string }>} `folder` holds the trained model
 */
export async function trainSequences({ name, run = name, config, files, settings, examples }, command) {
  const start = join(trainingFolder(run), 'start');
  const folder = run === name ? modelFolder(name) : trainingFolder(run);
  for (const target of [start, folder]) {
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const { seed, threads } = command;
  const result = await train({
    name: run,
    start,
    command,
    // With final_logits_bias, a buffer that is left alone where nobody asks for it: the models that ship have learnt it.
    settings: { trainable: ['*'], ...settings, seed, threads, dtype: 'F16' },
    examples,
  });
  if (result.finished && !command.scoreOnly && run === name)
    copyFileSync(join(trainingFolder(run), 'model.safetensors'), join(folder, 'model.safetensors'));
  return { ...result, folder };
}

/**
 * How well a model foretells targets, each token given those before it. Where all of a target's tokens have the largest logits,
 * and only there, greedy decoding gives that target.
 * @param {object} options
 * @param {string} options.model folder
 * @param {Pair[]} options.pairs
 * @param {number} options.start the decoder's first token
 * @param {number} options.threads
 * @returns {Promise<{ nats: number[], exact: boolean[], loss: number }>} each pair's −ln p, in order; `loss` is the mean over tokens
 */
export async function scoreTargets({ model, pairs, start, threads }) {
  // Sorted by length: batches without padding.
  const order = pairs.map((_, i) => i).sort((a, b) => lengthOf(pairs[a]) - lengthOf(pairs[b]));
  const examples = order.map((i) => sequenceExample(pairs[i], start));
  const nats = new Array(pairs.length);
  const exact = new Array(pairs.length);
  const sum = { loss: 0, count: 0 };
  (await evaluateNative({ model, examples, threads })).forEach(({ loss, count, correct }, at) => {
    nats[order[at]] = loss;
    exact[order[at]] = correct === count;
    sum.loss += loss;
    sum.count += count;
  });
  return { nats, exact, loss: sum.loss / sum.count };
}

/**
 * @param {object} options
 * @param {string} options.model folder
 * @param {Int32Array[]} options.sources with their end tokens
 * @param {number} options.end the token that ends a target
 * @param {Record<string, unknown>} options.options of `generate` in the public interface, and threads
 * @returns {Promise<number[][]>} what was generated for each source, without the end token
 */
export async function generateTargets({ model, sources, end, options }) {
  const outputs = await generateNative({ model, sources, options });
  return outputs.map(({ ids }) => (ids.at(-1) === end ? ids.slice(0, -1) : ids));
}
