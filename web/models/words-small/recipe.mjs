// words-small: the small sibling of `words`, trained in the same way; `topics` starts from it. `npm run train -- words-small` runs this.

import { runRecipe } from '../recipes/command.mjs';
import { trainMasked } from '../recipes/masked.mjs';

await runRecipe((command) =>
  trainMasked(
    {
      name: 'words-small',
      title:
        'The small sibling of `words`, a masked language model of dictionary definitions; `topics` is fine-tuned from it.',
      shape: { embedding: 32, hidden: 64, layers: 3, heads: 4, feedForward: 128 },
      settings: {
        steps: 30_000,
        batchSize: 96,
        optimizer: { lr: 3e-3, betas: [0.9, 0.98], eps: 1e-6, weightDecay: 0.01 },
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
