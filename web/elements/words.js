// Every word that the elements say, in one table. Tokens, numbers and the sentences of view/strings.js come between.

export const WORDS = {
  query: 'query',
  key: 'key',
  /** @param {string} name @param {string | null} part */
  loading: (name, part) => (part === null ? `loading ${name}…` : `loading ${name}, ${part}…`),
  computing: 'computing…',
  /** @param {string} kind @param {number} layer @param {number} head */
  heatmap: (kind, layer, head) => `attention ${kind}, layer ${layer}, head ${head}`,
  /** @param {number} layer @param {number} head */
  arcs: (layer, head) => `attention weights as lines, layer ${layer}, head ${head}`,
  grid: 'all heads: layers down, heads across',
  tokens: 'tokens',
  /** @param {string} token @param {number} position */
  token: (token, position) => `${token}, token ${position}`,
  /** @param {number} shown @param {number} all */
  leftOut: (shown, all) => `The first ${shown} of ${all} tokens; the others are left out here.`,
  /** @param {string} weight */
  weighs: (weight) => `weight ${weight}`,
  keys: 'Arrow keys move, Escape lets go.',
  letGo: 'Nothing is chosen.',
};
