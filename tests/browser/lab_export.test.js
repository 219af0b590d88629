// What is taken from the page: files as a reader gets them, read back and compared with the page's own numbers and pixels.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { readSafetensors } from '../../web/elements/files/safetensors.js';
import { barriers } from './barriers.js';
import { MARGIN, createTaken, openList, parsedSvg as parsedIn, pixelsOf } from './exports.js';
import { CONFIGS, createFolders, opened } from './folders.js';
import { PATIENCE, cellsOf, colourOf, openLab, picture, recorded, settled } from './lab.js';
import { openBrowser, watchProblems } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const folders = createFolders();
const { kept, taken, remove } = createTaken();
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

/** @param {string} file */
const parsedSvg = (file) => parsedIn(site.browser, file);

const hex = (/** @type {number[]} */ colour) => `#${Buffer.from(colour).toString('hex')}`;

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
  const parsed = await parsedSvg(svg.file);
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
  const all = await parsedSvg(heads.file);
  assert.equal(all.groups.filter((name) => /^layer \d head \d$/.test(name)).length, 12);
  assert.equal((await taken(page, 'headsPng')).name, 'glassformer-topics-heads.png');

  await page.getByRole('radio', { name: 'arcs' }).check();
  await settled(page);
  const arcs = await taken(page, 'svg');
  assert.equal(arcs.name, 'glassformer-topics-layer1-head2-arcs.svg');
  const lines = await parsedSvg(arcs.file);
  assert.ok(lines.curves >= weights.filter((weight) => weight >= 0.05).length, `${lines.curves} lines`);
  await taken(page, 'png');
  assert.deepEqual(problems, []);
  await close();
});

/** The texts within a PNG, by keyword. @param {Buffer} png */
function textsOf(png) {
  /** @type {Record<string, string>} */
  const texts = {};
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const type = png.toString('latin1', at + 4, at + 8);
    assert.equal(png.readUInt32BE(at + 8 + data.length), crc32(png.subarray(at + 4, at + 8 + data.length)), type);
    if (type !== 'iTXt') continue;
    const [keyword, text] = data.toString('utf8').split('\0\0\0\0\0');
    texts[keyword] = text;
  }
  return texts;
}

test('changes: files draw the corner of a changed cell, and say what was changed', async () => {
  const edits = 'blocks.1.attn.hook_pattern*b0h2q3k1*0.62 blocks.0.attn.hook_attn_scores*b0h1q2k4*2.5';
  const hash = `#text=a+large+wild+cat+with+striped+fur&layer=1&head=2&off=self.2.3&edits=${edits.replaceAll(' ', '+')}`;
  const { page, problems, close } = await openLab(site, { hash });
  const said =
    'Changed: weight(wild, a), layer 1 head 2: now 0.62; score(large, cat), layer 0 head 1: now 2.5. ' +
    'Switched off: layer 2 head 3. What is mixed there counts as 0.';
  const cells = await cellsOf(page);
  await settled(page);
  await openList(page);

  const png = await taken(page, 'png');
  assert.equal(png.name, 'glassformer-topics-layer1-head2-changed-weights.png');
  // Just inside the upper right and the lower left corner, where a file of the same picture has them.
  const near = cells.cell * 0.5 - 4;
  const at = (/** @type {1 | -1} */ side) =>
    cells.rows.flatMap((y) => cells.columns.map((x) => [x + side * near, y - side * near]));
  const inFile = [...at(1), ...at(-1)].map((point) => point.map((v) => Math.round((v + MARGIN) * 2)));
  const { size, colours } = await pixelsOf(page, readFileSync(png.file, 'base64'), inFile);
  const [upper, lower] = [colours.slice(0, colours.length / 2), colours.slice(colours.length / 2)];
  const ink = await page.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g)?.map(Number));
  const changed = 3 * cells.columns.length + 1;
  upper.forEach((colour, i) => assert.deepEqual(colour, i === changed ? ink : lower[i], `cell ${i}`));
  // Its words are below the picture, and within the file.
  const canvas = await page.locator('canvas.matrix').boundingBox();
  assert.ok(canvas && size[1] / 2 - 2 * MARGIN - canvas.height > 16, `${size}`);
  const { Title: title, Description: description } = textsOf(readFileSync(png.file));
  assert.match(title, /^topics, .*1, .*2, weights, with changes$/i);
  assert.equal(description.split('\n')[1], said);

  const svg = await taken(page, 'svg');
  assert.equal(svg.name, png.name.replace('.png', '.svg'));
  const parsed = await parsedSvg(svg.file);
  assert.deepEqual([parsed.title, parsed.description], [title, description]);
  assert.deepEqual(
    parsed.groups.filter((name) => name === 'changed cells' || name === 'caption'),
    ['changed cells', 'caption'],
  );
  assert.ok(parsed.texts.join(' ').includes(said), parsed.texts.join(' '));
  const heads = await parsedSvg((await taken(page, 'headsSvg')).file);
  assert.equal(heads.description?.split('\n')[1], said);

  const { changes } = JSON.parse(readFileSync((await taken(page, 'json')).file, 'utf8'));
  assert.deepEqual(changes, [
    { at: 'blocks.2.attn.hook_z', where: { head: 3 }, set: 0 },
    { at: 'blocks.1.attn.hook_pattern', where: { batch: 0, head: 2, query: 3, key: 1 }, set: 0.62 },
    { at: 'blocks.0.attn.hook_attn_scores', where: { batch: 0, head: 1, query: 2, key: 4 }, set: 2.5 },
  ]);
  const run = await taken(page, 'run');
  const header = readFileSync(run.file);
  const { __metadata__: about } = JSON.parse(header.toString('utf8', 8, 8 + Number(header.readBigUInt64LE(0))));
  assert.deepEqual(JSON.parse(about.changes), changes);

  const { name, file } = await taken(page, 'page');
  assert.equal(name, 'glassformer-topics-changed-attention.html');
  assert.deepEqual(problems, []);
  await close();
  const viewer = await openFile(file);
  assert.equal(await viewer.page.locator('.changes').innerText(), said);
  // The same page without the list of changed cells: only one cell is painted otherwise, and it is the changed one.
  const plain = path.join(kept, 'plain.html');
  const text = readFileSync(file, 'utf8');
  writeFileSync(plain, text.replace(/"edited":\[\{[^\]]*\]/g, '"edited":[]'));
  assert.notEqual(readFileSync(plain, 'utf8'), text);
  const other = await openFile(plain);
  await other.page.waitForFunction(() => document.querySelector('canvas.matrix')?.clientWidth);
  const painted = (await picture(other.page, 'canvas.matrix')).replace(/^.*,/, '');
  await other.close();
  const { left, right, top, bottom, count } = await differing(viewer.page, painted);
  assert.ok(right - left < 64 && bottom - top < 64 && count > 40, `${[left, right, top, bottom, count]}`);
  await viewer.page
    .locator('canvas.matrix')
    .hover({ position: { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) } });
  await viewer.page.waitForFunction(() => document.querySelector('#now')?.textContent?.startsWith("query 'wild'"));
  assert.equal(await viewer.page.locator('#now').innerText(), "query 'wild', key 'a', weight 0.62, set by hand");
  assert.deepEqual(viewer.problems, []);
  await viewer.close();
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

/** Opens an exported page from the disk, with the network off. @param {string} file @param {import('playwright-core').BrowserContextOptions} [options] */
async function openFile(file, options = {}) {
  const context = await site.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.setOffline(true);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  const asked = /** @type {string[]} */ ([]);
  page.on('request', (request) => asked.push(request.url()));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  await page.waitForSelector('#now');
  return { page, problems, asked, address, close: () => context.close() };
}

/**
 * Where the picture on show differs from another.
 * @param {Page} page
 * @param {string} other a PNG of the other, in base64
 * @returns {Promise<{ left: number, right: number, top: number, bottom: number, count: number }>} pixels of the canvas
 */
const differing = (page, other) =>
  page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas.matrix'));
    const { width, height } = canvas;
    const wordsOf = (/** @type {CanvasImageSource} */ source) => {
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (
        new OffscreenCanvas(width, height).getContext('2d')
      );
      context.drawImage(source, 0, 0);
      return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    };
    const [first, second] = [wordsOf(canvas), wordsOf(image)];
    const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity, count: 0 };
    first.forEach((word, i) => {
      if (word === second[i]) return;
      const [x, y] = [i % width, Math.floor(i / width)];
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      box.count += 1;
    });
    return box;
  }, other);

/** The number that the page reads out. @param {Page} page */
const read = async (page) =>
  Number(/(-?[\d.e-]+)$/.exec((await page.locator('#now').innerText()).replace('−', '-'))?.[1]);

test('HTML: one file that opens from the disk, without a network, with the run’s numbers', async () => {
  const lab = await openLab(site, { hash: '#layer=1&head=2&query=4&key=2' });
  const pattern = await recorded(lab.page, 'blocks.1.attn.hook_pattern');
  const scores = await recorded(lab.page, 'blocks.2.attn.hook_attn_scores');
  const [, , rows, columns] = pattern.shape;
  await openList(lab.page);
  const { name, file } = await taken(lab.page, 'page');
  assert.equal(name, 'glassformer-topics-attention.html');
  assert.deepEqual(lab.problems, []);
  await lab.close();

  const { page, problems, asked, address, close } = await openFile(file);
  assert.equal(await page.title(), 'topics: attention');
  assert.match(await page.locator('#now').innerText(), /^query 'cat', key 'large', weight/);
  const at = (/** @type {number} */ head, /** @type {number} */ query, /** @type {number} */ key) =>
    (head * rows + query) * columns + key;
  assert.equal(Math.fround(await read(page)), Math.fround(pattern.data[at(2, 4, 2)]));
  // Keys move, heads and kinds change; every number is the recorded one.
  await page.locator('canvas.matrix').press('ArrowRight');
  assert.equal(Math.fround(await read(page)), Math.fround(pattern.data[at(2, 4, 3)]));
  await page.locator('canvas.heads').press('ArrowDown');
  await page.getByRole('radio', { name: 'scores' }).check();
  assert.equal(Math.fround(await read(page)), Math.fround(scores.data[at(2, 4, 3)]));
  // The pointer: over a cell, and a token chosen.
  await page.getByRole('combobox', { name: 'head' }).selectOption('0');
  await page.getByRole('button', { name: 'fur' }).click();
  assert.match(await page.locator('#now').innerText(), /^query 'fur', key 'wild', score/);
  assert.equal(await page.locator('.token.query').innerText(), 'fur');
  const box = await page.locator('canvas.matrix').boundingBox();
  if (!box) throw new Error('there is no heatmap');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => !document.querySelector('#now')?.textContent?.startsWith("query 'fur'"));
  await page.getByRole('radio', { name: 'arcs' }).check();
  assert.ok(await page.locator('canvas.arcs').isVisible());
  await page.locator('canvas.arcs').press('Escape');
  assert.match(await page.locator('#now').innerText(), /^Point at a cell/);
  const before = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByRole('radio', { name: 'dark' }).check();
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), before);
  assert.deepEqual(asked, [address], 'nothing but the file is asked for');
  assert.deepEqual(problems, []);
  await close();
});

test('HTML: its policy lets nothing run but the viewer', async () => {
  const lab = await openLab(site, {
    hash: `#text=${encodeURIComponent('</script><script>document.title = 1</script> cat')}`,
  });
  await openList(lab.page);
  const { file } = await taken(lab.page, 'page');
  await lab.close();
  const { page, problems, close } = await openFile(file);
  assert.equal(await page.title(), 'topics: attention');
  assert.match(await page.locator('.text').innerText(), /^<\/script>/);
  assert.deepEqual(problems, []);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.body.append(script);
  });
  assert.equal(await page.title(), 'topics: attention');
  assert.ok(problems.some((problem) => problem.includes('Content Security Policy')));
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
  const viewer = await openFile(file);
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
  const { images } = await parsedSvg((await taken(page, 'svg')).file);
  assert.equal(images.length, 1);
  const [, base64] = /^data:image\/png;base64,(.+)$/.exec(images[0]) ?? [];
  const { data } = await recorded(page, 'blocks.0.attn.hook_pattern');
  const { size, colours } = await pixelsOf(page, base64, [[0, count - 1]]);
  assert.deepEqual(size, [count, count]);
  // Long texts have the square roots of weights in colour.
  assert.deepEqual(colours[0], colourOf(Math.sqrt(data[(count - 1) * count]), 'ylorrd', false));
  assert.equal((await parsedSvg((await taken(page, 'headsSvg')).file)).images.length, 8);
  assert.deepEqual(problems, []);
  await close();
});

test('on a phone and for axe: the list, and the exported page', async () => {
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, problems, close } = await openLab(site, options);
  await openList(page);
  assert.deepEqual(await barriers(page, '#head'), []);
  for (const button of await page.locator('.export button').all()) {
    const box = await button.boundingBox();
    assert.ok(box && box.height >= 44 && box.x + box.width <= 390, await button.innerText());
  }
  const { file } = await taken(page, 'page');
  assert.deepEqual(problems, []);
  await close();
  for (const where of [options, {}, { colorScheme: /** @type {const} */ ('dark') }]) {
    const viewer = await openFile(file, where);
    assert.deepEqual(await barriers(viewer.page, 'body'), []);
    const wide = await viewer.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(wide, 'nothing sticks out sideways');
    await viewer.close();
  }
});
