// Two links beside the theme: one that copies the page's address, one that opens the sheet of keys.

import { html, nothing, render } from 'lit/html.js';
import { isOpenedBeside } from '../compare.js';
import { linkOf } from '../fragment.js';
import { namesOf } from './notes.js';
import { STRINGS } from '../strings.js';

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ keys: () => void }} actions
 */
export function createTools(root, store, { keys }) {
  /** What came of copying; of another choice it says nothing. @type {{ says: string[], link: string | null } | null} */
  let outcome = null;

  async function copy() {
    const { link, left } = linkOf(store.state);
    const words = STRINGS.links;
    const missing = [
      ...(left.length > 0 ? [words.long(namesOf(left))] : []),
      ...(store.state.model === '' || isOpenedBeside(store.state) ? [words.opened] : []),
    ];
    try {
      await navigator.clipboard.writeText(link);
      outcome = { says: [words.copied, ...missing], link: null };
    } catch {
      // Not allowed, not a secure page, or a browser without it: the reader copies.
      outcome = { says: [words.copyByHand, ...missing], link };
    }
    update();
    const field = root.querySelector('input');
    field?.focus();
    field?.select();
  }
  function dismiss() {
    outcome = null;
    update();
    root.querySelector('button')?.focus();
  }

  function update() {
    render(
      html`<button type="button" class="link" @click=${copy}>${STRINGS.links.copy}</button>
        <button type="button" class="link" aria-keyshortcuts="?" @click=${keys}>${STRINGS.keySheet.open}</button>
        <div role="status" class="outcome">
          ${
            outcome === null
              ? nothing
              : html`<p class="notice">
                  ${outcome.says.join(' ')}
                  <button type="button" class="link" @click=${dismiss}>${STRINGS.links.dismiss}</button>
                </p>`
          }
        </div>
        ${
          outcome?.link
            ? html`<input
                type="text"
                class="number"
                readonly
                aria-label=${STRINGS.links.link}
                .value=${outcome.link}
              />`
            : nothing
        }`,
      root,
    );
  }
  store.on(['model', 'text', 'layer', 'head', 'edits', 'off', 'compare', 'model2'], () => {
    if (outcome === null) return;
    outcome = null;
    update();
  });
  update();
  return { copy };
}
