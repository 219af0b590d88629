// Pictures as files, painted anew by the painters of the page: PNG with two pixels a CSS pixel, and SVG. What is enlarged or scrolled
// on the page is whole in the file.

import {
  barTitle,
  createHeatmap,
  createThumbnails,
  layoutArcs,
  layoutCaption,
  layoutHeatmap,
  layoutThumbnails,
  measureWith,
  paintArcs,
  paintCaption,
  selectLines,
} from '../../view/index.js';
import { MARGIN } from '../../view/svg-context.js';
import { svgFile, writeArcs, writeHeads, writeHeatmap } from '../../view/svg.js';
import { contextOf, createSurface } from '../../elements/canvas/surface.js';
import { STRINGS } from '../strings.js';
import { withTexts } from './png-text.js';

/** @typedef {import('../../view/types.js').Surface} Surface */
/** @typedef {import('../../view/types.js').Context2D} Context2D */
/** @typedef {import('../../view/theme.js').Theme} Theme */
/** @typedef {Parameters<Parameters<typeof svgFile>[2]>[0]} Svg */
/**
 * @typedef {import('../../view/heatmap.js').Picture & { queries: string[], keys: string[], queryTitle?: string, keyTitle?: string }} HeadPicture
 * @typedef {object} Head
 * @property {'matrix' | 'arcs'} view
 * @property {HeadPicture} picture
 * @property {Theme} theme
 * @property {number} width room, CSS pixels
 * @property {number} height
 * @property {import('../../view/types.js').Spot | null} selected
 * @property {readonly import('../../view/types.js').Spot[]} [edited] cells whose values the reader has set
 * @property {string} [barTitle] of the colour bar, where it shows neither weights nor scores
 *
 * @typedef {Head & { picture: import('../aggregate.js').Numbers }} Shown a head's, or several heads' together, as the lab draws it
 *
 * @typedef {object} Heads
 * @property {'heads'} view
 * @property {import('../../view/thumbnails.js').ThumbnailsPicture} picture
 * @property {Theme} theme
 * @property {number} layers
 * @property {number} heads
 * @property {import('../../view/thumbnails.js').ThumbnailsMarks} marks
 *
 * @typedef {object} Panels pictures side by side, each below its heading
 * @property {'panels'} view
 * @property {Theme} theme
 * @property {{ name: string, heading: string, head: Head }[]} panels
 *
 * @typedef {Head | Heads | Panels} Drawn
 *
 * @typedef {object} About what a file says of its picture
 * @property {string} title
 * @property {string} description
 * @property {string} caption below the picture; '' for none
 *
 * @typedef {object} Part a picture laid out, which can be painted and written
 * @property {number} width CSS pixels
 * @property {number} height
 * @property {(context: Context2D) => void} paint on a canvas of its size
 * @property {(svg: Svg) => void} write
 */

/** Pixels a CSS pixel in a PNG. */
const DENSITY = 2;
/** All heads have more room in a file than beside a picture. */
const HEAD_SIZE = 96;
/** Between two pictures, CSS pixels. */
const GAP = 32;
/** Between a heading and its picture. */
const BELOW = 8;

const createMeasure = () => measureWith(contextOf(createSurface(1, 1)));

/** @param {Drawn} drawn @param {number} dpr @returns {Part} */
function partOf(drawn, dpr) {
  if (drawn.view === 'panels') return panelsPart(drawn, dpr);
  if (drawn.view === 'heads') return headsPart(drawn, dpr);
  return drawn.view === 'arcs' ? arcsPart(drawn, dpr) : matrixPart(drawn, dpr);
}

/** @param {Head} head @param {number} dpr @returns {Part} */
function matrixPart({ picture, theme, width, height, selected, edited, barTitle: title }, dpr) {
  const { queries, keys, queryTitle, keyTitle, scale, palette } = picture;
  const { ticks, formats } = scale;
  const layout = layoutHeatmap({
    ...{ measure: createMeasure(), fonts: theme, dpr, width, height },
    ...{ queries, keys, queryTitle, keyTitle, ticks, formats },
    barTitle: title ?? barTitle(scale, palette, STRINGS.viewWords),
  });
  return {
    width: layout.width,
    height: layout.height,
    paint(context) {
      const painter = createHeatmap(createSurface);
      painter.update(picture);
      painter.paint(context, layout, theme, { selected, edited });
    },
    write: (svg) => writeHeatmap(svg, { layout, theme, picture, selected, edited, toImage }),
  };
}

/** @param {Head} head @param {number} dpr @returns {Part} */
function arcsPart({ picture, theme, width, selected }, dpr) {
  const { queries, keys, queryTitle, keyTitle, matrix } = picture;
  const labels = { queries, keys, queryTitle, keyTitle };
  const layout = layoutArcs({ measure: createMeasure(), fonts: theme, dpr, width, ...labels });
  const { lines } = selectLines(matrix);
  return {
    width: layout.width,
    height: layout.height,
    paint: (context) => paintArcs(context, layout, theme, matrix, lines, { selected }),
    write: (svg) => writeArcs(svg, { layout, theme, matrix, lines, selected }),
  };
}

/** @param {Heads} heads @param {number} dpr @returns {Part} */
function headsPart({ picture, theme, layers, heads, marks }, dpr) {
  const room = { width: heads * (HEAD_SIZE + 8) + 60, maxSize: HEAD_SIZE };
  const layout = layoutThumbnails({ measure: createMeasure(), fonts: theme, dpr, layers, heads, ...room });
  return {
    width: layout.width,
    height: layout.height,
    paint(context) {
      const painter = createThumbnails(createSurface);
      painter.update(picture);
      painter.paint(context, layout, theme, marks);
    },
    write: (svg) => writeHeads(svg, { layout, theme, picture, marks, toImage }),
  };
}

/** @param {Panels} panels @param {number} dpr @returns {Part} */
function panelsPart({ panels, theme }, dpr) {
  let x = 0;
  const placed = panels.map(({ name, heading, head }) => {
    const part = partOf(head, dpr);
    const above = captionOf(heading, part, theme, 1);
    const at = { name, part, heading: above, x, y: above ? above.height + BELOW : 0 };
    x += part.width + GAP;
    return at;
  });
  return {
    width: x - GAP,
    height: Math.max(...placed.map(({ part, y }) => y + part.height)),
    paint(context) {
      for (const { part, heading, x: left, y } of placed) {
        // A painter begins with an empty canvas.
        const surface = painted(part);
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.drawImage(surface, Math.round(left * DENSITY), Math.round(y * DENSITY));
        context.setTransform(DENSITY, 0, 0, DENSITY, left * DENSITY, 0);
        if (heading) paintCaption(context, heading, theme, 0);
      }
    },
    write(svg) {
      for (const { name, part, heading, x: left, y } of placed) {
        const draw = () => {
          if (heading) paintCaption(svg.context, heading, theme, 0);
          svg.group('picture', () => part.write(svg), { y });
        };
        svg.group(name, draw, { x: left });
      }
    },
  };
}

/**
 * A text as wide as its picture.
 * @param {string} text
 * @param {{ width: number }} picture
 * @param {Theme} theme
 * @param {number} [most] lines
 */
function captionOf(text, { width }, theme, most) {
  if (text === '') return null;
  const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
  return layoutCaption(text, { width, measure: createMeasure(), fonts: theme, direction, most });
}

/** @param {Part} part @returns {Surface} */
function painted({ width, height, paint }) {
  const surface = createSurface(Math.round(width * DENSITY), Math.round(height * DENSITY));
  paint(contextOf(surface));
  return surface;
}

/** @param {Surface} surface @returns {Promise<Blob>} */
function encoded(surface) {
  if ('convertToBlob' in surface) return surface.convertToBlob({ type: 'image/png' });
  return new Promise((done, fail) =>
    surface.toBlob((blob) => (blob ? done(blob) : fail(new Error('the browser made no PNG'))), 'image/png'),
  );
}

/** @param {Drawn} drawn @param {About} about @returns {Promise<Blob>} */
export async function pngOf(drawn, { title, description, caption: text }) {
  const part = partOf(drawn, DENSITY);
  const surface = painted(part);
  const { theme } = drawn;
  const caption = captionOf(text, part, theme);
  // On the page the background and the room around are the page's; in a file they have to be there.
  const margin = MARGIN * DENSITY;
  const below = (caption?.height ?? 0) * DENSITY;
  const file = createSurface(surface.width + 2 * margin, surface.height + below + 2 * margin);
  const context = contextOf(file);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, file.width, file.height);
  context.drawImage(surface, margin, margin);
  if (caption) {
    context.setTransform(DENSITY, 0, 0, DENSITY, margin, margin);
    paintCaption(context, caption, theme, part.height);
  }
  return withTexts(await encoded(file), { Title: title, Description: description });
}

/** @param {Drawn} drawn @param {About} about */
export function svgOf(drawn, { title, description, caption: text }) {
  const part = partOf(drawn, 1);
  const { theme } = drawn;
  return svgFile(part, { title, description, theme, caption: captionOf(text, part, theme) }, part.write);
}

/** A bitmap as a PNG's data: address, for a file. @type {import('../../view/svg.js').ToImage} */
function toImage(width, height, pixels) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const bytes = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  contextOf(canvas).putImageData(
    new ImageData(/** @type {Uint8ClampedArray<ArrayBuffer>} */ (bytes), width, height),
    0,
    0,
  );
  return canvas.toDataURL('image/png');
}
