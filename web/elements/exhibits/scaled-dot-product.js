// Scaled dot-product attention on numbers that can be edited: queries and keys need not be equally many.

import { html } from 'lit';
import { slider, toggle } from './kit/controls.js';
import { given as of, shaped } from './kit/given.js';
import { equation, fn, frac, inline, op, paren, row, sqrt, sub, sup, tall, v } from './kit/math.js';
import { changed, matrix, writeShort } from './kit/matrix.js';

/** @typedef {import('./kit/types.js').Tensor} Tensor */

const QUERIES = ['it', 'sat'];
const KEYS = ['the', 'cat', 'sat', 'down'];
/** A batch in which sequences, words and width are equally many: the only shape in which all axes can be turned. */
const BATCH = [
  ['we', 'eat', 'fish'],
  ['dogs', 'chase', 'cats'],
  ['it', 'rains', 'today'],
];
const SIZE = BATCH.length;
/** Nine rows, a word each, as [sequences, words, width]. @param {number[][]} rows @returns {Tensor} */
const batch = (rows) => shaped(of(rows), [SIZE, SIZE, SIZE]);

const softmax = (/** @type {Parameters<typeof tall>} */ ...parts) => row(fn('softmax'), tall(...parts));

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'scaled-dot-product',
  title: 'Scaled dot-product attention',
  text: html`<p>
      A query asks, a key answers to a description, and a value is what is handed over. The dot product of a query and a
      key is large where both point the same way. A softmax over each query’s scores gives weights that add up to 1, and
      the output is the sum of the values, each times its weight. There may be more or fewer keys than queries.
    </p>
    <p>
      Dot products of longer vectors are larger on the whole, and a softmax of large numbers gives nearly everything to
      one key. Divided by the square root of the key’s width K, scores spread alike for every width. A mask M is added
      to them: −∞ where a query may not see a key, so that this weight becomes 0.
    </p>`,
  equation: equation(
    fn('Attention'),
    paren(v('Q', 'query'), op(','), v('K', 'key'), op(','), v('V', 'value')),
    op('='),
    softmax(frac(row(v('Q', 'query'), sup(v('K', 'key'), v('⊤'))), sqrt(sub(v('d'), v('k')))), op('+'), v('M')),
    v('V', 'value'),
  ),
  symbols: [
    { sign: inline(v('Q', 'query')), shape: 'T × K', means: 'queries, one a row' },
    {
      sign: inline(v('K', 'key')),
      shape: 'S × K',
      means: 'keys, one a row',
    },
    { sign: inline(v('V', 'value')), shape: 'S × V', means: 'values, one for each key' },
    {
      sign: inline(sub(v('d'), v('k'))),
      shape: 'number',
      means: 'width of a key, K; not the width of the whole layer',
    },
    { sign: inline(v('M')), shape: 'T × S', means: 'mask: 0 where the key may be seen, −∞ where not' },
  ],
  start: {
    wrong: '',
    scaled: true,
    heads: 8,
    chosen: { row: 0, column: 1 },
    m: of([
      [0, 0, 0, -Infinity],
      [0, 0, 0, 0],
    ]),
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
    queries: batch([
      [0.9, 0.1, -0.4],
      [1.6, 0.4, 0.2],
      [-0.3, 1.2, 0.7],
      [0.5, 1.4, 0.1],
      [1.1, -0.2, 0.8],
      [0.2, 0.6, 1.5],
      [1.0, 0.3, 0.5],
      [-0.6, 0.8, 1.2],
      [0.4, 0.9, -0.7],
    ]),
    keys: batch([
      [1.4, 0.2, -0.5],
      [-0.2, 1.1, 0.4],
      [1.9, -0.7, 0.6],
      [0.3, 1.5, 0.2],
      [-1.2, 0.6, 0.9],
      [0.8, 0.1, 1.3],
      [-0.4, 0.7, 0.3],
      [1.3, -0.9, 0.5],
      [0.6, 1.0, -1.1],
    ]),
  },
  async compute({ wrong, scaled, heads, m, q, k, v, queries, keys }, { ops, mistakes }) {
    const options = { mask: m, ...(scaled ? {} : { scale: 1 }) };
    const products = (await ops.attention(q, k, v, { scale: 1 })).scores;
    const right = await ops.attention(q, k, v, options);
    if (wrong === 'transpose') {
      const turned = await mistakes.attention(queries, keys, keys, { mistake: 'transposeAll' });
      return { products, right, other: null, turned, straight: await ops.attention(queries, keys, keys) };
    }
    const dModel = heads * q.shape[1];
    const other = wrong === '' ? null : await mistakes.attention(q, k, v, { ...options, mistake: CORE[wrong], dModel });
    return { products, right, other, turned: null, straight: null };
  },
  picture(state, { products, right, other, turned, straight }, set, { theme }) {
    const { wrong, scaled, heads, chosen, m, q, k, v } = state;
    const { row: query, column: key } = chosen;
    const edit =
      (/** @type {'q' | 'k' | 'v'} */ name, /** @type {Tensor} */ tensor) =>
      (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ value) =>
        set({ [name]: changed(tensor, r * tensor.shape[1] + c, value) });
    const choose = (/** @type {number} */ r, /** @type {number} */ c) => set({ chosen: { row: r, column: c } });
    const hidden = (/** @type {number} */ r, /** @type {number} */ c) => m.data[r * KEYS.length + c] !== 0;
    const turn = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ first) => {
      if (first) set({ m: changed(m, r * KEYS.length + c, hidden(r, c) ? 0 : -Infinity) });
    };
    const names = { rows: QUERIES, columns: KEYS, theme };
    const table = { ...names, choose, mark: chosen };
    const shown = other ?? right;
    return html`<div class="controls">
        ${toggle({ label: 'divide by √K', on: scaled, set: (on) => set({ scaled: on }) })}
        ${
          wrong === 'd-model'
            ? slider({ label: 'heads in the layer', value: heads, min: 1, max: 16, set: (n) => set({ heads: n }) })
            : ''
        }
      </div>
      <div class="line-of">
        ${matrix({ name: 'Q', role: 'query', shape: 'T × K', tensor: q, rows: QUERIES, theme, edit: edit('q', q), mark: { row: query } })}
        ${matrix({ name: 'K', role: 'key', shape: 'S × K', tensor: k, rows: KEYS, theme, edit: edit('k', k), mark: { row: key } })}
        ${matrix({ name: 'V', role: 'value', shape: 'S × V', tensor: v, rows: KEYS, theme, edit: edit('v', v), mark: { row: key } })}
      </div>
      <div class="line-of">
        ${matrix({ name: 'QKᵀ', shape: 'T × S', tensor: products, ...table })}
        ${matrix({ name: 'M', shape: 'T × S', tensor: m, digits: 0, hatched: hidden, paint: turn, ...names })}
        ${matrix({ name: 'scores', shape: 'T × S', tensor: shown.scores, write: writeShort, hatched: hidden, ...table })}
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
      }
      ${turned ? mixedUp({ keys: state.keys, turned, straight, set, theme }) : ''}`;
  },
  caption: html`Change a number of Q, K or V and follow it to the right. Choose a cell: its query, key and value are
  lit. Press a cell of M to hide a key from a query, or to show it again: the other weights of the row share what it
  had. Without the division the largest score takes more of its row.`,
  mistakes: [
    {
      name: 'd-model',
      label: 'divide by the root of the layer’s width',
      says: html`The layer’s width is H times the head’s: dividing by its root makes scores √H times too small, and the
      weights of a layer with many heads come out flat. More heads, flatter rows.`,
    },
    {
      name: 'mask-twice',
      label: 'add −1e9 times the mask, twice',
      says: html`Instead of −∞ a hidden score gets −1 000 000 000, and a mask that is added where attention is called
      and once more inside it makes that −2e9. At that size numbers of 32 bits lie 128 apart, so the score itself is
      rounded away. While a row has a key to see, the weights come out right. Hide all keys of a row: its weights, which
      should be 0, are shared out evenly among what it may not see.`,
    },
    {
      name: 'transpose',
      label: 'turn all axes of K round',
      says: html`In NumPy <code>K.T</code> turns all axes, not the last two: a batch of keys [B, S, K] becomes [K, S,
        B]. For most shapes that stops with an error. Where B, S and K are equal it does not, as in the batch above of
        three sentences of three words, each a vector of width 3: the first sentence’s weights are then made with keys
        of all three. Change the first number of any key of another sentence: only the wrong weights follow.`,
    },
  ],
  sources: ['scaled-dot-product', 'softmax', 'weighted-values'],
  papers: [{ text: 'Vaswani et al. 2017, section 3.2.1', url: 'https://arxiv.org/html/1706.03762v7#S3.SS2.SSS1' }],
  lab: () => ({ model: 'words', text: 'the cat sat down', layer: 1, head: 1, kind: 'scores' }),
};

/** What the core calls them. @type {Record<string, string>} */
const CORE = { 'd-model': 'scaleByModelWidth', 'mask-twice': 'billionTwice' };

/**
 * The keys of a batch, and the first sentence's weights with all axes of the keys turned and with the last two.
 * @param {{ keys: Tensor, turned: { weights: Tensor }, straight: { weights: Tensor }, set: (patch: Record<string, any>) => void,
 *   theme: import('./kit/types.js').Theme }} of
 */
function mixedUp({ keys, turned, straight, set, theme }) {
  const table = { rows: BATCH[0], columns: BATCH[0], shape: 'T × S', kind: /** @type {const} */ ('weights'), theme };
  return html`<div class="line-of">
      ${BATCH.map((words, b) =>
        matrix({
          name: `keys of “${words.join(' ')}”`,
          role: 'key',
          shape: 'S × K',
          tensor: keys,
          at: b,
          rows: words,
          theme,
          edit: (r, c, value) => set({ keys: changed(keys, (b * SIZE + r) * SIZE + c, value) }),
        }),
      )}
    </div>
    <div class="line-of">
      ${matrix({ name: `weights of “${BATCH[0].join(' ')}”, all axes turned`, tensor: turned.weights, ...table })}
      ${matrix({ name: `weights of “${BATCH[0].join(' ')}”, the last two turned`, tensor: straight.weights, ...table })}
    </div>`;
}
