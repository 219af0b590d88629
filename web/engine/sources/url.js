// A folder at a web address. Small files come whole, in one request that servers may compress; of large ones, windows
// are fetched as they are needed where the server answers to Range (status 206), otherwise the whole is read and kept.
import { GlassError, UnansweredError } from '../errors.js';

/** What is small, and how much of a large file is fetched at a time. */
const WINDOW = 8 * 2 ** 20;

/**
 * A file that was found: the bytes from `start` on that are at hand, all of them where `whole`.
 * @typedef {{ size: number, start: number, bytes: Uint8Array<ArrayBuffer>, whole: boolean }} Remote
 */

/** @param {Response} response @returns {number | null} the length of its body, where headers tell */
function bodyLength(response) {
  const length = response.headers.get('content-length');
  // Of a compressed body, the header tells the compressed length.
  if (
    length === null ||
    !/^\d+$/.test(length) ||
    (response.headers.get('content-encoding') ?? 'identity') !== 'identity'
  ) {
    return null;
  }
  return Number(length);
}

/**
 * @param {Response} response
 * @param {(loaded: number) => void} report
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function readBody(response, report) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let loaded = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    chunks.push(value);
    loaded += value.length;
    report(loaded);
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const chunk of chunks.splice(0)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * @param {URL} base the folder, ending in a slash
 * @param {{ signal?: AbortSignal | null, onProgress?: import('./folder.js').OnProgress | null }} options
 * @returns {import('./folder.js').Backend}
 */
export function urlBackend(base, { signal = null, onProgress = null }) {
  /** @type {Map<string, Promise<Remote | null>>} */
  const files = new Map();

  /** @param {string} name @param {Record<string, string>} [headers] */
  const request = async (name, headers = {}) => {
    const url = new URL(name.split('/').map(encodeURIComponent).join('/'), base);
    url.search = base.search;
    try {
      return await fetch(url, { signal, headers });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new UnansweredError(`${name} at ${base.href} could not be read: no server answered`, error);
    }
  };

  /**
   * @param {string} name
   * @param {Response} response
   * @param {number | null} total
   * @returns {Promise<Remote>}
   */
  const readWhole = async (name, response, total) => {
    const bytes = await readBody(response, (loaded) => onProgress?.({ file: name, loaded, total }));
    if (total !== bytes.length) onProgress?.({ file: name, loaded: bytes.length, total: bytes.length });
    return { size: bytes.length, start: 0, bytes, whole: true };
  };

  /**
   * @param {string} name
   * @param {number} size
   * @param {number} start
   * @param {number} end
   * @returns {Promise<Remote>}
   */
  const readRange = async (name, size, start, end) => {
    const response = await request(name, { Range: `bytes=${start}-${end - 1}` });
    if (response.status === 200) return readWhole(name, response, size);
    if (response.status !== 206) throw refused(name, response);
    const bytes = await readBody(response, (loaded) =>
      onProgress?.({ file: name, loaded: start + loaded, total: size }),
    );
    if (bytes.length !== end - start) {
      throw new GlassError('not-found', `${name} at ${base.href}: asked for ${end - start} bytes, got ${bytes.length}`);
    }
    return { size, start, bytes, whole: false };
  };

  /** @param {string} name @param {Response} response */
  const refused = (name, response) =>
    new GlassError(
      'not-found',
      `${name} at ${base.href}: the server answered ${response.status} ${response.statusText}`,
    );

  /** @param {string} name @returns {Promise<Remote | null>} */
  const open = async (name) => {
    const response = await request(name);
    // Some stores answer 403 for what is missing; some sites answer with a page for whatever is asked.
    const page = response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');
    if (page || [403, 404, 410].includes(response.status)) {
      await response.body?.cancel();
      return null;
    }
    if (!response.ok) throw refused(name, response);
    const length = bodyLength(response);
    if (length === null || length <= WINDOW) return readWhole(name, response, length);
    await response.body?.cancel();
    return readRange(name, length, 0, WINDOW);
  };

  /** @param {string} name */
  const opened = (name) => {
    let file = files.get(name);
    if (!file) {
      files.set(name, (file = open(name)));
      file.catch(() => files.delete(name)); // the next call tries again
    }
    return file;
  };

  return {
    reports: true,
    list: async () => {
      const found = await Promise.all([...files].map(async ([name, file]) => ((await file) ? name : null)));
      return found.filter((name) => name !== null);
    },
    size: async (name) => (await opened(name))?.size ?? null,
    read: async (name, start, end) => {
      let file = /** @type {Remote} */ (await opened(name));
      if (start < file.start || end > file.start + file.bytes.length) {
        file = await readRange(name, file.size, start, Math.min(file.size, Math.max(end, start + WINDOW)));
        files.set(name, Promise.resolve(file));
      }
      return file.bytes.slice(start - file.start, end - file.start);
    },
    close: () => files.clear(),
  };
}
