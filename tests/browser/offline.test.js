// The page without a network: what was visited is there again, and only that is fetched which belongs to it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PATIENCE, settled, tokens, type } from './lab.js';
import { watchProblems } from './page.js';
import { allKept, kept, pictured, site, versionCaches, visits } from './visits.js';

/** @typedef {import('playwright-core').BrowserContext} Context */

const { hosting, reader, visit } = visits();

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
    const context = await reader();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const problems = watchProblems(page);
    /** The first figure shows what the core has computed. */
    const figured = () => page.waitForFunction((tag) => /** @type {any} */ (document.querySelector(tag))?.shown, drawn);
    await page.goto(`${host.url}${name}`);
    await figured();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    // Nothing is on its way any more: all that is near has its picture.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('glass-exhibit, attention-heatmap, head-grid, attention-arcs, token-row')].every(
        (element) => !(/** @type {any} */ (element).started) || /** @type {any} */ (element).shown,
      ),
    );
    await allKept(page);
    assert.equal((await versionCaches(page)).length, 1);
    await host.stop();
    await page.goto(`${host.url}${name}`);
    assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
    await figured();
    assert.equal(await page.locator('#status').innerText(), '');
    assert.deepEqual(problems, []);
    // The lab is there too: its parts, if not its model.
    await page.goto(host.url);
    await page.waitForSelector('#sentence textarea');
    await context.close();
  });
}

test('a model that was never loaded is said to need the network once, and is there when that is back', async () => {
  const host = await hosting(site);
  const { context, page } = await visit(host);
  await kept(page, 'topics');
  await page.reload();
  await pictured(page);
  await host.stop();
  const status = page.locator('#status');
  const again = page.getByRole('button', { name: 'try again' });
  await page.getByRole('combobox', { name: 'model' }).first().selectOption('words');
  const said = /This model has not been loaded on this machine yet, .* it needs the network once\. The page goes on/;
  assert.match(await status.locator('.problem').innerText(), said);
  await again.click();
  assert.match(await status.locator('.problem').innerText(), said);

  // A figure of the course, whose page was never visited either.
  const course = await context.newPage();
  course.setDefaultTimeout(PATIENCE);
  await course.goto(`${host.url}learn.html#translation`);
  const figure = course.locator('glass-exhibit[name="translation"]');
  assert.match(
    await figure.locator('.problem').innerText(),
    /This figure’s model has not been loaded on this machine yet/,
  );
  await host.start();
  await figure.getByRole('button', { name: 'try again' }).click();
  await course.waitForFunction(
    () => /** @type {any} */ (document.querySelector('glass-exhibit[name="translation"]')).shown,
  );
  await figure.locator('.problem').waitFor({ state: 'detached' });
  await again.click();
  await page.waitForFunction(() => document.querySelector('#answers h2')?.textContent === 'blank');
  assert.equal(await status.locator('.problem').count(), 0);
  await context.close();
});

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
    const context = await reader();
    await prepare(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const problems = watchProblems(page);
    await page.goto(host.url);
    await pictured(page);
    await page.waitForSelector('#why:not([hidden])', { state: 'attached' }); // and with it what asks for service workers
    await type(page, 'a small bird that sings');
    assert.ok((await tokens(page)).includes('bird'));
    assert.deepEqual(problems, []);
    await context.close();
  });
}
