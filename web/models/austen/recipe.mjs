// austen: continues a text as Jane Austen might. `npm run train -- austen` runs this.

import { runRecipe } from '../recipes/command.mjs';
import { trainLanguage } from '../recipes/language.mjs';

await runRecipe((command) =>
  trainLanguage(
    {
      name: 'austen',
      title: "A language model that has read Jane Austen's six novels and nothing else: it goes on where a text stops.",
      shape: { width: 128, layers: 4, heads: 4, feedForward: 352, positions: 256 },
      settings: {
        steps: 10_000,
        batchSize: 4,
        optimizer: { lr: 3e-3, betas: [0.9, 0.99], eps: 1e-8, weightDecay: 0.1 },
        schedule: 'cosine',
        warmup: 200,
        dropout: 0.1,
        clip: 1,
        ema: 0.998,
        saveEvery: 500,
      },
    },
    command,
  ),
);
