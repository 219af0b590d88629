// Custom elements for pages and tutorials. Importing this module makes them known to the page.

export { GlassElement } from './base.js';
export { sharedModel } from './shared-model.js';
export { fetchTensor, parseTensor, tensorOf } from './tensor-data.js';
