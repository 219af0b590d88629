// Writing in every form of the page: without barriers (axe), on a phone, by keys alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { barriers } from './barriers.js';
import { CONFIGS, createFolders, opened, written } from './folders.js';
import { openLab, settled } from './lab.js';
import { openBrowser } from './page.js';

const folders = createFolders();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
/** @type {{ decoder: string, both: string }} */
let made;
before(async () => {
  site = await openBrowser();
  made = { decoder: await folders.make('decoder', CONFIGS.gpt2), both: await folders.make('both', CONFIGS.marian) };
});
after(async () => {
  await site.close();
  folders.remove();
});

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const dark = { colorScheme: /** @type {const} */ ('dark') };
const text = '#text=a+large+wild+cat&length=5';

test('no barriers while writing, in a search, drawn, with a head off, and with a target given', async () => {
  for (const options of [{}, dark, phone, { ...phone, ...dark }]) {
    const { page, close } = await openLab(site, { ...options, hash: text });
    await opened(page, made.both);
    assert.deepEqual(await barriers(page), []);
    await close();
  }
  const { page, close } = await openLab(site, { hash: `${text}&how=sample` });
  await opened(page, made.decoder);
  await page.getByRole('button', { name: 'write on', exact: true }).click();
  await written(page);
  await page.locator('.token').nth(3).click();
  await page.getByRole('button', { name: 'switch this head off' }).click();
  await page.waitForSelector('#switches .notice');
  await settled(page);
  assert.deepEqual(await barriers(page), []);
  await page.getByRole('radio', { name: 'beam search' }).check();
  await page.waitForSelector('.tree');
  await settled(page);
  assert.deepEqual(await barriers(page), []);
  await opened(page, made.both);
  await page.getByRole('button', { name: 'give the output' }).click();
  await page.locator('textarea').nth(1).fill('a cake');
  await page.waitForFunction(() => document.querySelector('#output')?.hasAttribute('hidden'));
  await settled(page);
  assert.deepEqual(await barriers(page), []);
  await close();
});

test('a laptop’s first screen has the whole picture of a model that writes', async () => {
  const size = { width: 1440, height: 900 };
  for (const hash of ['#model=austen&text=She+had+never+been+so', '#model=dates&text=Montag%2C+3.+Februar+1986']) {
    const { page, close } = await openLab(site, { viewport: size, hash });
    await written(page);
    await page.waitForFunction(
      (height) =>
        /** @type {Element} */ (document.querySelector('canvas.matrix')).getBoundingClientRect().bottom <= height,
      size.height,
    );
    await close();
  }
});

test('a beam search stands beside the picture, on a phone below it: the picture stays where it was', async () => {
  for (const [options, where] of /** @type {const} */ ([
    [{}, 'beside'],
    [phone, 'below'],
  ])) {
    // With no changed length of the text: what is written is the same either way.
    const { page, close } = await openLab(site, { ...options, hash: '#model=dates&text=mardi+14+juillet+1992' });
    await written(page);
    const places = () =>
      page.evaluate(() => {
        const box = (/** @type {string} */ part) => document.querySelector(part)?.getBoundingClientRect();
        const [output, picture, tree] = [box('#output .made'), box('canvas.matrix'), box('.tree')];
        const lines = box('#output .beneath')?.height ?? NaN;
        return {
          picture: (picture?.top ?? NaN) - (output?.bottom ?? NaN) - lines,
          tree,
          bottom: picture?.bottom ?? NaN,
        };
      });
    const before = await places();
    await page.getByRole('radio', { name: 'beam search' }).check();
    await page.waitForFunction(() => document.querySelectorAll('.tree text.chosen').length > 9);
    await written(page);
    const after = await places();
    assert.equal(after.picture, before.picture, `${where}: from the text that was written to the picture`);
    assert.ok(after.tree && (where === 'below') === after.tree.top > after.bottom, where);
    await close();
  }
});

test('chosen tokens are underlined without the spaces that they begin with', async () => {
  const { page, close } = await openLab(site, { hash: '#model=austen&text=She+had+never+been+so&query=4&key=1' });
  const underlined = page.locator('.field .mirror :is(.query, .key)');
  assert.deepEqual(await underlined.allTextContents(), ['She', 'been']);
  await close();
});

test('on a phone nothing scrolls sideways, every control is at least 44 pixels high, and the newest token is in sight', async () => {
  for (const how of ['greedy', 'sample', 'beams']) {
    const { page, problems, close } = await openLab(site, { ...phone, hash: `${text}&how=${how}` });
    await opened(page, made.both);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, how);
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll('button, select, summary, .choice label, input[type="number"]'))
        .map((element) => ({ text: element.textContent?.trim().slice(0, 30), box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.height > 0 && box.height < 44)
        .map(({ text, box }) => `${text}: ${box.height}`),
    );
    assert.deepEqual(small, [], how);
    const last = await page.locator('[data-side="target"] .token').last().boundingBox();
    assert.ok(last && last.x >= 0 && last.x + last.width <= 390, 'the newest token is in sight');
    const places = await page.evaluate(() =>
      ['sentence', 'output', 'tokens', 'head', 'heads', 'answers'].map(
        (id) => document.getElementById(id)?.getBoundingClientRect().top ?? NaN,
      ),
    );
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    assert.deepEqual(problems, []);
    await close();
  }
});

test('by keys alone: write, take another, go back; what is pressed keeps the focus', async () => {
  const { page, problems, close } = await openLab(site, { hash: text });
  await opened(page, made.decoder);
  const next = page.getByRole('button', { name: 'next token', exact: true });
  await next.focus();
  for (let count = 1; count <= 3; count++) {
    await page.keyboard.press('Enter');
    await page.waitForFunction((n) => document.querySelectorAll('.token.written').length === n, count);
    assert.ok(await next.evaluate((button) => button === document.activeElement));
  }
  assert.match(await page.locator('#output [aria-live="polite"]').innerText(), /^Written: /);
  const third = page.locator('#answers ul').first().locator('button.link').nth(2);
  const name = (await third.getAttribute('aria-label')) ?? '';
  assert.match(name, /^take “.+”$/);
  await third.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.token.written').length === 4);
  await settled(page);
  assert.ok(name.includes(await page.locator('.token bdi').last().innerText()));
  await page.getByRole('button', { name: 'undo', exact: true }).press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.token.written').length === 3);
  // Arrow keys on the choice between ways to write.
  await page.getByRole('radio', { name: 'likeliest' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.getByRole('radio', { name: 'drawn' }).isChecked());
  await page.waitForFunction(() => location.hash.includes('how=sample'));
  assert.deepEqual(problems, []);
  await close();
});

test('a source and its output read in order: sentence, output, tokens, heads, head, explanation', async () => {
  const { page, close } = await openLab(site, { hash: text });
  await opened(page, made.both);
  await page.locator('h1').click();
  /** @type {string[]} */
  const stops = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => document.activeElement?.closest('[id]')?.id.replace(/^heads-now.*/, '') ?? '');
    const part = await page.evaluate(() => document.activeElement?.closest('section, #bar, #switches')?.id ?? '');
    if (part && part !== stops[stops.length - 1]) stops.push(part);
    if (at === 'why') break;
  }
  assert.deepEqual(stops.slice(0, 7), ['bar', 'sentence', 'output', 'tokens', 'heads', 'head', 'answers']);
  await close();
});
