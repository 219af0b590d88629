// The custom elements in an author's page: drawn from a model or from given numbers, shared, lazy, chosen from.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { load } from '../../web/engine/index.js';
import { npy, safetensors } from '../web/elements_files.js';
import { drawn, heard, matrixOf, openElements, pixels, problemOf } from './elements.js';
import { CONFIGS, createFolders } from './folders.js';
import { colourOf } from './lab.js';
import { openBrowser } from './page.js';

const TEXT = 'a large wild cat';
const WHERE = `model="topics" text="${TEXT}"`;

let site;
/** @type {import('../../web/engine/index.js').Run} */
let run;
before(async () => {
  site = await openBrowser();
  run = await (await load('topics')).run(TEXT, { record: ['*.hook_pattern', '*.hook_attn_scores'] });
});
after(() => site?.close());

/** One head of the engine's own run. @param {number} layer @param {number} head @param {string} [hook] */
function computed(layer, head, hook = 'hook_pattern') {
  const { shape, data } = run.get(`blocks.${layer}.attn.${hook}`);
  const size = shape[2] * shape[3];
  return Array.from(data.subarray(head * size, (head + 1) * size));
}

/** @param {(number | string)[]} got @param {number[]} expected @param {number} [tolerance] */
function close(got, expected, tolerance = 1e-5) {
  assert.equal(got.length, expected.length);
  // The browser may run the binary with relaxed SIMD, which agrees to 1e-5.
  got.forEach((value, i) =>
    assert.ok(Math.abs(Number(value) - expected[i]) <= tolerance, `${i}: ${value}, ${expected[i]}`),
  );
}

test('each element draws what the engine computed', async () => {
  const {
    page,
    problems,
    close: end,
  } = await openElements(
    site,
    `<attention-heatmap ${WHERE} layer="1" head="3"></attention-heatmap>
     <attention-heatmap id="scores" ${WHERE} layer="1" head="3" kind="scores"></attention-heatmap>
     <attention-arcs ${WHERE} layer="2" head="0"></attention-arcs>
     <head-grid ${WHERE} layer="0" head="2"></head-grid>
     <token-row ${WHERE} layer="1" head="1" query="4"></token-row>`,
  );
  close((await matrixOf(page, 'attention-heatmap')).data, computed(1, 3));
  close((await matrixOf(page, '#scores', 'scores')).data, computed(1, 3, 'hook_attn_scores'), 1e-4);
  close((await matrixOf(page, 'attention-arcs')).data, computed(2, 0));
  close((await matrixOf(page, 'head-grid')).data, computed(0, 2));
  const row = computed(1, 1).slice(4 * 6, 5 * 6);
  const shown = await page.locator('token-row button span').allTextContents();
  // Shown numbers are rounded so that they add up: each less than one unit of its last place from its value.
  shown.forEach((text, i) => assert.ok(Math.abs(Number(text) - row[i]) < 0.01, `${text}, ${row[i]}`));
  assert.equal(
    shown.reduce((sum, text) => sum + Math.round(100 * Number(text)), 0),
    100,
  );
  assert.deepEqual(await page.locator('token-row bdi').allTextContents(), run.tokens[0]);
  const results = await heard(page, 'glass-result');
  assert.equal(results.length, 5);
  assert.deepEqual(results[0].detail.attentions[0].queries, run.tokens[0]);
  assert.deepEqual(problems, []);
  await end();
});

test('the colours of cells are those of their weights', async () => {
  const { page, close: end } = await openElements(
    site,
    `<attention-heatmap ${WHERE} layer="1" head="3"></attention-heatmap>`,
  );
  const box = await page.locator('attention-heatmap canvas').boundingBox();
  assert.ok(box);
  const weights = computed(1, 3);
  /** @type {[number, number][]} */
  const points = [];
  for (let y = 70; y < box.height; y += 23) for (let x = 70; x < box.width; x += 23) points.push([x, y]);
  // Before anything is pointed at: 7 by 7 pixels around each point, since numbers and gaps cover some of a cell.
  const around = await page.evaluate((list) => {
    const canvas = document.querySelector('attention-heatmap')?.shadowRoot?.querySelector('canvas');
    const context = /** @type {CanvasRenderingContext2D} */ (canvas?.getContext('2d'));
    return list.map(([x, y]) => Array.from(context.getImageData(x - 3, y - 3, 7, 7).data));
  }, points);
  let compared = 0;
  for (const [i, [x, y]] of points.entries()) {
    await page.mouse.move(box.x + x, box.y + y);
    const last = await page.evaluate(() => {
      const moves = /** @type {any[]} */ (/** @type {any} */ (globalThis).heard).filter(
        ({ name }) => name === 'glass-hover',
      );
      const { query = null, key = null } = moves.at(-1)?.detail ?? {};
      return { query, key };
    });
    if (last.query === null || last.key === null) continue;
    const colour = colourOf(weights[last.query * 6 + last.key], 'ylorrd', false);
    const found = Array.from({ length: 49 }, (_, pixel) => around[i].slice(4 * pixel, 4 * pixel + 3));
    assert.ok(
      found.some((rgb) => rgb.every((part, channel) => part === colour[channel])),
      `${last.query}, ${last.key}: ${colour}`,
    );
    compared++;
  }
  assert.ok(compared > 30, `${compared} cells`);
  await end();
});

test('given numbers: .npy, .safetensors, .json, a property and JSON in the page', async () => {
  const all = Float32Array.from([0, 1, 2].flatMap((layer) => [0, 1, 2, 3].flatMap((head) => computed(layer, head))));
  const tokens = JSON.stringify(run.tokens[0]).replaceAll('"', '&quot;');
  const named = `tokens="${tokens}" layer="1" head="3"`;
  const layers = Object.fromEntries(
    [0, 1, 2].map((layer) => [
      `layer.${layer}`,
      { dtype: 'F32', shape: [1, 4, 6, 6], values: [0, 1, 2, 3].flatMap((head) => computed(layer, head)) },
    ]),
  );
  const list = [0, 1, 2, 3, 4, 5].map((i) => computed(1, 3).slice(6 * i, 6 * i + 6));
  const {
    page,
    problems,
    asked,
    close: end,
  } = await openElements(
    site,
    `<attention-heatmap id="npy" src="a.npy" ${named}></attention-heatmap>
     <attention-heatmap id="safe" src="a.safetensors" tensor="layer.*" ${named}></attention-heatmap>
     <attention-arcs id="json" src="a.json"></attention-arcs>
     <attention-heatmap id="inline"><script type="application/json">${JSON.stringify(list)}</script></attention-heatmap>
     <attention-heatmap id="property"></attention-heatmap>
     <glass-model data="a.npy" tokens="${tokens}" layer="1" head="3"><head-grid></head-grid><token-row></token-row></glass-model>`,
    {
      ready: false,
      files: {
        'a.npy': npy({ descr: '<f8', shape: [3, 4, 6, 6], values: all }),
        'a.safetensors': safetensors(layers),
        'a.json': JSON.stringify({ attention: list, tokens: run.tokens[0] }),
      },
    },
  );
  await page.evaluate((value) => {
    /** @type {any} */ (document.querySelector('#property')).data = value;
  }, list);
  await drawn(page);
  const expected = computed(1, 3);
  for (const id of ['#npy', '#safe', '#json', '#inline', '#property', 'head-grid']) {
    close((await matrixOf(page, id)).data, expected, 1e-6);
  }
  assert.deepEqual(await page.locator('token-row bdi').allTextContents(), run.tokens[0]);
  const pictures = await Promise.all(['#npy', '#safe'].map((id) => pixels(page, id)));
  assert.equal(pictures[0], pictures[1]);
  assert.notEqual(pictures[0], await pixels(page, '#inline')); // whose tokens are numbers
  // Numbers that are given need no core.
  assert.ok(!asked.some((url) => /\.wasm|models\//.test(url)), asked.join('\n'));
  assert.deepEqual(problems, []);
  await end();
});

test('several elements: one worker, one copy of a model, each file fetched once', async () => {
  const {
    page,
    asked,
    problems,
    close: end,
  } = await openElements(
    site,
    `<attention-heatmap ${WHERE}></attention-heatmap><head-grid model="./models/topics/" text="a small red fruit"></head-grid>
     <glass-model src="topics" text="to move quickly on foot"><token-row></token-row><attention-arcs></attention-arcs></glass-model>
     <attention-arcs ${WHERE}></attention-arcs>`,
  );
  assert.equal(page.workers().length, 1);
  for (const file of ['config.json', 'tokenizer.json', 'model.safetensors']) {
    assert.equal(asked.filter((url) => url.endsWith(`models/topics/${file}`)).length, 1, file);
  }
  assert.equal(asked.filter((url) => url.endsWith('.wasm')).length, 1);
  assert.deepEqual(problems, []);
  await end();
});

test('an element costs nothing before it comes near', async () => {
  const {
    page,
    asked,
    close: end,
  } = await openElements(
    site,
    `<p id="top">above</p><div class="far"></div><attention-heatmap ${WHERE}></attention-heatmap>
     <details><summary>more</summary><head-grid ${WHERE}></head-grid></details>`,
    { ready: false, head: '<link rel="stylesheet" href="far.css">', files: { 'far.css': '.far { height: 5000px; }' } },
  );
  await page.waitForFunction(() => customElements.get('attention-heatmap'));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const heavy = () => asked.filter((url) => /\.wasm|models\/|worker/.test(url));
  assert.deepEqual(heavy(), []);
  assert.equal(page.workers().length, 0);
  await page.locator('attention-heatmap').scrollIntoViewIfNeeded();
  await drawn(page, 'attention-heatmap');
  assert.equal(page.workers().length, 1);
  // What is folded away is not near.
  assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector('head-grid')).started), false);
  await page.locator('summary').click();
  await drawn(page);
  await end();
});

test('a group shares one selection, two groups do not interfere', async () => {
  const {
    page,
    problems,
    close: end,
  } = await openElements(
    site,
    `<glass-model id="one" src="topics" text="${TEXT}">
       <token-row></token-row><head-grid></head-grid><attention-heatmap id="follows"></attention-heatmap>
     </glass-model>
     <attention-heatmap id="keeps" for="one" layer="2" head="3"></attention-heatmap>
     <glass-model id="two" src="topics" text="${TEXT}"><attention-heatmap id="other"></attention-heatmap></glass-model>`,
    { viewport: { width: 900, height: 3000 } },
  );
  const spot = (/** @type {string} */ id) =>
    page.evaluate((selector) => {
      const { spot, selection } = /** @type {any} */ (document.querySelector(selector));
      return { ...spot, query: selection.query, key: selection.key };
    }, id);
  const before = await pixels(page, '#other');
  // A head: the heatmap that follows shows it, the one with a layer and head of its own does not.
  const grid = await page.locator('head-grid canvas').boundingBox();
  assert.ok(grid);
  await page.mouse.click(grid.x + grid.width - 10, grid.y + grid.height - 10);
  const chosen = (await heard(page, 'glass-select')).at(-1);
  assert.deepEqual([chosen?.of, chosen?.detail.layer, chosen?.detail.head], ['head-grid', 2, 3]);
  assert.deepEqual(await spot('#follows'), { layer: 2, head: 3, query: null, key: null });
  close((await matrixOf(page, '#follows')).data, computed(2, 3));
  // A token: its row everywhere in the group.
  await page.locator('token-row button >> nth=4').click();
  assert.deepEqual(await spot('#follows'), { layer: 2, head: 3, query: 4, key: null });
  assert.deepEqual(await spot('#keeps'), { layer: 2, head: 3, query: 4, key: null });
  assert.deepEqual(await spot('#other'), { layer: 0, head: 0, query: null, key: null });
  assert.equal(await pixels(page, '#other'), before);
  assert.equal(await page.locator('token-row button[aria-pressed="true"]').count(), 1);
  // By script: without an event, which tell what readers do.
  const events = (await heard(page, 'glass-select')).length;
  await page.evaluate(() => {
    /** @type {any} */ (document.querySelector('#one')).selection = { layer: 0, head: 1, query: 2, key: 3 };
  });
  assert.deepEqual(await spot('#follows'), { layer: 0, head: 1, query: 2, key: 3 });
  assert.deepEqual(await spot('#keeps'), { layer: 2, head: 3, query: 2, key: 3 });
  assert.equal((await heard(page, 'glass-select')).length, events);
  // Another text: what it no longer has is not chosen any more.
  await page.evaluate(() => {
    Object.assign(/** @type {any} */ (document.querySelector('#one')), { text: 'cat', query: null });
  });
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('#follows')).shown.queries.length === 3);
  assert.deepEqual(await spot('#follows'), { layer: 0, head: 1, query: 2, key: null });
  assert.equal((await heard(page, 'glass-result')).filter(({ of }) => of === 'one').length, 2);
  // Tokens that there are not are not chosen, whoever names them.
  for (const query of [99, -1, 0.5, NaN, 'length']) {
    await page.evaluate(async (token) => {
      const group = /** @type {any} */ (document.querySelector('#one'));
      group.selection = { query: 1 };
      group.selection = { query: token };
      await /** @type {any} */ (document.querySelector('#one attention-heatmap')).updateComplete;
    }, query);
    assert.deepEqual(await spot('#follows'), { layer: 0, head: 1, query: null, key: null }, String(query));
  }
  await page.locator('#keeps').evaluate((element) => element.setAttribute('query', 'x'));
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('#keeps')).problem);
  assert.match(String(await problemOf(page, '#keeps')), /query: expected a whole number from 0 to 2, got "x"/);
  assert.deepEqual(problems, []);
  await end();
});

test('pointing tells what is pointed at, and the group lights it', async () => {
  const { page, close: end } = await openElements(
    site,
    `<glass-model src="topics" text="${TEXT}" layer="1" head="3"><token-row></token-row><attention-heatmap></attention-heatmap></glass-model>`,
  );
  await page.locator('token-row button >> nth=3').hover();
  const over = (await heard(page, 'glass-hover')).at(-1);
  assert.deepEqual([over?.detail.query, over?.detail.key, over?.detail.queryToken], [3, 3, 'wild']);
  assert.ok(Math.abs(over?.detail.weight - computed(1, 3)[3 * 6 + 3]) < 1e-5);
  const lit = await page.evaluate(() => /** @type {any} */ (document.querySelector('attention-heatmap')).pointed);
  assert.deepEqual(lit, { query: 3, key: 3 });
  await page.mouse.move(1, 1);
  assert.deepEqual((await heard(page, 'glass-hover')).at(-1)?.detail.query, null);
  await end();
});

test('an encoder–decoder: its three attentions, written by itself or given', async () => {
  const folders = createFolders();
  const folder = await folders.make('marian', CONFIGS.marian);
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  for (const name of readdirSync(folder)) files[`tiny/${name}`] = readFileSync(path.join(folder, name));
  folders.remove();
  const {
    page,
    problems,
    close: end,
  } = await openElements(
    site,
    `<glass-model src="./tiny/" text="a cat" target="a dog">
       <attention-heatmap id="cross"></attention-heatmap>
       <head-grid attention="encoder"></head-grid><token-row attention="cross" side="keys"></token-row>
       <attention-arcs attention="decoder"></attention-arcs>
     </glass-model>
     <attention-heatmap id="writes" model="./tiny/" text="a cat" attention="decoder" kind="scores"></attention-heatmap>`,
    { files, viewport: { width: 900, height: 3000 } },
  );
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll('glass-model > *')].map((element) => {
      const { name, heads, queries, keys } = /** @type {any} */ (element).shown;
      return { name, heads, queries: queries.length, keys: keys.length };
    }),
  );
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['cross', 'encoder', 'cross', 'decoder'],
  );
  assert.deepEqual(
    shown.map(({ heads }) => heads),
    [4, 2, 4, 4],
  );
  assert.equal(shown[0].keys, shown[1].keys);
  assert.equal(shown[0].queries, shown[3].queries);
  assert.match(
    await page.evaluate(() => /** @type {any} */ (document.querySelector('#cross')).shown.queries[0]),
    / → /,
  );
  // A decoder sees nothing after itself: above the diagonal all scores are −∞.
  const { rows, columns, data } = await matrixOf(page, '#writes', 'scores');
  assert.equal(rows, columns);
  data.forEach((value, i) => assert.equal(value === '-Infinity', i % columns > Math.floor(i / columns), `${i}`));
  assert.deepEqual(
    problems.filter((text) => !/404|missing|nothing|config\.json/.test(text)),
    [],
  );
  await end();
});
