// Gradient accumulation: one step from eight texts at once, and the same from parts, measured.

import { html } from 'lit';
import { choice } from '../kit/controls.js';
import { joined } from '../kit/given.js';
import { bars } from '../kit/plot.js';
import { writeFull, writeNumber } from '../../../view/index.js';

const EXAMPLES = 8;
const CONFIG = {
  model_type: 'glassformer',
  architectures: ['GlassformerForCausalLM'],
  is_decoder: true,
  vocab_size: 40,
  hidden_size: 48,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  intermediate_size: 192,
  max_position_embeddings: 64,
  pad_token_id: 0,
};
// Texts of different lengths, so that parts hold different numbers of tokens.
const DATA = Array.from({ length: EXAMPLES }, (_, i) => ({
  ids: Array.from({ length: 8 + 6 * i }, (__, t) => 1 + ((t * 7 + i * 3) % 39)),
}));

/**
 * One step of training from the same weights.
 * @param {import('../kit/types.js').Core} core
 * @param {Record<string, any>} config
 * @param {{ ids: number[] }[]} data
 * @param {Record<string, any>} options of the trainer
 */
export async function oneStep({ create, train }, config, data, options) {
  const model = await create(config, { seed: 1 });
  let last = null;
  const all = { data, steps: 1, optimizer: { lr: 1e-3 }, dropout: 0, seed: 1, ...options };
  for await (const step of train(model, /** @type {any} */ (all))) last = step;
  const weights = await Promise.all(model.parameters().map(({ name }) => model.parameter(name)));
  model.dispose();
  return { step: /** @type {any} */ (last), weights };
}

/**
 * The largest difference of any two weights.
 * @param {import('../kit/types.js').Core['ops']} ops
 * @param {import('../kit/types.js').Tensor[]} a
 * @param {import('../kit/types.js').Tensor[]} b
 */
export async function largestDifference(ops, a, b) {
  const [one, other] = [a, b].map((all) => joined(all));
  return (await ops.largestDifference(one, other)).data[0];
}

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ wrong, parts }, core) {
  const { ops, mistakes } = core;
  const size = EXAMPLES / parts;
  const whole = await oneStep(core, CONFIG, DATA, { batchSize: EXAMPLES });
  const split = await oneStep(core, CONFIG, DATA, { batchSize: size, accumulate: parts });
  // What each part's loss is by itself, and how many tokens it counts.
  const losses = [];
  const tokens = [];
  for (let p = 0; p < parts; p++) {
    const part = DATA.slice(p * size, (p + 1) * size);
    const { step } = await oneStep(core, CONFIG, part, { batchSize: size });
    losses.push({ shape: [], data: Float32Array.of(step.loss) });
    tokens.push(part.reduce((sum, { ids }) => sum + ids.length - 1, 0));
  }
  const byTokens = await ops.average(losses, { weights: tokens });
  const byParts =
    wrong === 'mean-of-means' ? await mistakes.average(losses, { weights: tokens, mistake: 'meanOfMeans' }) : null;
  return {
    whole: whole.step,
    split: split.step,
    difference: await largestDifference(ops, whole.weights, split.weights),
    losses: losses.map(({ data }) => data[0]),
    tokens,
    byTokens: byTokens.data[0],
    byParts: byParts ? byParts.data[0] : null,
  };
}

/** Bytes as megabytes. @param {number} bytes */
export const megabytes = (bytes) => `${writeNumber(bytes / 1e6, 2)} MB`;

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set */
export function picture({ parts }, { whole, split, difference, losses, tokens, byTokens, byParts }, set) {
  return html`<div class="controls">
      ${choice({
        label: 'parts',
        value: parts,
        options: [1, 2, 4, 8].map((value) => ({ value, text: String(value) })),
        set: (value) => set({ parts: value }),
      })}
    </div>
    <div class="line-of">
      <div>
        <p class="note">memory for activations and gradients at the peak, measured</p>
        ${bars({
          label: 'memory',
          bars: [
            { name: `${EXAMPLES} texts at once`, value: whole.peakBytes, text: megabytes(whole.peakBytes) },
            {
              name: `${parts} × ${EXAMPLES / parts}`,
              value: split.peakBytes,
              text: megabytes(split.peakBytes),
              role: 'accent',
            },
          ],
        })}
        <p class="note">
          loss <span class="num">${writeFull(whole.loss)}</span> and <span class="num">${writeFull(split.loss)}</span>;
          gradients’ norm <span class="num">${writeNumber(whole.gradNorm, 5)}</span> and
          <span class="num">${writeNumber(split.gradNorm, 5)}</span>; largest difference of a weight after the step
          <span class="num">${difference.toExponential(1)}</span>
        </p>
      </div>
      <div>
        <p class="note">loss of each part by itself</p>
        ${bars({ label: 'losses', bars: losses.map((/** @type {number} */ value, /** @type {number} */ i) => ({ name: `${tokens[i]} tokens`, value, text: writeNumber(value, 4) })) })}
        <p class="note">mean weighted by tokens: <span class="num">${writeNumber(byTokens, 4)}</span></p>
        ${byParts === null ? '' : html`<p class="note">mean of the parts’ means: <span class="num accent">${writeNumber(byParts, 4)}</span></p>`}
      </div>
    </div>`;
}
