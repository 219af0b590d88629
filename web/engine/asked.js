// What is asked of a generation: its options and its input, checked and brought into the form that the core reads.
import { readEdits } from './edits.js';
import { GlassError } from './errors.js';
import { checkOptions, checkSignal, described } from './names.js';
import { readPrompt } from './prompt.js';
import { settingsText } from './settings.js';

/**
 * Meanings and defaults are transformers'; what is not given comes from generation_config.json. null turns a token's role off.
 * @typedef {object} GenerateOptions
 * @property {number} [maxNewTokens] 20
 * @property {number} [minNewTokens]
 * @property {number} [maxLength] the prompt's tokens included
 * @property {number} [minLength]
 * @property {boolean} [doSample]
 * @property {number} [temperature]
 * @property {number} [topK] 50, 0: off
 * @property {number} [topP]
 * @property {number} [seed] of sampling, 0
 * @property {number} [beams]
 * @property {number} [lengthPenalty]
 * @property {boolean | 'never'} [earlyStopping]
 * @property {number} [repetitionPenalty]
 * @property {number} [noRepeatNgramSize]
 * @property {boolean} [renormalizeLogits]
 * @property {ArrayLike<number> | null} [suppressTokens]
 * @property {ArrayLike<number> | null} [beginSuppressTokens]
 * @property {number[][] | null} [badWordsIds]
 * @property {number | null} [forcedBosTokenId]
 * @property {number | ArrayLike<number> | null} [forcedEosTokenId]
 * @property {number | ArrayLike<number> | null} [eosTokenId]
 * @property {number | null} [bosTokenId] what an empty prompt begins with
 * @property {number | null} [padTokenId]
 * @property {number | null} [decoderStartTokenId]
 * @property {number} [top] how many tokens a step lists, 10
 * @property {boolean} [cache] true; false, without beams only: nothing is kept between steps and each computes the whole text
 *   anew, for equal tokens at more work, which a step's `macs` tells
 * @property {string | string[] | null} [stop] ends the text, or a beam, with the token that completes one of these; needs a
 *   tokenizer
 * @property {string[]} [record] hooks, as for run; the encoder's are met at the first step
 * @property {import('./edits.js').Edit[]} [edits] where.query and where.pos count from the text's beginning
 * @property {AbortSignal} [signal] ends the generation between two steps, with 'aborted'
 */

const NUMBERS = /** @type {const} */ ([
  ...['maxNewTokens', 'minNewTokens', 'maxLength', 'minLength', 'doSample', 'temperature', 'topK', 'topP', 'seed'],
  ...[
    'beams',
    'lengthPenalty',
    'earlyStopping',
    'repetitionPenalty',
    'noRepeatNgramSize',
    'renormalizeLogits',
    'top',
    'cache',
  ],
]);
const TOKENS = /** @type {const} */ ([
  ...['suppressTokens', 'beginSuppressTokens', 'badWordsIds', 'forcedBosTokenId', 'forcedEosTokenId', 'eosTokenId'],
  ...['bosTokenId', 'padTokenId', 'decoderStartTokenId'],
]);
const OTHERS = ['record', 'edits', 'signal'];

/** @param {string} message @returns {never} */
function refuse(message) {
  throw new GlassError('bad-input', message);
}

/**
 * As the core reads them, which checks kinds and ranges.
 * @param {Record<string, any>} options
 * @returns {string}
 */
function coreOptions(options) {
  checkOptions(options, [...NUMBERS, ...TOKENS, 'stop', ...OTHERS], 'generate');
  const given = Object.entries(options).filter(([name]) => !OTHERS.includes(name));
  return settingsText(Object.fromEntries(given), {
    name: 'generate',
    nullable: (name) => name === 'stop' || TOKENS.some((token) => token === name),
  });
}

/** @param {unknown} stop */
function checkStop(stop) {
  if (stop === undefined || stop === null) return;
  const list = Array.isArray(stop) ? stop : [stop];
  const wrong = list.find((text) => typeof text !== 'string' || text === '');
  if (wrong !== undefined) refuse(`stop: expected a text or a list of texts, got ${described(wrong)}`);
}

/**
 * What was asked for, checked.
 * @param {import('./model.js').Model} model
 * @param {import('./input.js').Input} input
 * @param {GenerateOptions} options
 */
export async function readAsked(model, input, options) {
  const { about, generationConfig } = model.core;
  const { tokenizer } = model;
  const settings = coreOptions(options);
  const { record = [], edits = [], signal = null } = options;
  checkSignal(signal);
  if (!Array.isArray(record) || record.some((name) => typeof name !== 'string')) {
    refuse(`record: expected a list of hook names, got ${described(record)}`);
  }
  checkStop(options.stop);
  const prompt = readPrompt(input, { ...about, tokenizer });
  // The core reads stop strings from the call and from the file, and looks for them in the tokens' texts.
  const mayStop = Boolean(options.stop?.length || generationConfig?.includes('"stop_strings"'));
  const texts = mayStop && tokenizer ? tokenizer.texts() : null;
  const args = [prompt.core, settings, generationConfig ?? '', record, readEdits(edits, about.hooks), texts];
  return { prompt, signal, args };
}

/** @typedef {Awaited<ReturnType<typeof readAsked>>} Asked */
