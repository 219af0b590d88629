// Chromium as a host: the pages of this folder built by Vite, served, and opened in a new profile.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { chromiumOptions, findChromium } from '../../../wasm_build/scripts/chromium.js';
import { gpt2Folder } from './gpt2_files.js';
import { root, Stop } from '../../../wasm_build/scripts/process.js';

/** @typedef {import('playwright-core').Page} Page */

const pages = path.join(root, 'tests/bench/pages');
const outDir = path.join(root, 'build/bench/pages');
export const PAGES = /** @type {const} */ (['contenders', 'view', 'start_ours', 'start_ort', 'start_tfjs']);

/**
 * Builds and serves the pages.
 * @returns {Promise<{ url: (page: string) => string, close: () => Promise<void> }>}
 */
export async function servePages() {
  const common = { root: pages, configFile: /** @type {const} */ (false), publicDir: /** @type {const} */ (false) };
  await build({
    ...common,
    base: './',
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2022',
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: { input: PAGES.map((name) => path.join(pages, `${name}.html`)) },
    },
  });
  // tfjs asks for its files by name.
  const tfjs = path.join(root, 'tests/bench/node_modules/@tensorflow/tfjs-backend-wasm/dist');
  mkdirSync(path.join(outDir, 'tfjs'), { recursive: true });
  for (const name of ['tfjs-backend-wasm.wasm', 'tfjs-backend-wasm-simd.wasm'])
    cpSync(path.join(tfjs, name), path.join(outDir, 'tfjs', name));

  // Large: not copied. Whoever generates has them written before a page asks for them.
  symlinkSync(gpt2Folder, path.join(outDir, 'gpt2'));

  const server = await preview({
    ...common,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const bound = server.httpServer.address();
  if (!bound || typeof bound !== 'object') throw new Stop('bench: the server for the pages has no address');
  return { url: (page) => `http://127.0.0.1:${bound.port}/${page}`, close: () => server.close() };
}

/**
 * A page in a browser of its own, so that nothing is cached.
 * @param {string} url
 * @param {{ before?: (page: Page) => void }} [options] before: called before anything is loaded
 */
export async function openPage(url, { before } = {}) {
  if (!findChromium()) throw new Stop('bench: no Chromium found; set CHROMIUM to its path');
  const browser = await chromium.launch(chromiumOptions());
  const page = await browser.newPage();
  page.setDefaultTimeout(600_000); // a busy machine, and peers that compile for long
  /** @type {Error[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(error));
  before?.(page);
  await page.goto(url);
  return {
    page,
    /** Waits until the page has set a global, and gives it. @param {string} name @returns {Promise<any>} */
    async global(name) {
      await page.waitForFunction((known) => known in globalThis || 'failure' in globalThis, name);
      const [value, failure] = await page.evaluate(
        (known) => [/** @type {any} */ (globalThis)[known], /** @type {any} */ (globalThis).failure],
        name,
      );
      if (failure || errors.length > 0) throw errors[0] ?? new Error(failure);
      return value;
    },
    close: () => browser.close(),
  };
}
