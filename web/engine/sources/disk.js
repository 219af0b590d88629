// A folder on disk, in Node. Files are read by position: only what was asked for is ever in memory.
import { GlassError } from '../errors.js';

// Names in variables keep bundlers from looking for these modules in a browser.
const FS = 'node:fs/promises';
const PATH = 'node:path';

/**
 * @param {string} path
 * @returns {Promise<import('./folder.js').Backend | null>} null where there is no such folder
 */
export async function diskBackend(path) {
  const fs = /** @type {typeof import('node:fs/promises')} */ (await import(/* @vite-ignore */ FS));
  const { join } = /** @type {typeof import('node:path')} */ (await import(/* @vite-ignore */ PATH));

  /** @param {string} file @returns {Promise<import('node:fs').Stats | null>} */
  const stat = async (file) => {
    try {
      return await fs.stat(file);
    } catch (error) {
      const { code } = /** @type {{ code?: string }} */ (error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw error;
    }
  };
  const folder = await stat(path);
  if (folder === null) return null;
  if (!folder.isDirectory()) throw new GlassError('not-found', `${path} is a file; expected a model's folder`);

  return {
    list: async () => {
      const entries = await fs.readdir(path, { withFileTypes: true });
      return entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
    },
    size: async (name) => {
      const file = await stat(join(path, name));
      return file === null || !file.isFile() ? null : file.size;
    },
    read: async (name, start, end) => {
      const handle = await fs.open(join(path, name));
      try {
        const bytes = new Uint8Array(end - start);
        for (let done = 0; done < bytes.length;) {
          const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
          if (bytesRead === 0)
            throw new GlassError('bad-weights', `${name}: the file ended at byte ${start + done} while it was read`);
          done += bytesRead;
        }
        return bytes;
      } finally {
        await handle.close();
      }
    },
  };
}
