// Files as a reader takes them from the lab, read back.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PATIENCE } from './lab.js';
import { watchProblems } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** Around a picture in a file, CSS pixels. */
export const MARGIN = 12;

/** A colour as SVG writes it. @param {ArrayLike<number>} colour red, green and blue */
export const hex = (colour) => `#${Buffer.from(Array.from(colour)).toString('hex')}`;

/** Opens the list. @param {Page} page */
export const openList = (page) => page.locator('.export summary').click();

/** A folder for files; remove() takes it away. */
export function createTaken() {
  const kept = mkdtempSync(path.join(os.tmpdir(), 'glassformer-export-'));
  return {
    kept,
    /** Takes a file from the open list. @param {Page} page @param {string} kind @returns {Promise<{ name: string, file: string }>} */
    async taken(page, kind) {
      const downloaded = page.waitForEvent('download');
      downloaded.catch(() => {}); // what the page says tells more
      await page.click(`[data-export=${kind}]`);
      await page.waitForFunction(() => document.querySelector('.export .said')?.textContent);
      const says = await page.locator('.export .said').innerText();
      assert.match(says, /^Saved as /);
      const download = await downloaded;
      const name = download.suggestedFilename();
      const file = path.join(kept, name);
      await download.saveAs(file);
      assert.equal(says, `Saved as ${name}.`);
      return { name, file };
    },
    remove: () => rmSync(kept, { recursive: true }),
  };
}

/** Colours of points of a PNG. @param {Page} page @param {string} base64 @param {number[][]} points @returns {Promise<{ size: number[], colours: number[][] }>} */
export const pixelsOf = (page, base64, points) =>
  page.evaluate(
    async ({ text, at }) => {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (
        canvas.getContext('2d', { willReadFrequently: true })
      );
      context.drawImage(image, 0, 0);
      const colours = at.map(([x, y]) => Array.from(context.getImageData(x, y, 1, 1).data.slice(0, 3)));
      return { size: [image.width, image.height], colours };
    },
    { text: base64, at: points },
  );

/**
 * An SVG as a browser's XML parser reads it, apart from the site: its cells, texts and groups.
 * @param {import('playwright-core').Browser} browser
 * @param {string} file
 */
export async function parsedSvg(browser, file) {
  const page = await browser.newPage();
  const parsed = await page.evaluate(
    (source) => {
      const { documentElement: root } = new DOMParser().parseFromString(source, 'image/svg+xml');
      const all = (/** @type {string} */ selector) => Array.from(root.querySelectorAll(selector));
      const paths = all('path').map((line) => line.getAttribute('d') ?? '');
      return {
        name: root.tagName,
        title: root.querySelector('title')?.textContent,
        description: root.querySelector('desc')?.textContent,
        fills: all('g[class="cells"] rect').map((cell) => cell.getAttribute('fill')),
        texts: all('text').map(({ textContent }) => textContent ?? ''),
        images: all('image').map((image) => image.getAttribute('href') ?? ''),
        groups: all('g[class]').map((group) => group.getAttribute('class') ?? ''),
        curves: paths.join('').split('C').length - 1,
      };
    },
    readFileSync(file, 'utf8'),
  );
  await page.close();
  return parsed;
}

/**
 * Opens an exported page from the disk, with the network off.
 * @param {import('playwright-core').Browser} browser
 * @param {string} file
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openFile(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.setOffline(true);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  const asked = /** @type {string[]} */ ([]);
  page.on('request', (request) => asked.push(request.url()));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  await page.waitForSelector('canvas.matrix[style]'); // it has its size when it is painted
  return { page, problems, asked, address, close: () => context.close() };
}
