// Token sequences as the page shows them: from a run, and from ids that a model reads or writes.

import { readable, tokenOf } from '../elements/tokens.js';

export { tokenOf };

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').Run} Run */
/** @typedef {import('./types.js').Sequence} Sequence */
/** @typedef {NonNullable<Model['tokenizer']>} Tokenizer */

/** @param {Run} run @param {number} b @param {Tokenizer | null} tokenizer @returns {Sequence} */
export function sequenceOf(run, b, tokenizer) {
  const padding = run.mask[b].map((real) => real === 0);
  const batch = run.ids.length > 1;
  return {
    tokens: run.ids[b].map((id, t) => readable(tokenizer, id, run.tokens[b][t])),
    ids: run.ids[b],
    special: run.special[b].map(Boolean),
    padding,
    typeIds: run.typeIds[b],
    places: run.offsets[b].map(([start, end], t) => {
      const of = run.sequence[b][t];
      if (of === null || start === end) return null;
      return { field: batch ? /** @type {0 | 1} */ (b) : of, start, end };
    }),
    truncated: run.truncated[b],
    written: 0,
  };
}

/** Whether a model has a token of this number. @param {Pick<Model, 'config'> | undefined} model @param {number} id */
export const isToken = (model, id) => id < Number(model?.config.vocab_size ?? Infinity);

/**
 * What a text gives a model that reads one text.
 * @param {Pick<Model, 'tokenizer'>} model
 * @param {string} text
 * @param {0 | 1} field which text field it stands in
 * @returns {Sequence}
 */
export function encoded(model, text, field) {
  const tokenizer = /** @type {Tokenizer} */ (model.tokenizer);
  const { ids, tokens, special, offsets, truncated } = tokenizer.encode(text);
  return {
    tokens: ids.map((id, t) => readable(tokenizer, id, tokens[t])),
    ids: Array.from(ids),
    special: special.map(Boolean),
    padding: ids.map(() => false),
    typeIds: ids.map(() => 0),
    places: offsets.map(([start, end], t) => (special[t] || start === end ? null : { field, start, end })),
    truncated,
    written: 0,
  };
}

/**
 * A sequence with ids behind it that have no place in a text field.
 * @param {Model} model
 * @param {Sequence | null} before
 * @param {number[]} ids
 * @param {{ special?: boolean, written?: boolean }} [as] special: put there by nobody's text; written: by the model
 * @returns {Sequence}
 */
export function extended({ tokenizer }, before, ids, { special = false, written = true } = {}) {
  const fill = (/** @type {any} */ value) => ids.map(() => value);
  const tokens = ids.map((id) => tokenOf(tokenizer, id));
  return {
    tokens: [...(before?.tokens ?? []), ...tokens],
    ids: [...(before?.ids ?? []), ...ids],
    special: [...(before?.special ?? []), ...fill(special)],
    padding: [...(before?.padding ?? []), ...fill(false)],
    typeIds: [...(before?.typeIds ?? []), ...fill(0)],
    places: [...(before?.places ?? []), ...fill(null)],
    truncated: before?.truncated ?? 0,
    written: (before?.written ?? 0) + (written ? ids.length : 0),
  };
}

/**
 * The text of each of some ids, such that all of them together are what the tokenizer writes for all: a space belongs to the
 * token it comes with, a character to the token that completes it.
 * @param {Tokenizer | null} tokenizer
 * @param {number[]} ids
 * @param {number[]} [before] ids that come before, whose text does not count
 * @returns {string[]}
 */
export function piecesOf(tokenizer, ids, before = []) {
  if (tokenizer === null) return ids.map((id) => ` ${id}`);
  // A few tokens before are enough to know whether a space belongs there.
  const context = before.slice(-4);
  const textTo = (/** @type {number} */ count) =>
    tokenizer.decode([...context, ...ids.slice(0, count)], { skipSpecial: true });
  let done = textTo(0);
  return ids.map((_, i) => {
    const next = textTo(i + 1);
    // Half a character shows as U+FFFD until its other half comes.
    if (next.endsWith('\ufffd') && i + 1 < ids.length) return '';
    const piece = next.startsWith(done) ? next.slice(done.length) : next.slice(common(next, done));
    done = next;
    return piece;
  });
}

/** How many characters two texts begin with alike. @param {string} a @param {string} b */
function common(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}
