// Pointing, choosing and moving: by mouse, by keys and through the address.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cellsOf, openLab, picture, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

/** The tokens in the query's and the key's colour. @param {Page} page */
const lit = (page) =>
  page.evaluate(() => {
    const at = (/** @type {string} */ role) =>
      document.querySelector(`.token.${role}`)?.getAttribute('data-token') ?? null;
    return [at('query'), at('key')].map((index) => (index === null ? null : Number(index)));
  });
/** What is underlined in the text, by kind. @param {Page} page @param {string} kind */
const underlined = (page, kind) => page.locator(`.mirror .${kind}`).allTextContents();
/** @param {Page} page */
const chosen = (page) =>
  page.evaluate(() => {
    const fields = new URLSearchParams(location.hash.slice(1));
    return ['layer', 'head', 'query', 'key'].map((name) => fields.get(name));
  });
/** What the page says to a screen reader of the chosen cell. @param {Page} page */
const said = (page) => page.locator('#cell-now').innerText();

test('hover previews, click pins, Escape lets go', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#layer=1' });
  const { box, rows, columns } = await cellsOf(page);
  const at = (/** @type {number} */ query, /** @type {number} */ key) =>
    /** @type {const} */ ([box.x + columns[key], box.y + rows[query]]);
  await settled(page);
  assert.deepEqual(await lit(page), [null, null]);
  assert.match(await page.locator('#why').innerText(), /Point at a cell/);

  await page.mouse.move(...at(3, 5));
  await settled(page);
  assert.deepEqual(await lit(page), [3, 5]);
  assert.deepEqual([await underlined(page, 'query'), await underlined(page, 'key')], [['wild'], ['with']]);
  assert.match(await page.locator('#why h2').innerText(), /^why 0\.\d\d\?|^why 1\.00\?/);
  await page.mouse.move(2, 2);
  await settled(page);
  assert.deepEqual(await lit(page), [null, null]);

  await page.mouse.click(...at(4, 2));
  await page.mouse.move(2, 2);
  await settled(page);
  assert.deepEqual(await lit(page), [4, 2]);
  await page.waitForFunction(() => location.hash.includes('query=4&key=2'));

  await page.keyboard.press('Tab');
  await page.locator('canvas.matrix').press('Escape');
  await settled(page);
  assert.deepEqual(await lit(page), [null, null]);
  assert.deepEqual(problems, []);
  await close();
});

test('arrow keys move over the cells, and each is said', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=1&query=3&key=2' });
  const canvas = page.locator('canvas.matrix');
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await said(page), /^query 'wild', key 'wild', weight \d\.\d\d\.$/);
  await page.keyboard.press('ArrowDown');
  assert.match(
    await said(page),
    /^query 'cat', key 'wild', weight \d\.\d\d\. 'cat' has its largest weights on '.+' \d\.\d\d/,
  );
  await page.keyboard.press('End');
  assert.match(await said(page), /^query 'cat', key '\[SEP\]'/);
  await page.keyboard.press('Control+Home');
  assert.match(await said(page), /^query '\[CLS\]', key '\[CLS\]'/);
  await page.keyboard.press('ArrowUp');
  assert.deepEqual(await lit(page), [0, 0]);
  await page.keyboard.press('Escape');
  assert.equal(await said(page), 'Nothing is chosen.');
  assert.equal(await canvas.getAttribute('role'), 'application');
  assert.match((await canvas.getAttribute('aria-label')) ?? '', /layer 1, head 0/);
  await close();
});

test('a token lights its row and column everywhere and its characters in the text', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=1' });
  const [heatmap, grid] = [await picture(page, 'canvas.matrix'), await picture(page, '#heads canvas')];
  await page.hover('[data-token="4"]');
  await settled(page);
  assert.deepEqual(await underlined(page, 'lit'), ['cat']);
  assert.notEqual(await picture(page, 'canvas.matrix'), heatmap);
  assert.notEqual(await picture(page, '#heads canvas'), grid);
  await page.mouse.move(2, 2);
  await settled(page);
  assert.equal(await picture(page, '#heads canvas'), grid);
  await page.click('[data-token="4"]');
  await page.mouse.move(2, 2);
  assert.match(await page.locator('#why h2').innerText(), /^the row of cat/);
  await close();
});

test('a head that is pointed at is drawn, and explained once the pointer rests, as if it had been opened', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=1&head=0&query=3&key=2' });
  const shown = () => picture(page, 'canvas.matrix');
  const why = () => page.locator('#why .title').innerText();
  const [before, explained] = [await shown(), await why()];
  const box = await page.locator('#heads canvas').boundingBox();
  assert.ok(box);
  // From head to head and back: layers down, heads across.
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.3);
  await page.mouse.move(box.x + box.width - 20, box.y + box.height - 20);
  await settled(page);
  const label = await page.locator('canvas.matrix').getAttribute('aria-label');
  const [layer, head] = /layer (\d+), head (\d+)/.exec(label ?? '')?.slice(1) ?? [];
  const pointed = await shown();
  assert.notEqual(pointed, before);
  await page.waitForFunction((old) => document.querySelector('#why .title')?.textContent?.trim() !== old, explained);
  await page.waitForSelector('#why .steps');
  const explanation = await why();
  await page.mouse.move(2, 2);
  await settled(page);
  assert.equal(await shown(), before);
  await close();

  const opened = await openLab(site, { hash: `#layer=${layer}&head=${head}&query=3&key=2` });
  assert.equal(await picture(opened.page, 'canvas.matrix'), pointed);
  await opened.page.waitForSelector('#why .steps');
  assert.equal(await opened.page.locator('#why .title').innerText(), explanation);
  await opened.close();
});

test('heads are chosen by mouse, by keys and by name', async () => {
  const { page, close } = await openLab(site);
  const canvas = page.locator('#heads canvas');
  const box = await canvas.boundingBox();
  assert.ok(box);
  const first = await picture(page, 'canvas.matrix');
  // The right of the grid's first line is the last head of layer 0.
  await page.mouse.move(box.x + box.width - 20, box.y + 40);
  await settled(page);
  const preview = await picture(page, 'canvas.matrix');
  assert.notEqual(preview, first);
  await page.mouse.move(2, 2);
  await settled(page);
  assert.equal(await picture(page, 'canvas.matrix'), first);
  await page.mouse.click(box.x + box.width - 20, box.y + 40);
  await page.waitForFunction(() => location.hash.includes('head=3'));
  await canvas.press('ArrowDown');
  await page.waitForFunction(() => location.hash.includes('layer=1'));
  assert.match(
    await page.locator('#heads-now').innerText(),
    /^Layer 1, head 3: 9 queries by 9 keys\. Mean weight on the previous token/,
  );
  await page.getByLabel('layer', { exact: true }).selectOption('2');
  await page.waitForFunction(() => location.hash.includes('layer=2'));
  await close();
});

test('the address holds the choice, and back and forward follow it', async () => {
  const hash = '#text=a+small+bird&layer=2&head=1&query=2&key=3&view=arcs';
  const { page, close } = await openLab(site, { hash });
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'small', 'bird', '[SEP]']);
  assert.deepEqual(await chosen(page), ['2', '1', '2', '3']);
  assert.deepEqual(await lit(page), [2, 3]);
  assert.ok(await page.getByRole('radio', { name: 'arcs' }).isChecked());
  await page.getByLabel('head', { exact: true }).selectOption('3');
  await page.waitForFunction(() => location.hash.includes('head=3'));
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes('head=1'));
  assert.equal(await page.getByLabel('head', { exact: true }).inputValue(), '1');
  await page.goForward();
  await page.waitForFunction(() => location.hash.includes('head=3'));
  assert.equal(await page.getByLabel('head', { exact: true }).inputValue(), '3');
  await close();
});

test('nonsense in the address is passed over', async () => {
  const hash = '#model=nothing&layer=99&head=-1&query=1e9&key=x&view=cube&kind=%00&palette=red&text=%F0%9F%98%80';
  const { page, problems, close } = await openLab(site, { hash });
  assert.equal((await tokens(page)).length, 3);
  assert.equal(await page.getByLabel('layer', { exact: true }).inputValue(), '2');
  assert.deepEqual(problems, []);
  await close();
});

test('a chosen token stays chosen while words come before it', async () => {
  const { page, close } = await openLab(site, { hash: '#text=a+wild+cat&query=3&key=2' });
  assert.deepEqual(await lit(page), [3, 2]);
  await type(page, 'look, a wild cat');
  const now = await tokens(page);
  assert.deepEqual(
    (await lit(page)).map((index) => now[index ?? -1]),
    ['cat', 'wild'],
  );
  await close();
});

test('the picture is there in words', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=1' });
  await page.getByText('this head in words').click();
  await page.waitForSelector('.rows li');
  const rows = await page.locator('.rows li').allInnerTexts();
  assert.equal(rows.length, 9);
  assert.match(rows[4], /^'cat' has its largest weights on '/);
  await close();
});
