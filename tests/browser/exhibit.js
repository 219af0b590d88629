// What tests of exhibits share: the course's page with its figures, their controls, and the numbers that they show.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import * as engine from '../../web/engine/index.js';
import { barriers } from './barriers.js';
import { PATIENCE } from './lab.js';
import { openBrowser, watchProblems, withoutServiceWorker } from './page.js';

/** @typedef {Awaited<ReturnType<typeof openExhibit>>} Exhibit */

const core = { .../** @type {any} */ (engine), model: (/** @type {string} */ name) => engine.load(name) };

/**
 * What the core gives in Node for a figure's first state with some of it changed.
 * @param {import('../../web/elements/exhibits/kit/types.js').Exhibit} definition
 * @param {Record<string, any>} [patch]
 * @returns {Promise<any>}
 */
export const computed = (definition, patch = {}) =>
  definition.compute({ ...definition.start, ...patch }, core, {
    signal: new AbortController().signal,
    progress() {},
  });

/**
 * A browser for a file of tests: call it at the file's top.
 * @returns {{ opened: (name: string) => Exhibit }} opened: call it within a describe; what it gives is the exhibit once its tests run
 */
export function course() {
  /** @type {Awaited<ReturnType<typeof openBrowser>>} */
  let site;
  before(async () => {
    site = await openBrowser();
  });
  after(() => site?.close());
  return {
    opened(name) {
      const exhibit = /** @type {Exhibit} */ ({});
      before(async () => {
        Object.assign(exhibit, await openExhibit(site, name));
      });
      after(() => exhibit.close?.());
      return exhibit;
    },
  };
}

/**
 * Opens the course; its figures are shown one after the other.
 * @param {{ url: string, browser: import('playwright-core').Browser }} site
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openCourse({ url, browser }, options = { viewport: { width: 1440, height: 900 } }) {
  const context = await browser.newContext(options); // axe wants one
  await withoutServiceWorker(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  return {
    page,
    /** What went wrong since it was asked for last. */
    problems: () => problems.splice(0),
    /** Goes to an exhibit and waits for its first result. @param {string} name */
    async at(name) {
      await page.goto(`${url}/learn.html#${name}`);
      const element = page.locator(`glass-exhibit[name="${name}"]`);
      await element.evaluate((exhibit, own) => {
        /** @type {any} */ (exhibit).begin();
        /** @type {any} */ (window).results = 0;
        for (const event of ['glass-result', 'glass-error'])
          exhibit.addEventListener(event, (/** @type {any} */ { detail }) => {
            if (detail.name !== own) return; // it is of a picture inside
            /** @type {any} */ (window).results++;
            /** @type {any} */ (window).problem = detail.error?.message ?? null;
          });
      }, name);
      await page.waitForFunction(
        (wanted) => /** @type {any} */ (document.querySelector(`glass-exhibit[name="${wanted}"]`)).shown !== null,
        name,
      );
      return element;
    },
    close: () => context.close(),
  };
}

/**
 * Opens the course at an exhibit and waits for its first result.
 * @param {{ url: string, browser: import('playwright-core').Browser }} site
 * @param {string} name
 */
export async function openExhibit(site, name) {
  const { page, problems, at, close } = await openCourse(site);
  const element = await at(name);

  /** @param {string} [role] */
  const stage = (role) => (role ? element.locator(`figure ${role}`) : element.locator('figure'));

  /** A slider's name ends in its value. @param {string} label */
  const slider = (label) => element.getByRole('slider', { name: new RegExp(`^${label}( |$)`) });

  const exhibit = {
    page,
    element,
    stage,
    /**
     * Does something that changes the figure's state, and waits for what the core computes for it: where that is done several times,
     * for the last.
     * @param {() => Promise<unknown>} act
     */
    async after(act) {
      const before = await page.evaluate(() => /** @type {any} */ (window).results);
      await act();
      await page.waitForFunction(
        ([wanted, count]) =>
          /** @type {any} */ (window).results > Number(count) &&
          document
            .querySelector(`glass-exhibit[name="${wanted}"]`)
            ?.shadowRoot?.querySelector('.stage[aria-busy="false"]'),
        [name, before],
      );
      assert.equal(await page.evaluate(() => /** @type {any} */ (window).problem), null, 'what went wrong');
    },
    /** Waits until all that has come near has its figure: nothing moves this one on the page any more. */
    async still() {
      await page.waitForFunction(() =>
        [...document.querySelectorAll('glass-exhibit')].every(
          (one) => !(/** @type {any} */ (one).started) || one.shadowRoot?.querySelector('.stage[aria-busy="false"]'),
        ),
      );
    },
    /** @param {string} label @param {number} value */
    slide: (label, value) => exhibit.after(() => slider(label).fill(String(value))),
    /** One of several. @param {string} text */
    choose: (text) =>
      exhibit.after(() => element.getByRole('radio', { name: text, exact: true }).check({ force: true })),
    /** A switch. @param {string} text @param {boolean} [on] */
    turn: (text, on = true) =>
      exhibit.after(() => element.getByRole('checkbox', { name: text, exact: true }).setChecked(on)),
    /** Text in a line, as a reader types it. @param {string} label @param {string} text */
    write: (label, text) => exhibit.after(() => element.getByLabel(label, { exact: true }).fill(text)),
    /** A number of an editable matrix. @param {string} label as it is read out, e.g. 'Q, sat, column 2' @param {number} value */
    async edit(label, value) {
      const field = element.getByLabel(label, { exact: true });
      await exhibit.after(async () => {
        await field.fill(String(value));
        await field.press('Tab');
      });
    },
    /** What a matrix shows, row by row, every digit. @param {string} name */
    async numbers(name) {
      const rows = await stage(`table[aria-label="${name}"] tbody tr`).evaluateAll((lines) =>
        lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.title)),
      );
      assert.ok(rows.length > 0, `a matrix called ${name}`);
      const read = (/** @type {string} */ text) => Number(text.replace('−', '-').replace('∞', 'Infinity'));
      return rows.map((row) => row.map((text) => (text === 'NaN' ? NaN : read(text))));
    },
    /** What bars say. @param {string} label @returns {Promise<string[]>} */
    values: (label) => stage(`ul[aria-label="${label}"] .value`).allTextContents(),
    /** Names and numbers of bars. @param {string} label @returns {Promise<[string, number][]>} */
    bars: (label) =>
      stage(`ul[aria-label="${label}"] li`).evaluateAll((items) =>
        items.map((item) => [
          /** @type {HTMLElement} */ (item.querySelector('bdi')).innerText,
          Number(/** @type {HTMLElement} */ (item.querySelector('.value')).innerText.replace('−', '-')),
        ]),
      ),
    /** State and result, tensors with plain lists of numbers. */
    shown: () =>
      element.evaluate((exhibit) => {
        const plain = (/** @type {any} */ value) => {
          if (ArrayBuffer.isView(value)) return Array.from(/** @type {any} */ (value));
          if (Array.isArray(value)) return value.map(plain);
          if (value === null || typeof value !== 'object') return value;
          return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
        };
        return plain(/** @type {any} */ (exhibit).shown);
      }),
    /** What was computed for what is chosen. */
    result: async () => (await exhibit.shown()).result,
    /** What a mistake says. */
    says: () => element.locator('.says').innerText(),
    async reset() {
      await exhibit.after(() => element.getByRole('button', { name: 'reset' }).click());
    },
    /** Nothing that axe-core finds fault with, and nothing in the console. */
    async clean() {
      assert.deepEqual(await barriers(page, `glass-exhibit[name="${name}"]`), []);
      assert.deepEqual(problems(), []);
    },
    close,
  };
  return exhibit;
}

/** The rows of a plain tensor. @param {{ shape: number[], data: ArrayLike<number> }} tensor @param {number} [at] which matrix */
export function rowsOf({ shape, data }, at = 0) {
  const width = shape[shape.length - 1];
  const height = shape.length > 1 ? shape[shape.length - 2] : 1;
  const all = Array.from(data).slice(at * width * height, (at + 1) * width * height);
  return Array.from({ length: height }, (_, r) => all.slice(r * width, (r + 1) * width));
}

/**
 * The browser's core may multiply and add in one rounding where Node's takes two: a few units in the last place apart.
 * @param {number[][]} shown
 * @param {number[][]} expected
 * @param {string} what
 */
export function assertClose(shown, expected, what) {
  assert.deepEqual(
    shown.map((row) => row.length),
    expected.map((row) => row.length),
    `${what}: shape`,
  );
  for (const [r, row] of expected.entries())
    for (const [c, value] of row.entries()) {
      const got = shown[r][c];
      const near =
        Object.is(got, value) || got === value || Math.abs(got - value) <= 1e-5 * Math.max(1, Math.abs(value));
      assert.ok(near, `${what}[${r}, ${c}]: ${got}, expected ${value}`);
    }
}
