// All that is chosen is in the link: every control is moved, and the link opened in another window has each as it was left.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEFAULTS } from '../../web/site/fragment.js';
import { written } from './folders.js';
import { PATIENCE, openLab, picture, recorded, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

/** Fields of the address that a walk has left other than by default. @type {Set<string>} */
const walked = new Set();

/** The link that the page copies. @param {Page} page */
async function copied(page) {
  await page.getByRole('button', { name: 'copy link' }).click();
  await page.waitForSelector('#tools .outcome p');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.locator('#tools').getByRole('button', { name: 'dismiss' }).click();
  return link.slice(link.indexOf('#'));
}

/** Every control with its value, and what is on show. @param {Page} page */
async function stateOf(page) {
  await written(page);
  // What is unfolded, and so how much room a picture has, is no choice.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = false;
    dispatchEvent(new Event('resize'));
  });
  await settled(page);
  const controls = await page.evaluate(() =>
    [...document.querySelectorAll('main select, main input, main textarea, main [aria-pressed], header select')]
      .filter((control) => control.getClientRects().length > 0)
      .map((control) => {
        const of = /** @type {any} */ (control);
        const name = of.labels?.[0]?.textContent ?? of.getAttribute('aria-label') ?? of.textContent;
        const value = ['radio', 'checkbox'].includes(of.type) ? of.checked : (of.value ?? of.ariaPressed);
        const state = of.getAttribute('aria-pressed') ?? value;
        return [name.trim().replace(/\s+/g, ' '), state];
      }),
  );
  return {
    controls,
    tokens: await tokens(page),
    cell: await page.locator('#cell-here').textContent(),
    theme: await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    // What a number was before is known where it was changed, and nowhere else.
    changes: (await page.locator('#switches li').allInnerTexts()).map((text) => text.replace(/: \S+ → /, ': now ')),
    picture: await picture(page, (await page.locator('canvas.arcs').isVisible()) ? 'canvas.arcs' : 'canvas.matrix'),
    heads: await picture(page, '#heads canvas'),
  };
}

/**
 * Walks over a page, and opens its link in another window.
 * @param {string} hash to begin with
 * @param {(page: Page) => Promise<void>} walk
 */
async function same(hash, walk) {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, problems, close } = await openLab(site, { hash, permissions });
  await walk(page);
  await written(page);
  const link = await copied(page);
  for (const key of new URLSearchParams(link.slice(1)).keys()) walked.add(key);
  const here = await stateOf(page);
  const other = await openLab(site, { hash: link, permissions });
  if (await page.locator('canvas.second').isVisible())
    await other.page.locator('canvas.second').waitFor({ timeout: PATIENCE });
  assert.deepEqual(await stateOf(other.page), here);
  assert.equal(await copied(other.page), link, 'its link is the same');
  assert.deepEqual([...problems, ...other.problems], []);
  await other.close();
  await close();
}

/** @param {Page} page @param {string} label @param {string} value */
const choose = (page, label, value) =>
  page.getByRole('combobox', { name: label, exact: true }).first().selectOption(value);
/** @param {Page} page @param {string} name */
const radio = (page, name) => page.getByRole('radio', { name, exact: true }).check();
/** Writes a setting, and waits for what it changes. @param {Page} page @param {string} label @param {string} value */
async function set(page, label, value) {
  const before = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await page.getByRole('spinbutton', { name: label }).fill(value);
  await page.keyboard.press('Tab');
  // How long a text may get says only when to stop.
  if (label !== 'up to')
    await page.waitForFunction((old) => /** @type {any} */ (globalThis).glassformer.run !== old, before);
  await written(page);
}
/** Opens the choice of other views. @param {Page} page */
const views = (page) => page.locator('.views summary').click();

test('text, head, cell, numbers, colours, theme, a changed weight and a head that is off', () =>
  same('', async (page) => {
    await type(page, 'a small bird & a “cat”');
    await choose(page, 'layer', '2');
    await choose(page, 'head', '1');
    await page.locator('canvas.matrix').press('Control+Home');
    await page.locator('canvas.matrix').press('ArrowDown');
    await page.locator('canvas.matrix').press('ArrowRight');
    await page.getByRole('button', { name: /^change weight/ }).click();
    await page.getByRole('textbox', { name: /^new value of/ }).fill('0.25');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#switches li');
    await settled(page);
    await page.getByRole('button', { name: 'switch this head off' }).click();
    await page.getByRole('button', { name: 'switch this head on' }).waitFor();
    await settled(page);
    await radio(page, 'scores');
    await page.locator('.palette select').selectOption('viridis');
    await page.locator('.theme select').selectOption('dark');
    await settled(page);
  }));

test('another model with two texts as a batch, the second on show, arcs', () =>
  same('#model=words&text=a+large+wild+cat', async (page) => {
    await page.getByRole('button', { name: 'add a second sentence' }).click();
    await page.locator('textarea').nth(1).fill('a dog');
    await page.waitForFunction(() => document.querySelectorAll('.token').length > 0);
    await settled(page);
    await radio(page, 'side by side, as a batch');
    await page.getByRole('radio', { name: 'second sentence' }).waitFor();
    await settled(page);
    await radio(page, 'second sentence');
    await radio(page, 'arcs');
    await settled(page);
  }));

test('heads together, words, special tokens, sorted heads, another text beside', () =>
  same('#text=a+large+wild+cat', async (page) => {
    await views(page);
    await choose(page, 'heads', 'max.layers');
    await choose(page, 'special tokens', 'renormalised');
    await choose(page, 'rows and columns', 'words');
    await choose(page, 'sort heads by', 'entropy');
    await choose(page, 'compare with', 'text');
    await page.getByRole('textbox', { name: 'text of the second picture' }).fill('a small tame dog');
    await page.locator('canvas.second').waitFor({ timeout: PATIENCE });
    await settled(page);
  }));

test('another model beside, and its layer and head', () =>
  same('#text=a+large+wild+cat', async (page) => {
    await views(page);
    await choose(page, 'compare with', 'model');
    await page.locator('canvas.second').waitFor({ timeout: PATIENCE });
    const beside = page.locator('.beside');
    await beside.getByRole('combobox', { name: 'model' }).selectOption('words');
    await beside.getByRole('combobox', { name: 'layer' }).selectOption('2');
    await beside.getByRole('combobox', { name: 'head' }).selectOption('3');
    await page.locator('canvas.difference').waitFor({ timeout: PATIENCE });
    await settled(page);
  }));

test('drawn tokens: temperature, top-k, top-p, seed and length, and what was written', () =>
  same('#model=austen&text=It+was', async (page) => {
    await radio(page, 'drawn');
    await set(page, 'temperature', '0.33333333333');
    await set(page, 'top-k', '20');
    await set(page, 'top-p', '0.85');
    await set(page, 'seed', '12345');
    await set(page, 'up to', '5');
    await page.getByRole('button', { name: 'write on', exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.token.written').length === 5);
  }));

test('a beam search: beams, penalty of length', () =>
  same('#model=austen&text=It+was&length=4', async (page) => {
    await radio(page, 'beam search');
    await page.waitForSelector('.beams');
    await set(page, 'beams', '3');
    await set(page, 'length penalty', '0.7');
    await page.getByRole('button', { name: 'write on', exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.token.written').length > 0);
  }));

test('an output that is given, and which attention is on show', () =>
  same('#model=dates&text=Montag%2C+3.+Februar+1986', async (page) => {
    await page.getByRole('button', { name: 'give the output' }).click();
    await page.locator('textarea').nth(1).fill('1986-02-03');
    await page.waitForFunction(() => document.querySelectorAll('[data-side="target"] .token').length > 5);
    await settled(page);
    await choose(page, 'attention', 'decoder');
    await choose(page, 'head', '1');
    await settled(page);
  }));

test('each field of the address was walked', () => {
  assert.deepEqual(
    Object.keys(DEFAULTS).filter((key) => !walked.has(key)),
    [],
  );
});

test('a theme that the reader has kept goes before a link’s', async () => {
  const { page, close } = await openLab(site, { hash: '#text=a+cat&look=dark' });
  const shown = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await shown(), 'dark');
  await page.locator('.theme select').selectOption('light');
  await page.waitForFunction(() => location.hash.includes('look=light'));
  await page.evaluate(() => {
    location.hash = '#v=2&text=a+dog&look=dark';
  });
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'a dog');
  assert.equal(await shown(), 'light');
  assert.ok((await recorded(page, 'blocks.0.attn.hook_pattern')).data.length > 0);
  await close();
});
