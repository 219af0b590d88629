// npm test: installs, builds and runs every suite, goes on after a failure, and ends with a table and a count.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, run, Stop } from './process.js';
import { readCtest, readTap } from './reports.js';
import {
  buildElements,
  buildSite,
  buildTypes,
  buildWasm,
  cmakeBuild,
  filesUnder,
  hasRelaxedSimd,
  installPackages,
  linters,
} from './steps.js';
import { needs, requireTools } from './tools.js';

/** @typedef {import('./reports.js').Outcome} Outcome */
/** @typedef {Outcome & { name: string, seconds: number, note: string }} Result */

const results = path.join(root, 'build/results');

/**
 * Runs the GoogleTest executables and fuzz replays of a preset; counts the tests inside them.
 * @param {string} preset
 * @param {string[]} [chosen] further options, such as which tests
 * @returns {Promise<Outcome>}
 */
async function ctest(preset, chosen = []) {
  const report = path.join(results, `${preset}.xml`);
  rmSync(report, { force: true });
  const all = ['--test-output-size-passed', '1000000', '--test-output-size-failed', '1000000'];
  const code = await run('ctest', ['--preset', preset, '-j', '2', '--output-junit', report, ...chosen, ...all]);
  const outcome = readCtest(existsSync(report) ? readFileSync(report, 'utf8') : '');
  if (code !== 0 && outcome.failed === 0) outcome.failed = 1; // a crash prints no count
  return outcome;
}

/**
 * Runs files with Node's test runner.
 * @param {string} name
 * @param {string[]} places files, or folders whose *.test.js are taken
 * @param {string[]} [flags]
 * @returns {Promise<Outcome>}
 */
async function nodeTest(name, places, flags = []) {
  const files = filesUnder(places).filter((file) => file.endsWith('.test.js'));
  if (files.length === 0) throw new Stop(`no *.test.js under ${places.join(', ')}`);
  const tap = path.join(results, `${name}.tap`);
  rmSync(tap, { force: true });
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const code = await run(
    process.execPath,
    ['--test', ...flags, ...reporters, '--test-reporter=tap', `--test-reporter-destination=${tap}`, ...files],
    { env: { NODE_OPTIONS: '' } },
  );
  const outcome = readTap(existsSync(tap) ? readFileSync(tap, 'utf8') : '');
  if (code !== 0 && outcome.failed === 0) outcome.failed = 1;
  return outcome;
}

/**
 * A step that is one test by itself.
 * @param {'passed' | 'failed'} result
 * @returns {Outcome}
 */
const one = (result) => ({ passed: 0, failed: 0, skipped: 0, failures: [], [result]: 1 });

/**
 * @param {() => Promise<void>} step
 * @returns {() => Promise<Outcome>}
 */
const counted = (step) => async () => {
  await step();
  return one('passed');
};

/** @returns {Promise<boolean>} whether everything passed */
export async function test() {
  await requireTools(needs.test);
  await installPackages();
  mkdirSync(results, { recursive: true });
  const relaxed = await hasRelaxedSimd();

  // `after` names the step without whose success a suite cannot run.
  /** @type {{ name: string, after?: string, work: () => Promise<Outcome> }[]} */
  const suites = [
    { name: 'layers', work: () => nodeTest('layers', ['tests/layers.test.js']) },
    { name: 'build wasm', work: counted(buildWasm) },
    { name: 'build types', work: counted(buildTypes) },
    ...linters().map(({ name, check }) => ({
      name: `lint ${name}`,
      work: async () => one((await check()) === 0 ? 'passed' : 'failed'),
    })),
    { name: 'build debug', work: counted(() => cmakeBuild('debug')) },
    { name: 'C++ native, ASan+UBSan', after: 'build debug', work: () => ctest('debug') },
    { name: 'build wasm tests', after: 'build wasm', work: counted(() => cmakeBuild('wasm')) },
    { name: 'C++ wasm in Node', after: 'build wasm tests', work: () => ctest('wasm') },
    { name: 'node wasm', after: 'build wasm', work: () => nodeTest('wasm', ['tests/wasm']) },
    { name: 'node web', after: 'build wasm', work: () => nodeTest('web', ['tests/web']) },
    { name: 'build elements', after: 'build wasm', work: counted(buildElements) },
    { name: 'build site', after: 'build wasm', work: counted(buildSite) },
    {
      name: 'package',
      after: 'build site',
      work: () => nodeTest('package', ['tests/package'], ['--test-concurrency=2']),
    },
    // Two files at a time: a page waits as often as it works. More would run into the tests' patience on slow machines.
    {
      name: 'browser',
      after: 'build site',
      work: () => nodeTest('browser', ['tests/browser'], ['--test-concurrency=2']),
    },
  ];
  if (relaxed) {
    const at = suites.findIndex(({ name }) => name === 'node wasm');
    suites.splice(
      at,
      0,
      {
        name: 'build relaxed tests',
        after: 'build wasm',
        work: counted(() => cmakeBuild('wasm-relaxed', ['test_kernels'])),
      },
      {
        name: 'C++ relaxed wasm in Node',
        after: 'build relaxed tests',
        work: () => ctest('wasm-relaxed', ['-R', 'kernels']),
      },
    );
  }

  /** @type {Map<string, Result>} */
  const done = new Map();
  for (const { name, after, work } of suites) {
    console.log(`\n--- ${name} ---`);
    const start = performance.now();
    let outcome = one('failed');
    let note = '';
    if (after && done.get(after)?.failed) {
      note = `not run: ${after} failed`;
    } else {
      try {
        outcome = await work();
        if (outcome.passed + outcome.failed === 0) {
          outcome.failed = 1;
          note = 'no test ran';
        }
      } catch (error) {
        note = error instanceof Stop ? error.message : String(error);
      }
    }
    if (note) console.error(note);
    done.set(name, { name, ...outcome, note, seconds: (performance.now() - start) / 1000 });
  }
  return report([...done.values()], relaxed);
}

/**
 * @param {Result[]} suites
 * @param {boolean} relaxed
 */
function report(suites, relaxed) {
  const total = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    suites.reduce((sum, suite) => sum + suite[key], 0);
  console.log('\n--- summary ---');
  for (const { name, passed, failed, skipped, seconds, note } of suites) {
    const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    console.log(
      `${failed ? 'FAIL' : 'ok  '} ${name.padEnd(26)} ${counts.padEnd(32)} ${seconds.toFixed(1).padStart(6)} s  ${note}`,
    );
  }
  if (!relaxed) console.log('     relaxed SIMD was left out: it needs Emscripten 3.1.69 or newer');
  const skipped = total('skipped');
  // Last, where a log that was cut still shows them.
  for (const { name: suite, failures } of suites)
    for (const { name, file, message } of failures)
      console.log(`\nFAIL ${suite}: ${name}\n     ${path.relative(root, file) || suite}: ${message.slice(0, 300)}`);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`);
  return total('failed') === 0;
}
