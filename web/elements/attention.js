// Attention as the elements draw it, whether a model computed it here or somebody gave it.

import { GlassError } from '../engine/errors.js';
import { headMatrix } from '../view/index.js';
import { gridsOf, hiddenCells, hookOf } from './grids.js';
import { readable } from './tokens.js';

/** @typedef {import('../view/types.js').Tensor} Tensor */
/** @typedef {import('../view/types.js').Matrix} Matrix */
/** @typedef {import('./colouring.js').Kind} Kind */
/** @typedef {import('../engine/index.js').Model} Model */
/** @typedef {import('../engine/index.js').Run} Run */
/**
 * @typedef {object} Attention of one stack of layers
 * @property {import('./grids.js').GridName | 'given'} name
 * @property {Tensor[]} weights one a layer, [1, H, T, S] or [H, T, S]; empty where there are none
 * @property {Tensor[]} scores before softmax; empty where there are none
 * @property {number} layers
 * @property {number} heads
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {boolean[]} specialQueries put there by the tokenizer
 * @property {boolean[]} specialKeys
 * @property {boolean} same whether queries and keys are the same tokens
 * @property {boolean} causal
 */

/** One head's matrix. @param {Attention} attention @param {Kind} kind @param {number} layer @param {number} head @returns {Matrix} */
export function matrixOf(attention, kind, layer, head) {
  return headMatrix(attention[kind][layer], { head });
}

/** Where keys are separators, which models put between texts. @param {Attention} attention */
export function separatorsOf({ keys }) {
  return keys.flatMap((token, i) => (token === '[SEP]' || token === '</s>' ? [i] : []));
}

/**
 * Cells that may not be seen.
 * @param {Attention} attention
 * @param {Kind} kind
 * @param {number} layer
 * @param {number} head
 * @returns {Uint8Array | null}
 */
export function hiddenOf(attention, kind, layer, head) {
  const matrix = matrixOf(attention, kind, layer, head);
  if (attention.name !== 'given') {
    const scores = attention.scores.length > 0 ? matrixOf(attention, 'scores', layer, head) : null;
    return hiddenCells(attention, scores, matrix);
  }
  // Of given numbers, those that are none.
  const { data } = matrix;
  const hidden = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) hidden[i] = data[i] > -Infinity ? 0 : 1;
  return hidden.includes(1) ? hidden : null;
}

/**
 * @param {Model} model
 * @param {Run} run
 * @param {number[]} [following] ids that came after each of the target's tokens
 * @returns {Attention[]} one for each of the model's stacks
 */
export function attentionsOfRun(model, run, following = []) {
  const sides = {
    source: { tokens: tokensOf(model, run.ids[0], run.tokens[0]), special: run.special[0] },
    target: {
      tokens: tokensOf(model, run.targetIds?.[0] ?? [], run.targetTokens?.[0] ?? []),
      special: run.targetSpecial?.[0] ?? [],
    },
  };
  return gridsOf(model).map((grid) => {
    const names = Array.from({ length: grid.layers }, (_, layer) => hookOf(grid, layer, 'hook_pattern'));
    const scoreNames = names.map((_, layer) => hookOf(grid, layer, 'hook_attn_scores'));
    const recorded = new Set(run.names);
    const weights = names.map((name) => run.get(name));
    const { tokens } = sides[grid.queries];
    // A query of the cross-attention is the token that was read; what it asks the source for is the next one.
    const said = (/** @type {number} */ i) =>
      i + 1 < tokens.length ? tokens[i + 1] : following.length > i ? tokenText(model, following[i]) : '…';
    return {
      name: grid.name,
      weights,
      scores: scoreNames.every((name) => recorded.has(name)) ? scoreNames.map((name) => run.get(name)) : [],
      layers: grid.layers,
      heads: weights[0]?.shape[1] ?? 0,
      queries: grid.name === 'cross' ? tokens.map((token, i) => `${token} → ${said(i)}`) : tokens,
      keys: sides[grid.keys].tokens,
      specialQueries: sides[grid.queries].special.map(Boolean),
      specialKeys: sides[grid.keys].special.map(Boolean),
      same: grid.queries === grid.keys,
      causal: grid.causal,
    };
  });
}

/** @param {Model} model @param {number[]} ids @param {string[]} tokens */
function tokensOf({ tokenizer }, ids, tokens) {
  return ids.map((id, i) => readable(tokenizer, id, tokens[i]));
}

/** @param {Model} model @param {number} id */
function tokenText({ tokenizer }, id) {
  return readable(tokenizer, id, tokenizer?.token(id) ?? String(id));
}

/** How far over 1 a weight may lie that was rounded to half precision on its way. */
const ROUNDING = 1e-3;

/**
 * @param {Tensor} tensor [T, S], [H, T, S], [L, H, T, S] or, of one text, [L, 1, H, T, S]
 * @param {{ tokens?: string[] | null, queries?: string[] | null, keys?: string[] | null }} names
 * @returns {Attention}
 */
export function attentionOfTensor(tensor, { tokens = null, queries = tokens, keys = tokens }) {
  let { shape } = tensor;
  const came = `[${shape.join(', ')}]`;
  if (shape.length === 5 && shape[1] === 1) shape = [shape[0], ...shape.slice(2)];
  if (shape.length < 2 || shape.length > 4 || shape.includes(0)) {
    throw new GlassError(
      'bad-input',
      `expected attention of the shape [T, S], [heads, T, S] or [layers, heads, T, S], one text, got ${came}`,
    );
  }
  const [layers, heads, rows, columns] = [...Array(4 - shape.length).fill(1), ...shape];
  const size = heads * rows * columns;
  const parts = Array.from({ length: layers }, (_, layer) => ({
    shape: [heads, rows, columns],
    data: tensor.data.subarray(layer * size, (layer + 1) * size),
  }));
  return {
    name: 'given',
    weights: tensor.data.every((value) => !(value < 0 || value > 1 + ROUNDING)) ? parts : [],
    scores: parts,
    layers,
    heads,
    queries: named(queries, rows, 'queries', came),
    keys: named(keys, columns, 'keys', came),
    specialQueries: Array(rows).fill(false),
    specialKeys: Array(columns).fill(false),
    same: rows === columns && (queries === keys || queries?.join('\n') === keys?.join('\n')),
    causal: false,
  };
}

/** @param {string[] | null | undefined} names @param {number} count @param {string} axis @param {string} came */
function named(names, count, axis, came) {
  if (!names) return Array.from({ length: count }, (_, i) => String(i));
  if (names.length === count) return names;
  throw new GlassError('bad-input', `expected ${count} tokens as ${axis} for the shape ${came}, got ${names.length}`);
}
