// A page of one file that shows a run's attention by itself: the recorded weights and scores put into the template that the build
// makes of standalone/.

import { headMatrix } from '../../view/index.js';
import { changesSaid, editedIn } from '../edited.js';
import { axesOf, gridsOf, headsOf, hiddenCells, hookOf } from '../grids.js';
import { packBytes, packFloats, packHalves } from './pack.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Result} Result */
/** @typedef {import('../types.js').Tensor} Tensor */
/** @typedef {import('../grids.js').Grid} Grid */

/** The place in the template that the data takes. */
export const SLOT = '"glassformer data"';

/** Beyond so many values they are stored in half precision, and the page says so: 32 MB of float32. */
const MANY = 8_000_000;

/**
 * One number of each layer, sequence `batch`, in one tensor [layers, heads, queries, keys].
 * @param {Tensor[]} layers
 * @param {number} heads
 * @param {number} batch
 */
function stacked(layers, heads, batch) {
  const { rows, columns } = headMatrix(layers[0]);
  const size = rows * columns;
  const data = new Float32Array(layers.length * heads * size);
  layers.forEach((tensor, layer) => {
    for (let head = 0; head < heads; head++) {
      data.set(headMatrix(tensor, { batch, head }).data, (layer * heads + head) * size);
    }
  });
  return { shape: [layers.length, heads, rows, columns], data };
}

/**
 * Which cells may not be seen, as one matrix where all heads agree; null where all can be seen.
 * @param {Grid} grid
 * @param {{ shape: number[], data: Float32Array }} weights
 * @param {{ data: Float32Array } | null} scores
 * @param {boolean} padded
 */
function hiddenOf(grid, { shape, data }, scores, padded) {
  if (!grid.causal && !padded) return null;
  const [layers, heads, rows, columns] = shape;
  const size = rows * columns;
  const all = new Uint8Array(data.length);
  for (let at = 0; at < layers * heads; at++) {
    const own = scores && { rows, columns, data: scores.data.subarray(at * size, (at + 1) * size) };
    const hidden = hiddenCells(grid, own, { rows, columns });
    if (hidden) all.set(hidden, at * size);
  }
  const same = all.every((value, i) => value === all[i % size]);
  return same ? { shape: [rows, columns], data: all.subarray(0, size) } : { shape, data: all };
}

/**
 * What the page is given.
 * @param {Result} result
 * @param {{ model: string, batch: number, words: Record<string, unknown>, titles: typeof import('../strings.js').STRINGS.grids,
 *   axes: typeof import('../strings.js').STRINGS.axes, language: string, direction: string,
 *   shown: { grid: Grid, layer: number, head: number, kind: string, view: string, query: number | null, key: number | null } }} about
 */
export function pageData(result, { model, batch, words, titles, axes, language, direction, shown }) {
  const grids = gridsOf(result.model).map((grid) => {
    const layers = Array.from({ length: grid.layers }, (_, l) => l);
    const heads = headsOf(result, grid);
    const weights = stacked(
      layers.map((l) => result.run.get(hookOf(grid, l, 'hook_pattern'))),
      heads,
      batch,
    );
    const recorded = layers.map((l) => result.records.peek(hookOf(grid, l, 'hook_attn_scores')));
    const scores = recorded.every((tensor) => tensor !== null) ? stacked(recorded, heads, batch) : null;
    return { grid, weights, scores };
  });
  const count = grids.reduce((sum, { weights, scores }) => sum + weights.data.length + (scores?.data.length ?? 0), 0);
  const pack = count > MANY ? packHalves : packFloats;
  return {
    format: 'glassformer attention 1',
    model,
    texts: result.texts,
    changes: changesSaid(result),
    language,
    direction,
    words,
    shown: { ...shown, grid: shown.grid.name },
    grids: grids.map(({ grid, weights, scores }) => {
      const hidden = hiddenOf(grid, weights, scores, result.padded);
      const edited = editedIn(result, grid, batch);
      return {
        name: grid.name,
        title: titles[grid.name].title,
        same: grid.queries === grid.keys,
        ...axesOf(result, grid, batch),
        ...axes[grid.name],
        weights: pack(weights.shape, weights.data),
        ...(scores ? { scores: pack(scores.shape, scores.data) } : {}),
        ...(hidden ? { hidden: packBytes(hidden.shape, hidden.data) } : {}),
        ...(edited.length > 0 ? { edited } : {}),
      };
    }),
  };
}

/**
 * The template with its data in place. The data stands in a script element of JSON: no "<" is left in it that could end the element.
 * @param {string} template
 * @param {unknown} data
 */
export function pageOf(template, data) {
  const [before, after, ...more] = template.split(SLOT);
  if (after === undefined || more.length > 0) throw new Error(`page: expected a template with ${SLOT} in it once`);
  return before + JSON.stringify(data).replaceAll('<', '\\u003c') + after;
}
