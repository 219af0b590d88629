// Which attentions a model has, as grids of layers and heads: one where it has one stack of layers; an encoder's, a decoder's and
// the cross-attention between them where it has two. All pictures speak of a grid by its name.

/** @typedef {import('../engine/index.js').Model} Model */
/** @typedef {'self' | 'encoder' | 'decoder' | 'cross'} GridName */
/** @typedef {'source' | 'target'} Side the text that is read, and the one that is written beside it */
/**
 * @typedef {object} Grid
 * @property {GridName} name
 * @property {string} stack what its hooks' names begin with: '', 'encoder.' or 'decoder.'
 * @property {'attn' | 'cross_attn'} part
 * @property {Side} queries whose tokens look
 * @property {Side} keys whose tokens are looked at
 * @property {boolean} causal a query sees no key after itself
 * @property {number} layers
 */

/** @type {WeakMap<Model, Grid[]>} */
const known = new WeakMap();

/** @param {Model} model @returns {Grid[]} in the order of the computation */
export function gridsOf(model) {
  let grids = known.get(model);
  if (!grids) known.set(model, (grids = read(model)));
  return grids;
}

/** @param {Model} model @returns {Grid[]} */
function read(model) {
  const names = model.hooks().map(({ name }) => name);
  /** @type {(grid: Omit<Grid, 'layers'>) => Grid} */
  const counted = (grid) => {
    const pattern = new RegExp(`^${grid.stack.replace('.', '\\.')}blocks\\.\\d+\\.${grid.part}\\.hook_pattern$`);
    return { ...grid, layers: names.filter((name) => pattern.test(name)).length };
  };
  if (model.kind !== 'encoder-decoder') {
    const causal = model.kind === 'decoder';
    return [counted({ name: 'self', stack: '', part: 'attn', queries: 'source', keys: 'source', causal })];
  }
  return [
    counted({ name: 'encoder', stack: 'encoder.', part: 'attn', queries: 'source', keys: 'source', causal: false }),
    counted({ name: 'decoder', stack: 'decoder.', part: 'attn', queries: 'target', keys: 'target', causal: true }),
    counted({ name: 'cross', stack: 'decoder.', part: 'cross_attn', queries: 'target', keys: 'source', causal: false }),
  ];
}

/** @param {Grid} grid @param {number} layer @param {string} hook e.g. 'hook_pattern' */
export function hookOf({ stack, part }, layer, hook) {
  return `${stack}blocks.${layer}.${part}.${hook}`;
}

/**
 * Which cells may not be seen: those with a score of −∞, and, where no scores are at hand, all after the query.
 * @param {{ causal: boolean }} grid
 * @param {import('../view/types.js').Matrix | null} scores after the mask
 * @param {{ rows: number, columns: number }} size
 * @returns {Uint8Array | null} 1 where hidden; null where all can be seen
 */
export function hiddenCells({ causal }, scores, { rows, columns }) {
  if (!scores && !causal) return null;
  const hidden = new Uint8Array(rows * columns);
  const before = columns - rows;
  for (let i = 0; i < hidden.length; i++) {
    const later = causal && (i % columns) - Math.floor(i / columns) > before;
    hidden[i] = later || scores?.data[i] === -Infinity ? 1 : 0;
  }
  return hidden;
}
