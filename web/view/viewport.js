// Zooming and scrolling a heatmap: from a layout and a wish to the options of the next layout.

/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {{ cell: number | undefined, scrollX: number, scrollY: number }} View the options that a layout is made with */

const LARGEST_CELL = 96;

/**
 * Scales the cells about a point that stays under the pointer. Not smaller than the whole matrix fitted to its room: there
 * `cell` is undefined, which means fitted.
 * @param {Layout} layout
 * @param {number} factor over 1 to enlarge
 * @param {{ x: number, y: number }} point CSS pixels
 * @param {number} fittedCell the cell of the fitted layout
 * @returns {View}
 */
export function zoomAt(layout, factor, { x, y }, fittedCell) {
  const { plot, scrollX, scrollY, dpr } = layout;
  let cell = Math.min(LARGEST_CELL, layout.cell * factor);
  // Whole device pixels, and always a step in the direction asked for.
  if (cell * dpr >= 3) cell = (factor > 1 ? Math.ceil(cell * dpr) : Math.floor(cell * dpr)) / dpr;
  if (cell <= fittedCell) return { cell: undefined, scrollX: 0, scrollY: 0 };
  const stay = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ scroll) =>
    Math.max(0, ((at - from + scroll) / layout.cell) * cell - (at - from));
  return { cell, scrollX: stay(x, plot.x, scrollX), scrollY: stay(y, plot.y, scrollY) };
}

/**
 * Scrolls as little as brings a cell, row or column into view, with a cell's room around it where there is room.
 * @param {Layout} layout
 * @param {import('./types.js').Spot} spot
 * @returns {{ scrollX: number, scrollY: number }}
 */
export function reveal(layout, { query = null, key = null }) {
  const { plot, cell, scrollX, scrollY, maxScrollX, maxScrollY } = layout;
  const along = (
    /** @type {number | null} */ index,
    /** @type {number} */ scroll,
    /** @type {number} */ room,
    /** @type {number} */ max,
  ) => {
    if (index === null) return scroll;
    const margin = Math.max(0, Math.min(cell, (room - cell) / 2));
    const highest = index * cell - margin;
    const lowest = (index + 1) * cell + margin - room;
    return Math.min(max, Math.max(0, Math.max(lowest, Math.min(highest, scroll))));
  };
  return {
    scrollX: along(key, scrollX, plot.width, maxScrollX),
    scrollY: along(query, scrollY, plot.height, maxScrollY),
  };
}
