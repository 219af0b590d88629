// Masks: padding, look-ahead, and cells that the reader paints. What is hidden is not there for the softmax.

import { html } from 'lit';
import { button, choice, slider, toggle } from './kit/controls.js';
import { given, shaped } from './kit/given.js';
import { cases, equation, fn, frac, inline, op, row, sqrt, sub, sup, tall, v, words } from './kit/math.js';
import { matrix, writeShort } from './kit/matrix.js';

const LENGTH = 6;
/** The sentence; its last words make room for padding. */
const WORDS = ['The', 'cat', 'sat', 'on', 'the', 'mat'];
const PAD = '[PAD]';

/** Six queries and keys of width 2 and values of width 2, to have scores to hide. */
const START = {
  q: given([
    [0.4, 1.1],
    [1.3, 0.2],
    [0.9, 1.6],
    [-0.5, 1.2],
    [0.3, 0.8],
    [1.1, -0.7],
  ]),
  k: given([
    [0.2, 0.1],
    [1.6, 0.3],
    [0.1, 1.4],
    [-0.8, 0.9],
    [0.2, 0.4],
    [1.2, 1.0],
  ]),
  v: given([
    [0.2, 0.1],
    [1.0, 0.3],
    [-0.4, 1.2],
    [0.1, -0.9],
    [0.3, 0.2],
    [0.8, -0.6],
  ]),
};

const NOTHING_HIDDEN = { shape: [LENGTH, LENGTH], data: new Float32Array(LENGTH * LENGTH) };

/** @typedef {{ pads: number, side: 'left' | 'right', ahead: boolean, flipped: Uint8Array }} Painted */

/** Words and pads in their order. @param {Painted} of */
function tokensOf({ pads, side }) {
  const real = WORDS.slice(0, LENGTH - pads);
  const padding = Array.from({ length: pads }, () => PAD);
  return side === 'left' ? [...padding, ...real] : [...real, ...padding];
}

/** What may be seen, 1, and what not, 0: the core's mask, a cell turned over where the reader painted. @param {import('./kit/types.js').Tensor} hidden @param {Uint8Array} flipped */
const visible = (hidden, flipped) => ({
  shape: [LENGTH, LENGTH],
  data: flipped.map((flip, i) => flip ^ Number(hidden.data[i] === 0)),
});

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'masks',
  title: 'Masks',
  text: html`<p>
      Sentences of a <dfn>batch</dfn>, which are computed together, differ in length, so the shorter ones are filled up
      with tokens that mean nothing: <dfn>padding</dfn>. Nobody may read them, so the <dfn>padding mask</dfn> hides them
      as keys, for every query: whole columns. A model that writes a text word by word may not read words that are not
      written yet: the <dfn>look-ahead mask</dfn>, also called causal, hides from each query all keys after it: the
      triangle above the diagonal.
    </p>
    <p>
      A hidden score becomes −∞ before the softmax, so that its weight is 0 and the others still add up to 1. Both masks
      together hide what either hides. A query that sees no key at all has nothing to divide by: here its weights and
      its output are zeros.
    </p>`,
  equation: equation(
    sub(v('M'), row(v('i', 'query'), v('j', 'key'))),
    op('='),
    cases([v('0'), words('where i may see j')], [v('−∞'), words('where not')]),
    op(','),
    v('A'),
    op('='),
    row(
      fn('softmax'),
      tall(frac(row(v('Q', 'query'), sup(v('K', 'key'), v('⊤'))), sqrt(sub(v('d'), v('k')))), op('+'), v('M')),
    ),
  ),
  symbols: [
    { sign: inline(v('M')), shape: 'T × S', means: 'mask, added to the scores; a padding mask alone is 1 × S' },
    { sign: inline(v('i', 'query'), op(','), v('j', 'key')), shape: 'number', means: 'a query and a key, by position' },
    { sign: inline(v('A')), shape: 'T × S', means: 'weights; each row adds up to 1, or to 0 where it sees nothing' },
  ],
  start: { wrong: '', pads: 2, side: 'right', ahead: true, flipped: new Uint8Array(LENGTH * LENGTH), ...START },
  async compute(state, { ops, mistakes }) {
    const { wrong, ahead, flipped, q, k, v } = state;
    const tokens = tokensOf(state);
    const ids = { shape: [1, LENGTH], data: Int32Array.from(tokens, (token) => Number(token !== PAD)) };
    const row = shaped(await ops.paddingMask(ids, 0), [LENGTH]); // the same for every query
    const padding = await ops.add(NOTHING_HIDDEN, row);
    const causal = ahead || wrong === 'inverted';
    const later = await ops.lookAheadMask(LENGTH);
    const both = causal ? await ops.add(later, row) : padding;
    const mask = visible(both, flipped);
    const open = await ops.attention(q, k, v);
    const right = await ops.attention(q, k, v, { mask });
    const result = { tokens, mask, scores: open.scores, right, other: null };
    if (wrong === '') return result;
    // The mistakes know the look-ahead mask by its name. Cells of it that the reader opened need the whole mask instead, and
    // what is multiplied is whole too.
    const opened = flipped.some(
      (/** @type {number} */ flip, /** @type {number} */ i) =>
        flip === 1 && causal && later.data[i] !== 0 && padding.data[i] === 0,
    );
    const given = opened || wrong === 'squared' ? { mask } : { mask: visible(padding, flipped), causal };
    const other = await mistakes.attention(q, k, v, { ...given, mistake: CORE[wrong] });
    return { ...result, other };
  },
  picture(state, { tokens, mask, scores, right, other }, set, { theme }) {
    const { pads, side, ahead, flipped, wrong } = state;
    const hidden = (/** @type {number} */ r, /** @type {number} */ c) => mask.data[r * LENGTH + c] === 0;
    const table = { rows: tokens, columns: tokens, theme };
    const shown = other ?? right;
    const turn = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ first) => {
      const at = r * LENGTH + c;
      if (first) brush = hidden(r, c);
      else if (hidden(r, c) !== brush) return;
      const next = flipped.slice();
      next[at] ^= 1;
      set({ flipped: next });
    };
    const away = (/** @type {number} */ r, /** @type {number} */ c) =>
      other ? shown.weights.data[r * LENGTH + c] === 0 : hidden(r, c);
    return html`<div class="controls">
        ${slider({ label: 'padding', value: pads, min: 0, max: 4, unit: 'tokens', set: (n) => set({ pads: n }) })}
        ${choice({
          label: 'at the',
          value: side,
          options: [
            { value: 'left', text: 'left' },
            { value: 'right', text: 'right' },
          ],
          set: (value) => set({ side: value }),
        })}
        ${toggle({
          label: 'look-ahead mask',
          on: ahead || wrong === 'inverted',
          set: (on) => set({ ahead: on, wrong: wrong === 'inverted' ? '' : wrong }),
        })}
        ${button({
          label: 'take the paint away',
          disabled: !flipped.includes(1),
          press: () => set({ flipped: new Uint8Array(LENGTH * LENGTH) }),
        })}
      </div>
      <div class="line-of">
        ${matrix({ name: 'scores', shape: 'T × S', tensor: scores, hatched: hidden, paint: turn, ...table })}
        ${matrix({ name: 'weights', shape: 'T × S', tensor: shown.weights, kind: 'weights', hatched: away, ...table })}
        ${matrix({ name: 'output', shape: 'T × V', tensor: shown.output, rows: tokens, theme })}
        ${
          other
            ? html`${matrix({ name: 'scores with the wrong mask', tensor: other.scores, write: writeShort, ...table })}
              ${matrix({ name: 'weights as they should be', tensor: right.weights, kind: 'weights', hatched: hidden, ...table })}
              ${matrix({ name: 'output as it should be', tensor: right.output, rows: tokens, theme })}`
            : ''
        }
      </div>`;
  },
  caption: html`Press cells of the scores, or draw over them, to hide them (hatched) or to show them again; the other
  weights of the row take what is left. Hide a whole row: its weights and output become zeros. With padding at the left
  and the look-ahead mask the first rows see nothing by themselves.`,
  mistakes: [
    {
      name: 'inverted',
      label: 'turn the triangle round',
      says: html`The mask hides the past and the word itself, and shows what comes later. A model trained so reads the
      answer it should predict, and the last row sees nothing at all.`,
    },
    {
      name: 'nan',
      label: 'forget rows that see nothing',
      says: html`A row of −∞ only: the softmax divides 0 by 0, which is NaN. One such row is enough to make the loss and
      then every weight of the model NaN. Put the padding at the left, or hide a whole row.`,
    },
    {
      name: 'billion',
      label: 'add −1e9, once for each mask',
      says: html`Instead of −∞ each mask adds −1 000 000 000. Numbers of 32 bits lie 64 apart there, so the score is
      rounded away, and what both masks hide stands at −2e9. In a row that sees nothing the keys that only one mask
      hides share all the weight, the future among them. Put the padding at the left to see it.`,
    },
    {
      name: 'squared',
      label: 'multiply a mask of −1e9 by −1e9',
      says: html`Many programs keep a mask as 1 where hidden and multiply it by −1e9. Do it to a mask that is −1e9
      already, and hidden keys get +1e18: they take all of the weight, and the visible ones nothing.`,
    },
  ],
  sources: ['masks', 'look-ahead', 'scaled-dot-product'],
  papers: [{ text: 'Vaswani et al. 2017, section 3.2.3', url: 'https://arxiv.org/html/1706.03762v7#S3.SS2.SSS3' }],
  lab: () => ({ model: 'austen', text: WORDS.join(' '), layer: 0, head: 0, kind: 'scores' }),
};

/** What the core calls them. @type {Record<string, string>} */
const CORE = { inverted: 'invertedTriangle', nan: 'nanRows', billion: 'billion', squared: 'billionSquared' };

/** Whether cells being drawn over were hidden before: all of one stroke become alike. */
let brush = false;
