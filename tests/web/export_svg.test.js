import assert from 'node:assert/strict';
import test from 'node:test';
import { selectLines, layoutArcs } from '../../web/view/arcs.js';
import { layoutHeatmap } from '../../web/view/layout.js';
import { palette } from '../../web/view/palette.js';
import { weightScale } from '../../web/view/scale.js';
import { MOST_RECTANGLES, svgFile, writeArcs, writeHeads, writeHeatmap } from '../../web/view/svg.js';
import { escapeXml } from '../../web/view/svg-context.js';
import { LIGHT } from '../../web/view/theme.js';
import { layoutThumbnails } from '../../web/view/thumbnails.js';
import { measure, someWeights } from './view_fakes.js';

const scale = weightScale();
const colors = palette('ylorrd');
const about = { title: 'topics, layer 1', description: 'a < b & "c"', theme: LIGHT };
const toImage = (/** @type {number} */ width, /** @type {number} */ height) =>
  `data:image/png;base64,${width}x${height}`;

/** @param {string[]} tokens @param {{ masked?: Uint8Array | null, selected?: any, width?: number }} [options] */
function heatmap(tokens, { masked = null, selected = null, width = 800 } = {}) {
  const { ticks, formats } = scale;
  const room = { width, measure, fonts: LIGHT, ticks, formats, barTitle: 'weight' };
  const layout = layoutHeatmap({ queries: tokens, keys: tokens, ...room });
  const matrix = someWeights(tokens.length, tokens.length);
  const picture = { matrix, scale, palette: colors, masked };
  const write = (/** @type {any} */ svg) => writeHeatmap(svg, { layout, theme: LIGHT, picture, selected, toImage });
  return { text: svgFile(layout, about, write), layout, matrix };
}

/** Attributes of each element of a name. @param {string} text @param {string} name @returns {Record<string, string>[]} */
const elements = (text, name) =>
  Array.from(text.matchAll(new RegExp(`<${name}( [^>]*?)/?>`, 'g')), ([, found]) =>
    Object.fromEntries(Array.from(found.matchAll(/ ([\w:-]+)="([^"]*)"/g), ([, key, value]) => [key, value])),
  );
/** The part of a file between a group's tags. @param {string} text @param {string} name @param {string} next the group after it */
const group = (text, name, next) =>
  text.slice(text.indexOf(`<g class="${name}">`), text.indexOf(`<g class="${next}">`));

test('a cell is a rectangle where the layout has it, in the colour of its value', () => {
  const { text, layout, matrix } = heatmap(['a', 'b', 'c', 'd']);
  const cells = elements(group(text, 'cells', 'numbers'), 'rect');
  assert.equal(cells.length, 16);
  cells.forEach(({ x, y, width, fill }, i) => {
    assert.equal(Number(x), layout.plot.x + (i % 4) * layout.cell);
    assert.equal(Number(y), layout.plot.y + Math.floor(i / 4) * layout.cell);
    assert.equal(Number(width), layout.cell - (i % 4 < 3 ? 1 : 0));
    const at = Math.round(matrix.data[i] * 255) * 4;
    assert.equal(fill, `#${Buffer.from(colors.bytes.slice(at, at + 3)).toString('hex')}`);
  });
  assert.match(
    text,
    new RegExp(`<svg [^>]*width="${layout.width + 24}" height="${layout.height + 24}" viewBox="-12 -12 `),
  );
});

test('numbers, tokens, ticks and title are texts', () => {
  const { text } = heatmap(['a<b', 'c&"d"', 'e\u0007f', 'sat']);
  const texts = Array.from(text.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, of]) => of);
  assert.equal(texts.filter((of) => /^[01]\.\d\d$/.test(of)).length, 16);
  for (const wanted of ['a&lt;b', 'c&amp;&quot;d&quot;', 'e\u2407f', 'sat', 'weight', '0.5', 'key →', 'query ↓']) {
    assert.ok(texts.includes(wanted), wanted);
  }
  assert.match(text, /<desc id="glassformer-desc">a &lt; b &amp; &quot;c&quot;<\/desc>/);
  assert.match(text, /font-family="ui-monospace, 'SF Mono', [^"]*monospace"/);
  assert.equal(escapeXml('\u0000x\ud800\uffff😀'), '\ufffdx\ufffd\ufffd😀');
});

test('a stretch of masked cells is one hatched rectangle', () => {
  const masked = Uint8Array.from([0, 1, 1, 0, 0, 1, 0, 0, 0]);
  const { text, layout } = heatmap(['a', 'b', 'c'], { masked });
  const hatched = elements(group(text, 'cells', 'numbers'), 'rect').filter(({ fill }) => fill.startsWith('url('));
  assert.deepEqual(
    hatched.map(({ width }) => Number(width)),
    [2 * layout.cell, layout.cell],
  );
  const [pattern] = elements(text, 'pattern');
  assert.equal(hatched[0].fill, `url(#${pattern.id})`);
});

test('what is selected is marked, and its labels stand there once', () => {
  const { text } = heatmap(['one', 'two', 'three'], { selected: { query: 0, key: 2 } });
  const texts = Array.from(text.matchAll(/<text [^>]*fill="([^"]*)"[^>]*>([^<]*)<\/text>/g), ([, fill, of]) => [
    of,
    fill,
  ]);
  const of = (/** @type {string} */ token) => texts.filter(([name]) => name === token).map(([, fill]) => fill);
  assert.deepEqual(of('one'), [LIGHT.text, LIGHT.query], 'the column in ink, the row in the query colour');
  assert.deepEqual(of('three').sort(), [LIGHT.text, LIGHT.key].sort());
  assert.ok(elements(text, 'rect').some(({ fill }) => fill === LIGHT.accent));
});

test('beyond some thousands of cells they are one image', () => {
  const tokens = Array.from({ length: 129 }, (_, i) => `t${i}`);
  assert.ok(tokens.length ** 2 > MOST_RECTANGLES);
  const { text } = heatmap(tokens);
  assert.equal(elements(text, 'image').length, 1);
  assert.equal(elements(text, 'image')[0].href, 'data:image/png;base64,129x129');
  assert.ok(elements(text, 'rect').length < 200);
});

test('arcs are paths with the weights of the chosen token; tokens are texts', () => {
  const tokens = ['the', 'cat', 'sat'];
  const matrix = someWeights(3, 3);
  const layout = layoutArcs({ queries: tokens, keys: tokens, width: 600, measure, fonts: LIGHT });
  const { lines } = selectLines(matrix);
  const theme = LIGHT;
  const all = svgFile(layout, about, (svg) => writeArcs(svg, { layout, theme, matrix, lines }));
  const curves = elements(all, 'path').flatMap(({ d }) => d.match(/M[^M]*C[^M]*/g) ?? []);
  assert.equal(curves.length, lines.length);
  const selected = { query: 1 };
  const one = svgFile(layout, about, (svg) => writeArcs(svg, { layout, theme, matrix, lines, selected }));
  assert.equal((one.match(/>0?\.\d\d</g) ?? []).length, 3);
  assert.ok(elements(one, 'path').some(({ stroke }) => stroke === LIGHT.query));
});

test('all heads: a group each, marks over them', () => {
  const patterns = [0, 1].map(() => ({ shape: [1, 3, 5, 5], data: someWeights(15, 5).data }));
  const layout = layoutThumbnails({ layers: 2, heads: 3, width: 300, fonts: LIGHT, measure });
  const picture = { patterns, scale, palette: colors };
  const marks = { selected: { layer: 1, head: 2 }, off: [{ layer: 0, head: 0 }] };
  const theme = LIGHT;
  const text = svgFile(layout, about, (svg) => writeHeads(svg, { layout, theme, picture, marks, toImage }));
  assert.equal((text.match(/class="layer \d head \d"/g) ?? []).length, 6);
  assert.ok(elements(text, 'rect').length >= 150);
  const large = [0, 1].map(() => ({ shape: [1, 3, 64, 64], data: someWeights(192, 64).data }));
  const more = { ...picture, patterns: large };
  const images = svgFile(layout, about, (svg) => writeHeads(svg, { layout, theme, picture: more, toImage }));
  assert.equal(elements(images, 'image').length, 6);
});
