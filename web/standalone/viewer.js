// The viewer in an exported page: reads the page's data and shows it, with the pictures and gestures of the lab. No model, no core:
// every number is one that was recorded.

import { createViewer } from './view.js';
import { readData } from './data.js';
import { make } from './parts.js';
import { WORDS, filled } from './words.js';

const root = /** @type {HTMLElement} */ (document.querySelector('main'));

try {
  const data = readData(document.getElementById('data')?.textContent ?? 'null');
  if (data === null) root.replaceChildren(make('p', {}, WORDS.noData));
  else createViewer(root, data);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  root.replaceChildren(make('p', { class: 'problem', role: 'alert' }, filled(WORDS.badData, { message })));
}
