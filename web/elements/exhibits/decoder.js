// A decoder layer of a trained model: its two attentions, and what its mask keeps from it.

import { html } from 'lit';
import { choice, line, slider } from './kit/controls.js';
import { stacked } from './kit/layers.js';
import { equation, fn, inline, op, paren, row, sub, v } from './kit/math.js';
import { matrix } from './kit/matrix.js';
import { bars } from './kit/plot.js';
import { visibleToken } from '../../view/index.js';

/** @typedef {import('../../engine/index.js').Model} Model */
/** @typedef {import('./kit/types.js').Tensor} Tensor */

const MODEL = 'translate';
const LAYER = 'model.decoder.layers.0';
const BLOCK = 'decoder.blocks.0';
const HEADS = 4;

/** @type {WeakMap<Model, Promise<Record<string, any>>>} */
const layers = new WeakMap();

/** The layer's parameters by PyTorch's names. @param {Model} model */
function layerOf(model) {
  let layer = layers.get(model);
  if (!layer) layers.set(model, (layer = read(model)));
  return layer;
}

/** @param {Model} model */
async function read(model) {
  const of = (/** @type {string} */ name) => model.parameter(`${LAYER}.${name}`);
  const three = async (/** @type {string} */ part, /** @type {string} */ what) =>
    stacked(await Promise.all(['q_proj', 'k_proj', 'v_proj'].map((name) => of(`${part}.${name}.${what}`))));
  const layer = /** @type {Record<string, any>} */ ({ heads: HEADS, activation: 'relu', normFirst: false });
  for (const [ours, theirs] of [
    ['self_attn', 'self_attn'],
    ['multihead_attn', 'encoder_attn'],
  ]) {
    layer[`${ours}.in_proj_weight`] = await three(theirs, 'weight');
    layer[`${ours}.in_proj_bias`] = await three(theirs, 'bias');
    layer[`${ours}.out_proj.weight`] = await of(`${theirs}.out_proj.weight`);
    layer[`${ours}.out_proj.bias`] = await of(`${theirs}.out_proj.bias`);
  }
  for (const [ours, theirs] of [
    ['linear1', 'fc1'],
    ['linear2', 'fc2'],
    ['norm1', 'self_attn_layer_norm'],
    ['norm2', 'encoder_attn_layer_norm'],
    ['norm3', 'final_layer_norm'],
  ]) {
    layer[`${ours}.weight`] = await of(`${theirs}.weight`);
    layer[`${ours}.bias`] = await of(`${theirs}.bias`);
  }
  return layer;
}

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'decoder',
  title: 'Decoder',
  text: html`<p>
      A <dfn>decoder layer</dfn> has three sublayers, each with its residual connection and norm: self-attention, in
      which a token sees itself and those before it; cross-attention, whose queries come from the decoder and whose keys
      and values come from the encoder’s output; and a feed-forward network.
    </p>
    <p>
      In training the whole target is there at once (<dfn>teacher forcing</dfn>). The causal mask keeps every position
      from seeing the token that it is to predict, so one pass trains all positions. Padding of the source is hidden
      from the cross-attention.
    </p>`,
  equation: html`${equation(v('a'), op('='), fn('norm'), paren(v('y', 'query'), op('+'), sub(fn('SelfAttention'), fn('causal')), paren(v('y', 'query'))))}
  ${equation(v('c'), op('='), fn('norm'), paren(v('a'), op('+'), fn('Attention'), paren(v('a', 'query'), op(','), v('h', 'key'), op(','), v('h', 'key'))))}
  ${equation(row(v('y', 'query'), op('′')), op('='), fn('norm'), paren(v('c'), op('+'), fn('FFN'), paren(v('c'))))}`,
  symbols: [
    { sign: inline(v('y', 'query')), shape: 'T × D', means: 'the decoder’s vectors, one for each target token' },
    { sign: inline(v('h', 'key')), shape: 'S × D', means: 'the encoder’s output, one for each source token' },
  ],
  start: {
    wrong: '',
    source: 'He said to them, Where is your faith?',
    target: 'Y les dijo: ¿Dónde está',
    last: 'vino',
    pads: 2,
    which: 'decoder',
    head: 0,
  },
  async compute({ wrong, source, target, last, pads }, { ops, mistakes, model: open }) {
    /** @type {Model} */
    const model = await open(MODEL);
    const words = target.trim().split(/\s+/);
    const other = [...words.slice(0, -1), last].join(' ');
    const record = [
      `${BLOCK}.hook_resid_*`,
      ...['q', 'k', 'v', 'pattern'].flatMap((name) => [
        `${BLOCK}.attn.hook_${name}`,
        `${BLOCK}.cross_attn.hook_${name}`,
      ]),
      'encoder.blocks.*.hook_resid_post',
    ];
    const alone = await model.run({ source, target }, { record });
    const changed = await model.run({ source, target: other }, { record });
    // The same beside a longer text of its batch: its source is filled up.
    const real = alone.ids[0];
    const padding = new Array(pads).fill(model.config.pad_token_id);
    const mask = [...real.map(() => 1), ...padding.map(() => 0)];
    const decoderIds = /** @type {number[][]} */ (alone.targetIds);
    const run = await model.run({ ids: [[...real, ...padding]], mask: [mask], decoderIds }, { record });
    const encoder = run.names.filter((name) => name.startsWith('encoder.')).length - 1;
    const memory = run.get(`encoder.blocks.${encoder}.hook_resid_post`);
    const layer = await layerOf(model);
    const options = { causal: true, memoryMask: { shape: [1, 1, 1, mask.length], data: Uint8Array.from(mask) } };
    const through = (/** @type {Tensor} */ x) =>
      wrong === ''
        ? ops.decoderLayer(x, memory, layer, options)
        : mistakes.decoderLayer(x, memory, layer, { ...options, mistake: CORE[wrong] });
    const [one, two] = [run, changed].map((each) => each.get(`${BLOCK}.hook_resid_pre`));
    const rows = Math.min(one.shape[1], two.shape[1]);
    const outputs = [await through(one), await through(two)].map((tensor) => cut(tensor, rows));
    // Weights with what the mistake hides, nothing, from the layer's own queries and keys.
    const unmasked = async (/** @type {string} */ part) => {
      const heads = ['q', 'k', 'v'].map((name) => {
        const { shape, data } = run.get(`${BLOCK}.${part}.hook_${name}`); // [1, N, H, K], which lies as [1, N, H · K] does
        return ops.splitHeads({ shape: [1, shape[1], shape[2] * shape[3]], data }, HEADS);
      });
      const [q, k, v] = await Promise.all(heads);
      return (await ops.attention(q, k, v)).weights;
    };
    return {
      rows,
      patterns: {
        decoder: wrong === 'no-mask' ? await unmasked('attn') : run.get(`${BLOCK}.attn.hook_pattern`),
        cross: wrong === 'no-memory-mask' ? await unmasked('cross_attn') : run.get(`${BLOCK}.cross_attn.hook_pattern`),
      },
      moved: (await ops.largestDifference(outputs[0], outputs[1])).data,
      off: (await ops.largestDifference(outputs[0], cut(alone.get(`${BLOCK}.hook_resid_post`), rows))).data,
      real: real.length,
      tokens: {
        source: [...names(model, source), ...padding.map(() => '<pad>')],
        target: ['<pad>', ...names(model, target).slice(0, -1)],
      },
    };
  },
  picture({ wrong, source, target, last, pads, which, head }, result, set, { theme }) {
    const { rows, patterns, moved, off, real, tokens } = result;
    const cross = which === 'cross';
    const pattern = patterns[which];
    const hidden = (/** @type {number} */ r, /** @type {number} */ c) =>
      cross ? wrong !== 'no-memory-mask' && c >= real : wrong !== 'no-mask' && c > r;
    /** Bars with the decoder's tokens for names. */
    const byRow = (/** @type {string} */ label, /** @type {Float32Array} */ values, /** @type {string} */ role) =>
      bars({ label, bars: rowNames.slice(0, rows).map((name, i) => ({ name, value: values[i], role })) });
    /** @type {string[]} */
    const rowNames = tokens.target;
    return html`<div class="controls">
        ${line({ label: 'source', value: source, lang: 'en', set: (text) => set({ source: text }) })}
        ${line({ label: 'target', value: target, lang: 'es', set: (text) => set({ target: text }) })}
        ${line({ label: 'another last word', value: last, lang: 'es', set: (text) => set({ last: text }) })}
        ${slider({ label: 'padding of the source', value: pads, min: 0, max: 6, unit: 'tokens', set: (n) => set({ pads: n }) })}
      </div>
      <div class="controls">
        ${choice({
          label: 'weights of',
          value: which,
          options: [
            { value: 'decoder', text: 'self-attention' },
            { value: 'cross', text: 'cross-attention' },
          ],
          set: (value) => set({ which: value }),
        })}
        ${choice({ label: 'head', value: head, options: [0, 1, 2, 3].map((h) => ({ value: h, text: String(h) })), set: (h) => set({ head: h }) })}
      </div>
      <div class="line-of">
        ${matrix({
          name: cross ? 'cross-attention' : 'self-attention',
          shape: cross ? 'T × S' : 'T × T',
          tensor: { shape: pattern.shape.slice(2), data: pattern.data },
          at: head,
          rows: rowNames,
          columns: cross ? tokens.source : rowNames,
          kind: 'weights',
          hatched: hidden,
          theme,
        })}
        <div>
          <p class="note">how far each row of the layer’s output moves with the other last word</p>
          ${byRow('how far each row moves', moved, 'query')}
          ${
            off.some((/** @type {number} */ value) => value > 1e-3)
              ? html`<p class="note">how far each row is from the trained layer’s</p>
                  ${byRow('how far each row is off', off, 'accent')}`
              : ''
          }
        </div>
      </div>`;
  },
  caption: html`The two targets differ in their last word only. With the mask, only the last row moves: no row before it
  can know. The first row, &lt;pad&gt;, is the token that this decoder begins with; hatched cells are what a mask hides.
  In the cross-attention that is only the padding of the source: all its words are there. Take more padding: no row
  moves.`,
  mistakes: [
    {
      name: 'no-mask',
      label: 'forget the causal mask',
      says: html`Now every row moves: each has seen the last word. In training such a model reads the answer, and its
      loss falls nearly to zero; when it has to write by itself, the answer is not there.`,
    },
    {
      name: 'no-feed-forward',
      label: 'leave out the feed-forward network',
      says: html`Only the last row moves, as it should, but the rows are not the trained layer’s: one of its three
      sublayers is missing. What is left mixes vectors of positions; nothing works on a vector by itself.`,
    },
    {
      name: 'no-memory-mask',
      label: 'forget the source’s padding',
      says: html`The cross-attention gives weight to tokens that mean nothing, so every row is off, and further off with
      more padding: a translation then depends on how long the other texts of its batch are. Choose the cross-attention
      to see its last columns.`,
    },
  ],
  sources: ['decoder'],
  papers: [
    { text: 'Vaswani et al. 2017, section 3.1', url: 'https://arxiv.org/html/1706.03762v7#S3.SS1' },
    { text: 'Vaswani et al. 2017, section 3.2.3', url: 'https://arxiv.org/html/1706.03762v7#S3.SS2.SSS3' },
  ],
  lab: ({ source, target, which, head }) => ({ model: MODEL, text: source, target, attention: which, layer: 0, head }),
};

/** What the core calls them. @type {Record<string, string>} */
const CORE = { 'no-mask': 'noCausalMask', 'no-feed-forward': 'withoutFeedForward', 'no-memory-mask': 'noMemoryMask' };

/** The first rows of a [1, T, D] tensor. @param {Tensor} tensor @param {number} rows @returns {Tensor} */
function cut({ shape: [, , width], data }, rows) {
  return { shape: [1, rows, width], data: data.subarray(0, rows * width) };
}

/** A text's tokens as they read. @param {Model} model @param {string} text */
function names(model, text) {
  const tokenizer = /** @type {NonNullable<Model['tokenizer']>} */ (model.tokenizer);
  return Array.from(tokenizer.encode(text).ids, (id) =>
    visibleToken(tokenizer.decode([id], { skipSpecial: false }).trim()),
  );
}
