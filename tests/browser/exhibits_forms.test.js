// Every exhibit on a phone, in the dark, and inside a page that is written from right to left: nothing makes the page wider, no
// control is out of reach or too small for a finger, and axe-core finds no fault.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EXHIBITS } from '../../web/elements/exhibits/index.js';
import { openExhibit } from './exhibit.js';
import { openBrowser } from './page.js';

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const FINGER = 44;

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site?.close());

/** How many pixels the page is wider than its window. @param {Awaited<ReturnType<typeof openExhibit>>} exhibit */
const over = ({ page }) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Controls of the figure by their words, with their places; those in a region that scrolls by itself are left out. @param {Awaited<ReturnType<typeof openExhibit>>} exhibit */
const controls = ({ element }) =>
  element.evaluate((exhibit) => {
    const root = /** @type {ShadowRoot} */ (exhibit.shadowRoot);
    return [
      ...root.querySelectorAll(
        '.controls :is(input, button), .line-of > .slider input, .wrong input, .foot a, .foot button',
      ),
    ].map((control) => {
      // A choice's input lies over its label, which takes the finger.
      const target = control.closest('.choice label, .toggle') ?? control;
      const { left, right, height } = target.getBoundingClientRect();
      const words = control.closest('label') ?? control;
      return { name: String(words.textContent).trim(), left, right, height };
    });
  });

for (const { name } of EXHIBITS)
  describe(name, () => {
    test('on a phone, dark', async () => {
      const exhibit = await openExhibit(site, name, { ...phone, colorScheme: 'dark' });
      try {
        assert.ok((await over(exhibit)) <= 0, `the page is ${await over(exhibit)} px too wide`);
        const all = await controls(exhibit);
        assert.ok(all.length > 0);
        for (const control of all) {
          assert.ok(control.left >= 0 && control.right <= 390, `“${control.name}” is out of the window`);
          assert.ok(control.height >= FINGER - 0.5, `“${control.name}” is ${control.height} px high`);
        }
        await exhibit.clean();
      } finally {
        await exhibit.close();
      }
    });

    test('in a page from right to left', async () => {
      const exhibit = await openExhibit(site, name);
      try {
        await exhibit.page.evaluate(() => (document.documentElement.dir = 'rtl'));
        assert.ok((await over(exhibit)) <= 0);
        // Its words and numbers are English: they keep their direction, and so their full stops.
        const directions = await exhibit.element.evaluate((element) =>
          [.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('p, td, th, figcaption, h2, math')].map(
            (part) => getComputedStyle(part).direction,
          ),
        );
        assert.deepEqual([...new Set(directions)], ['ltr']);
        const starts = await exhibit.element.evaluate((element) =>
          ['h2', '.prose', '.equation', 'figure', '.foot'].map((part) =>
            Math.round(/** @type {any} */ (element.shadowRoot).querySelector(part).getBoundingClientRect().left),
          ),
        );
        assert.equal(new Set(starts).size, 1, `parts begin at ${starts.join(', ')} px`);
        assert.deepEqual(exhibit.problems, []);
      } finally {
        await exhibit.close();
      }
    });
  });
