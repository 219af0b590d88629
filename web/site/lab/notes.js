// What there is to say about the address, a line each, until it is dismissed.

import { html, nothing, render } from 'lit/html.js';
import { isToken } from '../sequences.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').Note} Note */

/** What a link names that there may be none of. */
const NAMED = /** @type {const} */ ([
  'model',
  'attention',
  'layer',
  'head',
  'sequence',
  'query',
  'key',
  'compare',
  'model2',
  'layer2',
  'head2',
]);

/** What is not there with the model beside the picture. @type {readonly string[]} */
const BESIDE = ['compare', 'model2', 'layer2', 'head2'];

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
 * What a link names that the page or the result does not have: a model, a layer, a head or a cell beyond its ends, a token.
 * @param {Partial<import('../types.js').Choice>} given
 * @param {import('../types.js').State} state
 * @returns {Note[]}
 */
export function misfits(given, state) {
  if (!state.result) return [];
  // Of a model that was opened elsewhere there is a note of its own.
  const beside = given.model2 === '' && state.model2 !== '' ? BESIDE : [];
  const fields = NAMED.filter((field) => !beside.includes(field))
    .filter((field) => given[field] !== undefined && given[field] !== state[field])
    .map((field) => `${field}=${given[field]}`);
  const unknown = given.taken?.find((id) => !isToken(state.result?.model, id));
  if (unknown !== undefined) fields.push(`taken=…${unknown}`);
  return fields.length === 0 ? [] : [{ kind: 'misfit', fields }];
}
