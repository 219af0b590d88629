// Where everything of a heatmap stands: a pure function of tokens, room and fonts. Painting, hit testing and the lens all
// read its result. Query tokens run down the left, key tokens across the top at 45°, the colour bar is on the right, or
// below where the room is narrow. Lengths are CSS pixels; edges lie on device pixels.

import { fittedTexts } from './fitted.js';
import { font } from './theme.js';

/** @typedef {import('./types.js').Box} Box */
/** @typedef {import('./types.js').Measure} Measure */
/**
 * @typedef {object} LayoutOptions
 * @property {string[]} queries T tokens
 * @property {string[]} keys S tokens
 * @property {number} width room
 * @property {number} [height] room; as high as needed when left out
 * @property {Measure} measure
 * @property {{ sans: string, mono: string }} fonts families, e.g. a Theme
 * @property {number} [dpr] device pixels per CSS pixel
 * @property {number} [cell] side of a cell; fitted to the room when left out
 * @property {number} [maxCell] largest side when fitted
 * @property {number} [scrollX] how far the cells are scrolled; clamped
 * @property {number} [scrollY]
 * @property {'auto' | 'right' | 'below' | 'none'} [bar]
 * @property {string} [barTitle]
 * @property {{ at: number, text: string }[]} [ticks] of the colour bar
 * @property {import('./scale.js').CellFormat[]} [formats] ways to write a cell's number, most detailed first
 * @property {string} [queryTitle] names of the axes
 * @property {string} [keyTitle]
 *
 * @typedef {{ index: number, x: number, y: number, text: string, width: number }} Label
 *   x, y: right end of a row's label and its middle; start of a column's label on its baseline, from where it runs up at 45°
 * @typedef {object} Layout
 * @property {number} width what is used of the room
 * @property {number} height
 * @property {number} dpr
 * @property {number} rows T
 * @property {number} columns S
 * @property {number} cell side of a cell
 * @property {Box} plot the visible cells' frame
 * @property {number} scrollX clamped
 * @property {number} scrollY
 * @property {number} maxScrollX
 * @property {number} maxScrollY
 * @property {{ from: number, to: number }} visibleRows half open
 * @property {{ from: number, to: number }} visibleColumns
 * @property {'cells' | 'small' | 'overview'} mode `small`: under 10 px, no numbers; `overview`: under 3 px, needs the lens
 * @property {boolean} gaps whether a line parts the cells
 * @property {{ font: string, format: import('./scale.js').CellFormat } | null} numbers
 * @property {string} labelFont
 * @property {number} labelSize
 * @property {Label[]} rowLabels those that have room
 * @property {Label[]} columnLabels
 * @property {(query: number) => Label} rowLabel any row's label, also one left out for want of room
 * @property {(key: number) => Label} columnLabel
 * @property {{ x: number, y: number, lines: { text: string, axis: 'query' | 'key' }[], font: string }} axes names in the corner:
 *   right end and last baseline
 * @property {{ box: Box, vertical: boolean, title: string, ticks: { at: number, text: string }[], font: string } | null} bar
 */

/** Below these sides a cell has no number, and cannot be told from its neighbours. */
export const NUMBER_CELL = 10;
export const OVERVIEW_CELL = 3;
/** From this side on, a line parts the cells. */
export const GAP_CELL = 14;

/** Between the plot and its labels. */
export const LABEL_GAP = 7;

const SLANT = Math.SQRT1_2;
const NARROW = 520;
// A shorter way to write a number that still has decimals is taken before the font gets smaller than this; before the last
// decimal goes, the font may go down to MIN_FONT.
const EASY_FONT = 11.5;
const MIN_FONT = 9;
const MAX_FONT = 13;

/**
 * @param {LayoutOptions} options
 * @returns {Layout}
 */
export function layoutHeatmap(options) {
  const { queries, keys, width, height = Infinity, measure, fonts, dpr = 1, maxCell = 56 } = options;
  const rows = queries.length;
  const columns = keys.length;
  if (rows === 0 || columns === 0) {
    throw new RangeError(`layoutHeatmap: expected at least one query and one key, got ${rows} and ${columns}`);
  }
  const narrow = width < NARROW;
  const snap = (/** @type {number} */ v) => Math.round(v * dpr) / dpr;

  const labelSize = narrow ? 12 : 13;
  const labelFont = font(fonts.mono, labelSize);
  const longest = narrow ? Math.min(72, width * 0.2) : 112;
  const queryTexts = fittedTexts(queries, { font: labelFont, longest, measure });
  const keyTexts = fittedTexts(keys, { font: labelFont, longest, measure });

  // The corner between the labels names both axes; the widest of all this is the left margin.
  const axisFont = font(fonts.sans, 11);
  const axisLines = [
    { text: `${options.keyTitle ?? 'key'} \u2192`, axis: /** @type {const} */ ('key') },
    { text: `${options.queryTitle ?? 'query'} \u2193`, axis: /** @type {const} */ ('query') },
  ];
  const axisWidth = Math.max(...axisLines.map((line) => measure(line.text, axisFont)));
  const left = snap(Math.max(queryTexts.widest(), axisWidth) + LABEL_GAP + 1);
  const top = snap(Math.max((keyTexts.widest() + labelSize * 0.8) * SLANT + LABEL_GAP, 38));

  const bar = measureBar(options, narrow);
  const right = bar?.vertical ? bar.thickness : 0;
  const below = bar && !bar.vertical ? bar.thickness : 0;

  const rightMargin = (/** @type {number} */ cell) =>
    Math.max(right, overhang(keyTexts, cell, { longest, size: labelSize }));
  const fitted = (/** @type {number} */ margin) =>
    Math.min((width - left - margin) / columns, (height - top - below - 1) / rows, maxCell);
  // The last labels lean over the right edge by a length that depends on the cell: the second pass knows it.
  const first = fitted(rightMargin(maxCell));
  const cell = whole(Math.max(options.cell ?? fitted(rightMargin(Math.max(first, 0.5))), 1 / 8), dpr);

  const margin = Math.ceil(rightMargin(cell));
  const room = { x: Math.max(width - left - margin, cell), y: Math.max(height - top - below, cell) };
  const plot = {
    x: left,
    y: top,
    // A row beside very many columns is narrower than a pixel, and is still seen.
    width: snap(Math.max(Math.min(columns * cell, room.x), 1 / dpr)),
    height: snap(Math.max(Math.min(rows * cell, room.y), 1 / dpr)),
  };
  const maxScrollX = Math.max(0, columns * cell - plot.width);
  const maxScrollY = Math.max(0, rows * cell - plot.height);
  const scrollX = snap(clamp(options.scrollX ?? 0, 0, maxScrollX));
  const scrollY = snap(clamp(options.scrollY ?? 0, 0, maxScrollY));

  /** @param {number} index @returns {Label} */
  const rowLabel = (index) => ({
    index,
    x: plot.x - LABEL_GAP,
    y: plot.y + (index + 0.5) * cell - scrollY,
    ...queryTexts.at(index),
  });
  /** @param {number} index @returns {Label} */
  const columnLabel = (index) => ({
    index,
    x: plot.x + (index + 0.5) * cell - scrollX + labelSize * 0.26,
    y: plot.y - LABEL_GAP,
    ...keyTexts.at(index),
  });
  const visibleRows = visible(scrollY, plot.height, cell, rows);
  const visibleColumns = visible(scrollX, plot.width, cell, columns);
  const lineHeight = labelSize * 1.15;
  // Slanted labels begin at different heights: they need less room to be told apart.
  const slantedHeight = (labelSize * 1.05) / SLANT;

  const barLayout = bar && placeBar(bar, plot, snap);
  const barEnd = barLayout ? (barLayout.vertical ? plot.x + plot.width + right : plot.x + barLayout.box.width) : 0;
  const barBottom = barLayout ? barLayout.box.y + barLayout.box.height + (bar?.vertical ? 6 : (bar?.tail ?? 0)) : 0;
  return {
    width: Math.ceil(Math.max(plot.x + plot.width + margin, barEnd)),
    height: Math.ceil(Math.max(plot.y + plot.height + 1, barBottom)),
    dpr,
    rows,
    columns,
    cell,
    plot,
    scrollX,
    scrollY,
    maxScrollX,
    maxScrollY,
    visibleRows,
    visibleColumns,
    mode: cell < OVERVIEW_CELL ? 'overview' : cell < NUMBER_CELL ? 'small' : 'cells',
    gaps: cell >= GAP_CELL,
    numbers: chooseNumbers(options, cell),
    labelFont,
    labelSize,
    rowLabels: thinned(centred(scrollY, plot.height, cell, rows), Math.ceil(lineHeight / cell)).map(rowLabel),
    columnLabels: thinned(centred(scrollX, plot.width, cell, columns), Math.ceil(slantedHeight / cell)).map(
      columnLabel,
    ),
    rowLabel,
    columnLabel,
    axes: { x: plot.x - LABEL_GAP, y: plot.y - 8, lines: axisLines, font: axisFont },
    bar: barLayout,
  };
}

/**
 * The box of a cell, row or column, clipped by nobody: it may lie outside the plot when scrolled.
 * @param {Layout} layout
 * @param {import('./types.js').Spot} spot
 * @returns {Box}
 */
export function spotBox(layout, { query = null, key = null }) {
  const { plot, cell, scrollX, scrollY, rows, columns } = layout;
  return {
    x: plot.x - scrollX + (key ?? 0) * cell,
    y: plot.y - scrollY + (query ?? 0) * cell,
    width: key === null ? columns * cell : cell,
    height: query === null ? rows * cell : cell,
  };
}

/**
 * How far the slanted labels reach past the right edge of the last column.
 * @param {import('./fitted.js').FittedTexts} texts
 * @param {number} cell
 * @param {{ longest: number, size: number }} label longest: CSS pixels that a label may take; size: of its font
 */
function overhang(texts, cell, { longest, size }) {
  const reach = (/** @type {number} */ width) => (width + size * 0.8) * SLANT;
  // Those further from the edge than the longest label do not get there.
  const near = Math.ceil(reach(longest) / cell);
  let most = 0;
  for (let i = Math.max(0, texts.count - 1 - near); i < texts.count; i++) {
    most = Math.max(most, reach(texts.at(i).width) - (texts.count - i - 0.5) * cell);
  }
  return most;
}

/**
 * A cell that is some whole number of device pixels, where that costs little; smaller cells may differ by a pixel.
 * @param {number} cell
 * @param {number} dpr
 */
function whole(cell, dpr) {
  return cell * dpr >= 3 ? Math.floor(cell * dpr + 1e-6) / dpr : cell;
}

/** @param {number} value @param {number} low @param {number} high */
function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/** @param {number} scroll @param {number} room @param {number} cell @param {number} count */
function visible(scroll, room, cell, count) {
  return {
    from: Math.min(count - 1, Math.floor(scroll / cell + 1e-6)),
    to: Math.min(count, Math.ceil((scroll + room) / cell - 1e-6)),
  };
}

/** Those whose middle is in view. @param {number} scroll @param {number} room @param {number} cell @param {number} count */
function centred(scroll, room, cell, count) {
  return {
    from: Math.max(0, Math.ceil(scroll / cell - 0.5 - 1e-6)),
    to: Math.min(count, Math.floor((scroll + room) / cell - 0.5 + 1e-6) + 1),
  };
}

/** Every step-th index, on a grid that stays put when scrolled. @param {{ from: number, to: number }} range @param {number} step */
function thinned({ from, to }, step) {
  const indices = [];
  for (let i = Math.ceil(from / step) * step; i < to; i += step) indices.push(i);
  return indices;
}

/** @param {LayoutOptions} options @param {number} cell */
function chooseNumbers({ formats = [], fonts, measure }, cell) {
  if (cell < NUMBER_CELL) return null;
  const room = cell * 0.72;
  for (const format of formats) {
    const unit = measure(format.widest, font(fonts.mono, 100)) / 100;
    const size = Math.min(MAX_FONT, Math.floor((room / unit) * 2) / 2, Math.floor(cell * 0.4 * 2) / 2);
    const shorter = formats[formats.indexOf(format) + 1];
    if (size >= (shorter && shorter.decimals > 0 ? EASY_FONT : MIN_FONT)) {
      return { font: font(fonts.mono, size), format };
    }
  }
  return null;
}

/** @param {LayoutOptions} options @param {boolean} narrow */
function measureBar({ bar = 'auto', ticks = [], barTitle = '', fonts, measure }, narrow) {
  if (bar === 'none') return null;
  const vertical = bar === 'auto' ? !narrow : bar === 'right';
  const barFont = font(fonts.mono, 11);
  const tickWidth = ticks.reduce((most, { text }) => Math.max(most, measure(text, barFont)), 0);
  const titleRoom = barTitle ? 18 : 0;
  const tail = 18 + titleRoom;
  const titleWidth = barTitle ? measure(barTitle, font(fonts.sans, 11)) : 0;
  const length = Math.max(112, Math.ceil(titleWidth));
  const thickness = vertical ? 18 + 10 + 6 + Math.ceil(tickWidth) + titleRoom : 16 + 8 + tail;
  return { vertical, ticks, title: barTitle, font: barFont, thickness, tail, length };
}

/**
 * @param {NonNullable<ReturnType<typeof measureBar>>} bar
 * @param {Box} plot
 * @param {(v: number) => number} snap
 */
function placeBar({ vertical, ticks, title, font: barFont, length }, plot, snap) {
  const along = (/** @type {number} */ side) => snap(clamp(side, length, Math.max(length, 240)));
  const box = vertical
    ? { x: snap(plot.x + plot.width + 18), y: plot.y, width: 10, height: along(plot.height) }
    : { x: plot.x, y: snap(plot.y + plot.height + 16), width: along(plot.width), height: 8 };
  return { box, vertical, title, ticks, font: barFont };
}
