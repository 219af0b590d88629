// What was measured on, and with what.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ask, root } from '../../../wasm_build/scripts/process.js';
import { findChromium } from '../../../wasm_build/scripts/chromium.js';
import { findTorch } from './torch.js';

/** @param {string} name of an installed package of this folder */
function installedVersion(name) {
  const file = path.join(root, 'tests/bench/node_modules', name, 'package.json');
  return String(JSON.parse(readFileSync(file, 'utf8')).version);
}

/** @returns {Promise<Record<string, string>>} */
export async function machine() {
  const cpu = os.cpus();
  const chromium = findChromium();
  const version = /** @type {string} */ (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version);
  return {
    processor: `${cpu[0]?.model.trim() ?? 'unknown'}, ${cpu.length} visible`,
    memory: `${(os.totalmem() / 2 ** 30).toFixed(0)} GiB`,
    system: `${os.type()} ${os.release()}`,
    'load at start': os.loadavg()[0].toFixed(1),
    glassformer: `${version}, ${(await ask('git', ['rev-parse', '--short', 'HEAD'], /(\w+)/)) ?? 'no commit known'}`,
    emscripten: (await ask('emcc', ['--version'], /(\d+\.\d+\.\d+)/)) ?? 'not found',
    node: `${process.versions.node}, V8 ${process.versions.v8}`,
    chromium: (chromium && (await ask(chromium, ['--version'], /([\d.]{5,})/))) || 'not found',
    'onnxruntime-web': installedVersion('onnxruntime-web'),
    wllama: installedVersion('@wllama/wllama'),
    'tfjs-backend-wasm': installedVersion('@tensorflow/tfjs-backend-wasm'),
    torch: findTorch()?.version ?? 'not installed',
  };
}
