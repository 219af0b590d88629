// Canvases for a page: the view's pictures, with pointer, keys, zoom and scroll.

export { createArcsCanvas } from './arcs-canvas.js';
export { createHeadsCanvas } from './heads-canvas.js';
export { createHeatmapCanvas } from './heatmap-canvas.js';
export { moveByKey } from './keys.js';
export { createSurface, watchPixelRatio } from './surface.js';
