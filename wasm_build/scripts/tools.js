// What the scripts need from the machine: found, installed through apt where that is possible, or named in one message.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ask, run, Stop, which } from './process.js';
import { findChromium } from './chromium.js';

const includeFolders = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];
/** @param {string} header */
const hasHeader = (header) => includeFolders.some((folder) => existsSync(path.join(folder, header)));

/**
 * A tool: how to see that it is there, its Debian package, and its Homebrew formula.
 * @typedef {{ name: string, found: () => unknown, apt: string, brew: string }} Tool
 */
/** @type {Record<string, Tool>} */
const tools = {
  emscripten: { name: 'Emscripten (em++)', found: () => which('em++'), apt: 'emscripten', brew: 'emscripten' },
  cmake: { name: 'CMake', found: () => which('cmake'), apt: 'cmake', brew: 'cmake' },
  ninja: { name: 'Ninja', found: () => which('ninja'), apt: 'ninja-build', brew: 'ninja' },
  compiler: { name: 'a C++ compiler (c++)', found: () => which('c++'), apt: 'g++', brew: 'gcc' },
  eigen: {
    name: 'Eigen 3',
    found: () => hasHeader('eigen3/Eigen/Core') || process.env.Eigen3_DIR,
    apt: 'libeigen3-dev',
    brew: 'eigen',
  },
  json: {
    name: 'nlohmann-json',
    found: () => hasHeader('nlohmann/json.hpp'),
    apt: 'nlohmann-json3-dev',
    brew: 'nlohmann-json',
  },
  gtest: { name: 'GoogleTest', found: () => hasHeader('gtest/gtest.h'), apt: 'libgtest-dev', brew: 'googletest' },
  gtestSources: {
    name: "GoogleTest's sources (or their folder in GOOGLETEST_SOURCE_DIR)",
    found: () =>
      existsSync('/usr/src/googletest/googletest/src/gtest-all.cc') ||
      existsSync(path.join(process.env.GOOGLETEST_SOURCE_DIR ?? '', 'src/gtest-all.cc')),
    apt: 'googletest',
    brew: 'googletest',
  },
  chromium: {
    name: 'Chromium (or its path in CHROMIUM)',
    found: () => findChromium(),
    apt: 'chromium',
    brew: 'chromium',
  },
};

const native = [tools.compiler, tools.cmake, tools.ninja, tools.eigen, tools.json];
const wasm = [tools.emscripten, tools.cmake, tools.ninja, tools.eigen, tools.json];
/** What each kind of work needs. */
export const needs = {
  wasm,
  native,
  test: [...wasm, tools.compiler, tools.gtest, tools.gtestSources, tools.chromium],
  bench: [...wasm, tools.chromium],
};

/** Stops if this Node is too old for Vite 8. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new Stop(
    `Node ${process.versions.node} is too old: 20.19 or newer of 20, or 22.12 or newer is needed ` +
      "(Debian 13's package nodejs has it, Debian 12's has not).",
  );
}

/**
 * Finds the tools; installs those that are missing with apt-get where that is there and this user may; else stops and says
 * how to get them.
 * @param {Tool[]} wanted
 */
export async function requireTools(wanted) {
  const missing = () => wanted.filter((tool) => !tool.found());
  if (missing().length > 0) await installWithApt(missing());
  if (missing().length > 0) {
    const list = missing();
    throw new Stop(
      [
        `Missing: ${list.map((tool) => tool.name).join(', ')}.`,
        `  Debian, Ubuntu:  sudo apt-get install ${list.map((tool) => tool.apt).join(' ')}`,
        `  macOS, Homebrew: brew install ${[...new Set(list.map((tool) => tool.brew))].join(' ')}`,
        ...(list.includes(tools.emscripten)
          ? ['  Emscripten elsewhere: install emsdk (emscripten.org), then `source emsdk_env.sh` in this shell.']
          : []),
      ].join('\n'),
    );
  }
  const version = await ask('cmake', ['--version'], /version (\d+\.\d+)/);
  const [major, minor] = (version ?? '0.0').split('.').map(Number);
  if (major < 3 || (major === 3 && minor < 25)) throw new Stop(`CMake ${version} is too old: 3.25 or newer is needed.`);
}

/** @param {Tool[]} missing */
async function installWithApt(missing) {
  if (!which('apt-get')) return;
  const asRoot = process.getuid?.() === 0;
  const mayAsk = process.stdin.isTTY === true; // sudo can ask for a password
  const sudo = which('sudo') && (mayAsk || (await run('sudo', ['-n', 'true'], { quiet: true })) === 0);
  if (!asRoot && !sudo) return;
  console.log(`Missing: ${missing.map((tool) => tool.name).join(', ')}. Installing with apt-get.`);
  const command = [...(asRoot ? [] : ['sudo']), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  const packages = [...new Set(missing.map((tool) => tool.apt))];
  if ((await run(command[0], [...command.slice(1), 'update', '-q'])) !== 0) return;
  await run(command[0], [...command.slice(1), 'install', '-q', '-y', '--no-install-recommends', ...packages]);
}

/** The version of em++, as numbers, or undefined where there is none. */
export async function emscriptenVersion() {
  const text = await ask('em++', ['--version'], /(\d+\.\d+\.\d+)/);
  return text?.split('.').map(Number);
}
