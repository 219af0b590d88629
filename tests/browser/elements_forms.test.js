// The elements for every reader: keys, screen readers, themes, what goes wrong.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { npy } from '../web/elements_files.js';
import { barriers } from './barriers.js';
import { drawn, heard, matrixOf, openElements, pixels, problemOf } from './elements.js';
import { openBrowser } from './page.js';

const WHERE = 'model="topics" text="a large wild cat"';
const GROUP = `<glass-model src="topics" text="a large wild cat" layer="1" head="3">
  <token-row></token-row><head-grid></head-grid>
  <attention-heatmap><p slot="caption">One head.</p></attention-heatmap><attention-arcs></attention-arcs>
</glass-model>`;

let site;
before(async () => {
  site = await openBrowser();
});
after(() => site?.close());

/** What a screen reader is told last. @param {import('playwright-core').Page} page @param {string} selector */
const said = (page, selector) =>
  page.evaluate(
    (which) => document.querySelector(which)?.shadowRoot?.querySelector('#now')?.textContent ?? '',
    selector,
  );

test('keys move the chosen cell, head and token, and each step is said', async () => {
  const { page, close } = await openElements(site, GROUP);
  const heatmap = page.locator('attention-heatmap canvas');
  await heatmap.focus();
  await heatmap.press('ArrowDown'); // with nothing chosen, to the first cell
  await heatmap.press('ArrowDown');
  await heatmap.press('ArrowRight');
  assert.match(await said(page, 'attention-heatmap'), /^query 'a', key 'a', weight 0\.07\.$/);
  const { detail } = (await heard(page, 'glass-select')).at(-1);
  assert.deepEqual([detail.layer, detail.head, detail.query, detail.key], [1, 3, 1, 1]);
  await heatmap.press('End');
  await heatmap.press('ArrowDown');
  assert.match(
    await said(page, 'attention-heatmap'),
    /^query 'large', key '\[SEP\]', weight 0\.04\. 'large' has its largest/,
  );
  await heatmap.press('Escape');
  assert.deepEqual((await heard(page, 'glass-select')).at(-1).detail.query, null);

  const grid = page.locator('head-grid canvas');
  await grid.press('ArrowDown');
  assert.match(
    await said(page, 'head-grid'),
    /^Layer 2, head 3: 6 queries by 6 keys\. Mean weight on the previous token/,
  );
  await page.locator('token-row button >> nth=0').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  assert.equal((await heard(page, 'glass-select')).at(-1).detail.queryToken, 'large');
  assert.match(await said(page, 'token-row'), /'large' has its largest weights on/);
  await page.locator('attention-arcs canvas').press('ArrowLeft');
  assert.match(await said(page, 'attention-arcs'), /^query 'large', key '\[CLS\]', weight/);
  // Four stops for the Tab key, no more.
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  const stops = [];
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate(() => document.activeElement?.localName));
  }
  assert.deepEqual(stops.filter((name) => name !== 'body').slice(0, 4), [
    'token-row',
    'head-grid',
    'attention-heatmap',
    'attention-arcs',
  ]);
  await close();
});

test('axe-core finds nothing, in light and dark; the picture follows the page’s colours', async () => {
  const head = '<link rel="stylesheet" href="dark.css">';
  const files = {
    'dark.css':
      '.dark { color-scheme: dark; background: #101418; color: #eee; } html { background: #fff; color: #111; }',
  };
  const { page, problems, close } = await openElements(site, GROUP, { head, files });
  const theme = () => page.evaluate(() => /** @type {any} */ (document.querySelector('attention-heatmap')).theme);
  const corner = () =>
    page.evaluate(() => {
      const canvas = /** @type {any} */ (
        document.querySelector('attention-heatmap')?.shadowRoot?.querySelector('canvas')
      );
      return Array.from(canvas.getContext('2d').getImageData(1, 1, 1, 1).data);
    });
  const light = await pixels(page, 'attention-heatmap');
  assert.equal((await theme()).dark, false);
  for (const dark of [false, true]) {
    await page.evaluate((on) => document.documentElement.classList.toggle('dark', on), dark);
    await page.waitForFunction(
      (on) =>
        [...document.querySelectorAll('token-row, attention-heatmap')].every(
          (e) => /** @type {any} */ (e).theme.dark === on,
        ),
      dark,
    );
    await drawn(page);
    assert.deepEqual(await barriers(page), []);
  }
  assert.equal((await theme()).background, 'rgb(16, 20, 24)');
  assert.notEqual(await pixels(page, 'attention-heatmap'), light);
  const [r, g, b, a] = await corner();
  assert.deepEqual(a === 0 ? [16, 20, 24] : [r, g, b], [16, 20, 24]);
  assert.deepEqual(problems, []);
  await close();
});

test('colours that the system forces, and more contrast, hold for the pictures too', async () => {
  const options = { forcedColors: /** @type {const} */ ('active'), colorScheme: /** @type {const} */ ('dark') };
  const { page, close } = await openElements(site, GROUP, options);
  const [theme, canvas] = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'));
    const { color, backgroundColor } = getComputedStyle(probe);
    return [/** @type {any} */ (document.querySelector('attention-heatmap')).theme, { color, backgroundColor }];
  });
  assert.equal(theme.dark, true);
  assert.equal(theme.text, canvas.color);
  assert.deepEqual([theme.muted, theme.rule, theme.key], [theme.text, theme.text, theme.text]);
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more', colorScheme: 'light' });
  const strong = () => /** @type {any} */ (document.querySelector('attention-heatmap')).theme;
  await page.waitForFunction(() => !(/** @type {any} */ (document.querySelector('attention-heatmap')).theme.dark));
  const { text, muted, query } = await page.evaluate(strong);
  assert.equal(muted, text);
  assert.equal(query, '#1a3f9c');
  await close();
});

test('custom properties, height and room; nothing leaks out', async () => {
  const files = {
    'own.css': `attention-heatmap { --glass-height: 300px; --glass-query: #008000; inline-size: 400px; }
      p { color: rgb(1, 2, 3); } attention-heatmap::part(frame) { outline: 3px solid red; }`,
  };
  const { page, close } = await openElements(site, `<p id="own">mine</p>${GROUP}`, {
    head: '<link rel="stylesheet" href="own.css">',
    files,
  });
  const size = await page.locator('attention-heatmap canvas').boundingBox();
  assert.ok(size && size.height <= 300 && size.width <= 400, JSON.stringify(size));
  const found = await page.evaluate(() => {
    const { theme, renderRoot } = /** @type {any} */ (document.querySelector('attention-heatmap'));
    return {
      query: theme.query,
      outline: getComputedStyle(renderRoot.querySelector('.frame')).outlineStyle,
      own: getComputedStyle(/** @type {Element} */ (document.querySelector('#own'))).color,
      sheets: document.adoptedStyleSheets.length,
      globals: Object.keys(globalThis).filter((name) => /glass|^lit/i.test(name)),
      styles: document.querySelectorAll('style, [style]').length,
    };
  });
  // Lit has two lists of its own: its versions, so that two copies on a page are noticed, and metadata of properties.
  const globals = found.globals.filter(
    (name) => !['litPropertyMetadata', 'litHtmlVersions', 'litElementVersions'].includes(name),
  );
  assert.deepEqual(
    { ...found, globals },
    {
      ...{ query: '#008000', outline: 'solid', own: 'rgb(1, 2, 3)', sheets: 0, globals: [], styles: 0 },
    },
  );
  const before = size.width;
  await page.setViewportSize({ width: 360, height: 800 });
  await page.waitForFunction((width) => {
    const canvas = document.querySelector('attention-arcs')?.shadowRoot?.querySelector('canvas');
    return canvas && canvas.clientWidth < 360 && width > 0;
  }, before);
  await close();
});

test('what is wrong is said once, in place, and the page goes on', async () => {
  const one = npy({ descr: '<f4', shape: [2, 2], values: [0.5, 0.5, 1, 0] });
  const wrong = /** @type {[string, RegExp][]} */ ([
    [
      `<attention-heatmap ${WHERE} layer="7"></attention-heatmap>`,
      /^bad-input layer: expected a whole number from 0 to 2, got 7$/,
    ],
    [`<attention-heatmap ${WHERE} head="x"></attention-heatmap>`, /head: expected a whole number from 0 to 3, got "x"/],
    [
      `<attention-heatmap ${WHERE} kind="logits"></attention-heatmap>`,
      /kind: expected "weights" or "scores", got "logits"/,
    ],
    [`<head-grid ${WHERE} palette="jet"></head-grid>`, /palette: expected "viridis", "ylorrd" or "brbg", got "jet"/],
    [`<attention-arcs ${WHERE} attention="cross"></attention-arcs>`, /attention: expected "self", got "cross"/],
    [`<token-row ${WHERE} side="left"></token-row>`, /side: expected "queries" or "keys", got "left"/],
    ['<token-row model="topics"></token-row>', /expected a text for the model to read/],
    ['<token-row></token-row>', /<token-row> has nothing to show/],
    ['<token-row for="nobody"></token-row>', /there is no <glass-model id="nobody">/],
    [
      '<token-row src="a.npy" tokens="a b c"></token-row>',
      /expected 2 tokens as queries for the shape \[2, 2\], got 3/,
    ],
    ['<token-row src="missing.npy"></token-row>', /not-found .*missing\.npy: the server answered 404/],
    ['<token-row src="http://[x"></token-row>', /src: expected an address, got "http:\/\/\[x"/],
    [
      '<token-row><script type="application/json">null</script></token-row>',
      /expected nested lists of numbers, got null/,
    ],
    ['<token-row src="b.npy"></token-row>', /these numbers are no attention weights/],
    [
      '<token-row><script type="application/json">[[1,</script></token-row>',
      /<script type="application\/json"> in <token-row>/,
    ],
    [
      '<head-grid model="nothing" text="x"></head-grid>',
      /not-found config\.json was not found in http.*\/models\/nothing\/\. Expected there: config\.json, model\.safetensors and tok/,
    ],
  ]);
  const { page, problems, close } = await openElements(
    site,
    `<attention-heatmap id="good" ${WHERE}></attention-heatmap>
     ${wrong.map(([tag], i) => tag.replace(/^<([\w-]+)/, `<$1 id="w${i}" loading="eager"`)).join('\n')}
     <glass-model id="group" src="nothing" text="x"><head-grid></head-grid><token-row>a text instead</token-row></glass-model>
     <glass-model id="untold"><head-grid></head-grid></glass-model>`,
    {
      files: { 'a.npy': one, 'b.npy': npy({ descr: '<f4', shape: [2, 2], values: [-2, 5, 1, 0] }) },
      viewport: { width: 900, height: 3000 },
    },
  );
  await page.waitForFunction((count) => {
    const all = /** @type {any[]} */ (/** @type {any} */ (globalThis).heard);
    return all.filter(({ name }) => name === 'glass-error').length >= count;
  }, wrong.length + 2);
  for (const [i, [tag, message]] of wrong.entries()) {
    assert.match(String(await problemOf(page, `#w${i}`)).replace(/\s+/g, ' '), message, tag);
  }
  // A group says it once, not in each of its elements; their own text stays.
  assert.match(String(await problemOf(page, '#group')), /Expected there: config\.json/);
  assert.equal(await problemOf(page, '#group token-row'), null);
  assert.ok(await page.getByText('a text instead').isVisible());
  const errors = await heard(page, 'glass-error');
  assert.equal(errors.length, wrong.length + 2);
  assert.match(
    String(await problemOf(page, '#untold')),
    /<glass-model> has nothing to show: expected src and text, or data/,
  );
  assert.equal((await matrixOf(page, '#good')).rows, 6);
  // What is put right is drawn.
  await page.evaluate(() => {
    /** @type {any} */ (document.querySelector('#w0')).layer = 2;
    /** @type {any} */ (document.querySelector('#w6')).text = 'cat';
  });
  await page.waitForFunction(() => {
    const text = document.querySelector('#w6')?.shadowRoot?.querySelector('ol')?.textContent ?? '';
    const canvas = document.querySelector('#w0')?.shadowRoot?.querySelector('canvas[style]');
    return canvas && text.includes('cat');
  });
  // The browser itself says which files were not there; nothing else.
  assert.deepEqual(
    problems.filter((text) => !/404|missing|nothing|config\.json/.test(text)),
    [],
  );
  await close();
});

test('a row of very many tokens shows the first of them, and says how many there are', async () => {
  const { page, problems, close } = await openElements(site, '<token-row side="keys" query="0"></token-row>', {
    files: { 'long.json': JSON.stringify({ shape: [1, 65_000], data: Array(65_000).fill(1 / 65_000) }) },
    ready: false,
  });
  await page.evaluate(() => document.querySelector('token-row')?.setAttribute('src', 'long.json'));
  await page.waitForFunction(() => document.querySelector('token-row')?.shadowRoot?.querySelector('button'));
  const row = page.locator('token-row');
  assert.equal(await row.locator('button').count(), 2048);
  assert.equal(
    await row.locator('.left-out').innerText(),
    'The first 2048 of 65000 tokens; the others are left out here.',
  );
  // The last one shown is where the End key leads.
  await row.locator('button').first().press('End');
  await page.waitForFunction(
    () => document.querySelector('token-row')?.shadowRoot?.activeElement?.getAttribute('data-token') === '2047',
  );
  assert.deepEqual(problems, []);
  await close();
});

test('where the core’s file is missing, the error says what belongs where', async () => {
  const { page, close } = await openElements(site, `<token-row ${WHERE}></token-row>`, { missing: /\.wasm$/ });
  assert.match(String(await problemOf(page, 'token-row')), /the core could not be loaded.*\.wasm file must be served/);
  await close();
});
