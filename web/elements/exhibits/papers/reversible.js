// Reformer's reversible layers, measured: memory of a step of training with and without them.

import { html } from 'lit';
import { slider } from '../kit/controls.js';
import { smallDecoder, smallTexts } from '../kit/given.js';
import { bars } from '../kit/plot.js';
import { megabytes, oneStep } from '../training/accumulation.js';
import { writeFull } from '../../../view/index.js';

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ layers }, core) {
  const step = async (/** @type {boolean} */ reversible) => {
    const config = smallDecoder(layers, { norm_first: true, reversible });
    return (await oneStep(core, config, smallTexts, { batchSize: smallTexts.length })).step;
  };
  return { plain: await step(false), reversible: await step(true) };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set */
export function picture({ layers }, { plain, reversible }, set) {
  const both = (/** @type {'peakBytes' | 'macs'} */ key, /** @type {(value: number) => string} */ write) => [
    { name: 'activations kept', value: plain[key], text: write(plain[key]) },
    { name: 'reversible', value: reversible[key], text: write(reversible[key]), role: 'accent' },
  ];
  return html`<div class="controls">
      ${slider({ label: 'layers N', value: layers, min: 1, max: 16, set: (value) => set({ layers: value }) })}
    </div>
    <div class="line-of">
      <div>
        <p class="note">memory for activations and gradients at the peak, measured</p>
        ${bars({ label: 'memory', bars: both('peakBytes', megabytes) })}
      </div>
      <div>
        <p class="note">multiply-adds of the step</p>
        ${bars({ label: 'work', bars: both('macs', (macs) => `${(macs / 1e6).toFixed(0)} million`) })}
      </div>
    </div>
    <p class="note">
      loss <span class="num">${writeFull(plain.loss)}</span> and <span class="num">${writeFull(reversible.loss)}</span>:
      two streams are another model with the same weights
    </p>`;
}
