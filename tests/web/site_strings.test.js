// The words of the page: every language has all of them, in the same shape.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chooseLanguage, LANGUAGES, languageIn } from '../../web/site/language.js';
import { ARABIC } from '../../web/site/strings/ar.js';
import { count } from '../../web/site/strings/ar/count.js';
import { ENGLISH } from '../../web/site/strings/en.js';
import { SPANISH } from '../../web/site/strings/es.js';

const folder = fileURLToPath(new URL('../../web/site/strings', import.meta.url));
const others = Object.keys(LANGUAGES).filter((language) => language !== 'en');

/** Folders with a table in every language: the page's own and those of other pages. */
const tables = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'en.js')
  .map((file) => path.dirname(path.join(folder, file)));

/** The one table that a file exports. @param {string} file @returns {Promise<Record<string, unknown>>} */
async function tableOf(file) {
  const exported = Object.values(await import(pathToFileURL(file).href));
  assert.equal(exported.length, 1, `${file} exports one table`);
  return exported[0];
}

/**
 * Every word with the path to it.
 * @param {unknown} value
 * @param {string} [at]
 * @returns {[string, string | Function][]}
 */
function leaves(value, at = '') {
  if (typeof value === 'string' || typeof value === 'function') return [[at, value]];
  return Object.entries(/** @type {object} */ (value)).flatMap(([key, inner]) =>
    leaves(inner, at ? `${at}.${key}` : key),
  );
}

/** What a leaf is: its kind, and how much it is told. @param {string | Function} leaf */
const kindOf = (leaf) => (typeof leaf === 'string' ? 'text' : `function of ${leaf.length}`);

for (const at of tables) {
  for (const language of others) {
    test(`${path.relative(folder, at) || 'the lab'}: ${language} has the shape of English`, async () => {
      const shape = async (/** @type {string} */ name) =>
        leaves(await tableOf(path.join(at, `${name}.js`))).map(([key, leaf]) => `${key}: ${kindOf(leaf)}`);
      const [english, other] = [await shape('en'), await shape(language)];
      assert.deepEqual(
        {
          missing: english.filter((line) => !other.includes(line)),
          extra: other.filter((line) => !english.includes(line)),
        },
        { missing: [], extra: [] },
      );
    });
  }
}

/** Numbers that say nothing by themselves, all different: each that the English text shows must be in the others. */
const ARGUMENTS = [1203, 1304, 1405, 1506];
const SAMPLES = /** @type {Record<string, unknown[]>} */ ({
  softmaxSays: [
    {
      score: { shown: '1203' },
      softmax: { max: { shown: '1304' }, numerator: { shown: '1405' }, denominator: { shown: '1506' } },
      weight: { shown: '1607' },
    },
  ],
  'viewWords.list': [['1203', '1304', '1405']],
});
/** What a leaf says to the samples. @param {string} key @param {string | Function} leaf @returns {string} */
const said = (key, leaf) => (typeof leaf === 'string' ? leaf : leaf(...(SAMPLES[key] ?? ARGUMENTS)));
/** The numbers in a text, without the signs that group digits. @param {string} text */
const numbersIn = (text) => new Set(text.replace(/(?<=\d),(?=\d{3})/g, '').match(/\d+/g) ?? []);

/** Texts that are the same in another language: names, signs, and words that Spanish and English share. */
const SAME = /^(glassformer|austen|tokens|softmax|logit|top-[kp]|…|\W*|s̄.*|−?(cos|sin|exp)\b.*|÷.*)$/;
const withoutIsolates = (/** @type {string} */ text) => text.replace(/[\u2066-\u2069]/g, '');
/** Words that only an English text has; terms in brackets are English on purpose. */
const ENGLISH_WORDS = /\b(the|of|and|is|are|with|this|that|which|where|to|from|token by)\b/i;

for (const language of others) {
  test(`${language}: nothing is left in English, and every number that is told is said`, async () => {
    const english = new Map(leaves(await tableOf(path.join(folder, 'en.js'))));
    for (const [key, leaf] of leaves(await tableOf(path.join(folder, `${language}.js`)))) {
      const was = said(key, /** @type {string | Function} */ (english.get(key)));
      const is = said(key, leaf);
      assert.equal(typeof is, 'string', key);
      if (/\p{L}{3}/u.test(was) && !SAME.test(withoutIsolates(is))) {
        assert.notEqual(is, was, `${key} is left in English`);
        if (language === 'ar') assert.match(is, /\p{Script=Arabic}/u, `${key} has no Arabic`);
      }
      const outside = is.replace(/\([^)]*\)|\u2066[^\u2069]*\u2069/g, '').replaceAll('teacher forcing', '');
      assert.doesNotMatch(outside, ENGLISH_WORDS, `${key} has English in it: ${is}`);

      for (const number of numbersIn(was)) assert.ok(numbersIn(is).has(number), `${key} does not say ${number}: ${is}`);
      assert.equal(is.split('*').length % 2, 1, `${key}: a star opens or closes a term`);
      const open = (is.match(/[\u2066-\u2068]/g) ?? []).length;
      assert.equal(open, (is.match(/\u2069/g) ?? []).length, `${key}: every isolate is closed`);
    }
  });
}

test('a term that English explains is explained in the others, with its English name beside it', async () => {
  const english = new Map(leaves(await tableOf(path.join(folder, 'en.js'))));
  for (const language of others) {
    for (const [key, leaf] of leaves(await tableOf(path.join(folder, `${language}.js`)))) {
      const terms = (/** @type {string} */ text) => text.split('*').filter((_, i) => i % 2 === 1);
      const was = terms(said(key, /** @type {string | Function} */ (english.get(key))));
      assert.equal(terms(said(key, leaf)).length, was.length, `${language}: terms of ${key}`);
    }
    const { weightsSay, tokensSayBoth } = /** @type {any} */ (await tableOf(path.join(folder, `${language}.js`)));
    for (const term of ['(query)', '(key)', '(weights)']) assert.ok(weightsSay.includes(term), term);
    for (const term of ['(encoder)', '(decoder)']) assert.ok(tokensSayBoth.includes(term), term);
  }
});

test('Arabic counts in six forms, with the digits of the pictures', () => {
  const forms = { one: 'رمز واحد', two: 'رمزان', few: 'رموز', many: 'رمزًا', other: 'رمز' };
  const counted = [0, 1, 2, 3, 10, 11, 99, 100, 102, 103, 1203].map((n) => count(n, forms));
  assert.deepEqual(counted, [
    '0 رمز',
    'رمز واحد',
    'رمزان',
    '3 رموز',
    '10 رموز',
    '11 رمزًا',
    '99 رمزًا',
    '100 رمز',
    '102 رمز',
    '103 رموز',
    '1,203 رموز',
  ]);
  assert.equal(ARABIC.linesDrawn(2, '0.05').split(':')[0], 'خطّان');
  assert.equal(ARABIC.linesDrawn(17, '0.05').split(':')[0], '17 خطًّا');
});

test('English counts in the singular and the plural wherever it counts', () => {
  const { views, ...words } = ENGLISH;
  const said = [1, 2, 1200].map((n) => [
    words.moreRows(n),
    words.linesDrawn(n, '0.1').split(':')[0],
    words.truncated(n, 3).split(':')[0],
    words.termsOf(n),
    words.productsOf('a', 'b', n),
    words.treeSays(n, n).split(';')[0],
    views.of.mean(n),
  ]);
  assert.deepEqual(said[0], [
    'and 1 more row',
    '1 line',
    'The last 1 token is not read',
    '1 term',
    '1 product of query “a” and key “b”',
    '1 step of 1 hypothesis',
    'mean of 1 head',
  ]);
  assert.deepEqual(said[1].slice(0, 4), ['and 2 more rows', '2 lines', 'The last 2 tokens are not read', '2 terms']);
  assert.equal(said[2][0], 'and 1,200 more rows');
  assert.match(views.noDifference(1, 1, 3, 3), /the first has 1 row and 1 column, the second 3 and 3/);
});

test('Spanish counts in the singular and the plural, with a point before decimals', () => {
  assert.equal(SPANISH.termsOf(1), '1 término');
  assert.equal(SPANISH.termsOf(12345), '12,345 términos');
  assert.match(SPANISH.truncated(1, 128), /^El último token no se lee:/);
  assert.match(SPANISH.truncated(2, 128), /^Los últimos 2 tokens no se leen:/);
});

test('in Arabic, what comes from elsewhere keeps its own direction', () => {
  assert.match(ARABIC.viewWords.weight('a)', 'ب', '0.42'), /«\u2068a\)\u2069».*«\u2068ب\u2069»/);
  assert.match(ARABIC.viewWords.score('a', 'b', '−1.50'), /\u2066−1\.50\u2069/);
  assert.match(ARABIC.origins.norm, /^\u2066\(s\s−\s\u2068.*\u2069\)\s÷\s\u2068.*\u2069\s×\sγ\s\+\sβ\u2069$/);
});

test('files of a language import only each other, or the page would wait for itself', () => {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )) {
    const language = others.find((name) => file.split(/[/.]/).includes(name));
    if (!language) continue;
    for (const [, from] of readFileSync(path.join(folder, file), 'utf8').matchAll(/^import .* from '(.*)';/gm)) {
      const target = path.relative(folder, path.resolve(folder, path.dirname(file), from));
      assert.ok(target.split(/[/.]/).includes(language), `${file} imports ${from}`);
    }
  }
});

test('the language: the reader’s choice, else the address’s, else the browser’s, else English', () => {
  const browser = ['fr-CA', 'en-GB'];
  assert.equal(chooseLanguage({ kept: null, fragment: '', browser }), 'en');
  assert.equal(chooseLanguage({ kept: null, fragment: '', browser: ['de', 'constructor'] }), 'en');
  assert.equal(chooseLanguage({ kept: null, fragment: '', browser: ['de', 'es-MX', 'ar'] }), 'es');
  assert.equal(chooseLanguage({ kept: null, fragment: '#text=a&lang=ar-EG', browser }), 'ar');
  assert.equal(chooseLanguage({ kept: 'es', fragment: '#text=a&lang=ar', browser }), 'es');
  assert.equal(chooseLanguage({ kept: 'xx', fragment: '#text=a&lang=xx', browser: ['ar'] }), 'ar');
  assert.equal(languageIn('#text=a&lang=ar'), '&lang=ar', 'an address that asked for a language goes on saying so');
  assert.equal(languageIn('#text=a&lang=xx'), '');
});
