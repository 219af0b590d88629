// What a first visit shows, and when: tokens before the weights are there, the picture before all that it can do without.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PATIENCE, settled, tokens } from './lab.js';
import { openBrowser, watchProblems } from './page.js';

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

test('tokens are there before the weights, and follow the text; the picture comes with them', async () => {
  const page = await site.browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  let weights = () => {};
  const wanted = new Promise((/** @type {(value: void) => void} */ resolve) => (weights = resolve));
  await page.route('**/model.safetensors', async (route) => {
    await wanted;
    await route.continue();
  });
  await page.goto(site.url);
  await page.waitForSelector('.token');
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'large', 'wild', 'cat', 'with', 'striped', 'fur', '[SEP]']);
  assert.ok(await page.locator('#head').isHidden());
  await page.locator('textarea').first().fill('a small bird');
  await page.waitForFunction(() => document.querySelectorAll('.token').length === 5);
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'small', 'bird', '[SEP]']);
  // Nothing can be explained yet; pointing and keys do no harm.
  await page.locator('.token').nth(2).hover();
  await page.locator('.token').nth(2).click();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.token:focus bdi').textContent(), 'bird');
  assert.ok(await page.locator('#why').isHidden());

  weights();
  await page.waitForFunction(() => /** @type {any} */ (globalThis).glassformer.run);
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  await settled(page);
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'small', 'bird', '[SEP]']);
  assert.ok(await page.locator('#head canvas.matrix').isVisible());
  assert.deepEqual(problems, []);
  await page.close();
});

test('what the first picture can do without is fetched after it', async () => {
  const page = await site.browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  let weights = () => {};
  const wanted = new Promise((/** @type {(value: void) => void} */ resolve) => (weights = resolve));
  await page.route('**/model.safetensors', async (route) => {
    await wanted;
    await route.continue();
  });
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(site.url);
  await page.waitForSelector('.token');
  const known = new Set(
    await page.evaluate(() => document.documentElement.outerHTML.match(/assets\/[\w-]+\.js/g) ?? []),
  );
  const scripts = () => asked.flatMap((url) => url.match(/assets\/(?!worker|glassformer)[\w-]+\.js/)?.[0] ?? []);
  // Until now, nothing but what the page itself names.
  assert.deepEqual(
    scripts().filter((name) => !known.has(name)),
    [],
  );
  weights();
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  assert.ok(scripts().some((name) => !known.has(name) && name.includes('later')));
  await page.close();
});
