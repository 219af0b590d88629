// Label smoothing: what the model is asked to predict, what it predicts, and the loss between them.

import { html } from 'lit';
import { slider } from '../kit/controls.js';
import { changed, matrix } from '../kit/matrix.js';
import { bars } from '../kit/plot.js';
import { writeNumber } from '../../../view/index.js';

const WORDS = ['mat', 'sofa', 'roof', 'moon', 'soup'];
const RIGHT = 0;

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ wrong, smoothing, logits }, { ops, mistakes }) {
  const labels = { shape: [1], data: Int32Array.of(RIGHT) };
  const [targets, probabilities, loss] = await Promise.all([
    wrong === 'undivided'
      ? mistakes.labelSmoothing(labels, WORDS.length, smoothing, { mistake: 'undivided' })
      : ops.labelSmoothing(labels, WORDS.length, smoothing),
    ops.softmax(logits),
    ops.crossEntropy(logits, labels, { labelSmoothing: smoothing }),
  ]);
  const mistake = wrong === 'undivided' ? 'smoothingUndivided' : wrong === 'logits' ? 'probabilitiesAsLogits' : null;
  const other = mistake ? await mistakes.crossEntropy(logits, labels, { labelSmoothing: smoothing, mistake }) : null;
  return { targets, probabilities, loss: loss.loss.data[0], other: other ? other.loss.data[0] : null };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ smoothing, logits }, { targets, probabilities, loss, other }, set, { theme }) {
  const total = targets.data.reduce((/** @type {number} */ sum, /** @type {number} */ value) => sum + value, 0);
  const list = (/** @type {Float32Array} */ data, /** @type {string} */ role) =>
    WORDS.map((name, i) => ({ name, value: data[i], role }));
  return html`<div class="controls">
      ${slider({ label: 'smoothing ε', value: smoothing, min: 0, max: 0.5, step: 0.02, write: (value) => value.toFixed(2), set: (value) => set({ smoothing: value }) })}
    </div>
    ${matrix({ name: 'logits for “the cat sat on the …”', tensor: logits, columns: WORDS, theme, edit: (_, c, value) => set({ logits: changed(logits, c, value) }) })}
    <div class="line-of">
      <div>
        <p class="note">what it is asked for, in all ${writeNumber(total, 2)}</p>
        ${bars({ label: 'targets', bars: list(targets.data, 'accent'), most: 1 })}
      </div>
      <div>
        <p class="note">what it predicts</p>
        ${bars({ label: 'probabilities', bars: list(probabilities.data, 'query'), most: 1 })}
      </div>
      <div>
        <p class="note">loss: −Σ target · log p</p>
        <p class="num">
          ${writeNumber(other ?? loss, 4)}${other === null ? '' : html` <span class="note">instead of ${writeNumber(loss, 4)}</span>`}
        </p>
      </div>
    </div>`;
}
