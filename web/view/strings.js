// Every phrase that the text alternatives are made of, in one table: a translation is another object of this shape.

/** @typedef {typeof ENGLISH} Strings */

export const ENGLISH = Object.freeze({
  /** @param {string} query @param {string} key @param {string} weight */
  weight: (query, key, weight) => `query '${query}', key '${key}', weight ${weight}`,
  /** @param {string} query @param {string} key @param {string} score */
  score: (query, key, score) => `query '${query}', key '${key}', score ${score}`,
  /** @param {string} query @param {string} key */
  masked: (query, key) => `query '${query}', key '${key}', masked: this key may not be seen`,
  /** @param {string} query @param {string} parts */
  row: (query, parts) => `'${query}' has its largest weights on ${parts}.`,
  /** @param {string} query @param {string} parts */
  scoreRow: (query, parts) => `'${query}' has its highest scores with ${parts}.`,
  /** @param {string} query */
  emptyRow: (query) => `'${query}' has no key it may see; its weights are all 0.`,
  /** @param {string} key @param {string} value */
  part: (key, value) => `'${key}' ${value}`,
  /** @param {string[]} parts */
  list: (parts) =>
    parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`,
  /** @param {number} layer @param {number} head */
  headName: (layer, head) => `Layer ${layer}, head ${head}`,
  /** @param {number} rows @param {number} columns @param {string} name */
  picture: (rows, columns, name) =>
    `${name}: ${rows} ${rows === 1 ? 'query' : 'queries'} by ${columns} ${columns === 1 ? 'key' : 'keys'}`,
  /** @param {string} parts */
  means: (parts) => `Mean weight on ${parts}.`,
  previous: /** @type {string} */ ('the previous token'),
  next: /** @type {string} */ ('the next token'),
  first: /** @type {string} */ ('the first token'),
  separator: /** @type {string} */ ('separators'),
  same: /** @type {string} */ ('the same token'),
  /** Which way is more. @type {Record<'sequential' | 'diverging', { light: string, dark: string }>} */
  directions: {
    sequential: { light: 'more is darker', dark: 'more is lighter' },
    diverging: { light: 'further from 0 is darker', dark: 'further from 0 is lighter' },
  },
  weightTitle: /** @type {string} */ ('weight'),
  scoreTitle: /** @type {string} */ ('score'),
  squareRoot: /** @type {string} */ ('square-root scale'),
});
