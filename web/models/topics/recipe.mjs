// topics: tells which of 12 topics a definition is about. Fine-tuned from words-small. `npm run train -- topics` runs this.

import { runRecipe } from '../recipes/command.mjs';
import { trainTopics } from '../recipes/topics.mjs';

await runRecipe((command) =>
  trainTopics(
    {
      name: 'topics',
      base: 'words-small',
      title:
        'Tells which of 12 topics a dictionary definition is about: animal, plant, food, person, artifact and so on.',
      epochs: 8,
      settings: {
        batchSize: 64,
        optimizer: { lr: 8e-4, betas: [0.9, 0.98], eps: 1e-6, weightDecay: 0.3 },
        schedule: 'linear',
        warmup: 300,
        labelSmoothing: 0.1,
        dropout: 0.1,
        clip: 1,
        ema: 0.998,
        // Queries, keys, positions and norms stay as masked language modelling left them: training them too gains a point and
        // wears its heads away (recipes/README.md has the figures).
        trainable: ['*word_embeddings*', '*.value.*', '*.output.*', '*.intermediate.*', 'classifier.*'],
        saveEvery: 500,
      },
    },
    command,
  ),
);
