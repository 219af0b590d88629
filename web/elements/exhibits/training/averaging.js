// Averaging of checkpoints: a small classifier trained at a high rate, and the mean of its last weights.

import { html } from 'lit';
import { slider } from '../kit/controls.js';
import { plot } from '../kit/plot.js';
import { CLASSES, PAD, SENTENCES, VOCABULARY, numbered } from '../kit/sentences.js';
import { writeNumber } from '../../../view/index.js';

const STEPS = 48;
const EVERY = 4;
/** Sentences of each class that are trained on; the others are held out. */
const TRAINED = 8;
const CONFIG = {
  model_type: 'glassformer',
  architectures: ['GlassformerForSequenceClassification'],
  vocab_size: VOCABULARY.length,
  hidden_size: 32,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: 16,
  pad_token_id: PAD,
  pooling: 'mean',
  id2label: Object.fromEntries(CLASSES.map((name, i) => [i, name])),
  label2id: Object.fromEntries(CLASSES.map((name, i) => [name, i])),
};

/** @param {number} from @param {number} to */
const examples = (from, to) =>
  CLASSES.flatMap((_, label) =>
    SENTENCES[label].slice(from, to).map((text) => ({ ids: numbered(text).ids, labels: [label] })),
  );

/** @typedef {{ losses: [number, number][], kept: import('../kit/types.js').Tensor[][], names: string[] }} Trained */

/** @type {Promise<Trained> | null} */
let trained = null;

/** Loss on the sentences that were held out. @param {import('../kit/types.js').Core} core @param {import('../../../engine/index.js').Model} model */
async function heldOut({ ops }, model) {
  const held = examples(TRAINED, SENTENCES[0].length);
  const length = Math.max(...held.map(({ ids }) => ids.length));
  const fill = (/** @type {number[]} */ ids, /** @type {number} */ value) => [
    ...ids,
    ...new Array(length - ids.length).fill(value),
  ];
  const run = await model.run({
    ids: held.map(({ ids }) => fill(ids, PAD)),
    mask: held.map(({ ids }) =>
      fill(
        ids.map(() => 1),
        0,
      ),
    ),
  });
  const labels = { shape: [held.length], data: Int32Array.from(held, (example) => example.labels[0]) };
  return (await ops.crossEntropy(/** @type {any} */ (run.output.logits), labels)).loss.data[0];
}

/** @param {import('../kit/types.js').Core} core @returns {Promise<Trained>} */
async function trainOnce(core) {
  const model = await core.create(CONFIG, { seed: 2 });
  const names = model.parameters().map(({ name }) => name);
  /** @type {[number, number][]} */
  const losses = [];
  const kept = [];
  const options = {
    data: examples(0, TRAINED),
    steps: STEPS,
    batchSize: 4,
    optimizer: { lr: 1e-2 },
    dropout: 0.1,
    seed: 3,
  };
  for await (const { step } of core.train(model, /** @type {any} */ (options))) {
    if (step % EVERY !== 0) continue;
    losses.push([step, await heldOut(core, model)]);
    kept.push(await Promise.all(names.map((name) => model.parameter(name))));
  }
  model.dispose();
  return { losses, kept, names };
}

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ last }, core) {
  trained ??= trainOnce(core);
  trained.catch(() => (trained = null));
  const { losses, kept, names } = await trained;
  const chosen = kept.slice(-last);
  const model = await core.create(CONFIG, { seed: 2 });
  for (const [i, name] of names.entries())
    await model.setParameter(name, await core.ops.average(chosen.map((checkpoint) => checkpoint[i])));
  const averaged = await heldOut(core, model);
  model.dispose();
  return { losses, averaged };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ last }, { losses, averaged }, set, { room }) {
  const from = losses[losses.length - last]?.[0] ?? 0;
  return html`<div class="controls">
      ${slider({ label: 'mean of the last', value: last, min: 1, max: STEPS / EVERY, unit: 'checkpoints', set: (value) => set({ last: value }) })}
    </div>
    ${plot({
      label: `loss on held-out sentences at each checkpoint, and ${writeNumber(averaged, 3)} with averaged weights`,
      lines: [
        { name: 'each checkpoint', points: losses },
        {
          name: `mean of their weights: ${writeNumber(averaged, 3)}`,
          points: [
            [from, averaged],
            [STEPS, averaged],
          ],
          role: 'accent',
        },
      ],
      x: 'step',
      y: 'loss on held-out sentences',
      room,
      domainX: [0, STEPS],
    })}`;
}
