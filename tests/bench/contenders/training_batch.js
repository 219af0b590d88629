// The examples of a training step.
import { randomIds } from '../lib/parameters.js';

/** The same at every step. @param {typeof import('../lib/parameters.js').TRAINED} job */
export function trainingBatch({ config, length, batch }) {
  const ids = randomIds(length * batch, config.vocab_size, 2);
  const labels = randomIds(length * batch, config.num_labels ?? 1, 3);
  return { ids, labels };
}
