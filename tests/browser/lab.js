// The lab as a reader meets it: opened, pointed at and read off the screen.
import { palette } from '../../web/view/index.js';
import { watchProblems, withoutServiceWorker } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** How long a run may take on a machine that does much besides, milliseconds. Seen: 30 s for a page, with 40 programs on 2 cores. */
export const PATIENCE = 100_000;

/**
 * Opens the lab in a window of its own and waits for its first picture.
 * @param {{ url: string, browser: import('playwright-core').Browser }} site
 * @param {{ hash?: string } & import('playwright-core').BrowserContextOptions} [options]
 */
export async function openLab({ url, browser }, { hash = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  await withoutServiceWorker(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.goto(url + hash);
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  await settled(page);
  return { page, problems, close: () => context.close() };
}

/**
 * Waits until the picture is that of the text, and painted, the explanation is that of what is chosen or pointed at, and what the
 * model said before a change is told. The page says so from a keystroke on: whoever waits after one waits for its run.
 * @param {Page} page
 */
export async function settled(page) {
  await page.waitForFunction(
    () =>
      /** @type {any} */ (globalThis).glassformer?.run &&
      !document.querySelector('.busy, #why[aria-busy], main [aria-busy="true"]'),
    null,
    { timeout: PATIENCE },
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Waits until the page can print: what draws for paper is the last that it fetches by itself.
 * @param {Page} page
 */
export async function printable(page) {
  await page.waitForFunction(() => {
    dispatchEvent(new Event('beforeprint'));
    const drawn = document.querySelector('.paper svg') !== null;
    dispatchEvent(new Event('afterprint'));
    return drawn;
  });
}

/** Replaces the sentence as a reader would, and waits for its run. @param {Page} page @param {string} text */
export async function type(page, text) {
  const before = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await page.fill('textarea >> nth=0', text);
  await page.waitForFunction((old) => /** @type {any} */ (globalThis).glassformer.run !== old, before);
  await settled(page);
}

/** The tokens on show. @param {Page} page @returns {Promise<string[]>} */
export const tokens = (page) => page.locator('.token bdi').allTextContents();

/** A recorded tensor of the run on show. @param {Page} page @param {string} name @returns {Promise<{ shape: number[], data: number[] }>} */
export function recorded(page, name) {
  return page.evaluate((hook) => {
    const { shape, data } = /** @type {any} */ (globalThis).glassformer.run.get(hook);
    return { shape, data: Array.from(data) };
  }, name);
}

/** A hash of what a canvas shows. @param {Page} page @param {string} selector */
export function picture(page, selector) {
  return page.evaluate(
    (canvas) => /** @type {HTMLCanvasElement} */ (document.querySelector(canvas)).toDataURL(),
    selector,
  );
}

/**
 * Where the cells of the heatmap are, found by pointing: which query and key light up under the mouse.
 * @param {Page} page
 * @returns {Promise<{ box: { x: number, y: number }, rows: number[], columns: number[], cell: number }>} middles of rows and
 *   columns, from the canvas's corner
 */
export async function cellsOf(page) {
  // What is chosen is lit too: let it go.
  await page.locator('canvas.matrix').press('Escape');
  const box = await page.locator('canvas.matrix').boundingBox();
  if (!box) throw new Error('there is no heatmap');
  const at = async (/** @type {number} */ x, /** @type {number} */ y) => {
    await page.mouse.move(box.x + x, box.y + y);
    return page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(done));
      const index = (/** @type {string} */ role) =>
        Number(document.querySelector(`.token.${role}`)?.getAttribute('data-token') ?? -1);
      return { query: index('query'), key: index('key') };
    });
  };
  const step = 4;
  const middles = async (
    /** @type {'query' | 'key'} */ role,
    /** @type {number} */ size,
    /** @type {(v: number) => Promise<{ query: number, key: number }>} */ look,
  ) => {
    /** @type {number[][]} */
    const seen = [];
    const index = async (/** @type {number} */ v) => (await look(v))[role];
    const add = (/** @type {number} */ of, /** @type {number} */ v) => of >= 0 && (seen[of] ??= []).push(v);
    // Between two points of one cell all belong to it, and no matrix is as small as what lies between two points that are
    // looked at first: only edges are looked for, by halves.
    const between = async (
      /** @type {number} */ low,
      /** @type {number} */ lowIs,
      /** @type {number} */ high,
      /** @type {number} */ highIs,
    ) => {
      if (high - low <= step || lowIs === highIs) return;
      const middle = low + Math.floor((high - low) / step / 2) * step;
      const middleIs = await index(middle);
      await between(low, lowIs, middle, middleIs);
      add(middleIs, middle);
      await between(middle, middleIs, high, highIs);
    };
    const last = 2 + Math.floor((size - 3) / step) * step;
    let [low, lowIs] = [2, await index(2)];
    add(lowIs, low);
    while (low < last) {
      const high = Math.min(low + 8 * step, last);
      const highIs = await index(high);
      await between(low, lowIs, high, highIs);
      add(highIs, high);
      [low, lowIs] = [high, highIs];
    }
    // Tokens that stand in no row of their own leave a hole.
    return seen.filter(Boolean).map((of) => (of[0] + of[of.length - 1]) / 2);
  };
  const rows = await middles('query', box.height, (y) => at(box.width / 2, y));
  const columns = await middles('key', box.width, (x) => at(x, rows[0]));
  await page.mouse.move(2, 2);
  return { box, rows, columns, cell: rows.length > 1 ? rows[1] - rows[0] : 0 };
}

/**
 * The colours of canvas points.
 * @param {Page} page
 * @param {[number, number][]} points CSS pixels
 * @param {string} [selector] of the canvas
 * @returns {Promise<number[][]>} red, green and blue of each
 */
export function colours(page, points, selector = 'canvas.matrix') {
  return page.evaluate(([list, of]) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(of));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    return list.map(([x, y]) => {
      const ratio = devicePixelRatio;
      return Array.from(context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data.slice(0, 3));
    });
  }, /** @type {const} */ ([points, selector]));
}

/** The colour a weight has. @param {number} weight @param {'viridis' | 'ylorrd'} name @param {boolean} dark @returns {number[]} */
export function colourOf(weight, name, dark) {
  const { bytes } = palette(name, { dark });
  const index = Math.floor(weight * 255 + 0.5) * 4;
  return Array.from(bytes.slice(index, index + 3));
}
