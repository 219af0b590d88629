// The recipes' own parts: data, streams, baselines and the protocol with the native trainer. Nothing here trains a model.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Tokenizer as PageTokenizer } from '@huggingface/tokenizers';
import { Tokenizer as RustTokenizer } from 'tokenizers';
import { NeighbourCount, naiveBayes, scoreBlanks } from '../../web/models/recipes/baselines.mjs';
import { parseCommand } from '../../web/models/recipes/command.mjs';
import { cooccurrenceEmbeddings, logFrequencies } from '../../web/models/recipes/embeddings.mjs';
import { COLUMNS, addPattern } from '../../web/models/recipes/heads.mjs';
import { decodeExample, encodeExample, evaluateNative, trainNative } from '../../web/models/recipes/native.mjs';
import { random } from '../../web/models/recipes/random.mjs';
import { f32, readSafetensors, writeSafetensors } from '../../web/models/recipes/safetensors.mjs';
import {
  IGNORED,
  blanks,
  epochOrder,
  labelledExamples,
  mask,
  maskedExamples,
  withSpecialTokens,
} from '../../web/models/recipes/streams.mjs';
import { SPECIAL } from '../../web/models/recipes/vocabulary.mjs';
import { LABELS, isHeldOut, readWordNet, splitGloss, wordNetLicence } from '../../web/models/recipes/wordnet.mjs';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-recipes-'));
after(() => rmSync(folder, { recursive: true }));

const CLS = SPECIAL['[CLS]'];
const SEP = SPECIAL['[SEP]'];
const MASK = SPECIAL['[MASK]'];

/** Texts of 1 to 30 tokens, made up. */
function someTexts(count, seed = 1) {
  const next = random(seed);
  return Array.from({ length: count }, () => ({
    ids: Int32Array.from({ length: 1 + Math.floor(next() * 30) }, () => 5 + Math.floor(next() * 100)),
    label: Math.floor(next() * 12),
  }));
}

function take(stream, count) {
  const taken = [];
  for (const example of stream) {
    taken.push(example);
    if (taken.length === count) break;
  }
  return taken;
}

test('WordNet: everything is read, and the split is by synset, stable and disjoint', () => {
  const synsets = readWordNet();
  assert.equal(synsets.length, 117791);
  assert.equal(new Set(synsets.map(({ id }) => id)).size, synsets.length);
  assert.equal(LABELS.length, 12);
  assert.equal(synsets.filter(({ topic }) => topic).length, 67825);
  const heldOut = synsets.filter((synset) => synset.heldOut);
  // These two numbers change only if the split does, which would let trained texts into the scores.
  assert.equal(heldOut.length, 12060);
  assert.equal(heldOut.filter(({ topic }) => topic).length, 6954);
  for (const { id, heldOut: held } of synsets) assert.equal(isHeldOut(id), held);
  const dog = synsets.find(({ definition }) => definition.startsWith('a member of the genus Canis'));
  assert.equal(dog.topic, 'animal');
  assert.deepEqual(dog.examples, ['the dog barked all night']);
  assert.match(
    wordNetLicence(),
    /^This software and database[^]*WordNet 3\.1 Copyright 2011[^]*Licensee agrees to preserve same\.\n$/i,
  );
});

test('glosses: examples are split off, quotations inside a definition stay', () => {
  const cases = [
    ['a tangible entity; "it was full of balls"', 'a tangible entity', ['it was full of balls']],
    ['spread ("straw" is archaic); "strew toys all over"', 'spread ("straw" is archaic)', ['strew toys all over']],
    ['being a slave; "So every bondman bears it"--Shakespeare', 'being a slave', ['So every bondman bears it']],
    ['of color; "dirty" is often used; "a dirty white"; ', 'of color', ['a dirty white']],
    ['no examples here; only two parts', 'no examples here; only two parts', []],
    ['', '', []],
  ];
  for (const [gloss, definition, examples] of cases) assert.deepEqual(splitGloss(gloss), { definition, examples });
});

test('special tokens, pairs and truncation', () => {
  const a = Int32Array.of(10, 11, 12);
  const b = Int32Array.of(20, 21);
  assert.deepEqual([...withSpecialTokens(a, undefined, 64).ids], [CLS, 10, 11, 12, SEP]);
  const pair = withSpecialTokens(a, b, 64);
  assert.deepEqual([...pair.ids], [CLS, 10, 11, 12, SEP, 20, 21, SEP]);
  assert.deepEqual([...pair.typeIds], [0, 0, 0, 0, 0, 1, 1, 1]);
  assert.deepEqual([...withSpecialTokens(a, undefined, 4).ids], [CLS, 10, 11, SEP]);
  assert.deepEqual([...withSpecialTokens(a, b, 7).ids], [CLS, 10, 11, 12, SEP, 20, SEP]);
  assert.deepEqual([...withSpecialTokens(a, b, 6).ids], [CLS, 10, 11, 12, SEP], 'no room for a token of the pair');
});

test('masking: the rate asked for, never special tokens, at least one', () => {
  let hidden = 0;
  let tokens = 0;
  for (const [i, { ids }] of someTexts(4000).entries()) {
    const text = withSpecialTokens(ids, undefined, 64);
    const example = mask(text, 0.25, random(7, i));
    let here = 0;
    example.ids.forEach((id, at) => {
      const masked = example.labels[at] !== IGNORED;
      assert.equal(masked, id === MASK);
      assert.equal(masked ? example.labels[at] : id, text.ids[at], 'labels are what was hidden, the rest is untouched');
      here += masked ? 1 : 0;
    });
    assert.equal(example.labels[0], IGNORED);
    assert.equal(example.labels.at(-1), IGNORED);
    assert.ok(here >= 1);
    // Short texts are always asked for one, which is more than the rate.
    if (ids.length >= 4) {
      hidden += here;
      tokens += ids.length;
    }
  }
  // About 66,000 tokens: three standard deviations of the rounding are 0.002.
  assert.ok(Math.abs(hidden / tokens - 0.25) < 0.002, `rate ${hidden / tokens}`);
});

test('masking rate: from the first to the last, then constant', () => {
  const texts = someTexts(640);
  const options = { texts, batchSize: 16, maxLength: 64, rate: [0.4, 0.1], total: 6400, seed: 3 };
  const rateOf = (examples) => {
    const long = examples.filter(({ ids }) => ids.length > 12);
    const hidden = long.reduce((sum, { labels }) => sum + labels.filter((id) => id !== IGNORED).length, 0);
    return hidden / long.reduce((sum, { ids }) => sum + ids.length - 2, 0);
  };
  // Some 7,000 tokens each: ± 0.01 is three standard deviations; the first 640 examples' mean rate is 0.385.
  assert.ok(Math.abs(rateOf(take(maskedExamples(options), 640)) - 0.385) < 0.01);
  assert.ok(Math.abs(rateOf(take(maskedExamples({ ...options, from: 6400 }), 640)) - 0.1) < 0.01);
});

test('streams: resumed anywhere, they go on as if not interrupted', () => {
  const texts = someTexts(333).map((text, i) => ({
    ...text,
    companions: i % 2 ? [Int32Array.of(i + 5, 7), Int32Array.of(8)] : [],
  }));
  const shared = { texts, batchSize: 16, maxLength: 24, seed: 5 };
  const streams = [
    (from) => maskedExamples({ ...shared, rate: [0.3, 0.15], total: 900, pairs: 0.5, from }),
    (from) => labelledExamples({ ...shared, from }),
  ];
  for (const stream of streams) {
    const whole = take(stream(0), 1000);
    for (const from of [1, 17, 319, 320, 321, 700]) {
      assert.deepEqual(take(stream(from), 1000 - from), whole.slice(from), `from ${from}`);
    }
    assert.ok(whole.every(({ ids }) => ids.length <= 24));
  }
  const paired = take(streams[0](0), 320).filter(({ typeIds }) => typeIds);
  // Half of 166 texts with companions, less those too long to have one: 50 to 100 with certainty for all practical purposes.
  assert.ok(paired.length > 40 && paired.length < 110, `${paired.length} pairs`);
});

test('epochs: every text at most once, batches of similar length, another order each time', () => {
  const lengths = someTexts(1000).map(({ ids }) => ids.length);
  const order = epochOrder(lengths, 16, 1, 0);
  assert.equal(order.length, 992);
  assert.equal(new Set(order).size, 992);
  assert.notDeepEqual(order, epochOrder(lengths, 16, 1, 1));
  assert.notDeepEqual(order, epochOrder(lengths, 16, 2, 0));
  assert.deepEqual(order, epochOrder(lengths, 16, 1, 0));
  let real = 0;
  let padded = 0;
  for (let start = 0; start < order.length; start += 16) {
    const batch = [...order.subarray(start, start + 16)].map((i) => lengths[i]);
    real += batch.reduce((a, b) => a + b);
    padded += 16 * Math.max(...batch);
  }
  assert.ok(padded / real < 1.05, `padded to ${padded / real} of the tokens`);
});

test('blanks: one hidden token each, the same on every call', () => {
  const texts = someTexts(500).map(({ ids }) => ids);
  const all = [...blanks(texts, 0.2, 64, 1)];
  for (const { ids, labels } of all) {
    assert.equal(ids.filter((id) => id === MASK).length, 1);
    assert.notEqual(labels[ids.indexOf(MASK)], IGNORED);
  }
  assert.deepEqual([...blanks(texts, 0.2, 64, 1)], all);
});

test('protocol: examples survive encoding, and lengths that disagree are refused', () => {
  const examples = [
    { ids: Int32Array.of(2, 5, 3), labels: Int32Array.of(-100, 9, -100) },
    { ids: Int32Array.of(2, 3), typeIds: Int32Array.of(0, 1), labels: Int32Array.of(4) },
  ];
  const buffer = Buffer.concat(examples.map(encodeExample));
  assert.equal(buffer.readInt32LE(0), 3);
  assert.equal(buffer.readInt32LE(4), 0);
  const first = decodeExample(buffer);
  const second = decodeExample(buffer, first.next);
  assert.deepEqual([first.example, second.example], examples);
  assert.equal(second.next, buffer.length);
  assert.throws(
    () => encodeExample({ ...examples[1], typeIds: Int32Array.of(0) }),
    /expected 2 type ids or none, got 1/,
  );
});

/** A program that speaks the trainer's protocol and learns nothing; it writes its arguments and the first example's first id to OUT. */
const pretender = join(folder, 'pretender.mjs');
writeFileSync(
  pretender,
  `#!${process.execPath}
import { writeFileSync, writeSync } from 'node:fs';
const [verb, ...args] = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];
// Written at once: process.exit drops what process.stdout still holds.
const say = (value) => writeSync(1, JSON.stringify(value) + '\\n');
let data = Buffer.alloc(0), header, step = 0, examples = 0, first;
const save = () => {
  writeFileSync(option('--out') + '/state.safetensors', 'state');
  writeFileSync(option('--out') + '/seen.json', JSON.stringify({ first, resumed: args.includes('--resume'), optimizer: header.optimizer }));
  say({ saved: true, step, examples });
};
process.on('SIGINT', () => { save(); process.exit(0); });
for await (const chunk of process.stdin) {
  data = Buffer.concat([data, chunk]);
  if (!header) {
    const end = data.indexOf(10);
    if (end < 0) continue;
    header = JSON.parse(data.toString('utf8', 0, end));
    data = data.subarray(end + 1);
    if (header.fail) { console.error('bad-config: expected mercy'); process.exit(3); }
  }
  for (;;) {
    if (data.length < 12) break;
    const words = 3 + data.readInt32LE(0) + data.readInt32LE(4) + data.readInt32LE(8);
    if (data.length < 4 * words) break;
    first ??= data.readInt32LE(16);
    const ids = data.readInt32LE(0);
    data = data.subarray(4 * words);
    examples++;
    if (verb === 'evaluate') say({ loss: ids, count: 1, correct: 0, correct5: 1, predicted: 2 });
    else if (examples % header.batchSize === 0) {
      say({ step: ++step, loss: 1 / step, lr: 1, gradNorm: 1, tokensPerSecond: 1 });
      if (step === header.steps) { save(); process.exit(0); }
    }
  }
}
if (verb === 'evaluate') say({ totals: true });
else save();
`,
);
chmodSync(pretender, 0o755);

test('driver: trains, stops on abort with a saved state, resumes behind the last example', async () => {
  const out = join(folder, 'run');
  const asked = [];
  const options = (steps, signal, fresh) => ({
    model: folder,
    out,
    fresh,
    signal,
    trainer: pretender,
    settings: { steps, batchSize: 4, optimizer: { lr: 1, betas: [0.9, 0.98] } },
    *examples(from) {
      asked.push(from);
      for (let i = from; ; i++) yield { ids: Int32Array.of(2, 1000 + i, 3), labels: Int32Array.of(-100, 7, -100) };
    },
  });
  const optimizer = { lr: 1, beta1: 0.9, beta2: 0.98 };
  const seen = () => JSON.parse(readFileSync(join(out, 'seen.json'), 'utf8'));
  const collect = async (run, each = () => undefined) => {
    const events = [];
    for await (const event of run) {
      events.push(event);
      each(event);
    }
    return events;
  };
  const events = await collect(trainNative(options(5)));
  assert.deepEqual(
    events.map((event) => event.step),
    [1, 2, 3, 4, 5, 5],
  );
  assert.equal(events.at(-1).examples, 20);
  assert.deepEqual(seen(), { first: 1000, resumed: false, optimizer });

  const stopping = new AbortController();
  const stopped = await collect(
    trainNative(options(1e9, stopping.signal)),
    ({ step }) => step === 100 && stopping.abort(),
  );
  assert.deepEqual(seen(), { first: 1020, resumed: true, optimizer });
  assert.ok('saved' in stopped.at(-1));

  await collect(trainNative(options(5, undefined, true)));
  assert.deepEqual(seen(), { first: 1000, resumed: false, optimizer });
  assert.deepEqual(asked, [0, 20, 0]);
});

test('driver: a failing or missing trainer says so; scores come back in order', async () => {
  const examples = [3, 1, 2].map((n) => ({ ids: new Int32Array(n), labels: Int32Array.of(0) }));
  const failing = trainNative({
    model: folder,
    out: join(folder, 'bad'),
    trainer: pretender,
    settings: { fail: true },
    examples: () => examples,
  });
  await assert.rejects(failing.next(), /glass_train train ended with 3: bad-config: expected mercy/);
  const missing = { model: folder, examples, trainer: join(folder, 'nothing') };
  await assert.rejects(evaluateNative(missing), /cannot run .*nothing \(npm run build makes it\)/);
  const scores = await evaluateNative({ model: folder, examples, trainer: pretender });
  assert.deepEqual(
    scores.map(({ loss }) => loss),
    [3, 1, 2],
  );
});

test('command line: options are read, nonsense is refused', () => {
  assert.deepEqual(parseCommand(['--steps', '10', '--fresh']), {
    fresh: true,
    scoreOnly: false,
    seed: 1,
    threads: 2,
    steps: 10,
  });
  assert.throws(() => parseCommand(['--steps', 'many']), /--steps: expected a positive whole number, got 'many'/);
});

test('neighbour count: probabilities, and the right answer where counting knows it', () => {
  // 5 6 7 three times, 5 8 7 once: between 5 and 7 stands mostly 6.
  const texts = [
    [5, 6, 7],
    [5, 6, 7],
    [5, 6, 7],
    [5, 8, 7],
  ].map((ids) => withSpecialTokens(Int32Array.from(ids), undefined, 64).ids);
  const counted = new NeighbourCount(texts, 10);
  for (const guess of [
    counted.unigram,
    counted.between(5, 7),
    counted.between(MASK, 7),
    counted.between(5, MASK),
    counted.between(9, 9),
  ]) {
    const sum = guess.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-12, `sums to ${sum}`);
    assert.ok(guess.every((p) => p > 0));
  }
  const guess = counted.between(5, 7);
  assert.equal(guess.indexOf(Math.max(...guess)), 6);
  const score = scoreBlanks(
    [{ ids: Int32Array.of(CLS, 5, MASK, 7, SEP), labels: Int32Array.of(-100, -100, 6, -100, -100) }],
    (l, r) => counted.between(l, r),
  );
  assert.deepEqual({ ...score, nats: 0 }, { top1: 1, top5: 1, nats: 0, count: 1 });
  assert.equal(score.nats, -Math.log(guess[6]));
});

test('naive Bayes: separates what words separate', () => {
  const train = ['red fruit', 'sweet fruit', 'fast car', 'old car'].map((text, i) => ({ text, label: i < 2 ? 0 : 1 }));
  assert.equal(
    naiveBayes(
      train,
      [
        { text: 'a fruit', label: 0 },
        { text: 'a car', label: 1 },
      ],
      2,
    ),
    1,
  );
});

test('first embeddings: tokens of the same places come out alike, special tokens do not, lengths are as asked', () => {
  const next = random(2);
  // Tokens 10–14 stand only after 5 and before 6, 20–24 only after 7 and before 8.
  const texts = Array.from({ length: 2000 }, () => {
    const kind = next() < 0.5;
    const middle = (kind ? 10 : 20) + Math.floor(next() * 5);
    return Int32Array.of(kind ? 5 : 7, middle, kind ? 6 : 8);
  });
  const width = 8;
  const table = cooccurrenceEmbeddings(texts, 30, width, 0.1, 1);
  const cosine = (a, b) => {
    const dot = (x, y) =>
      Array.from({ length: width }, (_, i) => table[x * width + i] * table[y * width + i]).reduce((s, v) => s + v);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  // A fifth of each row is noise: its cosine with a like row is 0.94 on average, with an unlike one near 0.
  assert.ok(cosine(10, 13) > 0.75, `alike: ${cosine(10, 13)}`);
  assert.ok(cosine(10, 23) < 0.5, `unlike: ${cosine(10, 23)}`);
  const size = Math.sqrt(table.reduce((sum, v) => sum + v * v, 0) / table.length);
  assert.ok(size > 0.07 && size < 0.12, `root mean square ${size}`);
  const bias = logFrequencies([Int32Array.of(5, 5, 6)], 8);
  assert.deepEqual(
    bias,
    Float32Array.from([0.5, 0.5, 0.5, 0.5, 0.5, 2.5, 1.5, 0.5], (count) => Math.log(count / 7)),
  );
});

test('table of heads: each weight counted once', () => {
  const ids = [CLS, 10, 11, 12, SEP];
  const rows = [0, 1].map((head) => ({ layer: 0, head, previous: 0, next: 0, itself: 0, cls: 0, sep: 0, other: 0 }));
  const pattern = new Float32Array(2 * 25);
  // Head 0: all on the previous token. Head 1: evenly.
  for (let query = 0; query < 5; query++) {
    pattern[query * 5 + Math.max(0, query - 1)] = 1;
    pattern.fill(0.2, 25 + query * 5, 30 + query * 5);
  }
  assert.equal(addPattern(pattern, ids, rows), 3);
  assert.equal(rows[0].previous, 3);
  for (const row of rows) assert.ok(Math.abs(COLUMNS.reduce((sum, column) => sum + row[column], 0) - 3) < 1e-6);
  // The first query's previous token is [CLS] and the last one's next is [SEP]: those count as neighbours.
  assert.ok(Math.abs(rows[1].cls - 0.4) < 1e-6 && Math.abs(rows[1].other - 0.4) < 1e-6);
});

test('safetensors: written and read back', () => {
  const tensors = new Map([
    ['a', f32(Float32Array.of(1, 2, 3, 4), [2, 2])],
    ['b', f32(Float32Array.of(5), [1])],
  ]);
  const file = writeSafetensors(tensors);
  assert.equal(Number(file.readBigUInt64LE(0)) % 8, 0);
  const read = readSafetensors(file);
  assert.deepEqual([...read], [...tensors]);
});

test('vocabularies: both tokenizers give the same ids', async () => {
  const texts = [
    ...readWordNet()
      .filter((_, i) => i % 200 === 0)
      .map(({ definition }) => definition),
    'Café naïve “quoted” — dashes… 3.14% of £5',
    'ﬁ ligature, Straße, ÅNGSTRÖM, 東京 tower, \u200bzero width',
    '',
    "don't [MASK] the [SEP] question",
    'x'.repeat(120),
  ];
  for (const name of ['words', 'words-small', 'topics']) {
    const file = new URL(`../../web/models/${name}/tokenizer.json`, import.meta.url);
    assert.ok(existsSync(file), `${name} has a vocabulary`);
    const json = readFileSync(file, 'utf8');
    const rust = RustTokenizer.fromString(json);
    const page = new PageTokenizer(JSON.parse(json), {});
    const vocab = JSON.parse(json).model.vocab;
    assert.equal(Object.keys(vocab).length, 8000);
    for (const [token, id] of Object.entries(SPECIAL)) assert.equal(vocab[token], id);
    const encodings = await rust.encodeBatch(texts);
    texts.forEach((text, i) => assert.deepEqual(page.encode(text).ids, encodings[i].getIds(), text));
    const pair = await rust.encode('a small river', 'it runs');
    assert.deepEqual(page.encode('a small river', { text_pair: 'it runs' }).ids, pair.getIds());
  }
});
