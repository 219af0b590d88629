// Where a model that reads dates looks while it writes: how much of its cross-attention lies on the part of the source that says
// what is being written. Computed with the engine's own patterns.

import { SPECIAL } from './characters.mjs';
import { isoDate, normalise } from './dates-data.mjs';

/** @typedef {import('./dates-data.mjs').Writer} Writer */
/** @typedef {{ layer: number, head: number, year: number, month: number, day: number }} AlignmentRow shares of weight, 0 to 1 */

/** Where each part stands in 'YYYY-MM-DD': the decoder's queries that have a digit of it to say next. */
export const TARGET_PLACES = Object.freeze({ year: [0, 1, 2, 3], month: [5, 6], day: [8, 9] });
const kParts = /** @type {const} */ (['year', 'month', 'day']);

/**
 * Which tokens of a written date say its year, month and day. Where a part is in digits (a day always is), these are the digits;
 * a month's name counts whole.
 * @param {{ type: string, value: string }[]} parts as Intl.DateTimeFormat gives them
 * @returns {{ characters: string[], places: Record<'year' | 'month' | 'day', number[]> }}
 */
export function sourcePlaces(parts) {
  /** @type {string[]} */
  const characters = [];
  /** @type {Record<'year' | 'month' | 'day', number[]>} */
  const places = { year: [], month: [], day: [] };
  for (const { type, value } of parts) {
    const own = normalise(value);
    const digits = own.some((character) => /\p{Nd}/u.test(character));
    own.forEach((character, i) => {
      if ((type === 'year' || type === 'month' || type === 'day') && (!digits || /\p{Nd}/u.test(character)))
        places[type].push(characters.length + i);
    });
    characters.push(...own);
  }
  return { characters, places };
}

/**
 * @param {Float32Array} pattern [H, T, S] weights of one layer and one text
 * @param {[number, number]} size T, S
 * @param {number} head
 * @param {number[]} queries
 * @param {number[]} keys
 * @returns {number} mean over queries of the weight on the keys
 */
export function massOn(pattern, [length, width], head, queries, keys) {
  let sum = 0;
  for (const query of queries) for (const key of keys) sum += pattern[(head * length + query) * width + key];
  return sum / queries.length;
}

/**
 * @param {string} folder of the model
 * @param {{ writer: Writer, day: number }[]} tests
 * @param {Map<string, number>} vocabulary
 * @returns {Promise<AlignmentRow[]>} means over the tests, head by head
 */
export async function alignmentTable(folder, tests, vocabulary) {
  const { load } = await import('../../engine/index.js');
  const model = await load(folder);
  const { decoder_layers: layers, decoder_attention_heads: heads } = model.config;
  /** @type {AlignmentRow[]} */
  const rows = Array.from({ length: layers * heads }, (_, i) => ({
    layer: Math.floor(i / heads),
    head: i % heads,
    year: 0,
    month: 0,
    day: 0,
  }));
  const id = (/** @type {string} */ character) => vocabulary.get(character) ?? SPECIAL['<unk>'];
  for (const { writer, day } of tests) {
    const { characters, places } = sourcePlaces(writer.parts(day));
    const ids = [...characters.map(id), SPECIAL['</s>']];
    const decoderIds = [SPECIAL['<pad>'], ...[...isoDate(day)].map(id)];
    const run = await model.run(
      { ids: [ids], decoderIds: [decoderIds] },
      { record: ['decoder.blocks.*.cross_attn.hook_pattern'] },
    );
    for (const row of rows) {
      const { data } = run.get(`decoder.blocks.${row.layer}.cross_attn.hook_pattern`);
      for (const part of kParts)
        row[part] +=
          massOn(data, [decoderIds.length, ids.length], row.head, TARGET_PLACES[part], places[part]) / tests.length;
    }
  }
  await model.dispose();
  return rows;
}

/**
 * @param {AlignmentRow[]} rows
 * @param {number} dates they are means over
 * @returns {string} Markdown
 */
export function alignmentMarkdown(rows, dates) {
  const best = rows.reduce((a, b) => (b.day > a.day ? b : a));
  const share = (/** @type {number} */ value) => `${(100 * value).toFixed(0)} %`;
  return `## Cross-attention

While the day's digits are written, head ${best.layer}.${best.head} has **${(100 * best.day).toFixed(1)} %** of its weight on the day's digits in the source. Means over ${dates} held-out dates
of all locales: the share of a head's weight that lies on the source's year, month or day while the same is being written.

| decoder layer.head | year on year | month on month | day on day |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row.layer}.${row.head} | ${share(row.year)} | ${share(row.month)} | ${share(row.day)} |`).join('\n')}`;
}
