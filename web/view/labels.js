// Paints the tokens along a heatmap: queries down the left, keys over their columns at 45°.

import { font } from './theme.js';

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./layout.js').Label} Label */
/** @typedef {import('./theme.js').Theme} Theme */

/**
 * All labels that have room, and the names of the axes.
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Theme} theme
 */
export function paintLabels(context, layout, theme) {
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  context.font = layout.labelFont;
  context.fillStyle = theme.text;
  context.textAlign = 'right';
  for (const label of layout.rowLabels) context.fillText(label.text, label.x, label.y + layout.labelSize * 0.35);
  context.textAlign = 'left';
  for (const label of layout.columnLabels) slanted(context, layout, label);

  const { axes } = layout;
  context.font = axes.font;
  context.textAlign = 'right';
  axes.lines.forEach(({ text, axis }, i) => {
    context.fillStyle = theme[axis];
    context.fillText(text, axes.x, axes.y - (axes.lines.length - 1 - i) * 14);
  });
}

/**
 * One row's label set off in the query colour, over whatever is there.
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {number} query
 * @param {Theme} theme
 * @param {{ strong?: boolean }} [style] strong for what is selected
 */
export function paintRowLabel(context, layout, query, theme, { strong = false } = {}) {
  const label = layout.rowLabel(query);
  const { plot, labelSize } = layout;
  if (label.y < plot.y || label.y > plot.y + plot.height) return;
  context.fillStyle = theme.background;
  // Labels that this one would run into give way whole.
  for (const other of layout.rowLabels) {
    if (Math.abs(other.y - label.y) < labelSize * 1.05)
      erase(context, other.x - other.width, other.y, other.width, labelSize);
  }
  erase(context, label.x - label.width, label.y, label.width, labelSize);
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  context.textAlign = 'right';
  context.font = font(theme.mono, labelSize, { strong });
  context.fillStyle = theme.query;
  context.fillText(label.text, label.x, label.y + labelSize * 0.35);
}

/**
 * One column's label set off in the key colour.
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {number} key
 * @param {Theme} theme
 * @param {{ strong?: boolean }} [style]
 */
export function paintColumnLabel(context, layout, key, theme, { strong = false } = {}) {
  const label = layout.columnLabel(key);
  const { plot } = layout;
  const middle = label.x - layout.labelSize * 0.26;
  if (middle < plot.x || middle > plot.x + plot.width) return;
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  context.textAlign = 'left';
  context.font = font(theme.mono, layout.labelSize, { strong });
  context.fillStyle = theme.background;
  for (const other of layout.columnLabels) {
    const apart = Math.abs(other.x - label.x) * Math.SQRT1_2;
    if (apart < layout.labelSize * 1.05) slanted(context, layout, other, true);
  }
  slanted(context, layout, label, true);
  context.fillStyle = theme.key;
  slanted(context, layout, label);
}

/** @param {Context2D} context @param {number} x @param {number} middle @param {number} width @param {number} size */
function erase(context, x, middle, width, size) {
  context.fillRect(x - 2, middle - size * 0.6, width + 4, size * 1.2);
}

/**
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Label} label
 * @param {boolean} [blank] fills the text's place instead
 */
function slanted(context, layout, label, blank = false) {
  const size = layout.labelSize;
  context.save();
  context.translate(label.x, label.y);
  context.rotate(-Math.PI / 4);
  if (blank) erase(context, 0, -size * 0.35, label.width, size);
  else context.fillText(label.text, 0, 0);
  context.restore();
}
