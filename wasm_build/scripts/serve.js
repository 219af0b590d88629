// Serves the page through Vite: the built site with its headers, or the sources for development.
import { createServer, preview } from 'vite';
import { root } from './process.js';

/**
 * @param {{ dev?: boolean, port?: number, host?: boolean }} [options] port: the first to try (0: any free one);
 *   host: reachable from other machines too
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve({ dev = false, port = 5173, host = false } = {}) {
  const address = { port, host: host ? true : '127.0.0.1', strictPort: false };
  const common = {
    root: `${root}/web`,
    configFile: `${root}/web/vite.config.js`,
    logLevel: /** @type {const} */ ('warn'),
  };
  const server = dev
    ? await createServer({ ...common, server: address })
    : await preview({ ...common, preview: address });
  if ('listen' in server) await server.listen();
  const bound = server.httpServer?.address();
  const actual = bound && typeof bound === 'object' ? bound.port : port;
  return { url: `http://127.0.0.1:${actual}/`, close: () => server.close() };
}
