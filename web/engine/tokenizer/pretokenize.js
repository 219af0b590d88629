// The pre-tokenizers of tokenizer.json: they cut a normalised text into the pieces ("words") that the vocabulary is
// applied to. Almost all are a pattern and what to do with its matches.
import { GlassError } from '../errors.js';
import { AlignedBuilder, pieceAligned, pieceText } from './aligned.js';
import { prepend, readPattern } from './normalize.js';
import { PUNCTUATION } from './unicode.js';

/** @typedef {import('./aligned.js').Piece} Piece */
/** @typedef {import('./normalize.js').Part} Part */
/** @typedef {(pieces: Piece[]) => Piece[]} PreTokenize */
/** @typedef {'Removed' | 'Isolated' | 'MergedWithPrevious' | 'MergedWithNext' | 'Contiguous'} Behavior */

const BEHAVIORS = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];

/**
 * Cuts a piece at the matches of a pattern.
 * @param {Piece} piece
 * @param {RegExp} pattern global
 * @param {Behavior} behavior what becomes of the matches
 * @param {boolean} [invert] what lies between the matches counts as the match
 * @returns {Piece[]}
 */
function split(piece, pattern, behavior, invert = false) {
  /** @type {{ from: number, to: number, match: boolean }[]} */
  const parts = [];
  const text = pieceText(piece);
  let done = 0;
  for (const found of text.matchAll(pattern)) {
    const end = found.index + found[0].length;
    if (end === found.index) continue;
    if (done < found.index) parts.push({ from: done, to: found.index, match: invert });
    parts.push({ from: found.index, to: end, match: !invert });
    done = end;
  }
  if (done < text.length) parts.push({ from: done, to: text.length, match: invert });

  /** @type {typeof parts} */
  const kept = [];
  if (behavior === 'MergedWithNext') {
    let after = false; // whether the part to the right was a match
    for (const part of parts.reverse()) {
      if (part.match && !after && kept.length > 0) kept[kept.length - 1].from = part.from;
      else kept.push(part);
      after = part.match;
    }
    kept.reverse();
  } else {
    let before = false;
    for (const part of parts) {
      const last = kept.at(-1);
      if (behavior === 'Removed' && part.match) continue;
      if (last && behavior === 'MergedWithPrevious' && part.match && !before) last.to = part.to;
      else if (last && behavior === 'Contiguous' && part.match === last.match) last.to = part.to;
      else kept.push(part);
      before = part.match;
    }
  }
  return kept.map(({ from, to }) => ({ on: piece.on, from: piece.from + from, to: piece.from + to }));
}

/** @param {RegExp} pattern @param {Behavior} behavior @param {boolean} [invert] @returns {PreTokenize} */
const splitter = (pattern, behavior, invert) => (pieces) =>
  pieces.flatMap((piece) => split(piece, pattern, behavior, invert));

// GPT-2's pattern (Radford et al. 2019, as in every byte-level tokenizer), with Unicode's white space.
const GPT2_WORDS =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

// GPT-2's visible characters for the 256 bytes: printable Latin-1 for itself, the others from U+0100 on.
export const BYTE_CHARACTERS = (() => {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
    return String.fromCharCode(printable ? byte : next++);
  });
})();

/** @param {Part} part @returns {PreTokenize} */
function byteLevel(part) {
  const encoder = new TextEncoder();
  /** @type {Map<string, string>} */
  const seen = new Map();
  /** @param {string} character */
  const bytes = (character) => {
    let text = seen.get(character);
    if (text === undefined) {
      text = Array.from(encoder.encode(character), (byte) => BYTE_CHARACTERS[byte]).join('');
      if (seen.size < 20_000) seen.set(character, text);
    }
    return text;
  };
  return (pieces) =>
    pieces.flatMap((piece) => {
      const spaced = (part.add_prefix_space ?? true) && !pieceText(piece).startsWith(' ');
      const on = spaced ? prepend(pieceAligned(piece), ' ') : piece.on;
      const whole = spaced ? { on, from: 0, to: on.text.length } : piece;
      const words = (part.use_regex ?? true) ? split(whole, GPT2_WORDS, 'Isolated') : [whole];
      const out = new AlignedBuilder();
      /** @type {number[]} */
      const cuts = [0];
      for (const word of words) {
        let at = word.from;
        for (const character of pieceText(word)) {
          out.add(bytes(character), on.starts[at], on.ends[at]);
          at += character.length;
        }
        cuts.push(out.starts.length);
      }
      const encoded = out.done();
      return words.map((_, i) => ({ on: encoded, from: cuts[i], to: cuts[i + 1] }));
    });
}

/** @param {string} text @returns {string} for use in a RegExp with `u` */
const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** @param {Part} part @returns {PreTokenize} */
function metaspace(part) {
  const mark = String(part.replacement ?? '\u2581');
  const scheme = part.prepend_scheme ?? (part.add_prefix_space === false ? 'never' : 'always');
  const cut = new RegExp(quoted(mark), 'gu');
  return (pieces) =>
    pieces.flatMap((piece) => {
      let on = pieceAligned(piece);
      on = { ...on, text: on.text.replaceAll(' ', mark) };
      const first = on.starts[0] === 0;
      if (!on.text.startsWith(mark) && (scheme === 'always' || (scheme === 'first' && first))) on = prepend(on, mark);
      const whole = { on, from: 0, to: on.text.length };
      return (part.split ?? true) ? split(whole, cut, 'MergedWithNext') : [whole];
    });
}

/** @param {Part} part @param {string} where @returns {PreTokenize} */
function splitPattern(part, where) {
  const behavior = BEHAVIORS.find((name) => name === part.behavior);
  if (!behavior) {
    const expected = BEHAVIORS.join(', ');
    throw new GlassError(
      'bad-input',
      `${where}.behavior: expected one of ${expected}, not ${JSON.stringify(part.behavior)}`,
    );
  }
  const pattern = readPattern(part.pattern, where);
  return splitter(pattern, /** @type {Behavior} */ (behavior), part.invert ?? false);
}

/**
 * The pre-tokenizer that a part of tokenizer.json describes. Throws 'unsupported' for a type it does not know.
 * @param {Part | null | undefined} part
 * @param {string} [where] for messages
 * @returns {PreTokenize}
 */
export function createPreTokenizer(part, where = 'tokenizer.json: pre_tokenizer') {
  if (part === null || part === undefined) return (pieces) => pieces;
  switch (part.type) {
    case 'BertPreTokenizer':
      return splitter(new RegExp(`${PUNCTUATION}|(?:(?!${PUNCTUATION})\\P{White_Space})+`, 'gu'), 'Removed', true);
    case 'WhitespaceSplit':
      return splitter(/\p{White_Space}+/gu, 'Removed');
    case 'Whitespace':
      return splitter(
        /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]+/gu,
        'Removed',
        true,
      );
    case 'Punctuation':
      return splitter(new RegExp(PUNCTUATION, 'gu'), part.behavior ?? 'Isolated');
    case 'Digits':
      return splitter(/\p{N}/gu, part.individual_digits ? 'Isolated' : 'Contiguous');
    case 'CharDelimiterSplit':
      return splitter(new RegExp(quoted(String(part.delimiter)), 'gu'), 'Removed');
    case 'ByteLevel':
      return byteLevel(part);
    case 'Metaspace':
      return metaspace(part);
    case 'Split':
      return splitPattern(part, where);
    case 'Sequence': {
      const steps = [...(part.pretokenizers ?? [])].map((step, i) =>
        createPreTokenizer(step, `${where}.pretokenizers[${i}]`),
      );
      return (pieces) => steps.reduce((result, step) => step(result), pieces);
    }
    default:
      throw new GlassError('unsupported', `${where}: the type ${JSON.stringify(part.type)} is not supported`);
  }
}
