// BLEU and chrF of the recipes against sacreBLEU's own values.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bleu, chrF, tokenize13a } from '../../web/models/recipes/bleu.mjs';

const { sets } = JSON.parse(readFileSync(new URL('fixtures/translation_scores.json', import.meta.url), 'utf8'));

test('BLEU and chrF are what sacreBLEU gives', () => {
  assert.ok(sets.length >= 10);
  for (const { name, hypotheses, references, bleu: wantedBleu, chrF: wantedChrF } of sets) {
    // Both sides compute in double precision; sums in another order differ by some 1e-14 of a score.
    const close = (/** @type {number} */ got, /** @type {number} */ wanted, /** @type {string} */ what) =>
      assert.ok(Math.abs(got - wanted) < 1e-9, `${what} of '${name}': expected ${wanted}, got ${got}`);
    close(bleu(hypotheses, references), wantedBleu, 'BLEU');
    close(chrF(hypotheses, references), wantedChrF, 'chrF');
  }
});

test('tokenizer 13a: numbers keep their points, quotation is undone', () => {
  assert.deepEqual(tokenize13a('1,234.5 a.b &quot;x&quot; 3-4 well-known'), [
    ...['1,234.5', 'a', '.', 'b', '"', 'x', '"', '3', '-', '4', 'well-known'],
  ]);
});

test('scores ask for one reference for each translation', () => {
  assert.throws(() => bleu(['a'], []), RangeError);
  assert.throws(() => chrF([], ['a']), RangeError);
});
