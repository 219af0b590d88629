// Scaled dot-product attention on numbers that can be edited: queries and keys need not be equally many.

import { html } from 'lit';
import { slider, toggle } from './kit/controls.js';
import { equation, fn, frac, inline, op, paren, row, sqrt, sub, sup, tall, v } from './kit/math.js';
import { changed, matrix } from './kit/matrix.js';

const QUERIES = ['it', 'sat'];
const KEYS = ['the', 'cat', 'sat', 'down'];

/** @param {number[][]} rows @returns {import('./kit/types.js').Tensor} */
const of = (rows) => ({ shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flat()) });

const softmax = (/** @type {Parameters<typeof tall>} */ ...parts) => row(fn('softmax'), tall(...parts));

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'scaled-dot-product',
  title: 'Scaled dot-product attention',
  text: html`<p>
      A <dfn>query</dfn> is a vector that asks, a <dfn>key</dfn> a vector that answers to a description, a
      <dfn>value</dfn> what is handed over. The dot product of a query and a key is their <dfn>score</dfn>: large where
      both point the same way. A softmax over each query’s scores gives weights that add up to 1, and the output is the
      sum of the values, each times its weight.
    </p>
    <p>
      Products of longer vectors are larger, and a softmax of large numbers gives nearly everything to one key. Dividing
      by the square root of the key’s width K keeps the scores’ spread the same for every width.
    </p>`,
  equation: equation(
    fn('Attention'),
    paren(v('Q', 'query'), op(','), v('K', 'key'), op(','), v('V', 'value')),
    op('='),
    softmax(frac(row(v('Q', 'query'), sup(v('K', 'key'), v('⊤'))), sqrt(sub(v('d'), v('k'))))),
    v('V', 'value'),
  ),
  symbols: [
    { sign: inline(v('Q', 'query')), shape: 'T × K', means: 'queries, one a row' },
    {
      sign: inline(v('K', 'key')),
      shape: 'S × K',
      means: 'keys, one a row; there may be more or fewer of them than queries',
    },
    { sign: inline(v('V', 'value')), shape: 'S × V', means: 'values, one for each key' },
    {
      sign: inline(sub(v('d'), v('k'))),
      shape: 'number',
      means: 'width of a key, K; not the width of the whole layer',
    },
  ],
  start: {
    wrong: '',
    scaled: true,
    heads: 8,
    chosen: { row: 0, column: 1 },
    q: of([
      [1.2, 2.1, -0.4, 0.6],
      [-0.8, 0.3, 1.9, 1.1],
    ]),
    k: of([
      [0.1, -0.3, 0.2, 0.1],
      [1.5, 1.8, -0.6, 0.2],
      [-0.9, 0.4, 1.6, 1.2],
      [0.3, -1.2, 0.9, 1.4],
    ]),
    v: of([
      [0.1, 0.0],
      [1.0, 0.2],
      [-0.5, 1.0],
      [0.4, 0.8],
    ]),
  },
  async compute({ wrong, scaled, heads, q, k, v }, { ops, mistakes }) {
    const products = (await ops.attention(q, k, v, { scale: 1 })).scores;
    const right = await ops.attention(q, k, v, scaled ? {} : { scale: 1 });
    const dModel = heads * q.shape[1];
    const other = wrong === '' ? null : await mistakes.attention(q, k, v, { mistake: 'scaleByModelWidth', dModel });
    return { products, right, other };
  },
  picture({ wrong, scaled, heads, chosen, q, k, v }, { products, right, other }, set, { theme }) {
    const { row: query, column: key } = chosen;
    const edit =
      (/** @type {'q' | 'k' | 'v'} */ name, /** @type {import('./kit/types.js').Tensor} */ tensor) =>
      (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ value) =>
        set({ [name]: changed(tensor, r * tensor.shape[1] + c, value) });
    const choose = (/** @type {number} */ r, /** @type {number} */ c) => set({ chosen: { row: r, column: c } });
    const table = { rows: QUERIES, columns: KEYS, theme, choose, mark: chosen };
    const shown = other ?? right;
    return html`<div class="controls">
        ${toggle({ label: 'divide by √K', on: scaled, set: (on) => set({ scaled: on }) })}
        ${
          wrong === ''
            ? ''
            : slider({ label: 'heads in the layer', value: heads, min: 1, max: 16, set: (n) => set({ heads: n }) })
        }
      </div>
      <div class="line-of">
        ${matrix({ name: 'Q', role: 'query', shape: 'T × K', tensor: q, rows: QUERIES, theme, edit: edit('q', q), mark: { row: query } })}
        ${matrix({ name: 'K', role: 'key', shape: 'S × K', tensor: k, rows: KEYS, theme, edit: edit('k', k), mark: { row: key } })}
        ${matrix({ name: 'V', role: 'value', shape: 'S × V', tensor: v, rows: KEYS, theme, edit: edit('v', v), mark: { row: key } })}
      </div>
      <div class="line-of">
        ${matrix({ name: 'QKᵀ', shape: 'T × S', tensor: products, ...table })}
        ${matrix({ name: 'scores', shape: 'T × S', tensor: shown.scores, ...table })}
        ${matrix({ name: 'weights', shape: 'T × S', tensor: shown.weights, kind: 'weights', ...table })}
        ${matrix({ name: 'output', shape: 'T × V', tensor: shown.output, rows: QUERIES, theme, mark: { row: query } })}
      </div>
      ${
        other
          ? html`<div class="line-of">
              ${matrix({ name: 'weights as they should be', tensor: right.weights, kind: 'weights', ...table })}
              ${matrix({ name: 'output as it should be', tensor: right.output, rows: QUERIES, theme, mark: { row: query } })}
            </div>`
          : ''
      }`;
  },
  caption: html`Change a number of Q, K or V and follow it to the right. Choose a cell: its query, key and value are
  lit. Without the division the largest score takes more of its row.`,
  mistakes: [
    {
      name: 'd-model',
      label: 'divide by the root of the layer’s width',
      says: html`The layer’s width is H times the head’s: dividing by its root makes scores √H times too small, and the
      weights of a layer with many heads come out flat. More heads, flatter rows.`,
    },
  ],
  sources: ['scaled-dot-product'],
  papers: [{ text: 'Vaswani et al. 2017, section 3.2.1', url: 'https://arxiv.org/abs/1706.03762' }],
  lab: 'model=words&text=the+cat+%5BMASK%5D+on+the+mat&layer=1&head=1&kind=scores',
};
