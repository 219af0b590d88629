// Light, dark, or as the system, for as long as the page is open.

import { DARK, LIGHT, themeFrom } from '../view/index.js';

/** @typedef {'auto' | 'light' | 'dark'} Preference */

/** @param {Preference} preference @returns {import('../view/theme.js').Theme} */
export function applyTheme(preference) {
  const { documentElement: root } = document;
  if (preference === 'auto') delete root.dataset.theme;
  else root.dataset.theme = preference;
  const system = matchMedia('(prefers-color-scheme: dark)').matches;
  // A canvas takes the names of forced colours for those of a light page: the set that is nearest stands in.
  if (matchMedia('(forced-colors: active)').matches) return { ...(system ? DARK : LIGHT) };
  const style = getComputedStyle(root);
  return themeFrom((name) => style.getPropertyValue(name), {
    dark: preference === 'auto' ? system : preference === 'dark',
  });
}

/** Calls back when the system turns dark or light, asks for more contrast or forces its colours. @param {() => void} changed */
export function watchSystem(changed) {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']) {
    matchMedia(query).addEventListener('change', changed);
  }
}
