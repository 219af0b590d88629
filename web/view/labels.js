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
  for (const label of layout.columnLabels) slanted(context, layout, label, null);

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
  const half = Math.max(labelSize * 0.62, Math.min(layout.cell / 2, labelSize));
  context.fillStyle = theme.background;
  context.fillRect(0, label.y - half, label.x + 3, 2 * half);
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
  context.fillStyle = theme.key;
  slanted(context, layout, label, theme.background);
}

/**
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Label} label
 * @param {string | null} background painted under the text, where given
 */
function slanted(context, layout, label, background) {
  const size = layout.labelSize;
  context.save();
  context.translate(label.x, label.y);
  context.rotate(-Math.PI / 4);
  if (background !== null) {
    const color = context.fillStyle;
    context.fillStyle = background;
    context.fillRect(-2, -size * 0.95, label.width + 4, size * 1.2);
    context.fillStyle = color;
  }
  context.fillText(label.text, 0, 0);
  context.restore();
}
