// Trains and scores the model that reads dates.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alignmentMarkdown, alignmentTable } from './alignment.mjs';
import { SPECIAL, characterTokenizer, characterTokenizerConfig, vocabularyOf } from './characters.mjs';
import { modelFolder } from './command.mjs';
import { LOCALES, NORMALIZER, dateCharacters, dateWriters, isoDate, normalise, splitDays } from './dates-data.mjs';
import { hash, random } from './random.mjs';
import { drawnExamples, generationConfig, marianConfig, scoreTargets, trainSequences } from './sequences.mjs';
import { writeSequenceReadme } from './sequence-report.mjs';

/** @typedef {import('./sequences.mjs').Pair} Pair */
/** @typedef {import('./dates-data.mjs').Writer} Writer */

const kPositions = 64;
// Ten characters and the end token, behind the start token.
const kTargetLength = 12;
const kDraw = 5;
// Locales that the README lists.
const kWorst = 8;
// Dates whose cross-attention is looked at: six of each locale.
const kAligned = 366;
// Which of its formats a locale is scored with on which day, whatever a training's seed is.
const kTestSeed = 2000;

/**
 * Turns texts into ids as the tokenizer does, some hundred thousand a second.
 * @param {Map<string, number>} vocabulary
 * @returns {(text: string) => Int32Array} ids, the end token included
 */
export function characterEncoder(vocabulary) {
  const unknown = SPECIAL['<unk>'];
  return (text) =>
    Int32Array.of(...normalise(text).map((character) => vocabulary.get(character) ?? unknown), SPECIAL['</s>']);
}

/**
 * A made-up day in a made-up locale and format, the same for every seed and index.
 * @param {object} options
 * @param {Writer[][]} options.writers by locale
 * @param {Int32Array} options.days
 * @param {(text: string) => Int32Array} options.encode
 * @param {number} options.seed
 * @returns {(index: number) => Pair}
 */
export function dateDraws({ writers, days, encode, seed }) {
  return (index) => {
    const next = random(seed, kDraw, index);
    const locale = writers[Math.floor(next() * writers.length)];
    const writer = locale[Math.floor(next() * locale.length)];
    const day = days[Math.floor(next() * days.length)];
    return { source: encode(writer.write(day)), target: encode(isoDate(day)) };
  };
}

/**
 * What is scored: every held-out day as every locale writes it, in one of its formats.
 * @param {Writer[][]} writers
 * @param {Int32Array} heldOut
 * @returns {{ writer: Writer, day: number }[]}
 */
export function dateTests(writers, heldOut) {
  return writers.flatMap((formats, l) =>
    Array.from(heldOut, (day) => ({ writer: formats[hash(kTestSeed, l, day) % formats.length], day })),
  );
}

/**
 * @param {object} recipe
 * @param {string} recipe.name
 * @param {string} recipe.title first sentence of the README
 * @param {import('./sequences.mjs').Shape} recipe.shape
 * @param {{ steps: number, batchSize: number } & Record<string, unknown>} recipe.settings of the trainer
 * @param {import('./command.mjs').Command} command
 */
export async function trainDates({ name, title, shape, settings }, command) {
  const writers = dateWriters();
  const { kept, heldOut } = splitDays();
  // Another version of Node may write dates with other characters: a model is scored with the vocabulary it was trained with.
  const tokenizer = command.scoreOnly
    ? readFileSync(join(modelFolder(name), 'tokenizer.json'), 'utf8')
    : characterTokenizer({
        characters: dateCharacters(writers),
        normalizer: NORMALIZER,
        decoder: { type: 'Fuse' },
      });
  const vocabulary = vocabularyOf(tokenizer);
  const encode = characterEncoder(vocabulary);
  const config = marianConfig(shape, {
    vocabulary: vocabulary.size,
    positions: kPositions,
    pad: SPECIAL['<pad>'],
    end: SPECIAL['</s>'],
  });
  const all = { ...settings, steps: command.steps ?? settings.steps };
  const draw = dateDraws({ writers, days: kept, encode, seed: command.seed });
  const result = await trainSequences(
    {
      name,
      config,
      files: {
        'tokenizer.json': tokenizer,
        'tokenizer_config.json': characterTokenizerConfig(kPositions),
        'generation_config.json': `${JSON.stringify(generationConfig(config, { max_length: kTargetLength }), null, 2)}\n`,
      },
      settings: all,
      examples: (from) =>
        drawnExamples({ draw, batchSize: all.batchSize, start: SPECIAL['<pad>'], seed: command.seed, from }),
    },
    command,
  );
  if (!result.finished) return;
  const tests = dateTests(writers, heldOut);
  const sample = Array.from({ length: kAligned }, (_, i) => tests[Math.floor((i * tests.length) / kAligned)]);
  const alignment = alignmentMarkdown(await alignmentTable(result.folder, sample, vocabulary), kAligned);
  const scores = await scoreDates(result.folder, tests, encode, command.threads);
  writeSequenceReadme({
    name,
    title,
    config,
    tokens: `${vocabulary.size} tokens: characters, lower-cased`,
    unit: 'dates',
    data: dataText(writers, kept, heldOut),
    command,
    settings: all,
    result,
    scores,
    more: alignment,
  });
}

/**
 * @param {Writer[][]} writers
 * @param {Int32Array} kept
 * @param {Int32Array} heldOut
 * @returns {string} Markdown
 */
function dataText(writers, kept, heldOut) {
  return `Made while training by Node's \`Intl.DateTimeFormat\` (Node ${process.versions.node}, ICU ${process.versions.icu}, CLDR ${process.versions.cldr}; another version
writes some dates otherwise): ${writers.flat().length} ways to write a day in ${LOCALES.length} locales, Gregorian calendar, 1900 to 2099. Dates of digits alone are
left out unless the year comes first, since 06/07/1987 is June here and July there. ${heldOut.length.toLocaleString('en')} days, chosen by a hash and in no locale
trained on, are held out; ${kept.length.toLocaleString('en')} are drawn from. Locales: ${LOCALES.join(', ')}.`;
}

/**
 * @param {string} folder of the model
 * @param {{ writer: Writer, day: number }[]} tests
 * @param {(text: string) => Int32Array} encode
 * @param {number} threads
 * @returns {Promise<string>} Markdown
 */
async function scoreDates(folder, tests, encode, threads) {
  const pairs = tests.map(({ writer, day }) => ({ source: encode(writer.write(day)), target: encode(isoDate(day)) }));
  const { exact, loss } = await scoreTargets({ model: folder, pairs, start: SPECIAL['<pad>'], threads });
  const percent = (/** @type {number} */ right, /** @type {number} */ of) => `${((100 * right) / of).toFixed(2)} %`;
  const right = exact.filter(Boolean).length;
  /** @type {Map<string, { right: number, of: number, wrong: string[] }>} */
  const locales = new Map();
  tests.forEach(({ writer, day }, i) => {
    const row = locales.get(writer.locale) ?? { right: 0, of: 0, wrong: [] };
    locales.set(writer.locale, row);
    row.of++;
    if (exact[i]) row.right++;
    else row.wrong.push(writer.write(day));
  });
  const wrong = [...locales]
    .filter(([, row]) => row.wrong.length > 0)
    .sort(([, x], [, y]) => x.right / x.of - y.right / y.of);
  const table = wrong
    .slice(0, kWorst)
    .map(([locale, row]) => `| ${locale} | ${percent(row.right, row.of)} | ${row.wrong[0]} |`);
  return (
    `Every held-out day in every locale, in one of its formats: **${percent(right, exact.length)} of ${exact.length.toLocaleString('en')} dates exactly right** (greedy; ` +
    `${exact.length - right} wrong; mean −ln p of\na character ${loss.toFixed(4)}, which label smoothing keeps from 0). ${locales.size - wrong.length} of ${locales.size} locales have no error` +
    (wrong.length === 0
      ? '.'
      : `; those with most:\n\n| locale | right | such as |\n| --- | --- | --- |\n${table.join('\n')}`)
  );
}
