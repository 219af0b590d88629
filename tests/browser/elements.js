// Elements in pages of an author's: any HTML under the site's policy, with files beside it.
import { contentSecurityPolicy } from '../../web/vite.config.js';
import { PATIENCE } from './lab.js';
import { watchProblems } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const ICON = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';

/**
 * Opens a page with some HTML in its body. It loads the elements as an author's page does, and keeps the events in `heard`.
 * @param {{ url: string, browser: import('playwright-core').Browser }} site
 * @param {string} body
 * @param {{ files?: Record<string, string | Uint8Array>, head?: string, ready?: boolean, policy?: string, missing?: RegExp } &
 *   import('playwright-core').BrowserContextOptions} [options] files by name; missing: what the server does not have; ready: waits for
 *   all pictures
 */
export async function openElements({ url, browser }, body, options = {}) {
  const { files = {}, head = '', ready = true, policy = contentSecurityPolicy, missing, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 900, height: 800 }, ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const [name, content] of Object.entries(files)) {
    const body = typeof content === 'string' ? content : Buffer.from(content);
    await page.route(`${url}${name}`, (route) => route.fulfill({ body }));
  }
  if (missing) await page.route(missing, (route) => route.fulfill({ status: 404 }));
  await page.route(`${url}icon.svg`, (route) => route.fulfill({ contentType: 'image/svg+xml', body: ICON }));
  await page.route(`${url}listen.js`, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `globalThis.heard = [];
for (const name of ['glass-hover', 'glass-select', 'glass-result', 'glass-error'])
  document.addEventListener(name, ({ target, detail }) => heard.push({ name, of: target.id || target.localName, detail }));`,
    }),
  );
  await page.route(`${url}author.html`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'Content-Security-Policy': policy },
      body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>a tutorial</title>
<link rel="icon" href="./icon.svg"><script src="./listen.js"></script>${head}
<script type="module" src="./elements.js"></script></head><body><main><h1>A tutorial</h1>${body}</main></body></html>`,
    }),
  );
  await page.goto(`${url}author.html`);
  if (ready) await drawn(page);
  return { page, problems, asked, close: () => context.close() };
}

/** Waits until every element has its picture, or says what is wrong. @param {Page} page @param {string} [which] */
export async function drawn(page, which = 'attention-heatmap, head-grid, attention-arcs, token-row') {
  await page.waitForFunction(
    (selector) =>
      [...document.querySelectorAll(selector)].every(
        (element) =>
          /** @type {any} */ (element).problem ||
          (element.shadowRoot?.querySelector('canvas[style], ol') && !(/** @type {any} */ (element).group?.busy)) ||
          element.closest('glass-model')?.shadowRoot?.querySelector('.problem'),
      ),
    which,
    { timeout: PATIENCE },
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Events so far, without what cannot leave the page. @param {Page} page @param {string} name */
export function heard(page, name) {
  return page.evaluate(
    (wanted) =>
      /** @type {any[]} */ (/** @type {any} */ (globalThis).heard)
        .filter((event) => event.name === wanted)
        .map(({ of, detail }) => ({ of, detail: { ...detail, model: undefined, run: undefined } })),
    name,
  );
}

/**
 * One matrix as an element draws it. @param {Page} page
 * @param {string} selector
 * @param {'weights' | 'scores'} [kind]
 * @returns {Promise<{ rows: number, columns: number, data: (number | string)[] }>} what JSON cannot write as text
 */
export function matrixOf(page, selector, kind = 'weights') {
  return page.evaluate(([which, numbers]) => {
    const element = /** @type {any} */ (document.querySelector(which));
    const { layer, head } = element.spot;
    const { shape, data } = element.shown[numbers][layer];
    const [rows, columns] = shape.slice(-2);
    const part = data.slice(head * rows * columns, (head + 1) * rows * columns);
    return { rows, columns, data: Array.from(part, (value) => (Number.isFinite(value) ? value : String(value))) };
  }, /** @type {const} */ ([selector, kind]));
}

/** A hash of what an element's canvas shows. @param {Page} page @param {string} selector */
export function pixels(page, selector) {
  return page.evaluate((which) => {
    const canvas = document.querySelector(which)?.shadowRoot?.querySelector('canvas');
    return canvas ? canvas.toDataURL() : '';
  }, selector);
}

/** What an element says is wrong, as its reader sees it. @param {Page} page @param {string} selector */
export function problemOf(page, selector) {
  return page.evaluate(
    (which) => document.querySelector(which)?.shadowRoot?.querySelector('.problem')?.textContent ?? null,
    selector,
  );
}
