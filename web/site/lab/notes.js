// What there is to say about the address, a line each, until it is dismissed.

import { html, nothing, render } from 'lit/html.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').Note} Note */

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 */
export function createNotes(root, store) {
  /** @param {Note} note */
  const dismiss = (note) => store.set({ notes: store.state.notes.filter((other) => other !== note) });

  function update() {
    const { notes } = store.state;
    render(
      html`<div role="status">
        ${
          notes.length === 0
            ? nothing
            : notes.map(
                (note) =>
                  html`<p class="notice note ${note.kind}">
                    ${wordsOf(note)}
                    <button type="button" class="link" @click=${() => dismiss(note)}>${STRINGS.links.dismiss}</button>
                  </p>`,
              )
        }
      </div>`,
      root,
    );
  }
  store.on(['notes'], update);
  update();
}

/** @param {Note} note */
function wordsOf(note) {
  const { links } = STRINGS;
  if (note.kind === 'newer') return links.newer(note.version);
  if (note.kind === 'elsewhere') return links.elsewhere;
  return note.kind === 'long' ? links.long(namesOf(note.left)) : links[note.kind](note.fields.join(', '));
}

/** @param {readonly string[]} fields of the address */
export function namesOf(fields) {
  return fields.map((field) => STRINGS.links.fields[/** @type {'text'} */ (field)] ?? field).join(', ');
}

/**
 * What a link names that the result does not have: a layer, a head or a cell beyond its ends.
 * @param {Partial<import('../types.js').Choice>} given
 * @param {import('../types.js').State} state
 * @returns {Note[]}
 */
export function misfits(given, state) {
  if (!state.result) return [];
  const fields = /** @type {const} */ (['model', 'layer', 'head', 'sequence', 'query', 'key']).filter(
    (field) => given[field] !== undefined && given[field] !== state[field],
  );
  return fields.length === 0 ? [] : [{ kind: 'misfit', fields: fields.map((field) => `${field}=${given[field]}`) }];
}
