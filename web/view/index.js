// What the elements and the site use of the view. The view draws tensors and labels; it knows no engine and reads no page.

export { headMatrix, maskedCells } from './matrix.js';
export { PALETTES, colorAt, contrast, defaultPalette, inkAt, palette } from './palette.js';
export { indexOf, positionOf, scoreScale, weightScale } from './scale.js';
export { roundToSum, shortestFloat, writeFull, writeNumber, writeUnits } from './numbers.js';
export { DARK, LIGHT, customProperties, font, themeFrom } from './theme.js';
export { elide, measureWith, visibleToken } from './text.js';
export { layoutCaption, paintCaption } from './caption.js';
export { NUMBER_CELL, OVERVIEW_CELL, layoutHeatmap, spotBox } from './layout.js';
export { hitHeatmap, nearestCell } from './hit.js';
export { reveal, zoomAt } from './viewport.js';
export { createHeatmap, rowTexts } from './heatmap.js';
export { placeLens } from './lens.js';
export { createThumbnails, hitThumbnails, layoutThumbnails } from './thumbnails.js';
export { hitArcs, layoutArcs, paintArcs, selectLines } from './arcs.js';
export { barTitle, describeCell, describeHead, describeRow, describeRows, headMeans } from './describe.js';
export { aggregate, contributions } from './aggregate.js';
export { regroup, regroupHidden, renormalise, singles, wordGroups, wordText } from './merge.js';
export { PATTERNS, patternScore, sortHeads } from './patterns.js';
export { difference, differenceScale, largestDifference, sameSize } from './compare.js';
export { explain } from './explain.js';
export { ENGLISH } from './strings.js';
export { layoutTree } from './tree.js';
