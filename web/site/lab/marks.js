// Which characters of a text field are underlined, and how.

import { litSpot, shownSequence } from '../selection.js';

/** @typedef {{ start: number, end: number, kind: 'query' | 'key' | 'lit' | 'cut' }} Mark */

/**
 * @param {import('../types.js').State} state
 * @param {0 | 1} field
 * @returns {Mark[]}
 */
export function marksOf(state, field) {
  const sequence = shownSequence(state);
  if (!sequence || !state.result) return [];
  /** @type {Mark[]} */
  const marks = [];
  /** @param {number | null | undefined} token @param {Mark['kind']} kind */
  const mark = (token, kind) => {
    const place = token === null || token === undefined ? null : sequence.places[token];
    if (place && place.field === field) marks.push({ start: place.start, end: place.end, kind });
  };
  const spot = litSpot(state) ?? { query: state.query, key: state.key };
  if (state.hover?.part === 'token') mark(spot.query, 'lit');
  else {
    mark(spot.query, 'query');
    mark(spot.key, 'key');
  }
  // In a batch each field is cut on its own; in a pair the cut is where a field's last token ends.
  const { sequences, texts } = state.result;
  const own = sequences.length > 1 ? sequences[field] : sequences[0];
  if (own && own.truncated > 0) {
    const read = own.places.reduce((last, place) => (place?.field === field ? Math.max(last, place.end) : last), 0);
    if (texts[field].slice(read).trim() !== '') marks.push({ start: read, end: texts[field].length, kind: 'cut' });
  }
  return marks;
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
