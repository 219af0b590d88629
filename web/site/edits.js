// Numbers that the reader has changed: each is a value of a hook that is set in a run and in every step of writing, before
// anything reads it. Positions count from a text's beginning; in another text they follow their tokens (follow.js). The address holds them as
// "blocks.1.attn.hook_pattern*h0q3k4*0.5": the hook, where in it, the value.

import { gridsOf } from './grids.js';
import { editsOf } from './switches.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').NumberEdit} NumberEdit */
/** @typedef {import('../engine/edits.js').Where} Where */
/**
 * How many tokens there are, Infinity where that is not known yet.
 * @typedef {{ source: number, target?: number, batch?: number }} Lengths
 */

/** As many as a page can list. */
const MOST = 200;
const DIMS = /** @type {const} */ ({ b: 'batch', h: 'head', q: 'query', k: 'key', p: 'pos', d: 'dim' });
const FORM = /^([a-z0-9_.]{1,80})\*((?:[bhqkpd]\d{1,6})+)\*(-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?)$/;

/** The place of an edit as a text: two edits of one place are one. @param {Pick<NumberEdit, 'at' | 'where'>} edit */
export function placeOf({ at, where }) {
  const parts = Object.entries(DIMS).flatMap(([letter, dim]) =>
    where[dim] === undefined ? [] : [`${letter}${where[dim]}`],
  );
  return `${at}*${parts.join('')}`;
}

/** @param {readonly NumberEdit[]} edits */
export function writeEdits(edits) {
  return edits.map((edit) => `${placeOf(edit)}*${edit.set}`).join(' ');
}

/** @param {string} text @returns {readonly NumberEdit[] | undefined} undefined where it is none of this */
export function readEdits(text) {
  const parts = text.split(' ').filter(Boolean);
  if (parts.length > MOST) return undefined;
  /** @type {readonly NumberEdit[]} */
  let edits = [];
  for (const part of parts) {
    const [, at, places, value] = FORM.exec(part) ?? [];
    const set = Number(value);
    if (at === undefined || !Number.isFinite(Math.fround(set))) return undefined;
    /** @type {Where} */
    const where = {};
    for (const [, letter, index] of places.matchAll(/([a-z])(\d+)/g)) {
      const dim = DIMS[/** @type {'b'} */ (letter)];
      if (where[dim] !== undefined) return undefined;
      where[dim] = Number(index);
    }
    // Two of one place are one, as on the page.
    edits = withEdit(edits, { at, where, set });
  }
  return Object.freeze(edits);
}

/** The same with one more; one at the same place makes way and leaves its turn to it. @param {readonly NumberEdit[]} edits @param {NumberEdit} edit */
export function withEdit(edits, edit) {
  const place = placeOf(edit);
  const at = edits.findIndex((other) => placeOf(other) === place);
  if (at < 0) return Object.freeze([...edits, edit]);
  return Object.freeze(edits.map((other, i) => (i === at ? edit : other)));
}

/** The same without the one at a place. @param {readonly NumberEdit[]} edits @param {string} place */
export function withoutEdit(edits, place) {
  return Object.freeze(edits.filter((edit) => placeOf(edit) !== place));
}

/** What was set at a place, null where nothing was. @param {readonly import('../engine/edits.js').Edit[]} edits @param {string} place */
export function editAt(edits, place) {
  return edits.find((edit) => edit.set !== undefined && placeOf(/** @type {NumberEdit} */ (edit)) === place) ?? null;
}

/**
 * The place that an origin's or a hook's name with an index in brackets says: "blocks.0.attn.hook_q[0, 3, 1, 7]".
 * @param {Model} model
 * @param {string} text
 * @returns {Pick<NumberEdit, 'at' | 'where'> | null} null where no hook of the model has it
 */
export function spotOf(model, text) {
  const [, at, index] = /^([\w.]+)\[([\d, ]+)\]$/.exec(text) ?? [];
  const hook = model.hooks().find(({ name }) => name === at);
  const numbers = index?.split(', ').map(Number) ?? [];
  if (!hook || hook.dims.length !== numbers.length) return null;
  return { at, where: Object.fromEntries(hook.dims.map((dim, i) => [dim, numbers[i]])) };
}

/**
 * What a run is asked to change: heads that are off, and numbers whose places there are in it.
 * @param {Model} model
 * @param {Pick<import('./types.js').Choice, 'off' | 'edits'>} choice
 * @param {Lengths} lengths
 * @returns {import('../engine/edits.js').Edit[]}
 */
export function changesOf(model, { off, edits }, lengths) {
  return [...editsOf(model, off), ...edits.filter((edit) => fits(model, edit, lengths))];
}

/** Of changes made while more was written, those of a run on so many tokens. @param {Model} model @param {import('../engine/edits.js').Edit[]} edits @param {Lengths} lengths */
export function changesWithin(model, edits, lengths) {
  return edits.filter((edit) => fits(model, edit, lengths));
}

/**
 * Whose tokens the axes of a hook count: a decoder's beside a source are its target's.
 * @param {string} at
 * @returns {Record<'pos' | 'query' | 'key', import('./grids.js').Side>}
 */
export function sidesOf(at) {
  const reads = at.startsWith('decoder.') ? 'target' : 'source';
  const cross = at.includes('.cross_attn.');
  return { pos: cross && /hook_[kv]$/.test(at) ? 'source' : reads, query: reads, key: cross ? 'source' : reads };
}

/** Whether a model has the hook of an edit, with all the axes that it names. @param {Model} model @param {Pick<NumberEdit, 'at' | 'where'>} edit */
export function hasPlace(model, { at, where }) {
  const hook = model.hooks().find(({ name }) => name === at);
  return hook !== undefined && Object.keys(where).every((dim) => hook.dims.includes(dim));
}

/** @param {Model} model @param {import('../engine/edits.js').Edit} edit @param {Lengths} lengths */
function fits(model, { at, where = {} }, lengths) {
  if (!hasPlace(model, { at, where })) return false;
  const { source, target = source, batch = 1 } = lengths;
  const count = { source, target };
  const sides = sidesOf(at);
  const { pos = 0, query = 0, key = 0, batch: b = 0 } = where;
  if (pos >= count[sides.pos] || query >= count[sides.query] || key >= count[sides.key] || b >= batch) return false;
  // What may not be seen has no number: a decoder's keys behind the query.
  const causal =
    !at.startsWith('encoder.') && !at.includes('.cross_attn.') && gridsOf(model).some((grid) => grid.causal);
  return !(causal && where.query !== undefined && where.key !== undefined && key > query);
}
