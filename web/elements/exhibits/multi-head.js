// Several heads side by side, in a trained model: vectors are split among them, each attends by itself, and what they gather is joined
// and projected. The other sentence of cross-attention is its translation.

import { html } from 'lit';
import { AttentionHeatmap } from '../attention-heatmap.js';
import { define } from '../base.js';
import { readable } from '../tokens.js';
import { choice, line, slider } from './kit/controls.js';
import { rowOf, shaped } from './kit/given.js';
import { equation, fn, inline, n, op, paren, row, sub, sup, v, words } from './kit/math.js';
import { matrix } from './kit/matrix.js';
import { colorBar, picture as cells } from './kit/picture.js';
import { pieces } from './kit/pieces.js';

/** @typedef {import('./kit/types.js').Tensor} Tensor */

define('attention-heatmap', AttentionHeatmap);

/** Larger matrices are drawn by the heatmap, which shows what fits and has a lens. */
const MOST_ROWS = 16;
const MOST_COLUMNS = 10;

/** Where each kind of attention is found: the model, the hooks of a layer, and what norms the vectors before it. */
const KINDS = {
  self: {
    model: 'topics',
    part: (/** @type {number} */ l) => `blocks.${l}.attn`,
    into: 'hook_resid_pre',
    out: 'hook_attn_out',
    norm: null,
  },
  cross: {
    model: 'translate',
    part: (/** @type {number} */ l) => `decoder.blocks.${l}.cross_attn`,
    into: 'hook_resid_mid',
    out: 'hook_cross_attn_out',
    norm: (/** @type {number} */ l) => `model.decoder.layers.${l}.self_attn_layer_norm`,
  },
};

const headOf = (/** @type {import('./kit/math.js').Part} */ index) => sub(fn('head'), index);

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'multi-head',
  title: 'Several heads',
  text: html`<p>
      One softmax gives each word one way to share out its attention. <dfn>Multi-head attention</dfn> does several at
      once: queries, keys and values of width D are cut into H pieces of width K = D ÷ H, each <dfn>head</dfn> attends
      with its own piece, and the outputs are joined to width D again and projected once more, which mixes the heads. It
      costs as much as one head of the full width.
    </p>
    <p>
      In <dfn>cross-attention</dfn> queries come from one sentence, keys and values from another, of any other length:
      so a translation looks at its source. The heads below are those of trained models. Their weights say what was
      mixed, not why.
    </p>`,
  equation: equation(
    sub(fn('head'), v('h')),
    op('='),
    row(
      fn('Attention'),
      paren(sub(v('Q', 'query'), v('h')), op(','), sub(v('K', 'key'), v('h')), op(','), sub(v('V', 'value'), v('h'))),
    ),
    op(','),
    v('Z'),
    op('='),
    row(paren(headOf(n(0)), words(' … '), headOf(row(v('H'), op('−'), n(1)))), sup(v('W'), v('O'))),
  ),
  symbols: [
    { sign: inline(v('H')), shape: 'number', means: 'heads' },
    {
      sign: inline(sub(v('Q', 'query'), v('h'))),
      shape: 'T × K',
      means: 'columns of Q that belong to head h; likewise of K (S × K) and V (S × K)',
    },
    { sign: inline(sub(fn('head'), v('h'))), shape: 'T × K', means: 'what head h gathers' },
    { sign: inline(sup(v('W'), v('O'))), shape: 'D × D', means: 'projection of the joined heads' },
    { sign: inline(v('Z')), shape: 'T × D', means: 'output' },
  ],
  start: {
    wrong: '',
    kind: 'self',
    layer: 0,
    head: 0,
    row: 2,
    text: 'The cat sat on the mat',
    target: 'El gato se sentó en la alfombra.',
  },
  async compute({ wrong, kind, layer, text, target }, { model, ops, mistakes }) {
    const at = KINDS[/** @type {keyof typeof KINDS} */ (kind)];
    const part = at.part(layer);
    const block = part.slice(0, part.lastIndexOf('.'));
    const record = [`${part}.*`, `${block}.${at.into}`, `${block}.${at.out}`];
    const input = kind === 'self' ? text : { source: text, target };
    const trained = await model(at.model);
    const run = await trained.run(input, { record });
    const get = (/** @type {string} */ name) => run.get(`${part}.${name}`);
    const pattern = get('hook_pattern');
    const read = (/** @type {number[]} */ ids, /** @type {string[]} */ tokens) =>
      tokens.map((token, i) => readable(trained.tokenizer, ids[i], token).replace(/^␣/, ''));
    const norm = at.norm?.(layer);
    const stream = run.get(`${block}.${at.into}`);
    const learned = norm && {
      weight: await trained.parameter(`${norm}.weight`),
      bias: await trained.parameter(`${norm}.bias`),
    };
    const result = {
      keys: read(run.ids[0], run.tokens[0]),
      queries:
        run.targetTokens && run.targetIds
          ? read(run.targetIds[0], run.targetTokens[0])
          : read(run.ids[0], run.tokens[0]),
      heads: pattern.shape[1],
      x: learned ? await ops.layerNorm(stream, learned) : stream,
      q: flat(get('hook_q')),
      z: flat(get('hook_z')),
      out: run.get(`${block}.${at.out}`),
      pattern,
      flat: null,
      mean: null,
      lost: null,
    };
    if (wrong === 'mean') {
      const { weights, lost } = await mistakes.averageHeads(pattern);
      return { ...result, mean: weights, lost };
    }
    if (wrong === 'd-model') {
      const [q, k, v] = await Promise.all(
        ['hook_q', 'hook_k', 'hook_v'].map((name) => ops.splitHeads(flat(get(name)), result.heads)),
      );
      const options = { mistake: 'scaleByModelWidth', dModel: result.x.shape[2] };
      return { ...result, flat: (await mistakes.attention(q, k, v, options)).weights };
    }
    return result;
  },
  picture(state, { queries, keys, heads, x, q, z, out, pattern, flat: flattened, mean, lost }, set, { theme, room }) {
    const { kind, layer } = state;
    const head = Math.min(state.head, heads - 1);
    const query = Math.min(state.row, queries.length - 1);
    const width = x.shape[2];
    const choose = (/** @type {number} */ n) => set({ head: n });
    const vector = (/** @type {string} */ name, /** @type {Tensor} */ tensor, split = true) =>
      pieces({
        name,
        shape: String(width),
        vector: rowOf(tensor, query),
        theme,
        ...(split ? { heads, head, choose } : {}),
      });
    const weights = (/** @type {string} */ name, /** @type {Tensor} */ tensor, /** @type {number} */ at) =>
      large({ name, tensor, at, queries, keys, query, theme, choose: (r) => set({ row: r }) });
    const shown = flattened ?? pattern;
    const small = Math.min(128, (room - 24) / 4);
    return html`<div class="controls">
        ${choice({
          label: 'attention',
          value: kind,
          options: [
            { value: 'self', text: 'of a sentence to itself' },
            { value: 'cross', text: 'of a translation to its source' },
          ],
          set: (value) => set({ kind: value }),
        })}
        ${slider({ label: 'layer', value: layer, min: 0, max: 2, set: (value) => set({ layer: value }) })}
        ${slider({ label: 'word', value: query, min: 0, max: queries.length - 1, write: (n) => queries[n], set: (value) => set({ row: value }) })}
        ${line({ label: kind === 'self' ? 'sentence' : 'source', value: state.text, lang: 'en', set: (value) => set({ text: value }) })}
        ${kind === 'cross' ? line({ label: 'translation', value: state.target, lang: 'es', set: (value) => set({ target: value }) }) : ''}
      </div>
      ${vector(`x of “${queries[query]}”`, x, false)} ${vector('its query, split among the heads', q)}
      <div class="line-of heads">
        <ul class="thumbnails">
          ${Array.from(
            { length: heads },
            (_, h) =>
              html`<li>
                <button type="button" aria-pressed=${h === head} @click=${() => choose(h)}>
                  <span class="head-name head-${h % 4}">head ${h}</span>
                  ${cells({
                    label: `weights of head ${h}`,
                    tensor: shown,
                    at: h,
                    kind: 'weights',
                    width: small,
                    height: small,
                    theme,
                    mark: { row: query },
                  })}
                </button>
              </li>`,
          )}
        </ul>
        ${weights(`head ${head}${shown === pattern ? '' : ', divided by √D'}`, shown, head)}
        ${flattened ? weights(`head ${head} as it should be`, pattern, head) : ''}
        ${lost ? html`${weights('mean of the heads', mean, 0)} ${weights('largest distance of a head from it', lost, 0)}` : ''}
      </div>
      ${colorBar({ kind: 'weights', theme })} ${vector('what the heads gathered, joined', z)}
      ${vector('after the projection, each number mixed from all heads', out, false)}`;
  },
  caption: html`Choose a head by its picture or by its columns, and a word by a row of the weights. In layer 0 of the
  sentence’s model head 0 gives nearly all to the first token; the others share out more. Change the attention to that
  of a translation: the rows are then its words, the columns those of the source.`,
  mistakes: [
    {
      name: 'mean',
      label: 'keep only the mean of the heads',
      says: html`Many programs return the weights averaged over the heads, or throw them away. A head that looks at one
      word and another that looks elsewhere become one pale picture that no head ever had. The last picture shows how
      far the head most unlike the mean is from it, cell by cell.`,
    },
    {
      name: 'd-model',
      label: 'divide by √D instead of √K',
      says: html`Each head’s products are sums of K numbers, not of D. Dividing by the root of the layer’s width makes
      the scores √H times too small, here by half, and every row flatter than what the model was trained with.`,
    },
  ],
  sources: ['multi-head', 'scaled-dot-product'],
  papers: [{ text: 'Vaswani et al. 2017, section 3.2.2', url: 'https://arxiv.org/html/1706.03762v7#S3.SS2.SSS2' }],
  lab: ({ kind, layer, head, text, target }) =>
    kind === 'self'
      ? { model: 'topics', text, layer, head }
      : { model: 'translate', text, target, attention: 'cross', layer, head },
};

/** Heads side by side again: [B, N, H, K] lies in memory as [B, N, H · K] does. @param {Tensor} tensor @returns {Tensor} */
function flat(tensor) {
  const [batch, length, heads, width] = tensor.shape;
  return shaped(tensor, [batch, length, heads * width]);
}

/**
 * Weights with numbers where there is room for them.
 * @param {{ name: string, tensor: Tensor, at: number, queries: string[], keys: string[], query: number,
 *   theme: import('./kit/types.js').Theme, choose: (row: number) => void }} of
 */
function large({ name, tensor, at, queries, keys, query, theme, choose }) {
  if (queries.length <= MOST_ROWS && keys.length <= MOST_COLUMNS)
    return matrix({
      name,
      shape: 'T × S',
      tensor,
      at,
      kind: 'weights',
      rows: queries,
      columns: keys,
      theme,
      mark: { row: query },
      choose,
    });
  const size = queries.length * keys.length;
  return html`<div class="large">
    <p class="name"><b>${name}</b></p>
    <attention-heatmap
      .data=${{ shape: [queries.length, keys.length], data: tensor.data.subarray(at * size, (at + 1) * size) }}
      .queries=${queries}
      .keys=${keys}
    ></attention-heatmap>
  </div>`;
}
