// The page for authors: every example live, its HTML to copy, for every reader.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { barriers } from './barriers.js';
import { drawn } from './elements.js';
import { PATIENCE } from './lab.js';
import { openBrowser, watchProblems, withoutServiceWorker } from './page.js';

let site;
before(async () => {
  site = await openBrowser();
});
after(() => site?.close());

/** Opens the page and brings every example near. @param {import('playwright-core').BrowserContextOptions} [options] */
async function openPage(options = {}) {
  const context = await site.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  await withoutServiceWorker(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.goto(`${site.url}embed.html`);
  await page.waitForSelector('.example + pre');
  for (const example of await page.locator('.example').all()) await example.scrollIntoViewIfNeeded();
  await drawn(page);
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('glass-exhibit'))?.shown);
  return { page, problems, close: () => context.close() };
}

test('examples are live, and the HTML beside each makes the same', async () => {
  const { page, problems, close } = await openPage();
  const examples = await page.locator('.example').count();
  assert.equal(await page.locator('.example + pre').count(), examples);
  // What is shown, put in place of the example, is an equal tree.
  const equal = await page.evaluate(() =>
    [...document.querySelectorAll('.example')].map((example) => {
      const copy = document.createElement('template');
      copy.innerHTML = example.nextElementSibling?.textContent ?? '';
      const tags = (/** @type {ParentNode} */ root) =>
        [...root.querySelectorAll('*')].map((element) =>
          [element.localName, ...[...element.attributes].map(({ name, value }) => `${name}=${value}`)].join(' '),
        );
      return JSON.stringify(tags(example)) === JSON.stringify(tags(copy.content));
    }),
  );
  assert.deepEqual(equal, Array(examples).fill(true));
  for (const tag of ['attention-heatmap', 'head-grid', 'attention-arcs', 'token-row', 'glass-model', 'glass-exhibit']) {
    assert.ok((await page.locator(`.example ${tag}`).count()) > 0, tag);
  }
  assert.deepEqual(
    await page.evaluate(() => [...document.querySelectorAll('*')].filter((e) => /** @type {any} */ (e).problem).length),
    0,
  );
  assert.equal(page.workers().length, 1);
  assert.deepEqual(problems, []);
  await close();
});

test('a click copies an example', async () => {
  const { page, close } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'copy this HTML' }).first().click();
  await page.getByText('copied').first().waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(
    copied,
    /^<attention-heatmap model="topics" text="a large wild cat" layer="1" head="3">\n {2}<p slot="caption">/,
  );
  await close();
});

test('axe-core finds nothing, wide and light, narrow and dark; nothing is wider than the window', async () => {
  for (const options of [
    {},
    { viewport: { width: 390, height: 844 }, colorScheme: /** @type {const} */ ('dark'), hasTouch: true },
  ]) {
    const { page, close } = await openPage(options);
    assert.deepEqual(await barriers(page), []);
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= room, `${wide} in ${room}`);
    await close();
  }
});
