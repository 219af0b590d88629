// The tokenizer against the Rust library: ids, tokens, offsets, types and decoded text of thousands of strings.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Tokenizer as Library } from '@huggingface/tokenizers';
import rust from 'tokenizers';
import { GlassError } from '../../web/engine/errors.js';
import { Tokenizer } from '../../web/engine/tokenizer.js';
import { alignedText, pieceText } from '../../web/engine/tokenizer/aligned.js';
import { createNormalizer } from '../../web/engine/tokenizer/normalize.js';
import { createPreTokenizer } from '../../web/engine/tokenizer/pretokenize.js';
import { tokenizerJsonFromVocab } from '../../web/engine/tokenizer/vocab.js';
import { HARD_STRINGS, random, randomString } from './fixtures/strings.js';
import { makeUnigram, trainByteLevel, trainWordPieceVocab } from './fixtures/trained.js';

const STRINGS = 3000;

/** @type {string} */
let vocab;
/** @type {any} */
let byteLevel;

before(() => {
  vocab = trainWordPieceVocab();
  byteLevel = trainByteLevel();
});

/** @param {any} json @returns {any} RoBERTa's arrangement of the byte-level tokenizer */
function robertaJson(json) {
  const id = Object.keys(json.model.vocab).length;
  /** @param {string} content @param {number} i @param {object} [how] */
  const added = (content, i, how) => ({
    ...{ id: id + i, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true },
    ...how,
  });
  return {
    ...json,
    added_tokens: [
      added('<s>', 0),
      added('</s>', 1),
      added('<mask>', 2, { lstrip: true }),
      added('wholeword', 3, { single_word: true, normalized: true, special: false }),
    ],
    post_processor: {
      type: 'RobertaProcessing',
      sep: ['</s>', id + 1],
      cls: ['<s>', id],
      trim_offsets: true,
      add_prefix_space: false,
    },
  };
}

/** @param {string} text @returns {number[]} the unit at which each code point begins, and the end */
function unitsOf(text) {
  const units = [];
  let at = 0;
  for (const character of text) {
    units.push(at);
    at += character.length;
  }
  return [...units, at];
}

/**
 * The Rust library's encodings in our form: its offsets count code points, and where a token took spaces along it gives
 * these instead of the token's name.
 * @param {rust.Tokenizer} tokenizer
 * @param {[string, string | null][]} texts with their pairs
 */
async function rustEncodeAll(tokenizer, texts) {
  const encodings = await Promise.all(texts.map(([text, pair]) => tokenizer.encode(text, pair)));
  return encodings.map((encoding, i) => inOurForm(tokenizer, encoding, ...texts[i]));
}

/** @param {rust.Tokenizer} tokenizer @param {string} text @param {string | null} [pair] */
const rustEncode = async (tokenizer, text, pair = null) => (await rustEncodeAll(tokenizer, [[text, pair]]))[0];

/**
 * @param {rust.Tokenizer} tokenizer
 * @param {rust.Encoding} encoding
 * @param {string} text
 * @param {string | null} pair
 */
function inOurForm(tokenizer, encoding, text, pair) {
  const units = [unitsOf(text), unitsOf(pair ?? '')];
  const sequence = encoding.getSequenceIds().map((id) => id ?? null);
  const ids = encoding.getIds();
  return {
    ids,
    tokens: encoding.getTokens().map((token, i) => {
      const name = tokenizer.idToToken(ids[i]);
      return token.trim() === name ? name : token;
    }),
    mask: encoding.getAttentionMask(),
    typeIds: encoding.getTypeIds(),
    special: encoding.getSpecialTokensMask(),
    offsets: encoding.getOffsets().map((range, i) => {
      const of = sequence[i];
      return of === null ? [0, 0] : range.map((point) => units[of][point]);
    }),
    sequence,
  };
}

/** @param {number} seed @param {number} [count] @returns {string[]} */
function strings(seed, count = STRINGS) {
  const next = random(seed);
  return [...HARD_STRINGS, ...Array.from({ length: count }, () => randomString(next, 40))];
}

/**
 * Everything equal, on all strings; every third goes with a pair where there is a form for one.
 * @param {any} json
 * @param {number} seed
 * @param {boolean} pairs
 */
async function assertAgrees(json, seed, pairs) {
  const theirs = rust.Tokenizer.fromString(JSON.stringify(json));
  const ours = Tokenizer.fromFiles(json);
  const all = strings(seed);
  /** @type {[string, string | null][]} */
  const texts = all.map((text, i) => [text, pairs && i % 3 === 0 ? all[(i * 7) % all.length] : null]);
  const expected = await rustEncodeAll(theirs, texts);
  texts.forEach(([text, pair], i) => {
    const { truncated, ...encoding } = ours.encode(text, { pair });
    assert.deepEqual(encoding, expected[i], JSON.stringify([text, pair]));
    assert.equal(truncated, 0);
  });
  const ids = expected.map((encoding) => encoding.ids);
  for (const skipSpecial of [false, true]) {
    const decoded = ids.map((list) => ours.decode(list, { skipSpecial }));
    assert.deepEqual(decoded, await theirs.decodeBatch(ids, skipSpecial));
  }
}

describe('agreement with the Rust library', () => {
  test('BERT, lower-cased', () => assertAgrees(tokenizerJsonFromVocab(vocab, {}), 1, true));

  test('BERT, cased', () => assertAgrees(tokenizerJsonFromVocab(vocab, { do_lower_case: false }), 2, true));

  test('BERT, ideographs not apart, accents kept', () =>
    assertAgrees(tokenizerJsonFromVocab(vocab, { tokenize_chinese_chars: false, strip_accents: false }), 3, false));

  test('byte-level BPE as GPT-2', () => assertAgrees(byteLevel, 4, false));

  test('byte-level BPE as RoBERTa: trimmed offsets, a mask that takes spaces along, whole words', () =>
    assertAgrees(robertaJson(byteLevel), 5, true));

  test('byte-level BPE with a space in front and a pattern of its own', async () => {
    const added = { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true };
    await assertAgrees({ ...byteLevel, pre_tokenizer: added, post_processor: added }, 6, false);
    const pattern = {
      Regex: "(?i:'s|'t)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    };
    const cut = { type: 'Split', pattern, behavior: 'Isolated', invert: false };
    const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
    const json = { ...byteLevel, pre_tokenizer: { type: 'Sequence', pretokenizers: [cut, bytes] } };
    await assertAgrees(json, 7, false);
  });

  test('Unigram as T5', async () => {
    const json = makeUnigram();
    await assertAgrees(json, 10, true);
    const steps = [{ type: 'WhitespaceSplit' }, json.pre_tokenizer];
    await assertAgrees({ ...json, pre_tokenizer: { type: 'Sequence', pretokenizers: steps } }, 11, false);
  });

  test('other pre-tokenizers and normalizers', async () => {
    const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
    const behaviors = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];
    const first = [
      ...behaviors.map((behavior) => ({ type: 'Split', pattern: { Regex: '[a-e ]' }, behavior, invert: false })),
      ...behaviors.map((behavior) => ({ type: 'Split', pattern: { Regex: '[a-e ]' }, behavior, invert: true })),
      { type: 'Whitespace' },
      { type: 'WhitespaceSplit' },
      { type: 'Punctuation', behavior: 'Isolated' },
      { type: 'Punctuation', behavior: 'Contiguous' },
      { type: 'Digits', individual_digits: true },
      { type: 'Digits', individual_digits: false },
      { type: 'CharDelimiterSplit', delimiter: 'a' },
    ];
    const normalizers = [
      { type: 'Lowercase' },
      { type: 'Replace', pattern: { String: 'ab' }, content: 'xyz' },
      { type: 'Replace', pattern: { Regex: ' {2,}' }, content: '_' },
      { type: 'Prepend', prepend: '_' },
      { type: 'Strip', strip_left: true, strip_right: true },
    ];
    const variants = [
      ...first.map((part) => ({ pre_tokenizer: { type: 'Sequence', pretokenizers: [part, bytes] } })),
      ...normalizers.map((normalizer) => ({ normalizer })),
    ];
    for (const variant of variants) {
      const json = { ...byteLevel, post_processor: null, ...variant };
      const theirs = rust.Tokenizer.fromString(JSON.stringify(json));
      const ours = Tokenizer.fromFiles(json);
      const texts = strings(8, 300);
      const expected = await rustEncodeAll(
        theirs,
        texts.map((text) => [text, null]),
      );
      texts.forEach((text, i) => {
        const { truncated, ...encoding } = ours.encode(text);
        assert.deepEqual(encoding, expected[i], JSON.stringify([variant, text]));
        assert.equal(truncated, 0);
      });
    }
  });

  test('Unicode forms: ids equal; offsets too, unless marks changed places', async () => {
    for (const type of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
      const json = { ...byteLevel, normalizer: { type } };
      const theirs = rust.Tokenizer.fromString(JSON.stringify(json));
      const ours = Tokenizer.fromFiles(json);
      for (const text of strings(9, 500)) {
        const expected = await rustEncode(theirs, text);
        const encoding = ours.encode(text);
        assert.deepEqual(encoding.ids, expected.ids, JSON.stringify([type, text]));
        // Where several marks follow each other, their order may change, and which is whose is open to opinion.
        if (!/\p{M}{2}/u.test(text.normalize('NFD')))
          assert.deepEqual(encoding.offsets, expected.offsets, JSON.stringify(text));
      }
    }
  });

  test("BERT's normalizer and words on every code point that Unicode 17 gives a meaning", () => {
    // The last block ends before U+33480; then come tags and variation selectors, and a sample of private use.
    const ranges = [[0, 0x33480], [0xe0000, 0xe0200], [0xf0000, 0xf0080]]; // prettier-ignore
    const cut = createPreTokenizer({ type: 'BertPreTokenizer' });
    const words = rust.bertPreTokenizer();
    for (const lowercase of [true, false]) {
      const theirs = rust.bertNormalizer({
        cleanText: true,
        handleChineseChars: true,
        lowercase,
        stripAccents: lowercase,
      });
      const normalize = createNormalizer({ type: 'BertNormalizer', lowercase });
      for (const [first, end] of ranges) {
        for (let code = first; code < end; code += 128) {
          let text = '';
          for (let i = code; i < code + 128; ++i) if (i < 0xd800 || i > 0xdfff) text += `a${String.fromCodePoint(i)}b `;
          const on = normalize(alignedText(text));
          assert.equal(on.text, theirs.normalizeString(text));
          const expected = words.preTokenizeString(on.text).map(([word]) => word);
          assert.deepEqual(cut([{ on, from: 0, to: on.text.length }]).map(pieceText), expected);
        }
      }
    }
  });
});

test('where the JavaScript library alone differs from the Rust library, we do not', async () => {
  const few = [
    '[UNK]',
    '[CLS]',
    '[SEP]',
    '[MASK]',
    'σ',
    'a',
    '[',
    'mask',
    'MA',
    '##SK',
    ']',
    '##σ',
    '##ς',
    '##b',
    '##⹃',
  ];
  const bert = tokenizerJsonFromVocab(few.join('\n'), {});
  const cased = tokenizerJsonFromVocab(few.join('\n'), { do_lower_case: false });
  const unclean = { ...bert, normalizer: null };
  const bytes = robertaJson(byteLevel);
  /** @type {[any, string, string | null][]} */
  const cases = [
    [bert, 'ΣΣΣ', null], // final sigma
    [bert, 'a𠀀b', null], // an ideograph above U+FFFF
    [bert, 'a\u2e43', null], // punctuation that is newer than the Rust library's tables
    [cased, '[MA\u0000SK]', null], // text that reads like a special token once cleaned is text
    [unclean, 'a\u0085a', null], // U+0085 is white space
    [bytes, 'a wholewords b', null], // single_word
    [bytes, 'a', 'b'], // RoBERTa has one token type
  ];
  for (const [json, text, pair] of cases) {
    const expected = await rustEncode(rust.Tokenizer.fromString(JSON.stringify(json)), text, pair);
    const ours = Tokenizer.fromFiles(json).encode(text, { pair });
    const alone = new Library(json, {}).encode(text, { text_pair: pair, return_token_type_ids: true });
    assert.deepEqual([ours.ids, ours.typeIds], [expected.ids, expected.typeIds], text);
    const message = `the library agrees on ${JSON.stringify(text)}: its work-around can go`;
    assert.notDeepEqual([alone.ids, alone.token_type_ids], [expected.ids, expected.typeIds], message);
  }
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
      /^text: expected a string, not undefined/,
    );
    fails(
      () => tokenizer.encode('a', { pair: /** @type {any} */ (5) }),
      'bad-input',
      /^pair: expected a string, not number/,
    );
    fails(() => tokenizer.encode('a', { maxLength: 1 }), 'bad-input', /maxLength: expected a whole number from 2/);
    fails(() => tokenizer.decode([1.5]), 'bad-input', /ids: expected whole numbers, not 1.5/);
    assert.equal(tokenizer.decode([1e6, 5, -3]), tokenizer.decode(Int32Array.of(5)));
  });
});
