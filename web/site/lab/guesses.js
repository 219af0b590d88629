// Guesses with their probabilities as bars.

import { html, nothing } from 'lit/html.js';
import { roundToSum, visibleToken, writeNumber, writeUnits } from '../../view/index.js';
import { share } from '../dom.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../prediction.js').Guess} Guess */

/**
 * The likeliest guesses, and the rest in one line; what is shown adds up to 1.00.
 * @param {Guess[]} guesses
 * @param {number} count
 * @param {((guess: Guess) => void) | null} [choose]
 * @param {{ label?: (text: string) => string, marked?: Guess | null, why?: ((guess: Guess) => void) | null,
 *   before?: import('../before.js').Before | null | undefined }} [how] label: what choosing
 *   one is called; marked: one to set off; why: opens where a probability comes from; before: what was said without the reader's changes
 */
export function list(guesses, count, choose = null, how = {}) {
  const { label = STRINGS.fillIn, marked = null, why = null, before = null } = how;
  const shown = guesses.slice(0, count);
  const rest = Math.max(0, 1 - shown.reduce((sum, { probability }) => sum + probability, 0));
  const units = roundToSum([...shown.map(({ probability }) => probability), rest], 2, 1);
  const row = (
    /** @type {unknown} */ name,
    /** @type {number} */ part,
    /** @type {string} */ kind,
    /** @type {unknown} */ number,
  ) => html`<li class=${kind}><span class="name">${name}</span>${share(part)}${number}</li>`;
  // Rounded like what is shown beside it, so that what has not moved does not seem to.
  const past = shown.map(({ id }) => (before === null || id === undefined ? null : before.of(id)));
  const known = past.every((value) => value !== null);
  const left = 1 - past.reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0);
  const pastUnits = known ? roundToSum([...past.map(Number), Math.max(0, left)], 2, 1) : [];
  const was = (/** @type {number} */ i) => {
    if (before === null) return nothing;
    const probability = past[i];
    const text = known ? writeUnits(pastUnits[i], 2) : writeNumber(probability ?? 0, 2);
    return html` <small class="was"
      >${probability === null ? STRINGS.edits.beforeLess : STRINGS.edits.before(text)}</small
    >`;
  };
  const plain = (/** @type {number} */ i) => html`<span class="number">${writeUnits(units[i], 2)}</span>`;
  const numberOf = (/** @type {Guess} */ guess, /** @type {number} */ i) => {
    const text = writeUnits(units[i], 2);
    return why === null
      ? plain(i)
      : html`<button
          type="button"
          class="number"
          aria-label=${STRINGS.whyProbability(visibleToken(guess.label), text)}
          @click=${() => why(guess)}
        >
          ${text}
        </button>`;
  };
  const others = guesses.length > count || rest > 0.005;
  return html`<ul class="answers">
    ${shown.map((guess, i) => {
      const text = visibleToken(guess.label);
      const name = choose
        ? html`<button type="button" class="link" aria-label=${label(text)} @click=${() => choose(guess)}>
            <bdi>${text}</bdi>
          </button>`
        : html`<bdi>${text}</bdi>`;
      return row(html`${name}${was(i)}`, guess.probability, guess === marked ? 'marked' : '', numberOf(guess, i));
    })}
    ${others ? row(html`<i>${STRINGS.allOthers}</i>`, rest, 'others', plain(shown.length)) : nothing}
  </ul>`;
}
