// Checkpoints of transformers, and of our own family, opened and run: hidden states, attentions and logits.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { load } from '../../web/engine/index.js';
import { goldenFolder, largestDifference, readJson, readTensors, rowsOf } from './golden.js';

/** Rows [b, t] whose mask is 1, of a tensor [B, T, …] or, along its third axis, [B, H, T, S]. */
function realRows({ shape, data }, mask, axis) {
  const width = shape.slice(axis + 1).reduce((size, extent) => size * extent, 1);
  const length = shape[axis];
  const between = axis === 2 ? shape[1] : 1;
  const kept = [];
  for (let row = 0; row * width < data.length; ++row) {
    const t = row % length;
    const b = Math.floor(row / length / between);
    if (mask[b][t]) kept.push(...data.subarray(row * width, (row + 1) * width));
  }
  return kept;
}

for (const group of ['models', 'family']) {
  const { tolerance, models } = readJson(`${group}/models.json`);
  for (const { name, runs } of models) {
    test(`${group}/${name}: ${runs.join(', ')}`, async () => {
      const folder = `${group}/${name}`;
      const expected = readTensors(`${folder}/expected.safetensors`);
      const model = await load(path.join(goldenFolder, folder));
      for (const [i, kind] of runs.entries()) {
        const given = (key) => expected.get(`run${i}.${key}`);
        const ids = rowsOf(given('input_ids'));
        const input = { ids };
        if (given('attention_mask')) input.mask = rowsOf(given('attention_mask'));
        if (given('token_type_ids')) input.typeIds = rowsOf(given('token_type_ids'));
        const run = await model.run(input, {
          record: ['blocks.*.hook_resid_pre', 'blocks.*.hook_resid_post', '*pattern'],
        });
        const mask = input.mask ?? ids.map((row) => row.map(() => 1));

        let compared = 0;
        const compare = (key, actual, axis) => {
          const value = given(key);
          if (!value) return;
          assert.deepEqual(actual.shape, value.shape, `${kind} ${key}: shape`);
          const rows = (x) => (axis === null ? x.data : realRows(x, mask, axis));
          const worst = largestDifference(rows(actual), rows(value), `${kind} ${key}`);
          assert.ok(worst <= tolerance, `${kind} ${key}: off by ${worst}`);
          compared += 1;
        };
        const { logits, lastHidden, pooled } = run.output;
        if (logits) compare('logits', logits, logits.shape.length === 3 ? 1 : null);
        compare('last_hidden_state', lastHidden, 1);
        if (pooled) compare('pooler_output', pooled, null);
        const layers = run.names.filter((hook) => hook.endsWith('pattern')).length;
        compare('hidden_states.0', run.get('blocks.0.hook_resid_pre'), 1);
        for (let l = 0; l < layers; ++l) {
          compare(`hidden_states.${l + 1}`, run.get(`blocks.${l}.hook_resid_post`), 1);
          compare(`attentions.${l}`, run.get(`blocks.${l}.attn.hook_pattern`), 2);
        }
        const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].filter((key) => given(key)).length;
        const listed = [...expected.keys()].filter((key) => key.startsWith(`run${i}.`)).length;
        assert.equal(compared, listed - inputs, `${kind}: every expected value was compared`);
      }
      model.dispose();
    });
  }
}
