// The tokens in a row, each with its number in the vocabulary; pointing at one lights it everywhere.

import { html, nothing, render } from 'lit/html.js';
import { visibleToken } from '../../view/index.js';
import { prose } from '../dom.js';
import { litSpot, shownSequence } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ blank: (token: number) => void }} actions
 */
export function createTokens(root, store, { blank }) {
  /** Which token the Tab key leads to: one stop for all of them. */
  let stop = 0;

  /** @param {Event} event @returns {number | null} */
  const tokenOf = (event) => {
    const button = /** @type {Element} */ (event.target).closest?.('[data-token]');
    return button ? Number(button.getAttribute('data-token')) : null;
  };
  /** @param {Event} event */
  const point = (event) => {
    const token = tokenOf(event);
    if (token !== null) store.set({ hover: { part: 'token', query: token, key: token } });
  };
  const leave = () => {
    if (store.state.hover?.part === 'token') store.set({ hover: null });
  };
  /** @param {Event} event */
  const choose = (event) => {
    const token = tokenOf(event);
    if (token === null) return;
    stop = token;
    const again = store.state.query === token && store.state.key === null;
    store.set({ query: again ? null : token, key: null });
  };
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const count = shownSequence(store.state)?.tokens.length ?? 0;
    const steps = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: count - 1 };
    const to = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (to === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    stop = Math.min(count - 1, Math.max(0, to));
    update();
    /** @type {HTMLElement | null} */ (root.querySelector(`[data-token="${stop}"]`))?.focus();
  };
  /** @param {Event} event */
  const makeBlank = (event) => {
    const token = tokenOf(event);
    if (token !== null && canBlank(store.state, token)) blank(token);
  };

  function update() {
    const { state } = store;
    const sequence = shownSequence(state);
    const spot = litSpot(state) ?? { query: state.query, key: state.key };
    const count = sequence?.tokens.length ?? 0;
    stop = Math.min(stop, Math.max(0, count - 1));
    const chosen = state.query;
    root.hidden = sequence === null;
    // On a phone the tokens come first, their words after.
    const says = html`<p class="says">${prose(STRINGS.tokensSay)}</p>`;
    render(
      html`<h2>${STRINGS.tokens}</h2>
        ${state.phone ? nothing : says}
        ${
          sequence === null
            ? nothing
            : html`<ol
                class=${state.busy ? 'tokens busy' : 'tokens'}
                @pointerover=${point}
                @pointerleave=${leave}
                @focusin=${point}
                @focusout=${leave}
                @click=${choose}
                @dblclick=${makeBlank}
                @keydown=${move}
              >
                ${sequence.tokens.map((token, i) => {
                  const kinds = [
                    sequence.special[i] ? 'special' : '',
                    sequence.padding[i] ? 'padding' : '',
                    i === spot.query ? 'query' : '',
                    i === spot.key ? 'key' : '',
                  ];
                  const text = visibleToken(token);
                  const note = sequence.padding[i] ? STRINGS.padding : sequence.special[i] ? STRINGS.special : '';
                  const label = [STRINGS.tokenLabel(text, i, sequence.ids[i]), note].filter(Boolean).join(', ');
                  return html`<li>
                    <button
                      type="button"
                      class="token ${kinds.filter(Boolean).join(' ')}"
                      data-token=${i}
                      tabindex=${i === stop ? 0 : -1}
                      aria-label=${label}
                      aria-pressed=${i === chosen ? 'true' : 'false'}
                    >
                      <bdi>${text}</bdi><span>${sequence.ids[i]}</span>
                    </button>
                  </li>`;
                })}
              </ol>`
        }
        ${
          state.result?.model.task !== 'masked-lm'
            ? nothing
            : html`<p class="make">
                ${
                  chosen !== null && sequence && canBlank(state, chosen)
                    ? html`<button type="button" class="link" @click=${() => blank(chosen)}>
                        ${STRINGS.makeBlank(visibleToken(sequence.tokens[chosen]))}
                      </button>`
                    : nothing
                }
              </p>`
        }
        ${state.phone ? says : nothing}`,
      root,
    );
  }

  store.on(['result', 'sequence', 'hover', 'query', 'key', 'busy', 'phone'], update);
  update();
}

/** Whether a token can be made a blank: it is from the text, and the model fills blanks. @param {State} state @param {number} token */
function canBlank(state, token) {
  const model = state.result?.model;
  const mask = model?.task === 'masked-lm' ? model.tokenizer?.specials.mask : null;
  const sequence = shownSequence(state);
  return Boolean(mask && sequence?.places[token] && sequence.ids[token] !== mask.id);
}
