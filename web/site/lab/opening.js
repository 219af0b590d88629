// Opening a model of one's own: a folder picked or dropped; and how far loading has come, where the result will be.

import { html, nothing, render } from 'lit/html.js';
import { problemText } from '../dom.js';
import { dropped, picked } from '../files.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */

/**
 * @param {{ dialog: HTMLElement, status: HTMLElement }} roots
 * @param {import('../store.js').Store} store
 * @param {import('../models.js').Models} models
 */
export function createOpening(roots, store, models) {
  render(
    html`<dialog aria-labelledby="open-title">
      <h2 id="open-title">${STRINGS.openTitle}</h2>
      <p>${STRINGS.openSays}</p>
      <input
        class="hidden"
        type="file"
        webkitdirectory
        multiple
        aria-label=${STRINGS.chooseFolder}
        tabindex="-1"
        @change=${pick}
      />
      <p>
        <button type="button" class="link" @click=${() => input.click()}>${STRINGS.chooseFolder}</button>
      </p>
      <div class="state"></div>
      <p><button type="button" class="link" @click=${() => dialog.close()}>${STRINGS.close}</button></p>
    </dialog>`,
    roots.dialog,
  );
  const dialog = /** @type {HTMLDialogElement} */ (roots.dialog.querySelector('dialog'));
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector('input'));
  const state = /** @type {HTMLElement} */ (dialog.querySelector('.state'));

  /** Whether what is opened now is to stand beside the model on show, and not in its place. */
  let beside = false;

  /** @param {{ path: string, file: File }[]} found */
  async function open(found) {
    const before = store.state.result;
    if (beside) models.openBeside(found);
    else await models.openFiles(found);
    if (store.state.openProblem === null && (beside || store.state.result !== before)) dialog.close();
  }
  /** @param {boolean} asBeside */
  function show(asBeside) {
    beside = asBeside;
    store.set({ openProblem: null });
    dialog.showModal();
    update();
  }
  function pick() {
    const found = picked(/** @type {FileList} */ (input.files));
    input.value = ''; // the same folder can be chosen again
    open(found);
  }

  document.body.dataset.drop = STRINGS.dropHere;
  const carriesFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping');
  });
  addEventListener('drop', async (event) => {
    document.body.classList.remove('dropping');
    if (!carriesFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    const found = await dropped(event.dataTransfer);
    open(found);
  });

  function update() {
    const { loading, openProblem, result } = store.state;
    const kept = result ? STRINGS.stillThere : '';
    const again = html`<p>
      <button type="button" class="link" @click=${() => void models.again()}>${STRINGS.tryAgain}</button>
    </p>`;
    const shown = html`${loading ? progress(loading, models.cancel) : nothing} ${problemText(openProblem, kept)}
    ${openProblem?.again ? again : nothing}`;
    // One place at a time: the dialog while it is open, else where the result will be.
    render(dialog.open ? shown : nothing, state);
    render(dialog.open || (!loading && !openProblem) ? nothing : shown, roots.status);
  }
  store.on(['loading', 'openProblem', 'result'], update);
  dialog.addEventListener('close', () => {
    beside = false;
    store.set({ openProblem: null });
    update();
  });
  roots.status.replaceChildren();
  update();

  return {
    show: () => show(false),
    /** For a model to compare with. */
    showBeside: () => show(true),
  };
}

/** @param {NonNullable<State['loading']>} loading @param {() => void} cancel */
function progress({ name, files }, cancel) {
  return html`<div class="loading" role="status">
    <p>${STRINGS.loading(name)} <button type="button" class="link" @click=${cancel}>${STRINGS.cancel}</button></p>
    <ul>
      ${files.map(
        ({ file, loaded, total }) =>
          html`<li>
            <span class="says">${STRINGS.progress(file, size(loaded), total === null ? null : size(total))}</span>
            <progress aria-label=${file} value=${total === null ? nothing : loaded} max=${total ?? nothing}></progress>
          </li>`,
      )}
    </ul>
  </div>`;
}

/** @param {number} bytes */
function size(bytes) {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
