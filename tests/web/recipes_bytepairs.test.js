// Byte-level BPE vocabularies: trained here on a few lines and those that ship, in the library that the page runs and in the Rust one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Tokenizer as PageTokenizer } from '@huggingface/tokenizers';
import { Tokenizer as RustTokenizer } from 'tokenizers';
import {
  byteCharacters,
  decodeBytePairs,
  encodeBytePairs,
  trainBytePairs,
} from '../../web/models/recipes/bytepairs.mjs';

const LINES = Array.from(
  { length: 40 },
  (_, i) => `the house and the horse, in ${1800 + i}; the “house” is the horse's house`,
);
const TEXTS = [
  ...[
    '',
    ' ',
    'the house',
    ' the  horse ',
    'Ñandú e\u0301 ¿qué?',
    '東京 tower 💡',
    "don't 1811\n\n\nCHAPTER 1\n\n\nThe",
    'tab\tand\r\nnewline',
  ],
  ...['“quoted” ‘so’ dog’s', '<|endoftext|>', '</s> inside', 'x'.repeat(300)],
];

/**
 * @param {string} json a tokenizer.json
 * @param {string[]} texts
 */
async function bothAgree(json, texts) {
  const rust = RustTokenizer.fromString(json);
  // As in tokenizer_config.json: without it, decoding takes out spaces before marks.
  const page = new PageTokenizer(JSON.parse(json), { clean_up_tokenization_spaces: false });
  for (const text of texts) {
    const [ids, others] = [(await rust.encode(text)).getIds(), page.encode(text).ids];
    assert.deepEqual(others, ids, `ids of ${JSON.stringify(text)}`);
    assert.equal(page.decode(ids, { skip_special_tokens: true }), await rust.decode(ids, true), JSON.stringify(text));
  }
  return rust;
}

test('the 256 byte characters are those of GPT-2: distinct, none a space or control character', () => {
  const characters = byteCharacters();
  assert.equal(new Set(characters).size, 256);
  assert.deepEqual(
    [32, 10, 65, 127, 160, 173, 255].map((byte) => characters[byte]),
    ['Ġ', 'Ċ', 'A', 'ġ', 'ł', 'Ń', 'ÿ'],
  );
});

test('a vocabulary of its own: ids in order, texts come back', async () => {
  const json = trainBytePairs(LINES, { size: 300, special: ['<|endoftext|>'], first: '<|endoftext|>' });
  const { model } = JSON.parse(json);
  assert.deepEqual(
    Object.values(model.vocab).sort((a, b) => a - b),
    Array.from({ length: 300 }, (_, i) => i),
  );
  assert.equal(model.vocab['<|endoftext|>'], 0);
  const rust = await bothAgree(json, TEXTS);
  for (const text of TEXTS.filter((each) => !each.includes('<'))) {
    const ids = (await rust.encode(text)).getIds();
    assert.equal(ids[0], 0);
    assert.equal(await rust.decode(ids, true), text);
  }
  assert.ok((await encodeBytePairs(json, [' the house']))[0].length <= 2);
  assert.throws(() => trainBytePairs(['ab'], { size: 400, special: [] }), /give \d+ pieces, 400 were asked for/);
});

test('with a leading space, an end and a normalizer: words are the same at the beginning, texts come back without the space', async () => {
  const json = trainBytePairs(LINES, {
    size: 290,
    special: ['<pad>', '</s>'],
    last: '</s>',
    leadingSpace: true,
    normalizer: { type: 'Replace', pattern: { Regex: '[“”]' }, content: '' },
  });
  await bothAgree(json, TEXTS);
  const [first, second] = await encodeBytePairs(json, ['the', 'in the']);
  assert.equal(first[0], second.at(-1));
  assert.equal((await RustTokenizer.fromString(json).encode('the')).getIds().at(-1), 1);
  const encoded = await encodeBytePairs(json, ['the “house”, the horse']);
  assert.deepEqual(
    await decodeBytePairs(
      json,
      encoded.map((ids) => [...ids, 1]),
    ),
    ['the house, the horse'],
  );
});

test('the vocabularies that ship: both libraries agree', async () => {
  for (const name of ['austen', 'translate']) {
    const read = (/** @type {string} */ file) =>
      readFileSync(new URL(`../../web/models/${name}/${file}`, import.meta.url), 'utf8');
    const json = read('tokenizer.json');
    assert.equal(JSON.parse(read('tokenizer_config.json')).clean_up_tokenization_spaces, false);
    const rust = await bothAgree(json, TEXTS);
    const verse = "God said, 'Let there be light:' y fue la luz. ¿Qué?";
    assert.equal(
      (await rust.decode((await rust.encode(verse)).getIds(), true)).replaceAll("'", ''),
      verse.replaceAll("'", ''),
    );
  }
});
