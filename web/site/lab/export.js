// The list of what can be taken from the page: pictures, numbers, and a page of its own.

import { html, render } from 'lit/html.js';
import { isComparing } from '../compare.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../export/index.js').ExportKind} ExportKind */

/** Names of formats are no words: they are the same in all languages. */
const FORMATS = {
  ...{ png: 'PNG', svg: 'SVG', csv: 'CSV', json: 'JSON', head: 'safetensors' },
  ...{ comparedPng: 'PNG', comparedSvg: 'SVG', comparedCsv: 'CSV', comparedJson: 'JSON' },
};

/** @type {{ group: keyof typeof STRINGS.exporting.groups, kinds: ExportKind[] }[]} */
const GROUPS = [
  { group: 'picture', kinds: ['png', 'svg', 'copyPicture'] },
  { group: 'compared', kinds: ['comparedPng', 'comparedSvg', 'comparedCsv', 'comparedJson'] },
  { group: 'heads', kinds: ['headsPng', 'headsSvg'] },
  { group: 'numbers', kinds: ['csv', 'json', 'head', 'copyNumbers'] },
  { group: 'run', kinds: ['page', 'run'] },
];

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ drawn: () => import('../export/pictures.js').Shown | null }} picture
 */
export function createExport(root, store, picture) {
  const { title, groups, kinds: words, says, failed } = STRINGS.exporting;
  const names = { ...FORMATS, ...words };
  // Few come for this: what makes the files is loaded when the list is first opened.
  const loaded = () => import('../export/index.js');
  const open = (/** @type {Event} */ event) => {
    if (/** @type {HTMLDetailsElement} */ (event.target).open) void loaded();
  };

  /** @param {ExportKind} kind */
  async function act(kind) {
    said.textContent = '';
    try {
      const { take } = await loaded();
      said.textContent = await take(kind, store.state, picture.drawn());
    } catch (error) {
      said.textContent = failed(error instanceof Error ? error.message : String(error));
    }
  }

  function update() {
    const comparing = isComparing(store.state);
    render(
      html`<details @toggle=${open}>
        <summary>${title}</summary>
        ${GROUPS.filter(({ group }) => comparing || group !== 'compared').map(
          ({ group, kinds }) =>
            html`<div role="group" aria-label=${groups[group]}>
              <span aria-hidden="true">${groups[group]}</span>
              ${kinds.map(
                (kind) =>
                  html`<button type="button" class="link" data-export=${kind} @click=${() => act(kind)}>
                    ${names[kind]}
                  </button>`,
              )}
            </div>`,
        )}
        <p class="says">${says}</p>
        <p class="said" role="status"></p>
      </details>`,
      root,
    );
  }
  // What stands beside the picture can be taken while it does.
  store.on(['compare', 'view'], update);
  update();
  const said = /** @type {HTMLElement} */ (root.querySelector('.said'));
}
