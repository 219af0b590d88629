// A head's numbers as text. Every number has the fewest digits that read back as the same float32.

import { shortestFloat } from '../../view/index.js';

/** @typedef {import('../../view/types.js').Matrix} Matrix */
/**
 * @typedef {object} Table
 * @property {Matrix} matrix
 * @property {string[]} queries the rows' tokens
 * @property {string[]} keys the columns'
 */

/** −∞, the score of what is masked, as Python, R and C read it. @param {number} value */
function written(value) {
  if (Number.isFinite(value)) return String(shortestFloat(value));
  return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf';
}

/**
 * Lines of fields. A field that holds a separator, a quote or a line's end, or that begins or ends with a space, stands in quotes,
 * and a quote in it twice (RFC 4180).
 * @param {Table} table
 * @param {string} separator
 */
function lines({ matrix: { rows, columns, data }, queries, keys }, separator) {
  const field = (/** @type {string} */ text) =>
    text.includes(separator) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const corner = 'query \\ key';
  const line = (/** @type {string} */ head, /** @type {string[]} */ values) =>
    `${[head, ...values].map(field).join(separator)}\r\n`;
  let text = line(corner, keys);
  for (let row = 0; row < rows; row++) {
    text += line(queries[row], Array.from(data.subarray(row * columns, (row + 1) * columns), written));
  }
  return text;
}

/** Comma-separated, with tokens as heads of rows and columns. @param {Table} table */
export function csvOf(table) {
  return lines(table, ',');
}

/** Separated by tabs, as spreadsheets take them from the clipboard. @param {Table} table */
export function tsvOf(table) {
  return lines(table, '\t');
}

/**
 * An object with the numbers as nested lists under "attention", as the elements read it too.
 * @param {Table} table
 * @param {Record<string, unknown>} about what the numbers are from
 */
export function jsonOf({ matrix: { rows, columns, data }, queries, keys }, about) {
  // JSON has no −∞: it becomes null, and the file says so.
  const masked = data.some((value) => !Number.isFinite(value))
    ? { masked: 'null: minus infinity, the key may not be seen' }
    : {};
  const head = { ...about, dims: ['query', 'key'], shape: [rows, columns], queries, keys, ...masked };
  const lists = [];
  for (let row = 0; row < rows; row++) {
    const line = Array.from(data.subarray(row * columns, (row + 1) * columns), (value) =>
      Number.isFinite(value) ? shortestFloat(value) : null,
    );
    lists.push(`    ${JSON.stringify(line)}`);
  }
  // A property a line, a row of numbers a line: the file can be read, and compared line by line.
  const properties = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${properties.join(',\n')},\n  "attention": [\n${lists.join(',\n')}\n  ]\n}\n`;
}
