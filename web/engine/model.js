// Model: the handle of a model in the core, and what can be asked of it.
import { readEdits } from './edits.js';
import { GlassError } from './errors.js';
import { Generation } from './generate.js';
import { coreBatch, readRunInput } from './input.js';
import { checkedText, checkOptions, checkSignal, described } from './names.js';
import { Run } from './run.js';
import { checkedTensor } from './tensor.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {'F32' | 'F16' | 'BF16'} Dtype */
/** @typedef {{ name: string, shape: number[], dtype: string }} ParameterInfo dtype as it was read */

/**
 * What the core says of a model.
 * @typedef {object} Description
 * @property {string} configJson
 * @property {string} family
 * @property {'encoder' | 'decoder' | 'encoder-decoder'} kind
 * @property {'none' | 'masked-lm' | 'sequence-classification' | 'token-classification' | 'language-model'} task
 * @property {string[]} labels
 * @property {number} vocabSize
 * @property {number} maxPositions 0: any number
 * @property {number} types
 * @property {number} padId −1: none
 * @property {number} decoderStartId what an encoder–decoder's target begins with; −1: none
 * @property {ParameterInfo[]} parameters
 * @property {import('./edits.js').Hook[]} hooks
 */

/**
 * @typedef {object} RunOptions
 * @property {string[]} [record] names of hooks, with * for any run of characters
 * @property {import('./edits.js').Edit[]} [edits]
 * @property {AbortSignal} [signal] drops the run while it waits for others
 */

/** Frees models that were dropped without dispose(). */
const dropped = new FinalizationRegistry(
  (/** @type {{ connection: import('./connection.js').Connection, handle: number }} */ { connection, handle }) =>
    connection.tell('modelDispose', [handle]),
);

export class Model {
  #connection;
  #handle;
  #about;
  #generationConfig;
  #disposed = false;

  /**
   * Models come from `load` and `create`.
   * @param {import('./connection.js').Connection} connection
   * @param {number} handle
   * @param {Description} about
   * @param {import('./tokenizer.js').Tokenizer | null} tokenizer
   * @param {string | null} [generationConfig] the text of generation_config.json
   */
  constructor(connection, handle, about, tokenizer, generationConfig = null) {
    this.#connection = connection;
    this.#handle = handle;
    this.#about = about;
    this.#generationConfig = generationConfig;
    /** config.json as it was read. @type {Record<string, any>} */
    this.config = JSON.parse(about.configJson);
    /** 'bert', 'gpt2', 'marian' … @type {string} */
    this.family = about.family;
    /** @type {Description['kind']} */
    this.kind = about.kind;
    /** What its head is for. @type {Description['task']} */
    this.task = about.task;
    /** Names of the classes, where there are some. @type {string[]} */
    this.labels = about.labels;
    /** @type {import('./tokenizer.js').Tokenizer | null} */
    this.tokenizer = tokenizer;
    dropped.register(this, { connection, handle }, this);
  }

  /** @param {string} what */
  #check(what) {
    if (this.#disposed) throw new GlassError('disposed', `${what}: this model has been disposed`);
  }

  /**
   * @param {string} name
   * @param {unknown[]} args
   * @param {string} what
   * @param {import('./connection.js').CallOptions} [options]
   */
  async #call(name, args, what, options) {
    this.#check(what);
    const value = await this.#connection.call(name, [this.#handle, ...args], options);
    this.#check(what); // while it was computed
    return value;
  }

  /** For the parts of the engine that work on a model: its place in the core. Throws 'disposed'. */
  get core() {
    this.#check('model');
    return {
      connection: this.#connection,
      handle: this.#handle,
      about: this.#about,
      generationConfig: this.#generationConfig,
    };
  }

  /** @returns {ParameterInfo[]} in Hugging Face's names */
  parameters() {
    return this.#about.parameters.map(({ name, shape, dtype }) => ({ name, shape: [...shape], dtype }));
  }

  /** @returns {import('./edits.js').Hook[]} in the order a run meets them */
  hooks() {
    return this.#about.hooks.map(({ name, dims }) => ({ name, dims: [...dims] }));
  }

  /**
   * A copy of a parameter. Throws 'not-found' with the nearest names.
   * @param {string} name
   * @returns {Promise<Tensor>}
   */
  async parameter(name) {
    return this.#call('modelParameter', [checkedText(name, 'parameter')], 'parameter');
  }

  /**
   * Replaces a parameter's values; the next run sees them. Throws 'not-found', and 'bad-input' for another shape.
   * @param {string} name
   * @param {Tensor} values
   * @returns {Promise<void>}
   */
  async setParameter(name, values) {
    const { shape, data } = checkedTensor(values, 'setParameter');
    return this.#call('modelSetParameter', [checkedText(name, 'setParameter'), shape, data], 'setParameter');
  }

  /**
   * One forward. Throws 'bad-input' for an input or an edit that does not fit, 'not-found' for a hook that is not there,
   * 'aborted' where the signal came before it began.
   * @param {import('./input.js').Input} input
   * @param {RunOptions} [options]
   * @returns {Promise<Run>}
   */
  async run(input, options = {}) {
    this.#check('run');
    checkOptions(options, ['record', 'edits', 'signal', 'gradient'], 'run');
    if (/** @type {{ gradient?: unknown }} */ (options).gradient !== undefined) {
      throw new GlassError('unsupported', 'run: the option "gradient" is not supported yet');
    }
    const { record = [], edits = [], signal } = options;
    checkSignal(signal);
    if (!Array.isArray(record) || record.some((name) => typeof name !== 'string')) {
      throw new GlassError('bad-input', `record: expected a list of hook names, got ${described(record)}`);
    }
    const batch = readRunInput(input, { ...this.#about, tokenizer: this.tokenizer });
    const args = [coreBatch(batch), record, readEdits(edits, this.#about.hooks)];
    const result = await this.#call('modelRun', args, 'run', { signal });
    return new Run(
      batch,
      result,
      this.#about.hooks.map(({ name }) => name),
    );
  }

  /**
   * Goes on with a text, a token for each turn of `for await`; `await model.generate(…).result()` collects all of it. The text is
   * a decoder's prompt or an encoder–decoder's source, beside which a target may be given that the text begins with. What is
   * wrong with input or options, and a model that cannot generate, is thrown at the first step.
   * @param {import('./input.js').Input} input one sequence
   * @param {import('./asked.js').GenerateOptions} [options]
   * @returns {Generation}
   */
  generate(input, options = {}) {
    return new Generation(this, input, options);
  }

  /**
   * The model as the files of a folder that `load` and transformers open.
   * @param {{ dtype?: Dtype }} [options] of the stored weights, F32 unless said otherwise
   * @returns {Promise<Record<string, string | Uint8Array>>}
   */
  async save(options = {}) {
    checkOptions(options, ['dtype'], 'save');
    const { dtype = 'F32' } = options;
    if (typeof dtype !== 'string') {
      throw new GlassError('bad-input', `dtype: expected 'F32', 'F16' or 'BF16', got ${described(dtype)}`);
    }
    const config = await this.#call('savedConfig', [dtype], 'save');
    const { head, tensors } = await this.#call('savedHeader', [dtype], 'save');
    const parts = [head];
    for (const name of tensors) parts.push(await this.#call('savedTensor', [name, dtype], 'save'));
    const file = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    let at = 0;
    for (const part of parts) {
      file.set(part, at);
      at += part.length;
    }
    /** @type {Record<string, string | Uint8Array>} */
    const files = { 'config.json': config, 'model.safetensors': file };
    if (this.#generationConfig !== null) files['generation_config.json'] = this.#generationConfig;
    if (this.tokenizer) {
      const { tokenizer, config: settings } = this.tokenizer.files;
      files['tokenizer.json'] = JSON.stringify(tokenizer);
      if (settings) files['tokenizer_config.json'] = JSON.stringify(settings);
    }
    return files;
  }

  /** Frees its memory now. Whatever is asked of it later, or still waits, gives 'disposed'. */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    dropped.unregister(this);
    this.#connection.tell('modelDispose', [this.#handle]);
  }
}
