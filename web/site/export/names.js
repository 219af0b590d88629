// Names of files: model, attention, layer, head and what is in them, as in glassformer-topics-layer1-head2-weights.svg or
// glassformer-topics-layer1-head2-vs-words-layer0-head1-weights.svg.

/**
 * @typedef {object} Place where numbers are from
 * @property {string} model its name
 * @property {import('../grids.js').GridName} grid
 * @property {number | null} layer null: all layers
 * @property {number | null} head null: all heads
 * @property {number | null} sequence which one of a batch; null where there is only one
 * @property {string[]} [view] what was made of the numbers, e.g. ['mean-of-heads', 'words', 'changed']
 */

/** Letters and digits of any script; all else, which a file system or a shell may take for something, is a hyphen. @param {string} text */
function plain(text) {
  const kept = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-');
  return Array.from(kept)
    .slice(0, 60)
    .join('')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** @param {Place} place */
function partsOf({ model, grid, layer, head, sequence, view = [] }) {
  return [
    plain(model) || 'model',
    grid === 'self' ? '' : grid,
    layer === null ? '' : `layer${layer}`,
    head === null ? '' : `head${head}`,
    sequence === null ? '' : `sequence${sequence + 1}`,
    ...view,
  ];
}

/**
 * @param {Place[]} places one, or those that are compared
 * @param {string} what e.g. 'weights'
 * @param {string} type e.g. 'svg'
 */
export function fileName(places, what, type) {
  const parts = places.flatMap((place, i) => (i === 0 ? partsOf(place) : ['vs', ...partsOf(place)]));
  return `${['glassformer', ...parts, what].filter((part) => part !== '').join('-')}.${type}`;
}
