// Trains and scores a masked language model on WordNet's definitions and example sentences: `words` and its small sibling.

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NeighbourCount, scoreBlanks } from './baselines.mjs';
import { modelFolder, train, trainingFolder } from './command.mjs';
import { electraConfig, maskedCorpus, prepare } from './corpus.mjs';
import { cooccurrenceEmbeddings, logFrequencies } from './embeddings.mjs';
import { evaluateNative } from './native.mjs';
import { normal, random } from './random.mjs';
import { writeReadme } from './report.mjs';
import { f32, writeSafetensors } from './safetensors.mjs';
import { blanks, maskedExamples, maskedTexts, withSpecialTokens } from './streams.mjs';

/** @typedef {{ embedding: number, hidden: number, layers: number, heads: number, feedForward: number }} Shape */

// The held-out blanks are the same for every model and baseline, whatever a training's seed is.
const kTestSeed = 2011;
const kTestShare = 0.15;
const kMaxLength = 64;
// Root mean square of the first embeddings: words, positions and types are of one size in the sum.
const kDeviation = 0.1;

/**
 * @param {object} recipe
 * @param {string} recipe.name
 * @param {string} recipe.title first sentence of the README
 * @param {Shape} recipe.shape
 * @param {{ steps: number, batchSize: number } & Record<string, unknown>} recipe.settings of the trainer
 * @param {[number, number]} recipe.rate share of tokens hidden, at the beginning and at the end
 * @param {import('./command.mjs').Command} command
 */
export async function trainMasked({ name, title, shape, settings, rate }, command) {
  const config = electraConfig('ElectraForMaskedLM', shape, { initializer_range: 0.06 });
  const synsets = prepare(name, config);
  const { texts, heldOut } = await maskedCorpus(synsets);
  const steps = command.steps ?? settings.steps;
  const start = join(trainingFolder(name), 'start');
  if (!command.scoreOnly && (command.fresh || !existsSync(join(start, 'model.safetensors')))) {
    writeStart(
      start,
      config,
      texts.map(({ ids }) => ids),
      command.seed,
    );
  }
  const { batchSize } = settings;
  const result = await train({
    name,
    start,
    command,
    settings: { ...settings, steps, seed: command.seed, threads: command.threads, dtype: 'F16' },
    examples: (from) =>
      maskedExamples({
        texts,
        batchSize,
        maxLength: kMaxLength,
        rate,
        total: steps * batchSize,
        pairs: 0.2,
        seed: command.seed,
        from,
      }),
  });
  if (!result.finished) return;
  const folder = modelFolder(name);
  if (!command.scoreOnly)
    copyFileSync(join(trainingFolder(name), 'model.safetensors'), join(folder, 'model.safetensors'));
  const scores = await scoreMasked(
    folder,
    texts.map(({ ids }) => ids),
    heldOut,
    Number(config.vocab_size),
    command.threads,
  );
  const definitions = synsets.filter((synset) => synset.heldOut).map((synset) => synset.definition);
  await writeReadme({
    name,
    title,
    config,
    command,
    settings: { ...settings, steps },
    result,
    scores,
    texts: definitions,
  });
}

/**
 * Writes the weights that training starts from: drawn as transformers draws them, with embeddings and output bias from counts.
 * @param {string} folder
 * @param {Record<string, any>} config
 * @param {Int32Array[]} texts
 * @param {number} seed
 */
function writeStart(folder, config, texts, seed) {
  const { vocab_size: vocabulary, embedding_size: embedding, hidden_size: hidden, intermediate_size: wide } = config;
  const next = normal(random(seed));
  /** @type {Map<string, import('./safetensors.mjs').RawTensor>} */
  const tensors = new Map();
  const add = (/** @type {string} */ name, /** @type {number[]} */ shape, /** @type {() => number} */ value) => {
    const size = shape.reduce((product, n) => product * n, 1);
    tensors.set(name, f32(Float32Array.from({ length: size }, value), shape));
  };
  const linear = (/** @type {string} */ name, /** @type {number} */ rows, /** @type {number} */ columns) => {
    add(`${name}.weight`, [rows, columns], () => config.initializer_range * next());
    add(`${name}.bias`, [rows], () => 0);
  };
  const norm = (/** @type {string} */ name, /** @type {number} */ width) => {
    add(`${name}.weight`, [width], () => 1);
    add(`${name}.bias`, [width], () => 0);
  };
  const words = cooccurrenceEmbeddings(texts, vocabulary, embedding, kDeviation, seed);
  tensors.set('electra.embeddings.word_embeddings.weight', f32(words, [vocabulary, embedding]));
  add(
    'electra.embeddings.position_embeddings.weight',
    [config.max_position_embeddings, embedding],
    () => kDeviation * next(),
  );
  add(
    'electra.embeddings.token_type_embeddings.weight',
    [config.type_vocab_size, embedding],
    () => kDeviation * next(),
  );
  norm('electra.embeddings.LayerNorm', embedding);
  linear('electra.embeddings_project', hidden, embedding);
  for (let l = 0; l < config.num_hidden_layers; l++) {
    const layer = `electra.encoder.layer.${l}`;
    for (const part of ['self.query', 'self.key', 'self.value', 'output.dense'])
      linear(`${layer}.attention.${part}`, hidden, hidden);
    norm(`${layer}.attention.output.LayerNorm`, hidden);
    linear(`${layer}.intermediate.dense`, wide, hidden);
    linear(`${layer}.output.dense`, hidden, wide);
    norm(`${layer}.output.LayerNorm`, hidden);
  }
  linear('generator_predictions.dense', embedding, hidden);
  norm('generator_predictions.LayerNorm', embedding);
  tensors.set('generator_lm_head.bias', f32(logFrequencies(texts, vocabulary), [vocabulary]));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
  writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(tensors));
}

/**
 * @param {string} folder of the model
 * @param {Int32Array[]} train texts the baselines count
 * @param {Int32Array[]} heldOut
 * @param {number} vocabulary
 * @param {number} threads
 * @returns {Promise<string>} Markdown
 */
async function scoreMasked(folder, train, heldOut, vocabulary, threads) {
  const counted = new NeighbourCount(
    train.map((ids) => withSpecialTokens(ids, undefined, kMaxLength).ids),
    vocabulary,
  );
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
  const row = (/** @type {string} */ name, /** @type {import('./baselines.mjs').BlankScore} */ score) =>
    `| ${name} | ${percent(score.top1)} | ${percent(score.top5)} | ${score.nats.toFixed(3)} |`;
  const parts = [];
  for (const [what, examples] of /** @type {const} */ ([
    ['One blank at a time, everything else visible', [...blanks(heldOut, kTestShare, kMaxLength, kTestSeed)]],
    ['15 % of the tokens hidden at once', [...maskedTexts(heldOut, kTestShare, kMaxLength, kTestSeed)]],
  ])) {
    // Sorted by length: batches without padding.
    const sorted = examples.toSorted((a, b) => a.ids.length - b.ids.length);
    const totals = { top1: 0, top5: 0, nats: 0, count: 0 };
    for (const { loss, count, correct, correct5 } of await evaluateNative({
      model: folder,
      examples: sorted,
      threads,
    })) {
      totals.nats += loss;
      totals.count += count;
      totals.top1 += correct;
      totals.top5 += correct5;
    }
    for (const key of /** @type {const} */ (['top1', 'top5', 'nats'])) totals[key] /= totals.count;
    parts.push(
      `${what} (${totals.count} of ${heldOut.length} held-out definitions' tokens):\n\n` +
        '| | first guess right | among five | nats (mean −ln p) |\n| --- | --- | --- | --- |\n' +
        `${row('this model', totals)}\n` +
        `${row(
          'what stood between the same neighbours',
          scoreBlanks(examples, (left, right) => counted.between(left, right)),
        )}\n` +
        row(
          'how frequent a token is',
          scoreBlanks(examples, () => counted.unigram),
        ),
    );
  }
  return parts.join('\n\n');
}
