// Light, dark, or as the system: one set of custom properties (base.css), read back for the canvases.

import { themeFrom } from '../view/index.js';

/** @typedef {'auto' | 'light' | 'dark'} Preference */

const KEY = 'glassformer-theme';

/** @returns {Preference} */
export function readPreference() {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    return 'auto'; // no storage here, as in a sandboxed frame
  }
}

/** @param {Preference} preference */
export function keepPreference(preference) {
  try {
    if (preference === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, preference);
  } catch {
    // The choice holds for this visit.
  }
}

/** Puts a preference in force. @param {Preference} preference @returns {import('../view/theme.js').Theme} */
export function applyTheme(preference) {
  const { documentElement: root } = document;
  if (preference === 'auto') delete root.dataset.theme;
  else root.dataset.theme = preference;
  const dark = preference === 'dark' || (preference === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const style = getComputedStyle(root);
  return themeFrom((name) => style.getPropertyValue(name), { dark });
}

/** Calls back when the system turns dark or light, or asks for more contrast. @param {() => void} changed */
export function watchSystem(changed) {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', changed);
  }
}
