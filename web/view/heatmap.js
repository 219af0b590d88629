// Paints a heatmap. The matrix becomes a bitmap of one pixel a value, once; the whole picture without pointer or selection is
// kept at device resolution, so a frame while the pointer moves is one drawImage and a few outlines, at any size.

import { begin, hatch, outline } from './draw.js';
import { paintColorBar } from './colorbar.js';
import { paintLabels } from './labels.js';
import { paintLens } from './lens.js';
import { paintMarks } from './overlay.js';
import { maxPool } from './pool.js';
import { fillPixels, indexOf } from './scale.js';
import { roundToSum, writeNumber, writeUnits } from './numbers.js';

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./types.js').Matrix} Matrix */
/** @typedef {import('./types.js').Spot} Spot */
/** @typedef {import('./types.js').Surface} Surface */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./theme.js').Theme} Theme */
/**
 * @typedef {object} Picture what is shown
 * @property {Matrix} matrix
 * @property {import('./scale.js').Scale} scale
 * @property {import('./palette.js').Palette} palette
 * @property {Uint8Array | null} [masked] rows × columns, 1 where a cell may not be seen; −Infinity needs no mention
 * @property {string[]} [queries] token texts, for the lens
 * @property {string[]} [keys]
 *
 * @typedef {object} Marks what is pointed at, chosen and changed
 * @property {Spot | null} [selected]
 * @property {Spot | null} [hover]
 * @property {readonly Spot[]} [edited] cells whose values a reader has set
 * @property {{ x: number, y: number, touch?: boolean } | null} [lens] where the pointer is, to show the lens there
 */

/**
 * A painter that keeps its bitmaps between frames.
 * @param {import('./types.js').CreateSurface} createSurface
 */
export function createHeatmap(createSurface) {
  /** @type {Picture | null} */
  let picture = null;
  /** @type {Surface | null} */
  let bitmap = null;
  let hatched = false;
  // Rows as text, by row and format: scrolling writes the same rows again.
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  /** @type {{ surface: Surface, layout: Layout, theme: Theme } | null} */
  let base = null;

  return {
    /** Takes what to show; values are read now. @param {Picture} next */
    update(next) {
      const { matrix, scale, palette, masked = null } = next;
      picture = next;
      hatched = hasMasked(next);
      texts.clear();
      bitmap = toBitmap(matrix.columns, matrix.rows, createSurface, (pixels) =>
        fillPixels(scale, palette, matrix.data, pixels, masked),
      );
      base = null;
    },

    /**
     * Paints a frame. The canvas has `layout.width · dpr` by `layout.height · dpr` pixels.
     * @param {Context2D} context
     * @param {Layout} layout keep the object while nothing moves: a new one repaints everything
     * @param {Theme} theme
     * @param {Marks} [marks]
     */
    paint(context, layout, theme, marks = {}) {
      if (picture === null || bitmap === null) throw new Error('heatmap: update() comes before paint()');
      const { matrix } = picture;
      if (layout.rows !== matrix.rows || layout.columns !== matrix.columns) {
        throw new RangeError(
          `heatmap: the layout is for ${layout.rows} × ${layout.columns}, the matrix has ${matrix.rows} × ${matrix.columns}`,
        );
      }
      if (base === null || base.layout !== layout || base.theme !== theme) {
        const width = Math.max(1, Math.round(layout.width * layout.dpr));
        const height = Math.max(1, Math.round(layout.height * layout.dpr));
        const kept = base?.surface;
        const surface = kept && kept.width === width && kept.height === height ? kept : createSurface(width, height);
        paintBase(contextOf(surface), layout, theme, { picture, bitmap, hatched, texts }, createSurface);
        base = { surface, layout, theme };
      }
      begin(context, layout.width, layout.height, layout.dpr);
      context.drawImage(base.surface, 0, 0, layout.width, layout.height);
      paintMarks(context, layout, theme, marks);
      if (marks.lens) paintLens(context, layout, theme, picture, bitmap, marks.lens);
    },
  };
}

/**
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Theme} theme
 * @param {{ picture: Picture, bitmap: Surface, hatched: boolean, texts: Map<string, string[]> }} kept between paints
 * @param {import('./types.js').CreateSurface} createSurface
 */
function paintBase(context, layout, theme, { picture, bitmap, hatched, texts }, createSurface) {
  begin(context, layout.width, layout.height, layout.dpr);
  const { plot, cell, scrollX, scrollY, dpr } = layout;

  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  if (hatched) hatch(context, plot, theme.rule, cell < 12 ? 4 : 6);
  context.imageSmoothingEnabled = false;
  if (cell * dpr < 1) {
    // Fewer pixels than values: the largest value of each pixel, so that thin lines stay.
    const shown = pooled(picture, Math.round(plot.width * dpr), Math.round(plot.height * dpr), createSurface);
    context.drawImage(shown, plot.x, plot.y, plot.width, plot.height);
  } else {
    const { matrix } = picture;
    context.drawImage(bitmap, plot.x - scrollX, plot.y - scrollY, matrix.columns * cell, matrix.rows * cell);
  }
  if (layout.gaps) paintGaps(context, layout, theme);
  if (layout.numbers) paintNumbers(context, layout, theme, picture, texts);
  context.restore();

  if (!layout.gaps) outline(context, plot, theme.rule, { dpr, thickness: 1 });
  paintLabels(context, layout, theme);
  if (layout.bar) paintColorBar(context, layout.bar, picture.palette, theme);
}

/** @param {Context2D} context @param {Layout} layout @param {Theme} theme */
function paintGaps(context, { plot, cell, scrollX, scrollY, visibleRows, visibleColumns, dpr }, theme) {
  const thickness = cell >= 28 ? Math.max(1, Math.round(dpr)) / dpr : 1 / dpr;
  context.fillStyle = theme.background;
  for (let row = visibleRows.from + 1; row < visibleRows.to; row++) {
    context.fillRect(plot.x, plot.y + row * cell - scrollY - thickness, plot.width, thickness);
  }
  for (let column = visibleColumns.from + 1; column < visibleColumns.to; column++) {
    context.fillRect(plot.x + column * cell - scrollX - thickness, plot.y, thickness, plot.height);
  }
}

/**
 * The numbers in the cells, where they have room.
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Theme} theme
 * @param {Picture} picture
 * @param {Map<string, string[]>} kept rows already written
 */
export function paintNumbers(context, layout, theme, { matrix, scale, palette, masked = null }, kept) {
  const { plot, cell, scrollX, scrollY, visibleRows, visibleColumns, numbers } = layout;
  if (numbers === null) return;
  const { columns, data } = matrix;
  const size = parseFloat(numbers.font);
  context.font = numbers.font;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  // A minus stands before its number on a page from right to left too.
  context.direction = 'ltr';
  for (let row = visibleRows.from; row < visibleRows.to; row++) {
    const values = data.subarray(row * columns, (row + 1) * columns);
    const middle = plot.y + (row + 0.5) * cell - scrollY;
    // A cell cut by the edge has a number only if its middle shows: half a number would be another number.
    if (middle < plot.y || middle > plot.y + plot.height) continue;
    const id = `${row} ${numbers.format.widest}`;
    const texts = kept.get(id) ?? rowTexts(values, scale, numbers.format);
    kept.set(id, texts);
    const y = middle + size * 0.36;
    for (let column = visibleColumns.from; column < visibleColumns.to; column++) {
      const x = plot.x + (column + 0.5) * cell - scrollX;
      if (x < plot.x || x > plot.x + plot.width) continue;
      const index = masked?.[row * columns + column] ? -1 : indexOf(scale, values[column]);
      context.fillStyle = index < 0 ? theme.muted : palette.ink[index];
      // A masked score is −∞; a masked weight, and a difference of masked ones, is no number at all: the hatching says so.
      if (index < 0 && values[column] !== -Infinity) continue;
      const text = index < 0 ? writeNumber(-Infinity, 0) : texts[column];
      context.fillText(text, x - 0.5, y);
    }
  }
}

/**
 * The numbers of one row as shown. A row of weights is rounded so that what is shown adds up.
 * @param {Float32Array} values
 * @param {import('./scale.js').Scale} scale
 * @param {{ decimals: number, leadingZero: boolean }} format
 * @returns {string[]}
 */
export function rowTexts(values, scale, { decimals, leadingZero }) {
  if (scale.kind === 'weights' && values.every(Number.isFinite)) {
    return roundToSum(values, decimals).map((units) => writeUnits(units, decimals, { leadingZero }));
  }
  return Array.from(values, (value) => writeNumber(value, decimals, { leadingZero }));
}

/** @param {Picture} picture */
function hasMasked({ matrix: { data }, masked = null }) {
  if (masked?.includes(1)) return true;
  for (let i = 0; i < data.length; i++) if (!(data[i] > -Infinity)) return true;
  return false;
}

/**
 * @param {Picture} picture
 * @param {number} width device pixels
 * @param {number} height
 * @param {import('./types.js').CreateSurface} createSurface
 */
function pooled({ matrix, scale, palette, masked = null }, width, height, createSurface) {
  const values = maxPool(matrix, width, height, masked);
  return toBitmap(width, height, createSurface, (pixels) => fillPixels(scale, palette, values, pixels));
}

/**
 * @param {number} width
 * @param {number} height
 * @param {import('./types.js').CreateSurface} createSurface
 * @param {(pixels: Uint32Array) => void} fill
 */
export function toBitmap(width, height, createSurface, fill) {
  const surface = createSurface(width, height);
  const context = contextOf(surface);
  const image = context.createImageData(width, height);
  fill(new Uint32Array(image.data.buffer, image.data.byteOffset, width * height));
  context.putImageData(image, 0, 0);
  return surface;
}

/** @param {Surface} surface @returns {Context2D} */
export function contextOf(surface) {
  const context = /** @type {Context2D | null} */ (surface.getContext('2d'));
  if (context === null) throw new Error('heatmap: the canvas gives no 2D context');
  return context;
}
