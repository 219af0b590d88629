// Which cell, row label or column label lies under a point: the inverse of layout.js.

import { LABEL_GAP } from './layout.js';

/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {{ part: 'cell' | 'row' | 'column', query: number | null, key: number | null }} Hit */

const REACH = 6;

/**
 * @param {Layout} layout
 * @param {number} x CSS pixels from the canvas's left edge
 * @param {number} y
 * @returns {Hit | null} null where there is nothing to point at
 */
export function hitHeatmap(layout, x, y) {
  const { plot } = layout;
  const inColumns = x >= plot.x && x < plot.x + plot.width;
  const inRows = y >= plot.y && y < plot.y + plot.height;
  if (inColumns && inRows) return { part: 'cell', query: rowAt(layout, y), key: columnAt(layout, x) };
  if (inRows && x >= 0 && x < plot.x) return { part: 'row', query: rowAt(layout, y), key: null };
  if (y >= 0 && y < plot.y) {
    // Labels run up at 45° from their column: go back down along that line.
    const foot = x - Math.max(0, plot.y - LABEL_GAP - y);
    if (foot < plot.x || foot >= plot.x + plot.width) return null;
    const key = columnAt(layout, foot);
    const height = (layout.columnLabel(key).width + layout.labelSize) * Math.SQRT1_2 + REACH;
    return plot.y - y <= height + REACH ? { part: 'column', query: null, key } : null;
  }
  return null;
}

/**
 * The cell nearest to a point, for a pointer that was pressed inside and dragged out.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {{ query: number, key: number }}
 */
export function nearestCell(layout, x, y) {
  const { plot } = layout;
  const inside = (/** @type {number} */ v, /** @type {number} */ from, /** @type {number} */ size) =>
    Math.min(from + size - 1e-6, Math.max(from, v));
  return {
    query: rowAt(layout, inside(y, plot.y, plot.height)),
    key: columnAt(layout, inside(x, plot.x, plot.width)),
  };
}

/** @param {Layout} layout @param {number} y */
function rowAt({ plot, scrollY, cell, rows }, y) {
  return Math.min(rows - 1, Math.max(0, Math.floor((y - plot.y + scrollY) / cell)));
}

/** @param {Layout} layout @param {number} x */
function columnAt({ plot, scrollX, cell, columns }, x) {
  return Math.min(columns - 1, Math.max(0, Math.floor((x - plot.x + scrollX) / cell)));
}
