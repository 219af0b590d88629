// Tensors of the run on show as files, with what they are from.

import { headMatrix } from '../../view/index.js';
import { axesOf, hookOf, sequenceAt } from '../grids.js';
import { safetensorsOf } from './safetensors.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Result} Result */
/** @typedef {import('../grids.js').Grid} Grid */
/** @typedef {{ grid: Grid, layer: number, head: number, batch: number }} At */

/** What a run is of, for the beginning of a file. @param {Result} result @param {string} model its name @param {number} batch */
export function sourceOf(result, model, batch) {
  const { texts, target, edits } = result;
  const [text, second] = texts;
  return {
    model,
    text,
    ...(second === undefined ? {} : { second_text: second }),
    tokens: sequenceAt(result, 'source', batch).tokens,
    ...(target ? { target_tokens: target.tokens } : {}),
    // What was set in the run by hand: at a hook, where in it, to which value.
    ...(edits.length > 0 ? { changes: edits } : {}),
  };
}

/** Metadata of a safetensors file are texts: a list is written as JSON. @param {Record<string, unknown>} values */
function metadataOf(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/**
 * The numbers on show, where they are not one head's own.
 * @param {Result} result
 * @param {string} model
 * @param {number} batch
 * @param {import('../aggregate.js').Numbers} numbers
 * @param {Record<string, unknown>} about
 */
export function shownTensors(result, model, batch, { matrix, queries, keys, kind }, about) {
  const { rows, columns, data } = matrix;
  const metadata = metadataOf({ ...sourceOf(result, model, batch), ...about, queries, keys });
  return safetensorsOf([{ name: kind, shape: [rows, columns], data }], metadata);
}

/**
 * A head's weights and scores.
 * @param {Result} result
 * @param {string} model
 * @param {At} at
 */
export async function headTensors(result, model, { grid, layer, head, batch }) {
  const names = { weights: 'hook_pattern', scores: 'hook_attn_scores' };
  const tensors = [];
  for (const [name, hook] of Object.entries(names)) {
    const { rows, columns, data } = headMatrix(await result.records.get(hookOf(grid, layer, hook)), { batch, head });
    tensors.push({ name, shape: [rows, columns], data });
  }
  const place = { attention: grid.name, layer, head, ...axesOf(result, grid, batch) };
  return safetensorsOf(tensors, metadataOf({ ...sourceOf(result, model, batch), ...place }));
}

/** Everything that the run recorded, under its hooks' names. @param {Result} result @param {string} model @param {number} batch */
export function runTensors(result, model, batch) {
  const tensors = result.run.names.map((name) => ({ name, ...result.run.get(name) }));
  const all = result.sequences.length > 1 ? { sequences: result.sequences.map(({ tokens }) => tokens) } : {};
  return safetensorsOf(tensors, metadataOf({ ...sourceOf(result, model, batch), ...all }));
}
