// The grid of all heads on a canvas in a page: it joins the view's thumbnails with the pointer.

import { createThumbnails, hitThumbnails, layoutThumbnails, measureWith } from '../../view/index.js';
import { followPointer } from './pointer.js';
import { contextOf, createSurface, oncePerFrame, resize } from './surface.js';

/** @typedef {import('../../view/thumbnails.js').HeadSpot} HeadSpot */
/**
 * @typedef {object} Shown
 * @property {import('../../view/thumbnails.js').ThumbnailsPicture} picture
 * @property {import('../../view/theme.js').Theme} theme
 * @property {number} layers
 * @property {number} heads
 * @property {number} width room, CSS pixels
 * @property {'grid' | 'strip'} arrangement
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ hover: (spot: HeadSpot | null) => void, choose: (spot: HeadSpot) => void }} callbacks
 */
export function createHeadsCanvas(canvas, { hover, choose }) {
  const context = contextOf(canvas);
  const measure = measureWith(contextOf(createSurface(1, 1)));
  const thumbnails = createThumbnails(createSurface);
  /** @type {Shown | null} */
  let shown = null;
  /** @type {import('../../view/thumbnails.js').ThumbnailsLayout | null} */
  let layout = null;
  /** @type {import('../../view/thumbnails.js').ThumbnailsMarks} */
  let marks = {};

  const repaint = oncePerFrame(() => {
    if (!shown || !layout) return;
    resize(canvas, layout);
    thumbnails.paint(context, layout, shown.theme, marks);
  });
  /** @param {import('./pointer.js').Point | null} point */
  const spotAt = (point) => (point && layout ? hitThumbnails(layout, point.x, point.y) : null);

  followPointer(canvas, {
    hover: (point) => hover(spotAt(point)),
    choose(point) {
      const spot = spotAt(point);
      if (spot) choose(spot);
    },
  });

  function place() {
    if (!shown) return;
    const { layers, heads, width, arrangement, theme } = shown;
    const dpr = window.devicePixelRatio || 1;
    layout = layoutThumbnails({ layers, heads, width, arrangement, fonts: theme, measure, dpr });
    repaint();
  }

  return {
    /** @param {Shown} next */
    show(next) {
      const same = shown?.picture === next.picture;
      shown = next;
      if (!same) thumbnails.update(next.picture);
      place();
    },
    /** @param {import('../../view/thumbnails.js').ThumbnailsMarks} next */
    mark(next) {
      marks = next;
      repaint();
    },
    get layout() {
      return layout;
    },
    place,
  };
}
