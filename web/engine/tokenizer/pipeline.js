// A text through all steps of a tokenizer: added tokens, normalisation, words, pieces. Special tokens come later
// (template.js).
import { createSectioner, wholeText } from './added.js';
import { alignedText, pieceAligned, pieceText } from './aligned.js';
import { readPart } from './check.js';
import { createNormalizer } from './normalize.js';
import { createCutter } from './pieces.js';
import { createPreTokenizer } from './pretokenize.js';
import { readTrimming } from './template.js';

/** @typedef {{ tokens: string[], ids: number[], offsets: [number, number][] }} Tokens */

/**
 * @param {ReturnType<typeof import('./check.js').checkTokenizerJson>} parts
 * @param {import('./added.js').AddedToken[]} added
 * @param {import('@huggingface/tokenizers').Tokenizer} library made of the same parts
 * @returns {(text: string) => Tokens}
 */
export function createPipeline(parts, added, library) {
  const normalize = readPart('normalizer', () => createNormalizer(parts.normalizer));
  const preTokenize = readPart('pre_tokenizer', () => createPreTokenizer(parts.pre_tokenizer));
  const model = /** @type {import('@huggingface/tokenizers').Model} */ (library.model);
  const cut = readPart('model', () => createCutter(parts.model, model));
  const trim = readPart('post_processor', () => readTrimming(parts.post_processor));
  const asTyped = createSectioner(
    added.filter((token) => !token.normalized),
    (text) => text,
  );
  const asNormalized = createSectioner(
    added.filter((token) => token.normalized),
    (text) => normalize(alignedText(text)).text,
  );

  return (text) => {
    /** @type {Tokens} */
    const out = { tokens: [], ids: [], offsets: [] };
    /** @type {string[]} */
    const written = []; // the tokens as they were found, for trimming

    /** @param {string} token @param {number} id @param {import('./aligned.js').Piece} piece */
    const push = (token, id, { on, from, to }) => {
      out.tokens.push(token);
      out.ids.push(id);
      out.offsets.push(from < to ? [on.starts[from], on.ends[to - 1]] : [0, 0]);
    };
    /** @param {import('./added.js').Section} section @returns {boolean} */
    const pushAdded = ({ piece, token }) => {
      if (!token) return false;
      push(token.content, token.id, piece);
      written.push(pieceText(piece));
      return true;
    };

    for (const typed of asTyped(wholeText(text))) {
      if (pushAdded(typed)) continue;
      const on = normalize(pieceAligned(typed.piece));
      for (const section of asNormalized({ on, from: 0, to: on.text.length })) {
        if (pushAdded(section) || section.piece.from === section.piece.to) continue;
        for (const word of preTokenize([section.piece])) {
          const { tokens, ids, from, to } = cut(pieceText(word));
          tokens.forEach((token, i) => {
            push(token, ids[i], { on: word.on, from: word.from + from[i], to: word.from + to[i] });
            written.push(token);
          });
        }
      }
    }
    trim?.(written, out.offsets, text);
    return out;
  };
}
