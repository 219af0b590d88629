// Every exhibit on a phone, in the dark, and inside a page that is written from right to left: nothing makes the page wider, no
// control is out of reach or too small for a finger, and axe-core finds no fault.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EXHIBITS } from '../../web/elements/exhibits/index.js';
import { barriers } from './barriers.js';
import { openCourse } from './exhibit.js';
import { openBrowser } from './page.js';

/** @typedef {Awaited<ReturnType<typeof openCourse>>} Course */
/** @typedef {Awaited<ReturnType<Course['at']>>} Element */

const FINGER = 44;

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site?.close());

/**
 * Goes through the course, from exhibit to exhibit of one page.
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(element: Element, course: Course, name: string) => Promise<void>} look
 */
function through(options, look) {
  /** @type {Course} */
  let course;
  before(async () => {
    course = await openCourse(site, options);
  });
  after(() => course?.close());
  for (const { name } of EXHIBITS)
    test(name, async () => {
      const element = await course.at(name);
      await look(element, course, name);
      assert.deepEqual(course.problems(), []);
      await element.evaluate((exhibit) => exhibit.remove()); // axe goes through all that there is on a page
    });
}

/** How many pixels the page is wider than its window. @param {Course} course */
const over = ({ page }) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Controls of the figure by their words, with their places; those in a region that scrolls by itself are left out. @param {Element} element */
const controls = (element) =>
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

describe('on a phone, dark', () => {
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
  through({ ...phone, colorScheme: 'dark' }, async (element, course, name) => {
    assert.ok((await over(course)) <= 0, `the page is ${await over(course)} px too wide`);
    const all = await controls(element);
    assert.ok(all.length > 0);
    for (const control of all) {
      assert.ok(control.left >= 0 && control.right <= 390, `“${control.name}” is out of the window`);
      assert.ok(control.height >= FINGER - 0.5, `“${control.name}” is ${control.height} px high`);
    }
    assert.deepEqual(await barriers(course.page, `glass-exhibit[name="${name}"]`), []);
  });
});

describe('in a page from right to left', () => {
  through({ viewport: { width: 1440, height: 900 } }, async (element, course) => {
    // It turns when the exhibit is there.
    await course.page.evaluate(() => (document.documentElement.dir = 'rtl'));
    assert.ok((await over(course)) <= 0);
    // Its words and numbers are English: they keep their direction, and so their full stops.
    const directions = await element.evaluate((exhibit) =>
      [.../** @type {ShadowRoot} */ (exhibit.shadowRoot).querySelectorAll('p, td, th, figcaption, h2, math')].map(
        (part) => getComputedStyle(part).direction,
      ),
    );
    assert.deepEqual([...new Set(directions)], ['ltr']);
    const starts = await element.evaluate((exhibit) =>
      ['h2', '.prose', '.equation', 'figure', '.foot'].map((part) =>
        Math.round(/** @type {any} */ (exhibit.shadowRoot).querySelector(part).getBoundingClientRect().left),
      ),
    );
    assert.equal(new Set(starts).size, 1, `parts begin at ${starts.join(', ')} px`);
    await course.page.evaluate(() => (document.documentElement.dir = ''));
  });
});
