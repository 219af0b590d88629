// The post-processor of tokenizer.json: where the special tokens go, around one text or two.
import { GlassError } from '../errors.js';

/** @typedef {import('./normalize.js').Part} Part */
/**
 * One place of a template: a special token, or all tokens of the first or second text.
 * @typedef {{ token: string | null, sequence: 0 | 1 | null, typeId: number }} Place
 */
/** @typedef {{ single: Place[], pair: Place[] | null }} Template pair is null where two texts have no form */

// Stand for the tokens of the two texts while the library fills in its template; no vocabulary has them.
const FIRST = '\u0000first text';
const SECOND = '\u0000second text';

/** @param {Part | null | undefined} part @returns {Part[]} the post-processor's steps */
const steps = (part) => (!part ? [] : part.type === 'Sequence' ? (part.processors ?? []).flatMap(steps) : [part]);

/**
 * @param {import('@huggingface/tokenizers').Tokenizer} library
 * @param {Part | null | undefined} part tokenizer.json's post_processor
 * @returns {Template}
 */
export function readTemplate(library, part) {
  // RoBERTa's models have one token type; the library says 1 for the second text.
  const oneType = steps(part).some((step) => step.type === 'RobertaProcessing');
  /** @param {string | null} second @returns {Place[]} */
  const form = (second) => {
    const processor = library.post_processor;
    const filled = processor
      ? processor.post_process([FIRST], second === null ? null : [second], true)
      : { tokens: [FIRST], token_type_ids: [0] };
    return filled.tokens.map((token, i) => {
      const sequence = token === FIRST ? 0 : token === SECOND ? 1 : null;
      const typeId = oneType ? 0 : (filled.token_type_ids?.[i] ?? 0);
      if (typeof token !== 'string' || !Number.isInteger(typeId) || typeId < 0) {
        throw new GlassError(
          'bad-input',
          `tokenizer.json: post_processor: place ${i} needs an id (text) and a type_id`,
        );
      }
      return { token: sequence === null ? token : null, sequence, typeId };
    });
  };
  const single = form(null);
  const pair = form(SECOND);
  if (!single.some((place) => place.sequence === 0)) {
    throw new GlassError('bad-input', 'tokenizer.json: post_processor has no place for the text');
  }
  const both = [0, 1].every((sequence) => pair.some((place) => place.sequence === sequence));
  return { single, pair: both ? pair : null };
}

/**
 * The adjustment of offsets that byte-level post-processors make: a token's leading and trailing spaces are not part
 * of it. As the Rust library's `process_offsets`, which counts in code points.
 * @param {Part | null | undefined} part tokenizer.json's post_processor
 * @returns {((written: string[], offsets: [number, number][], text: string) => void) | null} `written` holds the tokens
 *   as they were found, added ones with the spaces they took along
 */
export function readTrimming(part) {
  const trimming = steps(part).filter(
    (step) => (step.type === 'ByteLevel' || step.type === 'RobertaProcessing') && (step.trim_offsets ?? true),
  );
  if (trimming.length === 0) return null;
  const blank = /[\p{White_Space}\u0120]/u; // U+0120 stands for the space among the byte characters
  return (written, offsets, text) => {
    for (const step of trimming) {
      written.forEach((token, i) => {
        let [start, end] = offsets[i];
        let leading = 0;
        let trailing = 0;
        while (leading < token.length && blank.test(token[leading])) ++leading;
        while (trailing < token.length && blank.test(token[token.length - 1 - trailing])) ++trailing;
        // The first token's one space may have been put in front of the text.
        if (leading === 1 && (i === 0 || start === 0) && (step.add_prefix_space ?? true)) leading = 0;
        for (; leading > 0 && start < end; --leading) start += isPair(text, start) ? 2 : 1;
        for (; trailing > 0 && start < end; --trailing) end -= isPair(text, end - 2) ? 2 : 1;
        offsets[i] = [start, end];
      });
    }
  };
}

/** @param {string} text @param {number} at @returns {boolean} whether a surrogate pair begins at a unit */
const isPair = (text, at) => at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;
