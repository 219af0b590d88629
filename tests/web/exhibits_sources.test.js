// Exhibits link to the line of the core where a function begins: the table is checked against the files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { EXHIBITS } from '../../web/elements/exhibits/index.js';
import sources from '../../web/elements/exhibits/sources.js';

const read = (/** @type {string} */ file) =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n');

for (const [name, { file, line, symbol }] of Object.entries(sources)) {
  test(`${name}: ${symbol} begins in ${file}, line ${line}`, () => {
    const begins = new RegExp(`^[A-Za-z].*\\b${symbol}\\(`);
    const lines = read(file);
    const found = lines.flatMap((text, i) => (begins.test(text) && !text.endsWith(';') ? [i + 1] : []));
    assert.ok(found.includes(line), `it begins in line ${found.join(' or ') || '?'}`);
  });
}

test('every exhibit names at least one of them, and only these', async () => {
  assert.equal(EXHIBITS.length, 17);
  for (const { name, title, load } of EXHIBITS) {
    const { default: exhibit } = await load();
    assert.equal(exhibit.name, name);
    assert.equal(exhibit.title, title);
    assert.ok(exhibit.sources.length > 0 && exhibit.papers.length > 0, name);
    for (const source of exhibit.sources) assert.ok(source in sources, `${name}: ${source}`);
  }
});
