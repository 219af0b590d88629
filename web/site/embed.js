// The page for authors: beside each live example its own HTML, to copy.

import '../elements/index.js';
import { workOffline } from './offline.js';
import { OFFLINE } from './strings/en/offline.js';
import { applyTheme, readPreference } from './theme.js';

applyTheme(readPreference());

/** The HTML inside an element as its author wrote it, without the indentation of the page around it. @param {Element} element */
function writtenIn(element) {
  const lines = element.innerHTML
    .replace(/^\s*\n/, '')
    .trimEnd()
    .replace(/=""(?=[\s>])/g, '')
    .split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least)).join('\n');
}

const words = /** @type {HTMLTemplateElement} */ (document.getElementById('copying'));

for (const example of document.querySelectorAll('.example')) {
  const text = writtenIn(example);
  const pre = document.createElement('pre');
  const code = document.createElement('code');
  code.textContent = text;
  pre.append(code);
  const beneath = /** @type {DocumentFragment} */ (words.content.cloneNode(true));
  const said = /** @type {HTMLElement} */ (beneath.querySelector('[role="status"]'));
  beneath.querySelector('button')?.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = said.dataset.copied ?? '';
    } catch {
      // The browser keeps the clipboard to itself: the text is chosen, for the reader to copy.
      getSelection()?.selectAllChildren(code);
      said.textContent = said.dataset.chosen ?? '';
    }
  });
  example.after(pre, beneath);
}
// Long lines can be scrolled by keys.
for (const pre of document.querySelectorAll('pre')) pre.tabIndex = 0;
void workOffline(/** @type {HTMLElement} */ (document.getElementById('status')), OFFLINE);
