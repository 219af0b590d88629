// Where a stack's first numbers come from: word, position and segment, added, normed, and brought to the model's width.

import { learnt, placeIn, reckoned, term } from './origin-terms.js';
import { STRINGS } from './strings.js';
import { visibleToken } from '../view/index.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {import('./origin-terms.js').Terms} Terms */
/** @typedef {import('./origin-kit.js').Kit} Kit */
/** @typedef {import('./origin-kit.js').Stack} Stack */

const { origins: words } = STRINGS;
/** The longest wavelength of sinusoidal positions is 2π times so many tokens (Vaswani et al. 2017, section 3.5). */
const LONGEST = 10000;

/** @param {Kit} kit */
export function createEmbedding(kit) {
  const { arch, parameters, records } = kit;

  /** The parts that a stack adds up. @param {Stack} stack @param {number} t @param {number} e @returns {Promise<Origin[]>} */
  async function parts(stack, t, e) {
    const made = [word(stack, t, e)];
    if (records.has(`${stack.name}hook_pos_embed`)) made.push(position(stack, t, e));
    if (records.has(`${stack.name}hook_type_embed`)) {
      const row = stack.sequence.typeIds[t];
      made.push(entry(stack, 'hook_type_embed', 'embed.type', row, t, e, 'segment', words.embedding.segment('', row)));
    }
    return Promise.all(made);
  }

  /** @param {Stack} stack @param {number} t @param {number} e */
  async function word(stack, t, e) {
    const id = stack.sequence.ids[t];
    const says = words.embedding.word(visibleToken(stack.sequence.tokens[t]), id);
    const plain = await entry(stack, 'hook_embed', 'embed.word', id, t, e, 'word', says);
    if (arch.embeddingScale === 1 || plain.from !== 'stored') return plain;
    const scale = reckoned(words.embeddingScaleLabel, arch.embeddingScale, words.embeddingScale);
    return kit.recorded(stack, 'hook_embed', t, e, {
      symbol: words.parts.word,
      says: words.scaledWord,
      open: async () => ({ kind: 'sum', formula: words.timesScale, terms: [term(plain, scale)] }),
    });
  }

  /** @param {Stack} stack @param {number} t @param {number} e */
  async function position(stack, t, e) {
    if (arch.positions === 'table') {
      const says = words.embedding.position('', t);
      return entry(stack, 'hook_pos_embed', 'embed.position', t + arch.positionOffset, t, e, 'position', says);
    }
    const { length } = await kit.vector(stack, 'hook_pos_embed', t);
    const sines = Math.ceil(length / 2);
    const halves = arch.positions === 'halves';
    const isSine = halves ? e < sines : e % 2 === 0;
    const i = halves ? (isSine ? e : e - sines) : Math.floor(e / 2);
    const angle = t / LONGEST ** ((2 * i) / length);
    const terms = [term(reckoned(words.angleLabel, angle, words.angle(t, i, length)))];
    return kit.recorded(stack, 'hook_pos_embed', t, e, {
      symbol: words.parts.position,
      says: words.embedding.wave(t),
      open: async () => ({
        kind: 'function',
        formula: isSine ? words.sine : words.cosine,
        terms,
        result: isSine ? Math.sin(angle) : Math.cos(angle),
      }),
    });
  }

  /**
   * An entry of a table; where the table's name is not known, the recorded number.
   * @param {Stack} stack @param {string} hook @param {string} module @param {number} row @param {number} t @param {number} e
   * @param {'word' | 'position' | 'segment'} part @param {string} says
   * @returns {Promise<Origin>}
   */
  async function entry(stack, hook, module, row, t, e, part, says) {
    const base = kit.baseOf(stack, module, 0);
    const name = base && parameters.find(`${base}.weight`);
    const label = `${words.parts[part]}[${e}]`;
    const place = placeIn(`${stack.name}${hook}`, stack.batch, t, e);
    if (name && !kit.isSet(place)) {
      const origin = await learnt(parameters, name, label, [row, e]);
      // A scaled entry is not yet what the hook announces.
      return { ...origin, says, ...(arch.embeddingScale === 1 || part !== 'word' ? { hook: place } : {}) };
    }
    const value = (await kit.vector(stack, hook, t))[e];
    return kit.own({ label, value, place, from: 'recorded', says, open: null });
  }

  /** What the first layer, or the projection before it, reads of a token. @param {Stack} stack @param {number} t @returns {Promise<Origin[]>} */
  async function embedded(stack, t) {
    const all = await kit.each(await kit.vector(stack, 'hook_embed', t), (e) => parts(stack, t, e));
    const sums = all.map((of) => of.reduce((sum, { value }) => sum + value, 0));
    const sum = (/** @type {number} */ e) =>
      kit.computed(stack, 'e', t, sums, e, words.embeddingSum, async () => kit.addition(...all[e]));
    if (!kit.hasNorm(stack, 'embed.norm', 0)) return sums.map((_, e) => sum(e));
    const out = await kit.normed(stack, 'embed.norm', 0, sums);
    return sums.map((_, e) =>
      kit.computed(stack, 'n', t, out, e, words.embeddingNorm, () => kit.norm(stack, 'embed.norm', 0, sums, e, sum(e))),
    );
  }

  return {
    /** Number j of what the first layer reads. @param {Stack} stack @param {number} t @param {number} j @returns {Promise<Terms>} */
    async first(stack, t, j) {
      const inputs = await embedded(stack, t);
      const project = kit.baseOf(stack, 'embed.project', 0);
      if (project && parameters.find(`${project}.weight`)) return kit.linear(stack, 'embed.project', 0, 'P', j, inputs);
      const { open } = inputs[j];
      return open ? open() : kit.addition(inputs[j]);
    },
  };
}
