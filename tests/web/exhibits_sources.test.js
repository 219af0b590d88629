// Exhibits link to the line of the core where a function begins: the table is checked against the files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { EXHIBITS } from '../../web/elements/exhibits/index.js';
import { definitions, withLines } from '../../wasm_build/scripts/source_lines.js';
import sources from '../../web/elements/exhibits/sources.js';

const read = (/** @type {string} */ file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

for (const [name, { file, line, symbol }] of Object.entries(sources)) {
  test(`${name}: ${symbol} begins in ${file}, line ${line}`, () => {
    const found = definitions(read(file), symbol);
    assert.ok(found.includes(line), `it begins in line ${found.join(' or ') || '?'}: npm run format writes it`);
  });
}

test('lines that have moved are found again, the nearest of several; a function that is gone is named', () => {
  const core = 'void f(int a) {\n}\nvoid f(int a);\nvoid f(float a) {\n  f(1);\n}\n';
  assert.deepEqual(definitions(core, 'f'), [1, 4]);
  const table = (/** @type {number} */ line) => `x: { file: 'cpp/f.cpp', line: ${line}, symbol: 'f' },`;
  assert.equal(
    withLines(table(9), () => core),
    table(4),
  );
  assert.equal(
    withLines(table(1), () => core),
    table(1),
  );
  assert.throws(() => withLines(table(1), () => ''), /cpp\/f\.cpp has no function f/);
});

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

test('a link to a section of a paper is to the section that it names, in a version that stays', async () => {
  const found = [];
  for (const { load } of EXHIBITS) {
    const { papers } = (await load()).default;
    for (const { text, url } of papers) {
      // Of this paper there are pages with anchors; of the others no address of a section is sure to stay.
      assert.equal(url.includes('1706.03762'), url.includes('/html/'), url);
      if (!url.includes('/html/')) continue;
      const [first, ...deeper] = (/, section ([\d.]+)$/.exec(text)?.[1] ?? '').split('.');
      // LaTeXML's anchors: 3.2.1 is S3.SS2.SSS1.
      const anchor = deeper.reduce((all, part, i) => `${all}.${'S'.repeat(i + 2)}${part}`, `S${first}`);
      assert.equal(url, `https://arxiv.org/html/1706.03762v7#${anchor}`, text);
      found.push(anchor);
    }
  }
  assert.ok(found.length > 10);
});
