// The models that ship, against what transformers computes from the same folders (tests/reference/compare_folder.py):
// the tokenizer's ids and the logits, text by text and as one padded batch.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { load } from '../../web/engine/index.js';
import { goldenFolder, largestDifference, readJson, readTensors, rowsOf } from './golden.js';

const names = readdirSync(`${goldenFolder}shipped`)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

/** The rows of logits that transformers' values were kept for: all, or those at [sequence, position]. */
function keptRows(logits, positions) {
  const width = logits.shape.at(-1);
  const rows = positions
    ? rowsOf(positions).map(([sequence, position]) => sequence * logits.shape[1] + position)
    : logits.data.length / width;
  const indices = typeof rows === 'number' ? Array.from({ length: rows }, (_, i) => i) : rows;
  return Float32Array.from(indices.flatMap((row) => Array.from(logits.data.subarray(row * width, (row + 1) * width))));
}

test('every model that ships has values of transformers to compare with', () => {
  const models = readdirSync(fileURLToPath(new URL('../../web/models', import.meta.url)), { withFileTypes: true });
  const shipped = models.filter((entry) => entry.isDirectory() && entry.name !== 'recipes').map((entry) => entry.name);
  assert.deepEqual(names.toSorted(), shipped.toSorted());
});

for (const name of names) {
  test(`${name}: ids and logits are transformers'`, async () => {
    const { texts, tolerance, opened } = readJson(`shipped/${name}.json`);
    assert.deepEqual([opened.missing, opened.unexpected, opened.misshaped], [[], [], []]);
    const expected = readTensors(`shipped/${name}.safetensors`);
    const model = await load(name);
    const run = await model.run(texts);
    assert.deepEqual(
      run.ids.map((ids) => Array.from(ids)),
      rowsOf(expected.get('ids')),
    );
    assert.deepEqual(
      run.mask.map((mask) => Array.from(mask)),
      rowsOf(expected.get('mask')),
    );
    const logits = keptRows(run.output.logits, expected.get('positions'));
    const difference = largestDifference(logits, expected.get('logits').data, name);
    assert.ok(difference <= tolerance, `${name}: differs by ${difference}, more than ${tolerance}`);
    await model.dispose();
  });
}
