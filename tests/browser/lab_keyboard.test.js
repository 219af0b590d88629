// The whole lab from the keyboard: no pointer is used in this file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { barriers } from './barriers.js';
import { openLab, recorded, settled, tokens } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

/** What has the focus: its part, its role or tag, and its name. @param {Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    const part = at?.closest('section, #bar, #tools, #switches, dialog')?.id ?? '';
    const name = at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
    return { part, tag: at?.tagName.toLowerCase() ?? '', name };
  });

/** Presses Tab until something has the focus. @param {Page} page @param {(at: Awaited<ReturnType<typeof focused>>) => boolean} is */
async function tabTo(page, is) {
  for (let i = 0; i < 120; i++) {
    const at = await focused(page);
    if (is(at)) return at;
    await page.keyboard.press('Tab');
  }
  assert.fail('Tab does not lead there');
}

/** @param {Page} page @param {string} part of the address */
const inAddress = (page, part) => page.waitForFunction((text) => location.hash.includes(text), part);

test('model, sentence, tokens, grid, head, explanation, prediction, change, undo: all by keys', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#layer=1&head=0&query=3&key=2' });
  // Another model, and back.
  await tabTo(page, ({ part, tag }) => part === 'bar' && tag === 'select');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('#answers h2')?.textContent === 'blank');
  await settled(page);
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.querySelector('#answers h2')?.textContent === 'topic');
  await settled(page);

  // The sentence: its key leads there, and typing is typing.
  await tabTo(page, ({ part, tag }) => part === 'bar' && tag === 'button');
  await page.keyboard.press('/');
  assert.deepEqual((await focused(page)).tag, 'textarea');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('a whole lot of wheat? people eat');
  await page.waitForFunction(() => [...document.querySelectorAll('.token bdi')].some((of) => of.textContent === 'eat'));
  await settled(page);
  assert.ok((await tokens(page)).includes('wheat'));
  assert.equal(await page.locator('dialog[open]').count(), 0, 'a question mark in a text opens nothing');

  // A token, the grid of heads, the picture.
  await tabTo(page, ({ part }) => part === 'tokens');
  await page.keyboard.press('Home');
  for (let i = 0; i < 20 && !/^wheat, token/.test((await focused(page)).name); i++)
    await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#why h2')?.textContent?.includes('the row of'));
  await tabTo(page, ({ part, tag }) => part === 'heads' && tag === 'canvas');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const { layer, head } = await page.evaluate(() => {
    const fields = new URLSearchParams(location.hash.slice(1));
    return { layer: Number(fields.get('layer') ?? 0), head: Number(fields.get('head') ?? 0) };
  });
  await page.keyboard.press('h');
  await inAddress(page, `head=${(head + 1) % 4}`);
  await page.keyboard.press('Shift+L');
  await page.waitForFunction(
    (before) => Number(new URLSearchParams(location.hash.slice(1)).get('layer') ?? 0) !== before,
    layer,
  );
  await page.keyboard.press('p');
  assert.match((await focused(page)).name, /^layer \d, head \d, weights\./);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await inAddress(page, 'query=1&key=1');
  await page.keyboard.press('w');
  await inAddress(page, 'kind=scores');
  await page.keyboard.press('w');
  await page.keyboard.press('m');
  await inAddress(page, 'view=arcs');
  await page.waitForFunction(() => document.activeElement?.matches('canvas.arcs'));
  await page.keyboard.press('m');
  await page.waitForFunction(() => document.activeElement?.matches('canvas.matrix'));

  // A number is changed, from the picture.
  const before = await page.locator('#answers').innerText();
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.activeElement?.matches('.editor input'));
  await page.keyboard.type('0.875');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#switches .said:not(:empty)');
  await page.waitForFunction(() => document.activeElement?.matches('button.edit'));
  await settled(page);
  const at = await page.evaluate(() => {
    const fields = new URLSearchParams(location.hash.slice(1));
    return { layer: Number(fields.get('layer') ?? 0), head: Number(fields.get('head') ?? 0) };
  });
  const weight = async () => {
    const { shape, data } = await recorded(page, `blocks.${at.layer}.attn.hook_pattern`);
    return data[(at.head * shape[2] + 1) * shape[3] + 1];
  };
  assert.equal(await weight(), 0.875);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelector('#switches')?.textContent?.includes('Nothing is changed.'));
  await settled(page);
  assert.notEqual(await weight(), 0.875);
  assert.equal(await page.locator('#answers').innerText(), before);
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => document.querySelector('#switches li'));
  await page.keyboard.press('o');
  await inAddress(page, 'off=');
  await tabTo(page, ({ part, name }) => part === 'switches' && name === 'remove all');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !location.hash.includes('off=') && !location.hash.includes('edits='));
  await settled(page);

  // The explanation: down to a number and back; then nothing is chosen.
  await tabTo(page, ({ part, name }) => part === 'why' && /^q · k/.test(name));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.terms');
  await tabTo(page, ({ part, name }) => part === 'why' && /^q\(/.test(name));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.trail h2')?.textContent?.startsWith('q('));
  await tabTo(page, ({ part, name }) => part === 'why' && /^change q\(/.test(name));
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#cell-here').textContent(), 'Nothing is chosen.');
  assert.deepEqual(problems, []);
  await close();
});

test('the sheet lists the keys, opens with ? and with its link, and closes to where the focus was', async () => {
  const { page, problems, close } = await openLab(site);
  await tabTo(page, ({ part, name }) => part === 'tools' && name === 'keys');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await sheet.waitFor();
  assert.deepEqual(await barriers(page), []);
  assert.deepEqual(await sheet.getByRole('heading', { level: 3 }).allInnerTexts(), [
    ...['Moving', 'Showing', 'Changing', 'The page'],
  ]);
  assert.equal(await sheet.getByRole('row', { name: /Ctrl Z.*undo a change/ }).count(), 1);
  // Keys do not reach the page behind it.
  const before = page.url();
  await page.keyboard.press('m');
  assert.equal(page.url(), before);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  assert.equal((await focused(page)).name, 'keys');

  await page.keyboard.press('?');
  await sheet.waitFor();
  // Keys without Ctrl can be switched off, and stay so.
  await page.waitForFunction(() => document.activeElement?.closest('dialog.keys'));
  for (let i = 0; i < 9 && (await focused(page)).tag !== 'input'; i++) await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  for (const key of ['m', '?']) await page.keyboard.press(key);
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.reload();
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' }); // and with it what listens to keys
  await settled(page);
  await page.keyboard.press('m');
  assert.ok(await page.locator('canvas.matrix').isVisible());
  assert.ok(await page.locator('canvas.arcs').isHidden());
  assert.deepEqual(problems, []);
  await close();
});

test('the field for a number is without barriers, light and dark', async () => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const { page, close } = await openLab(site, { hash: '#layer=1&head=0&query=3&key=1&foo=1', colorScheme });
    await page.keyboard.press('e');
    await page.waitForFunction(() => document.activeElement?.matches('.editor input'));
    await page.keyboard.press('ArrowUp');
    await page.waitForSelector('#switches .said:not(:empty)');
    assert.deepEqual(await barriers(page), []);
    await close();
  }
});
