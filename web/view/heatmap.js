// Paints a heatmap. The matrix becomes a bitmap of one pixel a value, once; the whole picture without pointer or selection is
// kept at device resolution, so a frame while the pointer moves is one drawImage and a few outlines, at any size. Another matrix
// in the same place, as when the pointer moves over heads, repaints the cells alone: labels and colour bar stay.

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
  // Rows as text, by row and format: scrolling writes the same rows again.
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  const exact = createBitmap(createSurface);
  const shrunk = createBitmap(createSurface);
  /** @type {{ surface: Surface, picture: Picture, layout: Layout, theme: Theme } | null} */
  let base = null;

  /** The cells as they are, one pixel a value. @param {Picture} of */
  const whole = ({ matrix, scale, palette, masked }) =>
    exact.of(matrix.columns, matrix.rows, (pixels) => fillPixels(scale, palette, matrix.data, pixels, masked));

  /** The cells where they have fewer pixels than values: the largest value of each pixel, so that thin lines stay. @param {Picture} of @param {Layout} layout */
  const pooled = ({ matrix, scale, palette, masked }, { plot, dpr }) => {
    const [width, height] = [Math.round(plot.width * dpr), Math.round(plot.height * dpr)];
    return shrunk.of(width, height, (pixels) =>
      fillPixels(scale, palette, maxPool(matrix, width, height, masked), pixels),
    );
  };

  /** Brings the base up to date. @param {Picture} now @param {Layout} layout @param {Theme} theme */
  function repaint(now, layout, theme) {
    const width = Math.max(1, Math.round(layout.width * layout.dpr));
    const height = Math.max(1, Math.round(layout.height * layout.dpr));
    const kept = base?.surface;
    const surface = kept && kept.width === width && kept.height === height ? kept : createSurface(width, height);
    const context = contextOf(surface);
    const around = base?.layout !== layout || base.theme !== theme || base.picture.palette !== now.palette;
    if (around) begin(context, layout.width, layout.height, layout.dpr);
    if (around || base?.picture !== now) {
      const small = layout.cell * layout.dpr < 1;
      paintCells(context, layout, theme, now, texts, small ? pooled(now, layout) : whole(now));
    }
    if (around) paintAround(context, layout, theme, now);
    base = { surface, picture: now, layout, theme };
    return surface;
  }

  return {
    /** Takes what to show. Its values are read while it is painted: they stay as they are until the next. @param {Picture} next */
    update(next) {
      // An object of its own: what is told again is painted again.
      picture = { ...next };
      texts.clear();
      exact.clear();
      shrunk.clear();
    },

    /**
     * Paints a frame. The canvas has `layout.width · dpr` by `layout.height · dpr` pixels.
     * @param {Context2D} context
     * @param {Layout} layout keep the object while nothing moves: a new one repaints everything
     * @param {Theme} theme
     * @param {Marks} [marks]
     */
    paint(context, layout, theme, marks = {}) {
      if (picture === null) throw new Error('heatmap: update() comes before paint()');
      const { matrix } = picture;
      if (layout.rows !== matrix.rows || layout.columns !== matrix.columns) {
        throw new RangeError(
          `heatmap: the layout is for ${layout.rows} × ${layout.columns}, the matrix has ${matrix.rows} × ${matrix.columns}`,
        );
      }
      const surface = repaint(picture, layout, theme);
      begin(context, layout.width, layout.height, layout.dpr);
      context.drawImage(surface, 0, 0, layout.width, layout.height);
      paintMarks(context, layout, theme, marks);
      if (marks.lens) paintLens(context, layout, theme, picture, whole(picture).surface, marks.lens);
    },
  };
}

/**
 * What lies within the plot.
 * @param {Context2D} context
 * @param {Layout} layout
 * @param {Theme} theme
 * @param {Picture} picture
 * @param {Map<string, string[]>} texts rows already written
 * @param {Bitmap} cells one pixel a value, or, where there are fewer pixels than values, a device pixel
 */
function paintCells(context, layout, theme, picture, texts, { surface, clear }) {
  const { plot, cell, scrollX, scrollY, dpr } = layout;
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  context.clearRect(plot.x, plot.y, plot.width, plot.height);
  if (clear) hatch(context, plot, theme.rule, cell < 12 ? 4 : 6);
  context.imageSmoothingEnabled = false;
  if (cell * dpr < 1) context.drawImage(surface, plot.x, plot.y, plot.width, plot.height);
  else context.drawImage(surface, plot.x - scrollX, plot.y - scrollY, layout.columns * cell, layout.rows * cell);
  if (layout.gaps) paintGaps(context, layout, theme);
  if (layout.numbers) paintNumbers(context, layout, theme, picture, texts);
  context.restore();
}

/** What lies around the plot. @param {Context2D} context @param {Layout} layout @param {Theme} theme @param {Picture} picture */
function paintAround(context, layout, theme, { palette }) {
  if (!layout.gaps) outline(context, layout.plot, theme.rule, { dpr: layout.dpr, thickness: 1 });
  paintLabels(context, layout, theme);
  if (layout.bar) paintColorBar(context, layout.bar, palette, theme);
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

/** @typedef {{ surface: Surface, clear: boolean }} Bitmap clear: some of its pixels have no colour */

/**
 * A bitmap of coloured values, made when it is asked for and kept until it is cleared; the canvas beneath serves the next of its size.
 * @param {import('./types.js').CreateSurface} createSurface
 */
function createBitmap(createSurface) {
  /** @type {Surface | null} */
  let surface = null;
  /** @type {Bitmap | null} */
  let made = null;
  return {
    clear() {
      made = null;
    },
    /** @param {number} width @param {number} height @param {(pixels: Uint32Array) => boolean} fill whether it left some clear @returns {Bitmap} */
    of(width, height, fill) {
      if (made && made.surface.width === width && made.surface.height === height) return made;
      if (surface?.width !== width || surface.height !== height) surface = createSurface(width, height);
      const context = contextOf(surface);
      const image = context.createImageData(width, height);
      const clear = fill(new Uint32Array(image.data.buffer, image.data.byteOffset, width * height));
      context.putImageData(image, 0, 0);
      made = { surface, clear };
      return made;
    },
  };
}

/** @param {Surface} surface @returns {Context2D} */
export function contextOf(surface) {
  const context = /** @type {Context2D | null} */ (surface.getContext('2d'));
  if (context === null) throw new Error('heatmap: the canvas gives no 2D context');
  return context;
}
