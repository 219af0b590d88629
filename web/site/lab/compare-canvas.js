// A heatmap beside the picture: pointed at, chosen and moved over by keys like it, with the same cell chosen in both.

import { html, render } from 'lit/html.js';
import { createHeatmapCanvas, moveByKey, watchPixelRatio } from '../../elements/canvas/index.js';

/** @typedef {import('../../view/types.js').Spot} Spot */
/** @typedef {{ query: number | null, key: number | null }} Cell of what is drawn */

/**
 * @param {HTMLElement} frame
 * @param {string} name of the canvas
 * @param {{ hover: (cell: Cell | null) => void, choose: (cell: Cell) => void, say: (cell: { query: number, key: number }) => string }} callbacks
 */
export function createComparedCanvas(frame, name, { hover, choose, say }) {
  const id = `cell-${name}`;
  render(
    html`<canvas class=${name} tabindex="0" role="application" aria-describedby=${id} @keydown=${move}></canvas>
      <p id=${id} class="hidden" aria-live="polite"></p>`,
    frame,
  );
  const canvas = /** @type {HTMLCanvasElement} */ (frame.querySelector('canvas'));
  const now = /** @type {HTMLElement} */ (frame.querySelector('p'));
  const cellOf = (/** @type {Spot} */ { query = null, key = null }) => ({ query, key });
  const heatmap = createHeatmapCanvas(canvas, {
    hover: (spot) => hover(spot && cellOf(spot)),
    choose: (spot) => choose(cellOf(spot)),
  });
  /** @type {{ rows: number, columns: number } | null} */
  let size = null;
  /** @type {Cell} */
  let selected = { query: null, key: null };

  /** @param {KeyboardEvent} event */
  function move(event) {
    if (!size) return;
    if (event.key === 'Escape') return choose({ query: null, key: null });
    const { query, key } = selected;
    const from = query === null && key === null ? null : { row: query ?? 0, column: key ?? 0 };
    const to = moveByKey(event, from, size);
    if (!to) return;
    event.preventDefault();
    const cell = { query: to.row, key: to.column };
    choose(cell);
    heatmap.reveal(cell);
    now.textContent = say(cell);
  }
  watchPixelRatio(() => heatmap.place());

  return {
    /** @param {Parameters<typeof heatmap.show>[0]} next @param {string} label */
    show(next, label) {
      const { rows, columns } = next.picture.matrix;
      size = { rows, columns };
      canvas.setAttribute('aria-label', label);
      heatmap.show(next);
    },
    /** @param {Cell} chosen @param {Cell} lit @param {readonly Cell[]} [edited] cells that a reader has set */
    mark(chosen, lit, edited = []) {
      selected = chosen;
      const some = (/** @type {Cell} */ cell) => (cell.query === null && cell.key === null ? null : cell);
      heatmap.mark({ selected: some(chosen), hover: some(lit), edited });
    },
  };
}
