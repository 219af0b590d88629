// Every number on the way down to the weights is what its formula gives for its own numbers, in every family: tiny checkpoints that
// transformers saved are run, and from cells, values and logits the way is followed to the tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { load } from '../../web/engine/index.js';
import { createOrigins } from '../../web/site/origins.js';
import { createRecords } from '../../web/site/recording.js';
import { extended } from '../../web/site/sequences.js';
import { gridsOf } from '../../web/site/grids.js';

const golden = new URL('../reference/golden/', import.meta.url).pathname;
const folders = [
  ...['models/bert_mlm', 'models/electra_mlm', 'models/distilbert_mlm', 'models/albert_groups', 'models/roberta_mlm'],
  ...['family/family_pre_mlm', 'family/family_post_mlm'],
  ...['decoders/gpt2_lm', 'decoders/gpt2_inverse', 'decoders/llama_lm', 'decoders/llama_linear', 'decoders/mistral_lm'],
  ...['decoders/qwen2_lm', 'decoders/gpt_neox_lm', 'decoders/gpt_neox_sequential', 'decoders/opt_lm'],
  ...['seq2seq/marian_mt', 'seq2seq/bart_lm', 'seq2seq/bart_scaled', 'seq2seq/t5_v10', 'seq2seq/t5_v11'],
];

/** A run of some ids as a result of the page. @param {string} folder */
async function resultOf(folder) {
  const model = await load(`${golden}${folder}`);
  const most = Number(JSON.parse(readFileSync(`${golden}${folder}/config.json`, 'utf8')).vocab_size);
  const ids = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => 3 + ((i * 7) % (most - 4)));
  const both = model.kind === 'encoder-decoder';
  const [source, target] = [ids(5), ids(4)];
  const input = both ? { ids: [source], decoderIds: [target] } : { ids: [source] };
  const run = await model.run(input, { record: ['*'] });
  const sequence = (/** @type {number[]} */ of) => extended(model, null, of);
  /** @type {import('../../web/site/types.js').Result} */
  const result = {
    model,
    input,
    run,
    records: createRecords(model, input, run),
    edits: [],
    sequences: [sequence(source)],
    target: both ? sequence(target) : null,
    following: null,
    texts: [],
    padded: false,
    prediction: { kind: 'none' },
    written: null,
    ms: 0,
  };
  return { result, run };
}

/**
 * Follows an origin downward along its largest and its last terms, and checks each number on the way.
 * @param {import('../../web/site/origin-terms.js').Origin} origin
 * @param {string} what
 */
async function follow(origin, what) {
  /** @type {Set<string>} */
  const seen = new Set();
  let reached = 0;
  const near = (/** @type {number} */ got, /** @type {number} */ expected, /** @type {string} */ of) => {
    if (got === expected) return;
    // The core sums in float32, in another order than this page: a few units of the last place of the largest number in sight.
    const size = Math.max(1, Math.abs(expected));
    assert.ok(Math.abs(got - expected) < 2e-4 * size, `${what}: ${of}: ${got} for ${expected}`);
  };
  const queue = [origin];
  while (queue.length > 0 && seen.size < 140) {
    const here = /** @type {import('../../web/site/origin-terms.js').Origin} */ (queue.shift());
    const id = `${here.label} ${here.place}`;
    if (seen.has(id)) continue;
    seen.add(id);
    if (here.open === null) {
      if (here.from === 'stored') reached++;
      continue;
    }
    const { kind, terms, result } = await here.open();
    if (kind === 'sum')
      near(
        terms.reduce((sum, { value }) => sum + value, 0),
        here.value,
        here.label,
      );
    else {
      assert.notEqual(result, undefined, `${what}: ${here.label} says what its formula gives`);
      near(Number(result), here.value, here.label);
    }
    const order = [...terms].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    for (const { factors } of [order[0], order[order.length - 1]]) queue.push(...factors);
  }
  return reached;
}

for (const folder of folders) {
  test(`${folder}: cells, values and logits lead down to the weights, each number right`, async () => {
    const { result, run } = await resultOf(folder);
    const origins = createOrigins(result, 0);
    for (const grid of gridsOf(result.model)) {
      const layer = grid.layers - 1;
      for (const [query, key] of [
        [3, 1],
        [2, 2],
      ]) {
        const { parts, numbers } = await origins.cell(grid, { layer, head: 0, query, key });
        assert.ok(parts.error < 1e-4, `${grid.name}: recorded and recomputed differ by ${parts.error}`);
        const stored = await follow(numbers.weight, `${grid.name} weight(${query}, ${key})`);
        assert.ok(stored > 0, 'parameters are reached');
        if (numbers.bias) assert.equal(numbers.bias.from, 'stored');
      }
      await follow(await origins.headNumber(grid, 'v', layer, 0, 2, 1), `${grid.name} value`);
    }
    const { logits } = run.output;
    if (logits?.shape.length !== 3 || result.model.kind === 'encoder') return;
    const classes = logits.shape[2];
    const row = logits.data.slice(classes, 2 * classes);
    const stored = await follow(origins.probability(1, 5, row), 'probability');
    assert.ok(stored > 0 || folder.includes('opt'), 'the table of words is reached');
  });
}
