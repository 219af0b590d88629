// Stop strings through the public interface: the tokens, and the texts of tokens, that transformers has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { load } from '../../web/engine/index.js';
import { Tokenizer } from '../../web/engine/tokenizer.js';
import { assertFails, goldenFolder, readJson } from './golden.js';
import { decoderConfig, withTokenizer } from './tiny.js';

const { cases, texts } = readJson('generate/stops.json');
const { tolerance } = readJson('generate/generate.json');
const folder = path.join(goldenFolder, 'generate');
const tokenizerFile = (kind) => readFileSync(path.join(folder, 'tokenizers', `${kind}.json`), 'utf8');

/** A model of the golden folder, with a tokenizer and settings beside it. */
function open(name, kind, settings) {
  const names = ['config.json', 'generation_config.json', 'model.safetensors'];
  const files = Object.fromEntries(
    names.map((file) => [file, new Blob([readFileSync(path.join(folder, name, file))])]),
  );
  if (settings) files['generation_config.json'] = JSON.stringify(settings);
  return load({ ...files, 'tokenizer.json': tokenizerFile(kind) });
}

for (const [kind, expected] of Object.entries(texts)) {
  test(`${kind}: what each token adds to a text`, () => {
    const { bytes, ends } = Tokenizer.fromFiles(tokenizerFile(kind)).texts();
    const parts = Array.from(ends, (end, id) =>
      Buffer.from(bytes.subarray(id ? ends[id - 1] : 0, end)).toString('hex'),
    );
    assert.deepEqual(parts, expected);
  });
}

test('a token that the vocabulary lacks has a text that nothing is found across', async () => {
  const json = JSON.parse(tokenizerFile('byte_level_31'));
  delete json.model.vocab.fff;
  json.model.vocab.fff = 40;
  const { bytes, ends } = Tokenizer.fromFiles(json).texts();
  assert.deepEqual([...bytes.subarray(ends[33], ends[34])], [0xff]);
  assert.equal(ends.length, 41);
});

for (const name of [...new Set(cases.map(({ model }) => model))]) {
  test(`${name} ends where transformers ends`, async () => {
    const own = cases.filter(({ model }) => model === name);
    const model = await open(name, own[0].tokenizer);
    for (const one of own) {
      const { ids, score, text, steps, ending } = await model.generate({ ids: [one.ids] }, one.options).result();
      assert.deepEqual(ids, one.expect.ids, one.name);
      if ('score' in one.expect) assert.ok(Math.abs(score - one.expect.score) < tolerance.score, one.name);
      if (one.options.beams === 1) assert.equal(steps.map((step) => step.text).join(''), text, one.name);
      const whole = model.tokenizer.decode(ids, { skipSpecial: true });
      assert.ok(whole.startsWith(text), `${one.name}: ${whole} begins with ${text}`);
      if (ending !== 'stop') assert.equal(text, whole, one.name);
      else if (one.options.stop.every((stop) => whole.includes(stop))) {
        assert.ok(
          one.options.stop.some((stop) => text.endsWith(stop)),
          `${one.name}: ${text} ends with a stop string`,
        );
      }
    }
    model.dispose();
  });
}

test('an abort, a break and a stop string of a file', async () => {
  const { ids, options } = cases.find(({ name }) => name.startsWith('gpt2/beams3_rank0_6_6'));
  const settings = { eos_token_id: null, num_beams: 3, max_new_tokens: 12, stop_strings: options.stop };
  const model = await open('gpt2', 'byte_level_31', settings);
  const stopped = await model.generate({ ids: [ids] }).result();
  const asked = await model.generate({ ids: [ids] }, { stop: options.stop }).result();
  assert.deepEqual([stopped.ids, stopped.ending, stopped.text], [asked.ids, 'stop', asked.text]);
  const whole = await model.generate({ ids: [ids] }, { stop: null }).result();
  assert.deepEqual([whole.ids.length, whole.ending], [12, 'length']);
  const left = model.generate({ ids: [ids] });
  for await (const step of left) if (step.beams[0].ids.length === 2) break;
  assert.deepEqual((await left.result()).ids.length, 2);
  const leaving = new AbortController();
  const aborted = model.generate({ ids: [ids] }, { signal: leaving.signal });
  await aborted.next();
  leaving.abort();
  await assertFails(aborted.result(), 'aborted', /generate/);
  model.dispose();

  const bare = await load(path.join(folder, 'gpt2'));
  await assertFails(bare.generate({ ids: [ids] }, { stop: 'a' }).result(), 'bad-input', /stop: .*tokenizer/);
  assert.equal((await bare.generate({ ids: [ids] }, { stop: [], maxNewTokens: 2 }).result()).ids.length, 2);
  for (const stop of ['', [''], ['a', 1], 5, {}]) {
    await assertFails(bare.generate({ ids: [ids] }, { stop }).result(), 'bad-input', /stop: expected a text/);
  }
  bare.dispose();
});

test('a special token’s text is none of the text, and may end it', async () => {
  const model = await withTokenizer(decoderConfig);
  const options = { maxNewTokens: 3, suppressTokens: [0, 1, 10, 11, 12, 13, 14, 15], stop: '[SEP]', eosTokenId: null };
  const only = [...Array(16).keys()].filter((id) => id !== model.tokenizer.specials.sep.id);
  const { ids, text, ending } = await model.generate('a cat', { ...options, suppressTokens: only }).result();
  assert.deepEqual([ids, text, ending], [[model.tokenizer.specials.sep.id], '', 'stop']);
  model.dispose();
});
