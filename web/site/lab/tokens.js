// The tokens in a row, each with its number in the vocabulary; pointing at one lights it everywhere. Beside a source, what the
// decoder reads has a row of its own.

import { html, nothing, render } from 'lit/html.js';
import { visibleToken } from '../../view/index.js';
import { membersOf } from '../aggregate.js';
import { prose } from '../dom.js';
import { directionOf } from '../direction.js';
import { gridNamed } from '../grids.js';
import { encoded } from '../sequences.js';
import { litKey, litTokens, shownSequence } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Sequence} Sequence */
/** @typedef {import('../grids.js').Side} Side */

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ blank: (token: number) => void }} actions
 */
export function createTokens(root, store, { blank }) {
  /** Which token of a row the Tab key leads to: one stop for all of them. @type {Record<Side, number>} */
  const stops = { source: 0, target: 0 };

  /** @param {Event} event @returns {{ side: Side, token: number } | null} */
  const tokenOf = (event) => {
    const button = /** @type {Element} */ (event.target).closest?.('[data-token]');
    if (!button) return null;
    const side = button.closest('[data-side="target"]') ? 'target' : 'source';
    return { side, token: Number(button.getAttribute('data-token')) };
  };
  /** @param {Event} event */
  const point = (event) => {
    const at = tokenOf(event);
    if (at) store.set({ hover: { part: 'token', ...at } });
  };
  const leave = () => {
    if (store.state.hover?.part === 'token') store.set({ hover: null });
  };
  /** @param {Event} event */
  const choose = (event) => {
    const at = tokenOf(event);
    if (!at) return;
    stops[at.side] = at.token;
    store.set(chosenToken(store.state, at.side, at.token));
  };
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const at = tokenOf(event);
    const count = at ? (sequenceOn(store.state, at.side)?.tokens.length ?? 0) : 0;
    if (!at) return;
    // Arrows go where they point.
    const right = getComputedStyle(/** @type {Element} */ (event.currentTarget)).direction === 'rtl' ? -1 : 1;
    const steps = { ArrowLeft: at.token - right, ArrowRight: at.token + right, Home: 0, End: count - 1 };
    const to = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (to === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    stops[at.side] = Math.min(count - 1, Math.max(0, to));
    update();
    /** @type {HTMLElement | null} */ (
      root.querySelector(`[data-side="${at.side}"] [data-token="${stops[at.side]}"]`)
    )?.focus();
  };
  /** @param {Event} event */
  const makeBlank = (event) => {
    const at = tokenOf(event);
    if (at && canBlank(store.state, at.token)) blank(at.token);
  };

  /** @param {Side} side @param {Sequence} sequence */
  function row(side, sequence) {
    const { state } = store;
    const chosen = chosenOn(state, side);
    const stop = (stops[side] = Math.min(stops[side], Math.max(0, sequence.tokens.length - 1)));
    return html`<ol
      class=${state.busy ? 'tokens busy' : 'tokens'}
      data-side=${side}
      dir=${directionOf(sequence.tokens.filter((_, i) => !sequence.special[i]))}
      @pointerover=${point}
      @pointerleave=${leave}
      @focusin=${point}
      @focusout=${leave}
      @click=${choose}
      @dblclick=${makeBlank}
      @keydown=${move}
    >
      ${partsOf(sequence, side).map(
        ({ text, label, kinds }, i) =>
          html`<li>
            <button
              type="button"
              class="token ${kinds}"
              data-token=${i}
              tabindex=${i === stop ? 0 : -1}
              aria-label=${label}
              aria-pressed=${i === chosen ? 'true' : 'false'}
            >
              <bdi>${text}</bdi><span>${sequence.ids[i]}</span>
            </button>
          </li>`,
      )}
    </ol>`;
  }

  /** What of a token stays while a pointer moves, written once: there may be hundreds. @type {WeakMap<Sequence, { text: string, label: string, kinds: string }[]>} */
  const written = new WeakMap();
  /** @param {Sequence} sequence @param {Side} side */
  function partsOf(sequence, side) {
    const known = written.get(sequence);
    if (known) return known;
    const parts = sequence.tokens.map((token, i) => {
      const [isSpecial, isPadding] = [sequence.special[i], sequence.padding[i]];
      const isWritten = i >= sequence.tokens.length - sequence.written;
      const kinds = [isSpecial ? 'special' : '', isPadding ? 'padding' : '', isWritten ? 'written' : ''];
      const text = visibleToken(token);
      const added = side === 'target' ? STRINGS.startToken : STRINGS.special;
      const notes = [isPadding ? STRINGS.padding : isSpecial ? added : '', isWritten ? STRINGS.byModel : ''];
      const label = [STRINGS.tokenLabel(text, i, sequence.ids[i]), ...notes].filter(Boolean).join(', ');
      return { text, label, kinds: kinds.filter(Boolean).join(' ') };
    });
    written.set(sequence, parts);
    return parts;
  }

  let lit = '';
  /** @type {HTMLElement[]} */
  let lightened = [];
  /** Lights the query and the key: two classes on a few buttons, whatever the number of tokens. */
  function light() {
    const { state } = store;
    lit = litKey(state);
    for (const button of lightened) button.classList.remove('query', 'key');
    lightened = [];
    for (const list of root.querySelectorAll('.tokens')) {
      const side = /** @type {Side} */ (/** @type {HTMLElement} */ (list).dataset.side);
      for (const [role, token] of Object.entries(litTokens(state, side))) {
        for (const member of membersOf(state, side, token)) {
          const button = /** @type {HTMLElement | null} */ (list.children[member]?.firstElementChild ?? null);
          if (!button) continue;
          button.classList.add(role);
          lightened.push(button);
        }
      }
    }
  }

  let shown = 0;
  function update() {
    const { state } = store;
    const sequence = shownSequence(state) ?? firstSequence(state);
    const target = state.result?.target ?? null;
    root.hidden = sequence === null;
    const chosen = state.query;
    // On a phone the tokens come first, their words after.
    const words = target
      ? STRINGS.tokensSayBoth
      : STRINGS.tokensSay[state.result?.model.kind === 'decoder' ? 'decoder' : 'encoder'];
    const says = html`<p class="says">${prose(words)}</p>`;
    render(
      html`<h2>${STRINGS.tokens}</h2>
        ${state.phone ? nothing : says}
        ${
          target && sequence
            ? html`<div class="sides">
                <h3>${STRINGS.source}</h3>
                ${row('source', sequence)}
                <h3>${STRINGS.output}</h3>
                ${row('target', target)}
              </div>`
            : sequence
              ? row('source', sequence)
              : nothing
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
    light();
    // What has just been written stays in sight.
    const count = (target ?? sequence)?.tokens.length ?? 0;
    const list = [...root.querySelectorAll('.tokens')].pop();
    if (list && count > shown && (target ?? sequence)?.written) {
      list.scrollTop = list.scrollHeight;
      list.scrollLeft = getComputedStyle(list).direction === 'rtl' ? -list.scrollWidth : list.scrollWidth;
    }
    shown = count;
  }

  store.on(['result', 'sequence', 'attention', 'query', 'key', 'busy', 'phone', 'unit', 'kind'], update);
  store.on(['hover'], (state) => litKey(state) !== lit && light());
  store.on(['tokenizer', 'text', 'pair'], ({ result }) => result ?? update());
  update();
}

/** @param {State} state @param {Side} side */
function sequenceOn(state, side) {
  return side === 'target' ? (state.result?.target ?? null) : (shownSequence(state) ?? firstSequence(state));
}

/** The tokens of one text while the first model's weights are on their way. @param {State} state */
function firstSequence({ result, tokenizer, text, pair }) {
  return result || !tokenizer || pair !== null ? null : encoded({ tokenizer }, text, 0);
}

/** Which token of a side is chosen alone or as a query. @param {State} state @param {Side} side */
function chosenOn({ result, attention, query, key }, side) {
  if (!result) return null;
  const grid = gridNamed(result.model, attention);
  if (grid.queries === side) return query;
  return grid.keys === side ? key : null;
}

/**
 * What choosing a token chooses: its row where it is a query of the grid on show, its column where it is a key alone; a second time
 * it is let go. A token of neither is shown in the attention between both.
 * @param {State} state
 * @param {Side} side
 * @param {number} token
 * @returns {Partial<State>}
 */
function chosenToken({ result, attention, query, key }, side, token) {
  if (!result) return {};
  const grid = gridNamed(result.model, attention);
  if (grid.queries === side) return { query: query === token && key === null ? null : token, key: null };
  if (grid.keys === side) return { query: null, key: key === token && query === null ? null : token };
  return side === 'target'
    ? { attention: 'cross', query: token, key: null }
    : { attention: 'cross', query: null, key: token };
}

/** Whether a token can be made a blank: it is from the text, and the model fills blanks. @param {State} state @param {number} token */
function canBlank(state, token) {
  const model = state.result?.model;
  const mask = model?.task === 'masked-lm' ? model.tokenizer?.specials.mask : null;
  const sequence = shownSequence(state);
  return Boolean(mask && sequence?.places[token] && sequence.ids[token] !== mask.id);
}
