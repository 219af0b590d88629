// The rate of learning over the steps: up while warming up, then down with the root of the step.

import { html } from 'lit';
import { slider } from '../kit/controls.js';
import { plot } from '../kit/plot.js';
import { writeFull } from '../../../view/index.js';

const STEPS = 10_000;
const POINTS = 100;
/** Where the axis may end: it stays while the warm-up is dragged a little, so that the curve is seen to rise or fall. */
const HEIGHTS = [0.001, 0.002, 0.005, 0.01, 0.02];

/** @typedef {import('../kit/types.js').Core} Core */

/** @param {any} state @param {Core} core */
export async function compute({ wrong, warmup, width }, { ops, mistakes }) {
  const steps = Array.from({ length: POINTS }, (_, i) => Math.round(1 + ((STEPS - 1) * i) / (POINTS - 1)));
  const rates = await Promise.all(steps.map((step) => ops.noamRate(step, { dModel: width, warmup })));
  const top = await ops.noamRate(warmup, { dModel: width, warmup });
  const zero =
    wrong === 'step-zero' ? await mistakes.noamRate(0, { dModel: width, warmup, mistake: 'fromZero' }) : null;
  return { points: steps.map((step, i) => [step, rates[i]]), top, zero };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ warmup, width }, { points, top, zero }, set, { room }) {
  return html`<div class="controls">
      ${slider({ label: 'warm-up', value: warmup, min: 100, max: 8000, step: 100, unit: 'steps', set: (value) => set({ warmup: value }) })}
      ${slider({ label: 'd_model', value: width, min: 64, max: 1024, step: 64, set: (value) => set({ width: value }) })}
    </div>
    ${plot({
      label: `rate over ${STEPS} steps: rises to ${writeFull(top)} at step ${warmup}, then falls`,
      lines: [{ name: 'rate', points, role: 'accent' }],
      x: 'step',
      y: 'learning rate',
      room,
      domainX: [0, STEPS],
      domainY: [0, HEIGHTS.find((height) => height > top) ?? top],
      mark: { x: warmup, text: `warm-up ends: ${Number(top.toPrecision(3))}` },
      drag: (x) => set({ warmup: Math.max(100, Math.round(x / 100) * 100) }),
    })}
    ${
      zero
        ? html`<p class="note">
            at step 0: step<sup>−½</sup> = <span class="num">${writeFull(zero.byStep)}</span>, step · warmup<sup
              >−1.5</sup
            >
            =
            <span class="num">${writeFull(zero.byWarmup)}</span>
          </p>`
        : ''
    }`;
}
