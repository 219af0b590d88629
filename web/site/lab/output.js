// What the model writes: the text so far, how the next token is chosen, the buttons that write it, and the work that it took.

import { html, nothing, render } from 'lit/html.js';
import { visibleToken, writeNumber } from '../../view/index.js';
import { litTokens } from '../selection.js';
import { isWriting } from '../writing.js';
import { piecesOf, tokenOf } from '../sequences.js';
import { STRINGS } from '../strings.js';
import { createSettings } from './settings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Result} Result */

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {ReturnType<typeof import('../lab.js').createLab>} lab
 */
export function createOutput(root, store, { writer, compute, soon }) {
  const settings = createSettings(store, { compute: () => void compute(), soon });
  /** What a screen reader was told, and of which text. @type {{ of: Result['written'], message: string }} */
  let said = { of: null, message: '' };

  function update() {
    const { state } = store;
    const { result } = state;
    const written = result && isWriting(result.model, state) ? result.written : null;
    root.hidden = !written;
    if (!result || !written) return;
    if (said.of !== written) said = { of: written, message: announcement(result, written, said.of) };
    render(
      html`<div class="made">${text(state, result, written)}</div>
        <div class="beneath">${buttons(state, written)} ${settings(state)}</div>
        <p class="hidden" aria-live="polite">${said.message}</p>`,
      root,
    );
    root.toggleAttribute('data-running', state.running);
  }

  /** The text in pieces, a token each. @param {State} state @param {Result} result @param {NonNullable<Result['written']>} written */
  function text(state, result, written) {
    const { model, sequences, target } = result;
    const side = target ? 'target' : 'source';
    const all = (target ?? sequences[0]).ids;
    const first = all.length - (target ?? sequences[0]).written;
    const pieces = piecesOf(model.tokenizer, written.ids, target ? [] : all.slice(0, first));
    const lit = litTokens(state, side);
    const kindsOf = (/** @type {number} */ token) =>
      state.hover?.part === 'token' && token === lit.query
        ? 'lit'
        : [token === lit.query ? 'query' : '', token === lit.key ? 'key' : ''].join(' ').trim();
    const point = (/** @type {number} */ token) => store.set({ hover: { part: 'token', side, token } });
    const leave = () => store.state.hover?.part === 'token' && store.set({ hover: null });
    const empty = written.ids.length === 0 && !written.over;
    return html`<span class="label">${target ? STRINGS.output : STRINGS.continuation}</span>
      <span class="text" dir="auto" @pointerleave=${leave}
        >${pieces.map(
          (piece, i) =>
            html`${i === 0 ? nothing : spacesOf(piece)}<span
                class=${kindsOf(first + i)}
                @pointerover=${() => point(first + i)}
                >${piece.slice(spacesOf(piece).length)}</span
              >`,
        )}${empty ? html`<span class="none">${STRINGS.nothingYet}</span>` : nothing}${
          written.over ? html`<span class="none"> ${STRINGS.over[written.over]}</span>` : nothing
        }</span
      >`;
  }

  /** @param {State} state @param {NonNullable<Result['written']>} written */
  function buttons(state, written) {
    const { ids, over, hypotheses } = written;
    const more = !over && (written.next !== null || hypotheses !== null);
    const button = (
      /** @type {string} */ word,
      /** @type {() => void} */ act,
      /** @type {boolean} */ enabled,
      kind = '',
    ) => html`<button type="button" class="link ${kind}" ?disabled=${!enabled} @click=${act}>${word}</button>`;
    return html`<p class="steps-of-writing">
      ${button(STRINGS.nextToken, () => void writer.next(), more && !state.running)}
      ${
        state.running
          ? button(STRINGS.stop, writer.stop, true, 'turns')
          : button(STRINGS.runOn, () => void writer.run(), more && ids.length < state.length, 'turns')
      }
      ${button(STRINGS.undo, () => void writer.undo(), ids.length > 0 && !state.running)}
      ${button(STRINGS.startOver, () => void writer.restart(), ids.length > 0 && !state.running)}
    </p>`;
  }

  /** @param {Result} result @param {NonNullable<Result['written']>} written @param {Result['written']} before */
  function announcement(result, written, before) {
    if (before === null || written.ids.length === before.ids.length) return '';
    if (written.ids.length < before.ids.length) return STRINGS.tookBack;
    const id = written.ids[written.ids.length - 1];
    const token = visibleToken(tokenOf(result.model.tokenizer, id));
    const chance = before.next?.candidates.find((candidate) => candidate.id === id)?.probability;
    const said = STRINGS.wrote(token, chance === undefined ? null : writeNumber(chance, 2));
    return written.over ? `${said} ${STRINGS.over[written.over]}` : said;
  }

  store.on(
    [
      'result',
      'hover',
      'query',
      'key',
      'attention',
      'running',
      'how',
      'temperature',
      'topk',
      'topp',
      'seed',
      'beams',
      'penalty',
      'length',
      'target',
      'taken',
    ],
    update,
  );
  // The first result is there already: this part is fetched after it.
  update();
}

/** The spaces that a piece begins with: no line is drawn under them. Spaces alone are the piece. @param {string} piece */
const spacesOf = (piece) => (piece.trim() === '' ? '' : piece.slice(0, piece.length - piece.trimStart().length));
