// Paints what is selected and what is pointed at over a heatmap: the row in the query colour, the column in the key colour,
// the cell in the accent colour, with their labels; changed cells have a corner. Fills nothing, so that every colour stays the one the value has.

import { outline } from './draw.js';
import { spotBox } from './layout.js';
import { paintColumnLabel, paintRowLabel } from './labels.js';

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./types.js').Spot} Spot */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./theme.js').Theme} Theme */

/**
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Theme} theme
 * @param {{ selected?: Spot | null, hover?: Spot | null, edited?: readonly Spot[] }} marks edited: cells whose values a reader has set
 */
export function paintMarks(context, layout, theme, { selected = null, hover = null, edited = [] }) {
  paintEdited(context, layout, theme, edited);
  const both = [
    { spot: selected, strong: true },
    { spot: hover, strong: false },
  ];
  for (const { spot, strong } of both) {
    if (spot === null) continue;
    const query = inRange(spot.query, layout.rows);
    const key = inRange(spot.key, layout.columns);
    context.save();
    clipToPlot(context, layout, 3);
    if (query !== null) paintBand(context, layout, { query }, theme.query, theme, strong);
    if (key !== null) paintBand(context, layout, { key }, theme.key, theme, strong);
    if (query !== null && key !== null) {
      const color = strong ? theme.accent : theme.text;
      outline(context, cellBox(layout, { query, key }), color, {
        thickness: strong ? 2 : 1,
        dpr: layout.dpr,
        casing: theme.background,
      });
    }
    context.restore();
    if (query !== null) paintRowLabel(context, layout, query, theme, { strong });
    if (key !== null) paintColumnLabel(context, layout, key, theme, { strong });
  }
}

/** Of a cell's side, and CSS pixels at most. */
const CORNER = { part: 0.4, most: 11 };

/**
 * A folded corner, upper right, within a line around the cell: a form, so that no colour is needed to see it.
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Theme} theme
 * @param {readonly Spot[]} cells
 */
function paintEdited(context, layout, theme, cells) {
  if (cells.length === 0) return;
  context.save();
  clipToPlot(context, layout, 1);
  for (const { query, key } of cells) {
    if (inRange(query, layout.rows) === null || inRange(key, layout.columns) === null) continue;
    const box = cellBox(layout, { query, key });
    outline(context, box, theme.text, { thickness: 1, dpr: layout.dpr, casing: theme.background });
    const size = Math.min(box.width * CORNER.part, CORNER.most);
    const [right, top] = [box.x + box.width, box.y];
    for (const [side, color] of /** @type {const} */ ([
      [size + 2, theme.background],
      [size, theme.text],
    ])) {
      context.fillStyle = color;
      context.beginPath();
      context.moveTo(right - side, top);
      context.lineTo(right, top);
      context.lineTo(right, top + side);
      context.fill();
    }
  }
  context.restore();
}

/**
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Spot} spot
 * @param {string} color
 * @param {Theme} theme
 * @param {boolean} strong
 */
function paintBand(context, layout, spot, color, theme, strong) {
  outline(context, cellBox(layout, spot), color, {
    thickness: strong ? 2 : 1,
    dpr: layout.dpr,
    casing: strong && layout.cell >= 8 ? theme.background : undefined,
  });
}

/** The box without the gap line that ends it. @param {Layout} layout @param {Spot} spot */
function cellBox(layout, spot) {
  const box = spotBox(layout, spot);
  const gap = layout.gaps ? 1 : 0;
  return { ...box, width: box.width - gap, height: box.height - gap };
}

/** @param {Context2D} context @param {Layout} layout @param {number} margin */
function clipToPlot(context, { plot }, margin) {
  context.beginPath();
  context.rect(plot.x - margin, plot.y - margin, plot.width + 2 * margin, plot.height + 2 * margin);
  context.clip();
}

/** @param {number | null | undefined} index @param {number} count */
function inRange(index, count) {
  return index !== null && index !== undefined && index >= 0 && index < count ? index : null;
}
