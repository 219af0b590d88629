// The package as its users get it: packed into a tarball, and installed from that into an empty project.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../wasm_build/scripts/process.js';
import { startRegistry } from './registry.js';

const call = promisify(execFile);

/** @param {string[]} args @param {string} cwd @returns {Promise<string>} what npm writes to its output */
async function npm(args, cwd) {
  // npm_execpath is the npm that runs the tests; it need not be on PATH.
  const script = process.env.npm_execpath;
  const [file, before] = script ? [process.execPath, [script]] : ['npm', []];
  const { stdout } = await call(file, [...before, ...args], { cwd, maxBuffer: 2 ** 26 });
  return stdout;
}

/** @typedef {{ filename: string, files: { path: string, size: number }[] }} Packed */

/** Packs what was built; the build itself is not run again. @param {string} place @returns {Promise<Packed>} */
async function pack(place) {
  const [packed] = JSON.parse(await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', place], root));
  return packed;
}

/** Does something in a new folder, which is deleted if that fails. @template T @param {(place: string) => Promise<T>} work */
async function inNewFolder(work) {
  const place = mkdtempSync(path.join(os.tmpdir(), 'glassformer-package-'));
  const close = () => rmSync(place, { recursive: true, force: true });
  try {
    return { ...(await work(place)), close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Packs and installs. folder: a project that has the package; installed: the package in it; bytes: the tarball's.
 * @returns {Promise<{ folder: string, installed: string, bytes: number, files: Packed['files'], close: () => void }>}
 */
export function installPacked() {
  return inNewFolder(async (place) => {
    const { filename, files } = await pack(place);
    const folder = path.join(place, 'project');
    mkdirSync(folder);
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'project', private: true, type: 'module' }),
    );
    const registry = await startRegistry();
    try {
      const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel', 'error'];
      const separate = ['--registry', registry.url, '--cache', path.join(place, 'cache')];
      await npm(['install', `../${filename}`, ...quiet, ...separate], folder);
    } finally {
      await registry.close();
    }
    const installed = path.join(folder, 'node_modules/glassformer');
    return { folder, installed, bytes: statSync(path.join(place, filename)).size, files };
  });
}

/**
 * Packs, and unpacks again, as somebody does who only wants the files: nothing that the package depends on is there.
 * @returns {Promise<{ folder: string, close: () => void }>} folder: where the package is
 */
export function unpackPacked() {
  return inNewFolder(async (place) => {
    const { filename } = await pack(place);
    await call('tar', ['-xzf', filename], { cwd: place });
    return { folder: path.join(place, 'package') };
  });
}

/** Runs a command in a folder. @param {string} folder @param {string[]} args of node @returns {Promise<string>} its output */
export async function node(folder, args) {
  const env = { ...process.env, NODE_OPTIONS: '', NODE_PATH: '' };
  try {
    return (await call(process.execPath, args, { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error);
    throw new Error(`node ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
