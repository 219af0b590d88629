// How numbers are written, and rounding that adds up: what a reader can add on the page gives the total on the page.

const MINUS = '\u2212';

/**
 * Rounds values to `decimals` places so that they add up to a rounded total (largest remainder, Hamilton's method). Each
 * result is less than one unit of its last place from the value when the total is the values' own sum.
 * @param {ArrayLike<number>} values finite
 * @param {number} decimals
 * @param {number} [total] what they shall add up to; their sum, rounded, when left out
 * @returns {number[]} integers, in units of 10^−decimals: exact to add
 */
export function roundToSum(values, decimals, total) {
  const unit = 10 ** decimals;
  const n = values.length;
  const units = new Array(n);
  const remainders = new Array(n);
  let sum = 0;
  let floors = 0;
  for (let i = 0; i < n; i++) {
    const scaled = values[i] * unit;
    sum += scaled;
    units[i] = Math.floor(scaled);
    remainders[i] = scaled - units[i];
    floors += units[i];
  }
  let missing = Math.round(total === undefined ? sum : total * unit) - floors;
  if (missing === 0 || n === 0) return units;
  const order = Array.from(units.keys()).sort((a, b) => remainders[b] - remainders[a] || a - b);
  // One pass is enough unless a total of its own was asked for.
  for (let i = 0; missing > 0; i = (i + 1) % n, missing--) units[order[i]] += 1;
  for (let i = n - 1; missing < 0; i = (i + n - 1) % n, missing++) units[order[i]] -= 1;
  return units;
}

/**
 * Writes a count of units: `writeUnits(42, 2)` is "0.42".
 * @param {number} units an integer, in units of 10^−decimals
 * @param {number} decimals
 * @param {{ leadingZero?: boolean }} [style] without the leading zero: ".42", and "1.0", which is as wide
 */
export function writeUnits(units, decimals, { leadingZero = true } = {}) {
  const size = Math.abs(units) / 10 ** decimals;
  let text = size.toFixed(decimals);
  if (!leadingZero && decimals > 0) text = text.startsWith('0') ? text.slice(1) : size.toFixed(decimals - 1);
  return units < 0 ? MINUS + text : text;
}

/**
 * Writes a value with a fixed number of decimals, a true minus sign, no "−0.00", and −∞ for what is masked.
 * @param {number} value
 * @param {number} decimals
 * @param {{ leadingZero?: boolean }} [style]
 */
export function writeNumber(value, decimals, style) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? `${MINUS}\u221e` : '\u221e';
  return writeUnits(Math.round(value * 10 ** decimals), decimals, style);
}

/**
 * Every digit a float32 has, for "the full value": the shortest decimal that reads back as the same float32.
 * @param {number} value
 */
export function writeFull(value) {
  if (!Number.isFinite(value)) return writeNumber(value, 0);
  return String(shortestFloat(value)).replace('-', MINUS);
}

/**
 * The number with the fewest digits that is the same float32: 0.1 for what is 0.10000000149… as a double.
 * @param {number} value a float32; −∞, ∞ and NaN stay what they are
 */
export function shortestFloat(value) {
  if (!Number.isFinite(value)) return value;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return Number(value.toPrecision(9));
}
