// The heads that are switched off, in a line, with the way back.

import { html, nothing, render } from 'lit/html.js';
import { placesOf, undone } from '../switches.js';
import { STRINGS } from '../strings.js';

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ change: (off: string) => void }} actions
 */
export function createSwitches(root, store, { change }) {
  function update() {
    const { off } = store.state;
    root.hidden = off === '';
    const names = placesOf(off).map(({ grid, layer, head }) =>
      STRINGS.offOne(grid === 'self' ? '' : STRINGS.grids[grid].title, layer, head),
    );
    render(
      off === ''
        ? nothing
        : html`<p class="notice" role="status">
            ${STRINGS.offSays(names.join('; '))}
            <button type="button" class="link" @click=${() => change(undone(off))}>${STRINGS.undo}</button>
            ${
              names.length > 1
                ? html`<button type="button" class="link" @click=${() => change('')}>${STRINGS.allOn}</button>`
                : nothing
            }
          </p>`,
      root,
    );
  }
  store.on(['off'], update);
  update();
}
