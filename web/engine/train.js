// Training: an async iterable of steps. Forward, backward and the optimizer are the core's.
import { errorCode, GlassError, throwIfAborted } from './errors.js';
import { Examples, packed } from './examples.js';
import { Model } from './model.js';
import { checkOptions, checkSignal, described } from './names.js';
import { settingsText } from './settings.js';

/** @typedef {import('./examples.js').Example} Example */

/**
 * @typedef {object} TrainOptions
 * @property {Iterable<Example> | AsyncIterable<Example>} data a list starts over when it ends; an iterator that ends ends
 *   the training
 * @property {number} [steps] 1000
 * @property {number} [batchSize] examples in a part, 16
 * @property {number} [accumulate] parts in a step, 1
 * @property {{ lr?: number, betas?: [number, number], eps?: number, weightDecay?: number }} [optimizer] AdamW: 1e-3,
 *   [0.9, 0.999], 1e-8, 0.01
 * @property {'constant' | 'noam' | 'linear' | 'cosine'} [schedule] 'constant'; with 'noam', lr is a factor, 1 where not given
 * @property {number} [warmup] steps over which the rate rises, 0
 * @property {number} [labelSmoothing] 0
 * @property {number} [dropout] the config's
 * @property {number} [clip] the gradients' norm at most, 0: as it is
 * @property {number} [recomputeEvery] gradient checkpointing: activations of every n-th layer are kept, 0: all
 * @property {number} [ema] decay of a moving average of the weights, which the model ends with, 0: none
 * @property {number} [averageLast] the model ends with the mean over the last n steps, 0: no
 * @property {string[]} [trainable] names of parameters with *; all but BART's and Marian's final_logits_bias,
 *   a buffer in transformers
 * @property {number} [seed] 0
 * @property {Uint8Array} [state] what `state()` gave: training goes on from there
 * @property {AbortSignal} [signal] ends the training before the next step, which throws 'aborted'
 */

/**
 * @typedef {object} Step
 * @property {number} step from 1
 * @property {number} loss the mean over labels that count
 * @property {number} lr
 * @property {number} gradNorm before clipping
 * @property {number} tokensPerSecond
 * @property {number} peakBytes the most that activations and their gradients took at once, which recomputeEvery lowers
 * @property {number} macs multiply-adds of matrix products: forward, what recomputeEvery computes again, backward
 */

const CORE_OPTIONS = /** @type {const} */ ([
  ...['steps', 'batchSize', 'accumulate', 'schedule', 'warmup', 'labelSmoothing', 'dropout', 'clip'],
  ...['recomputeEvery', 'ema', 'averageLast', 'trainable', 'seed'],
]);

/** A step's examples are collected before it begins. More of them than this, no memory of 4 GB has the activations for. */
const MOST_EXAMPLES = 65_536;

/** @param {string} message @returns {never} */
function refuse(message) {
  throw new GlassError('bad-input', message);
}

/**
 * As the core reads them. It checks the ranges.
 * @param {TrainOptions} options
 * @returns {string}
 */
function coreOptions(options) {
  checkOptions(options, ['data', 'optimizer', 'state', 'signal', ...CORE_OPTIONS], 'train');
  const { optimizer = {} } = options;
  checkOptions(optimizer, ['lr', 'betas', 'eps', 'weightDecay'], 'optimizer');
  const { betas = [undefined, undefined], ...others } = optimizer;
  if (!Array.isArray(betas) || betas.length !== 2)
    refuse(`optimizer.betas: expected two numbers, got ${described(betas)}`);
  const [beta1, beta2] = betas;
  const step = { ...others, beta1, beta2 };
  const values = Object.entries(options).filter(([name]) => CORE_OPTIONS.some((known) => known === name));
  for (const name of /** @type {const} */ (['steps', 'batchSize', 'accumulate', 'dropout'])) {
    const value = options[name]; // reckoned with here, before the core checks its range
    if (value !== undefined && typeof value !== 'number') refuse(`${name}: expected a number, got ${described(value)}`);
  }
  if (options.dropout !== undefined && !(options.dropout >= 0)) {
    refuse(`dropout: expected a number from 0, got ${described(options.dropout)}`);
  }
  return settingsText({ ...Object.fromEntries(values), optimizer: step }, { name: 'train' });
}

/** Frees trainings that were dropped. */
const dropped = new FinalizationRegistry(
  (/** @type {{ connection: import('./connection.js').Connection, trainer: number }} */ { connection, trainer }) =>
    connection.tell('trainerClose', [trainer]),
);

/**
 * What `train` gives: an async iterator of steps.
 * @implements {AsyncIterableIterator<Step>}
 */
export class Training {
  #model;
  #examples;
  #signal;
  #state;
  #settings;
  #perStep;
  /** @type {Promise<{ trainer: number, steps: number }> | null} */
  #opened = null;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  #left;
  #stepped = false;
  #ended = false;

  /** @param {Model} model @param {TrainOptions} options */
  constructor(model, options) {
    if (!(model instanceof Model)) refuse(`train: expected a model, got ${described(model)}`);
    const settings = coreOptions(options);
    const { data, state, signal = null, steps = 1000, batchSize = 16, accumulate = 1 } = options;
    checkSignal(signal);
    if (state !== undefined && !(state instanceof Uint8Array && state.length > 0)) {
      refuse(`state: expected the Uint8Array that state() gave, got ${described(state)}`);
    }
    this.#model = model;
    this.#examples = new Examples(data);
    this.#signal = signal;
    this.#state = state;
    this.#settings = settings;
    this.#perStep = batchSize * accumulate;
    if (this.#perStep > MOST_EXAMPLES)
      refuse(`batchSize × accumulate: expected at most ${MOST_EXAMPLES} examples a step, got ${this.#perStep}`);
    this.#left = steps;
  }

  /** @returns {this} */
  [Symbol.asyncIterator]() {
    return this;
  }

  #open() {
    this.#opened ??= (async () => {
      const { connection, handle } = this.#model.core;
      const opened = await connection.call('trainerOpen', [handle, this.#settings, this.#state]);
      dropped.register(this, { connection, trainer: opened.trainer });
      this.#left -= opened.steps;
      await this.#examples.skip(opened.steps * this.#perStep);
      return opened;
    })();
    return this.#opened;
  }

  /** @template T @param {() => Promise<T>} work one at a time @returns {Promise<T>} */
  #queued(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #finish() {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#opened) return;
    const { trainer } = await this.#opened;
    await this.#model.core.connection.call('trainerFinish', [trainer]);
  }

  /** @returns {Promise<IteratorResult<Step, undefined>>} */
  async #step() {
    if (this.#ended) return { done: true, value: undefined };
    throwIfAborted(this.#signal, 'train');
    const { trainer } = await this.#open();
    const { connection } = this.#model.core;
    const examples = this.#left > 0 ? await this.#examples.take(this.#perStep) : [];
    if (examples.length === 0) {
      if (!this.#stepped && this.#left > 0) refuse('data: expected at least one example, got none');
      await this.#finish();
      return { done: true, value: undefined };
    }
    throwIfAborted(this.#signal, 'train');
    const value = await connection.call('trainerStep', [trainer, ...packed(examples, this.#model.kind)], {
      signal: this.#signal,
    });
    this.#stepped = true;
    this.#left -= 1;
    if (this.#left <= 0) await this.#finish();
    return { done: false, value };
  }

  /** One step. After an error, and 'aborted', the training has ended. @returns {Promise<IteratorResult<Step, undefined>>} */
  next() {
    return this.#queued(async () => {
      try {
        return await this.#step();
      } catch (error) {
        await this.#finish().catch(() => {}); // the first error is the one to tell
        await this.#examples.close().catch(() => {});
        throw error;
      }
    });
  }

  /** Ends the training, as `break` does, also where the model is gone already. @returns {Promise<IteratorResult<Step, undefined>>} */
  return() {
    return this.#queued(async () => {
      try {
        await this.#finish();
      } catch (error) {
        if (errorCode(error) !== 'disposed') throw error;
      } finally {
        await this.#examples.close();
      }
      return { done: true, value: undefined };
    });
  }

  /**
   * What a later `train` goes on from as if it had not stopped, at any time, also after the last step: weights, optimizer,
   * averages and the number of steps. Data that is a list goes on where it was; an iterator is read from where it stands.
   * @returns {Promise<Uint8Array>}
   */
  state() {
    return this.#queued(async () => {
      const { trainer } = await this.#open();
      return this.#model.core.connection.call('trainerState', [trainer]);
    });
  }
}

/**
 * Trains a model, a step for each turn of `for await`; between steps it can be run. Throws 'bad-input' naming the option or
 * the example that does not fit.
 * @param {Model} model
 * @param {TrainOptions} options
 * @returns {Training}
 */
export function train(model, options) {
  return new Training(model, options);
}
