// The field that a number is changed in: what is set is run at once with the arrow keys and the slider, with Enter when typed.

import { html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { writeFull } from '../../view/index.js';
import { editAt, placeOf } from '../edits.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').NumberEdit} NumberEdit */
/**
 * @typedef {object} Editable a number that can be changed
 * @property {Pick<NumberEdit, 'at' | 'where'>} spot
 * @property {string} label
 * @property {number} value
 */

/** Weights move in hundredths, other numbers in tenths; with Shift by ten of them. */
const STEP = { weight: 0.01, other: 0.1 };
/** What a slider reaches at least, to either side. */
const REACH = 4;

/**
 * @param {import('../store.js').Store} store
 * @param {import('../changes.js').ChangesOf} changes
 * @param {{ changed: () => void, closed: (label: string) => void }} callbacks changed: asks for the template again; closed: the
 *   focus goes on from the field of this number
 */
export function createEditor(store, changes, { changed, closed }) {
  /** @type {(Editable & { began: import('../changes.js').Changes, text: string, refused: boolean }) | null} */
  let open = null;

  /** @param {number} value @param {boolean} moves */
  function set(value, moves) {
    if (!open) return;
    const { at, where } = open.spot;
    void changes.set({ at, where, set: value }, { was: open.value, moves });
  }
  function close() {
    const label = open?.label ?? '';
    open = null;
    changed();
    closed(label);
  }
  /** What the field says, where that is a number. */
  const typed = () => {
    const text = (open?.text ?? '').trim().replace('\u2212', '-').replace(',', '.');
    const value = text === '' ? NaN : Number(text);
    return Number.isFinite(Math.fround(value)) ? value : null;
  };
  function apply() {
    const value = typed();
    if (!open) return;
    if (value === null) {
      open = { ...open, refused: true };
      changed();
      return;
    }
    // What the arrow keys have set is there already.
    const there = editAt(store.state.edits, placeOf(open.spot))?.set;
    if (there !== value && Math.fround(value) !== open.value) set(value, true);
    close();
  }
  /** Gives up: what was there when the field opened is there again. */
  function giveUp() {
    if (!open) return;
    const { off, edits } = store.state;
    if (off !== open.began.off || edits !== open.began.edits) void changes.undo();
    close();
  }
  /** @param {string} text @param {boolean} runs */
  function write(text, runs) {
    if (!open) return;
    open = { ...open, text, refused: false };
    const value = typed();
    if (runs && value !== null) set(value, true);
    changed();
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (!open) return;
    if (event.key === 'Enter') apply();
    else if (event.key === 'Escape') giveUp();
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const step = stepOf(open) * (event.shiftKey ? 10 : 1) * (event.key === 'ArrowUp' ? 1 : -1);
      // Of the slider only the value moves: it has arrow keys of its own.
      if (/** @type {HTMLInputElement} */ (event.target).type === 'range') return;
      write(rounded((typed() ?? open.value) + step), true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    get open() {
      return open !== null;
    },
    /** @param {Editable} editable @param {HTMLElement} within where the field will be */
    begin(editable, within) {
      const { off, edits } = store.state;
      changes.settle();
      open = { ...editable, began: { off, edits }, text: plain(editable.value), refused: false };
      changed();
      const field = /** @type {HTMLInputElement | null} */ (within.querySelector('.editor input'));
      field?.focus();
      field?.select();
    },
    /** Closes it where another number is looked at; what is set stays. */
    leave() {
      open = null;
    },
    template() {
      if (!open) return nothing;
      const { spot, label, value, text, refused } = open;
      const { low, high } = reachOf(spot, value);
      const words = STRINGS.edits;
      const weight = isWeight(spot);
      return html`<div class="editor" role="group" aria-label=${words.change(label)} @keydown=${keys}>
        <p class="what"><span>${label}</span> <span class="says">${words.began(writeFull(value))}</span></p>
        <div class="fields">
          <input
            type="text"
            inputmode="decimal"
            autocomplete="off"
            class="number"
            aria-label=${words.value(label)}
            aria-invalid=${refused ? 'true' : 'false'}
            aria-describedby="editor-says"
            .value=${live(text)}
            @input=${(/** @type {Event} */ event) => write(valueOf(event), false)}
          />
          <input
            type="range"
            aria-label=${words.slider(label)}
            min=${low}
            max=${high}
            step=${stepOf(open) / (weight ? 1 : 2)}
            .value=${live(String(typed() ?? value))}
            @input=${(/** @type {Event} */ event) => write(valueOf(event), false)}
            @change=${(/** @type {Event} */ event) => write(valueOf(event), true)}
          />
          <button type="button" class="link" @click=${apply}>${words.apply}</button>
          <button type="button" class="link" @click=${giveUp}>${STRINGS.cancel}</button>
        </div>
        <p id="editor-says" class="says">${refused ? words.noNumber : weight ? words.howWeight : words.how}</p>
      </div>`;
    },
  };
}

/** @param {Event} event */
function valueOf(event) {
  return /** @type {HTMLInputElement} */ (event.target).value;
}

/** @param {Editable['spot']} spot */
function isWeight({ at }) {
  return at.endsWith('hook_pattern');
}

/** @param {Editable} editable */
function stepOf({ spot }) {
  return isWeight(spot) ? STEP.weight : STEP.other;
}

/** @param {Editable['spot']} spot @param {number} value */
function reachOf(spot, value) {
  if (isWeight(spot)) return { low: 0, high: 1 };
  const reach = Math.ceil(Math.max(REACH, 2 * Math.abs(value)));
  return { low: -reach, high: reach };
}

/** Without the rounding errors of adding. @param {number} value */
function rounded(value) {
  return String(Number(value.toFixed(4)));
}

/** All digits of a float32, to be written over. @param {number} value */
function plain(value) {
  return writeFull(value).replace('\u2212', '-');
}
