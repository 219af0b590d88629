// Writes the service worker: web/service-worker.js with a manifest of all that was built in front of it. Workbox does the same
// and much more (routing, expiry, strategies); what is needed here is one strategy for a page as a whole and one for models,
// both checked by hash, which is less code than configuring it, and nothing to keep up to date.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'service-worker.js';
const source = fileURLToPath(new URL(`../${NAME}`, import.meta.url));

/** What a development server gives in its place: a worker that ends one of a built page which had the same address. */
const ending = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', async () => {
  for (const name of await caches.keys()) if (name.startsWith('glassformer ')) await caches.delete(name);
  await registration.unregister();
  for (const page of await clients.matchAll({ type: 'window' })) page.navigate(page.url);
});
`;

/**
 * What an integrity attribute says of these bytes.
 * @param {Buffer} bytes
 */
const integrityOf = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/**
 * Writes the service worker of a built site, last of all: it lists every file that is there.
 * @param {string} folder
 * @returns {string} the version
 */
export function writeServiceWorker(folder) {
  /** @type {Record<'files' | 'models', Record<string, string>>} */
  const lists = { files: {}, models: {} };
  const version = createHash('sha256').update(readFileSync(source));
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  for (const file of found.sort()) {
    const place = path.join(folder, file);
    if (file === NAME || !statSync(place).isFile()) continue;
    const integrity = integrityOf(readFileSync(place));
    lists[file.startsWith('models/') ? 'models' : 'files'][file] = integrity;
    version.update(`${file} ${integrity}\n`);
  }
  const manifest = { version: version.digest('hex').slice(0, 16), ...lists };
  const text = `globalThis.MANIFEST = ${JSON.stringify(manifest, null, 1)};\n\n${readFileSync(source, 'utf8')}`;
  writeFileSync(path.join(folder, NAME), text);
  return manifest.version;
}

/**
 * @param {string} folder of the built site
 * @returns {import('vite').Plugin}
 */
export function serviceWorker(folder) {
  return {
    name: 'service-worker',
    // After all plugins have written what is theirs; a build that failed has written nothing.
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (existsSync(path.join(folder, 'index.html'))) writeServiceWorker(folder);
      },
    },
    configureServer(server) {
      server.middlewares.use(`/${NAME}`, (_, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(ending);
      });
    },
  };
}
