// The training step with TensorFlow.js: its gradients and its Adam over the encoder of tfjs.js.
import '#tfjs-gradients';
import { asTensor, encode, positionsAndSegment, startTfjs, tf } from './tfjs.js';
import { trainingBatch } from './training_batch.js';

/** @typedef {import('@tensorflow/tfjs-core').Tensor} Tensor */

/**
 * Without fusion, which this backend has no gradients for.
 * @type {import('./tfjs.js').Linear}
 */
const linear = (x, weights, name) => tf.add(tf.matMul(x, weights(`${name}.weight`)), weights(`${name}.bias`));

/**
 * @param {typeof import('../lib/parameters.js').TRAINED} job
 * @param {import('../lib/parameters.js').Parameters} parameters
 * @param {string} [tfjsFolder]
 * @returns {Promise<import('./index.js').Contender>}
 */
export async function tfjsTraining(job, parameters, tfjsFolder) {
  await startTfjs(tfjsFolder);
  const { config, length, batch } = job;
  const { ids, labels } = trainingBatch(job);
  /** @type {Map<string, import('@tensorflow/tfjs-core').Variable>} */
  const variables = new Map();
  const weights = (/** @type {string} */ name) => {
    let variable = variables.get(name);
    if (!variable) {
      variable = tf.variable(asTensor(parameters, name), true);
      variables.set(name, variable);
    }
    return variable;
  };
  // The backend has no kernel for the gradient of a gather: a product with one-hot rows instead, 1% of the step's work.
  const chosen = tf.keep(tf.cast(tf.oneHot(tf.tensor1d(ids, 'int32'), config.vocab_size), 'float32'));
  const wanted = tf.keep(tf.cast(tf.oneHot(tf.tensor1d(labels, 'int32'), config.num_labels ?? 1), 'float32'));
  const loss = () => {
    const word = tf.matMul(chosen, weights('bert.embeddings.word_embeddings.weight'));
    const rows = tf.add(tf.reshape(word, [batch, length, -1]), positionsAndSegment(weights, 'bert.', length));
    const embedded = tf.reshape(rows, [batch * length, -1]);
    const { hidden } = encode(config, weights, embedded, { batch, prefix: 'bert.', linear });
    const logits = linear(hidden, weights, 'classifier');
    const surprise = tf.sub(tf.logSumExp(logits, -1), tf.sum(tf.mul(logits, wanted), -1));
    return /** @type {import('@tensorflow/tfjs-core').Scalar} */ (tf.mean(surprise));
  };
  const optimizer = tf.train.adam(job.lr, 0.9, 0.999, 1e-8);
  tf.tidy(loss); // makes the variables
  /** @type {number[]} */
  const losses = [];
  return {
    async run() {
      tf.tidy(() => {
        const value = optimizer.minimize(loss, true);
        losses.push(value ? value.dataSync()[0] : NaN);
      });
    },
    result: () => ({ losses: Float32Array.from(losses) }),
  };
}
