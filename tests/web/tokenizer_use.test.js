// The tokenizer in use: what a reader sees of a text, and how long texts are cut.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import rust from 'tokenizers';
import { Tokenizer } from '../../web/engine/tokenizer.js';
import { tokenizerJsonFromVocab } from '../../web/engine/tokenizer/vocab.js';
import { rustEncode } from './fixtures/rust.js';
import { random, strings } from './fixtures/strings.js';
import { trainByteLevel, trainWordPieceVocab } from './fixtures/trained.js';

/** @type {string} */
let vocab;
/** @type {any} */
let byteLevel;

before(() => {
  vocab = trainWordPieceVocab();
  byteLevel = trainByteLevel();
});

describe('what a reader sees', () => {
  /** @type {Tokenizer} */
  let bert;
  before(() => (bert = Tokenizer.fromVocab(vocab)));

  /** @param {string} text @param {ReturnType<Tokenizer['encode']>} encoding */
  const parts = (text, { offsets }) => offsets.map(([start, end]) => text.slice(start, end));

  test('offsets are UTF-16 units of what was typed', () => {
    const text = '👍 É漢 e\u0301 x';
    const encoding = bert.encode(text);
    assert.deepEqual(parts(text, encoding), ['', '👍', 'É', '漢', 'e', 'x', '']);
    assert.deepEqual(encoding.offsets.at(-1), [0, 0]);
    assert.deepEqual(encoding.special, [1, 0, 0, 0, 0, 0, 1]);
    assert.deepEqual(encoding.sequence, [null, 0, 0, 0, 0, 0, null]);
  });

  test('a special token that was typed is that token, and text', () => {
    const text = 'a [MASK] of the skin';
    const encoding = bert.encode(text);
    const at = encoding.tokens.indexOf('[MASK]');
    assert.equal(encoding.ids[at], bert.specials.mask?.id);
    assert.equal(text.slice(...encoding.offsets[at]), '[MASK]');
    assert.equal(encoding.special[at], 0);
  });

  test('a pair has offsets into its own text, and types', () => {
    const encoding = bert.encode('a b', { pair: 'c d' });
    assert.deepEqual(encoding.tokens, ['[CLS]', 'a', 'b', '[SEP]', 'c', 'd', '[SEP]']);
    assert.deepEqual(encoding.typeIds, [0, 0, 0, 0, 1, 1, 1]);
    assert.deepEqual(encoding.offsets.slice(4, 6), [[0, 1], [2, 3]]); // prettier-ignore
    assert.deepEqual(encoding.sequence, [null, 0, 0, null, 1, 1, null]);
    assert.deepEqual(bert.encode('a', { pair: '' }).tokens, ['[CLS]', 'a', '[SEP]', '[SEP]']);
  });

  test('empty and blank text is two special tokens', () => {
    for (const text of ['', '   ', '\t\n', '\u0000\u200b'])
      assert.deepEqual(bert.encode(text).tokens, ['[CLS]', '[SEP]']);
    assert.deepEqual(bert.encode('', { specialTokens: false }).ids, []);
    assert.equal(bert.decode([]), '');
  });

  test('a lone surrogate is U+FFFD: dropped by BERT, three bytes for GPT-2', () => {
    assert.deepEqual(bert.encode('a\ud800b').offsets.slice(1, -1), bert.encode('a\ufffdb').offsets.slice(1, -1));
    const gpt2 = Tokenizer.fromFiles(byteLevel);
    assert.deepEqual(gpt2.encode('a\udc00'), gpt2.encode('a\ufffd'));
    assert.equal(gpt2.decode(gpt2.encode('a\udc00').ids), 'a\ufffd');
  });

  test('vocab.txt with settings is the tokenizer.json that it stands for', () => {
    const uncased = Tokenizer.fromVocab(vocab.replaceAll('\n', '\r\n'), { tokenizer_class: 'BertTokenizer' });
    assert.deepEqual(uncased.encode('Über A'), bert.encode('Über A'));
    assert.deepEqual(bert.encode('É'), bert.encode('e').ids.length ? { ...bert.encode('e') } : null);
    const cased = Tokenizer.fromVocab(
      vocab,
      JSON.stringify({ do_lower_case: false, mask_token: { content: '[MASK]' } }),
    );
    assert.notDeepEqual(cased.encode('A').ids, cased.encode('a').ids);
    assert.deepEqual(cased.specials.mask, { token: '[MASK]', id: 4 });
    assert.equal(cased.specials.bos, null);
    assert.deepEqual(
      [cased.token(4), cased.tokenId('[SEP]'), cased.token(1e6), cased.token(-1)],
      ['[MASK]', 3, null, null],
    );
    assert.equal(cased.vocabSize, vocab.trim().split('\n').length);
  });
});

describe('length', () => {
  test('cut as the Rust library cuts, and the cut is counted', async () => {
    const json = tokenizerJsonFromVocab(vocab, {});
    const ours = Tokenizer.fromFiles(json);
    const texts = ['', 'a', 'a b c', 'a b c d e f g h', 'a b c d e f g h i j k l m'];
    for (const text of texts) {
      for (const pair of [null, ...texts]) {
        const whole = ours.encode(text, { pair });
        for (const maxLength of [4, 5, 6, 7, 10, 11, 30]) {
          const theirs = rust.Tokenizer.fromString(JSON.stringify(json));
          theirs.setTruncation(maxLength);
          const { truncated, ...encoding } = ours.encode(text, { pair, maxLength });
          assert.deepEqual(encoding, await rustEncode(theirs, text, pair));
          assert.equal(encoding.ids.length + truncated, whole.ids.length);
        }
      }
    }
  });

  test("the tokenizer's own maximum counts unless another is given", () => {
    const tokenizer = Tokenizer.fromVocab(vocab, { model_max_length: 4 });
    assert.equal(tokenizer.maxLength, 4);
    assert.equal(tokenizer.encode('a b c').truncated, 1);
    assert.equal(tokenizer.encode('a b c', { maxLength: 5 }).truncated, 0);
    assert.equal(tokenizer.encode('a b c', { maxLength: null }).truncated, 0);
    // transformers writes 1e30 where there is no maximum.
    assert.equal(Tokenizer.fromVocab(vocab, { model_max_length: 1e30 }).maxLength, null);
  });

  test('100,000 characters take no time worth waiting for', (context) => {
    const next = random(3);
    const letters = (/** @type {number} */ count) =>
      Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(next() * 26))).join('');
    const texts = {
      prose: 'The quick brown fox jumps over the lazy dog. '.repeat(2223).slice(0, 100_000),
      mixed: strings(10, 6000).join(' ').slice(0, 100_000),
      'words of 99 letters': Array.from({ length: 1000 }, () => letters(99)).join(' '),
      'one word': letters(100_000),
    };
    for (const [name, tokenizer] of /** @type {const} */ ([
      ['WordPiece', Tokenizer.fromVocab(vocab)],
      ['byte-level BPE', Tokenizer.fromFiles(byteLevel)],
    ])) {
      for (const [kind, text] of Object.entries(texts)) {
        const start = performance.now();
        const encoding = tokenizer.encode(text, { maxLength: 512 });
        const ms = performance.now() - start;
        context.diagnostic(`${name}, ${kind}: ${ms.toFixed(0)} ms for ${encoding.truncated + 512} tokens`);
        // Measured on a busy machine: WordPiece at most 0.6 s, BPE 2 s on one word of 100,000 letters, else 1 s.
        assert.ok(ms < 10_000, `${name}, ${kind}: ${ms} ms`);
      }
    }
  });
});
