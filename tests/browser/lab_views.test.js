// Other views of the heads: what is drawn, said and listed is what the recorded weights give.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cellsOf, colourOf, colours, openLab, recorded, settled, tokens } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

/** A layer's weights as heads of rows. @param {Page} page @param {number} layer @returns {Promise<number[][][]>} */
async function layerOf(page, layer) {
  const { shape, data } = await recorded(page, `blocks.${layer}.attn.hook_pattern`);
  const [, heads, rows, columns] = shape;
  return Array.from({ length: heads }, (_, h) =>
    Array.from({ length: rows }, (__, q) => {
      const start = (h * rows + q) * columns;
      return data.slice(start, start + columns);
    }),
  );
}

/** Compares every cell's colour with that of a weight. @param {Page} page @param {number[][]} expected */
async function assertDrawn(page, expected) {
  const { rows, columns, cell } = await cellsOf(page);
  assert.deepEqual([rows.length, columns.length], [expected.length, expected[0].length]);
  await settled(page);
  const points = rows.flatMap((y) => columns.map((x) => /** @type {[number, number]} */ ([x, y - cell * 0.33])));
  const shown = await colours(page, points);
  shown.forEach((colour, i) => {
    const value = expected[Math.floor(i / columns.length)][i % columns.length];
    // Sums in another order may fall on the other side of a step of the palette.
    const steps = [-1e-6, 0, 1e-6].map((by) => colourOf(value + by, 'ylorrd', false).join());
    assert.ok(steps.includes(colour.join()), `cell ${i}: ${colour} for ${value}`);
  });
}

const sum = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b, 0);
const text = (/** @type {Page} */ page, /** @type {string} */ selector) => page.locator(selector).first().innerText();

test('the mean of a layer’s heads is drawn, named and taken apart; each head leads to itself', async () => {
  const { page, problems, close } = await openLab(site, {
    hash: '#text=a+large+wild+cat&layer=1&query=3&key=4',
  });
  await page.locator('.views summary').click();
  await page.locator('.views select').first().selectOption('mean.heads');
  await settled(page);
  assert.match(await text(page, '#head h2'), /^mean of 4 heads, layer/);
  assert.match(await text(page, '#head > .says'), /no head computes it, and it has no formula/);
  const heads = await layerOf(page, 1);
  const mean = heads[0].map((row, q) => row.map((_, k) => sum(heads.map((head) => head[q][k])) / heads.length));
  const parts = await page.locator('.from-heads .number').allInnerTexts();
  assert.equal(parts.length, 4);
  assert.ok(Math.abs(sum(parts.map(Number)) - mean[3][4]) < 0.0006, 'the parts shown add up to the cell');
  assert.match(page.url(), /over=heads/);

  await page.goBack();
  await settled(page);
  assert.match(await text(page, '#head h2'), /^layer/);
  await page.goForward();
  await page.locator('.from-heads').waitFor();
  const first = page.locator('.from-heads button').first();
  const name = /layer (\d), head (\d)/.exec(await first.innerText());
  await first.click();
  await page.locator('.steps').waitFor();
  assert.deepEqual(
    await page.locator('#head h2 select').evaluateAll((all) => all.map((one) => /** @type {any} */ (one).value)),
    name?.slice(1),
  );
  assert.deepEqual(problems, []);
  await page.goBack();
  await page.locator('.from-heads').waitFor();
  await assertDrawn(page, mean);
  await close();
});

test('the largest of all heads, over words without special tokens, renormalised: the same numbers by hand', async () => {
  const hash = '#text=unaffable+cats&over=all&by=max&unit=words&special=renormalised';
  const { page, problems, close } = await openLab(site, { hash });
  assert.match(
    await text(page, '#head h2'),
    /^largest of 12 heads.*over words · without special tokens, rows add up to 1/,
  );
  const list = await tokens(page);
  assert.deepEqual(list, ['[CLS]', 'un', '##aff', '##able', 'cats', '[SEP]']);
  const heads = (await Promise.all([0, 1, 2].map((layer) => layerOf(page, layer)))).flat();
  const most = (/** @type {number} */ q, /** @type {number} */ k) => Math.max(...heads.map((head) => head[q][k]));
  const words = [[1, 2, 3], [4]];
  const merged = words.map((queries) =>
    words.map((keys) => sum(queries.map((q) => sum(keys.map((k) => most(q, k))))) / queries.length),
  );
  // A row of words is chosen and lights all of its tokens.
  await page.locator('canvas.matrix').press('Escape');
  await page.locator('canvas.matrix').press('ArrowDown');
  await page.locator('canvas.matrix').press('ArrowRight');
  assert.match(await text(page, '#cell-now'), /query 'unaffable', key 'cats', weight/);
  assert.equal(await page.locator('.token.query').count(), 3);
  assert.match(await text(page, '#why .rest'), new RegExp(`divided by ${sum(merged[0]).toFixed(3)}`));
  const cells = await page.locator('.from-cells li:not(.total) .number').allInnerTexts();
  assert.equal(cells.length, 3);
  assert.ok(Math.abs(sum(cells.map(Number)) / 3 - merged[0][1]) < 0.0006);
  // A cell of tokens has a formula again where one head is on show.
  await page.locator('.from-cells button').first().click();
  await settled(page);
  assert.match(page.url(), /query=[123]&key=4/);
  assert.deepEqual(problems, []);
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes('unit=words'));
  await settled(page);
  await assertDrawn(
    page,
    merged.map((row) => row.map((value) => value / sum(row))),
  );
  await close();
});

test('words of a decoder follow the spaces of its vocabulary', async () => {
  const { page, close } = await openLab(site, { hash: '#model=austen&text=unaffable+gentlemen.&unit=words' });
  await page.waitForFunction(() => document.querySelector('#bar select')?.value === 'austen');
  await settled(page);
  await page.locator('summary', { hasText: 'in words' }).click();
  await page.locator('#head .rows li').first().waitFor();
  const rows = await page.locator('#head .rows li').allInnerTexts();
  assert.ok(
    rows.some((row) => row.startsWith("'unaffable'")),
    rows.join('\n'),
  );
  assert.ok(
    rows.some((row) => row.startsWith("'␣gentlemen'")),
    rows.join('\n'),
  );
  assert.ok(
    rows.some((row) => row.startsWith("'.'")),
    rows.join('\n'),
  );
  await close();
});

test('heads are sorted by a pattern, with the score that the weights give, and by keyboard', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#layer=0&head=0&sort=previous' });
  const layers = await Promise.all([0, 1, 2].map((layer) => layerOf(page, layer)));
  const score = (/** @type {string} */ name) => {
    const [layer, head] = name.trim().split('.').map(Number);
    const matrix = layers[layer][head];
    return sum(matrix.slice(1).map((row, i) => row[i])) / (matrix.length - 1);
  };
  const names = await page.locator('.sorted .name').allInnerTexts();
  const shown = await page.locator('.sorted .number').allInnerTexts();
  assert.equal(names.length, 12);
  names.forEach((name, i) => assert.ok(Math.abs(score(name) - Number(shown[i])) < 0.0051, `${name} ${shown[i]}`));
  assert.deepEqual(
    [...names].sort((a, b) => score(b) - score(a)),
    names,
  );
  await page.locator('.sorted button').first().focus();
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await page.locator('.sorted [aria-current="true"]').innerText(), names[0]);
  await page.locator('.views summary').click();
  await page.locator('.views select').nth(3).selectOption('entropy');
  await settled(page);
  assert.match(await text(page, '.sorted .number'), /^\d\.\d\d bits, \d+ %$/);
  assert.match(await text(page, '.sorted .formula'), /log₂/);
  assert.deepEqual(problems, []);
  await close();
});
