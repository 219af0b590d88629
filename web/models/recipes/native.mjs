// Drives the native trainer, build/native/glass_train: examples go in through a pipe, progress comes out as JSON lines.
//
// Input: one line of JSON options, then examples, each little-endian int32:
// [n_ids, n_type_ids, n_decoder_ids, n_labels, n_links, ids…, type_ids…, decoder_ids…, labels…, links…].
// The pipe's own back-pressure paces the stream of examples; its end ends the training early.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./streams.mjs').Example} Example */
/** @typedef {{ step: number, loss: number, lr: number, gradNorm: number, tokensPerSecond: number }} Step */
/** @typedef {{ saved: true, step: number, examples: number }} Saved `examples` is how many the saved state has trained on */
/** @typedef {{ loss: number, count: number, correct: number, correct5: number, predicted: number }} Score sums over one example's labelled positions; `predicted` is a class */

/** The native trainer, built by the CMake preset `native`. */
export const TRAINER = fileURLToPath(new URL('../../../build/native/glass_train', import.meta.url));

// Examples are gathered to about a pipe's capacity before they are written.
const kChunk = 1 << 16;
const kNone = new Int32Array(0);

/**
 * One example in the trainer's form.
 * @param {Example} example
 * @returns {Buffer}
 */
export function encodeExample({ ids, typeIds, decoderIds, labels, links }) {
  const count = typeIds?.length ?? 0;
  if (count !== 0 && count !== ids.length)
    throw new RangeError(`expected ${ids.length} type ids or none, got ${count}`);
  const parts = [ids, typeIds ?? kNone, decoderIds ?? kNone, labels, links ?? kNone];
  const words = new Int32Array(parts.reduce((sum, part) => sum + part.length, parts.length));
  let at = 0;
  for (const part of parts) words[at++] = part.length;
  for (const part of parts) {
    words.set(part, at);
    at += part.length;
  }
  const buffer = Buffer.from(words.buffer);
  // Typed arrays have the machine's byte order, the pipe has little-endian; all that Node runs on but s390x agree.
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? buffer : buffer.swap32();
}

/**
 * The reverse of encodeExample, for tests and for looking into a stream.
 * @param {Buffer} buffer
 * @param {number} [offset] bytes
 * @returns {{ example: Example, next: number }} `next` is the offset behind the example
 */
export function decodeExample(buffer, offset = 0) {
  const read = (/** @type {number} */ at, /** @type {number} */ count) =>
    Int32Array.from({ length: count }, (_, i) => buffer.readInt32LE(at + 4 * i));
  const counts = read(offset, 5);
  let next = offset + 20;
  const [ids, typeIds, decoderIds, labels, links] = Array.from(counts, (count) => {
    const part = read(next, count);
    next += 4 * count;
    return part;
  });
  return {
    example: {
      ids,
      ...(typeIds.length && { typeIds }),
      ...(decoderIds.length && { decoderIds }),
      labels,
      ...(links.length && { links }),
    },
    next,
  };
}

/**
 * Trains natively. Resumes from `out`'s last state if there is one; on abort the trainer saves its state before it ends.
 * @param {object} options
 * @param {string} options.model folder with config.json, and model.safetensors to start from (without it the trainer initialises by seed)
 * @param {string} options.out folder for the trained model and the state to resume from
 * @param {(from: number) => Iterable<Example> | AsyncIterable<Example>} options.examples the stream from example number `from` on
 * @param {Record<string, any>} options.settings the options of `train` in the public interface, plus threads, saveEvery and dtype
 * @param {boolean} [options.fresh] forget an earlier state
 * @param {AbortSignal} [options.signal]
 * @param {string} [options.trainer] program to run
 * @returns {AsyncGenerator<Step | Saved>}
 */
export async function* trainNative({ model, out, examples, settings, fresh = false, signal, trainer = TRAINER }) {
  const state = join(out, 'state.safetensors');
  const counter = join(out, 'progress.json');
  mkdirSync(out, { recursive: true });
  if (fresh) for (const file of [state, counter]) rmSync(file, { force: true });
  const resumes = existsSync(state) && existsSync(counter);
  const from = resumes ? JSON.parse(readFileSync(counter, 'utf8')).examples : 0;
  const args = ['train', '--model', model, '--out', out, ...(resumes ? ['--resume', state] : [])];
  for await (const line of converse(trainer, args, nativeOptions(settings), examples(from), signal)) {
    if (line.saved) {
      // Renamed into place, so that a run that is killed while writing leaves the old file.
      writeFileSync(`${counter}.new`, JSON.stringify({ step: line.step, examples: line.examples }));
      renameSync(`${counter}.new`, counter);
    }
    yield line;
  }
}

/**
 * The trainer reads every number under a name of its own.
 * @param {Record<string, any>} settings the options of `train` in the public interface
 */
function nativeOptions({ optimizer: { betas, ...optimizer } = {}, ...settings }) {
  const [beta1, beta2] = betas ?? [];
  return { ...settings, optimizer: { ...optimizer, beta1, beta2 } };
}

/**
 * Scores examples natively, in order.
 * @param {object} options
 * @param {string} options.model folder
 * @param {Iterable<Example>} options.examples
 * @param {number} [options.batchSize]
 * @param {number} [options.threads]
 * @param {string} [options.trainer] program to run
 * @returns {Promise<Score[]>} one for each example
 */
export async function evaluateNative({ model, examples, batchSize = 64, threads = 1, trainer = TRAINER }) {
  let sent = 0;
  const counted = (function* () {
    for (const example of examples) {
      sent++;
      yield example;
    }
  })();
  const scores = [];
  for await (const line of converse(trainer, ['evaluate', '--model', model], { batchSize, threads }, counted))
    scores.push(line);
  // The last line holds the totals.
  if (scores.length !== sent + 1)
    throw new Error(`glass_train evaluate: expected ${sent} scores and their totals, got ${scores.length} lines`);
  return scores.slice(0, -1);
}

/**
 * Generates natively, one source at a time, in order.
 * @param {object} options
 * @param {string} options.model folder
 * @param {Iterable<Int32Array>} options.sources ids of each source; of a decoder-only model, of each prompt
 * @param {Record<string, any>} [options.options] of `generate` in the public interface, and threads
 * @param {string} [options.trainer] program to run
 * @returns {Promise<{ ids: number[], score: number }[]>} what was generated for each, the end token included
 */
export async function generateNative({ model, sources, options = {}, trainer = TRAINER }) {
  let sent = 0;
  const records = (function* () {
    for (const ids of sources) {
      sent++;
      yield { ids, labels: kNone };
    }
  })();
  const outputs = [];
  for await (const line of converse(trainer, ['generate', '--model', model], options, records)) outputs.push(line);
  if (outputs.length !== sent) throw new Error(`glass_train generate: expected ${sent} answers, got ${outputs.length}`);
  return outputs;
}

/**
 * Runs the program, feeds it, and gives back the lines it answers with.
 * @param {string} program
 * @param {string[]} args
 * @param {object} header
 * @param {Iterable<Example> | AsyncIterable<Example>} examples
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<any>}
 */
async function* converse(program, args, header, examples, signal) {
  // In a process group of its own, so that Ctrl-C in a terminal reaches only this process, which then asks the trainer to stop once.
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('close', (code, ending) => resolve({ code, ending }));
  });
  let complaint = '';
  child.stderr.on('data', (text) => (complaint = (complaint + text).slice(-4000)));
  const stop = () => child.kill('SIGINT');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  const feeding = feed(child.stdin, header, examples);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.trim()) yield JSON.parse(line);
    }
    const { error, code, ending } = await ended;
    if (error) throw new Error(`cannot run ${program} (npm run build makes it): ${error.message}`);
    if (code !== 0)
      throw new Error(`glass_train ${args[0]} ended with ${ending ?? code}: ${complaint.trim() || 'no message'}`);
    await feeding;
  } finally {
    signal?.removeEventListener('abort', stop);
    // Left early: the trainer saves and ends.
    if (child.exitCode === null && child.signalCode === null) stop();
  }
}

/**
 * @param {import('node:stream').Writable} pipe
 * @param {object} header
 * @param {Iterable<Example> | AsyncIterable<Example>} examples
 */
async function feed(pipe, header, examples) {
  let open = true;
  const closed = new Promise((resolve) => {
    // EPIPE: the trainer has had its number of steps, or failed, which its exit code tells.
    pipe.once('error', resolve);
    pipe.once('close', resolve);
  }).then(() => (open = false));
  const write = async (/** @type {Buffer | string} */ data) => {
    if (!pipe.write(data)) await Promise.race([once(pipe, 'drain').catch(() => undefined), closed]);
  };
  await write(`${JSON.stringify(header)}\n`);
  /** @type {Buffer[]} */
  let waiting = [];
  let bytes = 0;
  for await (const example of examples) {
    const buffer = encodeExample(example);
    waiting.push(buffer);
    bytes += buffer.length;
    if (bytes < kChunk) continue;
    await write(Buffer.concat(waiting));
    waiting = [];
    bytes = 0;
    if (!open) return;
  }
  if (open) pipe.end(Buffer.concat(waiting));
}
