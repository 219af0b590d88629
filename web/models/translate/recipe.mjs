// translate: English into Spanish, as one book says it. `npm run train -- translate` runs this.

import { runRecipe } from '../recipes/command.mjs';
import { trainTranslation } from '../recipes/translate.mjs';

await runRecipe((command) =>
  trainTranslation(
    {
      name: 'translate',
      title: 'Translates English into Spanish. It has read one book in both, and speaks like it.',
      shape: { width: 128, layers: [3, 3], heads: 4, feedForward: 512 },
      settings: {
        steps: 10_000,
        batchSize: 32,
        optimizer: { lr: 2e-3, betas: [0.9, 0.98], eps: 1e-9, weightDecay: 0.01 },
        schedule: 'linear',
        warmup: 300,
        labelSmoothing: 0.1,
        dropout: 0.1,
        clip: 1,
        ema: 0.998,
        guide: { layer: 1, head: 0, weight: 0.3 },
        saveEvery: 500,
      },
    },
    command,
  ),
);
