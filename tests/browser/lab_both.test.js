// Encoder–decoders: three attentions, what is written beside its source, and a target that is given.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from '../../web/engine/index.js';
import { CONFIGS, createFolders, opened, written } from './folders.js';
import { openLab, picture, recorded, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const folders = createFolders();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
/** @type {{ marian: string, t5: string, llama: string }} */
let made;
before(async () => {
  site = await openBrowser();
  made = {
    marian: await folders.make('both', CONFIGS.marian),
    t5: await folders.make('distances', CONFIGS.t5),
    llama: await folders.make('turned', CONFIGS.llama),
  };
});
after(async () => {
  await site.close();
  folders.remove();
});

const SOURCE = 'a wild cat';
const hash = `#text=${encodeURIComponent(SOURCE)}&length=6`;

/** The tokens of one side. @param {Page} page @param {'source' | 'target'} side */
const side = (page, side) => page.locator(`[data-side="${side}"] .token bdi`).allTextContents();
/** Models that the page was built with. @param {Page} page */
const shipped = async (page) =>
  ((await page.locator('meta[name="glassformer-models"]').getAttribute('content')) ?? '').split(' ');

test('what it reads it writes at once, with three attentions that are the run’s', async () => {
  const { page, problems, close } = await openLab(site, { hash });
  await opened(page, made.marian);
  const model = await load(made.marian);
  const { ids } = await model.generate(SOURCE, { maxNewTokens: 6 }).result();
  assert.deepEqual(await side(page, 'source'), ['[CLS]', 'a', 'wild', 'cat', '[SEP]']);
  const target = await side(page, 'target');
  assert.deepEqual(
    target,
    [2, ...ids].slice(0, target.length).map((id) => model.tokenizer?.token(id)),
  );
  assert.equal(await page.locator('.headgrid canvas:visible').count(), 3);
  const { shape, data } = await recorded(page, 'decoder.blocks.1.cross_attn.hook_pattern');
  assert.deepEqual(shape, [1, 4, target.length, 5]);
  const decoderIds = [[2, ...ids].slice(0, target.length)];
  const source = model.tokenizer?.encode(SOURCE).ids ?? [];
  const name = 'decoder.blocks.1.cross_attn.hook_pattern';
  const whole = await model.run({ ids: [source], decoderIds }, { record: [name] });
  whole.get(name).data.forEach((value, i) => assert.ok(Math.abs(value - data[i]) < 1e-4, `cell ${i}`));

  // Another source, another text; the last one wins.
  await type(page, 'a cake');
  await written(page);
  assert.deepEqual(await side(page, 'source'), ['[CLS]', 'a', 'cake', '[SEP]']);
  assert.deepEqual(problems, []);
  await close();
});

test('each grid has its own tokens down and across; choosing one leads from picture to picture', async () => {
  const { page, problems, close } = await openLab(site, { hash });
  await opened(page, made.marian);
  const grid = page.getByLabel('attention', { exact: true });
  assert.equal(await grid.inputValue(), 'cross');
  const canvas = page.locator('canvas.matrix');
  await canvas.press('Control+Home');
  const said = page.locator('#cell-now');
  assert.match(await said.innerText(), /^query '\[CLS\] → .+', key '\[CLS\]', weight \d\.\d\d\./);
  const cross = await picture(page, 'canvas.matrix');
  await grid.selectOption('encoder');
  await settled(page);
  assert.ok((await picture(page, 'canvas.matrix')) !== cross, 'the encoder has another picture');
  assert.match(page.url(), /attention=encoder/);
  await canvas.press('Control+Home');
  assert.match(await said.innerText(), /^query '\[CLS\]', key '\[CLS\]'/);
  assert.match((await canvas.getAttribute('aria-label')) ?? '', /^encoder, layer \d, head \d/);
  // The decoder's first row sees itself alone.
  await grid.selectOption('decoder');
  await settled(page);
  await canvas.press('Control+Home');
  await canvas.press('End');
  assert.match(await said.innerText(), /masked/);
  // Keys choose a head in any of the grids.
  await page.locator('.headgrid canvas:visible').last().press('ArrowDown');
  await page.waitForFunction(() => !location.hash.includes('attention=decoder'));
  assert.equal(await grid.inputValue(), 'cross');
  // A token of the source is a column here, one of the output a row.
  await page.locator('[data-side="source"] [data-token="2"]').click();
  assert.match(await page.locator('#why h2').innerText(), /^the column of wild/);
  await page.locator('[data-side="target"] [data-token="1"]').click();
  await page.mouse.move(2, 2);
  assert.match(await page.locator('#why h2').innerText(), /^the row of/);
  assert.equal(await page.locator('#output .text .query').count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test('arcs lead from the output to the source', async () => {
  const { page, problems, close } = await openLab(site, { hash: `${hash}&view=arcs` });
  await opened(page, made.marian);
  assert.ok(await page.locator('canvas.arcs').isVisible());
  await page.locator('canvas.arcs').press('Control+Home');
  assert.match(await page.locator('#cell-now').innerText(), /^query '\[CLS\] → /);
  assert.match(await page.locator('#head .beneath').innerText(), /lines?: weights from 0\.05/);
  assert.deepEqual(problems, []);
  await close();
});

test('a target that is given is read instead, with what was expected at each token', async () => {
  const { page, problems, close } = await openLab(site, { hash });
  await opened(page, made.marian);
  const model = await load(made.marian);
  await page.getByRole('button', { name: 'give the output' }).click();
  await page.locator('textarea').nth(1).pressSequentially('a sweet cake');
  await page.waitForFunction(() => document.querySelectorAll('[data-side="target"] .token').length === 5);
  await settled(page);
  assert.deepEqual(await side(page, 'target'), ['[CLS]', '[CLS]', 'a', 'sweet', 'cake']);
  assert.ok(await page.locator('#output').isHidden());
  const run = await model.run({ source: SOURCE, target: 'a sweet cake' }, { record: ['*.cross_attn.hook_pattern'] });
  const { data } = await recorded(page, 'decoder.blocks.0.cross_attn.hook_pattern');
  const given = run.get('decoder.blocks.0.cross_attn.hook_pattern').data;
  data.forEach((value, i) => assert.ok(Math.abs(value - given[i]) < 1e-4, `cell ${i}`));
  await page.locator('[data-side="target"] [data-token="2"]').click();
  assert.match(await page.locator('#answers').innerText(), /expected after “a”/);
  assert.equal(await page.locator('#answers .marked .name').innerText(), 'sweet');
  // A probability leads down to the table of words.
  await page.locator('#answers .marked button.number').click();
  await page.waitForSelector('.trail .terms');
  await page.locator('.trail .terms button.number').first().click();
  await page.waitForFunction(() => document.querySelector('.trail h2')?.textContent?.startsWith('logit'));
  await page.waitForSelector('.terms .total');
  const total = Number((await page.locator('.terms .total .number').innerText()).replace('−', '-'));
  const value = Number((await page.locator('.trail .full').innerText()).replace('= ', '').replace('−', '-'));
  assert.ok(Math.abs(total - value) < 0.0021, `${total} of terms for ${value}`);
  await page.getByRole('button', { name: 'let the model write' }).click();
  await page.waitForFunction(() => !document.querySelector('#output')?.hasAttribute('hidden'));
  await written(page);
  assert.deepEqual(problems, []);
  await close();
});

test('explanations add up with rotary positions, shared key heads, and a bias by distance', async () => {
  for (const [name, folder] of /** @type {const} */ ([
    ['turned', made.llama],
    ['distances', made.t5],
  ])) {
    const { page, problems, close } = await openLab(site, { hash });
    await opened(page, folder);
    if (name === 'distances') await page.getByLabel('attention', { exact: true }).selectOption('encoder');
    await page.getByLabel('head', { exact: true }).selectOption('3');
    await page.locator('canvas.matrix').press('Control+Home');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.locator('canvas.matrix').press(key);
    await page.waitForSelector('.steps');
    const steps = await page.locator('.steps li .name').allInnerTexts();
    assert.deepEqual(
      steps,
      name === 'turned' ? ['query · key', '÷ √8', 'softmax'] : ['query · key', 'bias by distance', 'softmax'],
    );
    assert.equal(await page.locator('#why .notice').count(), 0, 'recorded and recomputed agree');
    await page.locator('.steps li').first().locator('button.number').click();
    await page.waitForSelector('.terms .total');
    const total = Number((await page.locator('.terms .total .number').innerText()).replace('−', '-'));
    const value = Number((await page.locator('.trail .full').innerText()).replace('= ', '').replace('−', '-'));
    assert.ok(Math.abs(total - value) < 0.0021, `${total} of terms for ${value}`);
    const first = await page.locator('.terms small').first().innerText();
    assert.match(first, name === 'turned' ? /^[qk]′\(/ : /^[qk]\(/);
    assert.deepEqual(problems, []);
    await close();
  }
});

test('dates: what people write becomes ISO 8601, and the year looks at the year', async () => {
  const { page, problems, close } = await openLab(site);
  await page.getByRole('combobox', { name: 'model' }).selectOption('dates');
  await page.waitForFunction(() => document.querySelector('[data-side="target"]'));
  await written(page);
  assert.match(await page.locator('#output .text').innerText(), /^1986-02-03 \(the end\)$/);
  // "Montag, 3. Februar 1986": where a head looks most while each of the four figures of the year is written.
  const looks = await page.evaluate(() => {
    const { run } = /** @type {any} */ (globalThis).glassformer;
    const best = [];
    for (const name of run.names.filter((/** @type {string} */ of) => of.endsWith('cross_attn.hook_pattern'))) {
      const { shape, data } = run.get(name);
      const [, heads, rows, columns] = shape;
      for (let head = 0; head < heads; head++) {
        const start = head * rows * columns;
        const rowAt = (/** @type {number} */ row) => data.slice(start + row * columns, start + (row + 1) * columns);
        best.push([0, 1, 2, 3].map((row) => rowAt(row).indexOf(Math.max(...rowAt(row)))));
      }
    }
    return best;
  });
  const year = [19, 20, 21, 22];
  assert.ok(
    looks.some((places) => places.filter((place) => year.includes(place)).length >= 3),
    `no head looks at the year while it writes the year: ${JSON.stringify(looks)}`,
  );
  await type(page, 'mardi 14 juillet 1992');
  await page.waitForFunction(() => document.querySelector('#output .text')?.textContent?.includes('the end'));
  await written(page);
  assert.match(await page.locator('#output .text').innerText(), /^1992-07-14/);
  assert.deepEqual(problems, []);
  await close();
});

test('the switch offers what was built, and no more', async () => {
  const { page, close } = await openLab(site);
  const names = await shipped(page);
  const offered = await page.getByRole('combobox', { name: 'model' }).locator('option').allInnerTexts();
  for (const name of offered) assert.ok(names.includes(name), `${name} is offered and not there`);
  assert.ok((await tokens(page)).length > 0);
  await close();
});
