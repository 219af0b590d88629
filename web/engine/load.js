// From a source to a model: config, tokenizer, then the tensors one at a time, straight from the source into the core.
import { connect } from './connection.js';
import { GlassError, throwIfAborted } from './errors.js';
import { Model } from './model.js';
import { checkOptions, checkSignal, described } from './names.js';
import { settingsText } from './settings.js';
import { openSource, weightFiles } from './sources.js';
import { Tokenizer } from './tokenizer.js';

/** @typedef {import('./connection.js').Connection} Connection */

/**
 * @typedef {object} LoadOptions
 * @property {(progress: { file: string, loaded: number, total: number | null }) => void} [onProgress] bytes; total is null
 *   where a server does not tell
 * @property {(tokenizer: Tokenizer) => void} [onTokenizer] the tokenizer is there, long before the weights may be
 * @property {AbortSignal} [signal]
 * @property {'F32' | 'int8'} [dtype] how weights are held: 'int8' rounds matrices to eight bits as they come in, for a
 *   quarter of the memory and faster generation; such a model is run, not trained
 * @property {import('./core.js').Simd} [simd]
 */

/** The beginning of a file that holds the length of a safetensors header. */
const LENGTH_BYTES = 8;

/** @typedef {{ file: string, name: string, begin: number, end: number, part: number }} Wanted a tensor, read `part` bytes at a time */

/**
 * What the core wants of a file, told from its header.
 * @param {Connection} connection
 * @param {number} loader
 * @param {import('./sources.js').Folder} folder
 * @param {string} file
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Wanted[]>}
 */
async function readHeader(connection, loader, folder, file, signal) {
  const size = await folder.size(file);
  const start = await folder.slice(file, 0, Math.min(size, LENGTH_BYTES));
  const head = await folder.slice(file, 0, await connection.call('headerSize', [start, size, file], { signal }));
  /** @type {Omit<Wanted, 'file'>[]} */
  const wanted = await connection.call('loaderFile', [loader, head, size, file], { signal });
  return wanted.map((tensor) => ({ ...tensor, file }));
}

/**
 * All headers first: the core takes memory with the first tensor, once it knows that the files hold what the config claims.
 * @param {Connection} connection
 * @param {number} loader
 * @param {import('./sources.js').Folder} folder
 * @param {AbortSignal | undefined} signal
 */
async function readWeights(connection, loader, folder, signal) {
  const { files } = await weightFiles(folder);
  /** @type {Wanted[]} */
  const wanted = [];
  for (const file of files) wanted.push(...(await readHeader(connection, loader, folder, file, signal)));
  for (const { file, name, begin, end, part } of wanted) {
    for (let at = begin; at < end; at += part) {
      const bytes = await folder.slice(file, at, Math.min(at + part, end));
      await connection.call('loaderRead', [loader, name, bytes], { signal, transfer: [bytes.buffer] });
    }
  }
}

/**
 * @param {Connection} connection
 * @param {import('./sources.js').Folder} folder
 * @param {Promise<Tokenizer | null>} reading the folder's tokenizer, on its way
 * @param {'F32' | 'int8'} dtype
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Model>}
 */
async function loadFolder(connection, folder, reading, dtype, signal) {
  const config = await folder.text('config.json');
  // Refuses what is not supported and what cannot fit in memory, before more is read.
  const loader = await connection.call('loaderOpen', [config, dtype], { signal });
  try {
    const tokenizer = await reading;
    await readWeights(connection, loader, folder, signal);
    const generation = async () =>
      (await folder.has('generation_config.json')) ? folder.text('generation_config.json') : null;
    return await finish(connection, await connection.call('loaderFinish', [loader]), tokenizer, generation);
  } catch (error) {
    connection.tell('loaderClose', [loader]);
    throw error;
  }
}

/**
 * @param {Connection} connection
 * @param {number} handle
 * @param {Tokenizer | null} tokenizer
 * @param {() => Promise<string | null>} readGeneration gives the text of generation_config.json, which only models that write have
 * @returns {Promise<Model>}
 */
async function finish(connection, handle, tokenizer, readGeneration) {
  try {
    const about = await connection.call('modelDescribe', [handle]);
    // Longer texts are cut where the model's positions end, and say so.
    if (tokenizer && about.maxPositions > 0) {
      tokenizer.maxLength = Math.min(tokenizer.maxLength ?? Infinity, about.maxPositions);
    }
    const generation = about.kind === 'encoder' ? null : await readGeneration();
    return new Model(connection, handle, about, tokenizer, generation);
  } catch (error) {
    connection.tell('modelDispose', [handle]);
    throw error;
  }
}

/**
 * Asks for a folder's files all at once, so that they are on their way while the core starts. Of a large one only the
 * beginning comes before the config has been checked.
 * @param {import('./sources.js').Folder} folder
 */
function askForFiles(folder) {
  for (const name of ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors']) {
    folder.has(name).catch(() => {}); // is told where the file is read
  }
}

/**
 * Opens a model in Hugging Face's layout: the name of a packaged one, a folder's path (Node) or URL, Files, or an object of
 * contents by file name. Without a tokenizer among the files, `model.tokenizer` is null and runs want ids. Throws
 * 'not-found', 'bad-config', 'bad-weights', 'unsupported', 'out-of-memory' and 'aborted', naming file and tensor.
 * @param {import('./sources.js').Source} source
 * @param {LoadOptions} [options]
 * @returns {Promise<Model>}
 */
export async function load(source, options = {}) {
  checkOptions(options, ['onProgress', 'onTokenizer', 'signal', 'dtype', 'simd'], 'load');
  const { onProgress = null, onTokenizer = null, signal, dtype = 'F32', simd } = options;
  if (dtype !== 'F32' && dtype !== 'int8') {
    throw new GlassError('bad-input', `dtype: expected 'F32' or 'int8', got ${described(dtype)}`);
  }
  checkSignal(signal);
  for (const [name, call] of Object.entries({ onProgress, onTokenizer })) {
    if (call !== null && typeof call !== 'function') {
      throw new GlassError('bad-input', `${name}: expected a function, got ${described(call)}`);
    }
  }
  throwIfAborted(signal, 'load');
  const opening = openSource(source, { signal, onProgress });
  opening.then(askForFiles, () => {}); // whoever waits for the folder hears of its error
  const reading = opening.then(async (folder) => {
    const tokenizer = await Tokenizer.fromFolder(folder);
    if (tokenizer && !signal?.aborted) onTokenizer?.(tokenizer);
    return tokenizer;
  });
  reading.catch(() => {}); // is told where the tokenizer is waited for
  const [connection, folder] = await Promise.all([connect(simd), opening]);
  try {
    return await loadFolder(connection, folder, reading, dtype, signal);
  } finally {
    folder.close();
  }
}

/** @param {unknown} config @returns {string} its JSON; NaN and the like are not its defaults */
function configText(config) {
  if (typeof config === 'string') return config;
  return settingsText(config, {
    name: 'config',
    code: 'bad-config',
    nullable: () => true,
    place: (key) => `config: "${key}"`,
  });
}

/**
 * A new model of a config, initialised as its family initialises. Throws 'bad-config', 'unsupported' and 'out-of-memory'.
 * @param {Record<string, any> | string} config what a config.json holds
 * @param {{ seed?: number, simd?: import('./core.js').Simd }} [options] equal seeds give equal weights
 * @returns {Promise<Model>}
 */
export async function create(config, options = {}) {
  checkOptions(options, ['seed', 'simd'], 'create');
  const { seed = 0, simd } = options;
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new GlassError('bad-input', `seed: expected a whole number from 0, got ${described(seed)}`);
  }
  const text = configText(config);
  const connection = await connect(simd);
  return finish(connection, await connection.call('modelCreate', [text, seed]), null, async () => null);
}
