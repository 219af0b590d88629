// How Spanish counts. Numbers of a run are written with a point, as in the pictures, so counts are grouped with commas
// (as in Mexico and Central America): one page, one way to write numbers.

const FORMAT = new Intl.NumberFormat('es-419', { useGrouping: true });
const RULES = new Intl.PluralRules('es');

/** @param {number} n */
export const number = (n) => FORMAT.format(n);

/** The form that goes with a number, without the number. @param {number} n @param {string} one @param {string} other */
export const form = (n, one, other) => (RULES.select(n) === 'one' ? one : other);

/** A number with what is counted. @param {number} n @param {string} one @param {string} other */
export const count = (n, one, other) => `${number(n)} ${form(n, one, other)}`;
