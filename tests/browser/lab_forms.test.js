// The forms the lab takes: phone, dark, less motion, a frame without a worker, an old browser; each without barriers (axe).
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { barriers } from './barriers.js';
import { PATIENCE, openLab, picture, settled, tokens } from './lab.js';
import { openBrowser, watchProblems, withoutServiceWorker } from './page.js';

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

test('no barriers in light, dark, on a phone, in a batch, in an open dialog and on the trail', async () => {
  for (const options of [
    {},
    { colorScheme: /** @type {const} */ ('dark') },
    phone,
    { ...phone, colorScheme: /** @type {const} */ ('dark') },
  ]) {
    const { page, close } = await openLab(site, options);
    assert.deepEqual(await barriers(page), []);
    await close();
  }
  const { page, close } = await openLab(site, {
    hash: '#model=words&text=a+%5BMASK%5D+cat&pair=so&join=batch&sequence=1',
  });
  assert.deepEqual(await barriers(page), []);
  await page.getByText('this head in words').click();
  await page.waitForSelector('.rows li');
  await page.locator('.steps button.number').first().click();
  await page.waitForSelector('.terms');
  assert.deepEqual(await barriers(page), []);
  await page.getByRole('button', { name: 'open…' }).click();
  assert.deepEqual(await barriers(page), []);
  await close();
});

test('a phone has the picture before the strip of heads and the explanation in a sheet', async () => {
  const { page, problems, close } = await openLab(site, { ...phone, hash: '#layer=1' });
  const top = async (/** @type {string} */ selector) => (await page.locator(selector).boundingBox())?.y ?? NaN;
  assert.ok((await top('#tokens')) < (await top('#head')));
  assert.ok((await top('#head')) < (await top('#heads')));
  assert.ok((await top('#heads')) < (await top('#answers')));
  const picture = await page.locator('canvas.matrix').boundingBox();
  assert.ok(picture && picture.y < 844 / 2, 'the picture begins in the upper half of the first screen');
  const widest = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(widest, 390, 'nothing scrolls the page sideways');
  const sheet = page.locator('#why');
  const folded = await sheet.boundingBox();
  assert.ok(folded && folded.y + folded.height > 840 && folded.height < 80);
  await page.locator('#why .only-phone').tap();
  assert.ok(await page.locator('.steps').isVisible());
  await page.locator('#why .only-phone').tap();
  assert.ok(await page.locator('.steps').isHidden());

  // A tap chooses a cell; the whole page is longer than the screen, so the picture is brought into view first.
  await page.locator('#head').scrollIntoViewIfNeeded();
  const box = await page.locator('canvas.matrix').boundingBox();
  assert.ok(box);
  await page.touchscreen.tap(box.x + box.width * 0.6, box.y + 120);
  await page.waitForFunction(() => /query=\d+&key=\d+/.test(location.hash));
  assert.deepEqual(problems, []);
  await close();
});

test('on a coarse pointer every control is at least 44 pixels high', async () => {
  const { page, close } = await openLab(site, phone);
  const small = await page.evaluate(() =>
    Array.from(document.querySelectorAll('button, select, summary, .choice label'))
      .map((element) => ({ text: element.textContent?.trim().slice(0, 30), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.height > 0 && box.height < 44)
      .map(({ text, box }) => `${text}: ${box.height}`),
  );
  assert.deepEqual(small, []);
  await close();
});

test('colours that the system forces hold for the canvas and for what is chosen', async () => {
  const { page, close } = await openLab(site, { forcedColors: 'active', colorScheme: 'dark' });
  const lightest = await page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas.matrix'));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    // The names of the rows stand left of the cells.
    return Math.max(
      ...context.getImageData(0, canvas.height / 2, 40, canvas.height / 2).data.filter((_, i) => i % 4 < 3),
    );
  });
  assert.ok(lightest > 200, 'names are light on the black that is forced');
  const line = (/** @type {string} */ name) =>
    page
      .getByRole('radio', { name })
      .evaluate((radio) => getComputedStyle(/** @type {Element} */ (radio.nextElementSibling)).borderBottomColor);
  assert.notEqual(await line('weights'), await line('scores'));
  await close();
});

test('the theme is a choice, and holds', async () => {
  const { page, close } = await openLab(site, { colorScheme: 'dark' });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await picture(page, 'canvas.matrix');
  assert.equal(await background(), 'rgb(20, 22, 27)');
  await page.getByRole('combobox', { name: 'theme' }).selectOption('light');
  await settled(page);
  assert.equal(await background(), 'rgb(255, 255, 255)');
  assert.notEqual(await picture(page, 'canvas.matrix'), dark);
  await page.reload();
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  assert.equal(await background(), 'rgb(255, 255, 255)');
  await close();
});

test('nothing moves where less motion is asked for', async () => {
  const { page, close } = await openLab(site, { reducedMotion: 'reduce' });
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );
  assert.equal(moving, 0);
  const transitions = await page.evaluate(
    () =>
      Array.from(document.querySelectorAll('*')).filter(
        (element) => parseFloat(getComputedStyle(element).transitionDuration) > 0,
      ).length,
  );
  assert.equal(transitions, 0);
  await close();
});

test('in a sandboxed frame, where no worker and no storage is to be had, the page works', async () => {
  const outer = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><iframe sandbox="allow-scripts" width="1400" height="880" src="${site.url}"></iframe>`,
    );
  });
  await new Promise((resolve) => outer.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (outer.address());
  const page = await site.browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  // A sandboxed frame is of no origin: scripts come to it only from hosts that let anyone have them, as most static hosts do.
  await page.route(`${site.url}**`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
  });
  await page.goto(`http://127.0.0.1:${port}/`);
  const frame = page.frameLocator('iframe');
  await frame.locator('.token').first().waitFor();
  assert.equal(await frame.locator('.token').count(), 9);
  assert.equal(page.workers().length, 0);
  await page.unrouteAll({ behavior: 'ignoreErrors' }); // what the frame still fetches ends with the page
  await page.close();
  outer.close();
  outer.closeAllConnections();
});

test('a browser without WebAssembly SIMD is told which have it', async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await page.goto(site.url);
  const said = page.locator('#status');
  await page.waitForFunction(() => document.querySelector('#status')?.textContent?.includes('95'));
  assert.match(
    await said.innerText(),
    /has no WebAssembly SIMD.*Chrome or Edge from 95, Firefox from 100 and Safari from 16\.4/,
  );
  assert.ok(await page.locator('#head').isHidden());
  assert.deepEqual(problems, []);
  await context.close();
});

test('the lab makes no style sheets by script: Firefox 100 cannot', async () => {
  const context = await site.browser.newContext();
  await context.addInitScript(() => {
    for (const of of [Document.prototype, ShadowRoot.prototype]) Reflect.deleteProperty(of, 'adoptedStyleSheets');
    for (const name of ['replace', 'replaceSync']) Reflect.deleteProperty(CSSStyleSheet.prototype, name);
    const { prototype } = CSSStyleSheet;
    globalThis.CSSStyleSheet = /** @type {any} */ (
      function () {
        throw new TypeError('Illegal constructor.');
      }
    );
    Object.defineProperty(globalThis.CSSStyleSheet, 'prototype', { value: prototype });
  });
  await withoutServiceWorker(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.goto(`${site.url}#text=a+large+wild+cat&compare=head`);
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  await page.locator('canvas.difference').waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('from the keyboard alone everything is reached in the order it stands', async () => {
  const { page, close } = await openLab(site);
  const stops = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const element = document.activeElement;
        return element === document.body
          ? null
          : element?.closest('section, header')?.id || element?.closest('header')?.tagName.toLowerCase();
      }),
    );
  }
  const order = stops.filter((stop, i) => stop && stop !== stops[i - 1]);
  assert.deepEqual(order.slice(0, 6), ['header', 'sentence', 'tokens', 'heads', 'head', 'why']);
  assert.equal((await tokens(page)).length, 9);
  await close();
});
