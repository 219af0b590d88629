// A token's probability: from the softmax over the vocabulary back to its logit, the product of the last hidden states and the token's
// row of the table.

import { learnt, reckoned, term } from './origin-terms.js';
import { STRINGS } from './strings.js';
import { visibleToken, writeNumber } from '../view/index.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {import('./origin-terms.js').Terms} Terms */

const { origins: words } = STRINGS;

/**
 * @param {import('./origin-kit.js').Kit} kit
 * @param {{ output: (stack: import('./origin-kit.js').Stack, t: number) => Promise<Origin[]> }} stream
 * @param {import('./origin-kit.js').Stack} last the stack that gives the logits
 * @param {import('./types.js').Model} model
 */
export function createLogits(kit, { output }, last, model) {
  const { arch, parameters } = kit;

  /** @param {string} module */
  const named = (module) => {
    const base = kit.baseOf(last, module, 0);
    return base && parameters.find(base.endsWith('_bias') ? base : `${base}.weight`);
  };

  /** @param {number} row of the decoder @param {number} id @param {ArrayLike<number>} logits of the row @returns {Origin} */
  function logit(row, id, logits) {
    const token = visibleToken(model.tokenizer?.token(id) ?? String(id));
    const table = named('head.logits') ?? named('embed.word');
    const open = async () => {
      const inputs = await output(last, row);
      const weights = await Promise.all(
        inputs.map((_, j) => learnt(parameters, String(table), `E[${id}, ${j}]`, [id, j])),
      );
      const scale =
        arch.logitsScale === 1 ? [] : [reckoned(words.logitsScaleLabel, arch.logitsScale, words.logitsScale)];
      const terms = inputs.map((input, j) => term(input, weights[j], ...scale));
      const bias = named('head.bias');
      if (bias) terms.push(term(await learnt(parameters, bias, `b[${id}]`, [0, id])));
      return { kind: /** @type {const} */ ('sum'), formula: words.logitFormula(inputs.length), terms };
    };
    const origin = reckoned(`${words.logitLabel}(${token})`, logits[id], words.logit);
    // A projection between the last layer and the table is not written out here.
    return { ...origin, from: 'recorded', place: 'logits', open: table && !named('project_out') ? open : null };
  }

  return {
    /**
     * The probability of a token behind a row, by the softmax of its logits.
     * @param {number} row @param {number} id @param {Float32Array} logits
     * @returns {Origin}
     */
    probability(row, id, logits) {
      let max = -Infinity;
      for (let i = 0; i < logits.length; i++) max = Math.max(max, logits[i]);
      let sum = 0;
      for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - max);
      const token = visibleToken(model.tokenizer?.token(id) ?? String(id));
      const shown = (/** @type {number} */ value) => writeNumber(value, 3);
      return {
        ...reckoned(`${words.probabilityLabel}(${token})`, Math.exp(logits[id] - max) / sum, words.probability),
        open: async () => ({
          kind: 'function',
          formula: words.softmaxOf(shown(logits[id]), shown(max), shown(sum), logits.length),
          terms: [term(logit(row, id, logits))],
          result: Math.exp(logits[id] - max) / sum,
        }),
      };
    },
  };
}
