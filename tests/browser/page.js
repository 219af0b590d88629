// What every browser test starts with: the built site under its real policy, and Chromium.
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../../wasm_build/scripts/chromium.js';
import { serve } from '../../wasm_build/scripts/serve.js';

/**
 * Serves build/site on a free port and starts a browser. Close both with close().
 * @returns {Promise<{ url: string, browser: import('playwright-core').Browser, close: () => Promise<void> }>}
 */
export async function openBrowser() {
  const site = await serve({ port: 0 });
  const browser = await chromium.launch(chromiumOptions());
  return {
    url: site.url,
    browser,
    async close() {
      await browser.close();
      await site.close();
    },
  };
}

/**
 * Each window of this context comes for the first time, and fetches nothing for another: what a service worker does is in
 * offline.test.js.
 * @param {import('playwright-core').BrowserContext} context
 */
export function withoutServiceWorker(context) {
  return context.addInitScript(() => {
    if (typeof ServiceWorkerContainer !== 'function') return; // a sandboxed frame
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('not here', 'SecurityError'));
  });
}

/**
 * Collects what should not happen on a page: console errors and warnings (violations of the policy are among them),
 * uncaught errors, failed and refused requests. What a page was still fetching when it was left is none of these: the browser
 * breaks it off. Call it before page.goto().
 * @param {import('playwright-core').Page} page
 * @returns {string[]} grows as things go wrong
 */
export function watchProblems(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  /**
   * Which document a request was made for: the one that is there, or the one on its way. Until that comes, the one that is left may
   * still ask for something, as a browser does for an icon when it likes.
   * @type {WeakMap<import('playwright-core').Request, number>}
   */
  const made = new WeakMap();
  let asked = 0;
  let there = 0;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) there = asked;
  });
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) made.set(request, ++asked);
    else made.set(request, there);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    const left = why === 'net::ERR_ABORTED' && made.get(request) !== asked;
    if (!left) problems.push(`failed: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  return problems;
}
