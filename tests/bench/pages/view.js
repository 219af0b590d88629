// The pictures, frame by frame, as the page's elements draw them: a 512 × 512 heatmap and a 12 × 12 grid of heads at 128
// tokens. A frame ends when its pixels can be read: canvas commands are only noted down until something asks for them.
import { createSurface } from '../../../web/elements/canvas/surface.js';
import {
  LIGHT,
  barTitle,
  createHeatmap,
  createThumbnails,
  headMatrix,
  layoutHeatmap,
  layoutThumbnails,
  measureWith,
  palette,
  weightScale,
} from '../../../web/view/index.js';
import { generator } from '../lib/parameters.js';

const random = generator(5);

/** Rows that sum to 1, with a peak. @param {number} heads @param {number} length */
function patterns(heads, length) {
  const data = new Float32Array(heads * length * length);
  for (let row = 0; row < heads * length; row++) {
    const at = row * length;
    let sum = 0;
    for (let i = 0; i < length; i++) sum += data[at + i] = random() ** 8;
    for (let i = 0; i < length; i++) data[at + i] /= sum;
  }
  return { shape: [1, heads, length, length], data };
}

/** @param {number} width @param {number} height device pixels */
function canvasOf(width, height) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  document.body.append(canvas);
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
}

const measure = measureWith(canvasOf(1, 1));
const colors = palette('viridis');

/** @param {CanvasRenderingContext2D} context @param {() => void} paint @returns {number} milliseconds */
function frame(context, paint) {
  const start = performance.now();
  paint();
  context.getImageData(0, 0, 1, 1);
  return performance.now() - start;
}

/** @param {number} length tokens @param {{ dpr: number }} options */
function heatmapScene(length, { dpr }) {
  const tokens = Array.from({ length }, (_, i) => `token${i}`);
  const scale = weightScale();
  const heatmap = createHeatmap(createSurface);
  const pictures = [0, 1].map(() => ({
    matrix: headMatrix(patterns(1, length)),
    scale,
    palette: colors,
    queries: tokens,
    keys: tokens,
  }));
  const place = () =>
    layoutHeatmap({
      ...{ queries: tokens, keys: tokens, width: 900, height: 900, measure, fonts: LIGHT, dpr },
      ...{ ticks: scale.ticks, formats: scale.formats, barTitle: barTitle(scale, colors) },
    });
  let layout = place();
  const context = canvasOf(Math.round(layout.width * dpr), Math.round(layout.height * dpr));
  let turn = 0;
  return {
    full: () =>
      frame(context, () => {
        heatmap.update(pictures[++turn % 2]);
        layout = place();
        heatmap.paint(context, layout, LIGHT);
      }),
    hover: () =>
      frame(context, () => {
        const hover = { query: ++turn % length, key: (turn * 7) % length };
        const { plot } = layout;
        const lens = { x: plot.x + plot.width * random(), y: plot.y + plot.height * random() };
        heatmap.paint(context, layout, LIGHT, { hover, lens: layout.mode === 'overview' ? lens : null });
      }),
  };
}

/** @param {number} layers @param {number} heads @param {number} length tokens @param {{ dpr: number }} options */
function gridScene(layers, heads, length, { dpr }) {
  const thumbnails = createThumbnails(createSurface);
  const pictures = [0, 1].map(() => ({
    patterns: Array.from({ length: layers }, () => patterns(heads, length)),
    scale: weightScale(),
    palette: colors,
  }));
  const place = () => layoutThumbnails({ layers, heads, width: 900, measure, fonts: LIGHT, dpr });
  let layout = place();
  const context = canvasOf(Math.round(layout.width * dpr), Math.round(layout.height * dpr));
  let turn = 0;
  return {
    full: () =>
      frame(context, () => {
        thumbnails.update(pictures[++turn % 2]);
        layout = place();
        thumbnails.paint(context, layout, LIGHT);
      }),
    hover: () =>
      frame(context, () => {
        const hover = { layer: ++turn % layers, head: (turn * 5) % heads };
        thumbnails.paint(context, layout, LIGHT, { hover, lit: { query: turn % length, key: (turn * 7) % length } });
      }),
  };
}

/** @type {Record<string, { full: () => number, hover: () => number }>} */
const scenes = {};
for (const dpr of [1, 2]) {
  scenes[`heatmap 512 × 512, ${dpr} pixels per CSS pixel`] = heatmapScene(512, { dpr });
  scenes[`heatmap 32 × 32 with numbers, ${dpr} pixels per CSS pixel`] = heatmapScene(32, { dpr });
  scenes[`grid 12 × 12 at T 128, ${dpr} pixels per CSS pixel`] = gridScene(12, 12, 128, { dpr });
}
Object.assign(globalThis, { scenes, names: Object.keys(scenes) });
