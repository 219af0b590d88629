// What the tokenizer refuses: broken files and wrong arguments are one clear error each.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { GlassError } from '../../web/engine/errors.js';
import { Tokenizer } from '../../web/engine/tokenizer.js';
import { tokenizerJsonFromVocab } from '../../web/engine/tokenizer/vocab.js';
import { robertaJson, trainByteLevel, trainWordPieceVocab } from './fixtures/trained.js';

/** @type {string} */
let vocab;
/** @type {any} */
let byteLevel;

before(() => {
  vocab = trainWordPieceVocab();
  byteLevel = trainByteLevel();
});

describe('errors', () => {
  /** @param {() => unknown} call @param {string} code @param {RegExp} message */
  const fails = (call, code, message) =>
    assert.throws(call, (/** @type {any} */ error) => error.code === code && message.test(error.message));

  test('a broken tokenizer.json is one error that names the field', () => {
    const good = tokenizerJsonFromVocab(vocab, {});
    const model = { ...good.model };
    fails(() => Tokenizer.fromFiles('{'), 'bad-input', /^tokenizer.json: not JSON/);
    fails(() => Tokenizer.fromFiles(null), 'bad-input', /expected an object/);
    fails(() => Tokenizer.fromFiles({}), 'bad-input', /"model" is missing/);
    fails(() => Tokenizer.fromFiles({ model: { type: 'WordPiece' } }), 'bad-input', /"model.vocab" is missing/);
    fails(
      () => Tokenizer.fromFiles({ ...good, model: { ...model, vocab: [] } }),
      'bad-input',
      /model.vocab must be an object/,
    );
    fails(
      () => Tokenizer.fromFiles({ ...good, model: { ...model, vocab: { '[UNK]': 0, a: -1 } } }),
      'bad-input',
      /the id of "a"/,
    );
    fails(
      () => Tokenizer.fromFiles({ ...good, model: { ...model, unk_token: '<none>' } }),
      'bad-input',
      /unknown token "<none>"/,
    );
    fails(() => Tokenizer.fromFiles({ ...good, model: { ...model, type: 'WordLevel' } }), 'unsupported', /"WordLevel"/);
    fails(
      () => Tokenizer.fromFiles({ ...good, normalizer: { type: 'Nmt' } }),
      'unsupported',
      /normalizer: the type "Nmt"/,
    );
    fails(() => Tokenizer.fromFiles({ ...good, pre_tokenizer: 'x' }), 'bad-input', /pre_tokenizer must be an object/);
    const cuts = { type: 'Sequence', pretokenizers: [{ type: 'UnicodeScripts' }] };
    fails(
      () => Tokenizer.fromFiles({ ...good, pre_tokenizer: cuts }),
      'unsupported',
      /pretokenizers\[0\].*"UnicodeScripts"/,
    );
    fails(() => Tokenizer.fromFiles({ ...good, decoder: { type: 'Odd' } }), 'unsupported', /Odd/);
    fails(() => Tokenizer.fromFiles({ ...good, post_processor: { type: 'Odd' } }), 'unsupported', /Odd/);
    fails(() => Tokenizer.fromFiles({ ...good, added_tokens: [{ content: 'x' }] }), 'bad-input', /added_tokens\[0\]/);
    const nowhere = { type: 'TemplateProcessing', single: [], pair: [], special_tokens: {} };
    fails(() => Tokenizer.fromFiles({ ...good, post_processor: nowhere }), 'bad-input', /no place for the text/);
    const bert = { type: 'BertProcessing', sep: ['[END]', 9], cls: ['[CLS]', 2] };
    fails(() => Tokenizer.fromFiles({ ...good, post_processor: bert }), 'bad-input', /"\[END\]", which has no id/);
    fails(
      () => Tokenizer.fromFiles({ ...byteLevel, model: { ...byteLevel.model, merges: {} } }),
      'bad-input',
      /merges/,
    );
    fails(
      () => Tokenizer.fromFiles({ ...byteLevel, model: { ...byteLevel.model, dropout: 0.1 } }),
      'unsupported',
      /dropout/,
    );
    fails(() => Tokenizer.fromVocab('a\nb\n'), 'bad-input', /vocab.txt: the token \[UNK\] is missing/);
    fails(() => Tokenizer.fromVocab(vocab, { tokenizer_class: 'FunnelTokenizer' }), 'unsupported', /FunnelTokenizer/);
  });

  test('any value put wrongly anywhere is one of our errors, or harmless', () => {
    const bert = tokenizerJsonFromVocab('[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##c\n', {});
    const { model } = byteLevel;
    const small = {
      ...model,
      merges: model.merges.slice(0, 2),
      vocab: Object.fromEntries(Object.entries(model.vocab).slice(0, 260)),
    };
    const cuts = [
      { type: 'Split', pattern: { Regex: 'a+' }, behavior: 'Isolated' },
      { type: 'Metaspace' },
      { type: 'Digits' },
    ];
    const changes = [
      { type: 'NFC' },
      { type: 'Replace', pattern: { String: 'a' }, content: 'b' },
      { type: 'Prepend', prepend: 'x' },
    ];
    const bpe = {
      ...robertaJson({ ...byteLevel, model: small }),
      pre_tokenizer: { type: 'Sequence', pretokenizers: cuts },
      normalizer: { type: 'Sequence', normalizers: changes },
    };
    const odd = [null, undefined, 5, -1, 1e99, 'x', '', [], {}, true, [null], [[]], { type: 'Sequence' }, { type: 5 }];
    /** @param {any} value @param {string[]} path @returns {string[][]} the first places of every list and object */
    const placesOf = (value, path = []) =>
      value !== null && typeof value === 'object'
        ? Object.keys(value)
            .slice(0, 12)
            .flatMap((key) => [[...path, key], ...placesOf(value[key], [...path, key])])
        : [];
    let refused = 0;
    for (const json of [bert, bpe]) {
      for (const path of placesOf(json)) {
        for (const value of odd) {
          const broken = structuredClone(json);
          const last = path.slice(0, -1).reduce((/** @type {any} */ at, key) => at[key], broken);
          last[/** @type {string} */ (path.at(-1))] = value;
          try {
            const tokenizer = Tokenizer.fromFiles(broken);
            const { ids, typeIds } = tokenizer.encode('a [MASK] b é');
            assert.ok([...ids, ...typeIds].every(Number.isInteger), path.join('.'));
            tokenizer.decode(ids);
          } catch (error) {
            assert.ok(error instanceof GlassError, `${path.join('.')} = ${JSON.stringify(value)}: ${error}`);
            ++refused;
          }
        }
      }
    }
    assert.ok(refused > 500, `${refused}`);
  });

  test('a tokenizer without a form for two texts refuses a pair', () => {
    fails(() => Tokenizer.fromFiles(byteLevel).encode('a', { pair: 'b' }), 'unsupported', /no form for a pair/);
  });

  test('arguments of the wrong kind', () => {
    const tokenizer = Tokenizer.fromVocab(vocab);
    fails(
      () => tokenizer.encode(/** @type {any} */ (undefined)),
      'bad-input',
      /^text: expected a string, got undefined/,
    );
    fails(
      () => tokenizer.encode('a', { pair: /** @type {any} */ (5) }),
      'bad-input',
      /^pair: expected a string, got 5/,
    );
    fails(() => tokenizer.encode('a', { maxLength: 1 }), 'bad-input', /maxLength: expected a whole number from 2/);
    fails(() => tokenizer.decode([1.5]), 'bad-input', /^ids\[0\]: expected a whole number, got 1.5/);
    assert.equal(tokenizer.decode([1e6, 5, -3]), tokenizer.decode(Int32Array.of(5)));
  });
});
