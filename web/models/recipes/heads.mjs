// What each head looks at: the table in a model's README, computed with the engine's own patterns.

import { SPECIAL } from './vocabulary.mjs';

/** @typedef {{ layer: number, head: number, previous: number, next: number, itself: number, cls: number, sep: number, other: number }} HeadRow */

/** The columns of the table. Each weight is counted once, in the first column that fits: a row's sum is 1. */
export const COLUMNS = /** @type {const} */ (['previous', 'next', 'itself', 'cls', 'sep', 'other']);

/**
 * Sums one text's pattern into rows. Queries are the text's own tokens, not the special ones.
 * @param {Float32Array} pattern [H, T, S] weights of one layer and one text
 * @param {ArrayLike<number>} ids the text's T = S token ids
 * @param {HeadRow[]} rows one for each head, added to
 * @returns {number} queries counted
 */
export function addPattern(pattern, ids, rows) {
  const length = ids.length;
  const special = (/** @type {number} */ i) => ids[i] === SPECIAL['[CLS]'] || ids[i] === SPECIAL['[SEP]'];
  let queries = 0;
  for (let query = 0; query < length; query++) {
    if (special(query)) continue;
    queries++;
    rows.forEach((row, head) => {
      for (let key = 0; key < length; key++) {
        const weight = pattern[(head * length + query) * length + key];
        if (key === query - 1) row.previous += weight;
        else if (key === query + 1) row.next += weight;
        else if (key === query) row.itself += weight;
        else if (ids[key] === SPECIAL['[CLS]']) row.cls += weight;
        else if (ids[key] === SPECIAL['[SEP]']) row.sep += weight;
        else row.other += weight;
      }
    });
  }
  return queries;
}

/**
 * The mean weight of every head over texts.
 * @param {string} folder of the model
 * @param {string[]} texts
 * @returns {Promise<HeadRow[]>} layer by layer
 */
export async function headTable(folder, texts) {
  const { load } = await import('../../engine/index.js');
  const model = await load(folder);
  /** @type {HeadRow[][]} */
  const layers = [];
  let queries = 0;
  for (const text of texts) {
    const run = await model.run(text, { record: ['blocks.*.attn.hook_pattern'] });
    const ids = run.ids[0];
    for (let layer = 0; layer < model.config.num_hidden_layers; layer++) {
      const { shape, data } = run.get(`blocks.${layer}.attn.hook_pattern`);
      layers[layer] ??= Array.from({ length: shape[1] }, (_, head) => ({
        layer,
        head,
        previous: 0,
        next: 0,
        itself: 0,
        cls: 0,
        sep: 0,
        other: 0,
      }));
      const counted = addPattern(data, ids, layers[layer]);
      if (layer === 0) queries += counted;
    }
  }
  await model.dispose();
  const rows = layers.flat();
  for (const row of rows) for (const column of COLUMNS) row[column] /= queries;
  return rows;
}

/**
 * @param {HeadRow[]} rows
 * @returns {string} a Markdown table
 */
export function headMarkdown(rows) {
  const lines = rows.map(
    (row) => `| ${row.layer}.${row.head} | ${COLUMNS.map((column) => row[column].toFixed(2)).join(' | ')} |`,
  );
  return [
    '| head | previous | next | itself | [CLS] | [SEP] | other tokens |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
