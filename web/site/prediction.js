// What the model predicts, with probabilities: classes of a text or of its tokens, or fillings of blanks. The probabilities are
// the core's softmax of the run's logits.

import { ops } from '../engine/ops.js';
import { tokenOf } from './sequences.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').Run} Run */
/** @typedef {{ label: string, probability: number, id?: number }} Guess */
/**
 * @typedef {{ kind: 'classes', of: Guess[][] }} Classes the guesses for each sequence, likeliest first
 * @typedef {{ kind: 'tokens', of: Guess[][][] }} TokenClasses for each sequence and token
 * @typedef {{ kind: 'blanks', of: { position: number, guesses: Guess[] }[][] }} Blanks for each sequence
 * @typedef {{ kind: 'next', at: (row: number, also: number | null) => Promise<Guess[]>, logits: (row: number) => Promise<Float32Array> }}
 *   Next what may follow each token read, the one that did among them
 * @typedef {{ kind: 'none' }} None a model without a head
 * @typedef {Classes | TokenClasses | Blanks | Next | None} Prediction
 */

const MOST_GUESSES = 8;

/**
 * @param {Model} model
 * @param {Run} run
 * @returns {Promise<Prediction>}
 */
export async function predict(model, run) {
  const { logits } = run.output;
  if (!logits) return { kind: 'none' };
  const classes = logits.shape[logits.shape.length - 1];
  if (logits.shape.length === 2) {
    const { data } = await ops.softmax(logits);
    const of = run.ids.map((_, b) =>
      ranked(data.subarray(b * classes, (b + 1) * classes), (id) => className(model, id)),
    );
    return { kind: 'classes', of };
  }
  const length = logits.shape[1];
  if (model.task !== 'masked-lm') {
    const { data } = await ops.softmax(logits);
    const row = (/** @type {number} */ i) =>
      ranked(data.subarray(i * classes, (i + 1) * classes), (id) => className(model, id));
    return { kind: 'tokens', of: run.ids.map((ids, b) => ids.map((_, t) => row(b * length + t))) };
  }
  const mask = model.tokenizer?.specials.mask ?? null;
  return { kind: 'blanks', of: await Promise.all(run.ids.map((ids, b) => blanks(ids, b))) };

  /** @param {number[]} ids @param {number} b */
  async function blanks(ids, b) {
    const positions = mask === null ? [] : ids.flatMap((id, t) => (id === mask.id ? [t] : []));
    return Promise.all(
      positions.map(async (position) => {
        const start = (b * length + position) * classes;
        const row = {
          shape: [classes],
          data: /** @type {import('./types.js').Tensor} */ (logits).data.slice(start, start + classes),
        };
        const { data } = await ops.softmax(row);
        return { position, guesses: ranked(data, (id) => model.tokenizer?.token(id) ?? String(id)) };
      }),
    );
  }
}

/** @param {Model} model @param {number} id */
function className(model, id) {
  return model.labels[id] ?? `class ${id}`;
}

/**
 * @param {Float32Array} probabilities
 * @param {(id: number) => string} name
 * @returns {Guess[]}
 */
function ranked(probabilities, name) {
  return Array.from(probabilities.keys())
    .sort((a, b) => probabilities[b] - probabilities[a] || a - b)
    .slice(0, MOST_GUESSES)
    .map((id) => ({ id, label: name(id), probability: probabilities[id] }));
}

/**
 * What may follow each token of a text that a decoder read.
 * @param {Model} model
 * @param {any} input what it read
 * @param {(row: number) => Float32Array | null} known logits at hand; others come from a run of their own
 * @param {import('../engine/edits.js').Edit[]} edits
 * @returns {Next}
 */
export function predictNext(model, input, known, edits) {
  /** @type {Promise<Run> | null} */
  let whole = null;
  /** @param {number} row @returns {Promise<Float32Array>} */
  async function logitsAt(row) {
    const at = known(row);
    if (at) return at;
    const { logits } = (await (whole ??= model.run(input, { edits }))).output;
    if (!logits) return new Float32Array(0);
    const classes = logits.shape[2];
    return logits.data.subarray(row * classes, (row + 1) * classes);
  }
  return {
    kind: 'next',
    logits: logitsAt,
    async at(row, also) {
      const logits = await logitsAt(row);
      if (logits.length === 0) return [];
      const { data } = await ops.softmax({ shape: [logits.length], data: logits.slice() });
      const guess = (/** @type {number} */ id) => ({ id, label: tokenOf(model.tokenizer, id), probability: data[id] });
      const ids = largest(data, MOST_GUESSES);
      if (also !== null && !ids.includes(also)) ids.push(also);
      return ids.map(guess);
    },
  };
}

/** The places of the largest values, without sorting a whole vocabulary. @param {Float32Array} values @param {number} count */
function largest(values, count) {
  /** @type {number[]} */
  const best = [];
  for (let i = 0; i < values.length; i++) {
    if (best.length === count && values[i] <= values[best[count - 1]]) continue;
    let at = best.length;
    while (at > 0 && values[best[at - 1]] < values[i]) at--;
    best.splice(at, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}
