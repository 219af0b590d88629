// The page without a network, and one version after another at the same address: a page and its parts are always of one version.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../../wasm_build/scripts/chromium.js';
import { writeServiceWorker } from '../../web/build/service-worker.js';
import { startHost } from './host.js';
import { PATIENCE, settled, tokens, type } from './lab.js';
import { watchProblems } from './page.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContext} Context */

const site = fileURLToPath(new URL('../../build/site', import.meta.url));
const prefix = '/some/folder/';
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {string} */
let room;
/** Sites by version. @type {Record<'first' | 'second', string>} */
let versions;

/**
 * The built site as another version of it would be: every asset has another name and other contents, and other files name it so.
 * @param {string} name
 */
function otherVersion(name) {
  const folder = path.join(room, name);
  cpSync(site, folder, { recursive: true });
  const assets = path.join(folder, 'assets');
  const names = readdirSync(assets).map((file) => {
    const { name: stem, ext } = path.parse(file);
    return /** @type {const} */ ([file, `${stem}-${name}${ext}`]);
  });
  // The longest first: one name may be the end of another.
  names.sort(([a], [b]) => b.length - a.length);
  const renamed = (/** @type {string} */ text) => names.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  for (const [from, to] of names) {
    const file = path.join(assets, to);
    renameSync(path.join(assets, from), file);
    if (/\.(js|css)$/.test(to)) writeFileSync(file, `${renamed(readFileSync(file, 'utf8'))}\n/* ${name} */\n`);
    // An empty custom section, named x.
    else if (to.endsWith('.wasm'))
      writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from([0, 2, 1, 0x78])]));
  }
  for (const file of readdirSync(folder).filter((name) => /\.(html|js)$/.test(name) && name !== 'service-worker.js'))
    writeFileSync(path.join(folder, file), renamed(readFileSync(path.join(folder, file), 'utf8')));
  const config = path.join(folder, 'models/topics/config.json');
  writeFileSync(config, `${readFileSync(config, 'utf8')} `);
  writeServiceWorker(folder);
  return folder;
}

/** Stopped in the end, whatever a test came to. @type {import('./host.js').Host[]} */
const hosts = [];
/** @param {string} folder */
async function hosting(folder) {
  const host = await startHost(folder, { prefix });
  hosts.push(host);
  return host;
}

before(async () => {
  room = mkdtempSync(path.join(os.tmpdir(), 'glassformer-offline-'));
  versions = { first: otherVersion('first'), second: otherVersion('second') };
  browser = await chromium.launch(chromiumOptions());
});
after(async () => {
  await browser.close();
  for (const host of hosts) await host.stop();
  rmSync(room, { recursive: true });
});

/** @param {Page} page the lab, loaded or loading */
async function pictured(page) {
  await page.waitForFunction(() => /** @type {any} */ (globalThis).glassformer?.run);
  await settled(page);
}

/**
 * A reader's first visit, until the service worker has all it wants.
 * @param {import('./host.js').Host} host
 * @param {string} [hash]
 */
async function visit(host, hash = '') {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.goto(host.url + hash);
  await pictured(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  return { context, page, problems };
}

/** The addresses of models' files that are kept. @param {Page} page @returns {Promise<string[]>} */
const shelf = (page) =>
  page.evaluate(async () => {
    const found = [];
    for (const name of await caches.keys()) {
      if (!name.endsWith(' models')) continue;
      for (const { url } of await (await caches.open(name)).keys()) found.push(url.replace(/\?.*$/, ''));
    }
    return found;
  });

/** Asks again until it is so. waitForFunction takes a promise for a yes. @param {() => Promise<boolean>} isSo @param {string} what */
async function until(isSo, what) {
  const end = Date.now() + PATIENCE;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, what);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until a model's files are kept. @param {Page} page @param {string} model */
const kept = (page, model) =>
  until(async () => {
    const found = await shelf(page);
    return ['config.json', 'model.safetensors', 'tokenizer.json'].every((file) =>
      found.some((url) => url.endsWith(`/models/${model}/${file}`)),
    );
  }, `${model} is kept`);

/** Waits until every file of a model that a page has asked for is kept. @param {Page} page */
const allKept = (page) =>
  until(async () => {
    const found = await shelf(page);
    const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    return asked.filter((url) => url.includes('/models/')).every((url) => found.includes(url));
  }, 'what was asked for is kept');

/** Names of the versions that a page and its worker are made of. @param {Page} page @returns {Promise<string[]>} */
async function partsOf(page) {
  const urls = await page.evaluate(() =>
    [...performance.getEntriesByType('resource').map(({ name }) => name), document.documentElement.outerHTML].join(
      '\n',
    ),
  );
  const inWorker = await Promise.all(
    page.workers().map((worker) =>
      worker.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .join('\n'),
      ),
    ),
  );
  const found = [urls, ...inWorker, ...page.workers().map((worker) => worker.url())].join('\n');
  assert.match(found, /assets\/glassformer[\w-]*\.wasm/, 'the core is among them');
  return [...new Set([...found.matchAll(/-(first|second)\.\w+/g)].map(([, version]) => version))];
}

const versionCaches = (/** @type {Page} */ page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => !name.endsWith(' models')));

test('after the first visit the page opens without a network: the models that were visited, and texts they write', async () => {
  const host = await hosting(site);
  const { context, page, problems } = await visit(host);
  await kept(page, 'topics');
  // A second visit, still with a network: another model is looked at.
  await page.reload();
  await pictured(page);
  assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
  await page.getByRole('combobox', { name: 'model' }).first().selectOption('austen');
  await page.waitForFunction(() => /** @type {any} */ (globalThis).glassformer.model?.kind === 'decoder');
  await settled(page);
  await kept(page, 'austen');

  await host.stop();
  await page.goto(host.url);
  await pictured(page);
  assert.ok((await tokens(page)).includes('striped'));
  await type(page, 'a small bird that sings');
  assert.ok((await tokens(page)).includes('bird'));
  await page.getByRole('combobox', { name: 'model' }).first().selectOption('austen');
  await page.waitForFunction(() => /** @type {any} */ (globalThis).glassformer.model?.kind === 'decoder');
  await settled(page);
  const written = await page.evaluate(async () => {
    const { model } = /** @type {any} */ (globalThis).glassformer;
    return (await model.generate('It was', { maxNewTokens: 4 }).result()).ids.length;
  });
  assert.ok(written > 0);
  // With the file's own name, too, and with something behind it that no file has.
  await page.goto(`${host.url}index.html?from=elsewhere`);
  await pictured(page);
  assert.deepEqual(problems, []);
  await context.close();
});

for (const [name, drawn] of /** @type {const} */ ([
  ['learn.html', 'glass-exhibit'],
  ['embed.html', 'attention-heatmap'],
])) {
  test(`${name} opens without a network after its own first visit`, async () => {
    const host = await hosting(site);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const problems = watchProblems(page);
    /** The first figure shows what the core has computed. */
    const pictured = () =>
      page.waitForFunction((tag) => /** @type {any} */ (document.querySelector(tag))?.shown, drawn);
    await page.goto(`${host.url}${name}`);
    await pictured();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.waitForLoadState('networkidle');
    await allKept(page);
    assert.equal((await versionCaches(page)).length, 1);
    await host.stop();
    await page.goto(`${host.url}${name}`);
    assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
    await pictured();
    assert.equal(await page.locator('#status').innerText(), '');
    assert.deepEqual(problems, []);
    // The lab is there too: its parts, if not its model.
    await page.goto(host.url);
    await page.waitForSelector('#sentence textarea');
    await context.close();
  });
}

test('what is fetched before it is asked for: 2.5 MB of pages, core and sources, and no model', () => {
  const text = readFileSync(path.join(site, 'service-worker.js'), 'utf8');
  const manifest = JSON.parse(/MANIFEST = (\{.*?\n\});/s.exec(text)?.[1] ?? 'null');
  const paths = Object.keys(manifest.files);
  for (const page of ['index.html', 'learn.html', 'embed.html']) assert.ok(paths.includes(page), page);
  assert.deepEqual(
    paths.filter((file) => file.startsWith('models/')),
    [],
  );
  const bytes = paths.reduce((sum, file) => sum + statSync(path.join(site, file)).size, 0);
  assert.ok(bytes < 2.5e6, `${bytes} bytes in ${paths.length} files`);
});

test('only files of its own folder are fetched, and none that was not built', async () => {
  const host = await hosting(site);
  const { context, page } = await visit(host);
  await kept(page, 'topics');
  assert.deepEqual(
    host.sent.filter(({ bytes }) => bytes === 0),
    [],
  );
  const built = new Set(readdirSync(site, { recursive: true, encoding: 'utf8' }));
  assert.deepEqual(
    host.sent.filter((file) => !built.has(file.path)),
    [],
  );
  // Models are fetched when they are used.
  assert.ok(!host.sent.some((file) => file.path.startsWith('models/austen/')));
  await context.close();
});

test('a new version is installed beside the old and taken when the reader says so, as a whole', async () => {
  const host = await hosting(versions.first);
  const { context, page, problems } = await visit(host);
  await kept(page, 'topics');
  assert.deepEqual(await partsOf(page), ['first']);

  host.folder = versions.second;
  await page.reload();
  await pictured(page);
  // The old page still, with its own core and the config it was kept with, though the host has it no more.
  assert.deepEqual(await partsOf(page), ['first']);
  await page.waitForSelector('#status .news');
  assert.match((await page.locator('#status').textContent()) ?? '', /new version/);
  const bytesOfConfig = () =>
    page.evaluate(async () => (await (await fetch('models/topics/config.json')).text()).endsWith(' '));
  const sizes = ['first', 'second'].map(
    (version) => readFileSync(path.join(room, version, 'models/topics/config.json')).length,
  );
  assert.equal(sizes[0], sizes[1]);
  assert.ok(await bytesOfConfig());

  await Promise.all([page.waitForEvent('load'), page.locator('#status .news button').click()]);
  await pictured(page);
  assert.deepEqual(await partsOf(page), ['second']);
  assert.equal(await page.locator('#status .news').count(), 0);
  // And it stays without a network.
  await host.stop();
  await page.reload();
  await pictured(page);
  assert.deepEqual(await partsOf(page), ['second']);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a new version takes over by itself at the next visit', async () => {
  const host = await hosting(versions.first);
  const { context, page } = await visit(host);
  host.folder = versions.second;
  await page.reload();
  await page.waitForSelector('#status .news');
  await page.close();
  // The browser lets the old worker go when it notices that no page needs it.
  let parts = '';
  for (let i = 0; i < 50 && parts !== 'second'; i++) {
    const next = await context.newPage();
    next.setDefaultTimeout(PATIENCE);
    await next.goto(host.url);
    await pictured(next);
    parts = (await partsOf(next)).join();
    await next.close();
  }
  assert.equal(parts, 'second');
  await context.close();
});

const wrongs = /** @type {[string, (bytes: Buffer) => Buffer | null][]} */ ([
  ['missing', () => null],
  ['cut short', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['other than it was built', (bytes) => Buffer.concat([bytes, Buffer.from('\n')])],
]);
for (const [how, change] of wrongs) {
  test(`a new version of which a file is ${how} is not taken, and the old one goes on`, async () => {
    const host = await hosting(versions.first);
    const { context, page } = await visit(host);
    const before = await versionCaches(page);
    host.folder = versions.second;
    const worker = readdirSync(path.join(versions.second, 'assets')).find((name) => name.startsWith('worker-'));
    host.wrong.set(`assets/${worker}`, change);
    await page.reload();
    await pictured(page);
    // As the browser does by itself on a visit; says when installing has failed.
    const end = await page.evaluate(async () => {
      const registration = /** @type {ServiceWorkerRegistration} */ (await navigator.serviceWorker.getRegistration());
      await registration.update().catch(() => {});
      const next = registration.installing ?? registration.waiting;
      while (next && !['installed', 'redundant'].includes(next.state))
        await new Promise((done) => next.addEventListener('statechange', done, { once: true }));
      return next?.state ?? 'redundant';
    });
    assert.equal(end, 'redundant');
    assert.deepEqual(await versionCaches(page), before);
    await page.reload();
    await pictured(page);
    assert.deepEqual(await partsOf(page), ['first']);
    assert.equal(await page.locator('#status .news').count(), 0);

    // Once the host is whole again, the version is taken.
    host.wrong.clear();
    await page.reload();
    await page.waitForSelector('#status .news');
    await context.close();
  });
}

test('a model of another version than the page is refused', async () => {
  const host = await hosting(versions.first);
  const { context, page } = await visit(host);
  await page.reload();
  await pictured(page);
  host.wrong.set('models/words/config.json', (bytes) => Buffer.concat([bytes, Buffer.from(' ')]));
  await page.getByRole('combobox', { name: 'model' }).first().selectOption('words');
  await page.waitForSelector('#status [role="alert"]');
  assert.equal(
    await page.evaluate(() => /** @type {any} */ (globalThis).glassformer.model.task),
    'sequence-classification',
  );
  await context.close();
});

for (const [where, prepare] of /** @type {[string, (context: Context) => Promise<void>][]} */ ([
  [
    'refused',
    (context) =>
      context.addInitScript(() => {
        ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('no', 'SecurityError'));
      }),
  ],
  [
    'unknown',
    (context) =>
      context.addInitScript(() => {
        Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
      }),
  ],
  [
    'forbidden to ask for',
    (context) =>
      context.addInitScript(() => {
        Object.defineProperty(navigator, 'serviceWorker', {
          get() {
            throw new DOMException('no', 'SecurityError');
          },
        });
      }),
  ],
])) {
  test(`where service workers are ${where} the page works`, async () => {
    const host = await hosting(site);
    const context = await browser.newContext();
    await prepare(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const problems = watchProblems(page);
    await page.goto(host.url);
    await pictured(page);
    await page.waitForLoadState('networkidle');
    await type(page, 'a small bird that sings');
    assert.ok((await tokens(page)).includes('bird'));
    assert.deepEqual(problems, []);
    await context.close();
  });
}
