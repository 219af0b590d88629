// Changes of a run: which of them a text has places for, how they are written, and the way back and forth.
import assert from 'node:assert/strict';
import test from 'node:test';
import { create, load } from '../../web/engine/index.js';
import { createChanges } from '../../web/site/changes.js';
import {
  changesOf,
  editAt,
  placeOf,
  readEdits,
  spotOf,
  withEdit,
  withoutEdit,
  writeEdits,
} from '../../web/site/edits.js';
import { follow, followEdits } from '../../web/site/follow.js';
import { DEFAULTS } from '../../web/site/fragment.js';
import { createStore } from '../../web/site/store.js';
import { isOff, placesOf, switched } from '../../web/site/switches.js';

const PATTERN = 'blocks.1.attn.hook_pattern';
/** @param {number} query @param {number} key @param {number} set @returns {import('../../web/site/types.js').NumberEdit} */
const weight = (query, key, set) => ({ at: PATTERN, where: { batch: 0, head: 1, query, key }, set });

test('heads are switched off and on again', () => {
  const place = { grid: /** @type {const} */ ('cross'), layer: 1, head: 0 };
  let off = switched('', place);
  off = switched(off, { grid: 'self', layer: 0, head: 3 });
  assert.equal(off, 'cross.1.0 self.0.3');
  assert.ok(isOff(off, place));
  assert.deepEqual(placesOf(off)[1], { grid: 'self', layer: 0, head: 3 });
  assert.equal(switched(off, place), 'self.0.3');
});

test('edits are written and read; a second one at a place takes the first one’s turn', () => {
  const edits = withEdit(withEdit([], weight(3, 2, 0.5)), weight(4, 2, -1));
  const text = writeEdits(edits);
  assert.equal(text, `${PATTERN}*b0h1q3k2*0.5 ${PATTERN}*b0h1q4k2*-1`);
  assert.deepEqual(readEdits(text), edits);
  const moved = withEdit(edits, weight(3, 2, 0.7));
  assert.deepEqual(
    moved.map(({ set }) => set),
    [0.7, -1],
  );
  const place = placeOf(weight(3, 2, 0));
  assert.equal(editAt(moved, place)?.set, 0.7);
  assert.deepEqual(withoutEdit(moved, place), [weight(4, 2, -1)]);
  for (const wrong of [
    'x',
    `${PATTERN}*b0*1e99`,
    `${PATTERN}**1`,
    `${PATTERN}*z0*1`,
    `${PATTERN}*b0*0x1`,
    `${PATTERN}*h0h1*1`,
  ])
    assert.equal(readEdits(wrong), undefined, wrong);
  const small = [weight(3, 2, 1e-100)];
  assert.deepEqual(readEdits(writeEdits(small)), small, 'what a reader can type, a link holds');
  assert.deepEqual(readEdits(`${text} ${PATTERN}*b0h1q3k2*0.7`), moved, 'two of one place are one');
  const many = Array.from({ length: 201 }, (_, i) => `${PATTERN}*q${i}*0`).join(' ');
  assert.equal(readEdits(many), undefined, 'no page lists more');
});

test('only edits whose places there are go into a run', async () => {
  const tiny = { vocab_size: 40, n_embd: 8, n_layer: 2, n_head: 2, n_positions: 16 };
  const decoder = await create({ model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], ...tiny });
  const edits = [
    weight(3, 2, 0.5),
    weight(2, 3, 0.5), // may not be seen
    weight(9, 0, 0.5), // not written yet
    { ...weight(1, 1, 0), at: 'blocks.7.attn.hook_pattern' }, // no such layer
    { at: PATTERN, where: { pos: 1 }, set: 0 }, // no such axis
    { at: 'hook_embed', where: { batch: 1, pos: 0, dim: 0 }, set: 0 }, // no such sequence
    { at: 'hook_embed', where: { batch: 0, pos: 3, dim: 7 }, set: 2 },
  ];
  const choice = { off: 'self.0.1 cross.0.0 self.9.0', edits };
  const head = { at: 'blocks.0.attn.hook_z', where: { head: 1 }, set: 0 };
  assert.deepEqual(changesOf(decoder, choice, { source: 4 }), [head, edits[0], edits[6]]);
  assert.deepEqual(changesOf(decoder, choice, { source: Infinity }), [head, edits[0], edits[2], edits[6]]);
  // What the run records is what was set.
  const changes = changesOf(decoder, choice, { source: 4 });
  const run = await decoder.run({ ids: [[1, 2, 3, 4]] }, { record: ['*'], edits: changes });
  const { shape, data } = run.get(PATTERN);
  assert.equal(data[(1 * shape[2] + 3) * shape[3] + 2], 0.5);
  assert.equal(run.get('hook_embed').data[3 * 8 + 7], 2);
  assert.deepEqual(spotOf(decoder, 'blocks.0.attn.hook_q[0, 3, 1, 2]'), {
    at: 'blocks.0.attn.hook_q',
    where: { batch: 0, pos: 3, head: 1, dim: 2 },
  });
  assert.equal(spotOf(decoder, 'transformer.wte.weight[3, 1]'), null);
  assert.equal(spotOf(decoder, 'blocks.0.attn.hook_q[0, 3]'), null);

  const sizes = { vocab_size: 40, d_model: 8, encoder_layers: 1, decoder_layers: 2, max_position_embeddings: 16 };
  const parts = { encoder_attention_heads: 2, decoder_attention_heads: 2, encoder_ffn_dim: 8, decoder_ffn_dim: 8 };
  const both = await create({
    ...{ model_type: 'marian', architectures: ['MarianMTModel'], is_encoder_decoder: true },
    ...{ ...sizes, ...parts, pad_token_id: 0, eos_token_id: 1, decoder_start_token_id: 0 },
  });
  const cross = (/** @type {number} */ query, /** @type {number} */ key) => ({
    at: 'decoder.blocks.1.cross_attn.hook_pattern',
    where: { head: 0, query, key },
    set: 1,
  });
  const value = (/** @type {number} */ pos) => ({ at: 'decoder.blocks.0.cross_attn.hook_v', where: { pos }, set: 0 });
  const given = [cross(1, 4), cross(1, 5), cross(2, 0), value(4), value(5)];
  assert.deepEqual(changesOf(both, { off: '', edits: given }, { source: 5, target: 2 }), [given[0], given[3]]);
  decoder.dispose();
  both.dispose();
});

test('changes are undone and redone in turn; moving one number on is one step', async () => {
  const store = createStore(/** @type {any} */ ({ ...DEFAULTS }));
  let runs = 0;
  const changes = createChanges(store, { compute: async () => void runs++ });
  const shown = () => [store.state.off, ...store.state.edits.map(({ set }) => set)];
  assert.ok(!changes.canUndo && !changes.canRedo);
  void changes.set(weight(0, 0, 0.1), { was: 0.3, moves: true });
  void changes.set(weight(0, 0, 0.2), { was: 0.3, moves: true });
  void changes.toggle({ grid: 'self', layer: 1, head: 0 });
  void changes.set(weight(1, 0, 0.9), { was: 0.4 });
  assert.deepEqual(shown(), ['self.1.0', 0.2, 0.9]);
  assert.equal(changes.was(placeOf(weight(0, 0, 0))), 0.3);
  void changes.undo();
  void changes.undo();
  assert.deepEqual(shown(), ['', 0.2]);
  void changes.undo();
  assert.deepEqual(shown(), ['']);
  assert.ok(!changes.canUndo && changes.canRedo);
  void changes.redo();
  void changes.redo();
  assert.deepEqual(shown(), ['self.1.0', 0.2]);
  void changes.removeAll();
  assert.deepEqual(shown(), ['']);
  assert.ok(!changes.canRedo, 'another change ends what could be redone');
  void changes.undo();
  assert.deepEqual(shown(), ['self.1.0', 0.2]);
  void changes.remove(placeOf(weight(0, 0, 0)));
  assert.deepEqual(shown(), ['self.1.0']);
  assert.equal(runs, 12);
});

test('of a link’s changes the last goes first, and comes back', () => {
  const edits = Object.freeze([weight(0, 0, 0.1), weight(1, 0, 0.2)]);
  const store = createStore(/** @type {any} */ ({ ...DEFAULTS, off: 'self.0.0 self.0.1', edits }));
  const changes = createChanges(store, { compute: async () => {} });
  const shown = () => [store.state.off, store.state.edits.length];
  assert.ok(changes.canUndo);
  for (const expected of [
    ['self.0.0 self.0.1', 1],
    ['self.0.0 self.0.1', 0],
    ['self.0.0', 0],
    ['', 0],
  ]) {
    void changes.undo();
    assert.deepEqual(shown(), expected);
  }
  for (let i = 0; i < 4; i++) void changes.redo();
  assert.deepEqual(shown(), ['self.0.0 self.0.1', 2]);
  // Another address, another history.
  store.set({ off: '', edits: DEFAULTS.edits });
  assert.ok(!changes.canUndo && !changes.canRedo);
});

test('a token is followed over what comes before and after it', () => {
  const before = ['[', 'a', 'cat', ']'];
  assert.equal(follow(2, before, ['[', 'a', 'big', 'cat', ']']), 3);
  assert.equal(follow(2, before, ['[', 'a', 'cat', 'sat', ']']), 2);
  assert.equal(follow(2, before, ['[', 'a', 'dog', ']']), 2, 'what stands in its place has its place');
  assert.equal(follow(2, before, ['[', 'a', ']']), null);
  assert.equal(follow(null, before, before), null);
});

const texts = { pair: null, join: /** @type {const} */ ('pair'), target: null };
/** @param {Awaited<ReturnType<typeof load>>} model @param {import('../../web/site/types.js').NumberEdit[]} edits @param {any} before @param {any} after */
const places = (model, edits, before, after) =>
  followEdits(model, edits, { ...texts, ...before }, { ...texts, ...after }).pairs.map(({ to }) => to && placeOf(to));

test('changes follow their tokens: in a pair, in a batch, beside a source, and behind a prompt', async () => {
  const models = new URL('../../web/models/', import.meta.url).pathname;
  const topics = await load(`${models}topics`);
  const wild = weight(3, 1, 0.5); // wild, a
  const [before, after] = [{ text: 'a large wild cat' }, { text: 'a very large wild cat' }];
  assert.deepEqual(places(topics, [wild], before, after), [`${PATTERN}*b0h1q4k1`]);
  assert.deepEqual(places(topics, [wild], before, { text: 'a large cat' }), [null]);
  const same = followEdits(topics, [wild], { ...texts, ...before }, { ...texts, text: 'a large wild cat with fur' });
  assert.equal(same.pairs[0].to, wild, 'what does not move is the same object');
  const batch = (/** @type {string} */ text, /** @type {string} */ pair) => ({ text, pair, join: 'batch' });
  const second = { ...wild, where: { ...wild.where, batch: 1 } };
  assert.deepEqual(
    places(topics, [wild, second], batch('a large wild cat', 'a bird'), batch('one large wild cat', 'a bird')),
    [`${PATTERN}*b0h1q3k1`, `${PATTERN}*b1h1q3k1`],
  );
  const pair = (/** @type {string} */ text) => ({ text, pair: 'a wild dog' });
  const dog = weight(6, 2, 0.5); // [CLS] cats run [SEP] a wild *dog*
  assert.deepEqual(places(topics, [weight(6, 5, 1)], pair('cats run'), pair('big cats run')), [`${PATTERN}*b0h1q7k6`]);
  assert.deepEqual(places(topics, [dog], pair('cats run'), pair('cats')), [null]);
  topics.dispose();

  const dates = await load(`${models}dates`);
  const cross = { at: 'decoder.blocks.0.cross_attn.hook_pattern', where: { head: 0, query: 2, key: 1 }, set: 1 };
  const name = 'decoder.blocks.0.cross_attn.hook_pattern*h0q2k';
  // A source grows at its beginning; the step of the output that is not written yet stays.
  const grown = dates.tokenizer?.encode('x').ids.length ?? 0;
  const plain = dates.tokenizer?.encode('').ids.length ?? 0;
  const at = plain > 0 && dates.tokenizer?.encode('').special[0] ? 1 : 0;
  const key = { ...cross, where: { ...cross.where, key: at } };
  assert.deepEqual(places(dates, [key], { text: '3.2.1986' }, { text: 'x3.2.1986' }), [`${name}${at + grown - plain}`]);
  dates.dispose();

  const austen = await load(`${models}austen`);
  const [short, long] = ['She was', 'Indeed she was'].map((text) => austen.tokenizer?.encode(text).ids.length ?? 0);
  const written = { at: 'blocks.0.hook_resid_pre', where: { batch: 0, pos: short + 2, dim: 0 }, set: 1 };
  assert.deepEqual(places(austen, [written], { text: 'She was' }, { text: 'Indeed she was' }), [
    `blocks.0.hook_resid_pre*b0p${long + 2}d0`,
  ]);
  austen.dispose();
});

test('a change whose token is gone goes with it, and undo brings back both', () => {
  const words = (/** @type {string} */ text) => text.split(' ').map((word) => word.charCodeAt(0));
  const model = /** @type {any} */ ({
    kind: 'encoder',
    hooks: () => [],
    tokenizer: { encode: (/** @type {string} */ text) => ({ ids: words(text) }) },
  });
  const store = createStore(/** @type {any} */ ({ ...DEFAULTS, text: 'a b c', result: null }));
  const changes = createChanges(store, { compute: async () => changes.reading(model) });
  const type = (/** @type {string} */ text) => {
    store.set({ text });
    changes.reading(model);
  };
  const shown = () => [store.state.text, ...store.state.edits.map(({ where }) => where.query)];
  changes.reading(model);
  void changes.set(weight(1, 1, 0.1), { was: 0.7 });
  void changes.set(weight(2, 2, 0.2), { was: 0.3 });
  type('x a b c');
  assert.deepEqual(shown(), ['x a b c', 2, 3]);
  assert.equal(changes.was(placeOf(weight(2, 2, 0))), 0.7);
  void changes.undo();
  assert.deepEqual(shown(), ['x a b c', 2], 'what was changed before the text was is undone in this text');
  void changes.redo();
  assert.deepEqual(shown(), ['x a b c', 2, 3]);
  type('x a c');
  assert.deepEqual(shown(), ['x a c', 2]);
  assert.equal(store.state.lost.length, 1);
  type('x a c d');
  void changes.undo();
  assert.deepEqual(shown(), ['x a b c', 2, 3]);
  assert.deepEqual(store.state.lost, []);
  void changes.redo();
  assert.deepEqual(shown(), ['x a c d', 2]);
  void changes.undo();
  void changes.undo();
  assert.deepEqual(shown(), ['x a b c', 2]);
});
