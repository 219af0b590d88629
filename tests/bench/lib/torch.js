// PyTorch in a child process: the native measure of the training step, where it is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { trainingBatch } from '../contenders/training_batch.js';
import { TRAINED } from './parameters.js';
import { folder } from './report.js';

const script = fileURLToPath(new URL('../contenders/torch_training.py', import.meta.url));

/** @type {{ python: string, version: string } | null | undefined} */
let found;

/** The Python to use: PYTHON from the environment, or the first python3 on PATH that has torch; null where none has. */
export function findTorch() {
  if (found !== undefined) return found;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const pythons = process.env.PYTHON ? [process.env.PYTHON] : folders.map((place) => path.join(place, 'python3'));
  found = null;
  for (const python of new Set(pythons)) {
    if (!existsSync(python)) continue;
    const { status, stdout } = spawnSync(python, ['-c', 'import torch; print(torch.__version__)'], {
      encoding: 'utf8',
    });
    if (status !== 0) continue;
    found = { python, version: stdout.trim() };
    break;
  }
  return found;
}

/**
 * Null where there is no Python with torch.
 * @param {Record<string, import('./parameters.js').Tensor>} parameters by name
 * @returns {Promise<{ once: () => Promise<import('./rounds.js').Pass>, losses: number[], close: () => void } | null>}
 */
export async function startTorch(parameters) {
  const torch = findTorch();
  if (!torch) return null;
  const place = path.join(folder, 'torch');
  mkdirSync(place, { recursive: true });
  const shapes = Object.entries(parameters).map(([name, { shape }]) => [name, shape]);
  writeFileSync(path.join(place, 'job.json'), JSON.stringify({ ...TRAINED, ...trainingBatch(TRAINED), shapes }));
  const values = Object.values(parameters).map(
    ({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  );
  writeFileSync(path.join(place, 'weights.bin'), Buffer.concat(values));

  const child = spawn(torch.python, [script, place], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== 'ready') throw new Error('torch: its process did not start');
  /** @type {number[]} */
  const losses = [];
  return {
    losses,
    async once() {
      child.stdin.write('step\n');
      const { done, value } = await lines.next();
      if (done) throw new Error('torch: its process ended');
      const { loss, ...pass } = JSON.parse(value);
      losses.push(loss);
      return pass;
    },
    close: () => child.stdin.end(),
  };
}
