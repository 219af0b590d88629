// Attention Is All You Need: the three attentions of its encoder–decoder, in a small one that is trained and in single layers of
// the paper's own sizes.

import { html } from 'lit';
import { choice, line, slider } from '../kit/controls.js';
import { matrix } from '../kit/matrix.js';
import { readable } from '../../tokens.js';

/** @typedef {import('../../../engine/index.js').Model} Model */

const MODEL = 'translate';
/** Table 3 of the paper; of these sizes one encoder layer and one decoder layer are made here, with random weights. */
const SIZES = {
  base: { layers: 6, width: 512, inner: 2048, heads: 8 },
  big: { layers: 6, width: 1024, inner: 4096, heads: 16 },
};
const PARTS = [
  { name: 'encoder, to itself', hook: 'encoder.blocks.0.attn.hook_pattern' },
  { name: 'decoder, to itself', hook: 'decoder.blocks.0.attn.hook_pattern' },
  { name: 'decoder, to the encoder', hook: 'decoder.blocks.0.cross_attn.hook_pattern' },
];

/** Post-norm, ReLU, sinusoids, no biases in the attention: as the paper has it. @param {keyof typeof SIZES} size @param {number} vocabulary */
const config = (size, vocabulary) => ({
  model_type: 'glassformer',
  architectures: ['GlassformerForConditionalGeneration'],
  vocab_size: vocabulary,
  hidden_size: SIZES[size].width,
  intermediate_size: SIZES[size].inner,
  num_attention_heads: SIZES[size].heads,
  num_hidden_layers: 1,
  num_decoder_layers: 1,
  hidden_act: 'relu',
  norm_first: false,
  attention_bias: false,
  position_embedding_type: 'sinusoidal',
  max_position_embeddings: 64,
});

/** Every token its number among those that occur, for models without a vocabulary. @param {number[]} ids */
function numbered(ids) {
  const known = [...new Set(ids)];
  return {
    vocabulary: known.length + 1,
    of: (/** @type {number[]} */ some) => some.map((id) => known.indexOf(id) + 1),
  };
}

/** @param {any} state @param {import('../kit/types.js').Core} core @param {import('../kit/types.js').Waiting} waiting */
export async function compute({ source, target, size }, { create, model: open }, { progress }) {
  const trained = await open(MODEL);
  const record = PARTS.map(({ hook }) => hook);
  const first = await trained.run({ source, target }, { record });
  const targetIds = /** @type {number[][]} */ (first.targetIds)[0];
  const names = (/** @type {number[]} */ ids, /** @type {string[]} */ tokens) =>
    tokens.map((token, i) => readable(trained.tokenizer, ids[i], token).replace(/^␣/, ''));
  const tokens = {
    source: names(first.ids[0], first.tokens[0]),
    target: names(targetIds, /** @type {string[][]} */ (first.targetTokens)[0]),
  };
  const patterns = (/** @type {import('../../../engine/index.js').Run} */ run) => record.map((name) => run.get(name));
  if (size === MODEL) {
    const { encoder_layers, d_model, encoder_ffn_dim, encoder_attention_heads } = trained.config;
    const own = { layers: encoder_layers, width: d_model, inner: encoder_ffn_dim, heads: encoder_attention_heads };
    return { tokens, patterns: patterns(first), own, made: null };
  }
  progress(`making layers of ${size} …`);
  const { vocabulary, of } = numbered([...first.ids[0], ...targetIds]);
  const model = await create(config(size, vocabulary), { seed: 1 });
  const run = await model.run({ ids: [of(first.ids[0])], decoderIds: [of(targetIds)] }, { record });
  const layers = model.parameters().filter(({ name }) => /layers?\.0\./.test(name));
  const made = layers.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  model.dispose();
  return { tokens, patterns: patterns(run), own: SIZES[/** @type {keyof typeof SIZES} */ (size)], made };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ source, target, size, head }, { tokens, patterns, own, made }, set, { theme }) {
  const heads = patterns[0].shape[1];
  const at = Math.min(head, heads - 1);
  const sides = [
    { rows: tokens.source, columns: tokens.source },
    { rows: tokens.target, columns: tokens.target },
    { rows: tokens.target, columns: tokens.source },
  ];
  return html`<div class="controls">
      ${choice({
        label: 'size',
        value: size,
        options: [
          { value: MODEL, text: 'small, trained' },
          { value: 'base', text: 'base' },
          { value: 'big', text: 'big' },
        ],
        set: (value) => set({ size: value }),
      })}
      ${slider({ label: 'head', value: at, min: 0, max: heads - 1, set: (value) => set({ head: value }) })}
      ${line({ label: 'source', value: source, lang: 'en', set: (text) => set({ source: text }) })}
      ${line({ label: 'target', value: target, lang: 'es', set: (text) => set({ target: text }) })}
    </div>
    <p class="note">
      N = <span class="num">${own.layers}</span> layers, D = <span class="num">${own.width}</span>, F =
      <span class="num">${own.inner}</span>, H = <span class="num">${own.heads}</span> heads${
        made === null
          ? ''
          : html`; one encoder and one decoder layer of it are made here, with
              <span class="num">${made.toLocaleString('en')}</span> random weights`
      }
    </p>
    <div class="line-of">
      ${PARTS.map(({ name }, i) =>
        matrix({
          name,
          shape: i === 2 ? 'T × S' : i === 1 ? 'T × T' : 'S × S',
          tensor: patterns[i],
          at,
          kind: 'weights',
          hatched: (r, c) => i === 1 && c > r,
          ...sides[i],
          theme,
        }),
      )}
    </div>`;
}
