// Where tokens go when a text changes: chosen tokens and changed numbers stay with theirs where words come before or after them.

import { sidesOf } from './edits.js';
import { encoded } from './sequences.js';
import { isWriting, promptOf } from './writing.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').NumberEdit} NumberEdit */
/** @typedef {Pick<import('./types.js').Choice, 'text' | 'pair' | 'join' | 'target'>} Texts the text fields */
/**
 * Tokens of one sequence, as ids, as far as the text fields give them: none that the model writes itself.
 * @typedef {{ ids: readonly number[], writes: boolean }} Given
 */

/** @param {Texts} state @returns {Texts} */
export const textsOf = ({ text, pair, join, target }) => ({ text, pair, join, target });

/** @param {Texts} a @param {Texts} b */
const sameTexts = (a, b) =>
  a.text === b.text && a.pair === b.pair && a.join === b.join && (a.target ?? '') === (b.target ?? '');

/**
 * Where a token went: tokens alike at the beginning keep their place, those alike at the end keep it from the end.
 * @param {number | null} index
 * @param {readonly (string | number)[] | null} before
 * @param {readonly (string | number)[]} after
 * @returns {number | null} null where it is gone
 */
export function follow(index, before, after) {
  if (index === null) return null;
  if (before === null) return index < after.length ? index : null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (index < start) return index;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (index >= before.length - end) return index + after.length - before.length;
  return before.length === after.length ? index : null;
}

/**
 * What a model will read of the text fields.
 * @param {Model} model with a tokenizer
 * @param {Texts} texts
 * @returns {{ source: Given[], target: Given | null }} source: an entry for each sequence of a batch
 */
function givenOf(model, texts) {
  const { text, pair, join } = texts;
  const given = (/** @type {readonly number[]} */ ids, writes = false) => ({ ids, writes });
  if (model.kind === 'encoder') {
    const idsOf = (/** @type {string} */ first, /** @type {string | null} */ second = null) =>
      given(Array.from(model.tokenizer?.encode(first, { pair: second }).ids ?? []));
    const sequences =
      pair === null ? [idsOf(text)] : join === 'pair' ? [idsOf(text, pair)] : [idsOf(text), idsOf(pair)];
    return { source: sequences, target: null };
  }
  const { source, first, target } = promptOf(model, text);
  const writes = isWriting(model, texts);
  if (!target) return { source: [given(source.ids, writes)], target: null };
  // As in readBoth (reading.js): the last token of an output that is given is never read.
  const wanted = writes ? [] : encoded(model, texts.target ?? '', 1).ids.slice(0, -1);
  return { source: [given(source.ids)], target: given([...first.ids, ...wanted], writes) };
}

/** @param {number} index @param {Given} before @param {Given} after */
function moved(index, before, after) {
  if (index >= before.ids.length) {
    // What the model writes has no token yet: the change stays with its step.
    const from = before.writes && after.writes ? after.ids.length - before.ids.length : 0;
    return index + from;
  }
  return before.writes === after.writes ? follow(index, before.ids, after.ids) : index;
}

/**
 * Edits of one text as they hold for another.
 * @param {Model} model
 * @param {readonly NumberEdit[]} edits
 * @param {Texts} before
 * @param {Texts} after
 * @returns {{ pairs: { from: NumberEdit, to: NumberEdit | null }[], lost: NumberEdit[] }} to: null where a token of it is gone
 */
export function followEdits(model, edits, before, after) {
  if (edits.length === 0 || sameTexts(before, after))
    return { pairs: edits.map((from) => ({ from, to: from })), lost: [] };
  const [was, is] = [givenOf(model, before), givenOf(model, after)];
  const pairs = edits.map((from) => {
    const sides = sidesOf(from.at);
    const batch = from.where.batch ?? 0;
    const where = { ...from.where };
    for (const dim of /** @type {const} */ (['pos', 'query', 'key'])) {
      const index = where[dim];
      if (index === undefined) continue;
      const [old, next] = [was, is].map(({ source, target }) =>
        sides[dim] === 'target' && target ? target : source[batch],
      );
      const to = old && next ? moved(index, old, next) : null;
      if (to === null) return { from, to: null };
      where[dim] = to;
    }
    const same = Object.entries(where).every(([dim, index]) => from.where[/** @type {'pos'} */ (dim)] === index);
    return { from, to: same ? from : { ...from, where } };
  });
  return { pairs, lost: pairs.flatMap(({ from, to }) => (to === null ? [from] : [])) };
}
