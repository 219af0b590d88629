// What a changed number is called: by the symbols that the explanation uses, with its tokens, layer and head.

import { sidesOf } from './edits.js';
import { sequenceAt } from './grids.js';
import { STRINGS } from './strings.js';
import { visibleToken } from '../view/index.js';

/** @typedef {import('./types.js').NumberEdit} NumberEdit */

/** What the explanation calls the numbers of a hook. @type {Readonly<Record<string, string>>} */
const SYMBOLS = Object.freeze({
  hook_q: 'q',
  hook_k: 'k',
  hook_v: 'v',
  hook_rot_q: 'q′',
  hook_rot_k: 'k′',
  hook_z: 'z',
  hook_embed: STRINGS.origins.parts.word,
  hook_pos_embed: STRINGS.origins.parts.position,
  hook_type_embed: STRINGS.origins.parts.segment,
  hook_resid_pre: 'x',
  hook_attn_out: 'o',
  hook_resid_mid: 's',
  hook_cross_attn_out: 'c',
  hook_resid_mid_cross: 's',
  hook_pre: 'h',
  hook_pre_linear: 'u',
  hook_post: 'f',
  hook_mlp_out: 'm',
  hook_resid_post: 'y',
  hook_normalized: 'y',
  hook_pattern: STRINGS.edits.weight,
  hook_attn_scores: STRINGS.edits.score,
});

/**
 * E.g. "weight(fur, cat), layer 1 head 0" or "q(fur)[3], layer 1 head 0".
 * @param {import('./types.js').Result | null} result whose tokens it names; without one, or beyond its end, they are numbers
 * @param {Pick<NumberEdit, 'at' | 'where'>} edit
 */
export function nameOfEdit(result, { at, where }) {
  const [, stack = '', layer, part = ''] = /^(encoder\.|decoder\.)?(?:blocks\.(\d+)\.)?(?:(\w+)\.)?/.exec(at) ?? [];
  const hook = at.slice(at.lastIndexOf('.') + 1);
  const cross = part === 'cross_attn';
  const sides = sidesOf(at);
  /** @param {number | undefined} index @param {import('./grids.js').Side} side */
  const token = (index, side) => {
    if (index === undefined) return [];
    const sequence = result && (side === 'source' || result.target) ? sequenceAt(result, side, where.batch ?? 0) : null;
    const text = sequence?.tokens[index];
    return [text === undefined ? String(index) : visibleToken(text)];
  };
  const tokens = [...token(where.pos, sides.pos), ...token(where.query, sides.query), ...token(where.key, sides.key)];
  const index = where.dim === undefined ? '' : `[${where.dim}]`;
  const grid = cross ? 'cross' : stack === 'encoder.' ? 'encoder' : stack === 'decoder.' ? 'decoder' : 'self';
  const title = grid === 'self' ? '' : STRINGS.grids[grid].title;
  const name = `${SYMBOLS[hook] ?? hook}(${tokens.join(', ')})${index}`;
  return layer === undefined ? name : STRINGS.edits.placed(name, placeIn(title, Number(layer), where.head));
}

/** @param {string} grid @param {number} layer @param {number | undefined} head */
function placeIn(grid, layer, head) {
  return head === undefined ? `${grid} ${STRINGS.layer} ${layer}`.trim() : STRINGS.offOne(grid, layer, head);
}
