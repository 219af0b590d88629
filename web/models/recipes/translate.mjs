// Trains and scores the translation model: English verses into Spanish.

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, tensor } from '../../engine/index.js';
import { bleu, chrF } from './bleu.mjs';
import { decodeBytePairs, encodeBytePairs, trainBytePairs } from './bytepairs.mjs';
import { clauses, pairClauses, phrases, words } from './clauses.mjs';
import { modelFolder, trainingFolder } from './command.mjs';
import { pairedEmbeddings } from './embeddings.mjs';
import { WordTranslation } from './ibm1.mjs';
import { encodePieces, linkTokens } from './links.mjs';
import { random } from './random.mjs';
import { writeSequenceReadme } from './sequence-report.mjs';
import {
  generateTargets,
  generationConfig,
  marianConfig,
  scoreTargets,
  sequenceExample,
  trainSequences,
} from './sequences.mjs';
import { epochOrder } from './streams.mjs';
import { ENGLISH_PACKAGE, SPANISH_PACKAGE, readVersePairs } from './verses.mjs';

/** @typedef {import('./streams.mjs').Example} Example */
/** @typedef {import('./sequences.mjs').Pair} Pair */
/** @typedef {import('./verses.mjs').VersePair} VersePair */

const kVocabulary = 6000;
const kPositions = 256;
const kPad = 0;
const kEnd = 1;
const kSpecial = ['<pad>', '</s>'];
// English has quotation marks, Spanish here has none: they are no part of what is translated.
const kNormalizer = {
  type: 'Sequence',
  normalizers: [
    { type: 'NFC' },
    { type: 'Replace', pattern: { Regex: '[“”"‘«»]' }, content: '' },
    { type: 'Replace', pattern: { String: '’' }, content: "'" },
  ],
};
// How likely a phrase is joined by the next one of its verse.
const kJoin = 0.6;
// Joined phrases stay under so many tokens of either side: clauses are what will be translated.
const kMost = 80;
const kMerging = 8;
const kBeams = { beams: 4, lengthPenalty: 0.6, maxNewTokens: 128 };
// Rounds of expectation maximisation: for pairing clauses, for the baseline (more of them gain nothing).
const kRounds = 6;
const kBaselineRounds = 20;

/**
 * Training pairs without end: each epoch joins the neighbouring phrases of every verse anew, at random, so that the model meets short and
 * long pieces; batches hold pairs of similar length.
 * @param {object} options
 * @param {Pair[][]} options.verses phrases of each verse, without end tokens
 * @param {number} options.batchSize
 * @param {number} options.join probability that a phrase is joined by the next one
 * @param {number} options.start the decoder's first token
 * @param {number} options.end
 * @param {number} options.seed
 * @param {number} [options.from] index of the first example
 * @returns {Generator<Example, never>}
 */
export function* mergedExamples({ verses, batchSize, join: probability, start, end, seed, from = 0 }) {
  if (verses.length < batchSize)
    throw new RangeError(`mergedExamples needs at least ${batchSize} verses, got ${verses.length}`);
  let first = 0;
  for (let epoch = 0; ; epoch++) {
    const next = random(seed, kMerging, epoch);
    const pairs = verses.flatMap((phrase) => merged(phrase, probability, next));
    const size = Math.floor(pairs.length / batchSize) * batchSize;
    if (first + size > from) {
      const lengths = Int32Array.from(pairs, ({ source, target }) => source.length + target.length);
      const order = epochOrder(lengths, batchSize, seed, epoch);
      for (let i = Math.max(0, from - first); i < order.length; i++) {
        const { source, target, links } = pairs[order[i]];
        const example = sequenceExample(
          { source: Int32Array.of(...source, end), target: Int32Array.of(...target, end) },
          start,
        );
        yield links ? { ...example, links: Int32Array.of(...links, source.length) } : example; // the ends belong together
      }
    }
    first += size;
  }
}

/**
 * @param {Pair[]} phrases of a verse
 * @param {number} probability
 * @param {() => number} next
 * @returns {Pair[]}
 */
function merged(phrases, probability, next) {
  /** @type {Pair[][]} */
  const groups = [];
  let length = 0;
  for (const pair of phrases) {
    const joins = next() < probability && groups.length > 0;
    length += Math.max(pair.source.length, pair.target.length);
    if (joins && length < kMost) {
      groups.at(-1)?.push(pair);
      continue;
    }
    length = Math.max(pair.source.length, pair.target.length);
    groups.push([pair]);
  }
  const side = (/** @type {Pair[]} */ group, /** @type {'source' | 'target'} */ name) =>
    Int32Array.from(group.flatMap((pair) => [...pair[name]]));
  return groups.map((group) => {
    const pair = { source: side(group, 'source'), target: side(group, 'target') };
    if (!group[0].links) return pair;
    let before = 0; // source tokens of the phrases joined before
    const links = group.flatMap(({ source, links: own }) => {
      const moved = Array.from(own ?? [], (link) => (link < 0 ? -1 : link + before));
      before += source.length;
      return moved;
    });
    return { ...pair, links: Int32Array.from(links) };
  });
}

/**
 * Trains twice: the second time from the weights that the first ended with, at a rate of its own.
 * @param {object} recipe
 * @param {string} recipe.name
 * @param {string} recipe.title first sentence of the README
 * @param {import('./sequences.mjs').Shape} recipe.shape
 * @param {{ steps: number, batchSize: number } & Record<string, unknown>} recipe.first settings of the trainer
 * @param {{ steps: number, batchSize: number } & Record<string, unknown>} recipe.settings those of the second time
 * @param {import('./command.mjs').Command} command
 */
export async function trainTranslation({ name, title, shape, first, settings }, command) {
  const { train, test } = readVersePairs();
  const tokenizer = vocabulary(name, train);
  const config = marianConfig(shape, { vocabulary: kVocabulary, positions: kPositions, pad: kPad, end: kEnd });
  const files = folderFiles(tokenizer, config);
  const { seed } = command;
  const verses = command.scoreOnly ? [] : await pairedPhrases(name, train, tokenizer);
  const once = `${name}-first`;
  /** Training `run` from what `begin` writes, with the examples of `order`. */
  const stage = async (
    /** @type {string} */ run,
    /** @type {typeof settings} */ own,
    /** @type {number} */ order,
    /** @type {(folder: string) => void | Promise<void>} */ begin,
  ) => {
    const all = { ...own, steps: command.steps ?? own.steps };
    const start = join(trainingFolder(run), 'start');
    if (!command.scoreOnly && (command.fresh || !existsSync(join(start, 'model.safetensors')))) await begin(start);
    const examples = (/** @type {number} */ from) =>
      mergedExamples({ verses, batchSize: all.batchSize, join: kJoin, start: kPad, end: kEnd, seed: order, from });
    return trainSequences({ name, run, config, files, settings: all, examples }, { ...command, seed: order });
  };
  const earlier = await stage(once, first, seed, (folder) => writeStart(folder, config, verses.flat(), seed));
  if (!earlier.finished) return;
  const result = await stage(name, settings, seed + 1, (folder) => {
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(trainingFolder(once), 'model.safetensors'), join(folder, 'model.safetensors'));
  });
  if (!result.finished) return;
  const scores = await scoreTranslation(result.folder, { train, test, tokenizer }, command.threads);
  writeSequenceReadme({
    name,
    title,
    config: {
      architectures: config.architectures,
      encoder_layers: shape.layers[0],
      decoder_layers: shape.layers[1],
      encoder_attention_heads: shape.heads,
      d_model: shape.width,
      encoder_ffn_dim: shape.feedForward,
    },
    tokens: `${kVocabulary} byte-level BPE tokens of both languages`,
    unit: 'pieces of verses',
    data: `${dataText(train, test)}\n\nTrained twice: ${first.steps.toLocaleString('en')} steps at a peak rate of ${Object(first.optimizer).lr}, then as below from the weights that gave.`,
    command,
    settings,
    result: { ...result, seconds: earlier.seconds + result.seconds },
    scores,
  });
}

/**
 * @param {string} tokenizer
 * @param {Record<string, unknown>} config
 * @returns {Record<string, string>} the files of the folder that are not trained
 */
function folderFiles(tokenizer, config) {
  return {
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': json({
      tokenizer_class: 'PreTrainedTokenizerFast',
      model_max_length: kPositions,
      pad_token: kSpecial[kPad],
      eos_token: kSpecial[kEnd],
      clean_up_tokenization_spaces: false,
    }),
    'generation_config.json': json(
      generationConfig(config, {
        num_beams: kBeams.beams,
        length_penalty: kBeams.lengthPenalty,
        max_new_tokens: kBeams.maxNewTokens,
      }),
    ),
  };
}

/** @param {unknown} value @returns {string} */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Writes the weights that training starts from: drawn from the seed, but for embeddings from counts, so that words and their translations
 * are alike from the first step.
 * @param {string} folder
 * @param {Record<string, unknown>} config
 * @param {Pair[]} pairs without special tokens
 * @param {number} seed
 */
async function writeStart(folder, config, pairs, seed) {
  const width = Number(config.d_model);
  const options = { vocabulary: kVocabulary, special: kSpecial.length, width, deviation: width ** -0.5, seed };
  const model = await create(config, { seed });
  const embeddings = tensor(pairedEmbeddings(pairs, options), [kVocabulary, width]);
  await model.setParameter('model.shared.weight', embeddings);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(await model.save())) writeFileSync(join(folder, name), content);
  model.dispose();
}

/**
 * The vocabulary lies in the model's folder; it is trained if it is not there.
 * @param {string} name
 * @param {VersePair[]} verses
 * @returns {string} a tokenizer.json
 */
function vocabulary(name, verses) {
  const file = join(modelFolder(name), 'tokenizer.json');
  if (!existsSync(file)) {
    mkdirSync(modelFolder(name), { recursive: true });
    const texts = verses.flatMap(({ english, spanish }) => [english, spanish]);
    const options = { size: kVocabulary, special: kSpecial, last: kSpecial[kEnd] };
    writeFileSync(file, trainBytePairs(texts, { ...options, leadingSpace: true, normalizer: kNormalizer }));
  }
  return readFileSync(file, 'utf8');
}

/**
 * The training verses cut into paired phrases, as ids. Pairing takes a minute: its result is kept.
 * @param {string} name
 * @param {VersePair[]} verses
 * @param {string} tokenizer
 * @returns {Promise<Pair[][]>} without end tokens
 */
async function pairedPhrases(name, verses, tokenizer) {
  const pairs = verses.map(({ english, spanish }) => ({ source: words(english), target: words(spanish) }));
  const forward = new WordTranslation(pairs, kRounds);
  const file = join(trainingFolder(name), 'phrases.json');
  if (!existsSync(file)) {
    const backward = new WordTranslation(
      pairs.map(({ source, target }) => ({ source: target, target: source })),
      kRounds,
    );
    mkdirSync(trainingFolder(name), { recursive: true });
    const cut = verses.map(({ english, spanish }) =>
      pairClauses(phrases(english), phrases(spanish), forward, backward),
    );
    writeFileSync(file, JSON.stringify(cut));
  }
  /** @type {{ source: string, target: string }[][]} */
  const cut = JSON.parse(readFileSync(file, 'utf8'));
  const flat = cut.flat();
  const sources = await encodePieces(
    tokenizer,
    flat.map(({ source }) => source),
  );
  const targets = await encodePieces(
    tokenizer,
    flat.map(({ target }) => target),
  );
  let at = 0;
  return cut.map((verse) =>
    verse.map(() => {
      const [source, target] = [sources[at], targets[at++]];
      return { source: source.ids, target: target.ids, links: linkTokens(source, target, forward) };
    }),
  );
}

/**
 * @param {VersePair[]} train
 * @param {VersePair[]} test
 * @returns {string} Markdown
 */
function dataText(train, test) {
  return `English: the World English Bible (Debian \`${ENGLISH_PACKAGE}\`); Spanish: the Reina-Valera of 1909 (\`${SPANISH_PACKAGE}\`); both in the public
domain. Verses are paired by the Strong's numbers in both, the commonest old spellings modernised (á, fué, dió: a, fue, dio). ${train.length.toLocaleString('en')} verses are trained on,
${test.length.toLocaleString('en')} are held out to score on, 300 more were to choose settings with. Training verses are cut at marks into phrases, paired in order by IBM model 1, and
joined again at random.`;
}

const kWord = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\d+/gu;

/**
 * The baseline: each word's likeliest translation in its place, marks kept, quotation marks left out.
 * @param {string} text
 * @param {WordTranslation} table of words in small letters
 * @returns {string}
 */
export function wordByWord(text, table) {
  const bare = text.replace(/[“”‘"]|’(?!\p{L})/gu, '').trim();
  const translated = bare.replace(kWord, (word) => table.best(word.toLowerCase()) ?? word);
  return translated.slice(0, 1).toUpperCase() + translated.slice(1);
}

/**
 * @param {VersePair[]} verses
 * @returns {WordTranslation} for wordByWord
 */
export function wordTable(verses) {
  const match = (/** @type {string} */ text) => text.match(kWord) ?? [];
  return new WordTranslation(
    verses.map(({ english, spanish }) => ({ source: match(english.toLowerCase()), target: match(spanish) })),
    kBaselineRounds,
  );
}

/**
 * Translates clause by clause.
 * @param {string} folder of the model
 * @param {string[]} texts
 * @param {string} tokenizer
 * @param {Record<string, unknown>} options of generate, and threads
 * @returns {Promise<string[]>}
 */
export async function translate(folder, texts, tokenizer, options) {
  const cut = texts.map(clauses);
  const ids = await encodeBytePairs(tokenizer, cut.flat());
  const sources = ids.map((row) => Int32Array.of(...row, kEnd));
  const outputs = await decodeBytePairs(
    tokenizer,
    await generateTargets({ model: folder, sources, end: kEnd, options }),
  );
  let at = 0;
  return cut.map((parts) => parts.map(() => outputs[at++]).join(' '));
}

/**
 * @param {string} folder of the model
 * @param {{ train: VersePair[], test: VersePair[], tokenizer: string }} data
 * @param {number} threads
 * @returns {Promise<string>} Markdown
 */
async function scoreTranslation(folder, { train, test, tokenizer }, threads) {
  const sources = test.map(({ english }) => english);
  const references = test.map(({ spanish }) => spanish);
  const table = wordTable(train);
  const beams = await translate(folder, sources, tokenizer, { ...kBeams, threads });
  const greedy = await translate(folder, sources, tokenizer, { ...kBeams, beams: 1, threads });
  const ends = (/** @type {Int32Array} */ ids) => Int32Array.of(...ids, kEnd);
  const [source, target] = [await encodeBytePairs(tokenizer, sources), await encodeBytePairs(tokenizer, references)];
  const pairs = source.map((ids, i) => ({ source: ends(ids), target: ends(target[i]) }));
  const { loss } = await scoreTargets({ model: folder, pairs, start: kPad, threads });
  const row = (/** @type {string} */ name, /** @type {string[]} */ outputs) =>
    `| ${name} | ${bleu(outputs, references).toFixed(1)} | ${chrF(outputs, references).toFixed(1)} |`;
  const shown = [3, 250, 500, 750, 990].filter((i) => i < test.length);
  return (
    `${test.length.toLocaleString('en')} held-out verses, translated clause by clause; BLEU and chrF2 as sacreBLEU defines them (mixed case, tokenizer 13a):\n\n` +
    '| | BLEU | chrF |\n| --- | --- | --- |\n' +
    `${row(`this model, ${kBeams.beams} beams, length penalty ${kBeams.lengthPenalty}`, beams)}\n${row('this model, greedy', greedy)}\n` +
    `${row(
      'word by word, IBM model 1 from the same verses',
      sources.map((text) => wordByWord(text, table)),
    )}\n\n` +
    `Mean −ln p of a token of whole verses, each given those before it: ${loss.toFixed(3)}.\n\n` +
    shown.map((i) => `> ${sources[i]}  \n> **${beams[i]}**  \n> *${references[i]}*`).join('\n\n')
  );
}
