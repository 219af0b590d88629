// What a generation goes on with, and what each of its steps read, as a batch.
import { GlassError } from './errors.js';
import { idsBatch, readInput } from './input.js';

/** @typedef {import('./input.js').Batch} Batch */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */

/**
 * @typedef {object} Prompt
 * @property {Batch} batch one sequence; of an encoder–decoder its source, and as target what the text begins with, if given
 * @property {boolean} two an encoder–decoder's
 * @property {{ ids: Int32Array, mask: Int32Array, decoderIds?: Int32Array }} core
 */

/**
 * Throws 'bad-input' naming the argument, what was expected and what came.
 * @param {unknown} input
 * @param {import('./input.js').Reader} reader
 * @returns {Prompt}
 */
export function readPrompt(input, reader) {
  const batch = readInput(input, reader);
  if (batch.ids.length !== 1) {
    throw new GlassError('bad-input', `input: expected one sequence to go on with, got ${batch.ids.length}`);
  }
  if (batch.target?.mask[0].includes(0)) {
    throw new GlassError('bad-input', 'decoderMask: expected no padding in what a text begins with, got a 0');
  }
  const core = { ids: Int32Array.from(batch.ids[0]), mask: Int32Array.from(batch.mask[0]) };
  const decoderIds = batch.target ? Int32Array.from(batch.target.ids[0]) : undefined;
  return { batch, two: reader.kind === 'encoder-decoder', core: { ...core, decoderIds } };
}

/**
 * What a step read: the prompt at first, then the last token of each text.
 * @param {Prompt} prompt
 * @param {{ past: number, sequences: number, read: Int32Array }} answer of the core
 * @param {Tokenizer | null} tokenizer
 * @returns {Batch}
 */
export function stepBatch({ batch, two }, { past, sequences, read }, tokenizer) {
  const length = read.length / sequences;
  const rows = Array.from({ length: sequences }, (_, b) => Array.from(read.subarray(b * length, (b + 1) * length)));
  const given = two ? batch.target : batch;
  // The core may have put a token before what was given; otherwise that is known with its places in the text.
  const known = past === 0 && given && given.ids[0].length === length;
  const side = known ? given : idsBatch(rows, tokenizer);
  return two ? { ...batch, target: side } : side;
}
