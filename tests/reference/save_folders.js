// Saves checkpoints with this library and lets transformers open them (roundtrip.py). The results and the digests of the
// files go to golden/saved.json: a test that finds the same digests knows what transformers says of the files.
//
//     node tests/reference/save_folders.js            after npm run build; python3 must have requirements.txt
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { digests, savedCases, savedFolder } from '../wasm/saved.js';

const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const place = mkdtempSync(path.join(tmpdir(), 'glassformer-'));
const results = [];
const args = [here('roundtrip.py')];
for (const [i, one] of savedCases.entries()) {
  const { files, values } = await savedFolder(one);
  const [folder, file] = [path.join(place, `${i}`, 'model'), path.join(place, `${i}`, 'values.safetensors')];
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  writeFileSync(file, values);
  args.push(folder, file);
  results.push({ ...one, files: digests(files) });
}
const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
rmSync(place, { recursive: true });
const lines = stdout.trim().split('\n');
for (const [i, line] of lines.entries()) console.log(results[i]?.model, results[i]?.dtype, line);
if (status !== 0 || lines.length !== results.length) throw new Error(stderr || 'not all are equal');
const saved = results.map((one, i) => ({ ...one, result: JSON.parse(lines[i]) }));
writeFileSync(here('golden/saved.json'), `${JSON.stringify({ format: 1, saved }, null, 1)}\n`);
