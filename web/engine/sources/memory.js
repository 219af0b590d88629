// Folders whose files are at hand: an object of contents, or the files that a person picked or dropped.
import { GlassError } from '../errors.js';

/** @typedef {ArrayBuffer | ArrayBufferView | Blob | string} Content */

/** @param {unknown} value @returns {value is Content} */
const isContent = (value) =>
  typeof value === 'string' || value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob;

/**
 * @param {ArrayBuffer | ArrayBufferView} content
 * @param {string} name
 * @returns {Uint8Array}
 */
function bytesOf(content, name) {
  try {
    if (content instanceof ArrayBuffer) return new Uint8Array(content);
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  } catch (error) {
    throw new GlassError('bad-input', `source[${JSON.stringify(name)}]: its memory was transferred elsewhere`, {
      cause: error,
    });
  }
}

/**
 * @param {Map<string, Content>} contents by name
 * @returns {import('./folder.js').Backend}
 */
function backendOf(contents) {
  /** @type {Map<string, Uint8Array | Blob>} */
  const files = new Map();
  for (const [name, content] of contents) {
    if (content instanceof Blob) files.set(name, content);
    else if (typeof content === 'string') files.set(name, new TextEncoder().encode(content));
    else files.set(name, bytesOf(content, name));
  }
  return {
    list: async () => [...files.keys()],
    size: async (name) => {
      const file = files.get(name);
      return file === undefined ? null : file instanceof Blob ? file.size : file.byteLength;
    },
    read: async (name, start, end) => {
      const file = /** @type {Uint8Array | Blob} */ (files.get(name));
      return file instanceof Blob
        ? new Uint8Array(await file.slice(start, end).arrayBuffer())
        : new Uint8Array(file.subarray(start, end));
    },
    close: () => files.clear(),
  };
}

/**
 * @param {object} source file names and contents
 * @returns {import('./folder.js').Backend}
 */
export function objectBackend(source) {
  /** @type {Map<string, Content>} */
  const contents = new Map();
  for (const [name, content] of Object.entries(source)) {
    if (!isContent(content)) {
      const kind = content === null ? 'null' : typeof content;
      throw new GlassError(
        'bad-input',
        `source[${JSON.stringify(name)}]: expected an ArrayBuffer, a Blob or text, not ${kind}`,
      );
    }
    contents.set(name, content);
  }
  return backendOf(contents);
}

/**
 * Files from a folder picker or a drop. Their paths begin with the picked folder's name; the model's folder is the
 * highest one that holds a config.json.
 * @param {Iterable<unknown>} source
 * @returns {import('./folder.js').Backend}
 */
export function filesBackend(source) {
  /** @type {[string, Blob][]} */
  const files = [...source].map((file, i) => {
    const { name, webkitRelativePath } = /** @type {{ name?: unknown, webkitRelativePath?: unknown }} */ (file ?? {});
    if (!(file instanceof Blob) || typeof name !== 'string') {
      throw new GlassError('bad-input', `source[${i}]: expected a File`);
    }
    return [typeof webkitRelativePath === 'string' && webkitRelativePath !== '' ? webkitRelativePath : name, file];
  });
  const config = files
    .map(([path]) => path)
    .filter((path) => path === 'config.json' || path.endsWith('/config.json'))
    .sort((a, b) => a.split('/').length - b.split('/').length)[0];
  const root = config?.slice(0, -'config.json'.length) ?? '';
  return backendOf(
    new Map(files.filter(([path]) => path.startsWith(root)).map(([path, file]) => [path.slice(root.length), file])),
  );
}
