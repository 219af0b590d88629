// Text that a model writes: token by token, another one taken, undone, drawn, searched for; each number that of the core.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from '../../web/engine/index.js';
import { CONFIGS, createFolders, opened, written } from './folders.js';
import { cellsOf, colourOf, colours, openLab, picture, recorded, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const folders = createFolders();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
/** @type {string} */
let folder;
/** @type {import('../../web/engine/index.js').Model} */
let model;
before(async () => {
  site = await openBrowser();
  folder = await folders.make('decoder', CONFIGS.gpt2);
  model = await load(folder);
});
after(async () => {
  await site.close();
  folders.remove();
});

const PROMPT = 'a large wild cat';

/** A lab with the decoder and a prompt. @param {string} [hash] */
async function openWriting(hash = '') {
  const lab = await openLab(site, { hash: `#text=${encodeURIComponent(PROMPT)}${hash}` });
  await opened(lab.page, folder);
  return lab;
}

/** Presses one of the buttons and waits for what comes of it. @param {Page} page @param {string} name */
async function press(page, name) {
  const run = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await page.getByRole('button', { name, exact: true }).click();
  await page.waitForFunction((old) => /** @type {any} */ (globalThis).glassformer.run !== old, run);
  await written(page);
}

/** The ids taken, from the address, which follows after a pause. @param {Page} page */
async function taken(page) {
  const ids = await page.waitForFunction(() => {
    const text = new URLSearchParams(location.hash.slice(1)).get('taken') ?? '';
    const list = text.split('.').filter(Boolean);
    return list.length === document.querySelectorAll('.token.written').length && list;
  });
  return (await ids.jsonValue()).map(Number);
}

/** Waits until the address holds these ids taken, and no others. @param {Page} page @param {number[]} ids */
async function assertTaken(page, ids) {
  const read = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('taken') ?? '');
  await page
    .waitForFunction(
      (wanted) => (new URLSearchParams(location.hash.slice(1)).get('taken') ?? '') === wanted,
      ids.join('.'),
    )
    .catch(async () => assert.equal(await read(), ids.join('.')));
}

/** What the model writes after the prompt, in this process. @param {Record<string, unknown>} options */
async function expected(options) {
  const { ids } = await model.generate(PROMPT, options).result();
  return [...ids];
}

test('a link to a model that writes opens with what writes its text', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#v=2&model=austen&text=she+was' });
  await page.getByRole('button', { name: 'next token', exact: true }).waitFor();
  await press(page, 'next token');
  assert.equal(await page.locator('.token.written').count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test('a prompt is read under a causal mask, whose cells are hidden, not 0', async () => {
  const { page, close } = await openWriting();
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'large', 'wild', 'cat', '[SEP]']);
  const { rows, columns, cell } = await cellsOf(page);
  const { shape, data } = await recorded(page, 'blocks.0.attn.hook_pattern');
  assert.equal(rows.length, shape[2]);
  const at = (/** @type {number} */ query, /** @type {number} */ key) =>
    /** @type {[number, number]} */ ([columns[key], rows[query] - cell * 0.33]);
  const [seen, hidden] = await colours(page, [at(3, 2), at(2, 3)]);
  assert.deepEqual(seen, colourOf(data[3 * shape[3] + 2], 'ylorrd', false));
  assert.notDeepEqual(hidden, colourOf(0, 'ylorrd', false));
  await page.locator('canvas.matrix').focus();
  for (const key of ['Control+Home', 'End']) await page.keyboard.press(key);
  assert.match(await page.locator('#cell-now').innerText(), /key '\[SEP\]', masked/);
  await close();
});

test('candidates are the softmax of the run, and each step adds a row below those that stay', async () => {
  const { page, problems, close } = await openWriting('&query=2&key=1');
  const run = await model.run(PROMPT);
  const classes = run.output.logits?.shape[2] ?? 0;
  const last = Array.from(run.output.logits?.data.slice(-classes) ?? []);
  const total = last.reduce((sum, value) => sum + Math.exp(value - Math.max(...last)), 0);
  const most = Math.exp(0) / total;
  const shown = page.locator('#answers ul').first();
  const first = Number(await shown.locator('.number').first().innerText());
  assert.ok(Math.abs(first - most) < 0.0051, `${first} is shown for ${most}`);

  const name = 'blocks.0.attn.hook_pattern';
  const before = await recorded(page, name);
  await press(page, 'next token');
  const after = await recorded(page, name);
  assert.deepEqual(after.shape, [1, 2, before.shape[2] + 1, before.shape[3] + 1]);
  for (let row = 0; row < before.shape[2]; row++) {
    const old = before.data.slice(row * before.shape[3], (row + 1) * before.shape[3]);
    assert.deepEqual(after.data.slice(row * after.shape[3], row * after.shape[3] + old.length), old, `row ${row}`);
  }
  // The new row is the one that a run over all of it gives, but for rounding.
  const ids = await taken(page);
  const whole = await model.run({ ids: [[...run.ids[0], ...ids]] }, { record: [name] });
  whole.get(name).data.forEach((value, i) => assert.ok(Math.abs(value - after.data[i]) < 1e-4, `cell ${i}`));
  assert.equal(await page.locator('.token.written').count(), 1);
  assert.match(await page.locator('#output [aria-live]').innerText(), /^Written: .+, probability \d\.\d\d\.$/);
  assert.match(await page.locator('.cache').innerText(), /[\d,]+ kB\. So 7 tokens .* without it, 13,/);
  // What was chosen stays chosen.
  assert.match(page.url(), /query=2&key=1/);
  assert.deepEqual(problems, []);
  await close();
});

test('writing on is what generate gives, token by token; it stops at the length, and undo takes it back', async () => {
  const { page, problems, close } = await openWriting('&length=6');
  await press(page, 'write on');
  const ids = await taken(page);
  assert.deepEqual(ids, await expected({ maxNewTokens: 6 }));
  const all = await recorded(page, 'blocks.1.attn.hook_pattern');
  await press(page, 'undo');
  await assertTaken(page, ids.slice(0, 5));
  const less = await recorded(page, 'blocks.1.attn.hook_pattern');
  assert.equal(less.shape[2], all.shape[2] - 1);
  assert.match(await page.locator('#output [aria-live]').innerText(), /Taken back/);
  await press(page, 'next token');
  await assertTaken(page, ids);
  assert.deepEqual((await recorded(page, 'blocks.1.attn.hook_pattern')).data, all.data);
  await press(page, 'start over');
  await assertTaken(page, []);
  assert.equal((await tokens(page)).length, 6);
  assert.deepEqual(problems, []);
  await close();
});

test('another candidate is taken by a click, and the text goes on from there', async () => {
  const { page, close } = await openWriting('&length=4');
  const second = page.locator('#answers ul').first().locator('.link').nth(1);
  const word = await second.innerText();
  const run = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await second.click();
  await page.waitForFunction((old) => /** @type {any} */ (globalThis).glassformer.run !== old, run);
  await settled(page);
  assert.equal((await tokens(page)).at(-1), word);
  await press(page, 'write on');
  const ids = await taken(page);
  const { ids: prompt } = await model.run(PROMPT);
  const rest = await model.generate({ ids: [[...prompt[0], ids[0]]] }, { maxNewTokens: 3 }).result();
  assert.deepEqual(ids.slice(1), [...rest.ids]);
  // The row of a token says what was expected behind it, and that another came.
  await page.locator('.token').nth(5).click();
  await settled(page);
  const expectedThere = page.locator('#answers .behind + ul'); // fetched from the core: the list above is there before it
  assert.equal(await expectedThere.locator('.marked .name').innerText(), word);
  await close();
});

test('what was taken is in the address, and comes back with it', async () => {
  const { page, close } = await openWriting();
  await press(page, 'next token');
  await press(page, 'next token');
  const ids = await taken(page);
  const before = await picture(page, 'canvas.matrix');
  // A model of the reader's own is not in the address: it is opened again.
  await page.evaluate(() => sessionStorage.setItem('kept', location.hash));
  await type(page, 'another text');
  await assertTaken(page, []);
  await page.evaluate(() => {
    history.pushState(null, '', sessionStorage.getItem('kept') ?? '');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.waitForFunction(() => document.querySelectorAll('.token.written').length === 2);
  await settled(page);
  await assertTaken(page, ids);
  assert.equal(await picture(page, 'canvas.matrix'), before);
  await close();
});

test('drawn tokens follow the seed, the temperature and the cut', async () => {
  const { page, close } = await openWriting('&length=5&how=sample&seed=4&temperature=0.8&topk=20&topp=0.9');
  await press(page, 'write on');
  const ids = await taken(page);
  const options = { doSample: true, temperature: 0.8, topK: 20, topP: 0.9, seed: 4 };
  assert.deepEqual(ids, await expected({ ...options, maxNewTokens: 5 }));
  await press(page, 'start over');
  await press(page, 'draw again');
  await press(page, 'write on');
  await assertTaken(page, await expected({ ...options, seed: 5, maxNewTokens: 5 }));
  // A field that holds no number is put right, and nothing is lost.
  await page.getByLabel('top-k').fill('');
  await page.getByLabel('top-k').blur();
  assert.equal(await page.getByLabel('top-k').inputValue(), '20');
  await page.getByLabel('temperature').fill('99');
  await page.getByLabel('temperature').blur();
  assert.equal(await page.getByLabel('temperature').inputValue(), '3');
  await close();
});

test('a beam search shows its hypotheses step by step, and ends with what generate finds', async () => {
  const { page, problems, close } = await openWriting('&length=5&how=beams&beams=3');
  await press(page, 'next token');
  assert.equal(await page.locator('.beams tbody tr').count(), 3);
  assert.equal(await page.locator('.tree text').count(), 3);
  const scores = await page.locator('.beams td.number').allInnerTexts();
  const numbers = scores.map((text) => Number(text.replace('−', '-')));
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => b - a),
  );
  await press(page, 'write on');
  await assertTaken(page, await expected({ beams: 3, maxNewTokens: 5 }));
  assert.equal(await page.locator('.beams tr.chosen').count(), 1);
  const best = await picture(page, 'canvas.matrix');
  await page.locator('.beams tbody button').last().click();
  await page.waitForFunction(() => document.querySelector('.beams tbody tr:last-child')?.className === 'chosen');
  await settled(page);
  assert.ok((await picture(page, 'canvas.matrix')) !== best, 'another text has another picture');
  assert.deepEqual(problems, []);
  await close();
});

test('a head that is switched off is off in every step, and undo switches it on again', async () => {
  const { page, close } = await openWriting('&length=4');
  await page.getByLabel('head', { exact: true }).selectOption('1');
  const list = page.locator('#answers ul').first();
  const before = await list.innerText();
  await press(page, 'switch this head off');
  assert.notEqual(await list.innerText(), before);
  await press(page, 'write on');
  const edits = [{ at: 'blocks.0.attn.hook_z', where: { head: 1 }, set: 0 }];
  await assertTaken(page, await expected({ maxNewTokens: 4, edits }));
  assert.match(await page.locator('#switches').innerText(), /^Switched off: layer 0 head 1\./);
  assert.match(page.url(), /off=self\.0\.1/);
  await press(page, 'start over');
  await page.locator('#switches').getByRole('button', { name: 'undo' }).click();
  await page.waitForFunction(() => document.querySelector('#switches')?.textContent?.includes('Nothing is changed.'));
  await settled(page);
  assert.equal(await list.innerText(), before);
  await close();
});

test('a running text stops when asked, and typing begins another', async () => {
  const { page, problems, close } = await openWriting('&length=500');
  await page.getByRole('button', { name: 'write on', exact: true }).click();
  // Pressed in the same moment: on a busy machine the text would end before a pointer gets there.
  await page.waitForFunction(() => {
    if (document.querySelectorAll('.token.written').length < 3) return false;
    const stop = [...document.querySelectorAll('button')].find((button) =>
      button.textContent?.trim().startsWith('stop'),
    );
    stop?.click();
    return stop !== undefined;
  });
  await written(page);
  const count = await page.locator('.token.written').count();
  // A call takes its turn behind what was asked of the model before: a step still on its way would be here by then.
  await page.evaluate(async () => void (await /** @type {any} */ (globalThis).glassformer.model.run('a')));
  await settled(page);
  assert.equal(await page.locator('.token.written').count(), count);
  await page.getByRole('button', { name: 'write on', exact: true }).click();
  await page.fill('textarea', 'a text');
  await page.waitForFunction(() => document.querySelectorAll('.token').length === 4);
  await written(page);
  assert.equal(await page.locator('.token.written').count(), 0);
  // It reads 24 tokens and no more: the text ends there, and says so.
  await press(page, 'write on');
  assert.match(await page.locator('#output').innerText(), /no more room|the end/);
  assert.ok((await tokens(page)).length <= 24);
  assert.deepEqual(problems, []);
  await close();
});

test('what is pressed right after typing is done to what was typed', async () => {
  const { page, problems, close } = await openWriting();
  const run = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await page.evaluate(() => {
    const area = /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea'));
    area.value = 'a text';
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const next = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'next token');
    next?.click();
  });
  await page.waitForFunction((old) => /** @type {any} */ (globalThis).glassformer.run !== old, run);
  await page.waitForFunction(() => document.querySelectorAll('.token.written').length === 1);
  const { ids } = await model.generate('a text', { maxNewTokens: 1 }).result();
  await assertTaken(page, [...ids]);
  assert.deepEqual(problems, []);
  await close();
});

test('an error between steps is told, and what was written stays', async () => {
  const { page, close } = await openWriting();
  await press(page, 'next token');
  await page.evaluate(() => /** @type {any} */ (globalThis).glassformer.model.dispose());
  await page.getByRole('button', { name: 'next token', exact: true }).click();
  assert.match(await page.locator('#sentence .problem').innerText(), /^disposed /);
  assert.equal(await page.locator('.token.written').count(), 1);
  await page.getByRole('combobox', { name: 'model' }).selectOption('topics');
  await page.waitForFunction(() => document.querySelector('#answers h2')?.textContent === 'topic');
  assert.equal(await page.locator('.problem').count(), 0);
  assert.ok(await page.locator('#output').isHidden());
  await close();
});
