// Links: all that is on show comes back from one, back and forward follow, and what a link cannot hold or say is told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFolders, CONFIGS, opened } from './folders.js';
import { openLab, recorded, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

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

const EDIT = 'blocks.1.attn.hook_pattern*b0h0q3k2*0.5';
/** The notes on show, each without its button. @param {Page} page */
const notes = async (page) =>
  (await page.locator('#status .note').allInnerTexts()).map((text) => text.replace(/\s*dismiss$/, ''));
/** A field of the address. @param {Page} page @param {string} name */
const field = (page, name) => page.evaluate((key) => new URLSearchParams(location.hash.slice(1)).get(key), name);
/** What is set in the run on show. @param {Page} page */
async function weightThere(page) {
  const { shape, data } = await recorded(page, 'blocks.1.attn.hook_pattern');
  return data[3 * shape[3] + 2];
}

test('a copied link opens the same, in another window: text, head, cell, view and changed numbers', async () => {
  const hash = `#text=a+small+bird&layer=1&head=0&query=3&key=2&kind=scores&palette=brbg&off=self.0.2&edits=${EDIT}`;
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, problems, close } = await openLab(site, { hash, permissions });
  await page.getByRole('button', { name: 'copy link' }).click();
  await page.waitForSelector('#tools .outcome p');
  assert.match(await page.locator('#tools .outcome').innerText(), /^The link is copied\./);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v=2&text=a\+small\+bird&/);
  const look = async (/** @type {Page} */ of) => ({
    tokens: await tokens(of),
    weight: await weightThere(of),
    why: await of.locator('#why').innerText(),
    list: await of.locator('#switches').innerText(),
    scores: await of.getByRole('radio', { name: 'scores' }).isChecked(),
  });
  // What was said without the changes comes from another run.
  const said = '#switches .said:not(:empty)';
  await page.waitForSelector(said);
  const other = await openLab(site, { hash: link.slice(link.indexOf('#')) });
  await other.page.waitForSelector(said);
  const shown = await look(page);
  assert.equal(shown.weight, 0.5);
  assert.match(shown.list, /layer 0 head 2[^]*weight\(bird, small\), layer 1 head 0: now 0\.500/);
  assert.deepEqual(await look(other.page), shown);
  assert.deepEqual([await notes(page), await notes(other.page)], [[], []]);
  assert.deepEqual([...problems, ...other.problems], []);
  await other.close();
  await close();
});

test('back and forward take changes away and bring them again', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+small+bird&layer=1&head=0&query=3&key=2' });
  const before = await weightThere(page);
  await page.getByRole('button', { name: /^change weight/ }).click();
  await page.keyboard.type('0.5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('edits='));
  await settled(page);
  assert.equal(await weightThere(page), 0.5);
  await page.getByRole('button', { name: 'switch this head off' }).click();
  await page.waitForFunction(() => location.hash.includes('off='));
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('off='));
  await settled(page);
  assert.equal(await page.getByRole('button', { name: 'switch this head off' }).count(), 1);
  assert.equal(await field(page, 'edits'), 'blocks.1.attn.hook_pattern*b0h0q3k2*0.5');
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('edits='));
  await settled(page);
  assert.equal(await weightThere(page), before);
  assert.ok(await page.locator('#switches').isHidden());
  await page.goForward();
  await page.waitForFunction(() => location.hash.includes('edits='));
  await settled(page);
  assert.equal(await weightThere(page), 0.5);
  await page.goForward();
  await page.waitForFunction(() => location.hash.includes('off='));
  assert.deepEqual(problems, []);
  await close();
});

test('a link of the first version, without a number of it, opens as it did', async () => {
  const hash = '#text=a+small+bird&layer=2&head=1&query=2&key=3&off=self.0.1';
  const { page, close } = await openLab(site, { hash });
  assert.deepEqual(await notes(page), []);
  assert.deepEqual(
    [await page.getByLabel('layer', { exact: true }).inputValue(), await page.locator('.token.query bdi').innerText()],
    ['2', 'small'],
  );
  await page.getByLabel('head', { exact: true }).selectOption('3');
  await page.waitForFunction(() => location.hash.startsWith('#v=2&') && location.hash.includes('head=3'));
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes('head=1'));
  assert.equal(await page.getByLabel('head', { exact: true }).inputValue(), '1');
  await close();
});

test('a newer version, broken values and what the model does not have are said, and dismissed', async () => {
  const hash = '#v=9&text=a+small+bird&layer=7&view=cube&holograms=on&query=2&key=30';
  const { page, problems, close } = await openLab(site, { hash });
  await page.waitForSelector('.note.misfit');
  const [newer, broken, misfit] = await notes(page);
  assert.match(newer, /^This link was made by a newer version of the page \(v=9\)/);
  assert.equal(broken, 'Not understood in this link, and left out: view=cube, holograms=on.');
  assert.match(misfit, /layer=7, .*key=30\.$/);
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'small', 'bird', '[SEP]']);
  for (let left = 2; left >= 0; left--) {
    await page.locator('#status').getByRole('button', { name: 'dismiss' }).first().click();
    await page.waitForFunction((count) => document.querySelectorAll('#status .note').length === count, left);
  }
  assert.deepEqual(problems, []);
  await close();
});

test('a link to a model of dates keeps its text', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#model=dates&text=1+May+2020' });
  assert.equal(await page.locator('textarea').first().inputValue(), '1 May 2020');
  assert.equal(await field(page, 'text'), '1 May 2020');
  assert.deepEqual([await notes(page), problems], [[], []]);
  await close();
});

test('a model, a head beside the picture and written tokens that there are not: said, and the page goes on', async () => {
  for (const [hash, said] of [
    ['#text=a+bird&compare=model&model2=nope', /compare=model, model2=nope\.$/],
    ['#text=a+bird&compare=model', /compare=model\.$/],
    ['#text=a+bird&compare=head&layer2=99&head2=77', /layer2=99, head2=77\.$/],
    ['#text=a+bird&attention=cross', /attention=cross\.$/],
    ['#model=austen&text=It+was&taken=258.9999999.300', /taken=…9999999\.$/],
  ]) {
    const { page, problems, close } = await openLab(site, { hash: String(hash) });
    await page.waitForSelector('.note.misfit');
    assert.match((await notes(page))[0], /** @type {RegExp} */ (said));
    assert.equal(await page.locator('.problem').count(), 0, String(hash));
    assert.deepEqual(problems, [], String(hash));
    await close();
  }
});

test('on the page that is open, a link to what the run on show does not have is followed, and what there is none of is said', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+bird' });
  for (const [hash, read, said] of /** @type {const} */ ([
    ['#text=a+cat&layer=99&head=99&query=88&key=77', 'cat', /layer=99, head=99, query=88, key=77\.$/],
    ['#text=a+bird&pair=the+tree&join=batch&sequence=1&layer=2', 'tree', null],
    ['#model=__proto__&text=a+dog', 'dog', /model=__proto__\.$/],
  ])) {
    await page.evaluate((address) => (location.hash = address), hash);
    await page.waitForFunction(
      (token) => /** @type {any} */ (globalThis).glassformer.run.tokens.flat().includes(token),
      read,
    );
    await settled(page);
    if (said) {
      await page.waitForSelector('.note.misfit');
      assert.match((await notes(page))[0], said);
    } else assert.deepEqual(await notes(page), []);
    assert.ok((await tokens(page)).includes(read), `${hash}: ${read} is on show`);
    assert.deepEqual(problems, [], hash);
  }
  await close();
});

test('heads and numbers of another model are named as not in this one', async () => {
  const edits = 'blocks.9.attn.hook_pattern*b0h0q1k1*0.5';
  const { page, problems, close } = await openLab(site, {
    hash: `#text=a+bird&off=self.0.1+self.99.99+cross.0.0&edits=${edits}`,
  });
  const list = await page.locator('#switches').innerText();
  assert.match(list, /^Switched off: layer 0 head 1\. /m);
  assert.match(
    list,
    /^Not in this model, so nothing to switch off: layer 99 head 99; cross-attention layer 0 head 0\.$/m,
  );
  assert.match(list, /layer 9 head 0: now 0\.500\s+\(not in this model\)/);
  assert.deepEqual(problems, []);
  await close();
});

test('a changed number of a link that its text has no place for waits, and is said to', async () => {
  const { page, problems, close } = await openLab(site, { hash: `#text=&layer=1&head=0&edits=${EDIT}` });
  assert.match(await page.locator('#switches').innerText(), /weight\(3, 2\).*\(not in this text\)/);
  await type(page, 'a small bird');
  assert.equal(await weightThere(page), 0.5);
  assert.deepEqual(problems, []);
  await close();
});

test('an address with no room for the text says so, as long as that is so', async () => {
  const { page, close } = await openLab(site);
  const long = 'a large wild cat '.repeat(600);
  await page.fill('textarea', long);
  await page.waitForSelector('.note.long');
  assert.match((await notes(page))[0], /leaves out the text/);
  assert.equal(await field(page, 'text'), null);
  await type(page, 'a small bird');
  await page.waitForFunction(() => !document.querySelector('.note.long'));
  assert.equal(await field(page, 'text'), 'a small bird');
  await close();
});

test('where copying is refused the link is selected; a model that was opened is in no link, and both sides hear it', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+wild+cat' });
  await opened(page, await folders.make('mine', CONFIGS.gpt2));
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse } });
  });
  await page.getByRole('button', { name: 'copy link' }).click();
  const link = page.getByRole('textbox', { name: 'link to this page' });
  const selected = await link.evaluate((input) => {
    const of = /** @type {HTMLInputElement} */ (input);
    return document.activeElement === of && of.value.slice(of.selectionStart ?? 0, of.selectionEnd ?? 0);
  });
  assert.equal(selected, await link.inputValue());
  const says = await page.locator('#tools .outcome').innerText();
  assert.match(says, /^This browser does not let the page copy[^]*The model you opened is not in the link/);
  const given = String(selected);
  const other = await openLab(site, { hash: given.slice(given.indexOf('#')) });
  assert.match((await notes(other.page))[0], /a model that its sender had opened/);
  assert.deepEqual(problems, []);
  await other.close();
  await close();
});
