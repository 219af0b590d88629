// The models that ship, against what transformers computes from the same folders: the tokenizer's ids and the logits (encoders, as
// one padded batch: tests/reference/compare_folder.py), and what models that write make of texts (compare_writing.py).
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

const writers = names.filter((name) => readJson(`shipped/${name}.json`).writes);

for (const name of writers) {
  test(`${name}: ids, logits, greedy and beam output are transformers'`, async () => {
    const { cases, tolerance, writes, opened } = readJson(`shipped/${name}.json`);
    assert.deepEqual([opened.missing, opened.unexpected, opened.misshaped], [[], [], []]);
    const expected = readTensors(`shipped/${name}.safetensors`).get('logits');
    const model = await load(name);
    const width = expected.shape.at(-1);
    for (const [i, { text, ids, lead, greedy, beams }] of cases.entries()) {
      // Everything but the last token has been read when that one is chosen.
      const read = [...lead, ...greedy].slice(0, -1);
      const input = model.kind === 'decoder' ? { ids: [read] } : { ids: [ids], decoderIds: [read] };
      const { logits } = (await model.run(input)).output;
      const wanted = expected.data.subarray(i * width, (i + 1) * width);
      const difference = largestDifference(logits.data.subarray(-width), wanted, `${name}: ${text}`);
      const size = wanted.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
      assert.ok(difference <= tolerance * size, `${text}: differs by ${difference}, more than ${tolerance} of ${size}`);
      assert.deepEqual((await model.tokenizer.encode(text)).ids, ids);
      const plain = { doSample: false, maxNewTokens: writes.maxNewTokens };
      const written = async (/** @type {object} */ options) =>
        Array.from((await model.generate(text, { ...plain, ...options }).result()).ids);
      assert.deepEqual(await written({ beams: 1, lengthPenalty: 1 }), greedy, `${text}: greedy`);
      assert.deepEqual(
        await written({ beams: writes.beams, lengthPenalty: writes.lengthPenalty }),
        beams,
        `${text}: beams`,
      );
    }
    await model.dispose();
  });
}

for (const name of names.filter((each) => !writers.includes(each))) {
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
