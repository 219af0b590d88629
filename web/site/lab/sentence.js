// The sentence: one text field, or two, with what the model reads of them underlined.

import { html, nothing, render } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { choice, problemText, prose } from '../dom.js';
import { replaceText, watchField } from './field.js';
import { marksOf, pieces } from './marks.js';
import { gridNamed } from '../grids.js';
import { strongestCell } from '../kept.js';
import { litKey } from '../selection.js';
import { EXAMPLES } from '../examples.js';
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
    // What was written goes on from another text.
    store.set(at === 0 ? { text, taken: null } : second(store.state) === 'target' ? { target: text } : { pair: text });
    lab.soon();
  };

  /** @param {State} state @param {0 | 1} at */
  const field = (state, at) => {
    const text = textOf(state, at);
    const { label, placeholder } = STRINGS.fields[fieldName(state, at)];
    // An empty field shows the page's own words.
    const direction = text === '' ? nothing : 'auto';
    return html`<div class="field">
      <div class="mirror" aria-hidden="true" dir=${direction}></div>
      <textarea
        rows="1"
        dir=${direction}
        spellcheck="false"
        autocomplete="off"
        autocapitalize="off"
        enterkeyhint="done"
        aria-label=${label}
        placeholder=${placeholder}
        .value=${live(text)}
        @input=${(/** @type {InputEvent} */ event) => typed(at, /** @type {HTMLTextAreaElement} */ (event.target).value)}
      ></textarea>
    </div>`;
  };

  const examples = (/** @type {State} */ state) => {
    const list = EXAMPLES[state.model];
    if (!list) return nothing;
    return html`<p class="examples">
      <span>${STRINGS.tryThese}</span>
      ${list.map((text) => html`<button type="button" class="link" @click=${() => replaceText(fieldAt(0), text)}><bdi>${text}</bdi></button>`)}
    </p>`;
  };

  /** What goes with the first field: a button for a second one, or how both go together. @param {State} state */
  const beside = (state) => {
    const kind = second(state);
    if (kind === 'none') return nothing;
    if (kind === 'target') {
      return state.target === null
        ? html`<button type="button" class="link add" @click=${() => join({ target: '' })}>
            ${STRINGS.addTarget}
          </button>`
        : html`<div class="joined">
            <button type="button" class="link" @click=${() => join({ target: null })}>${STRINGS.removeTarget}</button>
            <p class="says">${prose(STRINGS.targetSays)}</p>
          </div>`;
    }
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
    const { result, attention, layer, head } = store.state;
    if (!result) return;
    const at = { layer, head, batch: sequence };
    store.set({ sequence, ...strongestCell(result, gridNamed(result.model, attention), at) });
  }

  /** @param {Partial<State>} patch */
  function join(patch) {
    const added = patch.pair === '' || patch.target === '';
    store.set(patch);
    lab.compute();
    if (added) requestAnimationFrame(() => fieldAt(1)?.focus());
  }

  const fieldAt = (/** @type {number} */ at) =>
    /** @type {HTMLTextAreaElement} */ (root.querySelectorAll('textarea')[at]);

  let lit = '';
  /** Underlines what is lit. Lines take no room: the fields stay as high as they are. */
  function underline() {
    const { state } = store;
    lit = litKey(state);
    root.querySelectorAll('.mirror').forEach((mirror, field) => {
      const at = field === 0 ? 0 : 1;
      const text = textOf(state, at);
      const marks = state.result && state.result.texts[at] === text ? marksOf(state, at) : [];
      const parts = pieces(text, marks).map(({ part, kinds }) =>
        kinds ? html`<span class=${kinds}>${part}</span>` : part,
      );
      // A last line that is empty has its height too.
      render([...parts, '\u200b'], /** @type {HTMLElement} */ (mirror));
    });
  }

  function update() {
    const { state } = store;
    const { result } = state;
    const cut = result ? Math.max(...result.sequences.map(({ truncated }) => truncated)) : 0;
    render(
      html`${field(state, 0)} ${secondText(state) === null ? nothing : field(state, 1)}
        <div class="beneath">${examples(state)} ${beside(state)}</div>
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
    underline();
    for (const element of root.querySelectorAll('.field')) watchField(/** @type {HTMLElement} */ (element));
  }

  store.on(
    ['text', 'pair', 'join', 'target', 'sequence', 'attention', 'result', 'query', 'key', 'problem', 'model'],
    update,
  );
  store.on(['hover'], (state) => litKey(state) !== lit && underline());
  update();
  return {
    /** Puts a text in place of some characters, as if it were typed. @param {0 | 1} at @param {number} start @param {number} end @param {string} text */
    replace: (at, start, end, text) => replaceText(fieldAt(at), text, start, end),
  };
}

/** What a second field holds, for the model on the page. @param {State} state @returns {'pair' | 'target' | 'none'} */
function second({ result }) {
  const kind = result?.model.kind ?? 'encoder';
  return kind === 'encoder' ? 'pair' : kind === 'encoder-decoder' ? 'target' : 'none';
}

/** @param {State} state */
function secondText(state) {
  const kind = second(state);
  return kind === 'none' ? null : kind === 'target' ? state.target : state.pair;
}

/** What a field holds. @param {State} state @param {0 | 1} at */
function textOf(state, at) {
  return at === 0 ? state.text : (secondText(state) ?? '');
}

/** @param {State} state @param {0 | 1} at @returns {keyof typeof STRINGS.fields} */
function fieldName(state, at) {
  const kind = second(state);
  if (kind === 'none') return 'prompt';
  if (kind === 'target') return at === 0 ? 'source' : 'target';
  return state.pair === null ? 'sentence' : at === 0 ? 'first' : 'second';
}

/** @param {State} state */
function saysOf({ join, result }) {
  if (join === 'pair') return STRINGS.pairSays;
  return result?.padded ? STRINGS.batchSays(result.sequences[0].tokens.length) : STRINGS.batchEven;
}
