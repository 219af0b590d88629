// What becomes of the text when another model is chosen: a reader's own stays, an example makes way.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openLab } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

/**
 * Chooses a model, and says what its text is: in the field and in the address alike.
 * @param {Page} page
 * @param {string} name
 */
async function choose(page, name) {
  await another(page, name, () => page.getByRole('combobox', { name: 'model' }).selectOption(name));
  return textIn(page);
}

/** Goes back to another model. @param {Page} page @param {string} name */
const back = (page, name) => another(page, name, () => page.goBack());

/** Does what brings another model, and waits for it. @param {Page} page @param {string} name @param {() => Promise<unknown>} act */
async function another(page, name, act) {
  const before = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.model);
  await act();
  await page.waitForFunction(([old, now]) => {
    const { model } = /** @type {any} */ (globalThis).glassformer;
    const fields = new URLSearchParams(location.hash.slice(1));
    return model !== old && (fields.get('model') ?? 'topics') === now;
  }, /** @type {const} */ ([before, name]));
}

/** @param {Page} page */
async function textIn(page) {
  const text = await page.locator('textarea').first().inputValue();
  await page.waitForFunction((shown) => new URLSearchParams(location.hash.slice(1)).get('text') === shown, text);
  return text;
}

test('a text of one’s own stays with every model that is chosen', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=my+own+sentence' });
  for (const name of ['dates', 'pronounce', 'words', 'austen', 'translate', 'topics']) {
    assert.equal(await choose(page, name), 'my own sentence', name);
  }
  await back(page, 'translate');
  assert.equal(await textIn(page), 'my own sentence');
  // No text is a choice too.
  await page.fill('textarea >> nth=0', '');
  assert.equal(await choose(page, 'dates'), '');
  assert.deepEqual(problems, []);
  await close();
});

test('an example makes way for one of the model’s own, and so does a text of which it knows no token', async () => {
  const { page, problems, close } = await openLab(site);
  const examples = [];
  for (const name of ['dates', 'pronounce', 'topics']) examples.push(await choose(page, name));
  assert.deepEqual(examples, ['Montag, 3. Februar 1986', 'transformer', 'a large wild cat with striped fur']);
  await page.fill('textarea >> nth=0', '令和六年');
  assert.equal(await choose(page, 'pronounce'), 'transformer');
  await back(page, 'topics');
  assert.equal(await textIn(page), '令和六年');
  assert.equal(await choose(page, 'dates'), '令和六年', 'some of it is known');
  assert.deepEqual(problems, []);
  await close();
});

test('a second sentence keeps the first, as long as the model reads both', async () => {
  const { page, problems, close } = await openLab(site, {
    hash: '#text=a+large+wild+cat+with+striped+fur&pair=my+own+sentence',
  });
  assert.equal(await choose(page, 'words'), 'a large wild cat with striped fur');
  assert.equal(await choose(page, 'dates'), 'Montag, 3. Februar 1986');
  assert.deepEqual(problems, []);
  await close();
});
