// Text that remembers where it came from: every UTF-16 unit carries the range of the original text that it stands for.
// Normalisation goes through here step by step, so that a token of the result can be lit in what was typed. Where a
// step makes several characters of one, all of them stand for that one; what is dropped belongs to nobody.

/**
 * `starts[i]` and `ends[i]`: the range, in UTF-16 units of the original, of the character that unit i belongs to.
 * @typedef {{ text: string, starts: number[], ends: number[] }} Aligned
 */

/** A stretch [from, to) of an aligned text. @typedef {{ on: Aligned, from: number, to: number }} Piece */

/**
 * The text itself. Surrogate pairs are one character; a lone surrogate, which no file can hold, becomes U+FFFD, as in
 * every text that leaves JavaScript. Lengths stay as they are.
 * @param {string} source
 * @returns {Aligned}
 */
export function alignedText(source) {
  const text = source.replace(/[\uD800-\uDFFF]/gu, '\uFFFD');
  /** @type {number[]} */
  const starts = new Array(text.length);
  /** @type {number[]} */
  const ends = new Array(text.length);
  for (let i = 0; i < text.length; ++i) {
    const pair = /** @type {number} */ (text.codePointAt(i)) > 0xffff;
    starts[i] = i;
    ends[i] = pair ? i + 2 : i + 1;
    if (pair) {
      ++i;
      starts[i] = i - 1;
      ends[i] = i + 1;
    }
  }
  return { text, starts, ends };
}

/** Collects an aligned text, stretch by stretch. */
export class AlignedBuilder {
  constructor() {
    this.parts = /** @type {string[]} */ ([]);
    this.starts = /** @type {number[]} */ ([]);
    this.ends = /** @type {number[]} */ ([]);
  }

  /**
   * Adds text that stands, all of it, for one range of the original.
   * @param {string} text
   * @param {number} start
   * @param {number} end
   */
  add(text, start, end) {
    this.parts.push(text);
    for (let i = 0; i < text.length; ++i) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  /**
   * Adds units [from, to) of another aligned text as they are.
   * @param {Aligned} aligned
   * @param {number} from
   * @param {number} to
   */
  copy(aligned, from, to) {
    if (from >= to) return;
    this.parts.push(aligned.text.slice(from, to));
    for (let i = from; i < to; ++i) {
      this.starts.push(aligned.starts[i]);
      this.ends.push(aligned.ends[i]);
    }
  }

  /** @returns {Aligned} */
  done() {
    return { text: this.parts.join(''), starts: this.starts, ends: this.ends };
  }
}

/**
 * Replaces every character (code point) by what `change` makes of it.
 * @param {Aligned} aligned
 * @param {(character: string) => string} change
 * @returns {Aligned}
 */
export function mapCharacters(aligned, change) {
  const out = new AlignedBuilder();
  let at = 0;
  for (const character of aligned.text) {
    out.add(change(character), aligned.starts[at], aligned.ends[at]);
    at += character.length;
  }
  return out.done();
}

/** @param {Aligned} aligned @param {number} from @param {number} to @returns {Aligned} */
export function sliceAligned(aligned, from, to) {
  return {
    text: aligned.text.slice(from, to),
    starts: aligned.starts.slice(from, to),
    ends: aligned.ends.slice(from, to),
  };
}

/** @param {Piece} piece @returns {string} */
export const pieceText = (piece) => piece.on.text.slice(piece.from, piece.to);

/** @param {Piece} piece @returns {Aligned} the piece as a text of its own */
export const pieceAligned = ({ on, from, to }) =>
  from === 0 && to === on.text.length ? on : sliceAligned(on, from, to);
