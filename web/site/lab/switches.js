// What is changed in this run, in a line: heads that are off and numbers that are set, with the way back and forth, and what the
// model said first without all that.

import { html, nothing, render } from 'lit/html.js';
import { visibleToken, writeNumber } from '../../view/index.js';
import { nameOf } from '../before.js';
import { NONE } from '../changes.js';
import { nameOfEdit } from '../edit-names.js';
import { hasPlace, placeOf } from '../edits.js';
import { editsOf, placesOf, written } from '../switches.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Result} Result */

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {import('../changes.js').ChangesOf} changes
 * @param {import('../before.js').BeforeOf} before
 */
export function createSwitches(root, store, changes, before) {
  const words = STRINGS.edits;
  const link = (/** @type {string} */ text, /** @type {() => void} */ act, label = text) =>
    html`<button type="button" class="link" aria-label=${label} @click=${act}>${text}</button>`;

  /** @param {State} state */
  function heads({ off, result }) {
    const places = placesOf(off);
    // A link may name heads of another model.
    const there = places.filter((place) => !result || editsOf(result.model, written(place)).length > 0);
    const namesOf = (/** @type {import('../switches.js').HeadPlace[]} */ list) =>
      list
        .map(({ grid, layer, head }) => STRINGS.offOne(grid === 'self' ? '' : STRINGS.grids[grid].title, layer, head))
        .join('; ');
    return html`${there.length > 0 ? html`<p>${STRINGS.offSays(namesOf(there))}</p>` : nothing}
    ${
      there.length < places.length
        ? html`<p>${STRINGS.offMissed(namesOf(places.filter((place) => !there.includes(place))))}</p>`
        : nothing
    }`;
  }

  /** @param {State} state */
  function numbers({ edits, result, problem }) {
    if (edits.length === 0) return nothing;
    return html`<p id="changed-numbers">${words.list}</p>
      <ul aria-labelledby="changed-numbers">
        ${edits.map((edit) => {
          const name = nameOfEdit(result, edit);
          const place = placeOf(edit);
          const was = changes.was(place);
          const now = writeNumber(edit.set, 3);
          // Where the last run failed, the result is of another.
          const missed = result !== null && problem === null && !result.edits.includes(edit);
          const known = result === null || hasPlace(result.model, edit);
          return html`<li>
            ${was === null ? words.oneUnknown(name, now) : words.one(name, writeNumber(was, 3), now)}
            ${missed ? html`<i>${known ? words.missed : words.unknown}</i>` : nothing}
            ${link(words.giveBack, () => void changes.remove(place), words.remove(name))}
          </li>`;
        })}
      </ul>`;
  }

  function update() {
    const { state } = store;
    const none = state.off === '' && state.edits.length === 0;
    const { coming, says } = said(state);
    root.hidden = none && !changes.canRedo && state.lost.length === 0;
    render(
      root.hidden
        ? nothing
        : html`<div class="notice">
            ${none ? html`<p>${words.nothing}</p>` : nothing} ${heads(state)} ${numbers(state)}
            <p role="status" class="lost">${state.lost.length > 0 ? words.lost(state.lost.join('; ')) : nothing}</p>
            <p role="status" class="said" aria-busy=${coming ? 'true' : 'false'}>${none ? nothing : says}</p>
            <p class="ways">
              ${changes.canUndo ? link(words.undo, () => void changes.undo()) : nothing}
              ${changes.canRedo ? link(words.redo, () => void changes.redo()) : nothing}
              ${none ? nothing : link(words.removeAll, () => void changes.removeAll())}
              ${state.lost.length > 0 ? link(STRINGS.links.dismiss, () => store.set({ lost: NONE })) : nothing}
            </p>
          </div>`,
      root,
    );
  }

  /** What the model said first without the changes; coming: its run, or the one with them, is not there yet. @param {State} state */
  function said({ result, sequence, query, busy }) {
    const now = result && firstOf(result, sequence, query);
    const was = now && before(result, now.place, update);
    return { coming: busy || was === undefined, says: now && was ? compared(result, now, was) : nothing };
  }

  /**
   * @param {Result} result
   * @param {NonNullable<ReturnType<typeof firstOf>>} now
   * @param {import('../before.js').Before} was
   */
  function compared(result, now, was) {
    if (now.guesses.length === 0) return nothing;
    const number = (/** @type {number | null | undefined} */ probability) =>
      typeof probability === 'number' ? writeNumber(probability, 3) : words.less;
    const first = visibleToken(nameOf(result, was.first));
    const of = (/** @type {number} */ id) => number(now.guesses.find((guess) => guess.id === id)?.probability);
    const [top] = now.guesses;
    if (Number.isNaN(top.probability)) return words.overflow(first, number(was.of(was.first)));
    if (top.id === was.first) return words.same(first, number(was.of(was.first)), number(top.probability));
    const name = visibleToken(nameOf(result, top.id));
    return words.other(first, number(was.of(was.first)), of(was.first), name, number(top.probability));
  }

  store.on(['off', 'edits', 'lost', 'result', 'problem', 'sequence', 'query'], update);
  update();
}

/**
 * The prediction that is spoken of: a sequence's class, the first blank, the chosen token's class, or the next token.
 * @param {Result} result
 * @param {number} batch
 * @param {number | null} token the chosen one
 * @returns {{ place: import('../before.js').Place, guesses: { id: number, probability: number }[] } | null}
 */
function firstOf({ prediction, sequences, written }, batch, token) {
  const sequence = Math.min(batch, sequences.length - 1);
  /** @param {import('../prediction.js').Guess[]} guesses */
  const withIds = (guesses) => guesses.map(({ id = -1, probability }) => ({ id, probability }));
  if (prediction.kind === 'classes') return { place: { batch: sequence }, guesses: withIds(prediction.of[sequence]) };
  if (prediction.kind === 'tokens' && token !== null)
    return { place: { batch: sequence, token }, guesses: withIds(prediction.of[sequence][token] ?? []) };
  if (prediction.kind === 'blanks' && prediction.of[sequence].length > 0) {
    const [{ position, guesses }] = prediction.of[sequence];
    return { place: { batch: sequence, token: position }, guesses: withIds(guesses) };
  }
  if (prediction.kind === 'next' && written?.next) return { place: 'next', guesses: written.next.candidates };
  return null;
}
