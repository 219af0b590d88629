// The papers behind the course, as attention variants on the same input: full attention, LSH attention, projected keys and values.

import { html } from 'lit';
import { button, choice, line, slider } from './kit/controls.js';
import { equation, fn, inline, op, paren, row, sub, sup, tall, frac, sqrt, v, words } from './kit/math.js';
import { matrix } from './kit/matrix.js';
import { strip } from './kit/strip.js';

/** @typedef {import('../../engine/index.js').Model} Model */
/** @typedef {import('./kit/types.js').Tensor} Tensor */

const MODEL = 'words';
const LAYER = 1;

/** [1, T, H, K] → [1, H, T, K]. @param {Tensor} tensor @returns {Tensor} */
function byHead({ shape: [batch, length, heads, width], data }) {
  const out = new Float32Array(data.length);
  for (let t = 0; t < length; t++)
    for (let h = 0; h < heads; h++)
      out.set(data.subarray((t * heads + h) * width, (t * heads + h + 1) * width), (h * length + t) * width);
  return { shape: [batch, heads, length, width], data: out };
}

/** Means of stretches of neighbouring positions: k × S, each row adds up to 1. @param {number} k @param {number} length @returns {Tensor} */
function stretches(k, length) {
  const data = new Float32Array(k * length);
  for (let r = 0; r < k; r++) {
    const [from, to] = [
      Math.floor((r * length) / k),
      Math.max(Math.floor(((r + 1) * length) / k), Math.floor((r * length) / k) + 1),
    ];
    for (let s = from; s < to; s++) data[r * length + s] = 1 / (to - from);
  }
  return { shape: [k, length], data };
}

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'papers',
  title: 'Papers, and cheaper attention',
  text: html`<p>
      <cite>Attention Is All You Need</cite> put the pieces of this course together. <dfn>BERT</dfn> keeps the encoder,
      adds a vector for the segment and predicts words that were hidden. <cite>Training Tips</cite> measured what
      training needs. Hugging Face’s <cite>Transformers</cite> made checkpoints that open everywhere, here too.
    </p>
    <p>
      Full attention makes T × S weights. <dfn>Reformer</dfn> sorts vectors into buckets by random directions (<dfn
        >locality-sensitive hashing</dfn
      >) and lets each look into its own; its layers can be run backwards, so that activations need not be kept.
      <dfn>Linformer</dfn> mixes the S keys and values into k first.
    </p>`,
  equation: html`${equation(words('Linformer:\u2002'), fn('softmax'), tall(frac(row(v('Q', 'query'), sup(paren(v('E', 'accent'), v('K', 'key')), v('⊤'))), sqrt(sub(v('d'), v('k'))))), v('F', 'accent'), v('V', 'value'))}
  ${equation(words('LSH:\u2002'), fn('bucket'), paren(v('x')), op('='), fn('argmax'), paren(v('x'), v('R', 'accent'), op(';'), op('−'), v('x'), v('R', 'accent')))}`,
  symbols: [
    {
      sign: inline(v('E', 'accent'), op(','), v('F', 'accent')),
      shape: 'k × S',
      means: 'what keys and values are mixed by; learned in the paper, means of neighbours in this figure',
    },
    { sign: inline(v('R', 'accent')), shape: 'K × buckets/2', means: 'random directions' },
  ],
  start: {
    wrong: '',
    text: 'the cat sat on the mat',
    head: 1,
    variant: 'lsh',
    buckets: 4,
    hashes: 1,
    seed: 1,
    k: 4,
  },
  async compute({ text, head, variant, buckets, hashes, seed, k }, { ops, model: open }) {
    /** @type {Model} */
    const model = await open(MODEL);
    const names = ['q', 'k', 'v'].map((name) => `blocks.${LAYER}.attn.hook_${name}`);
    const run = await model.run(text, { record: names });
    const [q, keys, values] = names.map((name) => byHead(run.get(name)));
    // LSH attention has queries and keys in one: full attention beside it takes the queries for both, as it does.
    const shared = variant === 'lsh';
    const [, , length] = q.shape;
    const full = shared
      ? await ops.lshAttention(q, values, { buckets: 1, hashes: 1, seed })
      : await ops.attention(q, keys, values);
    const mixing = stretches(Math.min(k, length), length);
    const cheap = shared
      ? await ops.lshAttention(q, values, { buckets, hashes, seed })
      : await ops.linformerAttention(q, keys, values, { e: mixing });
    let most = 0;
    full.output.data.forEach((value, i) => (most = Math.max(most, Math.abs(value - cheap.output.data[i]))));
    return {
      variant,
      full,
      cheap,
      mixing,
      tokens: run.tokens[0],
      heads: q.shape[1],
      most,
      head: Math.min(head, q.shape[1] - 1),
    };
  },
  picture(
    { text, head, variant, buckets, hashes, seed, k },
    { variant: did, full, cheap, mixing, tokens, heads, most, head: shown },
    set,
    { theme },
  ) {
    const length = tokens.length;
    const table = { at: shown, rows: tokens, columns: tokens, kind: /** @type {const} */ ('weights'), theme };
    const places =
      did === 'lsh'
        ? Array.from(
            cheap.buckets.data.subarray(
              shown * cheap.buckets.shape[2] * length,
              (shown * cheap.buckets.shape[2] + 1) * length,
            ),
          )
        : [];
    return html`<div class="controls">
        ${line({ label: 'text', value: text, lang: 'en', set: (words) => set({ text: words }) })}
        ${choice({
          label: 'beside full attention',
          value: variant,
          options: [
            { value: 'lsh', text: 'LSH (Reformer)' },
            { value: 'linformer', text: 'projected keys (Linformer)' },
          ],
          set: (value) => set({ variant: value }),
        })}
      </div>
      <div class="controls">
        ${slider({ label: 'head', value: Math.min(head, heads - 1), min: 0, max: heads - 1, set: (value) => set({ head: value }) })}
        ${
          variant === 'lsh'
            ? html`${slider({ label: 'buckets', value: buckets, min: 2, max: 8, step: 2, set: (value) => set({ buckets: value }) })}
              ${slider({ label: 'rounds of hashing', value: hashes, min: 1, max: 8, set: (value) => set({ hashes: value }) })}
              ${button({ label: 'other directions', press: () => set({ seed: seed + 1 }) })}`
            : slider({ label: 'k', value: k, min: 1, max: 13, set: (value) => set({ k: value }) })
        }
      </div>
      <div class="line-of">
        ${matrix({ name: did === 'lsh' ? 'full attention, queries as keys' : 'full attention', shape: 'T × S', tensor: full.weights, ...table })}
        ${matrix({ name: did === 'lsh' ? 'LSH attention' : 'what the projection amounts to', shape: 'T × S', tensor: cheap.weights, ...table })}
      </div>
      ${
        did === 'lsh'
          ? html`<div class="line-of">
              ${matrix({ name: 'buckets of the first round', shape: '1 × T', tensor: { shape: [1, length], data: Float32Array.from(places) }, columns: tokens, digits: 0, theme })}
            </div>`
          : html`<div class="line-of">
              ${strip({ name: 'E: how keys are mixed', shape: 'k × S', tensor: mixing, kind: 'weights', column: 'position', theme })}
            </div>`
      }
      <p class="note">
        largest difference of the two outputs, all heads: <span class="num">${most.toPrecision(3)}</span>
      </p>`;
  },
  caption: html`Take more rounds of hashing and LSH attention comes nearer to full attention (in both, keys are the
  queries brought to length 1, and a token looks at itself only when there is nobody else); with k as large as the text,
  the projection loses nothing. The matrix is drawn to be looked at: neither method makes it when it works.`,
  mistakes: [],
  sources: ['lsh', 'linformer', 'reversible'],
  papers: [
    { text: 'Vaswani et al. 2017', url: 'https://arxiv.org/abs/1706.03762' },
    { text: 'Devlin et al. 2019', url: 'https://arxiv.org/abs/1810.04805' },
    { text: 'Wolf et al. 2020', url: 'https://arxiv.org/abs/1910.03771' },
    { text: 'Popel and Bojar 2018', url: 'https://arxiv.org/abs/1804.00247' },
    { text: 'Kitaev et al. 2020, section 2', url: 'https://arxiv.org/abs/2001.04451' },
    { text: 'Wang et al. 2020, section 4', url: 'https://arxiv.org/abs/2006.04768' },
  ],
  lab: 'model=words&text=the+cat+sat+on+the+mat&layer=1&head=1',
};
