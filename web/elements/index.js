// Custom elements for pages and tutorials. Importing this module makes them known to the page.

import { AttentionArcs } from './attention-arcs.js';
import { AttentionHeatmap } from './attention-heatmap.js';
import { define } from './base.js';
import { GlassModel } from './glass-model.js';
import { HeadGrid } from './head-grid.js';
import { TokenRow } from './token-row.js';

export { AttentionArcs, AttentionHeatmap, GlassModel, HeadGrid, TokenRow };
export { GlassElement } from './base.js';
export { GlassExhibit } from './glass-exhibit.js';
export { sharedModel } from './shared-model.js';
export { fetchTensor, parseTensor, tensorOf } from './tensor-data.js';

/** @typedef {import('./attention-element.js').Spotted} Spotted what glass-hover and glass-select carry */
/** @typedef {import('./tensor-data.js').Given} Given */

// The one that others look for around them comes first.
define('glass-model', GlassModel);
define('attention-heatmap', AttentionHeatmap);
define('attention-arcs', AttentionArcs);
define('head-grid', HeadGrid);
define('token-row', TokenRow);
