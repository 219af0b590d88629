// The numbers on show: one head's as they were recorded, or several heads' together, over words in place of tokens, without
// special tokens. In this order: heads are put together, tokens become words, special tokens go, rows are made to add up to 1.

import {
  aggregate,
  headMatrix,
  regroup,
  regroupHidden,
  renormalise,
  singles,
  wordGroups,
  wordText,
} from '../view/index.js';
import { axesOf, headsOf, hiddenCells, hookOf, sequenceAt } from './grids.js';
import { STRINGS } from './strings.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('../view/types.js').Matrix} Matrix */
/** @typedef {Pick<State, 'over' | 'by' | 'special' | 'unit'>} View */
/** @typedef {{ grid: import('./grids.js').Grid, layer: number, head: number, batch: number, kind: State['kind'] }} Place */
/**
 * @typedef {object} Numbers what is drawn, and what it is drawn from
 * @property {Matrix} matrix
 * @property {Uint8Array | null} masked
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {State['kind']} kind
 * @property {string} queryTitle of the axes
 * @property {string} keyTitle
 * @property {import('../view/merge.js').Groups} queryGroups the tokens of each row
 * @property {import('../view/merge.js').Groups} keyGroups the tokens of each column
 * @property {{ layer: number, head: number }[]} heads that the numbers are from
 * @property {Matrix[]} of each of these heads, over all tokens
 * @property {Matrix} recorded the heads together, over all tokens
 * @property {number[] | null} sums what rows added up to before they were made to add up to 1
 */

/** The view as it holds for the numbers on show: scores have no mean that would mean something, nor a sum over tokens. @param {State} state @returns {View} */
export function viewOf({ over, by, special, unit, kind }) {
  if (kind === 'weights') return { over, by, special, unit };
  return { over: null, by, special: special === 'shown' ? 'shown' : 'hidden', unit: 'tokens' };
}

/** Whether cells are what a head computed, each with a formula: no tokens, or whole rows and columns, may be missing. @param {View} view */
export function isRecorded({ over, special, unit }) {
  return over === null && unit === 'tokens' && special !== 'renormalised';
}

/** What a view is kept by. @param {View} view */
export const viewKey = ({ over, by, special, unit }) => [over, over && by, special, unit].join();

/** The heads that a view puts together. @param {Result} result @param {Place} at @param {View['over']} over */
function headsIn(result, { grid, layer, head }, over) {
  if (over === null) return [{ layer, head }];
  const layers = over === 'heads' ? [layer] : Array.from({ length: grid.layers }, (_, l) => l);
  const heads = over === 'layers' ? [head] : Array.from({ length: headsOf(result, grid) }, (_, h) => h);
  return layers.flatMap((l) => heads.map((h) => ({ layer: l, head: h })));
}

/** The scores that are needed and would take another run; null where all is at hand. @param {Result} result @param {Place} at */
export function missing(result, { grid, layer, kind }) {
  const name = hookOf(grid, layer, 'hook_attn_scores');
  return (kind === 'scores' || result.padded) && result.records.peek(name) === null ? name : null;
}

/**
 * @param {Result} result of which nothing is missing
 * @param {Place} at
 * @param {View} view
 * @returns {Numbers}
 */
export function numbersOf(result, at, view) {
  const { grid, layer, head, batch, kind } = at;
  const heads = headsIn(result, at, view.over);
  const scores = result.records.peek(hookOf(grid, layer, 'hook_attn_scores'));
  const of = heads.map((one) =>
    headMatrix(kind === 'scores' && scores ? scores : result.run.get(hookOf(grid, one.layer, 'hook_pattern')), {
      batch,
      head: one.head,
    }),
  );
  const recorded = of.length === 1 ? of[0] : aggregate(of, view.by);
  const hides = grid.causal || result.padded;
  // Heads of a grid see the same keys.
  const hidden = hides ? hiddenCells(grid, scores && headMatrix(scores, { batch, head }), recorded) : null;
  const axes = axesOf(result, grid, batch);
  const queries = side(result, at, 'queries', view);
  const keys = side(result, at, 'keys', view);
  const whole = queries.length === recorded.rows && keys.length === recorded.columns;
  const grouped = whole ? recorded : regroup(recorded, queries, keys);
  const normal = view.special === 'renormalised' ? renormalise(grouped) : null;
  return {
    matrix: normal?.matrix ?? grouped,
    masked: hidden && !whole ? regroupHidden(hidden, recorded.columns, queries, keys) : hidden,
    queries: labels(sequenceAt(result, grid.queries, batch).tokens, axes.queries, queries),
    keys: labels(sequenceAt(result, grid.keys, batch).tokens, axes.keys, keys),
    kind,
    ...STRINGS.axes[grid.name],
    queryGroups: queries,
    keyGroups: keys,
    heads,
    of,
    recorded,
    sums: normal?.sums ?? null,
  };
}

/** The rows or columns: groups of tokens. @param {Result} result @param {Place} at @param {'queries' | 'keys'} which @param {View} view */
function side(result, { grid, batch }, which, { unit, special }) {
  const sequence = sequenceAt(result, grid[which], batch);
  const all = unit === 'words' ? words(result, sequence) : singles(sequence.tokens.length);
  // Behind a start token the cross-attention asks for the first word: that row stays.
  if (special === 'shown' || (grid.name === 'cross' && which === 'queries')) return all;
  const rest = all.filter(([first]) => !sequence.special[first] && !sequence.padding[first]);
  return rest.length > 0 ? rest : all;
}

/** @param {Result} result @param {import('./types.js').Sequence} sequence */
function words({ model }, { tokens, special, padding, places }) {
  const alone = tokens.map((_, i) => special[i] || padding[i]);
  return wordGroups(tokens, { marking: markingOf(model.tokenizer), alone, places });
}

/** A group's text; what an axis writes behind its last token stays behind it. @param {string[]} tokens @param {string[]} axis @param {number[][]} groups */
function labels(tokens, axis, groups) {
  return groups.map((group) => {
    const end = group[group.length - 1];
    return wordText(tokens, group) + axis[end].slice(tokens[end].length);
  });
}

/** @type {WeakMap<object, import('../view/merge.js').Marking>} */
const markings = new WeakMap();

/** How a tokenizer marks the pieces of a word. @param {Result['model']['tokenizer']} tokenizer */
export function markingOf(tokenizer) {
  if (tokenizer === null) return 'none';
  const known = markings.get(tokenizer);
  if (known) return known;
  const { model, pre_tokenizer: before, decoder } = tokenizer.files.tokenizer;
  /** @type {{ type?: string }[]} */
  const parts = [before, decoder].flatMap((part) => part?.pretokenizers ?? part?.decoders ?? [part]);
  const spaces = parts.some((part) => part?.type === 'ByteLevel' || part?.type === 'Metaspace');
  const marking = model?.type === 'WordPiece' ? 'wordpiece' : spaces ? 'spaces' : 'none';
  markings.set(tokenizer, marking);
  return marking;
}

/**
 * The tokens that light up with one: its word's, where words are on show.
 * @param {State} state
 * @param {import('./grids.js').Side} of
 * @param {number | null} token
 * @returns {number[]}
 */
export function membersOf(state, of, token) {
  const { result, sequence } = state;
  if (token === null || !result) return [];
  if (viewOf(state).unit === 'tokens') return [token];
  return words(result, sequenceAt(result, of, sequence)).find((group) => group.includes(token)) ?? [token];
}

/** Which row or column a token is in; null where it is in none. @param {number[][]} groups @param {number | null} token */
export function groupOf(groups, token) {
  const at = token === null ? -1 : groups.findIndex((group) => group.includes(token));
  return at < 0 ? null : at;
}

/** A spot of tokens as rows and columns of what is drawn. @param {Numbers} numbers @param {import('../view/types.js').Spot} spot */
export function toDrawn({ queryGroups, keyGroups }, { query = null, key = null }) {
  return { query: groupOf(queryGroups, query), key: groupOf(keyGroups, key) };
}

/** A spot of what is drawn as tokens: the first ones of its row and its column. @param {Numbers} numbers @param {import('../view/types.js').Spot} spot */
export function toTokens({ queryGroups, keyGroups }, { query = null, key = null }) {
  return {
    query: query === null ? null : (queryGroups[query]?.[0] ?? null),
    key: key === null ? null : (keyGroups[key]?.[0] ?? null),
  };
}
