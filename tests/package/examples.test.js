// The example pages as they come out of the tarball, on a static host that sends the strict policy: no bundler, no dependencies, no
// other files than the package's. Their numbers are the engine's, and what they share is fetched and started once.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import AxeBuilder from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../../wasm_build/scripts/chromium.js';
import { parseTensor } from '../../web/elements/tensor-data.js';
import { load } from '../../web/engine/index.js';
import { drawn, matrixOf } from '../browser/elements.js';
import { startHost } from '../browser/host.js';
import { PATIENCE } from '../browser/lab.js';
import { watchProblems } from '../browser/page.js';
import { unpackPacked } from './project.js';

const brotli = promisify(brotliCompress);
/** As hosts compress while they send: quickly. @param {Buffer} bytes */
const compress = (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
/** Two builds of the core may round differently where one has relaxed SIMD: a product and sum at once, or one after the other. */
const ROUNDING = 1e-5;

/** @type {Awaited<ReturnType<typeof unpackPacked>>} */
let unpacked;
/** @type {import('../browser/host.js').Host} */
let host;
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  unpacked = await unpackPacked();
  host = await startHost(unpacked.folder, { prefix: '/some/where/', compress });
  browser = await chromium.launch(chromiumOptions());
});
after(async () => {
  await browser?.close();
  await host?.stop();
  unpacked?.close();
});

/** Opens a page and brings all of it near. @param {string} file */
async function open(file) {
  host.sent.length = 0;
  const context = await browser.newContext({ viewport: { width: 900, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.goto(host.url + file);
  for (const figure of await page.locator('figure, iframe').all()) await figure.scrollIntoViewIfNeeded();
  await drawn(page);
  return { page, problems };
}

/** What was fetched, and how often. @param {RegExp} which */
const fetched = (which) =>
  host.sent.filter(({ path: file }) => which.test(file)).map(({ path: file }) => path.basename(file));

/** @param {ArrayLike<number | string>} actual @param {ArrayLike<number>} expected @param {number} within */
function assertClose(actual, expected, within) {
  assert.equal(actual.length, expected.length);
  const worst = Math.max(...Array.from(expected, (value, i) => Math.abs(value - Number(actual[i]))));
  assert.ok(worst <= within, `off by ${worst}`);
}

/** Narrow and dark, axe-core finds nothing, and nothing is wider than the window. @param {import('playwright-core').Page} page */
async function assertReadable(page) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`)}`,
    ),
    [],
  );
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
}

/** One head as the engine computes it here. @param {string} text @param {number} layer @param {number} head */
async function computed(text, layer, head) {
  const model = await load('topics');
  const name = `blocks.${layer}.attn.hook_pattern`;
  const run = await model.run(text, { record: [name] });
  const { shape, data } = run.get(name);
  const size = shape[2] * shape[3];
  model.dispose();
  return data.slice(head * size, (head + 1) * size);
}

test('attention.html: four elements of one run, one worker, one model; nothing left behind in the page', async () => {
  const { page, problems } = await open('web/examples/attention.html');
  const expected = await computed('a large wild cat', 1, 3);
  assertClose((await matrixOf(page, 'attention-heatmap')).data, expected, ROUNDING);
  assertClose((await matrixOf(page, 'attention-arcs')).data, expected, ROUNDING);
  assert.equal(page.workers().length, 1);
  assert.deepEqual(fetched(/wasm$/).length, 1);
  assert.deepEqual(fetched(/models\/topics\//).sort(), [
    'config.json',
    'model.safetensors',
    'tokenizer.json',
    'tokenizer_config.json',
  ]);

  // A head is chosen in the grid: what follows the selection shows it, what has a head of its own does not.
  await page.locator('head-grid canvas').press('ArrowUp');
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attention-arcs')).spot.layer === 0);
  assertClose((await matrixOf(page, 'attention-heatmap')).data, expected, ROUNDING);

  const left = await page.evaluate(() => ({
    names: Object.keys(globalThis),
    sheets: document.adoptedStyleSheets.length,
    styles: document.querySelectorAll('style, [style]').length,
  }));
  const empty = await browser.newPage();
  await empty.goto(`${host.url}web/examples/icon.svg`);
  const usual = new Set(await empty.evaluate(() => Object.keys(globalThis)));
  // Lit marks itself, so that a page with two of it can be warned.
  assert.deepEqual(left.names.filter((name) => !usual.has(name)).sort(), [
    'litElementVersions',
    'litHtmlVersions',
    'litPropertyMetadata',
    'reactiveElementVersions',
  ]);
  assert.deepEqual([left.sheets, left.styles], [0, 0]);
  await assertReadable(page);
  assert.deepEqual(problems, []);
});

test('what a first picture needs stays within its budget', async () => {
  await open('web/examples/attention.html');
  const sent = (/** @type {RegExp} */ which) =>
    host.sent.filter(({ path: file }) => which.test(file)).reduce((sum, { bytes }) => sum + bytes, 0);
  // 98 kB of scripts and 245 kB of core, compressed as hosts do it, are 0.3 s on 10 Mbit/s; topics, 0.7 MB, comes at the same time.
  assert.ok(sent(/\.js$/) < 110_000, `${sent(/\.js$/)} bytes of scripts`);
  assert.ok(sent(/\.wasm$/) < 280_000, `${sent(/\.wasm$/)} bytes of core`);
  // Exhibits and other things come when they are asked for.
  assert.ok(fetched(/\.js$/).length <= 8, `${fetched(/\.js$/)}`);
});

test('own-attention.html: numbers of transformers from .npy, .safetensors and .json, and no core at all', async () => {
  const { page, problems } = await open('web/examples/own-attention.html');
  const bytes = readFileSync(path.join(unpacked.folder, 'web/examples/data/sentence.npy'));
  const { shape, data } = parseTensor(new Uint8Array(bytes), 'sentence.npy');
  assert.deepEqual(shape, [3, 4, 7, 7]);
  const written = data.slice((4 + 3) * 49, (4 + 4) * 49);
  assertClose((await matrixOf(page, '#bird attention-heatmap')).data, written, 0);
  assertClose((await matrixOf(page, '#one')).data, written, 0);
  assertClose(await computed('a bird that cannot fly', 1, 3), written, 1e-4); // as all families against transformers
  const date = await matrixOf(page, '#date');
  assert.deepEqual([date.rows, date.columns], [11, 12]);
  assert.equal(date.data[5 * 12 + 2], Math.fround(0.8881)); // from the first dash to the m of mars
  assert.equal(page.workers().length, 0);
  assert.deepEqual(fetched(/wasm$|models\//), []);
  await assertReadable(page);
  assert.deepEqual(problems, []);
});

test('two-groups.html: groups do not hear each other; they share worker and model, and a frame has its own', async () => {
  const { page, problems } = await open('web/examples/two-groups.html');
  for (const [id, text] of [
    ['fruit', 'a small red fruit'],
    ['dog', 'a small red dog'],
  ])
    assertClose((await matrixOf(page, `#${id} attention-heatmap`)).data, await computed(text, 1, 3), ROUNDING);
  await page.locator('#fruit token-row').getByText('red', { exact: true }).click();
  await page.getByText('“red” is chosen.').waitFor();
  assert.deepEqual(
    await page.evaluate(() =>
      ['fruit', 'dog'].map((id) => /** @type {any} */ (document.getElementById(id)).selection.query),
    ),
    [3, null],
  );
  assert.equal(await page.locator('output[for="dog"]').innerText(), 'Choose a token.');

  const frame = page.frame({ url: /frame\.html$/ });
  assert.ok(frame);
  await drawn(/** @type {any} */ (frame));
  const { data } = await matrixOf(/** @type {any} */ (frame), 'attention-heatmap');
  const { attention } = JSON.parse(readFileSync(path.join(unpacked.folder, 'web/examples/data/date.json'), 'utf8'));
  assertClose(data, attention[0][0].flat(), 1e-4); // transformers' numbers, written with four digits
  assert.equal(page.workers().length, 2);
  assert.equal(fetched(/topics\/model\.safetensors$/).length, 1);
  assert.equal(fetched(/dates\/model\.safetensors$/).length, 1);
  await assertReadable(page);
  assert.deepEqual(problems, []);
});

test('a page of an author’s, with what it needs copied beside it: an element, and the parts of the library', async () => {
  const site = path.join(unpacked.folder, 'site');
  for (const folder of ['dist', 'models/topics'])
    cpSync(path.join(unpacked.folder, 'web', folder), path.join(site, 'glassformer', folder), { recursive: true });
  writeFileSync(
    path.join(site, 'index.html'),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>mine</title><link rel="icon" href="../web/examples/icon.svg">
<script type="module" src="./glassformer/dist/elements.js"></script><script type="module" src="./mine.js"></script></head>
<body><attention-heatmap model="topics" text="a large wild cat" layer="1" head="3"></attention-heatmap></body></html>`,
  );
  writeFileSync(
    path.join(site, 'mine.js'),
    `import { load, ops, tensor } from './glassformer/dist/engine.js';
const model = await load('topics');
const { weights } = await ops.attention(tensor([[1, 0]]), tensor([[1, 0], [0, 1]]), tensor([[1, 0], [0, 1]]));
document.title = JSON.stringify([model.config.model_type, weights.data[0]]);`,
  );
  const { page, problems } = await open('site/index.html');
  await page.waitForFunction(() => document.title.startsWith('['));
  const [family, weight] = JSON.parse(await page.title());
  assert.equal(family, 'electra');
  assert.ok(Math.abs(weight - 0.66976) < 1e-5); // softmax of [1, 0] / √2
  assertClose((await matrixOf(page, 'attention-heatmap')).data, await computed('a large wild cat', 1, 3), ROUNDING);
  assert.equal(page.workers().length, 1);
  assert.deepEqual(problems, []);
});

const NOTEBOOK = `
import html, json, sys
folder, python = sys.argv[1:]
sys.path.insert(0, python)
import numpy as np
from glassformer_html import attention_html
from IPython.display import HTML, IFrame
attention = np.load(folder + "/../web/examples/data/sentence.npy")
tokens = ["[CLS]", "a", "bird", "that", "cannot", "fly", "[SEP]"]
attention_html([layer[None] for layer in attention], tokens, folder + "/attention.html", text="a bird that cannot fly")
beside = IFrame("attention.html", width="100%", height=700)
text = open(folder + "/attention.html", encoding="utf-8").read()
inside = HTML(f'<iframe srcdoc="{html.escape(text)}" width="100%" height="700" style="border: 0"></iframe>')
with open(folder + "/notebook.html", "w", encoding="utf-8") as file:
    file.write('<!doctype html><meta charset="utf-8"><title>notebook</title>' + beside._repr_html_() + inside._repr_html_())
`;

// Looked for, not imported, which would take its time.
const LOOK = "from importlib.util import find_spec as f\nassert f('numpy') and f('IPython')";
const withoutPython = () =>
  spawnSync('python3', ['-c', LOOK]).status === 0 ? false : 'python3 with numpy and IPython is not here';

test(
  'in a notebook: IPython’s IFrame and HTML show the page that Python wrote',
  { skip: withoutPython() },
  async () => {
    const folder = path.join(unpacked.folder, 'notebook');
    mkdirSync(folder);
    const python = path.join(unpacked.folder, 'web/elements/python');
    const { status, stderr } = spawnSync('python3', ['-c', NOTEBOOK, folder, python], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const context = await browser.newContext();
    await context.setOffline(true);
    const page = await context.newPage();
    const problems = watchProblems(page);
    await page.goto(pathToFileURL(path.join(folder, 'notebook.html')).href);
    const said = [];
    for (const frame of await page.locator('iframe').all()) {
      await frame.contentFrame().locator('canvas.matrix').press('ArrowDown');
      said.push(await frame.contentFrame().locator('#now').innerText());
    }
    assert.match(said[0], /^query '.+', key '.+', weight 0\.\d+$/);
    assert.equal(said[0], said[1]);
    assert.deepEqual(problems, []);
    await context.close();
  },
);

test('the examples load the elements and, at most, a script beside them', () => {
  const folder = path.join(unpacked.folder, 'web/examples');
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
  assert.deepEqual(pages, ['attention.html', 'frame.html', 'own-attention.html', 'two-groups.html']);
  for (const page of pages) {
    const text = readFileSync(path.join(folder, page), 'utf8');
    const [elements, ...own] = [...text.matchAll(/<script type="module" src="([^"]+)"><\/script>/g)].map(
      ([, src]) => src,
    );
    assert.equal(elements, '../dist/elements.js');
    assert.ok(
      own.every((src) => /^\.\/[a-z-]+\.js$/.test(src)),
      `${page}: ${own}`,
    );
    assert.equal(text.match(/<script/g)?.length, 1 + own.length, page);
  }
});
