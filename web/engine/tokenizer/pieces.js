// From a word to pieces of the vocabulary, each with the part of the word it covers.
import { GlassError } from '../errors.js';

/**
 * The pieces of a word: texts, ids, and the range [from, to) of the word's UTF-16 units that each covers.
 * @typedef {{ tokens: string[], ids: number[], from: number[], to: number[] }} Cut
 */
/** @typedef {(word: string) => Cut} CutWord */
/** @typedef {import('@huggingface/tokenizers').Model} Model */

const MOST_REMEMBERED = 20_000;
const LONGEST_REMEMBERED = 64;

/** @param {CutWord} cut @returns {CutWord} the same, remembering short words */
function remembering(cut) {
  /** @type {Map<string, Cut>} */
  const seen = new Map();
  return (word) => {
    if (word.length > LONGEST_REMEMBERED) return cut(word);
    let result = seen.get(word);
    if (!result) {
      if (seen.size >= MOST_REMEMBERED) seen.clear();
      seen.set(word, (result = cut(word)));
    }
    return result;
  };
}

/**
 * WordPiece: the longest piece that fits, again and again; a word with no fit is unknown as a whole (Schuster and
 * Nakajima 2012; Devlin et al. 2019). No piece longer than the vocabulary's longest is tried, which keeps this linear.
 * @param {{ [key: string]: any }} model
 * @param {Map<string, number>} vocab
 * @returns {CutWord}
 */
function wordPiece(model, vocab) {
  const unknown = String(model.unk_token ?? '[UNK]');
  const unknownId = vocab.get(unknown);
  if (unknownId === undefined) {
    throw new GlassError(
      'bad-input',
      `tokenizer.json: the unknown token ${JSON.stringify(unknown)} is not in model.vocab`,
    );
  }
  const prefix = String(model.continuing_subword_prefix ?? '##');
  const mostCharacters = Number(model.max_input_chars_per_word ?? 100);
  let longest = 0;
  for (const token of vocab.keys()) longest = Math.max(longest, token.length);

  return (word) => {
    const whole = { tokens: [unknown], ids: [unknownId], from: [0], to: [word.length] };
    if (word.length > mostCharacters && Array.from(word).length > mostCharacters) return whole;
    /** @type {Cut} */
    const cut = { tokens: [], ids: [], from: [], to: [] };
    for (let from = 0; from < word.length;) {
      const lead = from > 0 ? prefix : '';
      let to = Math.min(word.length, from + longest - lead.length);
      let id;
      for (; to > from; --to) {
        id = vocab.get(lead + word.slice(from, to));
        if (id !== undefined) break;
      }
      if (id === undefined) return whole;
      cut.tokens.push(lead + word.slice(from, to));
      cut.ids.push(id);
      cut.from.push(from);
      cut.to.push(to);
      from = to;
    }
    return cut;
  };
}

/** @param {string} text @param {number} at @returns {number} the end of the character that begins at a unit */
const characterEnd = (text, at) => Math.min(text.length, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));

/**
 * Finds the pieces of BPE or Unigram in their word. They follow one another; only the unknown token and byte pieces
 * ("<0xE2>", several for one character) do not read as they stand there.
 * @param {string} word
 * @param {string[]} tokens
 * @param {{ suffix: string, unknown: string | undefined, fuse: boolean }} model what a word's last piece carries at
 *   its end, or ''; the unknown token; whether one of it stands for several characters
 * @returns {{ from: number[], to: number[] }}
 */
function locate(word, tokens, { suffix, unknown, fuse }) {
  /** @type {number[]} */
  const from = [];
  /** @type {number[]} */
  const to = [];
  let at = 0;
  let bytesLeft = 0; // of a character whose bytes are pieces
  /** @param {string} token */
  const plain = (token) => (suffix && token.endsWith(suffix) ? token.slice(0, -suffix.length) : token);
  tokens.forEach((token, i) => {
    const text = plain(token);
    let start = at;
    let end;
    if (/^<0x[0-9A-F]{2}>$/.test(token) && !word.startsWith(token, at)) {
      const code = word.codePointAt(at) ?? 0;
      if (bytesLeft === 0) bytesLeft = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      end = characterEnd(word, at);
      if (--bytesLeft === 0) at = end;
    } else if (token === unknown && !word.startsWith(token, at)) {
      const next = tokens[i + 1];
      end = characterEnd(word, at);
      if (fuse) end = next === undefined ? word.length : Math.max(end, word.indexOf(plain(next), end));
      at = end;
    } else {
      start = Math.max(at, word.indexOf(text, at));
      at = end = Math.min(word.length, start + text.length);
    }
    from.push(start);
    to.push(end);
  });
  return { from, to };
}

/**
 * BPE and Unigram are the library's.
 * @param {{ [key: string]: any }} model
 * @param {Model} inner
 * @returns {CutWord}
 */
function fromLibrary(model, inner) {
  const places = {
    suffix: String(model.end_of_word_suffix ?? ''),
    unknown: model.type === 'BPE' ? inner.unk_token : undefined,
    fuse: Boolean(model.fuse_unk),
  };
  return (word) => {
    /** @type {string[]} */
    const tokens = /** @type {any} */ (inner)([word]);
    const ids = tokens.map((token) => {
      const id = inner.tokens_to_ids.get(token) ?? inner.unk_token_id;
      if (id !== undefined) return id;
      throw new GlassError(
        'bad-input',
        `the tokenizer has no token for ${JSON.stringify(token)}, nor one for unknown text`,
      );
    });
    return { tokens, ids, ...locate(word, tokens, places) };
  };
}

/**
 * The function that cuts words by tokenizer.json's `model`.
 * @param {{ [key: string]: any }} model checked, with its type
 * @param {Model} inner the library's form of it
 * @returns {CutWord}
 */
export function createCutter(model, inner) {
  if (model.type === 'WordPiece') return remembering(wordPiece(model, new Map(Object.entries(model.vocab))));
  return remembering(fromLibrary(model, inner));
}
