// Added tokens ([MASK], <|endoftext|>, …): found in the text before anything else is done to it, longest first. Those
// marked `normalized` are looked for after normalisation, in their own normalised form.
import { GlassError } from '../errors.js';
import { alignedText } from './aligned.js';

/** @typedef {import('./aligned.js').Piece} Piece */
/**
 * @typedef {{ id: number, content: string, single_word: boolean, lstrip: boolean, rstrip: boolean, normalized: boolean,
 *   special: boolean }} AddedToken
 */
/** A piece of text, and the added token it is, if it is one. @typedef {{ piece: Piece, token: AddedToken | null }} Section */

/**
 * The list `added_tokens` of tokenizer.json with its defaults, checked.
 * @param {unknown} list
 * @returns {AddedToken[]}
 */
export function readAddedTokens(list) {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new GlassError('bad-input', 'tokenizer.json: added_tokens must be a list');
  return list.map((item, i) => {
    if (!item || typeof item.content !== 'string' || !Number.isInteger(item.id) || item.id < 0) {
      throw new GlassError('bad-input', `tokenizer.json: added_tokens[${i}] must have a content and an id from 0`);
    }
    const special = Boolean(item.special);
    return {
      id: item.id,
      content: item.content,
      single_word: Boolean(item.single_word),
      lstrip: Boolean(item.lstrip),
      rstrip: Boolean(item.rstrip),
      normalized: item.normalized ?? !special,
      special,
    };
  });
}

const WORD_BEFORE = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u;
const WORD_AFTER = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const BLANK = /\p{White_Space}/u;

/** @param {string} text @returns {string} for use in a RegExp with `u` */
const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * A function that cuts a piece where added tokens stand.
 * @param {AddedToken[]} tokens
 * @param {(text: string) => string} form how a token reads in the text that is searched
 * @returns {(piece: Piece) => Section[]}
 */
export function createSectioner(tokens, form) {
  /** @type {Map<string, AddedToken>} */
  const byText = new Map();
  for (const token of tokens) if (form(token.content) !== '') byText.set(form(token.content), token);
  if (byText.size === 0) return (piece) => [{ piece, token: null }];
  const longestFirst = [...byText.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(quoted).join('|'), 'gu');

  return ({ on, from, to }) => {
    /** @type {Section[]} */
    const sections = [];
    const text = on.text.slice(from, to);
    /** @param {number} start @param {number} end @param {AddedToken | null} token */
    const push = (start, end, token) => {
      if (start < end) sections.push({ piece: { on, from: from + start, to: from + end }, token });
    };
    let done = 0;
    for (const match of text.matchAll(pattern)) {
      const token = /** @type {AddedToken} */ (byText.get(match[0]));
      let start = match.index;
      let end = start + match[0].length;
      if (token.single_word) {
        const before = text.slice(Math.max(0, start - 2), start);
        if (WORD_BEFORE.test(before) || WORD_AFTER.test(text.slice(end, end + 2))) continue;
      }
      if (token.lstrip) while (start > done && BLANK.test(text[start - 1])) --start;
      if (token.rstrip) while (end < text.length && BLANK.test(text[end])) ++end;
      push(done, start, null);
      push(Math.max(done, start), end, token);
      done = Math.max(done, end);
    }
    push(done, text.length, null);
    return sections;
  };
}

/** @param {string} source @returns {Piece} the whole of a text */
export function wholeText(source) {
  const on = alignedText(source);
  return { on, from: 0, to: on.text.length };
}
