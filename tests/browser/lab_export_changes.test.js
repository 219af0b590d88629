// What was changed in a run, as files: they draw the corner of a changed cell, and say what was changed.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { MARGIN, createTaken, openFile, openList, parsedSvg, pixelsOf } from './exports.js';
import { cellsOf, openLab, picture, settled } from './lab.js';
import { openBrowser } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const { kept, taken, remove } = createTaken();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(async () => {
  await site.close();
  remove();
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

test('files draw the corner of a changed cell, and say what was changed', async () => {
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
  const parsed = await parsedSvg(site.browser, svg.file);
  assert.deepEqual([parsed.title, parsed.description], [title, description]);
  assert.deepEqual(
    parsed.groups.filter((name) => name === 'changed cells' || name === 'caption'),
    ['changed cells', 'caption'],
  );
  assert.ok(parsed.texts.join(' ').includes(said), parsed.texts.join(' '));
  const heads = await parsedSvg(site.browser, (await taken(page, 'headsSvg')).file);
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
  const viewer = await openFile(site.browser, file);
  assert.equal(await viewer.page.locator('.changes').innerText(), said);
  // The same page without the list of changed cells: only one cell is painted otherwise, and it is the changed one.
  const plain = path.join(kept, 'plain.html');
  const text = readFileSync(file, 'utf8');
  writeFileSync(plain, text.replace(/"edited":\[\{[^\]]*\]/g, '"edited":[]'));
  assert.notEqual(readFileSync(plain, 'utf8'), text);
  const other = await openFile(site.browser, plain);
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
