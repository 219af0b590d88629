// Keeps the page for when there is no network. The build puts in front of this file what it needs to know (MANIFEST, made by
// build/service-worker.js): a version, every file of the page and every file of the models with its SHA-256.
//
// A page and its parts always come from one version:
// - Installing fetches the whole set into a cache named by the version. The browser compares each file with its hash; one that
//   is missing or other than the build made it, as while a new version is being uploaded, ends the installing, and the version
//   before stays.
// - A page is answered from that cache and not from the network. It is there at once however slow the network is, and the parts
//   it asks for later are of its own version. (Network first would be a new page on top of old parts for as long as the new ones
//   are not here.) The price: after an update a reader sees the version before once more, with a line that offers the new one.
// - A new version waits until no page uses the one before, or until the reader asks for it.
// - Models are large and change seldom. Each file is kept under its hash when it is first used, beside the versions, and stays
//   while a version names that hash. What arrives is compared with it too: config and weights are of one model.
//
// Only files of this folder are fetched, and nothing that the two lists do not name is touched.

/**
 * @typedef {object} Manifest
 * @property {string} version
 * @property {Record<string, string>} files hash by path from this folder, as an integrity attribute has it
 * @property {Record<string, string>} models
 */
const { version, files, models } = /** @type {{ MANIFEST: Manifest }} */ (/** @type {unknown} */ (globalThis)).MANIFEST;

const worker = /** @type {any} */ (globalThis); // TypeScript's types are either a page's or a worker's
/** @type {string} */
const scope = worker.registration.scope;
// One origin may host several copies in several folders.
const family = `glassformer ${scope} `;
const current = family + version;
const shelf = `${family}models`;

/** @param {string} path */
const address = (path) => new URL(path, scope).href;

/** Under which a model's file is kept. @param {string} path */
const keyOf = (path) => `${address(path)}?${encodeURIComponent(models[path])}`;

/**
 * The path of a file that an address stands for: also as hosts shorten it, without index.html or without .html.
 * @param {string} url
 */
function pathOf(url) {
  const { origin, pathname } = new URL(url);
  const { origin: home, pathname: folder } = new URL(scope);
  if (origin !== home || !pathname.startsWith(folder)) return null;
  const path = decodeURIComponent(pathname.slice(folder.length));
  const names = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  return names.find((name) => name in files || name in models) ?? path;
}

/**
 * A response to keep: its body as it is now, decompressed, and no trace of a redirect, which a page's address may not have.
 * @param {Response} response
 * @param {BodyInit} body
 * @param {number} [length]
 */
function plain(response, body, length) {
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  if (length !== undefined) headers.set('content-length', String(length));
  return new Response(body, { headers });
}

async function install() {
  const names = (await caches.keys()).filter((name) => name.startsWith(family) && name !== shelf);
  // What an installing that was cut off has left: a complete version has its first page, which is put last.
  for (const name of names) {
    if (!(await (await caches.open(name)).match(address('index.html')))) await caches.delete(name);
  }
  const cache = await caches.open(current);
  /** @param {string} path */
  const put = async (path) => {
    const ask = (/** @type {RequestCache} */ cached) => fetch(address(path), { integrity: files[path], cache: cached });
    // Of a file with a hash in its name the browser may have a copy, which may be of an upload that was cut off; a page's name
    // stays while it changes, so the host is asked.
    const response = path.startsWith('assets/')
      ? await ask('default').catch(() => ask('reload'))
      : await ask('no-cache');
    if (!response.ok) throw new TypeError(`${path}: the server answered ${response.status}`);
    await cache.put(address(path), plain(response, await response.blob()));
  };
  try {
    await Promise.all(
      Object.keys(files)
        .filter((path) => path !== 'index.html')
        .map(put),
    );
    await put('index.html');
  } catch (error) {
    await caches.delete(current);
    throw error;
  }
}

/** Removes what no page needs. The version before stays: a page of it may be open, and ask for its own parts. */
async function clear() {
  const names = await caches.keys(); // in the order they were made
  const before = names.filter((name) => name.startsWith(family) && name !== current && name !== shelf);
  for (const name of before.slice(0, -1)) await caches.delete(name);
  const kept = new Set(Object.keys(models).map(keyOf));
  const cache = await caches.open(shelf);
  for (const { url } of await cache.keys()) if (!kept.has(url)) await cache.delete(url);
}

/** @param {ArrayBuffer} bytes @returns {Promise<string>} */
async function hashOf(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256-${btoa(String.fromCharCode(...hash))}`;
}

/**
 * A file of a model: the kept one, else the network's, which is kept. It passes through as it arrives, so that the page can show
 * how far it is; if its hash is wrong in the end, reading it fails. A part that was asked for is answered with the whole.
 * @param {string} path
 * @returns {Promise<Response>}
 */
async function modelFile(path) {
  const cache = await caches.open(shelf);
  const kept = await cache.match(keyOf(path));
  if (kept) return kept;
  const response = await fetch(address(path), { cache: 'no-cache' });
  if (!response.ok || !response.body) return response;
  const reader = response.body.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  const checked = new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) {
        parts.push(value.slice());
        controller.enqueue(value);
        return;
      }
      const bytes = await new Blob(parts).arrayBuffer();
      if ((await hashOf(bytes)) !== models[path]) throw new TypeError(`${path} is of another version than the page`);
      // Where the disk is full it is fetched again next time.
      await cache.put(keyOf(path), plain(response, bytes, bytes.byteLength)).catch(() => {});
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return plain(response, checked);
}

/** @param {string} path */
async function pageFile(path) {
  const cache = await caches.open(current);
  return (await cache.match(address(path))) ?? fetch(address(path), { integrity: files[path] });
}

/** A part of the version before, for a page of it that is still open; else the network's. @param {Request} request */
async function olderFile(request) {
  const names = (await caches.keys()).filter((name) => name.startsWith(family) && name !== shelf);
  for (const name of names) {
    const found = await (await caches.open(name)).match(request.url);
    if (found) return found;
  }
  return fetch(request);
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(clear()));

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const path = request.method === 'GET' ? pathOf(request.url) : null;
  if (path === null) return;
  if (path in models) event.respondWith(modelFile(path));
  else if (path in files) event.respondWith(pageFile(path));
  else if (path.startsWith('assets/')) event.respondWith(olderFile(request));
});

worker.addEventListener('message', (/** @type {any} */ event) => {
  const { takeOver, keep } = event.data;
  if (takeOver) worker.skipWaiting();
  // What a page has loaded before there was a service worker to ask.
  if (keep) {
    /** @param {string} url */
    const read = async (url) => {
      const path = pathOf(url);
      if (path !== null && path in models) await (await modelFile(path)).arrayBuffer();
    };
    event.waitUntil(Promise.allSettled(keep.map(read)));
  }
});
