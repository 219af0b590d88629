// Parts of the engine that need no core: the queue of calls, names, and what browsers can do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Connection } from '../../web/engine/connection.js';
import { hasRelaxedSimd, missingFeatures } from '../../web/engine/core.js';
import { buffersOf } from '../../web/engine/host.js';
import { checkOptions, described, joined, nearest } from '../../web/engine/names.js';

/** A connection to a core that answers when told to. */
function slowCore() {
  /** @type {{ name: string, answer: (value: unknown) => void }[]} */
  const asked = [];
  const told = [];
  const connection = new Connection(
    (name, args, transfer) => new Promise((resolve) => asked.push({ name, args, transfer, answer: resolve })),
    (name, args) => told.push([name, args]),
  );
  return { connection, asked, told };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 1));

test('calls are asked one after the other, in order, and an error ends only its own', async () => {
  const { connection, asked, told } = slowCore();
  const bytes = new Uint8Array(4);
  const first = connection.call('a', [1], { transfer: [bytes.buffer] });
  const second = connection.call('b', []);
  await settled();
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['a'],
  );
  assert.deepEqual(asked[0].transfer, [bytes.buffer]);
  connection.tell('free', [7]);
  assert.deepEqual(told, [['free', [7]]], 'telling does not wait');
  asked[0].answer({ error: { code: 'bad-weights', message: 'tensor "x" is torn' } });
  await assert.rejects(first, { name: 'GlassError', code: 'bad-weights', message: 'tensor "x" is torn' });
  await settled();
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['a', 'b'],
  );
  asked[1].answer({ value: 5 });
  assert.equal(await second, 5);
});

test('an aborted call is dropped while it waits, at once, and not after it began', async () => {
  const { connection, asked } = slowCore();
  const stop = new AbortController();
  const first = connection.call('a', [], { signal: stop.signal });
  const second = connection.call('b', [], { signal: stop.signal });
  const third = connection.call('c', []);
  await settled();
  stop.abort();
  await assert.rejects(second, { code: 'aborted' });
  asked[0].answer({ value: 'done' });
  assert.equal(await first, 'done');
  await settled();
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['a', 'c'],
  );
  asked[1].answer({});
  assert.equal(await third, undefined);
  await assert.rejects(connection.call('d', [], { signal: AbortSignal.abort() }), { code: 'aborted' });
});

test('names: the nearest first, and lists in words', () => {
  const names = ['hook_embed', 'blocks.0.attn.hook_q', 'blocks.0.attn.hook_k', 'blocks.0.hook_mlp_out'];
  assert.deepEqual(nearest('blocks.0.attn.q', names, 2), ['blocks.0.attn.hook_q', 'blocks.0.attn.hook_k']);
  assert.equal(nearest('hook_embedd', names)[0], 'hook_embed');
  assert.equal(joined(['a']), '"a"');
  assert.equal(joined(['a', 'b', 'c']), '"a", "b" or "c"');
  assert.equal(joined([]), '');
});

test('options that nobody reads are refused; values are described shortly', () => {
  assert.doesNotThrow(() => checkOptions({ lr: undefined }, ['lr'], 'train'));
  assert.throws(() => checkOptions({ rl: 1 }, ['lr', 'eps'], 'train'), {
    code: 'bad-input',
    message: /"rl"; nearest: "lr"/,
  });
  assert.throws(() => checkOptions(null, [], 'run'), { code: 'bad-input', message: /run: .* got null/ });
  assert.throws(() => checkOptions([1], [], 'run'), { code: 'bad-input', message: /Array of 1/ });
  assert.equal(described('x'.repeat(50)), `"${'x'.repeat(40)}…"`);
  assert.equal(described(new Float32Array(3)), 'Float32Array of 3');
  assert.equal(described(undefined), 'undefined');
  assert.equal(described(10n), '10n');
  assert.equal(described(Object.create(null)), 'object');
  assert.equal(
    described(() => 1),
    'function',
  );
});

test('the buffers of an answer, wherever they are in it', () => {
  const [a, b] = [new Float32Array(2), new Uint8Array(3)];
  const answer = { output: { logits: { shape: [2], data: a } }, recorded: [{ name: 'x', data: b }], ms: 1, none: null };
  assert.deepEqual(buffersOf(answer), [a.buffer, b.buffer]);
  assert.deepEqual(buffersOf(undefined), []);
});

test('this engine has what the core needs, and the probes are valid modules or refused ones', () => {
  assert.deepEqual(missingFeatures(), []);
  assert.equal(typeof hasRelaxedSimd(), 'boolean');
});
