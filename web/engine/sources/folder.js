// A model's folder, wherever it is: what can be asked of it, the same for all kinds. The kinds (disk.js, memory.js,
// url.js) only say how large a file is and read its bytes.
import { GlassError, errorCode, throwIfAborted } from '../errors.js';

/** @typedef {{ file: string, loaded: number, total: number | null }} Progress total is null where it is not known */
/** @typedef {(progress: Progress) => void} OnProgress */
/**
 * @typedef {object} Backend
 * @property {() => Promise<string[]>} list
 * @property {(name: string) => Promise<number | null>} size null where there is no such file
 * @property {(name: string, start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>} read within the size
 * @property {boolean} [reports] it reports progress itself
 * @property {() => void} [close]
 */

/** The largest file that is read as text: tokenizer.json with 256,000 tokens has 35 MB. */
const MOST_TEXT = 256 * 2 ** 20;

/**
 * @param {unknown} name
 * @param {string} where
 * @returns {string} the name, if it stays inside its folder
 */
export function checkedName(name, where) {
  const parts = typeof name === 'string' ? name.split('/') : [];
  const inside = parts.length > 0 && parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!inside || /[\\:\0]/.test(String(name))) {
    throw new GlassError('bad-input', `${where}: expected a file name inside the folder, not ${JSON.stringify(name)}`);
  }
  return String(name);
}

export class Folder {
  /** @type {Backend} */ #backend;
  /** @type {AbortSignal | null} */ #signal;
  /** @type {OnProgress | null} */ #onProgress;
  /** @type {Map<string, number>} */ #loaded = new Map();

  /**
   * @param {string} name for messages: a path, an address, or what kind of thing it is
   * @param {Backend} backend
   * @param {{ signal?: AbortSignal | null, onProgress?: OnProgress | null }} [options]
   */
  constructor(name, backend, { signal = null, onProgress = null } = {}) {
    this.name = name;
    this.#backend = backend;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /**
   * Runs a step of the backend; what it throws becomes one of our errors that names file and folder.
   * @template T
   * @param {string} file
   * @param {() => Promise<T>} step
   * @returns {Promise<T>}
   */
  async #guard(file, step) {
    const what = `loading ${file} from ${this.name}`;
    throwIfAborted(this.#signal, what);
    let result;
    try {
      result = await step();
    } catch (error) {
      throwIfAborted(this.#signal, what);
      if (error instanceof GlassError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      const code = errorCode(error) === 'bad-input' ? 'not-found' : errorCode(error);
      throw new GlassError(code, `${file} in ${this.name} could not be read: ${message}`, { cause: error });
    }
    throwIfAborted(this.#signal, what);
    return result;
  }

  /** @returns {Promise<string[]>} the files, in order; of a web address, those that were asked for and found */
  async list() {
    return (await this.#guard('the list of files', () => this.#backend.list())).sort();
  }

  /** @param {string} file @returns {Promise<boolean>} */
  async has(file) {
    const name = checkedName(file, this.name);
    return (await this.#guard(name, () => this.#backend.size(name))) !== null;
  }

  /** @param {string} file @returns {Promise<number>} its size in bytes; 'not-found' where there is none */
  async size(file) {
    const name = checkedName(file, this.name);
    const size = await this.#guard(name, () => this.#backend.size(name));
    if (size === null) throw new GlassError('not-found', `${name} was not found in ${this.name}`);
    return size;
  }

  /**
   * Bytes [start, end) of a file, in memory of their own.
   * @param {string} file
   * @param {number} start
   * @param {number} end
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async slice(file, start, end) {
    const size = await this.size(file);
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
      throw new GlassError('bad-input', `${file}: bytes [${start}, ${end}) are no range`);
    }
    if (end > size) {
      throw new GlassError(
        'bad-weights',
        `${file}: bytes [${start}, ${end}) were wanted, but the file ends at ${size}`,
      );
    }
    const bytes = await this.#guard(file, () => this.#backend.read(file, start, end));
    if (!this.#backend.reports && end > (this.#loaded.get(file) ?? -1)) {
      this.#loaded.set(file, end);
      this.#onProgress?.({ file, loaded: end, total: size });
    }
    return bytes;
  }

  /** @param {string} file @returns {Promise<string>} the whole file as text (UTF-8) */
  async text(file) {
    const size = await this.size(file);
    if (size > MOST_TEXT) {
      throw new GlassError('unsupported', `${file}: ${size} bytes are more than is read as text (${MOST_TEXT})`);
    }
    return new TextDecoder().decode(await this.slice(file, 0, size));
  }

  /**
   * @param {string} file
   * @param {import('../errors.js').ErrorCode} [code] of the error where it is not JSON
   * @returns {Promise<any>}
   */
  async json(file, code = 'bad-config') {
    const text = await this.text(file);
    try {
      return JSON.parse(text);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new GlassError(code, `${file} in ${this.name} is not JSON: ${message}`, { cause: error });
    }
  }

  /** Lets go of what was kept in memory. */
  close() {
    this.#backend.close?.();
  }
}
