// Self-attention with one head, from the vectors of a sentence to their mixtures. All numbers that go in can be edited.

import { html } from 'lit';
import { writeNumber } from '../../view/index.js';
import { choice, slider } from './kit/controls.js';
import { given, transposed } from './kit/given.js';
import { equation, fn, frac, inline, op, row, sqrt, sub, sup, tall, v } from './kit/math.js';
import { changed, matrix, writeShort } from './kit/matrix.js';

const WORDS = ['The', 'cat', 'sat', 'on', 'the', 'mat'];
/** What the columns of the vectors stand for; in a trained model nobody has named them. */
const TRAITS = ['thing', 'deed', 'place'];

const Q = v('Q', 'query');
const K = v('K', 'key');
const V = v('V', 'value');

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'self-attention',
  title: 'Self-attention',
  text: html`<p>
      A model reads words as <dfn>vectors</dfn>, rows of numbers. <dfn>Attention</dfn> lets each row gather from the
      others what it needs. Three <dfn>projections</dfn>, matrices that are learned, make three things of each row: a
      <dfn>query</dfn>, what it looks for; a <dfn>key</dfn>, what it can be found by; and a <dfn>value</dfn>, what it
      hands over.
    </p>
    <p>
      The <dfn>score</dfn> of a query and a key is their <dfn>dot product</dfn>: products of their numbers, added up,
      here divided by √K. A <dfn>softmax</dfn> turns each query’s scores into positive <dfn>weights</dfn> that add up to
      1, and the output is the values, each times its weight, added up. Where queries and keys come from the same
      sentence, this is <dfn>self-attention</dfn>. A <dfn>mask</dfn> takes keys out of sight: their scores become −∞,
      their weights 0.
    </p>`,
  equation: html`${equation(
    ...[Q, op('='), v('X'), sup(v('W'), Q), op(','), K, op('='), v('X'), sup(v('W'), K), op(',')],
    ...[V, op('='), v('X'), sup(v('W'), V)],
  )}${equation(
    v('Z'),
    op('='),
    row(fn('softmax'), tall(frac(row(Q, sup(K, v('⊤'))), sqrt(sub(v('d'), v('k')))), op('+'), v('M'))),
    V,
  )}`,
  symbols: [
    { sign: inline(v('X')), shape: 'T × D', means: 'vectors of the sentence, a word a row' },
    { sign: inline(sup(v('W'), Q)), shape: 'D × K', means: 'projection to queries; those to keys and values likewise' },
    { sign: inline(Q, op(','), K), shape: 'T × K', means: 'queries and keys, a word a row' },
    { sign: inline(V), shape: 'T × V', means: 'values' },
    { sign: inline(sub(v('d'), v('k'))), shape: 'number', means: 'width of a key, K' },
    { sign: inline(v('M')), shape: 'T × T', means: 'mask: 0 where a key may be seen, −∞ where not' },
    { sign: inline(v('Z')), shape: 'T × V', means: 'output, a word a row' },
  ],
  start: {
    wrong: '',
    mask: 'none',
    times: 1,
    chosen: { row: 2, column: 1 },
    x: given([
      [0.1, 0.2, 0.1],
      [1.2, 0.1, 0.3],
      [0.2, 1.3, 0.1],
      [0.1, 0.4, 0.9],
      [0.1, 0.2, 0.1],
      [0.9, 0.0, 1.1],
    ]),
    wq: given([
      [0.1, 0.5],
      [1.2, 0.5],
      [0.1, 1.2],
    ]),
    wk: given([
      [1.2, 0.2],
      [-0.4, 0.1],
      [-0.1, 1.2],
    ]),
    wv: given([
      [1.0, 0.0],
      [0.2, 0.8],
      [0.0, -1.0],
    ]),
  },
  async compute({ wrong, mask, times, x, wq, wk, wv }, { ops, mistakes }) {
    const [q, k, v] = await Promise.all([wq, wk, wv].map((w) => ops.linear(x, { weight: transposed(w) })));
    const options = { causal: mask === 'ahead', scale: times / Math.sqrt(k.shape[1]) };
    const products = (await ops.attention(q, k, v, { scale: 1 })).scores;
    const right = await ops.attention(q, k, v, options);
    if (wrong === '') return { q, k, v, products, right, other: null, exponentials: null };
    const mistake = 'withoutMaximum';
    const other = await mistakes.attention(q, k, v, { ...options, mistake });
    const { exponentials } = await mistakes.softmax(right.scores, { mistake });
    return { q, k, v, products, right, other, exponentials };
  },
  picture(state, { q, k, v, products, right, other, exponentials }, set, { theme, room }) {
    const { mask, times, chosen } = state;
    const { row: query, column: key } = chosen;
    const edit = (/** @type {'x' | 'wq' | 'wk' | 'wv'} */ name) => ({
      tensor: state[name],
      theme,
      edit: (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ value) =>
        set({ [name]: changed(state[name], r * state[name].shape[1] + c, value) }),
    });
    const choose = (/** @type {number} */ r, /** @type {number} */ c) => set({ chosen: { row: r, column: c } });
    const table = { rows: WORDS, columns: WORDS, shape: 'T × T', theme, choose, mark: chosen };
    const { scores } = right;
    const named = room < 960 ? { rows: WORDS } : {}; // else they stand beside Q, which has the names
    const hatched = (/** @type {number} */ r, /** @type {number} */ c) =>
      scores.data[r * WORDS.length + c] === -Infinity;
    const shown = other ?? right;
    return html`<div class="controls">
        ${choice({
          label: 'mask',
          value: mask,
          options: [
            { value: 'none', text: 'none' },
            { value: 'ahead', text: 'hide later words' },
          ],
          set: (value) => set({ mask: value }),
        })}
        ${slider({ label: 'scores times', value: times, min: 1, max: 60, set: (value) => set({ times: value }) })}
      </div>
      <div class="line-of">
        ${matrix({ name: 'X', shape: 'T × D', rows: WORDS, columns: TRAITS, ...edit('x') })}
        <div class="line-of tight weights">
          ${matrix({ name: 'W for Q', title: html`W<sup>Q</sup>`, role: 'query', ...edit('wq') })}
          ${matrix({ name: 'W for K', title: html`W<sup>K</sup>`, role: 'key', ...edit('wk') })}
          ${matrix({ name: 'W for V', title: html`W<sup>V</sup>`, role: 'value', ...edit('wv') })}
        </div>
        <div class="line-of tight">
          ${matrix({ name: 'Q', role: 'query', shape: 'T × K', tensor: q, rows: WORDS, theme, mark: { row: query } })}
          ${matrix({ name: 'K', role: 'key', tensor: k, ...named, theme, mark: { row: key } })}
          ${matrix({ name: 'V', role: 'value', tensor: v, ...named, theme, mark: { row: key } })}
        </div>
      </div>
      <div class="line-of">
        ${matrix({ name: 'scores', tensor: scores, hatched, ...table })}
        ${exponentials ? matrix({ name: 'exp of the scores', tensor: exponentials, write: writeShort, ...table }) : ''}
        ${matrix({ name: 'weights', tensor: shown.weights, kind: 'weights', hatched, ...table })}
        ${matrix({ name: 'output', shape: 'T × V', tensor: shown.output, rows: WORDS, theme, mark: { row: query } })}
        ${other ? matrix({ name: 'weights as they should be', tensor: right.weights, kind: 'weights', hatched, ...table }) : ''}
      </div>
      ${chain({ query, key, q, k, products, scores, weights: shown.weights, times })}`;
  },
  caption: html`Choose a cell of the scores: its query and key are lit, and the line below follows it. Change a number
  of X or of a projection. The two “the” have equal vectors, so their rows are equal too: nothing here knows where a
  word stands. Draw “scores times” to the right: each row’s largest weight goes towards 1.`,
  mistakes: [
    {
      name: 'no-maximum',
      label: 'leave out the row’s maximum',
      says: html`A softmax divides exp(score) by the sum of its row. exp of more than 88.7 is too large for a number of
      32 bits: it becomes ∞, and ∞ ÷ ∞ is NaN, not a number, and all of that word’s output is NaN with it. Draw “scores
      times” past 45 to see it. Taking the row’s largest score away from all of the row first leaves the weights as they
      are, and no exponential is over 1.`,
    },
  ],
  sources: ['scaled-dot-product', 'softmax', 'weighted-values'],
  papers: [{ text: 'Vaswani et al. 2017, section 3.2', url: 'https://arxiv.org/html/1706.03762v7#S3.SS2' }],
  lab: ({ chosen }) => ({
    ...{ model: 'words', text: 'The cat sat on the [MASK]', layer: 1, head: 1 },
    ...{ query: chosen.row + 1, key: chosen.column + 1 }, // [CLS] comes first there
  }),
};

/**
 * The chosen cell from its query and key to its weight, in one line.
 * @param {{ query: number, key: number, times: number } & Record<'q' | 'k' | 'products' | 'scores' | 'weights', import('./kit/types.js').Tensor>} of
 */
function chain({ query, key, q, k, products, scores, weights, times }) {
  const width = k.shape[1];
  const at = query * WORDS.length + key;
  const write = (/** @type {number} */ value) => html`<span class="num">${writeNumber(value, 2)}</span>`;
  const numbers = (/** @type {import('./kit/types.js').Tensor} */ { data }, /** @type {number} */ of) =>
    Array.from(data.subarray(of * width, (of + 1) * width), (value) => writeNumber(value, 2)).join(', ');
  const hidden = scores.data[at] === -Infinity;
  return html`<p class="chain">
    How much “${WORDS[query]}” takes from “${WORDS[key]}”: (<span class="num">${numbers(q, query)}</span>) · (<span
      class="num"
      >${numbers(k, key)}</span
    >) = ${write(products.data[at])}
    ${
      hidden
        ? html`, hidden by the mask: the score is ${write(scores.data[at])}`
        : html`, ÷ √${width}${times === 1 ? '' : ` × ${times}`} = ${write(scores.data[at])}`
    },
    and the softmax of the row gives ${write(weights.data[at])}.
  </p>`;
}
