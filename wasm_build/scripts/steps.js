// The steps that the npm scripts are made of. Each does nothing when its result is up to date.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { must, root, run } from './process.js';
import { checkSourceLines } from './source_lines.js';
import { emscriptenVersion, needs, requireTools } from './tools.js';

const jobs = ['-j', '2'];
/** @param {string} file */
const at = (file) => path.join(root, file);
const dist = at('wasm_build/dist');
/** What builds make in folders of sources. */
const made = ['wasm_build/dist', 'web/types', 'web/dist', 'web/elements/python/standalone.html'];

/**
 * All files under folders (or files), sorted, without what builds make.
 * @param {string[]} places relative to the root
 * @returns {string[]}
 */
export function filesUnder(places) {
  /** @type {string[]} */
  const found = [];
  /** @param {string} place */
  const visit = (place) => {
    const stat = statSync(at(place), { throwIfNoEntry: false });
    if (stat?.isFile()) found.push(place);
    if (!stat?.isDirectory()) return;
    for (const name of readdirSync(at(place))) {
      const child = `${place}/${name}`;
      if (!made.includes(child) && name !== 'node_modules') visit(child);
    }
  };
  places.forEach(visit);
  return found.sort();
}

/**
 * Runs `make` unless the files, their sizes and times are those of its last success.
 * @param {string} name of the stamp
 * @param {string[]} files
 * @param {string[]} results files that must exist
 * @param {() => Promise<void>} make
 */
async function whenChanged(name, files, results, make) {
  const digest = () => {
    const hash = createHash('sha256');
    for (const file of files) {
      const { size, mtimeMs } = statSync(at(file));
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
    return hash.digest('hex');
  };
  const stamp = at(`build/stamps/${name}`);
  const before = digest();
  const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === before;
  if (current && results.every((file) => existsSync(at(file)))) return;
  rmSync(stamp, { force: true });
  await make();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, before);
}

/**
 * `npm ci` in a folder, unless what is installed there is what its lock file says.
 * @param {string} [folder]
 */
export async function installPackages(folder = '.') {
  const lock = JSON.parse(readFileSync(at(`${folder}/package-lock.json`), 'utf8')).packages;
  const hidden = at(`${folder}/node_modules/.package-lock.json`);
  const installed = existsSync(hidden) ? JSON.parse(readFileSync(hidden, 'utf8')).packages : {};
  const complete = Object.keys(lock).every(
    (key) => key === '' || installed[key]?.version === lock[key].version || (!installed[key] && lock[key].optional),
  );
  if (complete) return;
  // npm_execpath is the npm that runs this script; it need not be on PATH.
  const npm = process.env.npm_execpath;
  const options = { cwd: at(folder) };
  if (npm) await must(process.execPath, [npm, 'ci'], options);
  else await must('npm', ['ci'], options);
}

/**
 * Configures a preset and builds targets of it (all without any).
 * @param {string} preset
 * @param {string[]} [targets]
 */
export async function cmakeBuild(preset, targets = []) {
  await must('cmake', ['--preset', preset, '-Wno-dev', '--log-level=NOTICE']);
  const only = targets.length > 0 ? ['--target', ...targets] : [];
  await must('cmake', ['--build', '--preset', preset, ...jobs, ...only]);
}

/** Whether the compiler here can build wasm with relaxed SIMD. */
export async function hasRelaxedSimd() {
  const [major, minor, patch] = (await emscriptenVersion()) ?? [0, 0, 0];
  return major > 3 || (major === 3 && (minor > 1 || (minor === 1 && patch >= 69)));
}

/** Puts the glue's types beside where the glue is built, so that types can be checked before and after that. */
export function placeGlueTypes() {
  mkdirSync(dist, { recursive: true });
  for (const name of ['glassformer', 'glassformer-relaxed']) {
    copyFileSync(at('wasm_build/bindings/glassformer.d.mts'), path.join(dist, `${name}.d.mts`));
  }
}

/** The wasm modules in wasm_build/dist. Where the compiler has no relaxed SIMD, that module's default export is null. */
export async function buildWasm() {
  const sources = filesUnder(['cpp', 'wasm_build', 'CMakeLists.txt', 'CMakePresets.json', 'package.json']);
  const results = ['glassformer.mjs', 'glassformer.wasm', 'glassformer-relaxed.mjs'];
  await whenChanged(
    'wasm',
    sources,
    results.map((file) => `wasm_build/dist/${file}`),
    async () => {
      await requireTools(needs.wasm);
      await cmakeBuild('wasm', ['glassformer']);
      if (await hasRelaxedSimd()) await cmakeBuild('wasm-relaxed', ['glassformer']);
      placeGlueTypes();
    },
  );
}

/** Type declarations of the package in web/types, from the JSDoc. */
export async function buildTypes() {
  placeGlueTypes();
  await must(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'web/tsconfig.types.json']);
}

/** The site in build/site. */
export async function buildSite() {
  const sources = [
    ...filesUnder(['web', 'cpp', 'package-lock.json']),
    ...readdirSync(dist).map((file) => `wasm_build/dist/${file}`),
  ];
  await whenChanged('site', sources, ['build/site/index.html', 'web/elements/python/standalone.html'], async () => {
    await must(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']);
  });
}

/** The elements for pages without a bundler, in web/dist. */
export async function buildElements() {
  const sources = [
    ...filesUnder(['web/elements', 'web/engine', 'web/view', 'web/vite.elements.config.js', 'package-lock.json']),
    ...readdirSync(dist).map((file) => `wasm_build/dist/${file}`),
  ];
  await whenChanged('elements', sources, ['web/dist/elements.js'], async () => {
    const config = ['--config', 'web/vite.elements.config.js', '--logLevel', 'warn'];
    await must(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'web', ...config]);
  });
}

/**
 * One linter after the other.
 * @returns {{ name: string, check: () => Promise<number>, fix?: () => Promise<number> }[]}
 */
export function linters() {
  const bin = (/** @type {string} */ file, /** @type {string[]} */ ...args) =>
    run(process.execPath, [`node_modules/${file}`, ...args]);
  const clangFormat = (/** @type {string[]} */ ...args) => {
    const files = filesUnder(['cpp', 'wasm_build', 'tests']).filter((file) => /\.(cpp|h)$/.test(file));
    // The npm package pins one version, as layouts differ between versions; where it has no program, the system's must do.
    const packaged = `node_modules/clang-format/bin/${process.platform}_x64/clang-format`;
    const usable = existsSync(at(packaged)) && (process.arch === 'x64' || process.platform === 'darwin');
    return run(usable ? at(packaged) : 'clang-format', [...args, ...files]);
  };
  const eslint = ['eslint/bin/eslint.js', '--config', 'web/eslint.config.js', 'web', 'tests', 'wasm_build'];
  return [
    { name: 'clang-format', check: () => clangFormat('--dry-run', '-Werror'), fix: () => clangFormat('-i') },
    {
      name: 'source lines',
      check: () => checkSourceLines({ write: false }),
      fix: () => checkSourceLines({ write: true }),
    },
    { name: 'eslint', check: () => bin(eslint[0], ...eslint.slice(1)) },
    {
      name: 'prettier',
      check: () => bin('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
      fix: () => bin('prettier/bin/prettier.cjs', '--write', '--log-level', 'warn', '.'),
    },
    {
      name: 'tsc',
      check: () => {
        placeGlueTypes();
        return bin('typescript/bin/tsc', '--project', 'web/tsconfig.json');
      },
    },
  ];
}
