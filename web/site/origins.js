// Where the numbers of a run come from, one step at a time: from a query's or key's number, or a logit, through the layers below to
// word, position and segment, and to the weights. Values are the run's recorded ones; only norms that no hook announces are
// computed here, from recorded numbers, and say so.

import { activate } from './architecture.js';
import { createEmbedding } from './origin-embedding.js';
import { createHeads } from './origin-heads.js';
import { createKit } from './origin-kit.js';
import { createLogits } from './origin-logits.js';
import { gridsOf, sequenceAt } from './grids.js';
import { reckoned, term } from './origin-terms.js';
import { STRINGS } from './strings.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {import('./origin-terms.js').Terms} Terms */
/** @typedef {import('./origin-kit.js').Stack} Stack */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {ReturnType<typeof createOrigins>} Origins */
/** @typedef {ReturnType<typeof createStream>} Stream */

const { origins: words } = STRINGS;

/**
 * @param {Result} result
 * @param {number} b which sequence
 */
export function createOrigins(result, b) {
  const kit = createKit(result);
  const grids = gridsOf(result.model);
  /** @type {Map<string, Stack>} */
  const stacks = new Map();
  for (const { stack: name, queries, layers } of grids) {
    const both = grids.length > 1;
    const sequence = sequenceAt(result, queries, b);
    stacks.set(name, { name: /** @type {Stack['name']} */ (name), sequence, batch: both ? 0 : b, layers });
  }
  const stream = createStream(kit, (name) => /** @type {Stack} */ (stacks.get(name)));
  const { model } = result;
  const last = /** @type {Stack} */ (stacks.get(grids[grids.length - 1].stack));
  return { ...stream.heads, ...createLogits(kit, stream, last, model) };
}

/**
 * The residual stream of every stack.
 * @param {import('./origin-kit.js').Kit} kit
 * @param {(name: string) => Stack} stackNamed
 */
function createStream(kit, stackNamed) {
  const { arch, records } = kit;
  const embedding = createEmbedding(kit);

  /** Number j of token t before layer l. @param {Stack} stack @param {number} l @param {number} t @param {number} j */
  function residual(stack, l, t, j) {
    const open = () => (l > 0 ? afterLayer(stack, l - 1, t, j) : embedding.first(stack, t, j));
    return kit.recorded(stack, `blocks.${l}.hook_resid_pre`, t, j, { symbol: 'x', says: words.residual(l), open });
  }

  /** What a layer makes of number j. @param {Stack} stack @param {number} l @param {number} t @param {number} j @returns {Promise<Terms>} */
  async function afterLayer(stack, l, t, j) {
    const hook = `blocks.${l}.hook_mlp_out`;
    const out = await kit.recorded(stack, hook, t, j, {
      symbol: 'm',
      says: words.mlp,
      open: () => mlp(stack, l, t, j),
    });
    if (arch.normFirst) return kit.addition(await middle(stack, l, t, j), out);
    const [fed, read] = await Promise.all([kit.vector(stack, hook, t), afterAttentions(stack, l, t)]);
    const sums = Float64Array.from(fed, (value, i) => value + read.values[i]);
    const sum = kit.computed(stack, 's', t, sums, j, words.secondSum, async () => kit.addition(read.at(j), out));
    return kit.norm(stack, 'norm2', l, sums, j, sum);
  }

  /** The sum after a layer's attentions, as recorded. @param {Stack} stack @param {number} l @param {number} t @param {number} j */
  async function middle(stack, l, t, j) {
    return hasCross(stack, l) ? middleOf(stack, l, t, j, true) : middleOf(stack, l, t, j, false);
  }

  /** @param {Stack} stack @param {number} l */
  const hasCross = ({ name }, l) => records.has(`${name}blocks.${l}.hook_cross_attn_out`);

  /** @param {Stack} stack @param {number} l @param {number} t @param {number} j @param {boolean} cross @returns {Promise<Origin>} */
  async function middleOf(stack, l, t, j, cross) {
    const outHook = cross ? 'hook_cross_attn_out' : 'hook_attn_out';
    const attention = await kit.recorded(stack, `blocks.${l}.${outHook}`, t, j, {
      symbol: cross ? 'c' : 'o',
      says: cross ? words.crossAttention : words.attention,
      open: () => heads.joined(stack, l, cross ? 'cross_attn' : 'attn', t, j),
    });
    return kit.recorded(stack, `blocks.${l}.${cross ? 'hook_resid_mid_cross' : 'hook_resid_mid'}`, t, j, {
      symbol: 's',
      says: cross ? words.crossSum : words.firstSum,
      open: async () =>
        kit.addition(cross ? await beforeCross(stack, l, t, j) : await residual(stack, l, t, j), attention),
    });
  }

  /** What cross-attention adds to: with a post-norm the normed sum. @param {Stack} stack @param {number} l @param {number} t @param {number} j */
  async function beforeCross(stack, l, t, j) {
    if (arch.normFirst) return middleOf(stack, l, t, j, false);
    return (await normedSum(stack, l, t, 'hook_resid_mid', 'norm1', false)).at(j);
  }

  /**
   * A recorded sum after its norm.
   * @param {Stack} stack @param {number} l @param {number} t @param {string} hook @param {string} module @param {boolean} cross
   */
  async function normedSum(stack, l, t, hook, module, cross) {
    const sums = await kit.vector(stack, `blocks.${l}.${hook}`, t);
    const values = await kit.normed(stack, module, l, sums);
    const at = (/** @type {number} */ j) =>
      kit.computed(stack, 'a', t, values, j, words.afterAttention, async () =>
        kit.norm(stack, module, l, sums, j, await middleOf(stack, l, t, j, cross)),
      );
    return { values, at };
  }

  /** What a post-norm layer's feed-forward reads and adds to. @param {Stack} stack @param {number} l @param {number} t */
  function afterAttentions(stack, l, t) {
    return hasCross(stack, l)
      ? normedSum(stack, l, t, 'hook_resid_mid_cross', 'norm_cross', true)
      : normedSum(stack, l, t, 'hook_resid_mid', 'norm1', false);
  }

  /** What the feed-forward reads. @param {Stack} stack @param {number} l @param {number} t @returns {Promise<Origin[]>} */
  async function read(stack, l, t) {
    if (!arch.normFirst) {
      const { values, at } = await afterAttentions(stack, l, t);
      return Array.from(values, (_, j) => at(j));
    }
    if (arch.parallel) return normedResidual(stack, l, t, 'norm2');
    const cross = hasCross(stack, l);
    const { values, at } = await normedSum(
      stack,
      l,
      t,
      cross ? 'hook_resid_mid_cross' : 'hook_resid_mid',
      'norm2',
      cross,
    );
    return Array.from(values, (_, j) => at(j));
  }

  /** @param {Stack} stack @param {number} l @param {number} t @param {number} j @returns {Promise<Terms>} */
  async function mlp(stack, l, t, j) {
    const post = await kit.vector(stack, `blocks.${l}.mlp.hook_post`, t);
    const inputs = await kit.each(post, (i) => inner(stack, l, t, i));
    return kit.linear(stack, 'mlp.out', l, 'W₂', j, inputs);
  }

  /** Number i inside the feed-forward, after the activation, and with a gate times a number beside it. @param {Stack} stack @param {number} l @param {number} t @param {number} i */
  async function inner(stack, l, t, i) {
    const part = (
      /** @type {string} */ hook,
      /** @type {string} */ module,
      /** @type {string} */ symbol,
      /** @type {string} */ w,
    ) =>
      kit.recorded(stack, `blocks.${l}.mlp.${hook}`, t, i, {
        symbol,
        says: words.hidden,
        open: async () => kit.linear(stack, module, l, w, i, await read(stack, l, t)),
      });
    const activated = async (/** @type {Origin} */ before) => ({
      kind: /** @type {const} */ ('function'),
      formula: words.activation(arch.activation),
      terms: [term(before)],
      result: activate(arch.activation, before.value),
    });
    return kit.recorded(stack, `blocks.${l}.mlp.hook_post`, t, i, {
      symbol: 'f',
      says: arch.gated ? words.gated(arch.activation) : words.active(arch.activation),
      async open() {
        if (!arch.gated) return activated(await part('hook_pre', 'mlp.in', 'h', 'W₁'));
        const [gate, beside] = await Promise.all([
          part('hook_pre', 'mlp.gate', 'g', 'Wg'),
          part('hook_pre_linear', 'mlp.up', 'u', 'W₁'),
        ]);
        const open = reckoned(
          kit.named(stack, words.openGate, t, i),
          activate(arch.activation, gate.value),
          words.gateSays,
        );
        const factor = { ...open, open: () => activated(gate) };
        return { kind: 'sum', formula: words.gateFormula, terms: [term(factor, beside)] };
      },
    });
  }

  /** @param {Stack} stack @param {number} l @param {number} t @param {string} module @returns {Promise<Origin[]>} */
  async function normedResidual(stack, l, t, module) {
    const values = await kit.vector(stack, `blocks.${l}.hook_resid_pre`, t);
    const out = await kit.normed(stack, module, l, values);
    return Array.from(values, (_, j) =>
      kit.computed(stack, 'a', t, out, j, words.before, async () =>
        kit.norm(stack, module, l, values, j, await residual(stack, l, t, j)),
      ),
    );
  }

  /** What self-attention reads of a token. @param {Stack} stack @param {number} l @param {number} t @returns {Promise<Origin[]>} */
  async function asked(stack, l, t) {
    if (arch.normFirst) return normedResidual(stack, l, t, 'norm1');
    return kit.each(await kit.vector(stack, `blocks.${l}.hook_resid_pre`, t), (j) => residual(stack, l, t, j));
  }

  /** What cross-attention's queries read. @param {Stack} stack @param {number} l @param {number} t @returns {Promise<Origin[]>} */
  async function askedAcross(stack, l, t) {
    const module = arch.normFirst ? 'norm_cross' : 'norm1';
    const { values, at } = await normedSum(stack, l, t, 'hook_resid_mid', module, false);
    return Array.from(values, (_, j) => at(j));
  }

  /** What a stack hands on: its last layer's output, normed where it ends with a norm. @param {Stack} stack @param {number} t @returns {Promise<Origin[]>} */
  async function output(stack, t) {
    const l = stack.layers - 1;
    const hook = `blocks.${l}.hook_resid_post`;
    const values = await kit.vector(stack, hook, t);
    const plain = (/** @type {number} */ j) =>
      kit.recorded(stack, hook, t, j, {
        symbol: 'y',
        says: words.lastLayer,
        values,
        open: () => afterLayer(stack, l, t, j),
      });
    if (!kit.hasNorm(stack, 'final_norm', 0)) return kit.each(values, plain);
    const out = await kit.vector(stack, 'ln_final.hook_normalized', t);
    return kit.each(out, (j) =>
      kit.recorded(stack, 'ln_final.hook_normalized', t, j, {
        symbol: 'y',
        says: words.finalNorm,
        values: out,
        open: async () => kit.norm(stack, 'final_norm', 0, values, j, await plain(j)),
      }),
    );
  }

  const heads = createHeads(kit, { stackNamed, asked, askedAcross, output });
  return { heads, output };
}
