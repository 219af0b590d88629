// The grid of layers × heads on one canvas: every head's pattern, small. Patterns are shrunk by their maximum (pool.js), so a
// one-cell diagonal stays visible. All heads share one scale: brightness can be compared between them.

import { begin } from './draw.js';
import { contextOf } from './heatmap.js';
import { headMatrix } from './matrix.js';
import { maxPool } from './pool.js';
import { fillPixels } from './scale.js';
import { font } from './theme.js';
import { paintHeadLabels, paintHeadMarks } from './thumbnails-marks.js';

/** @typedef {import('./types.js').Box} Box */
/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./theme.js').Theme} Theme */
/** @typedef {{ layer: number, head: number }} HeadSpot */
/**
 * @typedef {object} ThumbnailsOptions
 * @property {number} layers
 * @property {number} heads
 * @property {number} width room in CSS pixels
 * @property {{ sans: string, mono: string }} fonts
 * @property {import('./types.js').Measure} measure
 * @property {number} [dpr]
 * @property {number} [maxSize] largest side of a thumbnail
 * @property {number} [minSize] smallest side; the grid may then be wider than the room and scroll
 * @property {'grid' | 'strip'} [arrangement] strip: one line, layer after layer, for a phone
 *
 * @typedef {object} ThumbnailsLayout
 * @property {number} width
 * @property {number} height
 * @property {number} dpr
 * @property {number} layers
 * @property {number} heads
 * @property {number} size side of a thumbnail
 * @property {number} gap
 * @property {'grid' | 'strip'} arrangement
 * @property {(spot: HeadSpot) => Box} box
 * @property {{ text: string, x: number, y: number, align: 'right' | 'center' | 'left' }[]} labels
 * @property {string} font
 *
 * @typedef {object} ThumbnailsPicture
 * @property {import('./types.js').Tensor[]} patterns one a layer, [B, H, T, S] or [H, T, S]
 * @property {number} [batch]
 * @property {import('./scale.js').Scale} scale
 * @property {import('./palette.js').Palette} palette
 * @property {((layer: number, head: number) => Uint8Array | null) | null} [hidden] 1 where a cell may not be seen, T · S values
 *
 * @typedef {object} ThumbnailsMarks
 * @property {HeadSpot | null} [selected]
 * @property {HeadSpot | null} [hover]
 * @property {import('./types.js').Spot | null} [lit] tokens whose row and column light up in every head
 * @property {HeadSpot[]} [off] heads that are switched off: struck through
 */

/**
 * @param {ThumbnailsOptions} options
 * @returns {ThumbnailsLayout}
 */
export function layoutThumbnails(options) {
  const { layers, heads, width, fonts, measure, dpr = 1, maxSize = 64, minSize = 12, arrangement = 'grid' } = options;
  if (!(layers > 0 && heads > 0)) {
    throw new RangeError(`layoutThumbnails: expected at least one layer and head, got ${layers} and ${heads}`);
  }
  const labelFont = font(fonts.mono, 11);
  if (arrangement === 'strip') return layoutStrip(options, labelFont);

  const left = Math.ceil(measure(String(layers - 1), labelFont)) + 8;
  const top = 20;
  const room = (width - left - 3) / heads;
  const gap = room >= 30 ? 6 : room >= 18 ? 4 : 3;
  const size = Math.floor(Math.min(maxSize, Math.max(minSize, room - gap)) * dpr) / dpr;
  const step = size + gap;
  // Head numbers stand under each other's neighbours: leave some out where they would touch.
  const every = Math.ceil((measure(String(heads - 1), labelFont) + 4) / step);
  const down = Math.ceil(13 / step);
  /** @type {ThumbnailsLayout['labels']} */
  const labels = [];
  for (let head = 0; head < heads; head += every) {
    labels.push({ text: String(head), x: left + head * step + size / 2, y: top - 8, align: 'center' });
  }
  for (let layer = 0; layer < layers; layer += down) {
    labels.push({ text: String(layer), x: left - 7, y: top + layer * step + size / 2 + 4, align: 'right' });
  }
  return {
    width: Math.ceil(left + heads * step - gap + 3),
    height: Math.ceil(top + layers * step - gap + 3),
    dpr,
    layers,
    heads,
    size,
    gap,
    arrangement,
    box: ({ layer, head }) => ({ x: left + head * step, y: top + layer * step, width: size, height: size }),
    labels,
    font: labelFont,
  };
}

/** @param {ThumbnailsOptions} options @param {string} labelFont @returns {ThumbnailsLayout} */
function layoutStrip({ layers, heads, dpr = 1, minSize = 44 }, labelFont) {
  const size = Math.floor(Math.max(minSize, 44) * dpr) / dpr;
  const gap = 6;
  const between = 14;
  const left = 3;
  const top = 20;
  const layerWidth = heads * (size + gap) + between;
  /** @param {HeadSpot} spot */
  const box = ({ layer, head }) => ({
    x: left + layer * layerWidth + head * (size + gap),
    y: top,
    width: size,
    height: size,
  });
  /** @type {ThumbnailsLayout['labels']} */
  const labels = [];
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const { x } = box({ layer, head });
      labels.push({ text: `${layer}.${head}`, x: x + size / 2, y: top - 7, align: 'center' });
    }
  }
  const width = Math.ceil(left + layers * layerWidth - between - gap + 3);
  return {
    width,
    height: top + size + 4,
    dpr,
    layers,
    heads,
    size,
    gap,
    arrangement: 'strip',
    box,
    labels,
    font: labelFont,
  };
}

/**
 * The head under a point; the gap belongs to the nearest.
 * @param {ThumbnailsLayout} layout
 * @param {number} x
 * @param {number} y
 * @returns {HeadSpot | null}
 */
export function hitThumbnails(layout, x, y) {
  const reach = layout.gap / 2;
  for (let layer = 0; layer < layout.layers; layer++) {
    for (let head = 0; head < layout.heads; head++) {
      const box = layout.box({ layer, head });
      if (x >= box.x - reach && x < box.x + box.width + reach && y >= box.y - reach && y < box.y + box.height + reach) {
        return { layer, head };
      }
    }
  }
  return null;
}

/**
 * A painter that keeps the grid between frames.
 * @param {import('./types.js').CreateSurface} createSurface
 */
export function createThumbnails(createSurface) {
  /** @type {ThumbnailsPicture | null} */
  let picture = null;
  /** @type {{ surface: import('./types.js').Surface, picture: ThumbnailsPicture, layout: ThumbnailsLayout, theme: Theme } | null} */
  let base = null;

  return {
    /** @param {ThumbnailsPicture} next */
    update(next) {
      // An object of its own: what is told again is painted again.
      picture = { ...next };
    },

    /**
     * Paints a frame. The canvas has `layout.width · dpr` by `layout.height · dpr` pixels.
     * @param {Context2D} context
     * @param {ThumbnailsLayout} layout keep the object while nothing moves
     * @param {Theme} theme
     * @param {ThumbnailsMarks} [marks]
     */
    paint(context, layout, theme, marks = {}) {
      if (picture === null) throw new Error('thumbnails: update() comes before paint()');
      if (base === null || base.picture !== picture || base.layout !== layout || base.theme !== theme) {
        const width = Math.round(layout.width * layout.dpr);
        const height = Math.round(layout.height * layout.dpr);
        const kept = base?.surface;
        const surface = kept && kept.width === width && kept.height === height ? kept : createSurface(width, height);
        paintGrid(contextOf(surface), layout, theme, picture);
        base = { surface, picture, layout, theme };
      }
      begin(context, layout.width, layout.height, layout.dpr);
      context.drawImage(base.surface, 0, 0, layout.width, layout.height);
      paintHeadMarks(context, layout, theme, marks, headMatrix(picture.patterns[0]));
    },
  };
}

/** @param {Context2D} context @param {ThumbnailsLayout} layout @param {Theme} theme @param {ThumbnailsPicture} picture */
function paintGrid(context, layout, theme, { patterns, batch = 0, scale, palette, hidden = null }) {
  const { dpr, layers, heads, size } = layout;
  if (patterns.length !== layers) {
    throw new RangeError(`thumbnails: the layout is for ${layers} layers, got ${patterns.length} patterns`);
  }
  begin(context, layout.width, layout.height, dpr);
  const side = Math.round(size * dpr);
  // One small image for all heads in turn: it stays in the processor's cache, and the gaps are nobody's work.
  const image = context.createImageData(side, side);
  const pixels = new Uint32Array(image.data.buffer, image.data.byteOffset, side * side);
  const pooled = new Float32Array(side * side);
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const matrix = headMatrix(patterns[layer], { batch, head });
      fillPixels(scale, palette, maxPool(matrix, side, side, hidden?.(layer, head) ?? null, pooled), pixels);
      const { x, y } = layout.box({ layer, head });
      context.putImageData(image, Math.round(x * dpr), Math.round(y * dpr));
    }
  }
  paintHeadLabels(context, layout, theme);
}
