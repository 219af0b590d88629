// Colours and fonts for painting, in a light and a dark set. This file reads no page: whoever has the custom properties'
// values passes them in.
//
// Query and key differ in hue (blue, orange: kept apart by every kind of colour vision) and in luminance.

/**
 * @typedef {object} Theme
 * @property {boolean} dark
 * @property {string} background
 * @property {string} text
 * @property {string} muted secondary text
 * @property {string} rule thin lines
 * @property {string} accent what is selected
 * @property {string} query
 * @property {string} key
 * @property {string} positive of signed numbers, as in the diverging palette
 * @property {string} negative
 * @property {string} sans font family of the interface
 * @property {string} mono font family of tokens and numbers
 */

const fonts = {
  sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  mono: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
};

/** @type {Readonly<Theme>} */
export const LIGHT = Object.freeze({
  dark: false,
  background: '#ffffff',
  text: '#1b1e24',
  muted: '#5c6370',
  rule: '#d8dbe0',
  accent: '#c0186b',
  query: '#1a3f9c',
  key: '#b95700',
  positive: '#01665e',
  negative: '#8c510a',
  ...fonts,
});

/** @type {Readonly<Theme>} */
export const DARK = Object.freeze({
  dark: true,
  background: '#14161b',
  text: '#e6e8ec',
  muted: '#9aa1ad',
  rule: '#343943',
  accent: '#ff6fae',
  query: '#6694f5',
  key: '#ffc670',
  positive: '#80cdc1',
  negative: '#dfb878',
  ...fonts,
});

/** @type {ReadonlyArray<Exclude<keyof Theme, 'dark'>>} */
const PROPERTIES = [
  'background',
  'text',
  'muted',
  'rule',
  'accent',
  'query',
  'key',
  'positive',
  'negative',
  'sans',
  'mono',
];

/** The custom property that sets a part of the theme. @param {Exclude<keyof Theme, 'dark'>} part */
export function propertyName(part) {
  return `--glass-${part}`;
}

/**
 * A theme from custom properties; what is not set comes from the light or dark default.
 * @param {(property: string) => string} read e.g. `(name) => getComputedStyle(element).getPropertyValue(name)`
 * @param {{ dark?: boolean }} [options]
 * @returns {Theme}
 */
export function themeFrom(read, { dark = false } = {}) {
  /** @type {Theme} */
  const theme = { ...(dark ? DARK : LIGHT) };
  for (const part of PROPERTIES) {
    const value = read(propertyName(part)).trim();
    if (value !== '') theme[part] = value;
  }
  return theme;
}

/**
 * A theme's values by custom property, for a style sheet.
 * @param {Theme} theme
 * @returns {Record<string, string>}
 */
export function customProperties(theme) {
  return Object.fromEntries(PROPERTIES.map((part) => [propertyName(part), theme[part]]));
}

/**
 * A canvas font.
 * @param {string} family
 * @param {number} size CSS pixels
 * @param {{ strong?: boolean }} [style]
 */
export function font(family, size, { strong = false } = {}) {
  return `${strong ? '600 ' : ''}${size}px ${family}`;
}
