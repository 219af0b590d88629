// Label smoothing: what the model is asked to predict, what it predicts, the loss between them and its gradients; and where steps
// along those gradients lead.

import { html } from 'lit';
import { slider } from '../kit/controls.js';
import { changed, matrix } from '../kit/matrix.js';
import { bars, plot } from '../kit/plot.js';
import { writeNumber } from '../../../view/index.js';

/** @typedef {import('../kit/types.js').Core} Core */
/** @typedef {import('../kit/types.js').Tensor} Tensor */

const WORDS = ['mat', 'sofa', 'roof', 'moon', 'soup'];
const LABELS = { shape: [1], data: Int32Array.of(0) };
const ONES = { shape: [1, WORDS.length], data: new Float32Array(WORDS.length).fill(1) };
const STEPS = 30;
const RATE = 0.1;

/** What the core calls them. @type {Record<string, string>} */
const CORE = {
  undivided: 'smoothingUndivided',
  logits: 'probabilitiesAsLogits',
  'as-probabilities': 'logitsAsProbabilities',
  'other-gradients': 'gradientOfMean',
};

/**
 * The loss, as it should be, after each of some steps of AdamW along gradients that may be mistaken.
 * @param {Core} core
 * @param {Tensor} start logits
 * @param {number} labelSmoothing
 * @param {string} [mistake]
 */
async function path({ ops, mistakes }, start, labelSmoothing, mistake) {
  /** @type {[number, number][]} */
  const points = [];
  let state = /** @type {import('../../../engine/ops.js').AdamWState} */ ({ parameters: { logits: start } });
  for (let step = 0; step <= STEPS; step++) {
    const { logits } = state.parameters;
    points.push([step, (await ops.crossEntropy(logits, LABELS, { labelSmoothing })).loss.data[0]]);
    const gradients = mistake
      ? await mistakes.gradients('crossEntropy', [logits, LABELS, { labelSmoothing, mistake }], 1)
      : await ops.gradients('crossEntropy', [logits, LABELS, { labelSmoothing }], 1);
    state = await ops.adamW(state, gradients, { lr: RATE, weightDecay: 0 });
  }
  return points;
}

/** @param {any} state @param {Core} core */
export async function compute({ wrong, smoothing: labelSmoothing, logits }, core) {
  const { ops, mistakes } = core;
  const mistake = CORE[wrong];
  const targets =
    wrong === 'undivided'
      ? await mistakes.labelSmoothing(LABELS, WORDS.length, labelSmoothing, { mistake: 'undivided' })
      : await ops.labelSmoothing(LABELS, WORDS.length, labelSmoothing);
  const right = {
    loss: (await ops.crossEntropy(logits, LABELS, { labelSmoothing })).loss.data[0],
    gradients: (await ops.gradients('crossEntropy', [logits, LABELS, { labelSmoothing }], 1)).logits,
  };
  const result = {
    targets,
    total: (await ops.linear(targets, { weight: ONES })).data[0],
    probabilities: await ops.softmax(logits),
    right,
    other: null,
    paths: null,
  };
  if (!mistake) return result;
  const options = { labelSmoothing, mistake };
  return {
    ...result,
    other: {
      loss: (await mistakes.crossEntropy(logits, LABELS, options)).loss.data[0],
      gradients: (await mistakes.gradients('crossEntropy', [logits, LABELS, options], 1)).logits,
    },
    paths: {
      right: await path(core, logits, labelSmoothing),
      other: await path(core, logits, labelSmoothing, mistake),
    },
  };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ smoothing, logits }, { targets, total, probabilities, right, other, paths }, set, around) {
  const { theme, room } = around;
  const list = (/** @type {Float32Array} */ data, /** @type {string} */ role) =>
    WORDS.map((name, i) => ({ name, value: data[i], role }));
  const { loss, gradients } = other ?? right;
  const row = { columns: WORDS, theme };
  return html`<div class="controls">
      ${slider({ label: 'smoothing ε', value: smoothing, min: 0, max: 0.5, step: 0.02, write: (value) => value.toFixed(2), set: (value) => set({ smoothing: value }) })}
    </div>
    ${matrix({ name: 'logits for “the cat sat on the …”', tensor: logits, edit: (_, c, value) => set({ logits: changed(logits, c, value) }), ...row })}
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
          ${writeNumber(loss, 4)}${other ? html` <span class="note">instead of ${writeNumber(right.loss, 4)}</span>` : ''}
        </p>
      </div>
    </div>
    <div class="line-of">
      ${matrix({ name: 'gradients of the loss', tensor: gradients, ...row })}
      ${other ? matrix({ name: 'gradients as they should be', tensor: right.gradients, ...row }) : ''}
    </div>
    ${
      paths
        ? plot({
            label: `the loss as it should be over ${STEPS} steps along either gradients`,
            lines: [
              { name: 'along the right gradients', points: paths.right },
              { name: 'along the wrong ones', points: paths.other, role: 'accent' },
            ],
            x: 'step',
            y: 'loss, as it should be',
            room,
            height: 160,
            domainX: [0, STEPS],
          })
        : ''
    }`;
}
