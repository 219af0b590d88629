// What `load` can be given — the name of a packaged model, a path, an address, files, an object — made one: a folder.
import { GlassError } from './errors.js';
import { described } from './names.js';
import { diskBackend } from './sources/disk.js';
import { Folder, checkedName } from './sources/folder.js';
import { filesBackend, objectBackend } from './sources/memory.js';
import { urlBackend } from './sources/url.js';

export { Folder };

/** @typedef {string | URL | Iterable<unknown> | Record<string, unknown>} Source */
/**
 * @typedef {object} SourceOptions
 * @property {AbortSignal | null} [signal] ends all reading; what was going on fails with 'aborted'
 * @property {import('./sources/folder.js').OnProgress | null} [onProgress]
 * @property {string | URL | null} [base] where packaged models are, `<base>/<name>/…`; by default `models` beside this
 *   file's folder, which is also right for a bundle one folder below the site's root
 */

const IN_NODE = typeof globalThis.process?.versions?.node === 'string';
const PACKAGED = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const HERE = import.meta.url; // in a variable: bundlers would otherwise copy what the next line points at

/** @param {string | URL} base @returns {URL} with a slash at its end */
function folderUrl(base) {
  const here = /** @type {{ location?: { href: string } }} */ (globalThis).location?.href ?? HERE;
  try {
    const url = new URL(base, here);
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url;
  } catch (error) {
    const message = `source: expected a name, path or address, not ${JSON.stringify(base)}`;
    throw new GlassError('bad-input', message, { cause: error });
  }
}

/** @param {string} name @param {string | URL | null | undefined} base @returns {URL} */
const packagedUrl = (name, base) => new URL(`${name}/`, base ? folderUrl(base) : new URL('../models/', HERE));

/**
 * The same source, fit to be sent to a worker: in a page, names and relative addresses become absolute ones, since a
 * worker's own address is another. In Node nothing changes.
 * @param {Source} source
 * @param {string | URL | null} [base]
 * @returns {Source}
 */
export function absoluteSource(source, base) {
  if (source instanceof URL) return source.href;
  if (typeof source !== 'string' || IN_NODE || source === '') return source;
  return (PACKAGED.test(source) ? packagedUrl(source, base) : folderUrl(source)).href;
}

/**
 * Opens a source. 'not-found' where there is nothing of that name, 'bad-input' where it is none of the kinds.
 * @param {Source} source
 * @param {SourceOptions} [options]
 * @returns {Promise<Folder>}
 */
export async function openSource(source, options = {}) {
  if (typeof source === 'string' || source instanceof URL) return openPlace(source, options);
  if (typeof source !== 'object' || source === null || source instanceof Blob || ArrayBuffer.isView(source)) {
    throw new GlassError(
      'bad-input',
      `source: expected a name, path, address, files or an object of files, not ${described(source)}`,
    );
  }
  if (Symbol.iterator in source) {
    return new Folder('the given files', filesBackend(/** @type {Iterable<unknown>} */ (source)), options);
  }
  return new Folder('the given object', objectBackend(source), options);
}

/**
 * @param {string | URL} place
 * @param {SourceOptions} options
 * @returns {Promise<Folder>}
 */
async function openPlace(place, options) {
  const text = String(place);
  if (text === '') throw new GlassError('bad-input', 'source: expected a name, path or address, not an empty text');
  const packaged = PACKAGED.test(text) ? packagedUrl(text, options.base) : null;
  const url = packaged ?? (/^(https?|file):/i.test(text) || !IN_NODE ? folderUrl(text) : null);
  if (url && url.protocol !== 'file:') return new Folder(url.href, urlBackend(url, options), options);
  if (!IN_NODE)
    throw new GlassError('unsupported', `${text}: a page cannot read files by their path; pick or drop the folder`);

  const { fileURLToPath } = await import(/* @vite-ignore */ 'node:' + 'url');
  const paths = [...(url ? [fileURLToPath(url)] : []), ...(packaged || !url ? [text] : [])];
  for (const path of paths) {
    const backend = await diskBackend(path).catch((error) => {
      if (error instanceof GlassError) throw error;
      throw new GlassError('not-found', `${JSON.stringify(path)} could not be read: ${error.message}`, {
        cause: error,
      });
    });
    if (backend) return new Folder(path, backend, options);
  }
  throw new GlassError('not-found', `there is no folder at ${paths.join(' nor at ')}`);
}

const WEIGHTS = 'model.safetensors';
const INDEX = 'model.safetensors.index.json';

/**
 * The safetensors files of a folder, one or, where an index lists them, several.
 * @param {Folder} folder
 * @returns {Promise<{ files: string[], weightMap: Record<string, string> | null }>} weightMap: the file of each tensor,
 *   by name, null where there is one file only
 */
export async function weightFiles(folder) {
  if (await folder.has(WEIGHTS)) return { files: [WEIGHTS], weightMap: null };
  if (await folder.has(INDEX)) {
    const weightMap = (await folder.json(INDEX, 'bad-weights'))?.weight_map;
    if (typeof weightMap !== 'object' || weightMap === null || Object.keys(weightMap).length === 0) {
      throw new GlassError('bad-weights', `${INDEX}: expected a weight_map of tensors and files`);
    }
    for (const [tensor, file] of Object.entries(weightMap)) {
      try {
        checkedName(file, INDEX);
      } catch {
        throw new GlassError(
          'bad-weights',
          `${INDEX}: the file of ${tensor}, ${JSON.stringify(file)}, is not inside the folder`,
        );
      }
    }
    const files = [...new Set(Object.values(weightMap).map(String))].sort();
    for (const file of files) await folder.size(file);
    return { files, weightMap };
  }
  for (const pickled of ['pytorch_model.bin', 'pytorch_model.bin.index.json']) {
    if (!(await folder.has(pickled))) continue;
    throw new GlassError(
      'unsupported',
      `${folder.name} has ${pickled}, a pickle, which can run code, but no ${WEIGHTS}. Convert it in Python: ` +
        "AutoModel.from_pretrained('folder').save_pretrained('folder', safe_serialization=True), with the model's own class",
    );
  }
  throw new GlassError('not-found', `${WEIGHTS} was not found in ${folder.name}`);
}
