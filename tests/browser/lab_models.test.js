// Models on the page: those that ship, and folders of the reader's, good and broken.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { load } from '../../web/engine/index.js';
import { createFolders, pick } from './folders.js';
import { openLab, picture, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const golden = new URL('../reference/golden/models/', import.meta.url).pathname;
const folders = createFolders();
const { scratch, make: newFolder } = folders;

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(async () => {
  await site.close();
  folders.remove();
});

/** The message of a folder that does not open; the page keeps its model. @param {Page} page @param {string} folder */
async function refusal(page, folder) {
  const run = await page.evaluateHandle(() => /** @type {any} */ (globalThis).glassformer.run);
  await pick(page, folder);
  const message = await page.locator('dialog .problem').innerText();
  assert.match(message, /The page goes on with the model it had\.$/);
  await page.getByRole('button', { name: 'close' }).click();
  assert.ok(await page.evaluate((old) => /** @type {any} */ (globalThis).glassformer.run === old, run));
  return message;
}

test('the shipped models take turns, each with its own examples', async () => {
  const { page, problems, close } = await openLab(site);
  const before = await picture(page, '#heads canvas');
  await page.getByRole('combobox', { name: 'model' }).selectOption('words');
  await page.waitForFunction(() => document.querySelector('#answers h2')?.textContent === 'blank');
  await settled(page);
  assert.ok((await tokens(page)).includes('[MASK]'));
  assert.notEqual(await picture(page, '#heads canvas'), before);
  await page.waitForFunction(() => location.hash.includes('model=words'));
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('#answers h2')?.textContent === 'topic');
  assert.deepEqual(problems, []);
  await close();
});

test('blanks are filled by a click, and made from a token', async () => {
  const { page, close } = await openLab(site, { hash: '#model=words&text=a+%5BMASK%5D+of+the+%5BMASK%5D' });
  assert.equal(await page.locator('#answers ul').count(), 2);
  const first = page.locator('#answers .link').first();
  const word = await first.innerText();
  await first.click();
  await page.waitForFunction(() => document.querySelectorAll('#answers ul').length === 1);
  assert.equal(await page.locator('textarea').inputValue(), `a ${word} of the [MASK]`);
  await page.locator('.token', { hasText: 'the' }).dblclick();
  await page.waitForFunction(() => document.querySelectorAll('#answers ul').length === 2);
  assert.match(await page.locator('textarea').inputValue(), /of \[MASK\] \[MASK\]$/);
  await type(page, 'nothing to fill in');
  assert.match(await page.locator('#answers').innerText(), /Double-click a token/);
  await page.locator('.token', { hasText: 'fill' }).click();
  await page.getByRole('button', { name: 'make “fill” a blank' }).click();
  await page.waitForSelector('#answers ul');
  await close();
});

test('a BERT folder opens by picker, with 512 tokens and all heads', async () => {
  const config = {
    model_type: 'bert',
    architectures: ['BertForTokenClassification'],
    hidden_size: 48,
    num_hidden_layers: 12,
    num_attention_heads: 12,
  };
  const folder = await newFolder('long', {
    ...config,
    intermediate_size: 32,
    max_position_embeddings: 512,
    initializer_range: 0.3,
  });
  const { page, problems, close } = await openLab(site);
  await pick(page, folder);
  await page.waitForFunction(() => !document.querySelector('dialog')?.open);
  await settled(page);
  assert.match(await page.getByRole('combobox', { name: 'model' }).innerText(), /long \(opened\)/);
  await type(page, 'every word of a long text looks at every other word of it '.repeat(50));
  assert.equal((await tokens(page)).length, 512);
  assert.match(await page.locator('#sentence .notice').innerText(), /reads at most 512/);
  const pattern = await page.evaluate(
    () => /** @type {any} */ (globalThis).glassformer.run.get('blocks.11.attn.hook_pattern').shape,
  );
  assert.deepEqual(pattern, [1, 12, 512, 512]);
  // The explanation's numbers come from a second run.
  await page.waitForSelector('.steps');
  const box = await page.locator('canvas.matrix').boundingBox();
  assert.ok(box && box.height < 900);
  const overview = await picture(page, 'canvas.matrix');
  await page.locator('canvas.matrix').press('+');
  await settled(page);
  assert.notEqual(await picture(page, 'canvas.matrix'), overview);
  await page.getByRole('button', { name: 'fit' }).click();
  await settled(page);
  assert.equal(await picture(page, 'canvas.matrix'), overview);
  // Scores are fetched when asked for.
  await page.getByRole('radio', { name: 'scores' }).check();
  await page.waitForFunction(() => document.querySelector('.palette')?.textContent?.includes('BrBG'));
  await settled(page);
  assert.deepEqual(problems, []);
  await close();
});

test('a folder that is dropped opens too, and says what it classifies', async () => {
  const config = {
    model_type: 'electra',
    architectures: ['ElectraForTokenClassification'],
    hidden_size: 32,
    embedding_size: 16,
  };
  const labels = { id2label: { 0: 'name', 1: 'other' }, label2id: { name: 0, other: 1 } };
  const folder = await newFolder('dropped', {
    ...config,
    ...labels,
    num_hidden_layers: 2,
    num_attention_heads: 2,
    intermediate_size: 32,
  });
  const { page, problems, close } = await openLab(site);
  const files = ['config.json', 'model.safetensors', 'tokenizer.json'].map((name) => ({
    name,
    content: readFileSync(path.join(folder, name)).toString('base64'),
  }));
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const { name, content } of list) {
      transfer.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
    }
    for (const kind of ['dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, files);
  await page.waitForFunction(() => document.querySelector('#answers h2')?.textContent === 'class of a token');
  await settled(page);
  await page.click('[data-token="2"]');
  assert.match(await page.locator('#answers').innerText(), /(name|other)\s+0\.\d\d/);
  assert.deepEqual(problems, []);
  await close();
});

test('broken folders each get one message that names the file, and the page goes on', async () => {
  const config = {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: 16,
    num_hidden_layers: 1,
    num_attention_heads: 2,
  };
  const good = await newFolder('good', { ...config, intermediate_size: 16 });
  /** @param {string} name @param {(folder: string) => void} spoil */
  const broken = (name, spoil) => {
    const folder = path.join(scratch, name);
    cpSync(good, folder, { recursive: true });
    spoil(folder);
    return folder;
  };
  const { page, problems, close } = await openLab(site);
  const cut = broken('cut', (folder) => truncateSync(path.join(folder, 'model.safetensors'), 5000));
  assert.match(await refusal(page, cut), /^bad-weights .*model\.safetensors/s);
  const noConfig = broken('no-config', (folder) => rmSync(path.join(folder, 'config.json')));
  assert.match(await refusal(page, noConfig), /^not-found .*config\.json/s);
  const noTokenizer = broken('no-tokenizer', (folder) => rmSync(path.join(folder, 'tokenizer.json')));
  assert.match(await refusal(page, noTokenizer), /^not-found .*tokenizer\.json/s);
  const other = broken('other', (folder) =>
    writeFileSync(path.join(folder, 'config.json'), '{"model_type":"whisper"}'),
  );
  assert.match(await refusal(page, other), /^unsupported .*whisper/s);
  const huge = broken('huge', (folder) => {
    const text = readFileSync(path.join(folder, 'config.json'), 'utf8');
    writeFileSync(
      path.join(folder, 'config.json'),
      JSON.stringify({ ...JSON.parse(text), hidden_size: 1048576, num_attention_heads: 1 }),
    );
  });
  assert.match(await refusal(page, huge), /^(out-of-memory|bad-weights) /);
  const nothing = path.join(scratch, 'nothing');
  mkdirSync(nothing);
  writeFileSync(path.join(nothing, 'notes.txt'), 'no model');
  assert.match(await refusal(page, nothing), /^not-found There are no files of a model/);
  // A vocabulary that does not fit the embedding: the message comes with the run, and the model before is not harmed.
  assert.equal((await tokens(page)).length, 9);
  await type(page, 'it still works');
  assert.deepEqual(problems, []);
  await close();
});

test('a checkpoint saved by transformers gives its logits here', async () => {
  const folder = path.join(scratch, 'transformers');
  cpSync(path.join(golden, 'electra_sequence'), folder, { recursive: true });
  const vocabulary = JSON.parse(readFileSync(path.join(folder, 'config.json'), 'utf8')).vocab_size;
  const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'a', 'cat'];
  const lines = Array.from({ length: vocabulary }, (_, i) => words[i] ?? `word${i}`);
  writeFileSync(path.join(folder, 'vocab.txt'), lines.join('\n'));
  const { page, problems, close } = await openLab(site, { hash: '#text=a+cat' });
  await pick(page, folder);
  await page.waitForFunction(() => !document.querySelector('dialog')?.open);
  await settled(page);
  const logits = await page.evaluate(() =>
    Array.from(/** @type {any} */ (globalThis).glassformer.run.output.logits.data),
  );
  const run = await (await load(folder)).run('a cat');
  // The page may compute with relaxed SIMD, which rounds differently.
  run.output.logits?.data.forEach((value, i) => assert.ok(Math.abs(value - logits[i]) <= 1e-5, `logit ${i}`));
  assert.deepEqual(problems, []);
  await close();
});

test('a model that cannot be fetched leaves the one before; one that takes long can be cancelled', async () => {
  const { page, close } = await openLab(site);
  const model = page.getByRole('combobox', { name: 'model' });
  await page.route('**/models/words/*', (route) => route.abort());
  await model.selectOption('words');
  assert.match(await page.locator('#status .problem').innerText(), /The page goes on with the model it had\.$/);
  assert.equal(await model.inputValue(), 'topics');
  await page.unroute('**/models/words/*');
  // This answer never comes.
  await page.route('**/models/words/model.safetensors', () => {});
  await model.selectOption('words');
  await page.waitForSelector('#status .loading');
  assert.match(await page.locator('#status').innerText(), /loading words/);
  await page.getByRole('button', { name: 'cancel' }).click();
  assert.equal(await page.locator('#status .loading').count(), 0);
  await type(page, 'it still works');
  assert.equal(await model.inputValue(), 'topics');
  await close();
});

test('a model that was disposed is said to be, and the next one works', async () => {
  const { page, problems, close } = await openLab(site);
  await page.evaluate(() => /** @type {any} */ (globalThis).glassformer.model.dispose());
  await page.fill('textarea', 'a word more');
  assert.match(
    await page.locator('#sentence .problem').innerText(),
    /^disposed .*What is shown is from the run before\.$/s,
  );
  assert.equal((await tokens(page)).length, 9);
  await page.getByRole('combobox', { name: 'model' }).selectOption('words');
  await page.waitForFunction(() => document.querySelectorAll('.token').length === 5);
  assert.equal(await page.locator('.problem').count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
