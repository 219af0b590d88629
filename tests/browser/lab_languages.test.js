// The lab in Spanish and in Arabic: its words, its direction, its use; and the page on paper.
import assert from 'node:assert/strict';
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ARABIC } from '../../web/site/strings/ar.js';
import { ENGLISH } from '../../web/site/strings/en.js';
import { SPANISH } from '../../web/site/strings/es.js';
import { barriers } from './barriers.js';
import { PATIENCE, cellsOf, openLab, printable, recorded, settled, type } from './lab.js';
import { openBrowser, watchProblems, withoutServiceWorker } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const LANGUAGES = /** @type {const} */ ([
  ['es', 'ltr', SPANISH],
  ['ar', 'rtl', ARABIC],
]);

/** Texts of a table, with the English ones they stand for. @param {any} table @param {any} english @returns {[string, string][]} */
function texts(table, english) {
  if (typeof table === 'string') return [[table, english]];
  if (typeof table !== 'object') return [];
  return Object.keys(table).flatMap((key) => texts(table[key], english[key]));
}

/** What a reader sees, without the stars around terms. @param {Page} page */
const seen = (page) => page.evaluate(() => document.body.innerText);

test('what was typed a moment ago is there in the other language too', async () => {
  const { page, problems, close } = await openLab(site);
  await page.fill('textarea', 'a small bird');
  // The address changes first, which is a navigation too: only a load is the page in the other language.
  const loaded = page.waitForEvent('load');
  await page.locator('.language select').selectOption('es');
  await loaded;
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  await settled(page);
  assert.equal(await page.locator('html').getAttribute('lang'), 'es');
  assert.equal(await page.locator('textarea').first().inputValue(), 'a small bird');
  assert.deepEqual(problems, []);
  await close();
});

for (const [language, dir, words] of LANGUAGES) {
  for (const [form, options] of /** @type {[string, object][]} */ ([
    ['wide', {}],
    ['phone', phone],
  ])) {
    test(`${language}, ${form}: its own words in its own direction, within the window, without barriers`, async () => {
      const { page, problems, close } = await openLab(site, { ...options, hash: `#lang=${language}` });
      const root = await page.evaluate(() => {
        const { lang, dir: towards, scrollWidth } = document.documentElement;
        return { lang, towards, over: scrollWidth - innerWidth };
      });
      assert.deepEqual(root, { lang: language, towards: dir, over: 0 });
      const text = await seen(page);
      for (const word of [words.tokens, words.heads, words.prediction.classes, words.headsSay, words.weightsSay]) {
        if (form === 'phone' && word === words.headsSay) continue; // there it is a strip
        assert.ok(text.includes(word.replaceAll('*', '')), `${word} is on the page`);
      }
      assert.equal(await page.getByRole('region', { name: words.parts.sentence, exact: true }).count(), 1);
      for (const [own, english] of texts(words, ENGLISH)) {
        const plain = english.replaceAll('*', '');
        if (own !== english && plain.includes(' ')) assert.ok(!text.includes(plain), `“${plain}” is left in English`);
      }
      assert.deepEqual(await barriers(page), []);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  test(`${language}: a sentence is typed, a cell is chosen by pointer and keys, and said in words`, async () => {
    const { page, problems, close } = await openLab(site, { hash: `#lang=${language}&layer=1` });
    await type(page, 'a cat on the mat');
    const { data } = await recorded(page, 'blocks.1.attn.hook_pattern');
    const { box, rows, columns } = await cellsOf(page);
    assert.ok(columns[0] < columns[1], 'columns count from the left, as in a matrix');
    await page.mouse.click(box.x + columns[1], box.y + rows[2]);
    const value = data[2 * rows.length + 1];
    await page.waitForFunction(
      (title) => document.querySelector('#why h2')?.textContent === title,
      words.why(value.toFixed(2)),
    );
    // The key at the right of this one: arrows go where they point, whichever way the page runs.
    await page.locator('canvas.matrix').press('ArrowRight');
    const fields = new URLSearchParams(new URL(page.url()).hash.slice(1));
    assert.equal(fields.get('lang'), language, 'an address that asked for a language goes on saying so');
    const said = await page.locator('#cell-now').textContent();
    assert.ok(said?.startsWith(words.viewWords.weight('cat', 'cat', data[2 * rows.length + 2].toFixed(2))), `${said}`);
    assert.deepEqual(problems, []);
    await close();
  });
}

test('in Arabic, tokens of an English text run as it is read, and arrows move as they point', async () => {
  const { page, close } = await openLab(site, { hash: '#lang=ar&text=a+large+wild+cat' });
  const left = (/** @type {number} */ token) =>
    page.locator(`.token[data-token="${token}"]`).evaluate((button) => button.getBoundingClientRect().left);
  assert.ok((await left(0)) < (await left(1)) && (await left(1)) < (await left(5)));
  await page.locator('.token[data-token="1"]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-token')), '2');
  // The layout turns: explanation at the left, heads at the right of the picture.
  const at = async (/** @type {string} */ selector) => (await page.locator(selector).boundingBox())?.x ?? NaN;
  assert.ok((await at('#why')) < (await at('#head')) && (await at('#head')) < (await at('#heads')));
  // What is typed has its own direction; an empty field shows the page's words in the page's.
  const direction = () => page.locator('textarea').evaluate((field) => getComputedStyle(field).direction);
  assert.equal(await direction(), 'ltr');
  await page.fill('textarea', '');
  await page.waitForFunction(() => !document.querySelector('textarea')?.hasAttribute('dir'));
  assert.equal(await direction(), 'rtl');
  await page.fill('textarea', 'قطة كبيرة');
  await page.waitForFunction(() => document.querySelector('textarea')?.dir === 'auto');
  assert.equal(await direction(), 'rtl');
  await close();
});

test('the language is the browser’s until the reader chooses; the choice holds, and the page stays as it was', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+small+dog&head=2', locale: 'es-MX' });
  assert.equal(await page.locator('html').getAttribute('lang'), 'es');
  const loaded = page.waitForEvent('load');
  await page.getByLabel(SPANISH.language).selectOption('ar');
  await loaded;
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  await settled(page);
  assert.equal(await page.locator('html').getAttribute('lang'), 'ar');
  assert.equal(await page.inputValue('textarea'), 'a small dog');
  assert.match(page.url(), /head=2/);
  await page.goto(`${site.url}#lang=en`);
  await page.reload();
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  assert.equal(
    await page.locator('html').getAttribute('lang'),
    'ar',
    'what was chosen goes before what a link asks for',
  );
  assert.deepEqual(problems, []);
  await close();
});

test('a reader of English fetches no other language; where a language does not come, English stands in', async () => {
  const context = await site.browser.newContext();
  context.setDefaultTimeout(PATIENCE);
  await withoutServiceWorker(context); // it fetches all languages, and answers the second page
  const page = await context.newPage();
  /** @type {string[]} */
  const fetched = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  const problems = watchProblems(page);
  await page.goto(site.url);
  await page.waitForSelector('#why:not([hidden])', { state: 'attached' });
  const others = /\/(es|ar)-[^/]*\.js$/;
  assert.deepEqual(
    fetched.filter((file) => others.test(file)),
    [],
  );
  assert.deepEqual(problems, []);

  const cut = await context.newPage();
  await cut.route(others, (route) => route.abort());
  await cut.goto(`${site.url}#lang=ar`);
  await cut.waitForSelector('#why:not([hidden])', { state: 'attached' });
  assert.equal(await cut.locator('html').getAttribute('lang'), 'en');
  assert.equal(await cut.locator('html').getAttribute('dir'), 'ltr');
  await context.close();
});

test('what the core says in English stands after a sentence in the reader’s language', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-'));
  writeFileSync(path.join(folder, 'config.json'), '{"model_type": "glass"}');
  writeFileSync(path.join(folder, 'model.safetensors'), '');
  writeFileSync(path.join(folder, 'tokenizer.json'), '{}');
  for (const [language, , words] of LANGUAGES) {
    const { page, close } = await openLab(site, { hash: `#lang=${language}` });
    await page.getByRole('button', { name: words.open }).click();
    await page.locator('input[type="file"]').setInputFiles(folder);
    const problem = page.locator('dialog .problem');
    const code = /** @type {keyof typeof words.problems} */ (await problem.locator('strong').textContent());
    assert.ok(words.problems[code], `${code} has a sentence`);
    const text = await problem.innerText();
    assert.ok(text.includes(words.problems[code]) && text.includes(words.stillThere), text);
    const original = problem.locator('bdi[lang="en"]');
    assert.match((await original.textContent()) ?? '', /glass|tokenizer|safetensors/);
    assert.equal(await original.evaluate((quote) => getComputedStyle(quote).unicodeBidi), 'isolate');
    await close();
  }
  rmSync(folder, { recursive: true });
});

test('on paper: sentence, tokens, head and explanation on one page, in ink on white, from a dark screen too', async () => {
  for (const options of [
    { colorScheme: /** @type {const} */ ('dark') },
    { hash: '#lang=ar' },
    { ...phone, hash: '#view=arcs' },
  ]) {
    const { page, problems, close } = await openLab(site, options);
    await printable(page);
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1);
    assert.equal(await page.locator('.paper').count(), 0, 'the screen has its canvas again');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const shown = await page.evaluate(() => {
      const visible = (/** @type {string} */ selector) =>
        [...document.querySelectorAll(selector)].some((element) => element.getClientRects().length > 0);
      return {
        there: ['.mirror', '.token', '.paper svg', '.steps .number'].filter((selector) => !visible(selector)),
        away: ['canvas', 'textarea', '#heads', '.controls', '.ablation button'].filter(visible),
        paper: getComputedStyle(document.documentElement).backgroundColor,
        ink: getComputedStyle(/** @type {Element} */ (document.querySelector('.mirror'))).color,
        drawn: document.querySelector('.paper svg rect')?.getAttribute('fill') ?? null,
        texts: document.querySelectorAll('.paper svg text').length,
      };
    });
    assert.deepEqual(shown.there, [], 'what belongs on paper');
    assert.deepEqual(shown.away, [], 'what is for hands');
    assert.deepEqual([shown.paper, shown.ink, shown.drawn], ['rgb(255, 255, 255)', 'rgb(0, 0, 0)', '#ffffff']);
    assert.ok(shown.texts >= 18, 'tokens at both sides of the picture are text');
    assert.deepEqual(problems, []);
    await close();
  }
});
