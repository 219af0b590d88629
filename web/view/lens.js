// The lens: where cells are too small to be told apart it shows those around the pointer enlarged, with the number and the
// two tokens of the one in the middle.

import { outline } from './draw.js';
import { nearestCell } from './hit.js';
import { spotBox } from './layout.js';
import { writeNumber } from './numbers.js';
import { elide, visibleToken } from './text.js';
import { font } from './theme.js';

/** @typedef {import('./types.js').Box} Box */
/** @typedef {import('./layout.js').Layout} Layout */
/**
 * @typedef {object} Lens
 * @property {number} query the cell in the middle
 * @property {number} key
 * @property {Box} box the whole lens, with its two lines of text
 * @property {Box} view the enlarged cells
 * @property {number} cell side of an enlarged cell
 * @property {{ query: number, key: number }} first the cell in the view's upper left; may be negative at an edge
 */

const CELLS = 11;
const CELL = 14;
const CAPTION = 40;
const DISTANCE = 18;

/**
 * Where the lens stands for a pointer: beside it, above a finger, always within the canvas.
 * @param {Layout} layout
 * @param {{ x: number, y: number, touch?: boolean }} point
 * @returns {Lens}
 */
export function placeLens(layout, point) {
  const { query, key } = nearestCell(layout, point.x, point.y);
  const side = CELLS * CELL;
  const width = side + 2;
  const height = side + CAPTION + 2;
  let x = point.touch ? point.x - width / 2 : point.x + DISTANCE;
  let y = point.touch ? point.y - height - 36 : point.y + DISTANCE;
  if (!point.touch && x + width > layout.width) x = point.x - DISTANCE - width;
  if (!point.touch && y + height > layout.height) y = point.y - DISTANCE - height;
  x = Math.round(Math.min(layout.width - width - 1, Math.max(1, x)));
  y = Math.round(Math.min(layout.height - height - 1, Math.max(1, y)));
  const half = (CELLS - 1) / 2;
  return {
    query,
    key,
    box: { x, y, width, height },
    view: { x: x + 1, y: y + 1, width: side, height: side },
    cell: CELL,
    first: { query: query - half, key: key - half },
  };
}

/**
 * @param {import('./types.js').Context2D} context
 * @param {Layout} layout
 * @param {import('./theme.js').Theme} theme
 * @param {import('./heatmap.js').Picture} picture
 * @param {import('./types.js').Surface} bitmap one pixel a value
 * @param {{ x: number, y: number, touch?: boolean }} point
 */
export function paintLens(context, layout, theme, picture, bitmap, point) {
  const lens = placeLens(layout, point);
  const { box, view, cell, first } = lens;
  const { dpr } = layout;

  // What the lens shows, on the heatmap itself.
  const corner = spotBox(layout, first);
  outline(context, { ...corner, width: CELLS * layout.cell, height: CELLS * layout.cell }, theme.text, { dpr });

  context.fillStyle = theme.background;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.save();
  context.beginPath();
  context.rect(view.x, view.y, view.width, view.height);
  context.clip();
  context.imageSmoothingEnabled = false;
  // The part of the window that lies inside the matrix.
  const from = { query: Math.max(0, first.query), key: Math.max(0, first.key) };
  const rows = Math.min(layout.rows, first.query + CELLS) - from.query;
  const columns = Math.min(layout.columns, first.key + CELLS) - from.key;
  const x = view.x + (from.key - first.key) * cell;
  const y = view.y + (from.query - first.query) * cell;
  context.drawImage(bitmap, from.key, from.query, columns, rows, x, y, columns * cell, rows * cell);
  context.restore();
  outline(context, { ...box, x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 }, theme.text, {
    dpr,
  });
  const middle = ((CELLS - 1) / 2) * cell;
  outline(context, { x: view.x + middle, y: view.y + middle, width: cell, height: cell }, theme.accent, {
    thickness: 2,
    dpr,
    casing: theme.background,
  });
  paintCaption(context, lens, theme, picture);
}

/**
 * @param {import('./types.js').Context2D} context
 * @param {Lens} lens
 * @param {import('./theme.js').Theme} theme
 * @param {import('./heatmap.js').Picture} picture
 */
function paintCaption(context, { box, view, query, key }, theme, { matrix, queries, keys, masked }) {
  const at = query * matrix.columns + key;
  const value = masked?.[at] ? -Infinity : matrix.data[at];
  const number = writeNumber(value, Math.abs(value) >= 10 ? 2 : 3);
  const left = box.x + 8;
  const right = box.x + box.width - 8;
  const first = view.y + view.height + 16;
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  context.font = font(theme.mono, 13, { strong: true });
  context.textAlign = 'right';
  context.fillStyle = theme.text;
  context.fillText(number, right, first);
  context.font = font(theme.mono, 12);
  context.textAlign = 'left';
  const measure = (/** @type {string} */ text) => context.measureText(text).width;
  const line = (/** @type {string | undefined} */ token, /** @type {number} */ index, /** @type {number} */ room) =>
    elide(`${index} ${visibleToken(token ?? '')}`, context.font, room, measure);
  context.fillStyle = theme.query;
  context.fillText(line(queries?.[query], query, right - left - 60), left, first);
  context.fillStyle = theme.key;
  context.fillText(line(keys?.[key], key, right - left), left, first + 16);
}
