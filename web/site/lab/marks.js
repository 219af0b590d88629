// Which characters of a text field are underlined, and how.

import { membersOf } from '../aggregate.js';
import { litTokens, shownSequence } from '../selection.js';

/** @typedef {{ start: number, end: number, kind: 'query' | 'key' | 'lit' | 'cut' }} Mark */

/**
 * @param {import('../types.js').State} state
 * @param {0 | 1} field
 * @returns {Mark[]}
 */
export function marksOf(state, field) {
  if (!state.result) return [];
  const { sequences, target, texts } = state.result;
  /** @type {Mark[]} */
  const marks = [];
  for (const side of /** @type {const} */ (['source', 'target'])) {
    const sequence = side === 'target' ? state.result.target : shownSequence(state);
    if (!sequence) continue;
    /** @param {number | null} token @param {Mark['kind']} kind */
    const mark = (token, kind) => {
      for (const member of membersOf(state, side, token)) {
        const place = sequence.places[member];
        if (place && place.field === field) marks.push({ ...trimmed(texts[field], place), kind });
      }
    };
    const { query, key } = litTokens(state, side);
    if (state.hover?.part === 'token') mark(query, 'lit');
    else {
      mark(query, 'query');
      mark(key, 'key');
    }
  }
  // In a batch each field is cut on its own; in a pair the cut is where a field's last token ends.
  const own = field === 1 && target ? target : sequences.length > 1 ? sequences[field] : sequences[0];
  if (own && own.truncated > 0) {
    const read = own.places.reduce((last, place) => (place?.field === field ? Math.max(last, place.end) : last), 0);
    if ((texts[field] ?? '').slice(read).trim() !== '')
      marks.push({ ...trimmed(texts[field], { start: read, end: texts[field].length }), kind: 'cut' });
  }
  return marks;
}

/**
 * A place without the spaces around it, which many tokens begin with: a line under them would belong to no word. Spaces alone keep
 * their place.
 * @param {string | undefined} text
 * @param {{ start: number, end: number }} place
 */
export function trimmed(text = '', { start, end }) {
  const part = text.slice(start, end);
  if (part.trim() === '') return { start, end };
  return { start: start + part.length - part.trimStart().length, end: end - part.length + part.trimEnd().length };
}

/**
 * A text in pieces, each with the kinds of all marks over it.
 * @param {string} text
 * @param {Mark[]} marks
 * @returns {{ part: string, kinds: string }[]}
 */
export function pieces(text, marks) {
  const inside = (/** @type {number} */ at) => Math.min(text.length, Math.max(0, at));
  const edges = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [inside(start), inside(end)])])];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((end, i) => ({
    part: text.slice(edges[i], end),
    kinds: marks
      .filter((mark) => mark.start <= edges[i] && mark.end >= end)
      .map(({ kind }) => kind)
      .join(' '),
  }));
}
