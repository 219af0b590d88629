// A text that grows token by token is one run to the pictures: rows that steps recorded stand below those that were there.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createTrace, growthOf } from '../../web/site/trace.js';

const hooks = [
  { name: 'encoder.blocks.0.attn.hook_pattern', dims: ['batch', 'head', 'query', 'key'] },
  { name: 'decoder.blocks.0.attn.hook_pattern', dims: ['batch', 'head', 'query', 'key'] },
  { name: 'decoder.blocks.0.attn.hook_attn_scores', dims: ['batch', 'head', 'query', 'key'] },
  { name: 'decoder.blocks.0.cross_attn.hook_pattern', dims: ['batch', 'head', 'query', 'key'] },
  { name: 'decoder.blocks.0.cross_attn.hook_k', dims: ['batch', 'pos', 'head', 'dim'] },
  { name: 'decoder.blocks.0.attn.hook_k', dims: ['batch', 'pos', 'head', 'dim'] },
];
const HEADS = 2;
const SOURCE = 3;
const WIDTH = 4;

/** A value that says where it is from. @param {number} head @param {number} query @param {number} key */
const cell = (head, query, key) => 1 + head * 10_000 + query * 100 + key;

/** @param {number} from @param {number} rows @param {number} columns as many as can be seen from the last row @param {boolean} causal */
function matrix(from, rows, columns, causal) {
  const data = Float32Array.from({ length: HEADS * rows * columns }, (_, i) => {
    const [head, row, key] = [Math.floor(i / (rows * columns)), Math.floor(i / columns) % rows, i % columns];
    return causal && key > from + row ? 0 : cell(head, from + row, key);
  });
  return { shape: [1, HEADS, rows, columns], data };
}

/** What a step records that reads some rows. @param {number} from @param {number} rows @returns {any} */
function stepRun(from, rows) {
  const positions = Float32Array.from({ length: rows * HEADS * WIDTH }, (_, i) => from * HEADS * WIDTH + i);
  /** @type {Record<string, { shape: number[], data: Float32Array }>} */
  const tensors = {
    'decoder.blocks.0.attn.hook_pattern': matrix(from, rows, from + rows, true),
    'decoder.blocks.0.attn.hook_attn_scores': matrix(from, rows, from + rows, true),
    'decoder.blocks.0.cross_attn.hook_pattern': matrix(from, rows, SOURCE, false),
    'decoder.blocks.0.cross_attn.hook_k': { shape: [1, SOURCE, HEADS, WIDTH], data: new Float32Array(24).fill(7) },
    'decoder.blocks.0.attn.hook_k': { shape: [1, rows, HEADS, WIDTH], data: positions },
    ...(from === 0 ? { 'encoder.blocks.0.attn.hook_pattern': matrix(0, SOURCE, SOURCE, false) } : {}),
  };
  const logits = { shape: [1, 5], data: Float32Array.from({ length: 5 }, (_, i) => (from + rows - 1) * 10 + i) };
  return { names: Object.keys(tensors), get: (/** @type {string} */ name) => tensors[name], output: { logits } };
}

test('steps are put together to what one run over all of it would have recorded', () => {
  const trace = createTrace(hooks);
  trace.add(stepRun(0, 2), 2);
  for (const row of [2, 3, 4]) trace.add(stepRun(row, 1), 1);
  assert.equal(trace.rows, 5);
  const whole = stepRun(0, 5);
  const run = trace.view(5);
  for (const { name } of hooks) {
    const [got, expected] = [run.get(name), whole.get(name)];
    assert.deepEqual(got.shape, expected.shape, name);
    if (name.endsWith('scores')) continue;
    assert.deepEqual(got.data, expected.data, name);
  }
  const scores = run.get('decoder.blocks.0.attn.hook_attn_scores');
  assert.equal(scores.data[0 * 5 + 4], -Infinity, 'what a step could not see yet is hidden');
  assert.equal(scores.data[4 * 5 + 0], cell(0, 4, 0));
});

test('taking tokens back shows the first rows, wherever the runs were divided', () => {
  const trace = createTrace(hooks);
  trace.add(stepRun(0, 3), 3);
  trace.add(stepRun(3, 1), 1);
  for (const rows of [1, 2, 3, 4]) {
    const run = trace.view(rows);
    const pattern = run.get('decoder.blocks.0.attn.hook_pattern');
    assert.deepEqual(pattern.shape, [1, HEADS, rows, rows]);
    assert.deepEqual(pattern.data, matrix(0, rows, rows, true).data);
    assert.deepEqual(run.get('decoder.blocks.0.cross_attn.hook_pattern').shape, [1, HEADS, rows, SOURCE]);
    assert.deepEqual(run.get('decoder.blocks.0.attn.hook_k').shape, [1, rows, HEADS, WIDTH]);
    assert.equal(run.get('decoder.blocks.0.attn.hook_pattern'), pattern, 'assembled once');
  }
});

test('logits are known where a step gave them: behind its last row', () => {
  const trace = createTrace(hooks);
  trace.add(stepRun(0, 3), 3);
  trace.add(stepRun(3, 1), 1);
  assert.equal(trace.logits(0), null);
  assert.equal(trace.logits(2)?.[1], 21);
  assert.equal(trace.logits(3)?.[0], 30);
  assert.equal(trace.logits(9), null);
});

test('what is read of a source does not grow', () => {
  const growths = hooks.map(({ name, dims }) => growthOf(name, dims));
  assert.deepEqual(growths, ['whole', 'matrix', 'matrix', 'aligned', 'whole', 'rows']);
});
