// What is painted, from the data: a head's numbers with their colours, and all heads. The same object while nothing changes, so that
// it is not painted again.

import { coloursOf } from '../elements/colouring.js';
import { headMatrix } from '../view/index.js';
import { hiddenOf, matrixOf } from './data.js';

/** @typedef {import('./data.js').Grid} Grid */
/** @typedef {import('../view/heatmap.js').Picture & { queries: string[], keys: string[], queryTitle?: string, keyTitle?: string }} HeadPicture */

/** Keeps the last thing made. @template T */
function createLast() {
  /** @type {{ id: string, value: T } | null} */
  let last = null;
  /** @param {string} id @param {() => T} make @returns {T} */
  return (id, make) => {
    if (last?.id !== id) last = { id, value: make() };
    return last.value;
  };
}

export function createPictures() {
  /** @type {ReturnType<typeof createLast<HeadPicture>>} */
  const one = createLast();
  /** @type {ReturnType<typeof createLast<import('../view/thumbnails.js').ThumbnailsPicture>>} */
  const all = createLast();

  return {
    /**
     * @param {Grid} grid
     * @param {{ layer: number, head: number }} at
     * @param {'weights' | 'scores'} kind
     * @param {boolean} dark
     */
    head: (grid, at, kind, dark) =>
      one([grid.name, at.layer, at.head, kind, dark].join(), () => {
        const matrix = matrixOf((kind === 'scores' && grid.scores) || grid.weights, grid, at);
        const longest = Math.max(matrix.rows, matrix.columns);
        const { queries, keys, queryTitle, keyTitle } = grid;
        return {
          ...{ matrix, masked: hiddenOf(grid, at), queries, keys, queryTitle, keyTitle },
          ...coloursOf({ kind, palette: null, dark }, matrix.data, longest),
        };
      }),

    /** @param {Grid} grid @param {boolean} dark */
    heads: (grid, dark) =>
      all([grid.name, dark].join(), () => {
        const [, ...shape] = grid.weights.shape;
        const size = shape.reduce((product, extent) => product * extent, 1);
        const values = /** @type {Float32Array} */ (grid.weights.data);
        const patterns = Array.from({ length: grid.layers }, (_, layer) => ({
          shape,
          data: values.subarray(layer * size, (layer + 1) * size),
        }));
        const { rows, columns } = headMatrix(patterns[0]);
        return {
          patterns,
          ...coloursOf({ kind: 'weights', palette: null, dark }, [], Math.max(rows, columns)),
          hidden: (layer, head) => hiddenOf(grid, { layer, head }),
        };
      }),
  };
}
