// The cache of keys and values, measured: work and bytes of each step with and without it, and equal texts.

import { html } from 'lit';
import { line, slider } from './kit/controls.js';
import { equation, fn, inline, op, paren, row, sub, v } from './kit/math.js';
import { matrix } from './kit/matrix.js';
import { plot } from './kit/plot.js';
import { writeNumber, visibleToken } from '../../view/index.js';

/** @typedef {import('../../engine/index.js').Model} Model */
/** @typedef {import('../../engine/index.js').GenerateStep} Step */
/** @typedef {import('./kit/types.js').Tensor} Tensor */

const MODEL = 'austen';
/** Queries and keys as they meet: this model turns them by their positions first. */
const HOOKS = {
  q: 'blocks.0.attn.hook_rot_q',
  k: 'blocks.0.attn.hook_rot_k',
  v: 'blocks.0.attn.hook_v',
  pattern: 'blocks.0.attn.hook_pattern',
};
/** Rows of the weights that are drawn at most: the first ones, which see none of the others. */
const SHOWN = 10;

/** One head of a [1, T, H, K] tensor, the first rows of it, as [rows, K]. @param {Tensor} tensor @param {number} head @param {number} most @returns {Tensor} */
function headRows({ shape: [, length, heads, width], data }, head, most) {
  const rows = Math.min(length, most);
  const out = new Float32Array(rows * width);
  for (let t = 0; t < rows; t++) {
    const at = (t * heads + head) * width;
    out.set(data.subarray(at, at + width), t * width);
  }
  return { shape: [rows, width], data: out };
}

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'caching',
  title: 'The cache of keys and values',
  text: html`<p>
      When a decoder writes, the tokens before do not change, and neither do their keys and values: with a causal mask
      they depend on nothing that comes later. A <dfn>KV cache</dfn> keeps them. Each step then computes one token’s
      query, key and value, and attends to what is kept.
    </p>
    <p>
      Without it, step t computes all t tokens anew. The cache costs memory: two vectors for each token, layer and key
      head. It is bounded by the model’s positions, counted in bytes, and begun anew with every text.
    </p>`,
  equation: equation(
    fn('bytes'),
    op('='),
    v('2'),
    op('·'),
    v('L'),
    op('·'),
    v('T'),
    op('·'),
    sub(v('H', 'key'), v('kv')),
    op('·'),
    v('K', 'key'),
    op('·'),
    v('4'),
    op('  '),
    row(paren(v('keys'), op('and'), v('values'), op(','), v('32 bits'))),
  ),
  symbols: [
    { sign: inline(v('L')), shape: 'number', means: 'layers' },
    { sign: inline(v('T')), shape: 'number', means: 'tokens that there is room for' },
    {
      sign: inline(sub(v('H', 'key'), v('kv'))),
      shape: 'number',
      means: 'key heads; fewer than query heads in Llama and others',
    },
    { sign: inline(v('K', 'key')), shape: 'number', means: 'width of a head' },
  ],
  start: { wrong: '', text: 'She had never been so', steps: 12, head: 0 },
  async compute({ wrong, text, steps, head }, { ops, mistakes, model: open }, { signal, progress }) {
    /** @type {Model} */
    const model = await open(MODEL);
    const write = async (/** @type {boolean} */ cache) => {
      /** @type {Step[]} */
      const all = [];
      for await (const step of model.generate(
        text,
        /** @type {any} */ ({ maxNewTokens: steps, doSample: false, cache, signal }),
      )) {
        all.push(step);
        if (all.length % 10 === 0) progress(`${cache ? 'with' : 'without'} the cache: ${all.length} tokens …`);
      }
      return all;
    };
    const [kept, anew] = [await write(true), await write(false)];
    const run = await model.run(text, { record: Object.values(HOOKS) });
    const heads = run.get(HOOKS.pattern).shape[1];
    const h = Math.min(head, heads - 1);
    const [q, k, v] = [HOOKS.q, HOOKS.k, HOOKS.v].map((name) => headRows(run.get(name), h, SHOWN));
    const right = await ops.attention(q, k, v, { causal: true });
    const other = wrong === '' ? null : await mistakes.attention(q, k, v, { causal: true, mistake: 'cachedByKeys' });
    const tokenizer = /** @type {NonNullable<Model['tokenizer']>} */ (model.tokenizer);
    const names = Array.from(run.ids[0], (id) => visibleToken(tokenizer.decode([id]).trim())).slice(0, SHOWN);
    return { kept, anew, right, other, names, heads, text: [text, ...kept.map((step) => step.text)].join('') };
  },
  picture({ text, steps, head }, { kept, anew, right, other, names, heads, text: whole }, set, { theme, room }) {
    const work = (/** @type {any[]} */ list) => list.map((step, i) => [i + 1, step.macs / 1e6]);
    const total = (/** @type {any[]} */ list) => list.reduce((sum, { macs }) => sum + macs, 0);
    const same = kept.every((/** @type {Step} */ step, /** @type {number} */ i) => step.id === anew[i].id);
    const last = kept[kept.length - 1];
    return html`<div class="controls">
        ${line({ label: 'beginning', value: text, lang: 'en', set: (words) => set({ text: words }) })}
        ${slider({ label: 'tokens to write', value: steps, min: 2, max: 40, set: (value) => set({ steps: value }) })}
      </div>
      <p class="written" lang="en">${whole}</p>
      ${plot({
        label: `multiply-adds of each step: ${Math.round(total(kept) / 1e6)} million in all with the cache, ${Math.round(total(anew) / 1e6)} million without`,
        lines: [
          { name: 'with the cache', points: /** @type {[number, number][]} */ (work(kept)), role: 'accent' },
          { name: 'without', points: /** @type {[number, number][]} */ (work(anew)) },
        ],
        x: 'step',
        y: 'million multiply-adds',
        room,
        height: 160,
      })}
      <p class="note">
        ${same ? 'Both wrote the same tokens.' : 'The texts differ.'} Work in all:
        <span class="num">${(total(kept) / 1e6).toFixed(0)}</span> with and
        <span class="num">${(total(anew) / 1e6).toFixed(0)}</span> million multiply-adds without the cache, which holds
        <span class="num">${writeNumber(last.cacheBytes / 1024, 0)}</span> KiB.
      </p>
      <div class="line-of">
        ${matrix({
          name: other ? 'weights kept by the keys alone' : 'weights of the beginning, layer 0',
          shape: 'T × S',
          tensor: (other ?? right).weights,
          rows: names,
          columns: names,
          kind: 'weights',
          hatched: (r, c) => c > r,
          theme,
        })}
        ${slider({ label: 'head', value: Math.min(head, heads - 1), min: 0, max: heads - 1, set: (value) => set({ head: value }) })}
      </div>`;
  },
  caption: html`Write more tokens: with the cache every step costs nearly the same; without it the line climbs, and the
  sum grows with the square of the length. The first step reads the beginning in both.`,
  mistakes: [
    {
      name: 'cached-by-keys',
      label: 'cache the weights by the keys',
      says: html`Weights belong to a query and its keys. Looked up by the keys alone, the first query’s weights come
      back for all the others: every row is the first one.`,
    },
  ],
  sources: ['cache', 'generation'],
  papers: [{ text: 'Shazeer 2019, section 2.4, on incremental decoding', url: 'https://arxiv.org/abs/1911.02150' }],
  lab: ({ text, steps, head }) => ({ model: MODEL, text, layer: 0, head, length: steps }),
};
