// What the model predicts, with probabilities as bars.

import { html, nothing, render } from 'lit/html.js';
import { roundToSum, visibleToken, writeUnits } from '../../view/index.js';
import { prose, share } from '../dom.js';
import { shownSequence } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../prediction.js').Guess} Guess */

const SHOWN = 3;

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ fill: (token: number, text: string) => void }} actions
 */
export function createAnswers(root, store, { fill }) {
  function update() {
    const { state } = store;
    const { result } = state;
    const kind = result?.prediction.kind ?? 'none';
    root.hidden = result === null;
    render(
      html`<h2>${STRINGS.prediction[kind]}</h2>
        ${result === null ? nothing : content(state, result, fill)}`,
      root,
    );
    root.classList.toggle('busy', state.busy);
  }
  store.on(['result', 'sequence', 'query', 'busy'], update);
  update();
}

/**
 * @param {State} state
 * @param {import('../types.js').Result} result
 * @param {(token: number, text: string) => void} fill
 */
function content(state, { prediction, sequences }, fill) {
  const sequence = Math.min(state.sequence, sequences.length - 1);
  const says = STRINGS.modelSays[/** @type {'topics'} */ (state.model)] ?? '';
  if (prediction.kind === 'none') return html`<p class="says">${STRINGS.noHead}</p>`;
  if (prediction.kind === 'classes') {
    return html`<p class="says">${says} ${prose(STRINGS.predictionSays)}</p>
      ${list(prediction.of[sequence], SHOWN)}`;
  }
  if (prediction.kind === 'tokens') {
    const token = state.query;
    if (token === null) return html`<p class="says">${STRINGS.chooseToken}</p>`;
    return html`<p class="says">${visibleToken(shownSequence(state)?.tokens[token] ?? '')}</p>
      ${list(prediction.of[sequence][token], SHOWN)}`;
  }
  const blanks = prediction.of[sequence];
  if (blanks.length === 0) return html`<p class="says">${STRINGS.noBlank}</p>`;
  return html`<p class="says">${says} ${prose(STRINGS.predictionSays)}</p>
    ${blanks.map(
      ({ position, guesses }, i) =>
        html`${blanks.length > 1 ? html`<h3>${STRINGS.blankOf(i + 1, blanks.length)}</h3>` : nothing}
        ${list(guesses, blanks.length > 1 ? SHOWN : SHOWN + 2, (guess) => fill(position, guess.label))}`,
    )}`;
}

/**
 * The likeliest guesses, and the rest in one line; what is shown adds up to 1.00.
 * @param {Guess[]} guesses
 * @param {number} count
 * @param {((guess: Guess) => void) | null} [choose]
 */
function list(guesses, count, choose = null) {
  const shown = guesses.slice(0, count);
  const rest = Math.max(0, 1 - shown.reduce((sum, { probability }) => sum + probability, 0));
  const units = roundToSum([...shown.map(({ probability }) => probability), rest], 2, 1);
  const row = (/** @type {unknown} */ name, /** @type {number} */ part, /** @type {number} */ i) =>
    html`<li class=${i < shown.length ? '' : 'others'}>
      <span class="name">${name}</span>${share(part)}<span class="number">${writeUnits(units[i], 2)}</span>
    </li>`;
  return html`<ul class="answers">
    ${shown.map((guess, i) => {
      const text = visibleToken(guess.label);
      const name = choose
        ? html`<button type="button" class="link" aria-label=${STRINGS.fillIn(text)} @click=${() => choose(guess)}>
            ${text}
          </button>`
        : text;
      return row(name, guess.probability, i);
    })}
    ${guesses.length > count ? row(html`<i>${STRINGS.allOthers}</i>`, rest, shown.length) : nothing}
  </ul>`;
}
