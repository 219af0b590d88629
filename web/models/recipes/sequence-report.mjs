// Writes an encoder–decoder's README: what it is, the data and their licence, the command, the scores.

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFolder } from './command.mjs';
import { repeatingCommand, sizeText, timeText } from './report.mjs';

/**
 * @param {object} report
 * @param {string} report.name
 * @param {string} report.title
 * @param {Record<string, any>} report.config Marian's, BART's or another with the same names for sizes
 * @param {string} report.tokens what the vocabulary is made of: '467 characters'
 * @param {string} report.unit what a step's examples are called: 'dates', 'words'
 * @param {string} report.data Markdown: data, split, licence
 * @param {import('./command.mjs').Command} report.command
 * @param {Record<string, any>} report.settings of the trainer
 * @param {{ seconds: number }} report.result training time over all sessions; 0 where only the scores were made again
 * @param {string} report.scores Markdown
 * @param {string} [report.more] further sections, Markdown
 */
export function writeSequenceReadme(report) {
  const { name, title, config, tokens, data, command, result, scores, more = '' } = report;
  const folder = modelFolder(name);
  writeFileSync(
    join(folder, 'README.md'),
    `# ${name}

${title}

${config.architectures[0]}: ${config.encoder_layers} + ${config.decoder_layers} layers, ${config.encoder_attention_heads} heads, width ${config.d_model}, feed-forward ${config.encoder_ffn_dim}, ${tokens},
one table for source, target and output; weights in F16. Opens in transformers.
${sizeText(folder)}

## Data

${data}

## Training

\`${repeatingCommand(name, command)}\`, seed ${command.seed}.
${settingsText(report.settings, report.unit)}
${timeText(folder, command, result)}

## Scores

${scores}
${more ? `\n${more}\n` : ''}`,
  );
  const kilobytes = Math.round(statSync(join(folder, 'model.safetensors')).size / 1000);
  console.log(`wrote ${join('web/models', name)} (${kilobytes} KB of weights)\n${scores}`);
}

/**
 * @param {Record<string, any>} settings of the trainer
 * @param {string} unit what examples are called
 * @returns {string}
 */
function settingsText(settings, unit) {
  const { steps, batchSize, accumulate = 1, optimizer, warmup = 0, schedule, ema, averageLast } = settings;
  const batch = accumulate === 1 ? `${batchSize} ${unit}` : `${accumulate} × ${batchSize} ${unit}, accumulated`;
  const average = averageLast
    ? `the weights are the mean of those after each of the last ${averageLast} steps`
    : ema
      ? `the weights are a moving average (${ema})`
      : 'the weights are the last ones';
  return (
    `${steps} steps of ${batch}, AdamW (${optimizer.betas.join(', ')}), peak rate ${optimizer.lr}, ${warmup} warm-up steps, then ${schedule};\n` +
    `label smoothing ${settings.labelSmoothing ?? 0}, dropout ${settings.dropout ?? 0}, weight decay ${optimizer.weightDecay}, gradients clipped at ${settings.clip}; ${average}.`
  );
}
