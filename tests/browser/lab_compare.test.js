// Comparing: both pictures and their difference are numbers of the two runs, with one selection.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { palette } from '../../web/view/index.js';
import { indexOf } from '../../web/view/scale.js';
import { differenceScale } from '../../web/view/compare.js';
import { load } from '../../web/engine/index.js';
import { barriers } from './barriers.js';
import { CONFIGS, createFolders } from './folders.js';
import { PATIENCE, openLab, recorded, settled } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
const folders = createFolders();
after(async () => {
  await site.close();
  folders.remove();
});

/** A head's weights. @param {{ shape: number[], data: number[] }} tensor @param {number} head */
function headOf({ shape: [, , rows, columns], data }, head) {
  return { rows, columns, data: data.slice(head * rows * columns, (head + 1) * rows * columns) };
}

/** What the model on the page records for a text, without changes. @param {Page} page @param {string} text @param {string} hook */
function recordedOf(page, text, hook) {
  return page.evaluate(
    async ([input, at]) => {
      const { model } = /** @type {any} */ (globalThis).glassformer;
      const { shape, data } = (await model.run(input, { record: [at] })).get(at);
      return { shape, data: /** @type {number[]} */ (Array.from(data)) };
    },
    [text, hook],
  );
}

/** Waits for the second picture. @param {Page} page */
async function compared(page) {
  await page.locator('canvas.second').waitFor({ timeout: PATIENCE });
  await settled(page);
}

/**
 * Every cell of the difference as it is said: by keys from the first to the last.
 * @param {Page} page @param {{ rows: number, columns: number }} size
 * @returns {Promise<number[]>}
 */
async function saidDifferences(page, { rows, columns }) {
  const canvas = page.locator('canvas.difference');
  await canvas.press('Escape');
  await canvas.press('ArrowRight');
  const said = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const text = await page.locator('#cell-difference').innerText();
      said.push(Number((/difference (.*)$/.exec(text)?.[1] ?? 'x').replace('−', '-')));
      if (column + 1 < columns) await canvas.press('ArrowRight');
    }
    if (row + 1 < rows) {
      await canvas.press('ArrowDown');
      await canvas.press('Home');
    }
  }
  return said;
}

/** @param {number[]} said @param {number[]} first @param {number[]} second */
function assertDifferences(said, first, second) {
  assert.equal(said.length, first.length);
  // Said with two decimals.
  said.forEach((value, i) =>
    assert.ok(Math.abs(value - (second[i] - first[i])) < 0.00501, `cell ${i}: ${value} for ${second[i] - first[i]}`),
  );
}

test('two heads: the difference is second minus first, with one selection', async () => {
  const hash = '#text=a+large+wild+cat&layer=1&query=2&key=3&compare=head&layer2=1&head2=2';
  const { page, problems, close } = await openLab(site, { hash });
  await compared(page);
  const tensor = await recorded(page, 'blocks.1.attn.hook_pattern');
  const [first, second] = [headOf(tensor, 0), headOf(tensor, 2)];
  const at = 2 * first.columns + 3;
  const two = (/** @type {number} */ value) => value.toFixed(2).replace('-', '−');
  assert.equal(
    await page.locator('.compared').innerText(),
    `large → wild: ${two(first.data[at])} and ${two(second.data[at])}, difference ${two(second.data[at] - first.data[at])}`,
  );
  assertDifferences(await saidDifferences(page, first), first.data, second.data);
  // The colours in the middle of the picture are those of a diverging scale of these numbers.
  const values = second.data.map((value, i) => value - first.data[i]);
  const scale = differenceScale(values);
  const { bytes } = palette('brbg');
  const expected = new Set(
    values.map((value) => Array.from(bytes.slice(indexOf(scale, value) * 4, indexOf(scale, value) * 4 + 3)).join()),
  );
  const seen = await page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas.difference'));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
    return [...found];
  });
  const missing = [...expected].filter((colour) => !seen.includes(colour));
  // A value on the edge of a step of the palette may be drawn as the step beside it: float32 here, doubles there.
  assert.ok(missing.length <= 1, `not drawn: ${missing.join(' ')}`);

  // Keys on the second picture choose in the first, and in the address.
  await page.locator('canvas.second').press('Escape');
  await page.locator('canvas.second').press('ArrowDown');
  await page.locator('canvas.second').press('ArrowDown');
  assert.equal(await page.locator('.token.query bdi').innerText(), 'a');
  assert.match(await page.locator('#cell-second').innerText(), /query 'a', key '\[CLS\]', weight/);
  await page.getByRole('button', { name: 'end the comparison' }).click();
  await page.locator('canvas.second').waitFor({ state: 'hidden' });
  assert.doesNotMatch(page.url(), /compare/);
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('willReadFrequently')),
    [],
  );
  await close();
});

test('two texts: their difference where they have as many tokens, else why there is none', async () => {
  const hash = '#text=a+large+wild+cat&layer=1&compare=text&text2=a+small+wild+dog';
  const { page, problems, close } = await openLab(site, { hash });
  await compared(page);
  const first = headOf(await recorded(page, 'blocks.1.attn.hook_pattern'), 0);
  const second = headOf(await recordedOf(page, 'a small wild dog', 'blocks.1.attn.hook_pattern'), 0);
  assertDifferences(await saidDifferences(page, first), first.data, second.data);
  assert.match(await page.locator('.below .says').innerText(), /tokens differ/);
  await page.locator('.beside input').fill('a small and very wild dog');
  await page.locator('canvas.difference').waitFor({ state: 'hidden' });
  assert.match(
    await page.locator('.below .says').innerText(),
    /no difference to show: the first has 6 rows and 6 columns, the second 8 and 8/,
  );
  assert.deepEqual(problems, []);
  await close();
});

test('what is counted is said in the singular and the plural, in each language', async () => {
  const hash = '#text=cat&special=hidden&compare=text&text2=wild+cat';
  for (const [locale, says] of /** @type {const} */ ([
    ['en', /the first has 1 row and 1 column, the second 2 and 2/],
    ['es', /la primera tiene 1 fila y 1 columna, la segunda 2 y 2/],
    ['ar', /صف واحد.*عمود واحد/],
  ])) {
    const { page, problems, close } = await openLab(site, { hash, locale });
    await page.locator('canvas.second').waitFor({ timeout: PATIENCE });
    assert.match(await page.locator('.below .says').innerText(), says, locale);
    assert.deepEqual(problems, [], locale);
    await close();
  }
});

test('two models read one text; the second goes when the comparison ends', async () => {
  const hash = '#text=a+large+wild+cat&layer=1&compare=model&model2=words&layer2=2&head2=3';
  const { page, problems, close } = await openLab(site, { hash });
  await compared(page);
  const first = headOf(await recorded(page, 'blocks.1.attn.hook_pattern'), 0);
  const said = await saidDifferences(page, first);
  // The second model on a page of its own gives the same numbers.
  const own = await openLab(site, { hash: '#model=words&text=a+large+wild+cat&layer=2&head=3' });
  const second = headOf(await recorded(own.page, 'blocks.2.attn.hook_pattern'), 3);
  await own.close();
  assertDifferences(said, first.data, second.data);
  await page.getByRole('button', { name: 'end the comparison' }).click();
  await page.locator('canvas.second').waitFor({ state: 'hidden' });
  assert.deepEqual(problems, []);
  await close();
});

test('a model from a folder stands beside; a link does not have it, and says so', async () => {
  const { page, problems, close } = await openLab(site, {
    hash: '#text=a+large+wild+cat&layer=1&compare=model&model2=words',
  });
  await compared(page);
  const folder = await folders.make('mine', CONFIGS.llama);
  await page.locator('.beside').getByRole('button', { name: 'open…' }).click();
  await page.locator('input[type="file"]').setInputFiles(folder);
  await page.waitForFunction(() => !document.querySelector('dialog')?.open);
  const choice = page.locator('.beside').getByRole('combobox', { name: 'model' });
  await page.waitForFunction(() =>
    document.querySelector('.beside .says')?.textContent?.startsWith('The second model'),
  );
  assert.deepEqual(
    [await choice.inputValue(), (await choice.locator('option:checked').innerText()).trim()],
    ['', 'mine (opened)'],
  );
  await compared(page);
  await page.locator('.beside').getByRole('combobox', { name: 'head' }).selectOption('3');
  await settled(page);
  const first = headOf(await recorded(page, 'blocks.1.attn.hook_pattern'), 0);
  const model = await load(folder);
  const name = 'blocks.1.attn.hook_pattern';
  const { ids } = /** @type {NonNullable<typeof model.tokenizer>} */ (model.tokenizer).encode('a large wild cat');
  const { shape, data } = (await model.run({ ids: [Array.from(ids)] }, { record: [name] })).get(name);
  const second = headOf({ shape, data: Array.from(data) }, 3);
  model.dispose();
  // A decoder gives what comes later the weight 0.
  assertDifferences(await saidDifferences(page, first), first.data, second.data);

  // Another model beside, and this one again: it is kept.
  await choice.selectOption('words');
  await page.waitForFunction(() => location.hash.includes('model2=words'));
  await choice.selectOption('');
  await page.waitForFunction(() => /model2=(&|$)/.test(location.hash));
  await page.waitForFunction(() =>
    document.querySelector('.beside .says')?.textContent?.startsWith('The second model'),
  );
  await page.getByRole('button', { name: 'copy link' }).click();
  await page.locator('#tools .outcome p').waitFor();
  assert.match(await page.locator('#tools .outcome').innerText(), /The model you opened is not in the link/);
  const { hash } = new URL(page.url());
  assert.deepEqual(problems, []);
  await close();

  const other = await openLab(site, { hash });
  assert.deepEqual(
    (await other.page.locator('.note').allInnerTexts()).map((text) => text.slice(0, 67)),
    ['This link was made with a model that its sender had opened. Such a '],
  );
  assert.equal(await other.page.locator('canvas.second').count(), 0);
  assert.deepEqual(other.problems, []);
  await other.close();
});

test('a run with a head switched off beside the same without', async () => {
  const hash = '#text=a+large+wild+cat&layer=2&off=self.1.2&compare=edits';
  const { page, problems, close } = await openLab(site, { hash });
  await compared(page);
  const first = headOf(await recorded(page, 'blocks.2.attn.hook_pattern'), 0);
  const second = headOf(await recordedOf(page, 'a large wild cat', 'blocks.2.attn.hook_pattern'), 0);
  assert.ok(first.data.some((value, i) => Math.abs(value - second.data[i]) > 0.01));
  assertDifferences(await saidDifferences(page, first), first.data, second.data);
  assert.deepEqual(problems, []);
  await close();
});

test('a translation beside another source keeps its output', async () => {
  const hash =
    '#model=dates&text=Montag%2C+3.+Februar+1986&target=1986-02-03&attention=cross&compare=text&text2=Montag%2C+4.+Februar+1987';
  const { page, problems, close } = await openLab(site, { hash });
  await compared(page);
  assert.match(await page.locator('.below .says').innerText(), /Second minus first/);
  const hook = 'decoder.blocks.1.cross_attn.hook_pattern';
  const first = headOf(await recorded(page, hook), 0);
  const written = await page.locator('[data-side="target"] .token span').allInnerTexts();
  const second = headOf(
    await page.evaluate(
      async ([at, output]) => {
        const { model } = /** @type {any} */ (globalThis).glassformer;
        const { ids } = model.tokenizer.encode('Montag, 4. Februar 1987');
        const run = await model.run({ ids: [Array.from(ids)], decoderIds: [output] }, { record: [at] });
        const { shape, data } = run.get(at);
        return { shape, data: /** @type {number[]} */ (Array.from(data)) };
      },
      /** @type {[string, number[]]} */ ([hook, written.map(Number)]),
    ),
    0,
  );
  await page.locator('canvas.difference').press('Escape');
  await page.locator('canvas.difference').press('ArrowRight');
  await page.locator('canvas.difference').press('Control+End');
  const said = await page.locator('#cell-difference').innerText();
  const [a, b] = [first, second].map(({ data }) => data[data.length - 1]);
  assert.ok(
    said.endsWith(`: ${a.toFixed(2)} and ${b.toFixed(2)}, difference ${(b - a).toFixed(2).replace('-', '−')}`),
    said,
  );
  assert.equal(second.data.length, first.data.length);
  assert.deepEqual(problems, []);
  await close();
});

for (const [name, options] of /** @type {const} */ ([
  ['wide', {}],
  ['on a phone, dark', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
])) {
  test(`views and comparison have no barriers, ${name}`, async () => {
    const hash =
      '#text=a+large+wild+cat&layer=1&sort=entropy&over=heads&special=renormalised&compare=model&model2=words';
    const { page, problems, close } = await openLab(site, { hash, ...options });
    await compared(page);
    await page.locator('.views summary').click();
    assert.deepEqual(await barriers(page), []);
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= room, `${wide} in ${room}`);
    assert.deepEqual(problems, []);
    await close();
  });
}
