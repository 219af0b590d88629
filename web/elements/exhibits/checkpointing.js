// Gradient checkpointing, measured: which activations are kept, what is computed again, and that the gradients are equal.

import { html } from 'lit';
import { slider } from './kit/controls.js';
import { smallDecoder, smallTexts } from './kit/given.js';
import { encoderLayer } from './kit/layers.js';
import { equation, frac, inline, op, v, words } from './kit/math.js';
import { bars } from './kit/plot.js';
import { largestDifference, megabytes, oneStep } from './training/accumulation.js';
import { writeFull, writeNumber } from '../../view/index.js';

/** @typedef {import('./kit/types.js').Tensor} Tensor */

/** The norm of a layer's gradients, all together. @param {import('./kit/types.js').Core['ops']} ops @param {Record<string, Tensor>} gradients @param {number} l */
async function normOf(ops, gradients, l) {
  const own = Object.entries(gradients).filter(([name]) => name.startsWith(`layers.${l}.`));
  const all = own.map(([, gradient]) => gradient);
  return (await ops.clipGradNorm(all, 1)).norm; // of the gradients as they came, before they are clipped
}

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'checkpointing',
  title: 'Gradient checkpointing',
  text: html`<p>
      The <dfn>backward pass</dfn>, which computes gradients, needs what the forward pass computed: the
      <dfn>activations</dfn> of every layer are kept until it comes by. <dfn>Gradient checkpointing</dfn> keeps only
      every n-th layer’s input; when the backward pass reaches such a segment of n layers, their forward pass is
      computed a second time.
    </p>
    <p>
      Memory falls from N layers’ activations to N / n inputs and one segment’s activations, at the price of about one
      more forward pass. The gradients are the same numbers, since the same operations are done in the same order.
    </p>`,
  equation: equation(
    words('kept'),
    op('≈'),
    frac(v('N'), v('n', 'accent')),
    words('\u00a0inputs'),
    op('+'),
    v('n', 'accent'),
    words('\u00a0layers’ activations'),
  ),
  symbols: [
    { sign: inline(v('N')), shape: 'number', means: 'layers' },
    {
      sign: inline(v('n', 'accent')),
      shape: 'number',
      means: 'the input of every n-th layer is kept; a segment has n layers',
    },
  ],
  start: { wrong: '', layers: 8, every: 2 },
  async compute({ wrong, layers, every }, core, { progress }) {
    const { ops, mistakes, create } = core;
    const n = Math.min(every, layers);
    progress('training one step, twice …');
    const all = await oneStep(core, smallDecoder(layers), smallTexts, { batchSize: smallTexts.length });
    const some = await oneStep(core, smallDecoder(layers), smallTexts, {
      batchSize: smallTexts.length,
      recomputeEvery: n,
    });
    const model = await create(smallDecoder(layers, { architectures: ['GlassformerModel'], is_decoder: false }), {
      seed: 1,
    });
    const stack = { layers: await Promise.all(Array.from({ length: layers }, (_, l) => encoderLayer(model, l))) };
    const run = await model.run({ ids: [smallTexts[0].ids] }, { record: ['blocks.0.hook_resid_pre'] });
    const x = run.get('blocks.0.hook_resid_pre');
    // Any direction would do but the output's own, along which a normalized vector cannot move: another text's output.
    const upstream = /** @type {Tensor} */ ((await model.run({ ids: [smallTexts[1].ids] })).output.lastHidden);
    const right = await ops.gradients('encoder', [x, stack], upstream);
    const other =
      wrong === ''
        ? null
        : await mistakes.gradients('encoder', [x, stack, { recomputeEvery: n, mistake: 'neverRecomputed' }], upstream);
    model.dispose();
    const norms = (/** @type {Record<string, Tensor>} */ gradients) =>
      Promise.all(Array.from({ length: layers }, (_, l) => normOf(ops, gradients, l)));
    return {
      all: all.step,
      some: some.step,
      difference: await largestDifference(ops, all.weights, some.weights),
      right: await norms(right),
      other: other ? await norms(other) : null,
    };
  },
  picture({ layers, every }, { all, some, difference, right, other }, set) {
    const bar = (/** @type {number} */ value, /** @type {number} */ l) => ({
      name: `layer ${l}`,
      value,
      text: writeNumber(value, 2),
    });
    return html`<div class="controls">
        ${slider({ label: 'layers N', value: layers, min: 2, max: 16, set: (value) => set({ layers: value }) })}
        ${slider({ label: 'keep every n-th', value: Math.min(every, layers), min: 1, max: layers, set: (value) => set({ every: value }) })}
      </div>
      <div class="line-of">
        <div>
          <p class="note">memory for activations and gradients at the peak, measured</p>
          ${bars({
            label: 'memory',
            bars: [
              { name: 'all kept', value: all.peakBytes, text: megabytes(all.peakBytes) },
              {
                name: `every ${Math.min(every, layers)}`,
                value: some.peakBytes,
                text: megabytes(some.peakBytes),
                role: 'accent',
              },
            ],
          })}
          ${
            all.macs === undefined
              ? ''
              : html`<p class="note">multiply-adds of the step</p>
                  ${bars({
                    label: 'work',
                    bars: [
                      { name: 'all kept', value: all.macs, text: `${(all.macs / 1e6).toFixed(0)} million` },
                      {
                        name: `every ${Math.min(every, layers)}`,
                        value: some.macs,
                        text: `${(some.macs / 1e6).toFixed(0)} million`,
                        role: 'accent',
                      },
                    ],
                  })}`
          }
          <p class="note">
            loss <span class="num">${writeFull(all.loss)}</span> and <span class="num">${writeFull(some.loss)}</span>;
            largest difference of a weight after the step:
            <span class="num">${difference === 0 ? '0' : difference.toExponential(1)}</span>
          </p>
        </div>
        <div>
          <p class="note">norm of each layer’s gradients</p>
          ${bars({ label: 'gradients', bars: (other ?? right).map(bar) })}
        </div>
      </div>`;
  },
  caption: html`Take more layers and see memory grow without checkpoints, and hardly with them. The weights after the
  step are equal to the last bit.`,
  mistakes: [
    {
      name: 'never-recomputed',
      label: 'drop activations and never compute them again',
      says: html`Gradients end at the last checkpoint: the layers before it get none and are not trained. The loss still
      falls a little, so nobody notices.`,
    },
  ],
  sources: ['checkpointing'],
  papers: [{ text: 'Chen et al. 2016, section 4', url: 'https://arxiv.org/abs/1604.06174' }],
  lab: () => ({ model: 'words' }),
};
