// words: fills in blanks in dictionary-like English. `npm run train -- words` runs this.

import { runRecipe } from '../recipes/command.mjs';
import { trainMasked } from '../recipes/masked.mjs';

await runRecipe((command) =>
  trainMasked(
    {
      name: 'words',
      title: 'A masked language model that fills in blanks in dictionary definitions ("a [MASK] of the skin").',
      shape: { embedding: 48, hidden: 128, layers: 3, heads: 4, feedForward: 256 },
      settings: {
        steps: 40_000,
        batchSize: 96,
        optimizer: { lr: 2.5e-3, betas: [0.9, 0.98], eps: 1e-6, weightDecay: 0.01 },
        schedule: 'linear',
        warmup: 1000,
        dropout: 0,
        clip: 1,
        ema: 0.999,
        saveEvery: 1000,
      },
      rate: [0.3, 0.15],
    },
    command,
  ),
);
