// The words of the page: every language has all of them, in the same shape.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chooseLanguage, LANGUAGES } from '../../web/site/language.js';

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
  assert.equal(chooseLanguage({ kept: null, fragment: '#text=a&lang=en-US', browser: [] }), 'en');
});
