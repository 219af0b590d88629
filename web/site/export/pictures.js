// Pictures as files, painted anew by the painters of the page: PNG with two pixels a CSS pixel, and SVG.

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
import { svgArcs, svgHeads, svgHeatmap } from '../../view/svg.js';
import { contextOf, createSurface } from '../../elements/canvas/surface.js';
import { STRINGS } from '../strings.js';
import { withTexts } from './png-text.js';

/** @typedef {import('../../view/types.js').Surface} Surface */
/** @typedef {import('../../view/theme.js').Theme} Theme */
/** @typedef {import('../../view/layout.js').Layout} Layout */
/**
 * @typedef {import('../../view/heatmap.js').Picture & { queries: string[], keys: string[], queryTitle?: string, keyTitle?: string }} HeadPicture
 * @typedef {object} Head
 * @property {'matrix' | 'arcs'} view
 * @property {HeadPicture} picture
 * @property {Theme} theme
 * @property {number} width room, CSS pixels
 * @property {number} height
 * @property {import('../../view/types.js').Spot | null} selected
 * @property {readonly import('../../view/types.js').Spot[]} edited cells whose values the reader has set
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
 * @typedef {Head | Heads} Drawn
 *
 * @typedef {object} About what a file says of its picture
 * @property {string} title
 * @property {string} description
 * @property {string} caption below the picture; '' for none
 */

/** Pixels a CSS pixel in a PNG. */
const DENSITY = 2;
/** All heads have more room in a file than beside a picture. */
const HEAD_SIZE = 96;

/**
 * Where everything stands, the whole of it: what is enlarged or scrolled on the page is not in the file.
 * @param {Drawn} drawn
 * @param {number} dpr
 */
function layoutOf(drawn, dpr) {
  const measure = measureWith(contextOf(createSurface(1, 1)));
  const common = { measure, fonts: drawn.theme, dpr };
  if (drawn.view === 'heads') {
    const { layers, heads } = drawn;
    const width = heads * (HEAD_SIZE + 8) + 60;
    return { heads: layoutThumbnails({ ...common, layers, heads, width, maxSize: HEAD_SIZE }) };
  }
  const { picture, width, height } = drawn;
  const { queries, keys, queryTitle, keyTitle, scale, palette } = picture;
  const labels = { queries, keys, queryTitle, keyTitle };
  if (drawn.view === 'arcs') return { arcs: layoutArcs({ ...common, ...labels, width }) };
  const { ticks, formats } = scale;
  const bar = { ticks, formats, barTitle: barTitle(scale, palette, STRINGS.viewWords) };
  return { matrix: layoutHeatmap({ ...common, ...labels, ...bar, width, height }) };
}

/**
 * A picture's caption, as wide as the picture.
 * @param {string} text
 * @param {{ width: number }} layout
 * @param {Theme} theme
 */
function captionOf(text, { width }, theme) {
  if (text === '') return null;
  const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
  return layoutCaption(text, { width, measure: measureWith(contextOf(createSurface(1, 1))), fonts: theme, direction });
}

/** @param {Drawn} drawn @param {string} text of the caption @returns {Surface} */
function paintedOf(drawn, text) {
  const { heads, arcs, matrix } = layoutOf(drawn, DENSITY);
  const layout = /** @type {{ width: number, height: number }} */ (heads ?? arcs ?? matrix);
  const { width, height } = layout;
  const surface = createSurface(Math.round(width * DENSITY), Math.round(height * DENSITY));
  const context = contextOf(surface);
  const { theme } = drawn;
  if (heads && drawn.view === 'heads') {
    const painter = createThumbnails(createSurface);
    painter.update(drawn.picture);
    painter.paint(context, heads, theme, drawn.marks);
  } else if (arcs && drawn.view === 'arcs') {
    const { picture, selected } = drawn;
    paintArcs(context, arcs, theme, picture.matrix, selectLines(picture.matrix).lines, { selected });
  } else if (matrix && drawn.view === 'matrix') {
    const painter = createHeatmap(createSurface);
    painter.update(drawn.picture);
    painter.paint(context, matrix, theme, { selected: drawn.selected, edited: drawn.edited });
  }
  // On the page the background and the room around are the page's; in a file they have to be there.
  const margin = MARGIN * DENSITY;
  const caption = captionOf(text, layout, theme);
  const below = (caption?.height ?? 0) * DENSITY;
  const file = createSurface(surface.width + 2 * margin, surface.height + below + 2 * margin);
  const onFile = contextOf(file);
  onFile.fillStyle = theme.background;
  onFile.fillRect(0, 0, file.width, file.height);
  onFile.drawImage(surface, margin, margin);
  if (caption) {
    onFile.setTransform(DENSITY, 0, 0, DENSITY, margin, margin);
    paintCaption(onFile, caption, theme, height);
  }
  return file;
}

/** @param {Surface} surface @returns {Promise<Blob>} */
function encoded(surface) {
  if ('convertToBlob' in surface) return surface.convertToBlob({ type: 'image/png' });
  return new Promise((done, fail) =>
    surface.toBlob((blob) => (blob ? done(blob) : fail(new Error('the browser made no PNG'))), 'image/png'),
  );
}

/** @param {Drawn} drawn @param {About} about @returns {Promise<Blob>} */
export async function pngOf(drawn, { title, description, caption }) {
  return withTexts(await encoded(paintedOf(drawn, caption)), { Title: title, Description: description });
}

/** @param {Drawn} drawn @param {About} about */
export function svgOf(drawn, { title, description, caption: text }) {
  const { heads, arcs, matrix } = layoutOf(drawn, 1);
  const { theme } = drawn;
  const caption = captionOf(text, /** @type {{ width: number }} */ (heads ?? arcs ?? matrix), theme);
  const common = { title, description, caption, theme, toImage };
  if (drawn.view === 'heads' && heads) {
    return svgHeads({ ...common, layout: heads, picture: drawn.picture, marks: drawn.marks });
  }
  if (drawn.view === 'arcs' && arcs) {
    const { picture, selected } = drawn;
    const { lines } = selectLines(picture.matrix);
    return svgArcs({ ...common, layout: arcs, matrix: picture.matrix, lines, selected });
  }
  const { picture, selected, edited } = /** @type {Head} */ (drawn);
  return svgHeatmap({ ...common, layout: /** @type {Layout} */ (matrix), picture, selected, edited });
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
