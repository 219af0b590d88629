// Which source token each target token comes from, by IBM model 1: what a head of the cross-attention is taught to look at.

import { Tokenizer } from 'tokenizers';
import { words } from './clauses.mjs';
import { NULL_WORD } from './ibm1.mjs';

/** @typedef {import('./ibm1.mjs').WordTranslation} WordTranslation */
/** @typedef {{ ids: Int32Array, words: string[], wordOf: Int32Array }} Piece a text's tokens; `wordOf`: the word each lies in, −1 for none */

/**
 * @param {string} json a tokenizer.json of byte pairs
 * @param {string[]} texts
 * @returns {Promise<Piece[]>}
 */
export async function encodePieces(json, texts) {
  const tokenizer = Tokenizer.fromString(json);
  const encodings = await tokenizer.encodeBatch(texts, { addSpecialTokens: false });
  return encodings.map((encoding, i) => {
    const text = texts[i];
    const found = words(text);
    const starts = placesOf(text.toLowerCase(), found);
    const wordOf = Int32Array.from(encoding.getOffsets(), ([, end]) => wordAt(found, starts, end - 1));
    return { ids: Int32Array.from(encoding.getIds()), words: found, wordOf };
  });
}

/** @param {string} text @param {string[]} found words in order @returns {number[]} where each begins */
function placesOf(text, found) {
  let from = 0;
  return found.map((word) => {
    const at = text.indexOf(word, from);
    from = at + word.length;
    return at;
  });
}

/** @param {string[]} found @param {number[]} starts @param {number} place @returns {number} the word that covers a place, −1 for none */
function wordAt(found, starts, place) {
  return starts.findLastIndex((start, i) => start <= place && place < start + found[i].length);
}

/**
 * @param {Piece} source
 * @param {Piece} target
 * @param {WordTranslation} translation of source words to target words
 * @returns {Int32Array} for each target token the first token of the source word that most probably became its word; −1 where none
 *   is likelier than NULL
 */
export function linkTokens(source, target, translation) {
  const firstToken = source.words.map((_, w) => source.wordOf.indexOf(w));
  const linked = target.words.map((word) => {
    let best = -1;
    let most = translation.probability(NULL_WORD, word);
    source.words.forEach((from, w) => {
      const p = translation.probability(from, word);
      if (p <= most || firstToken[w] < 0) return;
      most = p;
      best = firstToken[w];
    });
    return best;
  });
  return target.wordOf.map((w) => (w < 0 ? -1 : linked[w]));
}
