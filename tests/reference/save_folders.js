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
const results = [];
for (const one of savedCases) {
  const place = mkdtempSync(path.join(tmpdir(), 'glassformer-'));
  const { files, values } = await savedFolder(one);
  mkdirSync(path.join(place, 'model'));
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(place, 'model', name), content);
  writeFileSync(path.join(place, 'values.safetensors'), values);
  const args = [here('roundtrip.py'), path.join(place, 'model'), path.join(place, 'values.safetensors')];
  const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  rmSync(place, { recursive: true });
  if (status !== 0) throw new Error(`${one.model}: ${stdout}${stderr}`);
  console.log(one.model, one.dtype, stdout.trim());
  results.push({ ...one, files: digests(files), result: JSON.parse(stdout) });
}
writeFileSync(here('golden/saved.json'), `${JSON.stringify({ format: 1, saved: results }, null, 1)}\n`);
