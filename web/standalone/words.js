// The words of the viewer. They are plain texts with {names} to fill in, since a page that is made in another language carries its
// own along with the data.

export const WORDS = Object.freeze({
  title: '{model}: attention',
  says: 'Recorded in a run of {model}. This page holds the numbers and draws them; it needs no network.',
  half: 'The numbers are stored in half precision: three digits of each count.',
  noData: 'This page is a template: there are no numbers in it.',
  badData: 'The numbers in this page could not be read: {message}',
  theme: 'theme',
  auto: 'auto',
  light: 'light',
  dark: 'dark',
  tokens: 'tokens',
  queries: 'queries',
  keys: 'keys',
  heads: 'all heads',
  headsSay: 'All heads, layers down and heads across. Arrow keys choose one.',
  attention: 'attention',
  layer: 'layer',
  head: 'head',
  kind: 'numbers',
  weights: 'weights',
  scores: 'scores',
  view: 'view',
  matrix: 'matrix',
  arcs: 'arcs',
  picture: 'Layer {layer}, head {head}, {kind}. Arrow keys choose a cell, Escape lets go, plus and minus zoom.',
  point:
    'Point at a cell to read its number; click to keep it. Rows are queries, the tokens that look; columns are keys.',
  weight: "query '{query}', key '{key}', weight {value}",
  score: "query '{query}', key '{key}', score {value}",
  masked: "query '{query}', key '{key}', masked: this key may not be seen",
  edited: 'set by hand',
  row: "query '{query}': choose a key too, to read a number",
  column: "key '{key}': choose a query too, to read a number",
  zoomIn: 'enlarge',
  zoomOut: 'reduce',
  fit: 'fit',
  weightTitle: 'weight',
  scoreTitle: 'score',
  squareRoot: 'square-root scale',
  directions: {
    sequential: { light: 'more is darker', dark: 'more is lighter' },
    diverging: { light: 'further from 0 is darker', dark: 'further from 0 is lighter' },
  },
});

/** @typedef {{ [K in keyof typeof WORDS]: (typeof WORDS)[K] extends string ? string : (typeof WORDS)[K] }} Words */

/**
 * Puts values into a text: `filled('layer {layer}', { layer: 1 })`.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
