// Light, dark, or as the system: one set of custom properties (base.css), read back for the canvases.

import { themeFrom } from '../view/index.js';

/** @typedef {'auto' | 'light' | 'dark'} Preference */

const KEY = 'glassformer-theme';

/** What the reader has chosen before, else what a link asks for. @param {Preference} [asked] @returns {Preference} */
export function readPreference(asked = 'auto') {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : asked;
  } catch {
    return asked; // no storage here, as in a sandboxed frame
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
  const forced = matchMedia('(forced-colors: active)').matches;
  const system = forced || preference === 'auto';
  const dark = system ? matchMedia('(prefers-color-scheme: dark)').matches : preference === 'dark';
  const style = getComputedStyle(root);
  const resolve = forced ? resolveColours() : (/** @type {string} */ value) => value;
  return themeFrom((name) => resolve(style.getPropertyValue(name)), { dark });
}

/** A canvas takes names of system colours for those of a light page: what they are here is read off an element. */
function resolveColours() {
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const values = new Map();
  for (const name of ['Canvas', 'CanvasText', 'Highlight', 'LinkText', 'GrayText']) {
    probe.style.color = name;
    values.set(name, getComputedStyle(probe).color);
  }
  probe.remove();
  return (/** @type {string} */ value) => values.get(value.trim()) ?? value;
}

/** Calls back when the system turns dark or light, asks for more contrast or forces its colours. @param {() => void} changed */
export function watchSystem(changed) {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']) {
    matchMedia(query).addEventListener('change', changed);
  }
}
