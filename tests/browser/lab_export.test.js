// What is taken from the page: files as a reader gets them, read back and compared with the page's own numbers and pixels.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { readSafetensors } from '../../web/elements/files/safetensors.js';
import { MARGIN, createTaken, hex, openFile, openList, parsedSvg, pixelsOf } from './exports.js';
import { CONFIGS, createFolders, opened } from './folders.js';
import { cellsOf, colourOf, openLab, recorded, settled } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const folders = createFolders();
const { taken, remove } = createTaken();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(async () => {
  await site.close();
  folders.remove();
  remove();
});

test('pictures: PNG with two pixels for one, SVG with real text, in the canvas’s colours', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#layer=1&head=2' });
  const { data, shape } = await recorded(page, 'blocks.1.attn.hook_pattern');
  const [, , rows, columns] = shape;
  const weights = data.slice(2 * rows * columns, 3 * rows * columns);
  const cells = await cellsOf(page);
  await openList(page);

  const png = await taken(page, 'png');
  assert.equal(png.name, 'glassformer-topics-layer1-head2-weights.png');
  const canvas = await page.locator('canvas.matrix').boundingBox();
  // Above each cell's number, where only its colour is. The picture is laid out anew: cells may be half a pixel larger.
  const points = cells.rows.flatMap((y) => cells.columns.map((x) => [x, y - cells.cell * 0.3]));
  const inFile = points.map((point) => point.map((v) => Math.round((v + MARGIN) * 2)));
  const { size, colours } = await pixelsOf(page, readFileSync(png.file, 'base64'), inFile);
  assert.ok(canvas && Math.abs(size[0] / 2 - 2 * MARGIN - canvas.width) < columns, `${size}`);
  assert.equal(points.length, weights.length);
  colours.forEach((colour, i) => assert.deepEqual(colour, colourOf(weights[i], 'ylorrd', false), `cell ${i}`));

  const svg = await taken(page, 'svg');
  assert.equal(svg.name, 'glassformer-topics-layer1-head2-weights.svg');
  const parsed = await parsedSvg(site.browser, svg.file);
  assert.equal(parsed.name, 'svg');
  assert.match(parsed.title ?? '', /topics, .*1, .*2, weights/i);
  assert.match(parsed.description ?? '', /^a large wild cat with striped fur\n'\[CLS\]' has its largest weights on/);
  assert.deepEqual(
    parsed.fills,
    weights.map((weight) => hex(colourOf(weight, 'ylorrd', false))),
  );
  assert.equal(parsed.texts.filter((text) => /^[01]\.\d\d$/.test(text)).length, weights.length);
  for (const token of ['striped', '[CLS]']) assert.equal(parsed.texts.filter((text) => text === token).length, 2);

  const heads = await taken(page, 'headsSvg');
  assert.equal(heads.name, 'glassformer-topics-heads.svg');
  const all = await parsedSvg(site.browser, heads.file);
  assert.equal(all.groups.filter((name) => /^layer \d head \d$/.test(name)).length, 12);
  assert.equal((await taken(page, 'headsPng')).name, 'glassformer-topics-heads.png');

  await page.getByRole('radio', { name: 'arcs' }).check();
  await settled(page);
  const arcs = await taken(page, 'svg');
  assert.equal(arcs.name, 'glassformer-topics-layer1-head2-arcs.svg');
  const lines = await parsedSvg(site.browser, arcs.file);
  assert.ok(lines.curves >= weights.filter((weight) => weight >= 0.05).length, `${lines.curves} lines`);
  await taken(page, 'png');
  assert.deepEqual(problems, []);
  await close();
});

test('numbers: CSV, JSON, safetensors and the clipboard hold the float32 that were recorded', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, problems, close } = await openLab(site, { hash: '#layer=1&head=1&kind=scores', permissions });
  const scores = await recorded(page, 'blocks.1.attn.hook_attn_scores');
  const pattern = await recorded(page, 'blocks.1.attn.hook_pattern');
  const [, , rows, columns] = scores.shape;
  const head = (/** @type {number[]} */ of) => of.slice(rows * columns, 2 * rows * columns).map(Math.fround);
  await openList(page);

  const csv = await taken(page, 'csv');
  assert.equal(csv.name, 'glassformer-topics-layer1-head1-scores.csv');
  const lines = readFileSync(csv.file, 'utf8').trim().split('\r\n').slice(1);
  const values = lines.flatMap((line) => line.split(',').slice(1).map(Number));
  assert.deepEqual(values.map(Math.fround), head(scores.data));

  const json = JSON.parse(readFileSync((await taken(page, 'json')).file, 'utf8'));
  assert.deepEqual(
    [json.model, json.layer, json.head, json.kind, json.shape],
    ['topics', 1, 1, 'scores', [rows, columns]],
  );
  assert.deepEqual(json.attention.flat().map(Math.fround), head(scores.data));

  const one = await taken(page, 'head');
  assert.equal(one.name, 'glassformer-topics-layer1-head1-attention.safetensors');
  const file = readSafetensors(readFileSync(one.file), one.name);
  assert.deepEqual(Array.from(file.read('weights').data), head(pattern.data));
  assert.deepEqual(Array.from(file.read('scores').data), head(scores.data));

  const run = await taken(page, 'run');
  assert.equal(run.name, 'glassformer-topics-run.safetensors');
  const whole = readSafetensors(readFileSync(run.file), run.name);
  const names = await page.evaluate(() => /** @type {any} */ (globalThis).glassformer.run.names);
  assert.deepEqual(whole.names, names);
  assert.deepEqual(Array.from(whole.read('blocks.1.attn.hook_pattern').data), pattern.data.map(Math.fround));

  await page.click('[data-export=copyNumbers]');
  await page.waitForFunction(() => document.querySelector('.export .said')?.textContent?.includes('numbers'));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const table = copied.trim().split(/\r?\n/).slice(1);
  assert.deepEqual(
    table.flatMap((line) => line.split('\t').slice(1).map(Number).map(Math.fround)),
    head(scores.data),
  );
  await page.click('[data-export=copyPicture]');
  await page.waitForFunction(() => document.querySelector('.export .said')?.textContent?.includes('picture'));
  const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
  assert.deepEqual(types, ['image/png']);
  assert.deepEqual(problems, []);
  await close();
});

test('three attentions, and the sequence of a batch that is shown', async () => {
  const folder = await folders.make('exported', CONFIGS.marian);
  const { page, problems, close } = await openLab(site, { hash: '#text=a+wild+cat&length=4' });
  await opened(page, folder);
  await openList(page);
  const csv = await taken(page, 'csv');
  assert.match(csv.name, /^glassformer-exported.*-cross-layer\d-head\d-weights\.csv$/);
  assert.match(readFileSync(csv.file, 'utf8'), /^query \\ key,\[CLS\],a,wild,cat,\[SEP\]\r\n\[CLS\] → /);
  const { file } = await taken(page, 'page');
  assert.deepEqual(problems, []);
  await close();
  const viewer = await openFile(site.browser, file);
  const grids = viewer.page.getByRole('combobox', { name: 'attention' });
  assert.deepEqual(await grids.locator('option').allInnerTexts(), ['encoder', 'decoder', 'cross-attention']);
  assert.equal(await grids.inputValue(), '2');
  await grids.selectOption('1');
  await viewer.page.locator('canvas.matrix').press('ArrowDown');
  await viewer.page.locator('canvas.matrix').press('End');
  assert.match(await viewer.page.locator('#now').innerText(), /masked: this key may not be seen$/);
  assert.deepEqual(viewer.problems, []);
  await viewer.close();

  const batch = await openLab(site, { hash: '#text=a+cat&pair=a+large+wild+dog&join=batch&sequence=1' });
  await openList(batch.page);
  const second = await taken(batch.page, 'json');
  assert.match(second.name, /^glassformer-topics-layer\d-head\d-sequence2-weights\.json$/);
  assert.deepEqual(JSON.parse(readFileSync(second.file, 'utf8')).queries, [
    '[CLS]',
    'a',
    'large',
    'wild',
    'dog',
    '[SEP]',
  ]);
  assert.deepEqual(batch.problems, []);
  await batch.close();
});

test('several heads as one, special tokens left out: the files are of what is shown, and say so', async () => {
  const hash = '#layer=1&over=heads&by=mean&special=hidden';
  const { page, problems, close } = await openLab(site, { hash });
  await openList(page);
  const csv = await taken(page, 'csv');
  assert.equal(csv.name, 'glassformer-topics-layer1-mean-of-heads-special-hidden-weights.csv');
  const { shape, data } = await recorded(page, 'blocks.1.attn.hook_pattern');
  const [, heads, rows, columns] = shape;
  const lines = readFileSync(csv.file, 'utf8').trim().split('\r\n');
  assert.equal(lines[0], 'query \\ key,a,large,wild,cat,with,striped,fur');
  const mean =
    Array.from({ length: heads }, (_, h) => data[h * rows * columns + columns + 1]).reduce((a, b) => a + b) / heads;
  assert.ok(Math.abs(Number(lines[1].split(',')[1]) - mean) < 1e-6);
  const json = JSON.parse(readFileSync((await taken(page, 'json')).file, 'utf8'));
  assert.deepEqual(json.made, ['mean-of-heads', 'special-hidden']);
  assert.deepEqual(
    json.heads.map((/** @type {any} */ of) => [of.layer, of.head]),
    [
      [1, 0],
      [1, 1],
      [1, 2],
      [1, 3],
    ],
  );
  const tensors = await taken(page, 'head');
  assert.equal(tensors.name, csv.name.replace('.csv', '.safetensors'));
  assert.deepEqual(readSafetensors(readFileSync(tensors.file), tensors.name).read('weights').shape, [7, 7]);
  await taken(page, 'svg');
  assert.deepEqual(problems, []);
  await close();
});

test('a picture of many tokens has an image in its SVG, with a pixel for each cell', async () => {
  const folder = await folders.make('long', { ...CONFIGS.llama, max_position_embeddings: 200 });
  const { page, problems, close } = await openLab(site, { hash: `#text=${encodeURIComponent('cat '.repeat(140))}` });
  await opened(page, folder);
  const count = await page.locator('.token').count();
  assert.ok(count > 128, `${count} tokens`);
  await openList(page);
  const { images } = await parsedSvg(site.browser, (await taken(page, 'svg')).file);
  assert.equal(images.length, 1);
  const [, base64] = /^data:image\/png;base64,(.+)$/.exec(images[0]) ?? [];
  const { data } = await recorded(page, 'blocks.0.attn.hook_pattern');
  const { size, colours } = await pixelsOf(page, base64, [[0, count - 1]]);
  assert.deepEqual(size, [count, count]);
  // Long texts have the square roots of weights in colour.
  assert.deepEqual(colours[0], colourOf(Math.sqrt(data[(count - 1) * count]), 'ylorrd', false));
  assert.equal((await parsedSvg(site.browser, (await taken(page, 'headsSvg')).file)).images.length, 8);
  assert.deepEqual(problems, []);
  await close();
});
