// A static host as people have them: files of a folder, in a subfolder of the address, with the page's policy. Unlike Vite's server
// it can be stopped and started, given another folder, told to answer some files wrongly, and it compresses.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { contentSecurityPolicy } from '../../web/vite.config.js';

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * @typedef {object} Host
 * @property {string} url of the folder, with a slash at its end
 * @property {string} folder what is served; may be set to another
 * @property {Map<string, (bytes: Buffer) => Buffer | null>} wrong what becomes of a file; null: 404
 * @property {{ path: string, bytes: number, at: number }[]} sent what was asked for since the list was emptied, and when
 *   (Date.now()); 0 bytes where there is no such file
 * @property {() => Promise<void>} start again, at the same address
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} folder
 * @param {{ prefix?: string, compress?: ((bytes: Buffer) => Promise<Buffer>) | null }} [options] compress: as `Content-Encoding: br`
 * @returns {Promise<Host>}
 */
export async function startHost(folder, { prefix = '/', compress = null } = {}) {
  const server = createServer(async (request, response) => {
    const at = Date.now();
    const { pathname } = new URL(request.url ?? '', 'http://host');
    const path_ = pathname.startsWith(prefix) ? decodeURIComponent(pathname.slice(prefix.length)) : '..';
    const name = path_ === '' || path_.endsWith('/') ? `${path_}index.html` : path_;
    /** @type {Buffer | null} */
    let bytes = null;
    if (!name.split('/').includes('..')) bytes = await readFile(path.join(host.folder, name)).catch(() => null);
    const change = host.wrong.get(name);
    if (bytes && change) bytes = change(bytes);
    if (!bytes) {
      host.sent.push({ path: name, bytes: 0, at });
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not here');
      return;
    }
    const body = compress ? await compress(bytes) : bytes;
    host.sent.push({ path: name, bytes: body.length, at });
    response.writeHead(200, {
      'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'Content-Length': body.length,
      'Content-Security-Policy': contentSecurityPolicy,
      'Cache-Control': name.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache',
      ...(compress ? { 'Content-Encoding': 'br' } : {}),
    });
    response.end(body);
  });
  /** @param {number} port @returns {Promise<number>} */
  const listen = (port) =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port);
      });
    });
  const port = await listen(0);
  /** @type {Host} */
  const host = {
    url: `http://127.0.0.1:${port}${prefix}`,
    folder,
    wrong: new Map(),
    sent: [],
    start: async () => void (await listen(port)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return host;
}
