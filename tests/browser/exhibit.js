// What tests of exhibits share: one exhibit of the course's page, its controls, and the numbers that it shows.
import assert from 'node:assert/strict';
import { barriers } from './barriers.js';
import { PATIENCE } from './lab.js';
import { watchProblems, withoutServiceWorker } from './page.js';

/**
 * Opens the course at an exhibit and waits for its first result.
 * @param {{ url: string, browser: import('playwright-core').Browser }} site
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openExhibit({ url, browser }, name, options = { viewport: { width: 1440, height: 900 } }) {
  const context = await browser.newContext(options); // axe wants one
  await withoutServiceWorker(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
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

  /** @param {string} [role] */
  const stage = (role) => (role ? element.locator(`figure ${role}`) : element.locator('figure'));

  /** A slider's name ends in its value. @param {string} label */
  const slider = (label) => element.getByRole('slider', { name: new RegExp(`^${label}( |$)`) });

  const exhibit = {
    page,
    element,
    problems,
    stage,
    /** Does something that changes the figure's state, and waits for what the core computes for it. @param {() => Promise<unknown>} act */
    async after(act) {
      const before = await page.evaluate(() => /** @type {any} */ (window).results);
      await act();
      await page.waitForFunction((count) => /** @type {any} */ (window).results > count, before);
      await element.evaluate((shown) => /** @type {any} */ (shown).updateComplete);
      assert.equal(await page.evaluate(() => /** @type {any} */ (window).problem), null, 'what went wrong');
    },
    /** @param {string} label @param {number} value */
    slide: (label, value) => exhibit.after(() => slider(label).fill(String(value))),
    /** One of several. @param {string} text */
    choose: (text) =>
      exhibit.after(() => element.getByRole('radio', { name: text, exact: true }).check({ force: true })),
    /** A switch. @param {string} text @param {boolean} [on] */
    turn: (text, on = true) =>
      exhibit.after(() => element.getByRole('checkbox', { name: text, exact: true }).setChecked(on)),
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
    /** What a mistake says. */
    says: () => element.locator('.says').innerText(),
    async reset() {
      await exhibit.after(() => element.getByRole('button', { name: 'reset' }).click());
    },
    /** Nothing that axe-core finds fault with, and nothing in the console. */
    async clean() {
      assert.deepEqual(await barriers(page, `glass-exhibit[name="${name}"]`), []);
      assert.deepEqual(problems, []);
    },
    close: () => context.close(),
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
