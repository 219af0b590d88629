// The engine in Chromium, bundled and under the page's policy: in a worker, and on the main thread where none can be made.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { chromiumOptions } from '../../wasm_build/scripts/chromium.js';
import { load } from '../../web/engine/index.js';
import { contentSecurityPolicy } from '../../web/vite.config.js';
import { PATIENCE } from './lab.js';
import { watchProblems } from './page.js';

const here = (/** @type {string} */ place) => fileURLToPath(new URL(place, import.meta.url));
const folder = here('../reference/golden/models/bert_sequence');
const outDir = here('../../build/engine-site');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };
const input = {
  ids: [
    [1, 2, 3, 4],
    [5, 6],
  ],
};

/** Serves the bundle at /, a frame that may run scripts but has no origin at /sandboxed, and a model at /model/. */
async function answer({ url }, response) {
  const { pathname } = new URL(url, 'http://localhost');
  try {
    if (pathname === '/sandboxed') {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end('<iframe sandbox="allow-scripts" src="/"></iframe>');
      return;
    }
    const root = pathname.startsWith('/model/') ? folder : outDir;
    const file = path.join(root, pathname === '/' ? 'index.html' : pathname.replace(/^\/model/, ''));
    const body = await readFile(file);
    response.writeHead(200, {
      'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': contentSecurityPolicy,
      'Access-Control-Allow-Origin': '*', // a frame without an origin asks from another one
    });
    response.end(body);
  } catch {
    response.writeHead(404, { 'Access-Control-Allow-Origin': '*' });
    response.end();
  }
}

let server;
let browser;
let url;
before(async () => {
  await build({
    root: here('engine'),
    configFile: false,
    base: './',
    logLevel: 'warn',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0, target: 'es2022' },
  });
  server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch(chromiumOptions());
});
after(async () => {
  await browser?.close();
  await new Promise((resolve) => server?.close(resolve));
  await rm(outDir, { recursive: true, force: true });
});

async function newPage() {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  return page;
}

/** Loads the model in a frame and runs it: what came out, as plain data. @param {'baseline' | 'auto'} simd */
const loadAndRun = (frame, simd = 'baseline') =>
  frame.evaluate(
    async ([given, simd]) => {
      const { engine } = globalThis;
      const model = await engine.load(new URL('/model/', location.href).href, { simd });
      const run = await model.run(given, { record: ['*pattern'] });
      const pattern = run.get('blocks.0.attn.hook_pattern');
      return {
        logits: [...run.output.logits.data],
        pattern: [...pattern.data],
        shape: pattern.shape,
        names: run.names,
      };
    },
    [input, simd],
  );

// The same binary gives the same bits; Chromium may have relaxed SIMD where this Node has not.
async function expected() {
  const model = await load(folder, { simd: 'baseline' });
  const run = await model.run(input, { record: ['*pattern'] });
  model.dispose();
  const pattern = run.get('blocks.0.attn.hook_pattern');
  return { logits: [...run.output.logits.data], pattern: [...pattern.data], shape: pattern.shape, names: run.names };
}

test('in a worker: the numbers are those of Node, no rule of the policy is broken', async () => {
  const page = await newPage();
  const problems = watchProblems(page);
  await page.goto(url);
  await page.waitForFunction(() => 'engine' in globalThis);
  const optional = /404|\/model\/(tokenizer|vocab)/; // what a folder may lack is asked for
  assert.deepEqual(await loadAndRun(page), await expected());
  assert.equal(page.workers().length, 1);
  assert.deepEqual(
    problems.filter((problem) => !optional.test(problem)),
    [],
  );
  await page.close();
});

test('the binary that the browser is given agrees with the baseline to 1e-5', async () => {
  const page = await newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'engine' in globalThis);
  const given = await loadAndRun(page, 'auto');
  const baseline = await expected();
  for (const name of /** @type {const} */ (['logits', 'pattern']))
    given[name].forEach((value, i) => assert.ok(Math.abs(value - baseline[name][i]) <= 1e-5, `${name} ${i}`));
  await page.close();
});

test('in a worker: errors keep code and message, runs wait their turn, disposal and training work', async () => {
  const page = await newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'engine' in globalThis);
  const found = await page.evaluate(async (given) => {
    const { create, load, train, ops, tensor, GlassError } = globalThis.engine;
    const failure = (promise) =>
      promise.then(
        () => null,
        (error) => ({ code: error.code, message: error.message, ours: error instanceof GlassError }),
      );
    const model = await load(new URL('/model/', location.href).href);
    const stop = new AbortController();
    const waiting = [model.run(given), model.run(given, { signal: stop.signal }), model.run(given)];
    stop.abort();
    const aborted = await failure(waiting[1]);
    const others = (await Promise.all([waiting[0], waiting[2]])).map((run) => run.output.logits.shape);
    const unknown = await failure(model.parameter('nothing'));
    const misfit = await failure(model.run({ ids: [[99999]] }));
    const weight = await model.parameter('classifier.bias');
    await model.setParameter('classifier.bias', weight);
    const kept = weight.data.length; // not taken away by the transfer
    const steps = [];
    const training = train(model, { data: [{ ids: [1, 2], labels: 0 }], batchSize: 1, steps: 3 });
    for await (const { step } of training) steps.push(step);
    const state = (await training.state()).length;
    const saved = Object.keys(await model.save());
    const last = model.run(given);
    model.dispose();
    const disposed = await failure(last);
    const config = await failure(create({ model_type: 'nothing' }));
    const softmax = [...(await ops.softmax(tensor([0, 0]))).data];
    return { aborted, others, unknown, misfit, kept, steps, state, saved, disposed, config, softmax };
  }, input);
  assert.equal(found.aborted.code, 'aborted');
  assert.deepEqual(
    found.others,
    [
      [2, 3],
      [2, 3],
    ].map(([rows]) => [rows, found.others[0][1]]),
  );
  assert.equal(found.unknown.code, 'not-found');
  assert.ok(found.unknown.ours);
  assert.equal(found.misfit.code, 'bad-input');
  assert.match(found.misfit.message, /got 99999/);
  assert.ok(found.kept > 0);
  assert.deepEqual(found.steps, [1, 2, 3]);
  assert.ok(found.state > 0);
  assert.deepEqual(found.saved, ['config.json', 'model.safetensors']);
  assert.equal(found.disposed.code, 'disposed');
  assert.equal(found.config.code, 'unsupported');
  assert.deepEqual(found.softmax, [0.5, 0.5]);
  await page.close();
});

test('in a sandboxed frame, which may make no worker: on the main thread, with equal numbers', async () => {
  const page = await newPage();
  await page.goto(new URL('sandboxed', url).href);
  await page.waitForFunction(() => globalThis.frames.length === 1);
  const frame = page.frames()[1];
  await frame.waitForFunction(() => 'engine' in globalThis);
  assert.deepEqual(await loadAndRun(frame), await expected());
  assert.equal(page.workers().length, 0);
  await page.close();
});

test('a browser without SIMD is told which versions have it', async () => {
  const page = await newPage();
  await page.addInitScript(() => {
    globalThis.Worker = undefined;
    const validate = WebAssembly.validate;
    WebAssembly.validate = (bytes) => !bytes.includes(0xfd) && validate(bytes); // the prefix of vector instructions
  });
  await page.goto(url);
  await page.waitForFunction(() => 'engine' in globalThis);
  const { code, message } = await page.evaluate(() =>
    globalThis.engine.ops.lookAheadMask(2).then(
      () => null,
      ({ code, message }) => ({ code, message }),
    ),
  );
  assert.equal(code, 'unsupported');
  assert.match(message, /lacks WebAssembly SIMD; expected Chrome or Edge 95, Firefox 100, Safari 16\.4/);
  await page.close();
});
