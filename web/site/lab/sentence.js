// The sentence: one text field, or two, with what the model reads of them underlined.

import { html, nothing, render } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { headMatrix } from '../../view/index.js';
import { choice, problemText, prose } from '../dom.js';
import { replaceText, watchField } from './field.js';
import { marksOf, pieces } from './marks.js';
import { strongestPair } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */

/** A run that takes longer is mentioned. Milliseconds. */
const LONG = 1000;

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ soon: () => void, compute: () => void }} lab
 */
export function createSentence(root, store, lab) {
  /** @param {0 | 1} at @param {string} text */
  const typed = (at, text) => {
    store.set(at === 0 ? { text } : { pair: text });
    lab.soon();
  };

  /** @param {State} state @param {0 | 1} at */
  const field = (state, at) => {
    const text = at === 0 ? state.text : (state.pair ?? '');
    const label = state.pair === null ? STRINGS.sentence : at === 0 ? STRINGS.first : STRINGS.second;
    const marks = state.result && state.result.texts[at] === text ? marksOf(state, at) : [];
    // A last line that is empty has its height too.
    const mirror = [
      ...pieces(text, marks).map(({ part, kinds }) => (kinds ? html`<span class=${kinds}>${part}</span>` : part)),
      '\u200b',
    ];
    return html`<div class="field">
      <div class="mirror" aria-hidden="true" dir="auto">${mirror}</div>
      <textarea
        rows="1"
        dir="auto"
        spellcheck="false"
        autocomplete="off"
        autocapitalize="off"
        enterkeyhint="done"
        aria-label=${label}
        placeholder=${STRINGS.placeholder}
        .value=${live(text)}
        @input=${(/** @type {InputEvent} */ event) => typed(at, /** @type {HTMLTextAreaElement} */ (event.target).value)}
      ></textarea>
    </div>`;
  };

  const examples = (/** @type {State} */ state) => {
    const list = STRINGS.examples[/** @type {'topics'} */ (state.model)];
    if (!list) return nothing;
    return html`<p class="examples">
      <span>${STRINGS.tryThese}</span>
      ${list.map((text) => html`<button type="button" class="link" @click=${() => replaceText(fieldAt(0), text)}>${text}</button>`)}
    </p>`;
  };

  const second = (/** @type {State} */ state) => {
    if (state.pair === null) {
      return html`<button type="button" class="link add" @click=${() => join({ pair: '' })}>
        ${STRINGS.addSecond}
      </button>`;
    }
    const how = choice({
      name: 'join',
      legend: STRINGS.second,
      value: state.join,
      options: [
        { value: 'pair', text: STRINGS.asPair },
        { value: 'batch', text: STRINGS.asBatch },
      ],
      choose: (value) => join({ join: /** @type {State['join']} */ (value) }),
    });
    const which = choice({
      name: 'sequence',
      legend: STRINGS.shownSequence,
      value: String(state.sequence),
      options: [
        { value: '0', text: STRINGS.first },
        { value: '1', text: STRINGS.second },
      ],
      choose: (value) => showSequence(Number(value)),
    });
    const batch = state.join === 'batch' && state.result?.sequences.length === 2;
    const remove = () => join({ pair: null, sequence: 0 });
    return html`<div class="joined">
      ${how}
      ${batch ? html`<span><span class="says" aria-hidden="true">${STRINGS.shownSequence}</span> ${which}</span>` : nothing}
      <button type="button" class="link" @click=${remove}>${STRINGS.removeSecond}</button>
      <p class="says">${prose(saysOf(state))}</p>
    </div>`;
  };

  /** Shows a sequence of a batch, with its own strongest cell. @param {number} sequence */
  function showSequence(sequence) {
    const { result, layer, head } = store.state;
    if (!result) return;
    const pattern = headMatrix(result.run.get(`blocks.${layer}.attn.hook_pattern`), { batch: sequence, head });
    store.set({ sequence, ...strongestPair(pattern, result.sequences[sequence]) });
  }

  /** @param {Partial<State>} patch */
  function join(patch) {
    const added = store.state.pair === null && patch.pair === '';
    store.set(patch);
    lab.compute();
    if (added) requestAnimationFrame(() => fieldAt(1)?.focus());
  }

  const fieldAt = (/** @type {number} */ at) =>
    /** @type {HTMLTextAreaElement} */ (root.querySelectorAll('textarea')[at]);

  function update() {
    const { state } = store;
    const { result } = state;
    const cut = result ? Math.max(...result.sequences.map(({ truncated }) => truncated)) : 0;
    render(
      html`${field(state, 0)} ${state.pair === null ? nothing : field(state, 1)}
        <div class="beneath">${examples(state)} ${second(state)}</div>
        ${
          cut > 0
            ? html`<p class="notice" role="status">
                ${STRINGS.truncated(cut, result?.sequences[0].tokens.length ?? 0)}
              </p>`
            : nothing
        }
        ${problemText(state.problem, state.result ? STRINGS.keptPicture : '')}
        ${result && result.ms > LONG ? html`<p class="says">${STRINGS.took((result.ms / 1000).toFixed(1))}</p>` : nothing}`,
      root,
    );
    for (const element of root.querySelectorAll('.field')) watchField(/** @type {HTMLElement} */ (element));
  }

  store.on(['text', 'pair', 'join', 'sequence', 'result', 'hover', 'query', 'key', 'problem', 'model'], update);
  update();
  return {
    /** Puts a text in place of some characters, as if it were typed. @param {0 | 1} at @param {number} start @param {number} end @param {string} text */
    replace: (at, start, end, text) => replaceText(fieldAt(at), text, start, end),
  };
}

/** @param {State} state */
function saysOf({ join, result }) {
  if (join === 'pair') return STRINGS.pairSays;
  return result?.padded ? STRINGS.batchSays(result.sequences[0].tokens.length) : STRINGS.batchEven;
}
