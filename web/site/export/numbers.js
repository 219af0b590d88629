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
 * A line of fields. A field that holds a separator, a quote or a line's end, or that begins or ends with a space, stands in quotes,
 * and a quote in it twice (RFC 4180).
 * @param {string[]} fields
 * @param {string} separator
 */
function line(fields, separator) {
  const field = (/** @type {string} */ text) =>
    text.includes(separator) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return `${fields.map(field).join(separator)}\r\n`;
}

/** @param {Table} table @param {string} separator */
function lines({ matrix: { rows, columns, data }, queries, keys }, separator) {
  let text = line(['query \\ key', ...keys], separator);
  for (let row = 0; row < rows; row++) {
    const values = Array.from(data.subarray(row * columns, (row + 1) * columns), written);
    text += line([queries[row], ...values], separator);
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
 * Two pictures, cell beside cell by place: a line for each row and column that one of them has. What one does not have is empty.
 * @param {Table} first
 * @param {Table} second
 * @param {Matrix | null} difference second minus first; null where sizes differ
 */
export function pairsOf(first, second, difference) {
  const sides = [first, second];
  const rows = Math.max(...sides.map(({ matrix }) => matrix.rows));
  const columns = Math.max(...sides.map(({ matrix }) => matrix.columns));
  const cell = (/** @type {Matrix | null} */ matrix, /** @type {number} */ row, /** @type {number} */ column) =>
    matrix && row < matrix.rows && column < matrix.columns ? written(matrix.data[row * matrix.columns + column]) : '';
  const names = ['first', 'second'].flatMap((side) => [`${side} query`, `${side} key`]);
  let text = line(['row', 'column', ...names, 'first', 'second', 'difference'], ',');
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const tokens = sides.flatMap(({ queries, keys }) => [queries[row] ?? '', keys[column] ?? '']);
      const values = [first.matrix, second.matrix, difference].map((matrix) => cell(matrix, row, column));
      text += line([String(row), String(column), ...tokens, ...values], ',');
    }
  }
  return text;
}

/**
 * An object with the numbers as nested lists under "attention", as the elements read it too.
 * @param {Table} table
 * @param {Record<string, unknown>} about what the numbers are from
 * @param {string} [nothing] what null stands for
 */
export function jsonOf(
  { matrix: { rows, columns, data }, queries, keys },
  about,
  nothing = 'null: minus infinity, the key may not be seen',
) {
  // JSON has neither −∞ nor NaN: they become null, and the file says so.
  const masked = data.every(Number.isFinite) ? {} : { masked: nothing };
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

/** Several of these in one, each under its name. @param {Record<string, unknown>} about @param {Record<string, string | null>} texts */
export function jsonOfAll(about, texts) {
  const within = (/** @type {string} */ text) => text.trimEnd().replaceAll('\n', '\n  ');
  const properties = [
    ...Object.entries(about).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...Object.entries(texts).map(([name, text]) => `  ${JSON.stringify(name)}: ${text === null ? null : within(text)}`),
  ];
  return `{\n${properties.join(',\n')}\n}\n`;
}
