// Checkpoints of transformers, and of our own family, opened and run: hidden states, attentions and logits.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { load } from '../../web/engine/index.js';
import { goldenFolder, inputOf, largestDifference, magnitude, readJson, readTensors } from './golden.js';

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

/** The hooks of a run's values: those of a side begin alike, the file's as `prefix`, the hooks' as `prefix` too. */
function* valuesOfSide(run, prefix) {
  yield ['hidden_states.0', 'hook_resid_pre', 0, 1];
  const own = new RegExp(`^${prefix.replace('.', '\\.')}blocks\\.\\d+\\.attn\\.hook_pattern$`);
  const layers = run.names.filter((hook) => own.test(hook)).length;
  for (let l = 0; l < layers; ++l) {
    yield [`hidden_states.${l + 1}`, 'hook_resid_post', l, 1];
    yield [`attentions.${l}`, 'attn.hook_pattern', l, 2];
    if (prefix === 'decoder.') yield [`cross_attentions.${l}`, 'cross_attn.hook_pattern', l, 2];
  }
}

for (const group of ['models', 'family', 'decoders', 'seq2seq']) {
  const { tolerance, models } = readJson(`${group}/models.json`);
  for (const { name, runs } of models) {
    test(`${group}/${name}: ${runs.join(', ')}`, async () => {
      const folder = `${group}/${name}`;
      const expected = readTensors(`${folder}/expected.safetensors`);
      const model = await load(path.join(goldenFolder, folder));
      const two = model.kind === 'encoder-decoder';
      for (const [i, kind] of runs.entries()) {
        const given = (key) => expected.get(`run${i}.${key}`);
        const input = inputOf(expected, `run${i}.`);
        const run = await model.run(input, { record: ['*hook_resid_pre', '*hook_resid_post', '*pattern'] });
        const all = (ids) => ids.map((row) => row.map(() => 1));
        const source = input.mask ?? all(input.ids);
        const target = two ? (input.decoderMask ?? all(input.decoderIds)) : source;

        let compared = 0;
        const compare = (key, actual, mask, axis) => {
          const value = given(key);
          if (!value) return;
          assert.deepEqual(actual.shape, value.shape, `${kind} ${key}: shape`);
          const rows = (x) => (axis === null ? x.data : realRows(x, mask, axis));
          const worst = largestDifference(rows(actual), rows(value), `${kind} ${key}`);
          assert.ok(worst <= tolerance * Math.max(1, magnitude(value.data)), `${kind} ${key}: off by ${worst}`);
          compared += 1;
        };
        const { logits, lastHidden, encoderLastHidden, pooled } = run.output;
        if (logits) compare('logits', logits, target, logits.shape.length === 3 ? 1 : null);
        compare('last_hidden_state', lastHidden, target, 1);
        if (encoderLastHidden) compare('encoder.last_hidden_state', encoderLastHidden, source, 1);
        if (pooled) compare('pooler_output', pooled, null, null);
        for (const prefix of two ? ['encoder.', 'decoder.'] : ['']) {
          const mask = prefix === 'encoder.' ? source : target;
          for (const [key, hook, l, axis] of valuesOfSide(run, prefix)) {
            compare(prefix + key, run.get(`${prefix}blocks.${l}.${hook}`), mask, axis);
          }
        }
        const listed = [...expected.keys()].filter((key) => key.startsWith(`run${i}.`)).length;
        assert.equal(compared, listed - Object.keys(input).length, `${kind}: every expected value was compared`);
      }
      model.dispose();
    });
  }
}
