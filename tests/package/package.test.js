// What is in the package, how large it is, and that it works where people install it: in Node, in TypeScript, in a Vite project.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { build, createServer, preview } from 'vite';
import { chromiumOptions } from '../../wasm_build/scripts/chromium.js';
import { root } from '../../wasm_build/scripts/process.js';
import { drawn, matrixOf } from '../browser/elements.js';
import { watchProblems } from '../browser/page.js';
import { installPacked, node } from './project.js';

/** @type {Awaited<ReturnType<typeof installPacked>>} */
let project;
before(async () => {
  project = await installPacked();
});
after(() => project?.close());

const MB = 1e6;

test('the tarball holds what it should, and no more than it may weigh', () => {
  const names = project.files.map((file) => file.path);
  for (const name of [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'web/engine/index.js',
    'web/elements/index.js',
    'web/types/engine/index.d.ts',
    'web/types/elements/index.d.ts',
    'web/dist/elements.js',
    'web/dist/engine.js',
    'web/dist/LICENSES.md',
    'web/examples/attention.html',
    'web/elements/python/glassformer_html.py',
    'web/elements/python/standalone.html',
    'wasm_build/dist/glassformer.wasm',
    ...['austen', 'dates', 'pronounce', 'topics', 'translate', 'words', 'words-small'].flatMap((model) =>
      ['config.json', 'model.safetensors', 'tokenizer.json'].map((file) => `web/models/${model}/${file}`),
    ),
  ]) {
    assert.ok(names.includes(name), `${name} is missing`);
  }
  // Recipes need the native core, which is not in the package.
  assert.deepEqual(
    names.filter((name) => /\.mjs$/.test(name) && !name.startsWith('wasm_build/dist/')),
    [],
  );
  const sizeOf = (/** @type {(name: string) => boolean} */ chosen) =>
    project.files.filter((file) => chosen(file.path)).reduce((sum, { size }) => sum + size, 0);
  // Weights hardly compress: 15.8 MB of models are 14.2 of the tarball's 15.2 MB. An eighth model, or one that has doubled, should be noticed.
  assert.ok(project.bytes < 16 * MB, `the tarball has ${project.bytes} bytes`);
  // A core is there twice, for bundlers and in web/dist; where Emscripten has relaxed SIMD a second one is.
  const cores = project.files.filter((file) => file.path.endsWith('.wasm') && file.size > 0);
  assert.ok([2, 4].includes(cores.length), `${cores.map((core) => core.path)}`);
  for (const core of cores) assert.ok(core.size < 0.7 * MB, `${core.path} has ${core.size} bytes`);
  // The rest is 0.4 MB of bundled scripts, the sources and their types: 1.7 MB.
  const rest = sizeOf((name) => !name.startsWith('web/models/') && !name.endsWith('.wasm'));
  assert.ok(rest < 2 * MB, `without models and cores there are ${rest} bytes`);
});

test('in Node: load by name, ops, elements that wait for a page; the files that others copy have addresses', async () => {
  writeFileSync(
    path.join(project.folder, 'in-node.js'),
    `import { readFileSync } from 'node:fs';
import { load, ops, tensor } from 'glassformer';
import { AttentionHeatmap } from 'glassformer/elements';
const model = await load('topics');
const at = 'blocks.1.attn.hook_pattern';
const run = await model.run('a large wild cat', { record: [at] });
const q = tensor([[1, 0], [0, 1]]);
const { weights } = await ops.attention(q, q, q);
const files = ['glassformer/models/topics/config.json', 'glassformer/dist/elements.js', 'glassformer/package.json'];
const read = files.map((file) => readFileSync(new URL(import.meta.resolve(file)), 'utf8').length > 0);
console.log(JSON.stringify([run.get(at).shape, Array.from(weights.data), typeof AttentionHeatmap, read]));
`,
  );
  const [shape, weights, kind, read] = JSON.parse(await node(project.folder, ['in-node.js']));
  assert.deepEqual(shape, [1, 4, 6, 6]);
  // softmax of [1, 0] / √2
  const e = Math.exp(Math.SQRT1_2);
  [e / (e + 1), 1 / (e + 1)].forEach((weight, i) => assert.ok(Math.abs(weights[i] - weight) < 1e-6, `${weights}`));
  assert.equal(kind, 'function');
  assert.deepEqual(read, [true, true, true]);
});

const PROGRAM = `import 'glassformer/elements';
import { load, ops, tensor } from 'glassformer';

const heatmap = document.querySelector('attention-heatmap');
if (heatmap) heatmap.selection = { query: 3 };
document.addEventListener('glass-select', ({ detail }) => {
  const weight: number | null = detail.weight;
  document.title = String(weight);
});
const q = tensor([[1, 0], [0, 1]]);
const { weights } = await ops.attention(q, q, q);
const model = await load('/models/topics/');
const run = await model.run('a large wild cat');
const first: number = weights.data[0];
document.title = JSON.stringify([first, run.tokens[0].length]);
export {};
`;

test('in TypeScript: load, ops, elements by their tags and their events are typed, and mistakes are found', async () => {
  const check = async (/** @type {string} */ text, /** @type {Record<string, unknown>} */ more) => {
    writeFileSync(path.join(project.folder, 'program.ts'), text);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      ...more,
    };
    writeFileSync(
      path.join(project.folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['program.ts'] }),
    );
    return node(project.folder, [path.join(root, 'node_modules/typescript/bin/tsc'), '--project', '.']);
  };
  const bundler = { module: 'esnext', moduleResolution: 'bundler' };
  await check(PROGRAM, bundler); // with every declaration of the package and of its dependencies
  // As Node resolves; a dependency's own declarations are not made for that.
  await check(PROGRAM, { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: true });
  const wrong = PROGRAM.replace('query: 3', 'query: "wild"').replace('run.tokens[0]', 'run.token[0]');
  await assert.rejects(check(wrong, bundler), /TS2322[^]*TS2551/);
});

test('in a Vite project, without configuration: built, and in development', async () => {
  const web = path.join(project.folder, 'vite');
  mkdirSync(path.join(web, 'public/models'), { recursive: true });
  cpSync(path.join(project.installed, 'web/models/topics'), path.join(web, 'public/models/topics'), {
    recursive: true,
  });
  writeFileSync(path.join(web, 'program.ts'), PROGRAM);
  writeFileSync(
    path.join(web, 'index.html'),
    `<!doctype html><html lang="en"><head><title>waiting</title><link rel="icon" href="/icon.svg"></head><body>
<attention-heatmap model="/models/topics/" text="a large wild cat" layer="1" head="3"></attention-heatmap>
<script type="module" src="./program.ts"></script></body></html>`,
  );
  writeFileSync(path.join(web, 'public/icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  const common = { root: web, configFile: /** @type {const} */ (false), logLevel: /** @type {const} */ ('error') };
  const address = { port: 0, host: '127.0.0.1' };
  await build({ ...common, build: { outDir: '../vite-built', emptyOutDir: true } });
  const servers = [
    await preview({ ...common, build: { outDir: '../vite-built' }, preview: address }),
    await (await createServer({ ...common, server: address })).listen(),
  ];
  const browser = await chromium.launch(chromiumOptions());
  try {
    for (const server of servers) {
      const page = await browser.newPage();
      const problems = watchProblems(page);
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.httpServer?.address() ?? {});
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.waitForFunction(() => document.title.startsWith('['), null, { timeout: 30_000 });
      await drawn(page);
      const [first, tokens] = JSON.parse(await page.title());
      assert.ok(Math.abs(first - 0.66976) < 1e-5, `${first}`); // as in Node above
      assert.equal(tokens, 6);
      const { rows, data } = await matrixOf(page, 'attention-heatmap');
      assert.equal(rows, 6);
      assert.ok(Math.abs(Number(data[3 * 6 + 4]) - 0.855) < 1e-3, `wild → cat: ${data[3 * 6 + 4]}`); // web/embed.html has the matrix
      assert.equal(page.workers().length, 1);
      // A development server brings Lit's development build along, which says so.
      assert.deepEqual(
        problems.filter((text) => !text.includes('Lit is in dev mode')),
        [],
      );
      await page.close();
    }
  } finally {
    await browser.close();
    for (const server of servers) await server.close();
  }
});
