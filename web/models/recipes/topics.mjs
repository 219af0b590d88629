// Fine-tunes a masked language model to classify definitions by topic, and scores it.

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { naiveBayes } from './baselines.mjs';
import { modelFolder, train, trainingFolder } from './command.mjs';
import { prepare, topicCorpus } from './corpus.mjs';
import { evaluateNative } from './native.mjs';
import { normal, random } from './random.mjs';
import { writeReadme } from './report.mjs';
import { f32, readSafetensors, writeSafetensors } from './safetensors.mjs';
import { labelledExamples, withSpecialTokens } from './streams.mjs';
import { LABELS } from './wordnet.mjs';

const kMaxLength = 64;
// TF-IDF of words and word pairs with logistic regression, by tests/reference/topics_baseline.py on the same split.
const kLogisticRegression = 0.872;

/**
 * @param {object} recipe
 * @param {string} recipe.name
 * @param {string} recipe.base name of the model to start from
 * @param {string} recipe.title first sentence of the README
 * @param {number} recipe.epochs
 * @param {{ batchSize: number } & Record<string, unknown>} recipe.settings of the trainer
 * @param {import('./command.mjs').Command} command
 */
export async function trainTopics({ name, base, title, epochs, settings }, command) {
  const baseFile = join(modelFolder(base), 'model.safetensors');
  if (!existsSync(baseFile))
    throw new Error(`${name} starts from ${base}, which is not trained yet: npm run train -- ${base}`);
  const config = {
    ...JSON.parse(readFileSync(join(modelFolder(base), 'config.json'), 'utf8')),
    architectures: ['ElectraForSequenceClassification'],
    id2label: Object.fromEntries(LABELS.map((label, id) => [id, label])),
    label2id: Object.fromEntries(LABELS.map((label, id) => [label, id])),
  };
  const synsets = prepare(name, config);
  const corpus = await topicCorpus(synsets);
  const kept = corpus.filter((text) => !text.heldOut);
  const heldOut = corpus.filter((text) => text.heldOut);
  const steps = command.steps ?? epochs * Math.floor(kept.length / settings.batchSize);
  const start = join(trainingFolder(name), 'start');
  if (!command.scoreOnly && (command.fresh || !existsSync(join(start, 'model.safetensors'))))
    writeStart(start, baseFile, config, command.seed);
  const result = await train({
    name,
    start,
    command,
    settings: { ...settings, steps, seed: command.seed, threads: command.threads, dtype: 'F16' },
    examples: (from) =>
      labelledExamples({
        texts: kept,
        batchSize: settings.batchSize,
        maxLength: kMaxLength,
        seed: command.seed,
        from,
      }),
  });
  if (!result.finished) return;
  const folder = modelFolder(name);
  if (!command.scoreOnly)
    copyFileSync(join(trainingFolder(name), 'model.safetensors'), join(folder, 'model.safetensors'));
  const scores = await scoreTopics(folder, kept, heldOut, command.threads);
  await writeReadme({
    name,
    title,
    config,
    command,
    settings: { ...settings, steps },
    result,
    scores,
    base,
    texts: heldOut.map(({ text }) => text),
  });
}

/**
 * The base's encoder under a new classifier (as transformers: dense and out_proj on token 0), drawn as transformers draws it.
 * @param {string} folder
 * @param {string} baseFile
 * @param {Record<string, any>} config
 * @param {number} seed
 */
function writeStart(folder, baseFile, config, seed) {
  const next = normal(random(seed));
  const tensors = readSafetensors(readFileSync(baseFile));
  for (const name of tensors.keys()) if (!name.startsWith('electra.')) tensors.delete(name);
  for (const [name, rows] of /** @type {const} */ ([
    ['dense', config.hidden_size],
    ['out_proj', LABELS.length],
  ])) {
    const weight = Float32Array.from({ length: rows * config.hidden_size }, () => config.initializer_range * next());
    tensors.set(`classifier.${name}.weight`, f32(weight, [rows, config.hidden_size]));
    tensors.set(`classifier.${name}.bias`, f32(new Float32Array(rows), [rows]));
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
  writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(tensors));
}

/**
 * @param {string} folder of the model
 * @param {{ text: string, ids: Int32Array, label: number }[]} kept
 * @param {{ text: string, ids: Int32Array, label: number }[]} heldOut
 * @param {number} threads
 * @returns {Promise<string>} Markdown
 */
async function scoreTopics(folder, kept, heldOut, threads) {
  const sorted = heldOut.toSorted((a, b) => a.ids.length - b.ids.length);
  const examples = sorted.map(({ ids, label }) => ({
    ...withSpecialTokens(ids, undefined, kMaxLength),
    labels: Int32Array.of(label),
  }));
  const results = await evaluateNative({ model: folder, examples, threads });
  const right = results.filter(({ predicted }, i) => predicted === sorted[i].label).length;
  const nats = results.reduce((sum, { loss }) => sum + loss, 0) / results.length;
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
  const rows = LABELS.map((label, id) => {
    const mine = results.filter((_, i) => sorted[i].label === id);
    const hit = mine.filter(({ predicted }) => predicted === id).length;
    /** @type {Map<number, number>} */
    const wrong = new Map();
    for (const { predicted } of mine) if (predicted !== id) wrong.set(predicted, (wrong.get(predicted) ?? 0) + 1);
    const [most] = [...wrong].sort((a, b) => b[1] - a[1]);
    return `| ${label} | ${mine.length} | ${percent(hit / mine.length)} | ${most ? `${LABELS[most[0]]} (${most[1]})` : ''} |`;
  });
  return (
    `${heldOut.length} held-out definitions, ${kept.length} trained on:\n\n` +
    '| | right |\n| --- | --- |\n' +
    `| this model | **${percent(right / results.length)}** (loss ${nats.toFixed(3)}) |\n` +
    `| TF-IDF of words and pairs, logistic regression | ${percent(kLogisticRegression)} |\n` +
    `| naive Bayes over words and pairs | ${percent(naiveBayes(kept, heldOut, LABELS.length))} |\n\n` +
    `| topic | held out | right | most often taken for |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
  );
}
