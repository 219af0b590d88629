// The tokenizer against the Rust library: ids, tokens, offsets, types and decoded text of thousands of strings.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Tokenizer as Library } from '@huggingface/tokenizers';
import rust from 'tokenizers';
import { Tokenizer } from '../../web/engine/tokenizer.js';
import { alignedText, pieceText } from '../../web/engine/tokenizer/aligned.js';
import { createNormalizer } from '../../web/engine/tokenizer/normalize.js';
import { createPreTokenizer } from '../../web/engine/tokenizer/pretokenize.js';
import { tokenizerJsonFromVocab } from '../../web/engine/tokenizer/vocab.js';
import { rustEncode, rustEncodeAll } from './fixtures/rust.js';
import { strings } from './fixtures/strings.js';
import { makeUnigram, robertaJson, trainByteLevel, trainWordPieceVocab } from './fixtures/trained.js';

/** @type {string} */
let vocab;
/** @type {any} */
let byteLevel;

before(() => {
  vocab = trainWordPieceVocab();
  byteLevel = trainByteLevel();
});

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
    const olderUnicode = Number(process.versions.unicode) < 17;
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
          for (let i = code; i < code + 128; ++i) {
            const character = String.fromCodePoint(i);
            if (i >= 0xd800 && i <= 0xdfff) continue;
            if (olderUnicode && /\p{Cn}/u.test(character)) continue; // this Node cannot know it
            text += `a${character}b `;
          }
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
