// Single keys of configs whose meaning depends on the family or on the version of transformers that wrote them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { create, load } from '../../web/engine/index.js';
import { assertFails, largestDifference } from './golden.js';

const t5Config = {
  ...{
    model_type: 't5',
    architectures: ['T5ForConditionalGeneration'],
    vocab_size: 20,
    d_model: 16,
    d_kv: 4,
    d_ff: 12,
  },
  ...{ num_layers: 1, num_heads: 2, relative_attention_num_buckets: 8, relative_attention_max_distance: 16 },
};
const input = { ids: [[5, 6, 7]], decoderIds: [[0, 8]] };
const changed = (files, keys) => ({
  ...files,
  'config.json': JSON.stringify({ ...JSON.parse(files['config.json']), ...keys }),
});

test('T5 v1.1 made by transformers 5: without a head in the file, the embedding is the head, and is not scaled', async () => {
  const tied = await create(t5Config, { seed: 3 });
  const files = await tied.save();
  const scaled = (await tied.run(input)).output.logits;
  for (const keys of [{ tie_word_embeddings: true, scale_decoder_outputs: false }, { tie_word_embeddings: false }]) {
    for (const dtype of ['F32', 'int8']) {
      const model = await load(changed(files, keys), { dtype });
      const { logits } = (await model.run(input)).output;
      const expected = scaled.data.map((value) => value * Math.sqrt(t5Config.d_model));
      const largest = Math.max(...expected.map(Math.abs));
      // Rounded to eight bits, weights are off by up to 1/254 of their block's largest.
      const tolerance = (dtype === 'F32' ? 1e-6 : 0.05) * largest;
      assert.ok(largestDifference(logits.data, expected, dtype) < tolerance, `${JSON.stringify(keys)} ${dtype}`);
      model.dispose();
    }
  }
  tied.dispose();
});

test('T5 with an odd number of buckets; Llama with a head missing stays refused', async () => {
  const odd = await create({ ...t5Config, relative_attention_num_buckets: 7 });
  assert.equal((await odd.run(input)).output.logits.shape[2], 20);
  odd.dispose();
  const sizes = { vocab_size: 16, hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 8 };
  const llama = await create({
    ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], tie_word_embeddings: true, ...sizes },
  });
  const files = await llama.save();
  await assertFails(load(changed(files, { tie_word_embeddings: false })), 'bad-weights', /lm_head\.weight/);
  for (const keys of [
    { partial_rotary_factor: 0.5 },
    { rotary_pct: 0.5 },
    { rope_parameters: { rope_type: 'default', partial_rotary_factor: 0.5 } },
  ]) {
    await assertFails(load(changed(files, keys)), 'unsupported', /(partial_rotary_factor|rotary_pct) 0\.5.*expected 1/);
  }
  llama.dispose();
});
