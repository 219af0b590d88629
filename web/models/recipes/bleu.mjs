// Scores of translations as sacreBLEU defines them (Post 2018, "A Call for Clarity in Reporting BLEU Scores"), one reference each:
// BLEU (Papineni et al. 2002), signature nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp, and
// chrF2 (Popović 2015), signature nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no.

const kOrder = 4;
const kCharacters = 6;
const kBeta = 2;

/**
 * Separates words and punctuation as the tokenizer called 13a does, after mteval-v13a.
 * @param {string} text
 * @returns {string[]}
 */
export function tokenize13a(text) {
  return ` ${text.trimEnd().replace(/-\n/g, '').replace(/\n/g, ' ')} `
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/[{-~[-` -&(-+:-@/]/g, ' $& ')
    .replace(/([^0-9])([.,])/g, '$1 $2 ')
    .replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ')
    .split(/\s+/)
    .filter(Boolean);
}

/**
 * @param {string[]} hypotheses
 * @param {string[]} references one for each
 * @returns {number} corpus BLEU, 0 to 100
 */
export function bleu(hypotheses, references) {
  checkLengths(hypotheses, references);
  const counts = Array.from({ length: kOrder }, () => ({ right: 0, all: 0 }));
  let length = 0;
  let wanted = 0;
  hypotheses.forEach((hypothesis, i) => {
    const tokens = tokenize13a(hypothesis);
    const reference = tokenize13a(references[i]);
    length += tokens.length;
    wanted += reference.length;
    counts.forEach((count, n) => {
      count.all += Math.max(0, tokens.length - n);
      count.right += matches(ngrams(tokens, n + 1, ' '), ngrams(reference, n + 1, ' '));
    });
  });
  if (counts.every(({ right }) => right === 0)) return 0;
  // Orders without a match count as half a match, then a quarter, and so on; orders that no text is long enough for make the score 0.
  if (counts.some(({ all }) => all === 0)) return 0;
  let missing = 1;
  const logs = counts.map(({ right, all }) => Math.log((right || 1 / (missing *= 2)) / all));
  const brevity = length < wanted ? Math.exp(1 - wanted / length) : 1;
  return 100 * brevity * Math.exp(logs.reduce((sum, value) => sum + value) / kOrder);
}

/**
 * @param {string[]} hypotheses
 * @param {string[]} references one for each
 * @returns {number} corpus chrF2, 0 to 100
 */
export function chrF(hypotheses, references) {
  checkLengths(hypotheses, references);
  const counts = Array.from({ length: kCharacters }, () => ({ right: 0, hypothesis: 0, reference: 0 }));
  hypotheses.forEach((hypothesis, i) => {
    const ours = [...hypothesis.replace(/\s+/g, '')];
    const theirs = [...references[i].replace(/\s+/g, '')];
    counts.forEach((count, n) => {
      const reference = ngrams(theirs, n + 1, '');
      count.right += matches(ngrams(ours, n + 1, ''), reference);
      count.reference += Math.max(0, theirs.length - n);
      // N-grams of a text whose reference has none of this length are left out.
      if (reference.size > 0) count.hypothesis += Math.max(0, ours.length - n);
    });
  });
  const seen = counts.filter(({ hypothesis, reference }) => hypothesis > 0 && reference > 0);
  const mean = (/** @type {'hypothesis' | 'reference'} */ side) =>
    seen.reduce((sum, count) => sum + count.right / count[side], 0) / seen.length;
  if (seen.length === 0) return 0;
  const precision = mean('hypothesis');
  const recall = mean('reference');
  const weighted = kBeta ** 2 * precision + recall;
  return weighted === 0 ? 0 : (100 * (1 + kBeta ** 2) * precision * recall) / weighted;
}

/**
 * @param {string[]} hypotheses
 * @param {string[]} references
 */
function checkLengths(hypotheses, references) {
  if (hypotheses.length !== references.length)
    throw new RangeError(
      `expected a reference for each of ${hypotheses.length} translations, got ${references.length}`,
    );
}

/**
 * @param {string[]} units words or characters
 * @param {number} n
 * @param {string} glue
 * @returns {Map<string, number>} how often each sequence of n occurs
 */
function ngrams(units, n, glue) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let i = 0; i + n <= units.length; i++) {
    const key = units.slice(i, i + n).join(glue);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/**
 * @param {Map<string, number>} ours
 * @param {Map<string, number>} theirs
 * @returns {number} occurrences in common
 */
function matches(ours, theirs) {
  let sum = 0;
  for (const [key, count] of ours) sum += Math.min(count, theirs.get(key) ?? 0);
  return sum;
}
