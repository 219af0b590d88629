// The pictures as SVG: the same layouts and the same painters as on a canvas, with cells as rectangles instead of a bitmap. Layouts are
// those for a device pixel a CSS pixel, not scrolled.

import { paintArcs } from './arcs.js';
import { paintCaption } from './caption.js';
import { paintColorBar } from './colorbar.js';
import { outline } from './draw.js';
import { paintNumbers } from './heatmap.js';
import { paintLabels } from './labels.js';
import { headMatrix } from './matrix.js';
import { paintMarks } from './overlay.js';
import { maxPool } from './pool.js';
import { fillPixels } from './scale.js';
import { attributesOf, createSvgContext } from './svg-context.js';
import { paintHeadLabels, paintHeadMarks } from './thumbnails-marks.js';

/** @typedef {import('./types.js').Box} Box */
/** @typedef {import('./types.js').Spot} Spot */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./theme.js').Theme} Theme */
/** @typedef {ReturnType<typeof createSvgContext>} Svg */
/** @typedef {(width: number, height: number, pixels: Uint32Array) => string} ToImage a bitmap as a data: address */
/**
 * The title and the description are for those who cannot see it; the caption stands below the picture.
 * @typedef {{ title: string, description: string, theme: Theme, caption?: import('./caption.js').Caption | null }} About
 */

/**
 * Up to so many cells are rectangles of their own. Beyond, a file would have megabytes of them and open slowly: there cells are the
 * pixels of an image within the file, as large as the matrix. (A data: address is no matter here: the page does not show this file.)
 */
export const MOST_RECTANGLES = 128 * 128;

/**
 * A file with a picture in it, and its caption below.
 * @param {{ width: number, height: number }} size of the picture, CSS pixels
 * @param {About} about
 * @param {(svg: Svg) => void} write
 */
export function svgFile({ width, height }, { title, description, theme, caption = null }, write) {
  const svg = createSvgContext({ width, height: height + (caption?.height ?? 0) });
  write(svg);
  if (caption) svg.group('caption', () => paintCaption(svg.context, caption, theme, height));
  return svg.file({ title, description, background: theme.background });
}

/**
 * A head's heatmap.
 * @param {Svg} svg
 * @param {{ layout: Layout, theme: Theme, picture: import('./heatmap.js').Picture, selected?: Spot | null, edited?: readonly Spot[],
 *   toImage: ToImage }} of edited: cells whose values a reader has set
 */
export function writeHeatmap(svg, { layout, theme, picture, selected = null, edited = [], toImage }) {
  const { context } = svg;
  const { plot, cell, rows, columns, gaps } = layout;
  const { matrix, scale, palette, masked = null } = picture;
  const pixels = new Uint32Array(rows * columns);
  fillPixels(scale, palette, matrix.data, pixels, masked);
  svg.group('cells', () => {
    const hatching = hatchPattern(svg, theme, cell < 12 ? 4 : 6);
    const box = { x: plot.x, y: plot.y, width: columns * cell, height: rows * cell };
    if (rows * columns > MOST_RECTANGLES) writeImage(svg, box, toImage(columns, rows, pixels), hatching);
    else writeCells(svg, box, { rows, columns, pixels }, { gap: gaps ? 1 : 0, hatching });
  });
  if (layout.numbers) svg.group('numbers', () => paintNumbers(context, layout, theme, picture, new Map()));
  if (!gaps) outline(context, plot, theme.rule);
  const free = labelsBeside(layout, selected);
  svg.group('tokens', () => paintLabels(context, free, theme));
  const { bar } = layout;
  if (bar) svg.group('colour bar', () => paintColorBar(context, bar, palette, theme));
  if (edited.length > 0) svg.group('changed cells', () => paintMarks(context, free, theme, { edited }));
  if (selected) svg.group('selection', () => paintMarks(context, free, theme, { selected }));
}

/**
 * A head's weights as lines from queries to keys.
 * @param {Svg} svg
 * @param {{ layout: import('./arcs.js').ArcsLayout, theme: Theme, matrix: import('./types.js').Matrix, lines: import('./arcs.js').Line[],
 *   selected?: Spot | null }} of
 */
export function writeArcs(svg, { layout, theme, matrix, lines, selected = null }) {
  svg.group('lines and tokens', () => paintArcs(svg.context, layout, theme, matrix, lines, { selected }));
}

/**
 * All heads, small.
 * @param {Svg} svg
 * @param {{ layout: import('./thumbnails.js').ThumbnailsLayout, theme: Theme, picture: import('./thumbnails.js').ThumbnailsPicture,
 *   marks?: import('./thumbnails.js').ThumbnailsMarks, toImage: ToImage }} of
 */
export function writeHeads(svg, { layout, theme, picture, marks = {}, toImage }) {
  const { patterns, batch = 0, scale, palette, hidden = null } = picture;
  const { rows, columns } = headMatrix(patterns[0]);
  const many = layout.layers * layout.heads * rows * columns > MOST_RECTANGLES;
  svg.group('heads', () => {
    for (let layer = 0; layer < layout.layers; layer++) {
      for (let head = 0; head < layout.heads; head++) {
        const matrix = headMatrix(patterns[layer], { batch, head });
        const off = hidden?.(layer, head) ?? null;
        const box = layout.box({ layer, head });
        svg.group(`layer ${layer} head ${head}`, () => {
          if (many) {
            // Two pixels a CSS pixel; the largest value of those that share one, as on the page.
            const side = Math.round(layout.size * 2);
            const pixels = new Uint32Array(side * side);
            fillPixels(scale, palette, maxPool(matrix, side, side, off), pixels);
            writeImage(svg, box, toImage(side, side, pixels));
          } else {
            const pixels = new Uint32Array(rows * columns);
            fillPixels(scale, palette, matrix.data, pixels, off);
            writeCells(svg, box, { rows, columns, pixels }, {});
          }
        });
      }
    }
  });
  svg.group('numbers of layers and heads', () => paintHeadLabels(svg.context, layout, theme));
  svg.group('selection', () => paintHeadMarks(svg.context, layout, theme, marks, { rows, columns }));
}

/**
 * A rectangle for each cell; what has no colour is hatched, a rectangle for each stretch of it.
 * @param {Svg} svg
 * @param {Box} box
 * @param {{ rows: number, columns: number, pixels: Uint32Array }} cells
 * @param {{ gap?: number, hatching?: string | null }} style gap: between cells; hatching: none in thumbnails
 */
function writeCells(svg, box, { rows, columns, pixels }, { gap = 0, hatching = null }) {
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const [cellWidth, cellHeight] = [box.width / columns, box.height / rows];
  /** @param {number} row @param {number} from @param {number} to @param {string} fill */
  const rectangle = (row, from, to, fill) => {
    const width = (to - from) * cellWidth - (to < columns ? gap : 0);
    const height = cellHeight - (row < rows - 1 ? gap : 0);
    const place = { x: box.x + from * cellWidth, y: box.y + row * cellHeight, width, height };
    return `<rect${attributesOf({ ...place, fill })}/>`;
  };
  for (let row = 0; row < rows; row++) {
    const line = [];
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (pixels[at] !== 0) {
        line.push(rectangle(row, column, column + 1, hexOf(bytes.subarray(at * 4, at * 4 + 3))));
        continue;
      }
      const from = column;
      while (column + 1 < columns && pixels[at + column + 1 - from] === 0) column++;
      if (hatching !== null) line.push(rectangle(row, from, column + 1, hatching));
    }
    // Edges on whole pixels: no light shines through between neighbours at any size.
    svg.write(`<g shape-rendering="crispEdges">${line.join('')}</g>`);
  }
}

/** @param {Svg} svg @param {Box} box @param {string} href @param {string | null} [hatching] behind what has no colour */
function writeImage(svg, box, href, hatching = null) {
  if (hatching !== null) svg.write(`<rect${attributesOf({ ...box, fill: hatching })}/>`);
  const crisp = { preserveAspectRatio: 'none', 'image-rendering': 'pixelated' };
  svg.write(`<image${attributesOf({ ...box, ...crisp, href, 'xlink:href': href, 'xmlns:xlink': XLINK })}/>`);
}

// Readers of SVG 1.1 find an image's address only under this name.
const XLINK = 'http://www.w3.org/1999/xlink';

/** Thin diagonal lines: the sign for "may not be seen". @param {Svg} svg @param {Theme} theme @param {number} spacing */
function hatchPattern(svg, theme, spacing) {
  const s = spacing;
  // Beyond the corners too, where the line of the next tile comes in.
  const d = `M-1 1L1 -1M0 ${s}L${s} 0M${s - 1} ${s + 1}L${s + 1} ${s - 1}`;
  const line = `<path${attributesOf({ d, stroke: theme.rule, 'stroke-width': 1 })}/>`;
  return `url(#${svg.define('pattern', { patternUnits: 'userSpaceOnUse', width: s, height: s }, line)})`;
}

/**
 * The layout without the labels that a selected one takes the place of: in a file, what is painted over would still be found.
 * @param {Layout} layout
 * @param {Spot | null} selected
 * @returns {Layout}
 */
function labelsBeside(layout, selected) {
  const { query = null, key = null } = selected ?? {};
  const row = query === null || query >= layout.rows ? null : layout.rowLabel(query);
  const column = key === null || key >= layout.columns ? null : layout.columnLabel(key);
  const room = layout.labelSize * 1.05;
  return {
    ...layout,
    rowLabels: layout.rowLabels.filter(({ y }) => row === null || Math.abs(y - row.y) >= room),
    columnLabels: layout.columnLabels.filter(
      ({ x }) => column === null || Math.abs(x - column.x) * Math.SQRT1_2 >= room,
    ),
  };
}

/** @param {Uint8Array} bytes red, green, blue */
function hexOf(bytes) {
  return `#${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
