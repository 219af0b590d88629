// Our own family beyond encoders, through the public interface: the paper's encoder–decoder, Reformer and Linformer.
import assert from 'node:assert/strict';
import test from 'node:test';
import { create } from '../../web/engine/index.js';
import { assertFails } from './golden.js';

const small = {
  model_type: 'glassformer',
  vocab_size: 23,
  hidden_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 64,
  max_position_embeddings: 32,
  initializer_range: 0.3,
};
const ids = [[3, 7, 2, 9, 11, 4, 4, 8, 15, 1]];

/** Sum of each row of the last axis. */
function rowSums({ shape, data }) {
  const width = shape[shape.length - 1];
  return Array.from({ length: data.length / width }, (_, row) =>
    data.subarray(row * width, (row + 1) * width).reduce((sum, x) => sum + x, 0),
  );
}

test("Vaswani et al. 2017: the paper's shape at a small scale", async () => {
  const [V, D, F, N] = [23, 16, 64, 6];
  const model = await create({
    ...small,
    architectures: ['GlassformerForConditionalGeneration'],
    num_hidden_layers: N,
    hidden_act: 'relu',
    norm_first: false,
    attention_bias: false,
  });
  assert.equal(model.kind, 'encoder-decoder');
  const count = model.parameters().reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const fed = 2 * D * F + F + D;
  assert.equal(count, V * D + N * (4 * D * D + fed + 4 * D) + N * (8 * D * D + fed + 6 * D));
  const record = ['decoder.blocks.5.cross_attn.hook_pattern'];
  const run = await model.run({ ids, decoderIds: [[2, 5, 6]] }, { record });
  assert.deepEqual(run.output.logits.shape, [1, 3, V]);
  assert.deepEqual(run.get(record[0]).shape, [1, 4, 3, 10]);
  model.dispose();
});

test('Reformer: buckets, the matrix of what a token attends to, edits of both', async () => {
  const model = await create({
    ...small,
    architectures: ['GlassformerForCausalLM'],
    attention: 'lsh',
    lsh_num_hashes: 2,
    lsh_num_buckets: 4,
    lsh_chunk_length: 4,
    reversible: true,
  });
  assert.equal(model.kind, 'decoder');
  const [pattern, buckets] = ['blocks.1.attn.hook_pattern', 'blocks.1.attn.hook_buckets'];
  assert.deepEqual(model.hooks().find(({ name }) => name === buckets).dims, ['batch', 'head', 'hash', 'pos']);
  const run = await model.run({ ids }, { record: ['*'] });
  assert.deepEqual(run.get(buckets).shape, [1, 4, 2, 10]);
  for (const sum of rowSums(run.get(pattern))) assert.ok(Math.abs(sum - 1) < 1e-5);
  const silent = await model.run({ ids });
  const largest = run.output.logits.data.reduce(
    (most, x, i) => Math.max(most, Math.abs(x - silent.output.logits.data[i])),
    0,
  );
  assert.ok(largest < 1e-4, 'the same by chunks and by the matrix');
  for (const edit of [
    { at: pattern, where: { query: 9 }, set: 0.1 },
    { at: buckets, set: 0 },
  ]) {
    const edited = await model.run({ ids }, { edits: [edit] });
    assert.notDeepEqual(edited.output.logits.data, run.output.logits.data);
  }
  model.dispose();
});

test('Linformer: its own softmax, and the matrix it amounts to', async () => {
  const model = await create({
    ...small,
    architectures: ['GlassformerForMaskedLM'],
    attention: 'linformer',
    linformer_k: 5,
  });
  const run = await model.run({ ids }, { record: ['blocks.0.attn.*'] });
  assert.deepEqual(run.get('blocks.0.attn.hook_pattern_projected').shape, [1, 4, 10, 5]);
  for (const sum of rowSums(run.get('blocks.0.attn.hook_pattern_projected'))) assert.ok(Math.abs(sum - 1) < 1e-5);
  assert.deepEqual(run.get('blocks.0.attn.hook_pattern').shape, [1, 4, 10, 10]);
  model.dispose();
});

test('combinations that mean nothing are refused by name', async () => {
  await assertFails(
    create({ ...small, architectures: ['GlassformerForCausalLM'], attention: 'linformer' }),
    'unsupported',
    /attention "linformer"/,
  );
  await assertFails(create({ ...small, attention: 'lsh', lsh_num_buckets: 3 }), 'bad-config', /lsh_num_buckets 3/);
  await assertFails(create({ ...small, reversible: true, norm_first: false }), 'bad-config', /norm_first false/);
});
