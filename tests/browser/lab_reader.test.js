// What a screen reader is given: a heatmap's tree, the chosen cell as its description, and every row in words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CONFIGS, createFolders, opened } from './folders.js';
import { openLab, settled } from './lab.js';
import { openBrowser } from './page.js';

const folders = createFolders();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(async () => {
  await site.close();
  folders.remove();
});

/** The tree of one head of a model with weights from a seed, once its rows are open. */
const TREE = `
- application "layer 0, head 0, weights. Arrow keys choose a cell, Escape lets go, plus and minus zoom."
- paragraph: query 'wild', key '[CLS]', weight 0.01. 'wild' has its largest weights on 'wild' 0.91, 'a' 0.08 and '[CLS]' 0.01.
- group:
  - text: this head in words
  - list:
    - listitem: "'[CLS]' has its largest weights on '[CLS]' 1.00."
    - listitem: "'a' has its largest weights on 'a' 0.97 and '[CLS]' 0.03."
    - listitem: "'wild' has its largest weights on 'wild' 0.91, 'a' 0.08 and '[CLS]' 0.01."
    - listitem: "'cat' has its largest weights on 'cat' 0.52, 'a' 0.42 and '[CLS]' 0.05."
    - listitem: "'[SEP]' has its largest weights on 'cat' 0.76, '[SEP]' 0.22 and 'a' 0.02."
`.trim();

test('the tree of a heatmap: what it is, the cell that the keys are on, and where each row looks', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+wild+cat&lang=en' });
  await opened(page, await folders.make('decoder', CONFIGS.gpt2));
  const canvas = page.locator('canvas.matrix');
  await canvas.press('Control+Home');
  await canvas.press('ArrowDown');
  await canvas.press('ArrowDown');
  await page.getByText('this head in words').click();
  await page.waitForSelector('.rows li');
  await settled(page);
  const picture = await page.locator('#head .frame').ariaSnapshot();
  const rows = await page.locator('#head details:has(.rows)').ariaSnapshot();
  assert.equal(`${picture}\n${rows}`, TREE);
  assert.deepEqual(problems, []);
  await close();
});

test('the picture is described by its chosen cell, however that was chosen', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#layer=1&head=0&query=4&key=3' });
  const canvas = page.locator('canvas.matrix');
  const described = () =>
    canvas.evaluate((of) => document.getElementById(of.getAttribute('aria-describedby') ?? '')?.textContent ?? '');
  assert.match(await described(), /^query 'cat', key 'wild', weight 0\.\d\d\.$/);
  await canvas.press('ArrowLeft');
  assert.match(await described(), /^query 'cat', key 'large', weight 0\.\d\d\.$/);
  await page.getByRole('radio', { name: 'scores' }).check();
  await settled(page);
  assert.match(await described(), /^query 'cat', key 'large', score −?\d+\.\d\d\.$/);
  await page.click('[data-token="5"]');
  assert.match(await described(), /^'with' has its highest scores with '/);
  await canvas.press('Escape');
  assert.equal(await described(), 'Nothing is chosen.');
  assert.deepEqual(problems, []);
  await close();
});
