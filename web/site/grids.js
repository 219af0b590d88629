// Which attentions a model has, as grids of layers and heads: one where it has one stack of layers; an encoder's, a decoder's and
// the cross-attention between them where it has two. All pictures speak of a grid by its name.

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Sequence} Sequence */
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

/** The grid of a name; where there is none of it, the one to begin with: the last. @param {Model} model @param {string | null} name */
export function gridNamed(model, name) {
  const grids = gridsOf(model);
  return grids.find((grid) => grid.name === name) ?? grids[grids.length - 1];
}

/** The grid that is chosen, or pointed at. @param {Pick<State, 'result' | 'attention' | 'hover'>} state @returns {Grid | null} */
export function shownGrid({ result, attention, hover }) {
  if (!result) return null;
  return gridNamed(result.model, hover?.part === 'head' ? hover.grid : attention);
}

/** @param {Grid} grid @param {number} layer @param {string} hook e.g. 'hook_pattern' */
export function hookOf({ stack, part }, layer, hook) {
  return `${stack}blocks.${layer}.${part}.${hook}`;
}

/** How many heads a layer of the grid has, in a run. @param {import('./types.js').Result} result @param {Grid} grid */
export function headsOf({ run }, grid) {
  return run.get(hookOf(grid, 0, 'hook_pattern')).shape[1];
}

/** The tokens of one side. @param {import('./types.js').Result} result @param {Side} side @param {number} batch @returns {Sequence} */
export function sequenceAt({ sequences, target }, side, batch) {
  const sequence = side === 'target' ? target : (sequences[batch] ?? sequences[0]);
  if (!sequence) throw new Error(`this run has no ${side}`);
  return sequence;
}

/**
 * Tokens down and across a grid. Beside a source, a row of the cross-attention also names what the model says from there: a
 * query is the token that was read, and what it asks the source for is the next one.
 * @param {import('./types.js').Result} result
 * @param {Grid} grid
 * @param {number} batch
 * @returns {{ queries: string[], keys: string[] }}
 */
export function axesOf(result, grid, batch) {
  const queries = sequenceAt(result, grid.queries, batch).tokens;
  const keys = sequenceAt(result, grid.keys, batch).tokens;
  if (grid.name !== 'cross') return { queries, keys };
  const said = [...queries.slice(1), result.following?.token ?? '…'];
  return { queries: queries.map((token, i) => `${token} → ${said[i]}`), keys };
}

/**
 * Which cells may not be seen: those with a score of −∞, and, where no scores are at hand, all after the query.
 * @param {Grid} grid
 * @param {import('./types.js').Matrix | null} scores after the mask
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
