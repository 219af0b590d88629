// dates: reads a date as any of 61 locales writes it and says it in ISO 8601. `npm run train -- dates` runs this.

import { runRecipe } from '../recipes/command.mjs';
import { trainDates } from '../recipes/dates.mjs';

await runRecipe((command) =>
  trainDates(
    {
      name: 'dates',
      title: 'Reads a date as people write it in 61 locales, and says it in ISO 8601.',
      shape: { width: 96, layers: [2, 2], heads: 4, feedForward: 256 },
      settings: {
        steps: 12000,
        batchSize: 64,
        optimizer: { lr: 2.5e-3, betas: [0.9, 0.98], eps: 1e-8, weightDecay: 0.01 },
        schedule: 'linear',
        warmup: 400,
        labelSmoothing: 0.05,
        dropout: 0.05,
        clip: 1,
        ema: 0.998,
        saveEvery: 1000,
      },
    },
    command,
  ),
);
