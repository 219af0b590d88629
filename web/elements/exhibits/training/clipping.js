// Clipping the norm of the gradients: they keep their direction and lose their length.

import { html } from 'lit';
import { slider } from '../kit/controls.js';
import { changed, matrix } from '../kit/matrix.js';
import { writeNumber } from '../../../view/index.js';

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ gradients, most }, { ops }) {
  return ops.clipGradNorm([gradients], most);
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ gradients, most }, { norm, grads }, set, { theme }) {
  const edit = (/** @type {number} */ _, /** @type {number} */ c, /** @type {number} */ value) =>
    set({ gradients: changed(gradients, c, value) });
  return html`<div class="controls">
      ${slider({ label: 'norm at most', value: most, min: 0.1, max: 5, step: 0.1, write: (value) => value.toFixed(1), set: (value) => set({ most: value }) })}
    </div>
    <div class="line-of">
      ${matrix({ name: 'gradients', tensor: gradients, theme, edit })}
      <p class="sign">norm <span class="num">${writeNumber(norm, 3)}</span> →</p>
      ${matrix({ name: 'clipped', tensor: grads[0], most: 3, theme })}
    </div>`;
}
