// One head's heatmap on a canvas in a page: it joins the view's layout and painter with the pointer, zoom and scroll. What is
// pointed at and chosen is reported; what is marked is told.

import {
  OVERVIEW_CELL,
  createHeatmap,
  hitHeatmap,
  layoutHeatmap,
  measureWith,
  nearestCell,
  reveal,
  zoomAt,
} from '../../view/index.js';
import { followPointer } from './pointer.js';
import { contextOf, createSurface, oncePerFrame, resize } from './surface.js';

/** @typedef {import('../../view/types.js').Spot} Spot */
/** @typedef {import('./pointer.js').Point} Point */
/**
 * @typedef {object} Shown
 * @property {import('../../view/heatmap.js').Picture & { queries: string[], keys: string[], queryTitle?: string, keyTitle?: string }} picture
 * @property {import('../../view/theme.js').Theme} theme
 * @property {number} width room, CSS pixels
 * @property {number} height
 * @property {string} barTitle
 *
 * @typedef {object} Callbacks
 * @property {(spot: Spot | null) => void} hover
 * @property {(spot: Spot) => void} choose
 * @property {() => void} [zoomed] after the zoom has changed
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Callbacks} callbacks
 */
export function createHeatmapCanvas(canvas, { hover, choose, zoomed }) {
  const context = contextOf(canvas);
  const measure = measureWith(contextOf(createSurface(1, 1)));
  const heatmap = createHeatmap(createSurface);
  /** @type {Shown | null} */
  let shown = null;
  /** @type {import('../../view/layout.js').Layout | null} */
  let layout = null;
  /** What the layout is of: one that stays the same object spares the painter all but the cells. @type {object} */
  let laidOut = {};
  let fittedCell = 0;
  /** @type {import('../../view/viewport.js').View} */
  let view = { cell: undefined, scrollX: 0, scrollY: 0 };
  /** @type {{ selected: Spot | null, hover: Spot | null, edited?: readonly Spot[] }} */
  let marks = { selected: null, hover: null };
  /** @type {{ x: number, y: number, touch?: boolean } | null} */
  let lens = null;

  const repaint = oncePerFrame(() => {
    if (!shown || !layout) return;
    resize(canvas, layout);
    heatmap.paint(context, layout, shown.theme, { ...marks, lens });
  });

  function place() {
    if (!shown) return;
    const { picture, theme, width, height, barTitle } = shown;
    const dpr = window.devicePixelRatio || 1;
    const { ticks, formats } = picture.scale;
    const { queries, keys, queryTitle, keyTitle } = picture;
    const common = { queries, keys, queryTitle, keyTitle, width, height, measure, fonts: theme, dpr };
    const options = { ...common, ticks, formats, barTitle };
    if (sameParts(laidOut, { ...options, ...view })) {
      repaint();
      return;
    }
    const fitted = layoutHeatmap(options);
    fittedCell = fitted.cell;
    if (view.cell !== undefined && view.cell <= fittedCell) view = { cell: undefined, scrollX: 0, scrollY: 0 };
    layout = view.cell === undefined ? fitted : layoutHeatmap({ ...options, ...view });
    view = { cell: view.cell, scrollX: layout.scrollX, scrollY: layout.scrollY };
    laidOut = { ...options, ...view };
    repaint();
  }

  /** @param {import('../../view/viewport.js').View} next */
  function moveTo(next) {
    const before = layout;
    view = next;
    place();
    const moved =
      before?.cell !== layout?.cell || before?.scrollX !== layout?.scrollX || before?.scrollY !== layout?.scrollY;
    if (before?.cell !== layout?.cell) zoomed?.();
    return moved;
  }

  /** @param {Point} point @returns {Spot | null} */
  const spotAt = ({ x, y }) => {
    const hit = layout && hitHeatmap(layout, x, y);
    return hit && { query: hit.query, key: hit.key };
  };

  followPointer(canvas, {
    hover(point) {
      const spot = point && spotAt(point);
      const overCell = (spot?.query ?? null) !== null && (spot?.key ?? null) !== null;
      lens = point && overCell && layout?.mode === 'overview' ? point : null;
      hover(spot);
      repaint();
    },
    choose(point) {
      const spot = spotAt(point);
      if (spot) choose(spot);
    },
    lens(point) {
      lens = point && { ...point, touch: true };
      if (!point || !layout) {
        hover(null);
      } else {
        const spot = nearestCell(layout, point.x, point.y);
        hover(spot);
        // At an edge the cells move on under the finger.
        moveTo({ cell: view.cell, ...reveal(layout, spot) });
      }
      repaint();
    },
    pan: (dx, dy) => moveTo({ cell: view.cell, scrollX: view.scrollX + dx, scrollY: view.scrollY + dy }),
    zoom(factor, point) {
      if (!layout) return false;
      moveTo(zoomAt(layout, factor, point, fittedCell));
      return true;
    },
  });

  return {
    /** @param {Shown} next */
    show(next) {
      const same = shown?.picture === next.picture;
      shown = next;
      if (!same) heatmap.update(next.picture);
      place();
    },
    /** @param {{ selected: Spot | null, hover: Spot | null, edited?: readonly Spot[] }} next edited: cells that a reader has set */
    mark(next) {
      marks = next;
      repaint();
    },
    /** Scrolls a spot into view. @param {Spot} spot */
    reveal(spot) {
      if (layout) moveTo({ cell: view.cell, ...reveal(layout, spot) });
    },
    /** Enlarges about the selected cell, or the middle of what is shown. @param {number} factor */
    zoom(factor) {
      if (!layout) return;
      const { plot, cell, scrollX, scrollY } = layout;
      const { query, key } = marks.selected ?? {};
      const at = (
        /** @type {number | null | undefined} */ index,
        /** @type {number} */ from,
        /** @type {number} */ scroll,
        /** @type {number} */ size,
      ) => {
        const place = index === null || index === undefined ? size / 2 : (index + 0.5) * cell - scroll;
        return from + Math.min(size, Math.max(0, place));
      };
      const point = { x: at(key, plot.x, scrollX, plot.width), y: at(query, plot.y, scrollY, plot.height) };
      moveTo(zoomAt(layout, factor, point, fittedCell));
    },
    /** Shows the whole matrix. */
    fit() {
      moveTo({ cell: undefined, scrollX: 0, scrollY: 0 });
    },
    /** Whether anything can be gained by zooming: cells without numbers, or zoomed already. */
    get zoomable() {
      return layout !== null && (view.cell !== undefined || layout.numbers === null || layout.cell < OVERVIEW_CELL);
    },
    get layout() {
      return layout;
    },
    place,
  };
}

/**
 * Whether two objects hold the same values, and lists of the same.
 * @param {Record<string, any>} a
 * @param {Record<string, any>} b
 */
function sameParts(a, b) {
  const names = Object.keys(b);
  const same = (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
    one === other ||
    (Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, i) => value === other[i]));
  return names.length === Object.keys(a).length && names.every((name) => same(a[name], b[name]));
}
