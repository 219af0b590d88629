// Paints over the grid of heads what is chosen, pointed at and switched off, and beside it the numbers of layers and heads.

import { outline } from './draw.js';

/** @typedef {import('./types.js').Box} Box */
/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./theme.js').Theme} Theme */
/** @typedef {import('./thumbnails.js').ThumbnailsLayout} ThumbnailsLayout */
/** @typedef {import('./thumbnails.js').ThumbnailsMarks} ThumbnailsMarks */

/** The numbers of layers and heads. @param {Context2D} context @param {ThumbnailsLayout} layout @param {Theme} theme */
export function paintHeadLabels(context, layout, theme) {
  context.font = layout.font;
  context.fillStyle = theme.muted;
  context.textBaseline = 'alphabetic';
  for (const { text, x, y, align } of layout.labels) {
    context.textAlign = align;
    context.fillText(text, x, y);
  }
}

/**
 * What is chosen, pointed at, lit and switched off, over the grid.
 * @param {Context2D} context
 * @param {ThumbnailsLayout} layout
 * @param {Theme} theme
 * @param {ThumbnailsMarks} marks
 * @param {{ rows: number, columns: number }} size of a pattern
 */
export function paintHeadMarks(context, layout, theme, marks, { rows, columns }) {
  if (marks.lit) light(context, layout, theme, marks.lit, rows, columns);
  for (const spot of marks.off ?? []) strike(context, layout.box(spot), theme);
  for (const [spot, color, thickness] of /** @type {const} */ ([
    [marks.hover, theme.text, 1],
    [marks.selected, theme.accent, 2],
  ])) {
    if (spot) outline(context, layout.box(spot), color, { thickness, inset: -1, dpr: layout.dpr });
  }
}

/** A line from corner to corner, with the background's colour on both sides. @param {Context2D} context @param {Box} box @param {Theme} theme */
function strike(context, { x, y, width, height }, theme) {
  context.save();
  context.lineCap = 'butt';
  for (const [color, thickness] of /** @type {const} */ ([
    [theme.background, 5],
    [theme.text, 2],
  ])) {
    context.strokeStyle = color;
    context.lineWidth = thickness;
    context.beginPath();
    context.moveTo(x, y + height);
    context.lineTo(x + width, y);
    context.stroke();
  }
  context.restore();
}

/**
 * Lights a row and a column in every head by dimming all else: the colours themselves stay true. One path for the grid.
 * @param {Context2D} context
 * @param {ThumbnailsLayout} layout
 * @param {Theme} theme
 * @param {import('./types.js').Spot} lit
 * @param {number} rows
 * @param {number} columns
 */
function light(context, layout, theme, { query = null, key = null }, rows, columns) {
  if (query === null && key === null) return;
  const { size, dpr } = layout;
  const span = (/** @type {number | null} */ index, /** @type {number} */ count) => {
    if (index === null || index >= count) return { from: 0, to: 0 };
    const from = Math.floor(((index * size) / count) * dpr) / dpr;
    return { from, to: Math.max(from + 1, Math.ceil((((index + 1) * size) / count) * dpr) / dpr) };
  };
  const row = span(query, rows);
  const column = span(key, columns);
  context.beginPath();
  for (let layer = 0; layer < layout.layers; layer++) {
    for (let head = 0; head < layout.heads; head++) {
      const { x, y } = layout.box({ layer, head });
      for (const [top, bottom] of [
        [0, row.from],
        [row.to, size],
      ]) {
        if (bottom <= top) continue;
        if (column.from > 0) context.rect(x, y + top, column.from, bottom - top);
        if (column.to < size) context.rect(x + column.to, y + top, size - column.to, bottom - top);
      }
    }
  }
  context.save();
  context.globalAlpha = 0.72;
  context.fillStyle = theme.background;
  context.fill();
  context.restore();
}
