// The recipes and the native trainer: protocol, driver, command line. A pretender stands in for it; nothing is trained.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseCommand } from '../../web/models/recipes/command.mjs';
import {
  decodeExample,
  encodeExample,
  evaluateNative,
  generateNative,
  trainNative,
} from '../../web/models/recipes/native.mjs';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-recipes-'));
after(() => rmSync(folder, { recursive: true }));

test('protocol: examples survive encoding, and lengths that disagree are refused', () => {
  const examples = [
    { ids: Int32Array.of(2, 5, 3), labels: Int32Array.of(-100, 9, -100) },
    { ids: Int32Array.of(2, 3), typeIds: Int32Array.of(0, 1), labels: Int32Array.of(4) },
    {
      ids: Int32Array.of(7, 8, 1),
      decoderIds: Int32Array.of(0, 9),
      labels: Int32Array.of(9, 1),
      links: Int32Array.of(1, -1),
    },
  ];
  const buffer = Buffer.concat(examples.map(encodeExample));
  assert.equal(buffer.readInt32LE(0), 3);
  assert.equal(buffer.readInt32LE(4), 0);
  const first = decodeExample(buffer);
  const second = decodeExample(buffer, first.next);
  const third = decodeExample(buffer, second.next);
  assert.deepEqual([first.example, second.example, third.example], examples);
  assert.equal(third.next, buffer.length);
  const words = Array.from({ length: (third.next - second.next) / 4 }, (_, i) =>
    buffer.readInt32LE(second.next + 4 * i),
  );
  assert.deepEqual(words, [3, 0, 2, 2, 2, 7, 8, 1, 0, 9, 9, 1, 1, -1]);
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
    if (data.length < 20) break;
    const words = 5 + [0, 4, 8, 12, 16].reduce((sum, at) => sum + data.readInt32LE(at), 0);
    if (data.length < 4 * words) break;
    first ??= data.readInt32LE(24);
    const ids = data.readInt32LE(0);
    data = data.subarray(4 * words);
    examples++;
    if (verb === 'generate') say({ ids: [ids, header.beams], score: -1 });
    else if (verb === 'evaluate') say({ loss: ids, count: 1, correct: 0, correct5: 1, predicted: 2 });
    else if (examples % header.batchSize === 0) {
      say({ step: ++step, loss: 1 / step, lr: 1, gradNorm: 1, tokensPerSecond: 1 });
      if (step === header.steps) { save(); process.exit(0); }
    }
  }
}
if (verb === 'evaluate') say({ totals: true });
else if (verb === 'train') save();
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
  const sources = examples.map(({ ids }) => ids);
  assert.deepEqual(await generateNative({ model: folder, sources, options: { beams: 2 }, trainer: pretender }), [
    { ids: [3, 2], score: -1 },
    { ids: [1, 2], score: -1 },
    { ids: [2, 2], score: -1 },
  ]);
});

test('command line: options are read, nonsense is refused', () => {
  assert.deepEqual(parseCommand(['--steps', '10', '--fresh']), {
    fresh: true,
    scoreOnly: false,
    compare: false,
    seed: 1,
    threads: 2,
    steps: 10,
  });
  assert.throws(() => parseCommand(['--steps', 'many']), /--steps: expected a positive whole number, got 'many'/);
});
