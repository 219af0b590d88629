// Texts of every kind: each is shown, or has one clear message, and the page goes on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openLab, picture, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

/** Does what changes the text, and waits for its run. @param {import('playwright-core').Page} page @param {() => Promise<unknown>} act */
async function another(page, act) {
  const before = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await act();
  await page.waitForFunction((old) => /** @type {any} */ (globalThis).glassformer.run !== old, before);
  await settled(page);
}

test('no text, one token, and texts of every script run without a message', async () => {
  const { page, problems, close } = await openLab(site);
  const texts = [
    '',
    ' \n\t ',
    'a',
    'cats 👩‍👩‍👧‍👦 and 🦊',
    'שלום עולם',
    'مرحبا بالعالم and back',
    'e\u0301 \u0000\u0007\u200b\u202e dark',
    'lone \ud83d surrogate \udc00 here',
    '日本語のテキスト',
    '<b>not bold</b> & "quoted" ${x}',
    '!'.repeat(500),
  ];
  for (const text of texts) {
    await another(page, () =>
      page.evaluate((value) => {
        const area = /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea'));
        area.value = value;
        area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }, text),
    );
    const now = await tokens(page);
    assert.equal(now[0], '[CLS]', JSON.stringify(text));
    assert.equal(now.at(-1), '[SEP]');
    assert.equal(await page.locator('.problem').count(), 0, JSON.stringify(text));
  }
  assert.equal(await page.locator('.token bdi b').count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('from a keystroke until its run is there, what is on show says that it is of another text', async () => {
  const { page, problems, close } = await openLab(site);
  const read = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  const busy = await page.evaluate(async () => {
    const area = /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea'));
    area.value += 's';
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await null;
    return [...document.querySelectorAll('.busy')].map(({ className }) => className);
  });
  assert.ok(busy.includes('tokens busy'), busy.join());
  await settled(page);
  assert.ok(await page.evaluate((old) => /** @type {any} */ (globalThis).glassformer.run !== old, read));
  assert.ok((await tokens(page)).includes('##s'));
  assert.deepEqual(problems, []);
  await close();
});

test('100,000 characters are cut where the model ends, said and struck out, without blocking', async () => {
  const { page, problems, close } = await openLab(site);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  // The processor's time: a clock would count other programs of a busy machine too.
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN;
  };
  const before = await worked();
  await type(page, 'the quick brown fox '.repeat(5000));
  assert.equal((await tokens(page)).length, 64);
  assert.match(
    await page.locator('#sentence .notice').innerText(),
    /^The last [\d,]+ tokens are not read: this model reads at most 64\./,
  );
  const cut = await page.locator('.mirror .cut').innerText();
  assert.ok(cut.length > 99_000);
  // Measured: 0.2 s for all of it. No pause between frames is longer than what the page's own thread did.
  const seconds = (await worked()) - before;
  assert.ok(seconds < 1, `the page's thread worked for ${seconds} s`);
  await type(page, 'short again');
  assert.equal(await page.locator('#sentence .notice').count(), 0);
  // That an address has no room for so long a text is said, and taken back, once the address follows.
  await page.locator('.notice').waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
  await close();
});

test('a second sentence runs in one sequence, with segments', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+wild+cat' });
  await page.getByText('add a second sentence').click();
  await page.locator('textarea').nth(1).pressSequentially('it runs');
  await page.waitForFunction(() => document.querySelectorAll('.token').length === 8);
  await settled(page);
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'wild', 'cat', '[SEP]', 'it', 'runs', '[SEP]']);
  const types = await page.evaluate(() => /** @type {any} */ (globalThis).glassformer.run.typeIds[0]);
  assert.deepEqual(types, [0, 0, 0, 0, 0, 1, 1, 1]);
  await page.hover('[data-token="6"]');
  await settled(page);
  assert.deepEqual(await page.locator('.field:nth-of-type(2) .lit').allTextContents(), ['runs']);
  assert.deepEqual(problems, []);
  await close();
});

test('two sentences of unequal length run as a batch; padding is shown, hatched and explained', async () => {
  const { page, close } = await openLab(site, {
    hash: '#text=a+large+wild+cat&pair=a+cake&join=batch&sequence=1&layer=1',
  });
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'cake', '[SEP]', '[PAD]', '[PAD]']);
  assert.equal(await page.locator('.token.padding').count(), 2);
  assert.match(await page.locator('.joined').innerText(), /filled up with \[PAD\] to 6 tokens.*−∞/s);
  const masked = await page.evaluate(() => {
    const { shape, data } = /** @type {any} */ (globalThis).glassformer.run.get('blocks.1.attn.hook_attn_scores');
    return data[((1 * shape[1] + 0) * shape[2] + 2) * shape[3] + 5];
  });
  assert.equal(masked, -Infinity);
  await page.locator('canvas.matrix').press('End');
  assert.match(await page.locator('#cell-now').innerText(), /key '\[PAD\]', masked: this key may not be seen/);
  assert.match(await page.locator('.steps').innerText(), /mask\s+.*−∞/s);
  // The sentence alone gives what it gives in the batch.
  const inBatch = await page.locator('#answers').innerText();
  await page.getByRole('radio', { name: 'first sentence' }).check();
  await settled(page);
  assert.equal((await tokens(page)).length, 6);
  await page.getByText('remove', { exact: true }).click();
  await settled(page);
  await type(page, 'a cake');
  assert.equal(await page.locator('#answers').innerText(), inBatch);
  await close();
});

test('examples are to click, and undo takes them back', async () => {
  const { page, close } = await openLab(site);
  const before = await picture(page, 'canvas.matrix');
  await another(page, () => page.getByRole('button', { name: 'a sweet baked dish' }).click());
  assert.ok((await tokens(page)).includes('dish'));
  assert.notEqual(await picture(page, 'canvas.matrix'), before);
  await page.locator('textarea').press('Control+z');
  assert.equal(await page.locator('textarea').inputValue(), 'a large wild cat with striped fur');
  await close();
});
