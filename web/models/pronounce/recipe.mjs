// pronounce: says how English words are pronounced, as phonemes of ARPAbet. `npm run train -- pronounce` runs this;
// with `--compare` it trains short runs without label smoothing, warm-up or averaging instead.

import { runRecipe } from '../recipes/command.mjs';
import { trainPronounce } from '../recipes/pronounce.mjs';

await runRecipe((command) =>
  trainPronounce(
    {
      name: 'pronounce',
      title: 'Says how an English word is pronounced, in the phonemes of ARPAbet.',
      shape: { width: 192, layers: [3, 2], heads: 4, feedForward: 512 },
      beams: 4,
      settings: {
        steps: 18000,
        batchSize: 32,
        accumulate: 2,
        optimizer: { lr: 1.5e-3, betas: [0.9, 0.98], eps: 1e-9, weightDecay: 0.01 },
        schedule: 'linear',
        warmup: 600,
        labelSmoothing: 0.1,
        dropout: 0.1,
        clip: 1,
        ema: 0.999,
        saveEvery: 500,
      },
      comparison: {
        settings: { steps: 2000, warmup: 300, ema: 0.998 },
        runs: {
          'all of them': {},
          'without warm-up': { warmup: 0 },
          'without label smoothing': { labelSmoothing: 0 },
          'without averaging': { ema: 0 },
        },
      },
    },
    command,
  ),
);
