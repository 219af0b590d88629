// How English counts.

const FORMAT = new Intl.NumberFormat('en');
const RULES = new Intl.PluralRules('en');

/** @param {number} n */
export const number = (n) => FORMAT.format(n);

/** The form that goes with a number, without the number. @param {number} n @param {string} one @param {string} other */
export const form = (n, one, other) => (RULES.select(n) === 'one' ? one : other);

/** A number with what is counted. @param {number} n @param {string} one @param {string} [other] where it takes more than an s */
export const count = (n, one, other = `${one}s`) => `${number(n)} ${form(n, one, other)}`;
