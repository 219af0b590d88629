// A decoder layer of a trained model: its two attentions, and what its mask keeps from it.

import { html } from 'lit';
import { choice, line } from './kit/controls.js';
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

/** How far each row of two [1, T, D] tensors is apart: the largest difference. @param {Tensor} a @param {Tensor} b */
function apart(a, b) {
  const [, rows, width] = a.shape;
  return Array.from({ length: rows }, (_, r) => {
    let most = 0;
    for (let i = r * width; i < (r + 1) * width; i++) most = Math.max(most, Math.abs(a.data[i] - b.data[i]));
    return most;
  });
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
    which: 'decoder',
    head: 0,
  },
  async compute({ wrong, source, target, last }, { ops, mistakes, model: open }) {
    /** @type {Model} */
    const model = await open(MODEL);
    const words = target.trim().split(/\s+/);
    const other = [...words.slice(0, -1), last].join(' ');
    const record = [
      `${BLOCK}.hook_resid_pre`,
      `${BLOCK}.hook_resid_post`,
      `${BLOCK}.attn.hook_pattern`,
      `${BLOCK}.cross_attn.hook_pattern`,
      'encoder.blocks.*.hook_resid_post',
    ];
    const run = await model.run({ source, target }, { record });
    const changed = await model.run({ source, target: other }, { record });
    const encoder = run.names.filter((name) => name.startsWith('encoder.')).length - 1;
    const memory = run.get(`encoder.blocks.${encoder}.hook_resid_post`);
    const layer = await layerOf(model);
    const through = (/** @type {Tensor} */ x) => {
      if (wrong === 'no-mask')
        return mistakes.decoderLayer(x, memory, layer, { causal: true, mistake: 'noCausalMask' });
      if (wrong === 'no-feed-forward')
        return mistakes.decoderLayer(x, memory, layer, { causal: true, mistake: 'withoutFeedForward' });
      return ops.decoderLayer(x, memory, layer, { causal: true });
    };
    const [one, two] = [run, changed].map((each) => each.get(`${BLOCK}.hook_resid_pre`));
    const rows = Math.min(one.shape[1], two.shape[1]);
    const outputs = [await through(one), await through(two)].map((tensor) => cut(tensor, rows));
    return {
      run,
      rows,
      moved: apart(outputs[0], outputs[1]),
      off: apart(outputs[0], cut(run.get(`${BLOCK}.hook_resid_post`), rows)),
      tokens: { source: names(model, source), target: ['<pad>', ...names(model, target).slice(0, -1)] },
    };
  },
  picture({ source, target, last, which, head }, { run, rows, moved, off, tokens }, set, { theme }) {
    const cross = which === 'cross';
    const pattern = run.get(`${BLOCK}.${cross ? 'cross_attn' : 'attn'}.hook_pattern`);
    /** @type {string[]} */
    const rowNames = tokens.target;
    return html`<div class="controls">
        ${line({ label: 'source', value: source, lang: 'en', set: (text) => set({ source: text }) })}
        ${line({ label: 'target', value: target, lang: 'es', set: (text) => set({ target: text }) })}
        ${line({ label: 'another last word', value: last, lang: 'es', set: (text) => set({ last: text }) })}
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
          hatched: (r, c) => !cross && c > r,
          theme,
        })}
        <div>
          <p class="note">how far each row of the layer’s output moves with the other last word</p>
          ${bars({ label: 'how far each row moves', bars: rowNames.slice(0, rows).map((name, i) => ({ name, value: moved[i], role: 'query' })) })}
          ${
            off.some((/** @type {number} */ value) => value > 1e-3)
              ? html`<p class="note">how far each row is from the trained layer’s</p>
                  ${bars({ label: 'how far each row is off', bars: rowNames.slice(0, rows).map((name, i) => ({ name, value: off[i], role: 'accent' })) })}`
              : ''
          }
        </div>
      </div>`;
  },
  caption: html`The two targets differ in their last word only. With the mask, only the last row moves: no row before it
  can know. The first row, &lt;pad&gt;, is the token that this decoder begins with; hatched cells are what the mask
  hides. In the cross-attention nothing is hidden: the whole source is there.`,
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
      says: html`Rows still move as they should, but they are not the trained layer’s: a third of its work is missing,
      and all that attention can do is mix.`,
    },
  ],
  sources: ['decoder'],
  papers: [{ text: 'Vaswani et al. 2017, sections 3.1 and 3.2.3', url: 'https://arxiv.org/abs/1706.03762' }],
  lab: 'model=translate&text=He+said+to+them%2C+Where+is+your+faith%3F&target=Y+les+dijo%3A+%C2%BFD%C3%B3nde+est%C3%A1&attention=decoder&layer=0&head=0',
};

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
