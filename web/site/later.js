// The parts of the page that its first picture can do without: they are fetched when it is there.

import { createActions } from './lab/actions.js';
import { createKeys } from './lab/keys.js';
import { createOutput } from './lab/output.js';
import { createTools } from './lab/tools.js';
import { createWhy } from './lab/why.js';
import { workOffline } from './offline.js';
import { STRINGS } from './strings.js';

/**
 * @param {(id: string) => HTMLElement} part
 * @param {import('./store.js').Store} store
 * @param {{ lab: ReturnType<typeof import('./lab.js').createLab>, changes: import('./changes.js').ChangesOf }} parts
 */
export function createLater(part, store, { lab, changes }) {
  createOutput(part('output'), store, lab);
  const why = createWhy(part('why'), store, changes);
  const tools = createTools(part('tools'), store, { keys: () => sheet.open() });
  const sheet = createKeys(part('keys'), createActions(store, { changes, why, link: tools.copy }));
  void workOffline(part('status'), STRINGS);
  return { why };
}
