// Heads that the reader has switched off: what they mix is set to 0 before anything reads it, in a run and in every step of
// writing. Kept as a text ("cross.1.0 self.0.3"), so that the address can hold it.

import { gridsOf, hookOf } from './grids.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {{ grid: import('./grids.js').GridName, layer: number, head: number }} HeadPlace */

/** @param {string} off @returns {HeadPlace[]} in the order they were switched off */
export function placesOf(off) {
  return off
    .split(' ')
    .filter(Boolean)
    .map((text) => {
      const [grid, layer, head] = text.split('.');
      return { grid: /** @type {HeadPlace['grid']} */ (grid), layer: Number(layer), head: Number(head) };
    });
}

/** @param {HeadPlace} place */
export const written = ({ grid, layer, head }) => `${grid}.${layer}.${head}`;

/** @param {string} off @param {HeadPlace} place */
export function isOff(off, place) {
  return off.split(' ').includes(written(place));
}

/** The same with a head switched the other way. @param {string} off @param {HeadPlace} place */
export function switched(off, place) {
  const name = written(place);
  const all = off.split(' ').filter(Boolean);
  return (all.includes(name) ? all.filter((other) => other !== name) : [...all, name]).join(' ');
}

/**
 * What a run is asked to change; heads that the model does not have are passed over.
 * @param {Model} model
 * @param {string} off
 * @returns {import('../engine/edits.js').Edit[]}
 */
export function editsOf(model, off) {
  return placesOf(off).flatMap(({ grid: name, layer, head }) => {
    const grid = gridsOf(model).find((one) => one.name === name);
    if (!grid || layer >= grid.layers || head >= headCount(model, grid)) return [];
    return [{ at: hookOf(grid, layer, 'hook_z'), where: { head }, set: 0 }];
  });
}

/**
 * The head that an edit of a run switches off; null where it does something else.
 * @param {Model} model
 * @param {import('../engine/edits.js').Edit} edit
 * @returns {HeadPlace | null}
 */
export function headOff(model, { at, where = {}, set }) {
  const { head, ...more } = where;
  if (set !== 0 || head === undefined || Object.keys(more).length > 0) return null;
  for (const grid of gridsOf(model)) {
    for (let layer = 0; layer < grid.layers; layer++) {
      if (hookOf(grid, layer, 'hook_z') === at) return { grid: grid.name, layer, head };
    }
  }
  return null;
}

/** How many heads a config gives a grid. @param {Model} model @param {import('./grids.js').Grid} grid */
function headCount({ config }, { name }) {
  const own = name === 'encoder' ? config.encoder_attention_heads : config.decoder_attention_heads;
  return Number(own ?? config.num_attention_heads ?? config.n_head ?? config.num_heads ?? Infinity);
}
