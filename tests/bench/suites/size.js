// What is downloaded, how long it takes from nothing until something was computed, and how much slower the first run is than
// those that follow. Every measurement has a process or a browser profile of its own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, Stop } from '../../../wasm_build/scripts/process.js';
import { serve } from '../../../wasm_build/scripts/serve.js';
import { openPage } from '../lib/browser.js';
import { compressed } from '../lib/compressed.js';
import { atMost, figures, kilobytes, spreadText } from '../lib/report.js';
import { spread } from '../lib/rounds.js';

/** @typedef {import('../contenders/start.js').Start} Start */
/** @typedef {{ url: string, bytes: Buffer }} Loaded */
/** @typedef {{ raw: number, gzip: number, brotli: number }} Sizes */

const LIBRARIES = /** @type {const} */ ({ ours: 'glassformer', ort: 'onnxruntime-web', tfjs: 'tfjs-backend-wasm' });
const startInNode = fileURLToPath(new URL('../contenders/start_node.js', import.meta.url));

/** @param {keyof typeof LIBRARIES} library @returns {Start} */
function inNode(library) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [startInNode, library], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`size: ${library} in Node ended with ${status}: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** Opens a page and keeps all it loads. @param {string} url @param {(opened: Awaited<ReturnType<typeof openPage>>) => Promise<any>} use */
async function loadedBy(url, use) {
  /** @type {Promise<Loaded>[]} */
  const loaded = [];
  const opened = await openPage(url, {
    before: (page) =>
      page.context().on('response', (response) => {
        // What the service worker keeps for later is no part of a visit.
        if (response.ok() && response.url().startsWith('http') && response.request().serviceWorker() === null)
          loaded.push(response.body().then((bytes) => ({ url: response.url(), bytes })));
      }),
  });
  try {
    const value = await use(opened);
    return { value, loaded: await Promise.all(loaded) };
  } finally {
    await opened.close();
  }
}

/** @param {Loaded[]} loaded @param {RegExp} kind of file @returns {Promise<Sizes>} */
async function sizes(loaded, kind) {
  const total = { raw: 0, gzip: 0, brotli: 0 };
  for (const { url, bytes } of loaded) {
    if (!kind.test(new URL(url).pathname)) continue;
    const { gzip, brotli } = await compressed(bytes);
    total.raw += bytes.length;
    total.gzip += gzip;
    total.brotli += brotli;
  }
  return total;
}

/** The built page with the model it opens by itself, by kind of file. @param {(text: string) => void} progress */
async function site(progress) {
  progress('the page');
  if (!existsSync(path.join(root, 'build/site/index.html')))
    throw new Stop('size: build/site is missing; npm run bench makes it');
  const server = await serve({ port: 0 });
  try {
    const { loaded } = await loadedBy(server.url, ({ page }) => page.waitForLoadState('networkidle'));
    /** @type {[string, RegExp][]} */
    const kinds = [
      ['core: wasm and glue', /glassformer[^/]*\.(js|mjs|wasm)$/],
      ['page: HTML, CSS, scripts, icon', /(\/|\.html|\.css|\.svg|\.ico|\/(?!glassformer)[^/]*\.js)$/],
      ['default model', /\/models\//],
      ['all', /./],
    ];
    /** @type {{ what: string, sizes: Sizes }[]} */
    const found = [];
    for (const [what, kind] of kinds) found.push({ what, sizes: await sizes(loaded, kind) });
    return { found, files: loaded.map(({ url, bytes }) => [path.basename(new URL(url).pathname), bytes.length]) };
  } finally {
    await server.close();
  }
}

/**
 * @param {(page: string) => string} url of the pages
 * @param {{ rounds: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function sizeSuite(url, { rounds, progress }) {
  const names = /** @type {(keyof typeof LIBRARIES)[]} */ (Object.keys(LIBRARIES));
  /** @type {Record<string, Start[]>} */
  const starts = {};
  /** @type {Record<string, Loaded[]>} */
  const files = {};
  for (let round = 0; round < rounds; round++) {
    for (const library of names) {
      progress(`round ${round + 1} of ${rounds}: ${library}`);
      (starts[`Node ${library}`] ??= []).push(inNode(library));
      const { value, loaded } = await loadedBy(url(`start_${library}.html`), ({ global }) => global('started'));
      (starts[`Chromium ${library}`] ??= []).push(value);
      files[library] = loaded;
    }
  }
  const startTable = {
    head: ['host', 'library', 'scripts, ms', 'ready, ms', 'first run, ms', 'steady, ms', 'first to steady'],
    rows: /** @type {string[][]} */ ([]),
  };
  const of = (/** @type {string} */ key, /** @type {keyof Start} */ part) =>
    spread(starts[key].map((start) => start[part]));
  const toSteady = (/** @type {string} */ key) => spread(starts[key].map(({ first, steady }) => first / steady));
  for (const host of ['Node', 'Chromium']) {
    for (const library of names) {
      const key = `${host} ${library}`;
      const parts = /** @type {const} */ (['scripts', 'ready', 'first', 'steady']).map((part) =>
        spreadText(of(key, part)),
      );
      startTable.rows.push([host, LIBRARIES[library], ...parts, spreadText(toSteady(key))]);
    }
  }

  const sizeTable = { head: ['what', 'raw', 'gzip', 'brotli'], rows: /** @type {string[][]} */ ([]) };
  const add = (/** @type {string} */ what, /** @type {Sizes} */ { raw, gzip, brotli }) =>
    sizeTable.rows.push([what, kilobytes(raw), kilobytes(gzip), kilobytes(brotli)]);
  /** @type {Record<string, Sizes>} */
  const bySize = {};
  for (const library of names) {
    progress(`compressing ${library}`);
    bySize[library] = await sizes(files[library], /\.(js|mjs|wasm)$/);
    add(`${LIBRARIES[library]}: wasm and scripts of a page that runs the encoder`, bySize[library]);
  }
  const { found, files: siteFiles } = await site(progress);
  for (const { what, sizes: total } of found) add(`our page, ${what}`, total);
  const part = (/** @type {number} */ index) => found[index].sizes.brotli;

  const ms = (/** @type {number} */ value) => `${figures(value)} ms`;
  const times = (/** @type {number} */ value) => `${value.toFixed(2)}×`;
  return {
    title: 'Start and size',
    tables: [startTable, sizeTable],
    goals: [
      atMost('wasm and glue, brotli', 150_000, part(0), kilobytes),
      atMost('core, page and default model, brotli', 1_000_000, part(3), kilobytes),
      ...['Node', 'Chromium'].flatMap((host) => [
        atMost(`ready, ${host}`, 60, of(`${host} ours`, 'ready').median, ms),
        atMost(`first run to steady, ${host}`, 1.3, toSteady(`${host} ours`).median, times),
      ]),
    ],
    notes: [
      'scripts: until the process or the page has loaded its scripts; ready: from there until a tiny model has been run',
    ],
    data: { starts, sizes: bySize, site: found, siteFiles },
  };
}
