// Canvases for a page: the view's pictures, with pointer, keys, zoom and scroll.

export { createArcsCanvas } from './arcs.js';
export { createHeadsCanvas } from './heads.js';
export { createHeatmapCanvas } from './heatmap.js';
export { moveByKey } from './keys.js';
export { createSurface, watchPixelRatio } from './surface.js';
