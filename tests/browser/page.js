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
 * Collects what should not happen on a page: console errors and warnings (violations of the policy are among them),
 * uncaught errors, failed and refused requests. Call it before page.goto().
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
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  return problems;
}
