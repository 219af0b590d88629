// What the model predicts, with probabilities as bars; of a beam search its hypotheses.

import { html, nothing, render } from 'lit/html.js';
import { visibleToken } from '../../view/index.js';
import { prose } from '../dom.js';
import { list } from './guesses.js';
import { createBeams } from './beam-tree.js';
import { createNext } from './next.js';
import { shownSequence } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */

const SHOWN = 3;

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ fill: (token: number, text: string) => void, writer: import('../writer.js').Writer,
 *   why: (result: import('../types.js').Result, row: number, id: number, logits: Float32Array) => void,
 *   before: import('../before.js').BeforeOf }} actions why: explains a probability; before: without the reader's changes
 */
export function createAnswers(root, store, { fill, writer, why, before }) {
  const next = createNext(store, { take: (id) => void writer.take(id), why, before, changed: () => update() });
  const beams = createBeams(root, (ids) => void writer.choose(ids));
  /** @param {import('../types.js').Result} result @param {import('../before.js').Place} place */
  const was = (result, place) => ({ before: before(result, place, update) });
  function update() {
    const { state } = store;
    const { result } = state;
    const kind = result?.prediction.kind ?? 'none';
    const hypotheses = result?.written?.hypotheses ?? null;
    root.hidden = result === null;
    render(
      html`<h2>${hypotheses ? STRINGS.hypotheses : STRINGS.prediction[kind]}</h2>
        ${
          result === null
            ? nothing
            : hypotheses
              ? beams.draw(hypotheses, result)
              : kind === 'next'
                ? next(state, result)
                : content(state, result, { fill, was })
        }`,
      root,
    );
    beams.follow(hypotheses);
    root.classList.toggle('busy', state.busy);
  }
  store.on(['result', 'sequence', 'query', 'attention', 'busy', 'running'], update);
  update();
}

/**
 * @param {State} state
 * @param {import('../types.js').Result} result
 * @param {{ fill: (token: number, text: string) => void,
 *   was: (result: import('../types.js').Result, place: import('../before.js').Place) => { before: ReturnType<import('../before.js').BeforeOf> } }} actions
 */
function content(state, result, { fill, was }) {
  const { prediction, sequences } = result;
  if (prediction.kind === 'next') return nothing;
  const sequence = Math.min(state.sequence, sequences.length - 1);
  const says = STRINGS.modelSays[/** @type {'topics'} */ (state.model)] ?? '';
  if (prediction.kind === 'none') return html`<p class="says">${STRINGS.noHead}</p>`;
  if (prediction.kind === 'classes') {
    return html`<p class="says">${says} ${prose(STRINGS.predictionSays)}</p>
      ${list(prediction.of[sequence], SHOWN, null, was(result, { batch: sequence }))}`;
  }
  if (prediction.kind === 'tokens') {
    const token = state.query;
    if (token === null) return html`<p class="says">${STRINGS.chooseToken}</p>`;
    return html`<p class="says">${visibleToken(shownSequence(state)?.tokens[token] ?? '')}</p>
      ${list(prediction.of[sequence][token], SHOWN, null, was(result, { batch: sequence, token }))}`;
  }
  const blanks = prediction.of[sequence];
  if (blanks.length === 0) return html`<p class="says">${STRINGS.noBlank}</p>`;
  return html`<p class="says">${says} ${prose(STRINGS.predictionSays)}</p>
    ${blanks.map(
      ({ position, guesses }, i) =>
        html`${blanks.length > 1 ? html`<h3>${STRINGS.blankOf(i + 1, blanks.length)}</h3>` : nothing}
        ${list(guesses, blanks.length > 1 ? SHOWN : SHOWN + 2, (guess) => fill(position, guess.label), was(result, { batch: sequence, token: position }))}`,
    )}`;
}
