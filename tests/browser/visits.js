// Visits of a site whose pages are kept: on hosts that stop and change, in browsers that remember.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../../wasm_build/scripts/chromium.js';
import { startHost } from './host.js';
import { PATIENCE, settled } from './lab.js';
import { watchProblems } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** The built site. */
export const site = fileURLToPath(new URL('../../build/site', import.meta.url));
const prefix = '/some/folder/';

/** A browser for a file of tests, and hosts, stopped in the end whatever a test came to: call it at the file's top. */
export function visits() {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {import('./host.js').Host[]} */
  const hosts = [];
  before(async () => {
    browser = await chromium.launch(chromiumOptions());
  });
  after(async () => {
    await browser?.close();
    for (const host of hosts) await host.stop();
  });

  /** A browser that has been nowhere yet. */
  const reader = () => browser.newContext({ viewport: { width: 1440, height: 900 } });
  return {
    reader,
    /** @param {string} folder */
    async hosting(folder) {
      const host = await startHost(folder, { prefix });
      hosts.push(host);
      return host;
    },
    /** A reader's first visit, until the service worker has all it wants. @param {import('./host.js').Host} host */
    async visit(host) {
      const context = await reader();
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      const problems = watchProblems(page);
      await page.goto(host.url);
      await pictured(page);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
      return { context, page, problems };
    },
  };
}

/** @param {Page} page the lab, loaded or loading */
export async function pictured(page) {
  await page.waitForFunction(() => /** @type {any} */ (globalThis).glassformer?.run);
  await settled(page);
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
export async function until(isSo, what) {
  const end = Date.now() + PATIENCE;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, what);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until a model's files are kept. @param {Page} page @param {string} model */
export const kept = (page, model) =>
  until(async () => {
    const found = await shelf(page);
    return ['config.json', 'model.safetensors', 'tokenizer.json'].every((file) =>
      found.some((url) => url.endsWith(`/models/${model}/${file}`)),
    );
  }, `${model} is kept`);

/** Waits until every file of a model that a page has asked for is kept. @param {Page} page */
export const allKept = (page) =>
  until(async () => {
    const found = await shelf(page);
    const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    return asked.filter((url) => url.includes('/models/')).every((url) => found.includes(url));
  }, 'what was asked for is kept');

/** Names of the caches that versions of the site are kept in. @param {Page} page @returns {Promise<string[]>} */
export const versionCaches = (page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => !name.endsWith(' models')));
