// What a model can be run on, and what is refused.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { create, load } from '../../web/engine/index.js';
import { assertFails, detached, goldenFolder } from './golden.js';
import { assertNear, decoderConfig, textModel } from './tiny.js';

test('inputs: text, texts, a pair and ids are the same model run', async () => {
  const model = await textModel();
  const one = await model.run('A large wild cat');
  assert.deepEqual(one.tokens, [['[CLS]', 'a', 'large', 'wild', 'cat', '[SEP]']]);
  assert.deepEqual(one.ids, [[2, 4, 5, 6, 7, 3]]);
  assert.deepEqual(one.mask, [[1, 1, 1, 1, 1, 1]]);
  assert.deepEqual(one.offsets[0].slice(1, 3), [
    [0, 1],
    [2, 7],
  ]);
  assert.deepEqual(one.output.logits.shape, [1, 3]);
  assert.deepEqual(one.output.lastHidden.shape, [1, 6, 8]);
  assert.deepEqual(one.output.pooled.shape, [1, 8]);
  assert.ok(one.ms > 0 && one.names.length === 0);

  const both = await model.run(['a large wild cat', 'dog']);
  assert.deepEqual(both.ids[1], [2, 9, 3, 0, 0, 0]);
  assert.deepEqual(both.mask[1], [1, 1, 1, 0, 0, 0]);
  assert.equal(both.tokens[1][5], '[PAD]');
  const dog = await model.run('dog');
  assertNear({ shape: [1, 3], data: both.output.logits.data.slice(0, 3) }, one.output.logits, 'the first of a batch');
  assertNear({ shape: [1, 3], data: both.output.logits.data.slice(3) }, dog.output.logits, 'the second of a batch');

  const pair = await model.run({ text: 'a cat', pair: 'a dog' });
  assert.deepEqual(pair.typeIds, [[0, 0, 0, 0, 1, 1, 1]]);
  assert.deepEqual(pair.sequence, [[null, 0, 0, null, 1, 1, null]]);
  const ids = await model.run({ ids: [[2, 4, 7, 3, 4, 9, 3]], typeIds: [[0, 0, 0, 0, 1, 1, 1]] });
  assert.deepEqual(ids.output.logits.data, pair.output.logits.data);
  const ragged = await model.run({ ids: [Int32Array.of(2, 9, 3), [2, 4, 5, 6, 7, 3]] });
  assert.deepEqual(ragged.mask, [
    [1, 1, 1, 0, 0, 0],
    [1, 1, 1, 1, 1, 1],
  ]);
  assertNear({ shape: [1, 3], data: ragged.output.logits.data.slice(0, 3) }, dog.output.logits, 'padded ids');
  const bare = await create(decoderConfig);
  const uneven = /sequences of one length, as this model has no pad_token_id, got lengths of 1, 2$/;
  await assertFails(bare.run({ ids: [[1], [1, 2]] }), 'bad-input', uneven);
  bare.dispose();
  model.dispose();
});

test('a text longer than the model reads is cut, and says so', async () => {
  const model = await textModel();
  const run = await model.run('cat '.repeat(25000));
  assert.equal(run.ids[0].length, 10);
  assert.deepEqual(run.truncated, [25000 - 8]);
  assert.equal(model.tokenizer.encode('cat '.repeat(20)).truncated, 12);
  assert.deepEqual((await model.run('')).tokens, [['[CLS]', '[SEP]']]);
  for (const odd of ['\u0000\u0001', '\ud800', '🐈', 'كلب', 'e\u0301']) {
    assert.ok((await model.run(odd)).output.logits.data.every(Number.isFinite), JSON.stringify(odd));
  }
  model.dispose();
});

test('a batch of more texts than a call has arguments', async () => {
  const model = await textModel();
  const { ids, output } = await model.run(Array(150000).fill('cat'));
  assert.equal(ids.length, 150000);
  assert.deepEqual(output.logits.data.slice(-3), output.logits.data.slice(0, 3));
  model.dispose();
});

test('the tokenizer refuses what is no text, no list of ids and no option', async () => {
  const { tokenizer } = await textModel();
  const refused = (pattern, call) => assert.throws(call, { code: 'bad-input', message: pattern });
  refused(/text: expected a string, got null/, () => tokenizer.encode(null));
  refused(/pair: expected a string, got Array of 1/, () => tokenizer.encode('a', { pair: ['b'] }));
  refused(/no option "piar"; nearest: "pair"/, () => tokenizer.encode('a', { piar: 'b' }));
  refused(/expected an object of options, got null/, () => tokenizer.encode('a', null));
  refused(/ids: expected a list of numbers, got null/, () => tokenizer.decode(null));
  refused(/ids: expected a list of numbers, got 5/, () => tokenizer.decode(5));
  refused(/ids\[1\]: expected a whole number, got undefined/, () => tokenizer.decode([4, undefined]));
  refused(/no option "skip"/, () => tokenizer.decode([4], { skip: true }));
  assert.equal(tokenizer.decode(Int32Array.of(4, 7)), 'a cat');
});

test('inputs that make no sense are refused by argument', async () => {
  const model = await textModel();
  const refused = (input, pattern, options) => assertFails(model.run(input, options), 'bad-input', pattern);
  await refused(5, /input: expected .* got 5/);
  await refused([], /input: expected at least one text/);
  await refused(['a', 5], /input\[1\]: .* got 5/);
  await refused({ text: 5 }, /input: .*/);
  await refused({ ids: [] }, /ids: expected at least one sequence/);
  await refused({ ids: [[]] }, /ids: expected at least one sequence of at least one token/);
  await refused({ ids: [1, 2] }, /ids\[0\]: expected a list/);
  await refused({ ids: [[1, 2.5]] }, /ids\[0\]\[1\]: expected a whole number, got 2\.5/);
  await refused({ ids: [[1, 16]] }, /ids: expected values from 0 to 15, got 16 in sequence 0 at position 1/);
  await refused({ ids: [[1, -1]] }, /ids: .* got -1/);
  await refused({ ids: [Array(11).fill(1)] }, /at most 10 tokens/);
  await refused({ ids: [[1, 2]], mask: [[1]] }, /mask\[0\]: expected 2 values/);
  await refused({ ids: [[1, 2]], mask: [[1, 2]] }, /mask: expected values from 0 to 1, got 2/);
  await refused({ ids: [[1]], typeIds: [[2]] }, /typeIds: expected values from 0 to 1, got 2/);
  await refused({ ids: [[1]], typeIDs: [[0]] }, /"typeIDs"; nearest: "typeIds"/);
  await refused([{ text: 'a', piar: 'b' }], /input\[0\]: no option "piar"; nearest: "pair"/);
  await refused(['a', , 'b'], /input\[1\]: .* got undefined/); // eslint-disable-line no-sparse-arrays
  await refused({ ids: [detached(Int32Array.of(1, 2))] }, /ids\[0\]: expected a list of numbers/);
  await refused({ ids: [new BigInt64Array(1)] }, /ids\[0\]: expected a list of numbers/);
  await refused('a', /signal: expected an AbortSignal, got 5/, { signal: 5 });
  await refused('a', /no option "recrod"; nearest: "record"/, { recrod: [] });
  await refused('a', /record: expected a list/, { record: 'hook_embed' });
  const plain = await load(path.join(goldenFolder, 'models/bert_base'));
  assert.equal(plain.tokenizer, null);
  await assertFails(plain.run('text'), 'bad-input', /no tokenizer; expected \{ ids \}/);
  for (const one of [model, plain]) one.dispose();
});
