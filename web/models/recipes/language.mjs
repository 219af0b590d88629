// Trains and scores a decoder on the six novels: `austen`.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBytePairs, encodeBytePairs, trainBytePairs } from './bytepairs.mjs';
import { modelFolder } from './command.mjs';
import { KneserNey } from './kneser-ney.mjs';
import { evaluateNative, generateNative } from './native.mjs';
import { NOVELS_PACKAGE, readNovels } from './novels.mjs';
import { random, shuffle } from './random.mjs';
import { repeatingCommand, sizeText, timeText } from './report.mjs';
import { trainSequences } from './sequences.mjs';
import { IGNORED } from './streams.mjs';

/** @typedef {import('./streams.mjs').Example} Example */
/** @typedef {{ width: number, layers: number, heads: number, feedForward: number, positions: number }} Shape */

const kVocabulary = 4096;
// Every text begins with it, wherever it was cut out: what the model knows there is that it knows nothing.
const kBegin = '<|endoftext|>';
const kBeginId = 0;
const kSampling = { doSample: true, topP: 0.95, temperature: 0.8, seed: 1, maxNewTokens: 120 };
const kPrompt = 'It is a truth universally acknowledged, that';
// Longest n-grams of the baseline, in bytes.
const kBaselineOrder = 8;
const kOffset = 6;
const kOrder = 7;

// The novels are printed with straight quotes.
const kNormalizer = {
  type: 'Sequence',
  normalizers: [
    { type: 'Replace', pattern: { Regex: '[‘’]' }, content: "'" },
    { type: 'Replace', pattern: { Regex: '[“”]' }, content: '"' },
  ],
};

/**
 * Windows of texts without end: each epoch cuts every text at other places and reads the pieces in another order.
 * @param {object} options
 * @param {Int32Array[]} options.texts
 * @param {number} options.length tokens the model reads at once, the first being `begin`
 * @param {number} options.begin
 * @param {number} options.seed
 * @param {number} [options.from] index of the first example
 * @returns {Generator<Example, never>}
 */
export function* windowExamples({ texts, length, begin, seed, from = 0 }) {
  // One window less than fits, so that every epoch has as many, wherever it begins to cut.
  const places = texts.flatMap((ids, text) =>
    Array.from({ length: Math.max(0, Math.floor(ids.length / length) - 1) }, (_, k) => ({ text, at: k * length })),
  );
  if (places.length === 0) throw new RangeError(`windowExamples needs a text of at least ${2 * length} tokens`);
  for (let epoch = Math.floor(from / places.length), i = from - epoch * places.length; ; epoch++, i = 0) {
    const next = random(seed, kOffset, epoch);
    const offsets = texts.map(() => Math.floor(next() * length));
    const order = shuffle([...places], random(seed, kOrder, epoch));
    for (; i < order.length; i++) {
      const { text, at } = order[i];
      yield windowAt(texts[text], at + offsets[text], length, begin);
    }
  }
}

/**
 * @param {Int32Array} text
 * @param {number} at
 * @param {number} length
 * @param {number} begin
 * @returns {Example} `begin` and what follows, each with the token behind it as label
 */
function windowAt(text, at, length, begin) {
  const labels = text.slice(at, at + length);
  const ids = new Int32Array(labels.length);
  ids[0] = begin;
  ids.set(labels.subarray(0, -1), 1);
  return { ids, labels };
}

/**
 * Windows that overlap by half: every token of the text counts once, and all but the first window's have at least half a window before them.
 * @param {Int32Array} text
 * @param {number} length
 * @param {number} begin
 * @returns {Generator<Example>}
 */
export function* slidingExamples(text, length, begin) {
  for (let at = 0, counted = 0; counted < text.length; at += length >> 1) {
    const { ids, labels } = windowAt(text, at, length, begin);
    labels.fill(IGNORED, 0, counted - at);
    counted = at + labels.length;
    yield { ids, labels };
  }
}

/**
 * @param {Shape} shape
 * @returns {Record<string, unknown>} a LLaMA configuration
 */
function llamaConfig({ width, layers, heads, feedForward, positions }) {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    vocab_size: kVocabulary,
    hidden_size: width,
    intermediate_size: feedForward,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: heads,
    head_dim: width / heads,
    hidden_act: 'silu',
    max_position_embeddings: positions,
    initializer_range: 0.05,
    rms_norm_eps: 1e-5,
    rope_theta: 10000,
    attention_bias: false,
    attention_dropout: 0,
    mlp_bias: false,
    tie_word_embeddings: true,
    use_cache: true,
    bos_token_id: kBeginId,
    eos_token_id: kBeginId,
    pad_token_id: null,
    dtype: 'float16',
  };
}

/**
 * @param {object} recipe
 * @param {string} recipe.name
 * @param {string} recipe.title first sentence of the README
 * @param {Shape} recipe.shape
 * @param {{ steps: number, batchSize: number } & Record<string, unknown>} recipe.settings of the trainer
 * @param {import('./command.mjs').Command} command
 */
export async function trainLanguage({ name, title, shape, settings }, command) {
  const novels = readNovels();
  const tokenizer = vocabulary(
    name,
    novels.map((novel) => novel.train),
  );
  const train = await encodeBytePairs(
    tokenizer,
    novels.map((novel) => novel.train),
  );
  const config = llamaConfig(shape);
  const all = { ...settings, steps: command.steps ?? settings.steps };
  const { positions: length } = shape;
  const result = await trainSequences(
    {
      name,
      config,
      files: {
        'tokenizer.json': tokenizer,
        'tokenizer_config.json': json({
          tokenizer_class: 'PreTrainedTokenizerFast',
          model_max_length: length,
          bos_token: kBegin,
          eos_token: kBegin,
          clean_up_tokenization_spaces: false,
        }),
        'generation_config.json': json({
          bos_token_id: kBeginId,
          eos_token_id: kBeginId,
          do_sample: true,
          top_p: 0.95,
        }),
      },
      settings: all,
      examples: (from) => windowExamples({ texts: train, length, begin: kBeginId, seed: command.seed, from }),
    },
    command,
  );
  if (!result.finished) return;
  const scores = await scoreLanguage(result.folder, novels, tokenizer, length, command.threads);
  writeLanguageReadme({ name, title, config, novels, tokens: train, command, settings: all, result, scores });
}

/**
 * The vocabulary lies in the model's folder; it is trained if it is not there.
 * @param {string} name
 * @param {string[]} texts
 * @returns {string} a tokenizer.json
 */
function vocabulary(name, texts) {
  const file = join(modelFolder(name), 'tokenizer.json');
  if (!existsSync(file)) {
    mkdirSync(modelFolder(name), { recursive: true });
    const options = { size: kVocabulary, special: [kBegin], first: kBegin, normalizer: kNormalizer };
    writeFileSync(file, trainBytePairs(texts, options));
  }
  return readFileSync(file, 'utf8');
}

/** @param {unknown} value @returns {string} */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * @param {string} folder of the model
 * @param {import('./novels.mjs').Novel[]} novels
 * @param {string} tokenizer
 * @param {number} length
 * @param {number} threads
 * @returns {Promise<string>} Markdown
 */
async function scoreLanguage(folder, novels, tokenizer, length, threads) {
  const texts = await encodeBytePairs(
    tokenizer,
    novels.map(({ heldOut }) => heldOut),
  );
  const bytes = (/** @type {string} */ text) => new Uint8Array(Buffer.from(text));
  const counted = new KneserNey(
    novels.map(({ train }) => bytes(train)),
    kBaselineOrder,
  );
  const rows = [];
  const total = { name: 'all six', characters: 0, tokens: 0, bits: 0, baseline: 0 };
  for (const [i, { name, heldOut }] of novels.entries()) {
    const examples = [...slidingExamples(texts[i], length, kBeginId)];
    const row = { name, characters: heldOut.length, tokens: 0, bits: 0, baseline: counted.bits(bytes(heldOut)) };
    for (const { loss, count } of await evaluateNative({ model: folder, examples, batchSize: 8, threads })) {
      row.tokens += count;
      row.bits += loss / Math.LN2;
    }
    if (row.tokens !== texts[i].length)
      throw new Error(`${name}: ${row.tokens} tokens were scored, expected ${texts[i].length}`);
    for (const key of /** @type {const} */ (['characters', 'tokens', 'bits', 'baseline'])) total[key] += row[key];
    rows.push(row);
  }
  const line = (/** @type {typeof total} */ { name, characters, tokens, bits, baseline }) =>
    `| ${name} | ${characters.toLocaleString('en')} | ${(bits / characters).toFixed(3)} | ${(baseline / characters).toFixed(3)} | ${((bits * Math.LN2) / tokens).toFixed(3)} |`;
  const [prompt] = await encodeBytePairs(tokenizer, [kPrompt]);
  const [{ ids }] = await generateNative({
    model: folder,
    sources: [Int32Array.of(kBeginId, ...prompt)],
    options: { ...kSampling, threads: 1 },
  });
  const [written] = await decodeBytePairs(tokenizer, [ids]);
  return (
    `Held-out text, bits per character: **${(total.bits / total.characters).toFixed(3)}**; interpolated modified Kneser–Ney on bytes, n = ${kBaselineOrder}, ` +
    `from the same text: ${(total.baseline / total.characters).toFixed(3)}.\nEvery token counts once, with half a window or more before it.\n\n` +
    '| | characters | this model | Kneser–Ney | nats per token |\n| --- | --- | --- | --- | --- |\n' +
    [...rows, total].map(line).join('\n') +
    `\n\nWhat it writes (temperature ${kSampling.temperature}, top-p ${kSampling.topP}, seed ${kSampling.seed}):\n\n` +
    `${kPrompt}**${written.replace(/\s+/g, ' ').replace(/[*_]/g, '')}** …`
  );
}

/**
 * @param {object} report
 * @param {string} report.name
 * @param {string} report.title
 * @param {Record<string, any>} report.config
 * @param {import('./novels.mjs').Novel[]} report.novels
 * @param {Int32Array[]} report.tokens of the training part
 * @param {import('./command.mjs').Command} report.command
 * @param {Record<string, any>} report.settings
 * @param {{ seconds: number }} report.result
 * @param {string} report.scores
 */
function writeLanguageReadme({ name, title, config, novels, tokens, command, settings, result, scores }) {
  const folder = modelFolder(name);
  const sum = (/** @type {{ length: number }[]} */ list) => list.reduce((all, { length }) => all + length, 0);
  const characters = sum(novels.map((novel) => novel.train));
  const { optimizer, steps, batchSize } = settings;
  const epochs = (steps * batchSize * config.max_position_embeddings) / sum(tokens);
  writeFileSync(
    join(folder, 'README.md'),
    `# ${name}

${title}

${config.architectures[0]}: ${config.num_hidden_layers} layers, ${config.num_attention_heads} heads, hidden size ${config.hidden_size}, gated feed-forward ${config.intermediate_size}, ${config.vocab_size} byte-level BPE
tokens, one table for input and output, rotary positions, ${config.max_position_embeddings} tokens at once; weights in F16. Opens in transformers.
${sizeText(folder)}

## Data

Jane Austen's six novels from Debian's \`${NOVELS_PACKAGE}\` (texts of Project Gutenberg, in the public domain; the package, by Julia Silge, has the
MIT licence). The last 5 % of each novel's characters are held out, ${sum(novels.map((novel) => novel.heldOut)).toLocaleString('en')} in all; ${characters.toLocaleString('en')} are trained on, ${(characters / sum(tokens)).toFixed(2)} a token.
Line breaks are kept as printed.

## Training

\`${repeatingCommand(name, command)}\`, seed ${command.seed}.
${steps} steps of ${batchSize} × ${config.max_position_embeddings} tokens (${epochs.toFixed(1)} epochs), AdamW (${optimizer.betas.join(', ')}), peak rate ${optimizer.lr}, ${settings.warmup} warm-up steps, then ${settings.schedule}; weight
decay ${optimizer.weightDecay}, dropout ${settings.dropout}, gradients clipped at ${settings.clip}; the weights are a moving average (${settings.ema}).
${timeText(folder, command, result)}

## Scores

${scores}
`,
  );
  const kilobytes = Math.round(statSync(join(folder, 'model.safetensors')).size / 1000);
  console.log(`wrote ${join('web/models', name)} (${kilobytes} KB of weights)\n${scores}`);
}
