// Saved folders are byte for byte those that transformers has opened with equal values (tests/reference/save_folders.js);
// where torch is installed, it opens one of them anew.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { readJson } from './golden.js';
import { digests, savedCases, savedFolder } from './saved.js';

const { saved } = readJson('saved.json');
const find = 'import importlib.util as u, sys; sys.exit(not (u.find_spec("torch") and u.find_spec("transformers")))';
const hasTorch = spawnSync('python3', ['-c', find]).status === 0;

test('saved folders are those that transformers opens', async () => {
  assert.equal(saved.length, savedCases.length);
  for (const { model, dtype, files, result } of saved) {
    assert.ok(result.equal, model);
    assert.deepEqual(digests((await savedFolder({ model, dtype })).files), files, model);
  }
});

test(
  'transformers opens a saved folder',
  { skip: !hasTorch && 'torch and transformers are not installed' },
  async () => {
    const place = mkdtempSync(path.join(tmpdir(), 'glassformer-'));
    const { files, values } = await savedFolder({ model: 'models/electra_sequence', dtype: 'F32' });
    mkdirSync(path.join(place, 'model'));
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(place, 'model', name), content);
    writeFileSync(path.join(place, 'values.safetensors'), values);
    const script = fileURLToPath(new URL('../reference/roundtrip.py', import.meta.url));
    const args = [script, path.join(place, 'model'), path.join(place, 'values.safetensors')];
    const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
    rmSync(place, { recursive: true });
    assert.equal(status, 0, stdout + stderr);
    assert.ok(JSON.parse(stdout).equal);
  },
);
