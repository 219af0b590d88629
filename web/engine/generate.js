// Generation: an async iterable of steps. Forwards, choices and the key/value cache are the core's.
import { readAsked } from './asked.js';
import { errorCode, GlassError, throwIfAborted } from './errors.js';
import { stepBatch } from './prompt.js';
import { Run } from './run.js';

/** @typedef {import('./asked.js').Asked} Asked */
/** @typedef {import('./asked.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./connection.js').Connection} Connection */
/** @typedef {{ id: number, token: string, logprob: number }} Candidate logprob: in the distribution that was chosen from */
/** @typedef {{ ids: number[], score: number, parent: number }} Beam score: the sum of its log-probabilities; parent: its place one step before */
/** @typedef {'end-token' | 'stop' | 'length' | 'positions'} Ending positions: the model has none left */

/**
 * Without beams `id` to `top`, with beams `beams`. Joined, the steps' `text` is the result's.
 * @typedef {object} Step
 * @property {number} [id]
 * @property {string} [token] as the vocabulary has it
 * @property {string} [text] what it adds to the text; empty while a character is incomplete
 * @property {number} [logprob]
 * @property {Candidate[]} [top] the most probable tokens, best first
 * @property {Beam[]} [beams] those that go on, best first
 * @property {Run} run its tokens are the prompt's at the first step, later the last one of each text
 * @property {number} cacheBytes of keys and values
 * @property {number} macs multiply-adds of the step, see Run.macs
 */

/**
 * @typedef {object} Generated
 * @property {number[]} ids what was generated, an end token included, without prompt and start token
 * @property {string} text without special tokens; ends where the stop string that ended it ends
 * @property {number} score the sum of log-probabilities over length ** lengthPenalty
 * @property {Step[]} steps those that had not been taken before
 * @property {Ending | null} ending why it ended; null where it was left before
 */

/**
 * No token is likelier than another where all are NaN: what the core then takes is no choice of the model's.
 * @param {any} answer of the core
 */
function checkNumbers({ beams, chosen }) {
  const scores = beams ? beams.map((/** @type {any} */ { score }) => score) : [chosen.logprob];
  if (!scores.some(Number.isNaN)) return;
  const why = 'weights that are NaN, or numbers beyond float32, as edits may set';
  throw new GlassError('bad-weights', `generate: expected probabilities of the next token, got NaN: ${why}`);
}

/** Frees generations that were dropped. */
const dropped = new FinalizationRegistry(
  (/** @type {{ connection: Connection, generator: number }} */ { connection, generator }) =>
    connection.tell('generatorClose', [generator]),
);

/**
 * What `model.generate` gives.
 * @implements {AsyncIterableIterator<Step>}
 */
export class Generation {
  #model;
  #asked;
  /** @type {{ connection: Connection, generator: number, leave: () => void } | null} */
  #opened = null;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  #ended = false;
  /** What a step threw. @type {{ error: unknown } | null} */
  #failed = null;
  /** @type {number[]} */
  #ids = [];
  #text = '';
  /** @type {{ ids: number[], score: number, ending: Ending | null }} */
  #result = { ids: [], score: 0, ending: null };

  /**
   * Generations come from `model.generate`.
   * @param {import('./model.js').Model} model
   * @param {import('./input.js').Input} input
   * @param {GenerateOptions} options
   */
  constructor(model, input, options) {
    this.#model = model;
    this.#asked = readAsked(model, input, options);
    this.#asked.catch(() => {}); // is told at the first step
  }

  /** @returns {this} */
  [Symbol.asyncIterator]() {
    return this;
  }

  /** @param {Asked} asked */
  async #open({ args, signal }) {
    if (this.#opened) return this.#opened;
    const { connection, handle } = this.#model.core;
    const generator = await connection.call('generatorOpen', [handle, ...args], { signal });
    // Frees at once what an abort leaves; holds nothing of this object, so that it can still be collected.
    const free = () => connection.tell('generatorClose', [generator]);
    signal?.addEventListener('abort', free, { once: true });
    this.#opened = { connection, generator, leave: () => signal?.removeEventListener('abort', free) };
    dropped.register(this, { connection, generator }, this);
    return this.#opened;
  }

  /** Frees what it has in the core. */
  #close() {
    this.#ended = true;
    if (!this.#opened) return;
    const { connection, generator, leave } = this.#opened;
    this.#opened = null;
    leave();
    dropped.unregister(this);
    connection.tell('generatorClose', [generator]);
  }

  /** @template T @param {() => Promise<T>} work one at a time @returns {Promise<T>} */
  #queued(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /**
   * @param {{ behind: Uint8Array } | null} [result] the last token has come, with what of its text is behind a stop string
   * @returns {string} what the text has grown by
   */
  #grow(result = null) {
    const { tokenizer } = this.#model;
    if (!tokenizer) return '';
    let text = tokenizer.decode(this.#ids, { skipSpecial: true });
    if (!result && text.endsWith('\ufffd')) return ''; // bytes that are no character yet
    const behind = new TextDecoder().decode(result?.behind);
    if (text.endsWith(behind)) text = text.slice(0, text.length - behind.length); // a special token's text is not in it
    const added = text.slice(this.#text.length);
    this.#text = text;
    return added;
  }

  /** @param {any} answer of the core @param {Asked} asked @returns {Step} */
  #stepOf(answer, { prompt }) {
    const { tokenizer } = this.#model;
    const { hooks } = this.#model.core.about;
    const batch = stepBatch(prompt, answer, tokenizer);
    const run = new Run(
      batch,
      answer,
      hooks.map(({ name }) => name),
    );
    const { cacheBytes, macs, ending } = answer;
    if (answer.result) this.#result = { ids: Array.from(answer.result.ids), score: answer.result.score, ending };
    if (answer.beams) {
      /** @type {Beam[]} */
      const beams = answer.beams.map((/** @type {any} */ beam) => ({ ...beam, ids: Array.from(beam.ids) }));
      if (answer.result) {
        this.#ids = this.#result.ids;
        this.#grow(answer.result);
      }
      return { beams, run, cacheBytes, macs };
    }
    const token = (/** @type {number} */ id) => tokenizer?.token(id) ?? String(id);
    const { id, logprob } = answer.chosen;
    this.#ids.push(id);
    const text = this.#grow(answer.result);
    const top = answer.top.map((/** @type {any} */ one) => ({
      id: one.id,
      token: token(one.id),
      logprob: one.logprob,
    }));
    return { id, token: token(id), text, logprob, top, run, cacheBytes, macs };
  }

  /** @returns {Promise<IteratorResult<Step, undefined>>} */
  async #step() {
    if (this.#ended) return { done: true, value: undefined };
    const asked = await this.#asked;
    const { signal } = asked;
    throwIfAborted(signal, 'generate');
    const { connection, generator } = await this.#open(asked);
    const answer = await connection.call('generatorStep', [generator], { signal });
    checkNumbers(answer);
    const value = this.#stepOf(answer, asked);
    if (this.#result.ending) this.#close();
    return { done: false, value };
  }

  /** What there is so far is the result. */
  async #leave() {
    if (!this.#opened) return;
    const { connection, generator } = this.#opened;
    const result = await connection.call('generatorResult', [generator]);
    this.#ids = Array.from(result.ids);
    this.#result = { ids: this.#ids, score: result.score, ending: null };
    this.#grow(result);
  }

  /** An abort frees what the generation has in the core, so that a step of it can find it gone. @param {unknown} error */
  async #reason(error) {
    if (errorCode(error) !== 'disposed') return error;
    return this.#asked
      .then(({ signal }) => throwIfAborted(signal, 'generate'))
      .then(
        () => error,
        (aborted) => aborted,
      );
  }

  /** One token more. After an error, and 'aborted', the generation has ended. @returns {Promise<IteratorResult<Step, undefined>>} */
  next() {
    return this.#queued(async () => {
      try {
        return await this.#step();
      } catch (error) {
        this.#close();
        this.#failed = { error: await this.#reason(error) };
        throw this.#failed.error;
      }
    });
  }

  /** Ends the generation, as `break` does, also where the model is gone already. @returns {Promise<IteratorResult<Step, undefined>>} */
  return() {
    return this.#queued(async () => {
      try {
        if (!this.#ended) await this.#leave();
      } catch (error) {
        if (errorCode(error) !== 'disposed') throw error;
      } finally {
        this.#close();
      }
      return { done: true, value: undefined };
    });
  }

  /**
   * Takes the steps that are left. Throws what a step throws or has thrown.
   * @returns {Promise<Generated>}
   */
  async result() {
    /** @type {Step[]} */
    const steps = [];
    for (let step = await this.next(); !step.done; step = await this.next()) steps.push(step.value);
    if (this.#failed) throw this.#failed.error;
    const { ids, score, ending } = this.#result;
    return { ids: [...ids], text: this.#text, score, steps, ending };
  }
}
