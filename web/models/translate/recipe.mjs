// translate: English into Spanish, as one book says it. `npm run train -- translate` runs this.

import { runRecipe } from '../recipes/command.mjs';
import { trainTranslation } from '../recipes/translate.mjs';

const adamW = { betas: [0.9, 0.98], eps: 1e-9, weightDecay: 0.01 };
const training = {
  batchSize: 32,
  schedule: 'linear',
  labelSmoothing: 0.1,
  dropout: 0.1,
  clip: 1,
  ema: 0.998,
  guide: { layer: 1, head: 0, weight: 0.3 }, // the head that the page shows as the alignment
  saveEvery: 500,
};

await runRecipe((command) =>
  trainTranslation(
    {
      name: 'translate',
      title: 'Translates English into Spanish. It has read one book in both, and speaks like it.',
      shape: { width: 128, layers: [3, 3], heads: 4, feedForward: 512 },
      first: { ...training, steps: 10_000, optimizer: { ...adamW, lr: 2e-3 }, warmup: 300 },
      settings: { ...training, steps: 20_000, optimizer: { ...adamW, lr: 1.5e-3 }, warmup: 200 },
    },
    command,
  ),
);
