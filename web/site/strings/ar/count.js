// How Arabic counts, and how what is not Arabic stands in an Arabic sentence. Digits are those of the pictures (0 to 9), grouped
// as there, so that a number in a sentence is found again in the matrix and in the formula.

const FORMAT = new Intl.NumberFormat('ar-u-nu-latn');
const RULES = new Intl.PluralRules('ar');

/** @param {number} n */
export const number = (n) => FORMAT.format(n);

/**
 * A number with what is counted, by the six forms of Arabic: one and two are words without a digit, three to ten take the
 * plural, eleven to ninety-nine the singular in the accusative, full hundreds (and nought) the singular.
 * @param {number} n
 * @param {{ one: string, two: string, few: string, many: string, other: string }} forms
 */
export function count(n, forms) {
  const rule = RULES.select(n);
  if (rule === 'one' || rule === 'two') return forms[rule];
  return `${number(n)} ${rule === 'zero' ? forms.other : forms[rule]}`;
}

/**
 * What comes from elsewhere, in its own direction: a token, a name. The isolates of Unicode work where no element can be put:
 * in labels and on a canvas.
 * @param {string} text
 */
export const token = (text) => `\u2068${text}\u2069`;

/**
 * A formula, a number with a sign, a file's name: left to right. A formula is not broken: its end would stand in the next line's
 * middle.
 * @param {string} text
 */
export const ltr = (text) => `\u2066${String(text).replaceAll(' ', '\u00a0')}\u2069`;

/** How many tokens, as a subject. @param {number} n */
export const tokens = (n) => count(n, { one: 'رمز واحد', two: 'رمزان', few: 'رموز', many: 'رمزًا', other: 'رمز' });
