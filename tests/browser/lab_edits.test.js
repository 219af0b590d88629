// Numbers that a reader changes: the run is made again with them, the picture marks them, the prediction moves and says what it
// was; in every kind of model.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from '../../web/engine/index.js';
import { CONFIGS, createFolders, opened, written } from './folders.js';
import { PATIENCE, cellsOf, colours, openLab, picture, recorded, settled } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const folders = createFolders();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
/** @type {{ decoder: string, both: string }} */
let made;
before(async () => {
  site = await openBrowser();
  made = {
    decoder: await folders.make('decoder', CONFIGS.gpt2),
    both: await folders.make('both', CONFIGS.marian),
  };
});
after(async () => {
  await site.close();
  folders.remove();
});

const hash = '#layer=1&head=0&query=3&key=1';
const SAID = '#switches .said:not(:empty)';
/** The same weights give the same numbers, but for rounding of float32 in other orders. */
const NEAR = 1e-4;

/** Waits for a run after this one. @param {Page} page @param {() => Promise<unknown>} act */
async function again(page, act) {
  const before = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await act();
  await page.waitForFunction((old) => /** @type {any} */ (globalThis).glassformer.run !== old, before);
  await written(page);
}

/** Opens the field for a number, types and applies. @param {Page} page @param {RegExp} name @param {string} value */
async function change(page, name, value) {
  await page.getByRole('button', { name }).click();
  await page.getByRole('textbox', { name: /^new value of/ }).fill(value);
  await again(page, () => page.keyboard.press('Enter'));
}

/** @param {Page} page */
const logits = (page) =>
  page.evaluate(() => Array.from(/** @type {any} */ (globalThis).glassformer.run.output.logits.data));

test('a weight is changed: run, picture, list and prediction follow, and undo gives all of it back', async () => {
  const { page, problems, close } = await openLab(site, { hash });
  const before = { picture: await picture(page, 'canvas.matrix'), logits: await logits(page) };
  const { shape, data } = await recorded(page, 'blocks.1.attn.hook_pattern');
  await change(page, /^change weight\(wild, a\)/, '0.05');
  const after = await recorded(page, 'blocks.1.attn.hook_pattern');
  const at = 3 * shape[3] + 1;
  after.data.forEach((value, i) =>
    assert.ok(i === at ? Math.abs(value - 0.05) < 1e-7 : Math.abs(value - data[i]) < NEAR, `weight ${i}`),
  );
  const model = await load(new URL('../../web/models/topics', import.meta.url).pathname);
  const edit = { at: 'blocks.1.attn.hook_pattern', where: { batch: 0, head: 0, query: 3, key: 1 }, set: 0.05 };
  const expected = await model.run('a large wild cat with striped fur', { edits: [edit] });
  (await logits(page)).forEach((value, i) =>
    assert.ok(Math.abs(value - (expected.output.logits?.data[i] ?? NaN)) < NEAR, `logit ${i}`),
  );
  await page.waitForSelector(SAID);
  const was = data[at].toFixed(3);
  assert.match(
    await page.locator('#switches').innerText(),
    new RegExp(`weight\\(wild, a\\), layer 1 head 0: ${was.replace('.', '\\.')} → 0\\.050`),
  );
  assert.match(await page.locator(SAID).innerText(), /^First (with and without the changes: |was )\w+,? \d\.\d{3}/);
  assert.match(await page.locator('#answers li').first().innerText(), /was 0\.\d\d/);
  assert.notEqual(await picture(page, 'canvas.matrix'), before.picture);
  assert.match((await page.locator('#cell-here').textContent()) ?? '', /weight 0\.05, changed by you\.$/);

  await again(page, () => page.locator('#switches').getByRole('button', { name: 'undo' }).click());
  assert.deepEqual(await logits(page), before.logits);
  assert.equal(await page.locator('#answers .was').count(), 0);
  await again(page, () => page.locator('#switches').getByRole('button', { name: 'redo' }).click());
  assert.equal((await recorded(page, 'blocks.1.attn.hook_pattern')).data[at], Math.fround(0.05));
  await again(page, () => page.locator('#switches').getByRole('button', { name: 'remove all' }).click());
  assert.deepEqual(await logits(page), before.logits);
  assert.deepEqual(problems, []);
  await close();
});

test('changes follow their tokens while words are typed; one whose token is gone says so, and undo brings both back', async () => {
  const { page, problems, close } = await openLab(site, { hash });
  await change(page, /^change weight\(wild, a\)/, '0.05');
  const list = page.locator('#switches li');
  const valueAt = async (/** @type {number} */ query, /** @type {number} */ key) => {
    const { shape, data } = await recorded(page, 'blocks.1.attn.hook_pattern');
    return data[query * shape[3] + key];
  };
  const field = page.locator('textarea').first();
  const enter = (/** @type {string} */ text) => again(page, () => field.fill(text));
  await enter('look a large wild cat with striped fur');
  assert.match(await list.innerText(), /^weight\(wild, a\), layer 1 head 0: .* → 0\.050/);
  assert.equal(await valueAt(4, 2), Math.fround(0.05));
  assert.match((await page.locator('#cell-here').textContent()) ?? '', /weight 0\.05, changed by you\.$/);
  await page.waitForFunction(() => location.hash.includes('q4k2*0.05'));
  await enter('look a large cat with striped fur');
  assert.equal(await list.count(), 0);
  assert.match(await page.locator('#switches .lost').innerText(), /^Gone with .*: weight\(wild, a\), layer 1 head 0\./);
  await again(page, () => page.locator('#switches').getByRole('button', { name: 'undo' }).click());
  assert.equal(await field.inputValue(), 'look a large wild cat with striped fur');
  assert.equal(await valueAt(4, 2), Math.fround(0.05));
  assert.equal(await page.locator('#switches .lost').innerText(), '');
  await again(page, () => page.locator('#switches').getByRole('button', { name: 'redo' }).click());
  assert.equal(await field.inputValue(), 'look a large cat with striped fur');
  assert.equal(await list.count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('a changed cell has a corner that no other cell has', async () => {
  const edit = 'blocks.1.attn.hook_pattern*b0h0q3k1*0.62';
  const text = 'text=a+large+wild+cat+with+striped+fur';
  const { page, close } = await openLab(site, { hash: `#${text}&layer=1&head=0&edits=${edit}` });
  const { rows, columns, cell } = await cellsOf(page);
  await settled(page);
  // Just inside the upper right and the lower left corner: both in the colour of the value, but in the changed cell.
  const near = cell * 0.5 - 4;
  const at = (/** @type {1 | -1} */ side) =>
    rows.flatMap((y) => columns.map((x) => /** @type {[number, number]} */ ([x + side * near, y - side * near])));
  const [upper, lower] = [await colours(page, at(1)), await colours(page, at(-1))];
  const ink = await page.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g)?.map(Number));
  const changed = 3 * columns.length + 1;
  upper.forEach((colour, i) => assert.deepEqual(colour, i === changed ? ink : lower[i], `cell ${i}`));
  assert.notDeepEqual(lower[changed], ink);
  await close();
});

test('beside the picture a changed cell has its corner too, and is said to be changed', async () => {
  const edit = 'blocks.1.attn.hook_pattern*b0h2q3k1*0.62';
  const hash = `#text=a+large+wild+cat&layer=1&head=0&edits=${edit}&compare=head&layer2=1&head2=2`;
  const { page, close } = await openLab(site, { hash });
  await page.locator('canvas.second').waitFor({ timeout: PATIENCE });
  const { rows, columns, cell } = await cellsOf(page);
  await settled(page);
  const near = cell * 0.5 - 4;
  const at = (/** @type {1 | -1} */ side) =>
    rows.flatMap((y) => columns.map((x) => /** @type {[number, number]} */ ([x + side * near, y - side * near])));
  const ink = await page.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g)?.map(Number));
  const changed = 3 * columns.length + 1;
  const corners = async (/** @type {string} */ canvas) => {
    const [upper, lower] = [await colours(page, at(1), canvas), await colours(page, at(-1), canvas)];
    return upper.flatMap((colour, i) => (String(colour) === String(lower[i]) ? [] : [{ i, colour }]));
  };
  assert.deepEqual(await corners('canvas.matrix'), []);
  assert.deepEqual(await corners('canvas.second'), [{ i: changed, colour: ink }]);
  const second = page.locator('canvas.second');
  await second.press('Escape');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await second.press(key);
  assert.match(await page.locator('#cell-second').innerText(), /^query 'wild', key 'a', weight 0\.62, changed/);
  await close();
});

test('numbers beyond float32 are told: no bar and no name is made of NaN', async () => {
  const edits = 'blocks.0.hook_resid_pre*b0p1d1*3e38';
  const { page, problems, close } = await openLab(site, { hash: `#text=a+bird&layer=1&edits=${edits}` });
  await page.waitForSelector(SAID);
  assert.match(
    await page.locator(SAID).innerText(),
    /^First was animal 0\.\d{3}\. With these changes .* is NaN: not a number\.$/,
  );
  assert.deepEqual(problems, []);
  await again(page, () => page.locator('#switches').getByRole('button', { name: 'remove all' }).click());
  assert.ok((await logits(page)).every(Number.isFinite));
  assert.deepEqual(problems, []);
  await close();
});

test('arrow keys and the slider run at once, Escape gives all of it back, and nonsense is not applied', async () => {
  const { page, problems, close } = await openLab(site, { hash });
  const start = await logits(page);
  await page.getByRole('button', { name: /^change weight/ }).click();
  const field = page.getByRole('textbox', { name: /^new value of/ });
  const slider = page.getByRole('slider');
  await field.fill('0.5');
  await again(page, () => page.keyboard.press('ArrowUp'));
  assert.equal(await field.inputValue(), '0.51');
  await again(page, () => page.keyboard.press('Shift+ArrowDown'));
  assert.equal(await field.inputValue(), '0.41');
  assert.equal(await slider.inputValue(), '0.41');
  await slider.focus();
  await again(page, () => page.keyboard.press('ArrowRight'));
  assert.equal(await field.inputValue(), '0.42');
  const { shape, data } = await recorded(page, 'blocks.1.attn.hook_pattern');
  assert.equal(data[3 * shape[3] + 1], Math.fround(0.42));
  await again(page, () => page.keyboard.press('Escape'));
  assert.deepEqual(await logits(page), start);
  assert.equal(await page.locator('.editor').count(), 0);
  assert.ok(await page.getByRole('button', { name: /^change weight/ }).evaluate((b) => b === document.activeElement));

  await page.keyboard.press('Enter');
  await field.fill('much');
  await page.keyboard.press('Enter');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.match(await page.locator('#editor-says').innerText(), /^Expected a number/);
  await page.keyboard.press('Escape');
  assert.deepEqual(await logits(page), start);
  assert.deepEqual(problems, []);
  await close();
});

test('scores, numbers of query and key, and embeddings are changed where the explanation shows them', async () => {
  const { page, problems, close } = await openLab(site, { hash });
  // A score: the softmax makes the row's weights anew, and they still add up to 1.
  await change(page, /^change score/, '−3');
  const { shape, data: pattern } = await recorded(page, 'blocks.1.attn.hook_pattern');
  const row = pattern.slice(3 * shape[3], 4 * shape[3]);
  assert.ok(Math.abs(row.reduce((sum, value) => sum + value, 0) - 1) < 1e-5);
  assert.equal((await recorded(page, 'blocks.1.attn.hook_attn_scores')).data[3 * shape[3] + 1], -3);
  assert.match(await page.locator('#why .notice').innerText(), /^A number of this row was changed/);
  await page.getByRole('button', { name: /^score\(wild, a\) = −3\.00/ }).click();
  assert.match(await page.locator('.trail').innerText(), /Set by you/);
  await page.keyboard.press('Tab');
  await again(page, () => page.locator('#switches').getByRole('button', { name: 'remove all' }).click());

  // A number of the query, two steps down.
  await page.locator('.steps li').first().locator('button.number').click();
  await page.locator('.terms button.number').first().click();
  await page.waitForFunction(() => /^q\(/.test(document.querySelector('.trail h2')?.textContent ?? ''));
  const [, name] = (await page.locator('.trail code').innerText()).match(/^(\S+)\[/) ?? [];
  assert.equal(name, 'blocks.1.attn.hook_q');
  const before = (await recorded(page, name)).data;
  await change(page, /^change q\(wild\)/, '2.5');
  const q = await recorded(page, name);
  const moved = q.data.flatMap((value, i) => (Math.abs(value - before[i]) > NEAR ? [value] : []));
  assert.deepEqual(moved, [2.5]);
  assert.match(await page.locator('#switches').innerText(), /q\(wild\)\[\d+\], layer 1 head 0: .+ → 2\.500/);
  await again(page, () => page.locator('#switches').getByRole('button', { name: 'remove all' }).click());

  // Down to the embedding of a word.
  await page.locator('.steps li').first().locator('button.number').click();
  const terms = page.locator('.terms button.number');
  const word = terms.filter({ hasText: /^\s*word\[/ });
  for (let depth = 0; depth < 20; depth++) {
    await terms.first().waitFor();
    if (await word.count()) break;
    // Not into a weight of the model, which comes from nowhere.
    const heading = await page.locator('.trail h2').innerText();
    await terms.filter({ hasText: /\(|s̄/ }).first().click();
    await page.waitForFunction((old) => document.querySelector('.trail h2')?.textContent !== old, heading);
  }
  await word.first().click();
  const embedded = (await recorded(page, 'hook_embed')).data;
  await change(page, /^change word\[/, '1.5');
  const changed = (await recorded(page, 'hook_embed')).data.flatMap((value, i) =>
    value !== embedded[i] ? [value] : [],
  );
  assert.deepEqual(changed, [1.5]);
  assert.deepEqual(problems, []);
  await close();
});

test('a decoder writes on with a changed weight, in the prompt and where it had to wait for its token', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+wild+cat&length=4' });
  await opened(page, made.decoder);
  await page.getByLabel('head', { exact: true }).selectOption('1');
  await page.locator('canvas.matrix').press('Control+Home');
  for (const key of ['ArrowDown', 'ArrowDown']) await page.locator('canvas.matrix').press(key);
  await change(page, /^change weight/, '3');
  await page.waitForSelector(SAID);
  await page.getByRole('button', { name: 'write on', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.token.written').length > 0);
  await written(page);
  const model = await load(made.decoder);
  const where = { batch: 0, head: 1, query: 2, key: 0 };
  const edits = [{ at: 'blocks.0.attn.hook_pattern', where, set: 3 }];
  const given = await model.generate('a wild cat', { maxNewTokens: 4, edits }).result();
  const taken = async () =>
    ((await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('taken'))) ?? '')
      .split('.')
      .map(Number);
  await page.waitForFunction(() => location.hash.includes('taken='));
  await page.waitForFunction(
    (ids) => new URLSearchParams(location.hash.slice(1)).get('taken') === ids,
    given.ids.join('.'),
  );
  // The newest token's row: its number changes where it was read, and again when the text begins anew and grows to it.
  await page.locator('canvas.matrix').press('Control+End');
  await page.locator('canvas.matrix').press('Home');
  await change(page, /^change weight/, '-2');
  const rows = (await recorded(page, 'blocks.0.attn.hook_pattern')).shape[2];
  const both = [...edits, { at: 'blocks.0.attn.hook_pattern', where: { ...where, query: rows - 1 }, set: -2 }];
  const pattern = await recorded(page, 'blocks.0.attn.hook_pattern');
  const at = (/** @type {number} */ query) => pattern.data[(1 * rows + query) * rows];
  assert.deepEqual([at(2), at(rows - 1)], [3, -2]);
  await page.getByRole('button', { name: 'start over', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.token.written').length === 0);
  assert.match(await page.locator('#switches').innerText(), /not in this text/);
  await page.getByRole('button', { name: 'write on', exact: true }).click();
  const other = await model.generate('a wild cat', { maxNewTokens: 4, edits: both }).result();
  await page.waitForFunction(
    (ids) => new URLSearchParams(location.hash.slice(1)).get('taken') === ids,
    other.ids.join('.'),
  );
  assert.deepEqual(await taken(), other.ids);
  assert.deepEqual(problems, []);
  await close();
});

test('an encoder–decoder’s cross-attention is changed while it writes, with a target, and in a search', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#text=a+wild+cat&length=4' });
  await opened(page, made.both);
  await page.getByLabel('head', { exact: true }).selectOption('1');
  await page.locator('canvas.matrix').press('Control+Home');
  await page.locator('canvas.matrix').press('ArrowRight');
  await change(page, /^change weight/, '2');
  const where = { batch: 0, head: 1, query: 0, key: 1 };
  const edits = [{ at: 'decoder.blocks.0.cross_attn.hook_pattern', where, set: 2 }];
  const model = await load(made.both);
  const here = async () => {
    const { shape, data } = await recorded(page, edits[0].at);
    return data[1 * shape[2] * shape[3] + 1];
  };
  assert.equal(await here(), 2);
  assert.match(await page.locator('#switches').innerText(), /cross-attention layer 0 head 1/);
  const written4 = await model.generate('a wild cat', { maxNewTokens: 4, edits }).result();
  await page.waitForFunction(
    (ids) => new URLSearchParams(location.hash.slice(1)).get('taken') === ids,
    written4.ids.join('.'),
  );
  await page.getByRole('radio', { name: 'beam search' }).check();
  await page.waitForSelector('.beams');
  await written(page);
  assert.equal(await here(), 2);
  await page.getByRole('button', { name: 'give the output' }).click();
  await page.locator('textarea').nth(1).pressSequentially('a sweet cake');
  await page.waitForFunction(
    () => [...document.querySelectorAll('[data-side="target"] .token bdi')].pop()?.textContent === 'cake',
  );
  await settled(page);
  assert.equal(await here(), 2);
  const run = await model.run({ source: 'a wild cat', target: 'a sweet cake' }, { edits, record: ['*resid_post'] });
  const name = 'decoder.blocks.1.hook_resid_post';
  const { data } = await recorded(page, name);
  data.forEach((value, i) => assert.ok(Math.abs(value - run.get(name).data[i]) < NEAR, `number ${i}`));
  assert.deepEqual(problems, []);
  await close();
});
