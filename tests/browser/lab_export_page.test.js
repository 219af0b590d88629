// The page that is exported: one file that opens from the disk, in every form, with the run's numbers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { barriers } from './barriers.js';
import { createTaken, openFile, openList } from './exports.js';
import { openLab, recorded } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const { taken, remove } = createTaken();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(async () => {
  await site.close();
  remove();
});

/** The number that the page reads out. @param {Page} page */
const read = async (page) =>
  Number(/(-?[\d.e-]+)$/.exec((await page.locator('#now').innerText()).replace('−', '-'))?.[1]);

test('HTML: one file that opens from the disk, without a network, with the run’s numbers', async () => {
  const lab = await openLab(site, { hash: '#layer=1&head=2&query=4&key=2' });
  const pattern = await recorded(lab.page, 'blocks.1.attn.hook_pattern');
  const scores = await recorded(lab.page, 'blocks.2.attn.hook_attn_scores');
  const [, , rows, columns] = pattern.shape;
  await openList(lab.page);
  const { name, file } = await taken(lab.page, 'page');
  assert.equal(name, 'glassformer-topics-attention.html');
  assert.deepEqual(lab.problems, []);
  await lab.close();

  const { page, problems, asked, address, close } = await openFile(site.browser, file);
  assert.equal(await page.title(), 'topics: attention');
  assert.match(await page.locator('#now').innerText(), /^query 'cat', key 'large', weight/);
  const at = (/** @type {number} */ head, /** @type {number} */ query, /** @type {number} */ key) =>
    (head * rows + query) * columns + key;
  assert.equal(Math.fround(await read(page)), Math.fround(pattern.data[at(2, 4, 2)]));
  // Keys move, heads and kinds change; every number is the recorded one.
  await page.locator('canvas.matrix').press('ArrowRight');
  assert.equal(Math.fround(await read(page)), Math.fround(pattern.data[at(2, 4, 3)]));
  await page.locator('canvas.heads').press('ArrowDown');
  await page.getByRole('radio', { name: 'scores' }).check();
  assert.equal(Math.fround(await read(page)), Math.fround(scores.data[at(2, 4, 3)]));
  // The pointer: over a cell, and a token chosen.
  await page.getByRole('combobox', { name: 'head' }).selectOption('0');
  await page.getByRole('button', { name: 'fur' }).click();
  assert.match(await page.locator('#now').innerText(), /^query 'fur', key 'wild', score/);
  assert.equal(await page.locator('.token.query').innerText(), 'fur');
  const box = await page.locator('canvas.matrix').boundingBox();
  if (!box) throw new Error('there is no heatmap');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => !document.querySelector('#now')?.textContent?.startsWith("query 'fur'"));
  await page.getByRole('radio', { name: 'arcs' }).check();
  assert.ok(await page.locator('canvas.arcs').isVisible());
  await page.locator('canvas.arcs').press('Escape');
  assert.match(await page.locator('#now').innerText(), /^Point at a cell/);
  const before = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByRole('radio', { name: 'dark' }).check();
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), before);
  assert.deepEqual(asked, [address], 'nothing but the file is asked for');
  assert.deepEqual(problems, []);
  await close();
});

test('HTML: its policy lets nothing run but the viewer', async () => {
  const lab = await openLab(site, {
    hash: `#text=${encodeURIComponent('</script><script>document.title = 1</script> cat')}`,
  });
  await openList(lab.page);
  const { file } = await taken(lab.page, 'page');
  await lab.close();
  const { page, problems, close } = await openFile(site.browser, file);
  assert.equal(await page.title(), 'topics: attention');
  assert.match(await page.locator('.text').innerText(), /^<\/script>/);
  assert.deepEqual(problems, []);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.body.append(script);
  });
  assert.equal(await page.title(), 'topics: attention');
  assert.ok(problems.some((problem) => problem.includes('Content Security Policy')));
  await close();
});

test('on a phone and for axe: the list, and the exported page', async () => {
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, problems, close } = await openLab(site, options);
  await openList(page);
  assert.deepEqual(await barriers(page, '#head'), []);
  for (const button of await page.locator('.export button').all()) {
    const box = await button.boundingBox();
    assert.ok(box && box.height >= 44 && box.x + box.width <= 390, await button.innerText());
  }
  const { file } = await taken(page, 'page');
  assert.deepEqual(problems, []);
  await close();
  for (const where of [options, {}, { colorScheme: /** @type {const} */ ('dark') }]) {
    const viewer = await openFile(site.browser, file, where);
    assert.deepEqual(await barriers(viewer.page, 'body'), []);
    const wide = await viewer.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(wide, 'nothing sticks out sideways');
    await viewer.close();
  }
});
