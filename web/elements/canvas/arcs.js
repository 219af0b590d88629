// The token-to-token view of one head on a canvas in a page.

import { hitArcs, layoutArcs, measureWith, paintArcs, selectLines } from '../../view/index.js';
import { followPointer } from './pointer.js';
import { contextOf, createSurface, oncePerFrame, resize } from './surface.js';

/** @typedef {import('../../view/types.js').Spot} Spot */
/**
 * @typedef {object} Shown
 * @property {import('../../view/types.js').Matrix} matrix weights
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {string} [queryTitle] names of the columns
 * @property {string} [keyTitle]
 * @property {import('../../view/theme.js').Theme} theme
 * @property {number} width room, CSS pixels
 * @property {number} height
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ hover: (spot: Spot | null) => void, choose: (spot: Spot) => void }} callbacks
 */
export function createArcsCanvas(canvas, { hover, choose }) {
  const context = contextOf(canvas);
  const measure = measureWith(contextOf(createSurface(1, 1)));
  /** @type {Shown | null} */
  let shown = null;
  /** @type {import('../../view/arcs.js').ArcsLayout | null} */
  let layout = null;
  /** @type {ReturnType<typeof selectLines>} */
  let chosen = { lines: [], threshold: 0, total: 0 };
  let scrollY = 0;
  /** @type {{ selected: Spot | null, hover: Spot | null }} */
  let marks = { selected: null, hover: null };

  const repaint = oncePerFrame(() => {
    if (!shown || !layout) return;
    resize(canvas, layout);
    paintArcs(context, layout, shown.theme, shown.matrix, chosen.lines, marks);
  });

  function place() {
    if (!shown) return;
    const { queries, keys, queryTitle, keyTitle, width, height, theme } = shown;
    layout = layoutArcs({
      queries,
      keys,
      queryTitle,
      keyTitle,
      width,
      height,
      measure,
      fonts: theme,
      dpr: window.devicePixelRatio || 1,
      scrollY,
    });
    repaint();
  }

  /** @param {number} next */
  function scrollTo(next) {
    const before = layout?.scrollY;
    scrollY = next;
    place();
    scrollY = layout?.scrollY ?? 0;
    return scrollY !== before;
  }

  /** @param {import('./pointer.js').Point} point @returns {Spot | null} */
  const spotAt = ({ x, y }) => {
    const hit = layout && hitArcs(layout, chosen.lines, x, y);
    return hit && { query: hit.query, key: hit.key };
  };
  followPointer(canvas, {
    hover: (point) => hover(point && spotAt(point)),
    choose(point) {
      const spot = spotAt(point);
      if (spot) choose(spot);
    },
    lens: (point) => hover(point && spotAt(point)),
    pan: (dx, dy) => dy !== 0 && scrollTo(scrollY + dy),
  });

  return {
    /** @param {Shown} next */
    show(next) {
      if (shown?.matrix !== next.matrix) chosen = selectLines(next.matrix);
      shown = next;
      place();
    },
    /** @param {{ selected: Spot | null, hover: Spot | null }} next */
    mark(next) {
      marks = next;
      repaint();
    },
    /** Scrolls a token into view. @param {Spot} spot */
    reveal({ query, key }) {
      const row = query ?? key ?? null;
      if (!layout || row === null) return;
      const room = layout.bottom - layout.top;
      const top = row * layout.rowHeight;
      scrollTo(Math.max(top + 2 * layout.rowHeight - room, Math.min(top - layout.rowHeight, scrollY)));
    },
    /** How many lines are drawn, of how many over which weight. */
    get lines() {
      return { drawn: chosen.lines.length, total: chosen.total, threshold: chosen.threshold };
    },
    place,
  };
}
