// What is compared, as files: both sides and their difference are the numbers on show, and names say both.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { palette } from '../../web/view/index.js';
import { indexOf } from '../../web/view/scale.js';
import { differenceScale } from '../../web/view/compare.js';
import { MARGIN, createTaken, hex, openList, parsedSvg, pixelsOf } from './exports.js';
import { PATIENCE, colourOf, openLab, recorded, settled } from './lab.js';
import { openBrowser } from './page.js';

const { taken, remove } = createTaken();
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(async () => {
  await site.close();
  remove();
});

/** Opens a comparison and the list of files. @param {string} hash */
async function openComparison(hash) {
  const lab = await openLab(site, { hash });
  await lab.page.locator('canvas.second').waitFor({ timeout: PATIENCE });
  await settled(lab.page);
  await openList(lab.page);
  return lab;
}

/** Fields of a file of numbers without quotes in it, by its first line's names. @param {string} file */
function rowsOf(file) {
  const [names, ...lines] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(line.map((field, i) => [names[i], field])));
}

test('two heads: pictures of both and of their difference, and its numbers', async () => {
  const { page, problems, close } = await openComparison(
    '#text=a+large+wild+cat&layer=1&query=2&key=3&compare=head&layer2=2&head2=3',
  );
  const [one, two] = [
    await recorded(page, 'blocks.1.attn.hook_pattern'),
    await recorded(page, 'blocks.2.attn.hook_pattern'),
  ];
  const [, , rows, columns] = one.shape;
  const size = rows * columns;
  const first = one.data.slice(0, size).map(Math.fround);
  const second = two.data.slice(3 * size, 4 * size).map(Math.fround);
  const difference = second.map((value, i) => Math.fround(value - first[i]));
  const base = 'glassformer-topics-layer1-head0-vs-topics-layer2-head3-weights-compared';

  const svg = await taken(page, 'comparedSvg');
  assert.equal(svg.name, `${base}.svg`);
  const parsed = await parsedSvg(site.browser, svg.file);
  const scale = differenceScale(difference);
  const { bytes } = palette('brbg');
  const expected = difference.map((value) =>
    hex(bytes.slice(indexOf(scale, value) * 4, indexOf(scale, value) * 4 + 3)),
  );
  assert.deepEqual(parsed.fills, [
    ...[...first, ...second].map((weight) => hex(colourOf(weight, 'ylorrd', false))),
    ...expected,
  ]);
  assert.deepEqual(
    parsed.groups.filter((name) => ['first', 'second', 'difference'].includes(name)),
    ['first', 'second', 'difference'],
  );
  for (const text of ['first: layer 1, head 0', 'second: layer 2, head 3', 'difference: second − first'])
    assert.ok(parsed.texts.includes(text), text);
  assert.equal(parsed.title, 'weights; first: topics, layer 1, head 0; second: topics, layer 2, head 3');
  const said = await page.locator('.below .says').innerText();
  assert.equal(parsed.description?.split('\n').at(-1), said);

  // Each colour of the difference is in the PNG, to the right of both.
  const png = await taken(page, 'comparedPng');
  assert.equal(png.name, `${base}.png`);
  const base64 = readFileSync(png.file, 'base64');
  const { size: pixels } = await pixelsOf(page, base64, []);
  const canvas = await page.locator('canvas.matrix').boundingBox();
  assert.ok(canvas && pixels[0] / 2 - 2 * MARGIN > 3 * (canvas.width - columns), `${pixels}`);
  const across = Array.from(
    { length: Math.floor(pixels[0] / 3 / 8) },
    (_, i) => Math.floor((pixels[0] * 2) / 3) + 8 * i,
  );
  const down = Array.from({ length: Math.floor(pixels[1] / 8) }, (_, i) => 8 * i);
  const grid = down.flatMap((y) => across.map((x) => [x, y]));
  const seen = new Set((await pixelsOf(page, base64, grid)).colours.map(hex));
  assert.deepEqual(
    expected.filter((colour) => !seen.has(colour)),
    [],
  );

  const csv = await taken(page, 'comparedCsv');
  assert.equal(csv.name, `${base}.csv`);
  const lines = rowsOf(csv.file);
  assert.equal(lines.length, size);
  lines.forEach((line, i) => {
    assert.deepEqual(
      [line.first, line.second, line.difference].map((text) => Math.fround(Number(text))),
      [first[i], second[i], difference[i]],
      `line ${i}`,
    );
  });
  assert.deepEqual(
    [lines[size - 2].row, lines[size - 2].column, lines[size - 2]['first query'], lines[size - 2]['second key']],
    ['5', '4', '[SEP]', 'cat'],
  );

  const json = await taken(page, 'comparedJson');
  assert.equal(json.name, `${base}.json`);
  const data = JSON.parse(readFileSync(json.file, 'utf8'));
  assert.deepEqual([data.compared, data.kind, data.difference.is], ['head', 'weights', 'second minus first']);
  assert.deepEqual(
    ['first', 'second'].map((side) => [data[side].model, data[side].layer, data[side].head]),
    [
      ['topics', 1, 0],
      ['topics', 2, 3],
    ],
  );
  assert.deepEqual(data.first.attention.flat().map(Math.fround), first);
  assert.deepEqual(data.second.attention.flat().map(Math.fround), second);
  assert.deepEqual(data.difference.attention.flat().map(Math.fround), difference);

  await page.getByRole('button', { name: 'end the comparison' }).click();
  await page.locator('[data-export=comparedPng]').waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
  await close();
});

test('two models, and texts of two lengths: names say which, and what one side lacks is empty', async () => {
  const models = await openComparison('#text=a+large+wild+cat&layer=1&compare=model&model2=words&layer2=2&head2=3');
  const json = await taken(models.page, 'comparedJson');
  assert.equal(json.name, 'glassformer-topics-layer1-head0-vs-words-layer2-head3-weights-compared.json');
  assert.equal(JSON.parse(readFileSync(json.file, 'utf8')).second.model, 'words');
  assert.deepEqual(models.problems, []);
  await models.close();

  const texts = await openComparison('#text=a+cat&layer=1&compare=text&text2=a+wild+dog');
  const csv = await taken(texts.page, 'comparedCsv');
  assert.equal(csv.name, 'glassformer-topics-layer1-head0-vs-topics-layer1-head0-other-text-weights-compared.csv');
  const lines = rowsOf(csv.file);
  assert.equal(lines.length, 25);
  const last = lines[24];
  assert.deepEqual([last['first query'], last.first, last['second key'], last.difference], ['', '', '[SEP]', '']);
  assert.ok(Number(last.second) > 0);
  const parsed = await parsedSvg(site.browser, (await taken(texts.page, 'comparedSvg')).file);
  assert.equal(parsed.fills.length, 16 + 25);
  assert.match(parsed.description ?? '', /There is no difference to show/);
  assert.equal(JSON.parse(readFileSync((await taken(texts.page, 'comparedJson')).file, 'utf8')).difference, null);
  assert.deepEqual(texts.problems, []);
  await texts.close();
});

test('changed cells have their corners on the side that they are on', async () => {
  const edits = 'blocks.1.attn.hook_pattern*b0h2q3k1*0.62+blocks.1.attn.hook_pattern*b0h2q2k2*0.1';
  const place = 'text=a+large+wild+cat&layer=1&compare=head&layer2=1';
  for (const [heads, side] of /** @type {const} */ ([
    ['head=2&head2=0', 'first'],
    ['head=0&head2=2', 'second'],
  ])) {
    const { page, problems, close } = await openComparison(`#${place}&${heads}&edits=${edits}`);
    const { groups } = await parsedSvg(site.browser, (await taken(page, 'comparedSvg')).file);
    const shown = groups.filter((name) => ['first', 'second', 'difference', 'changed cells'].includes(name));
    assert.deepEqual(
      shown,
      ['first', 'second', 'difference'].flatMap((name) => (name === side ? [name, 'changed cells'] : [name])),
    );
    assert.deepEqual(problems, []);
    await close();
  }
});
