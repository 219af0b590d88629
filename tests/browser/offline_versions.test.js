// One version of the site after another at the same address: a page and its parts are always of one version.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { writeServiceWorker } from '../../web/build/service-worker.js';
import { PATIENCE } from './lab.js';
import { kept, pictured, site, until, versionCaches, visits } from './visits.js';

/** @typedef {import('playwright-core').Page} Page */

const { hosting, visit } = visits();
/** @type {string} */
let room;
/** Sites by version. @type {Record<'first' | 'second', string>} */
let versions;
before(() => {
  room = mkdtempSync(path.join(os.tmpdir(), 'glassformer-offline-'));
  versions = { first: otherVersion('first'), second: otherVersion('second') };
});
after(() => rmSync(room, { recursive: true }));

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
  // Beside its folder, where there is nothing, a page sees the browser let the old worker go once no page needs it.
  const outside = await context.newPage();
  await outside.goto(new URL('/', host.url).href);
  const waits = () =>
    outside.evaluate(async (folder) => {
      const registration = await navigator.serviceWorker.getRegistration(folder);
      return /** @type {ServiceWorkerRegistration} */ (registration).waiting !== null;
    }, host.url);
  assert.ok(await waits());
  await page.close();
  await until(async () => !(await waits()), 'the new version is taken');
  const next = await context.newPage();
  next.setDefaultTimeout(PATIENCE);
  await next.goto(host.url);
  await pictured(next);
  assert.deepEqual(await partsOf(next), ['second']);
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
    // The browser may try once more by itself, after a navigation: what has failed leaves nothing behind.
    await until(
      async () => String(await versionCaches(page)) === String(before),
      'no cache is left of what was not taken',
    );
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
  assert.doesNotMatch(await page.locator('#status .problem').innerText(), /network once/);
  await context.close();
});
