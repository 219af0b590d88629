// Sinusoidal positions: a wave for each dimension, a row for each position.

import { html } from 'lit';
import { writeNumber } from '../../view/index.js';
import { choice, slider } from './kit/controls.js';
import { given } from './kit/given.js';
import { equation, fn, frac, inline, n, op, row, sub, sup, v } from './kit/math.js';
import { matrix } from './kit/matrix.js';
import { colorBar, picture as cells } from './kit/picture.js';
import { plot } from './kit/plot.js';

/** @typedef {import('./kit/types.js').Tensor} Tensor */
/** @typedef {'interleaved' | 'halves'} Convention */

const WORDS = ['The', 'cat', 'sat', 'on', 'the', 'mat'];
/** Vectors of the words, the two “the” alike, as an embedding would give them. */
const EMBEDDED = given([
  [0.1, 0.2, 0.1, 0.3],
  [1.2, 0.1, 0.3, -0.4],
  [0.2, 1.3, 0.1, 0.6],
  [0.1, 0.4, 0.9, -0.2],
  [0.1, 0.2, 0.1, 0.3],
  [0.9, 0.0, 1.1, 0.5],
]);
/** Which word stands at each place. @type {Record<string, number[]>} */
const ORDERS = { swapped: [0, 5, 2, 3, 4, 1], reversed: [5, 4, 3, 2, 1, 0] };

/** Rows in another order. @param {Tensor} tensor @param {number[]} order @returns {Tensor} */
function reordered({ shape, data }, order) {
  const width = shape[1];
  return {
    shape,
    data: Float32Array.from(data, (_, i) => data[order[Math.floor(i / width)] * width + (i % width)]),
  };
}

/** The order that undoes another. @param {number[]} order */
const back = (order) => order.map((_, word) => order.indexOf(word));

/** Whether a column is a sine, and its frequency's number i. @param {number} column @param {number} width @param {Convention} convention */
function waveOf(column, width, convention) {
  const sines = Math.ceil(width / 2);
  if (convention === 'halves') return { sine: column < sines, i: column % sines };
  return { sine: column % 2 === 0, i: Math.floor(column / 2) };
}

const angle = frac(v('p', 'accent'), sup(n('10000'), row(n(2), v('i'), op('/'), v('D'))));

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'positions',
  title: 'Positions',
  text: html`<p>
      Attention compares vectors and does not know where they stand: words in another order give the same outputs in
      that other order. So each vector gets a <dfn>position</dfn> added to it. The
      <dfn>sinusoidal positional encoding</dfn> is made of waves, a sine and a cosine for each <dfn>wavelength</dfn>,
      from 2π positions up to nearly 10000 times that: the short ones tell neighbours apart, the long ones tell
      beginning from end, like the hands of a clock.
    </p>
    <p>
      For an even D the dot product of two positions depends only on their distance, and it is largest where they are
      the same. Two conventions are in use. <dfn>Interleaved</dfn>, as in the paper: sines in even columns, cosines in
      odd ones. <dfn>Halves</dfn>, as in Marian’s models: all sines first, then all cosines. Where D is odd, the last
      cosine is left out.
    </p>`,
  equation: equation(
    sub(v('PE'), row(v('p', 'accent'), op(','), n(2), v('i'))),
    op('='),
    fn('sin'),
    angle,
    op(','),
    sub(v('PE'), row(v('p', 'accent'), op(','), n(2), v('i'), op('+'), n(1))),
    op('='),
    fn('cos'),
    angle,
  ),
  symbols: [
    { sign: inline(v('PE')), shape: 'T × D', means: 'the encoding, added to the words’ vectors' },
    { sign: inline(v('p', 'accent')), shape: 'number', means: 'position, from 0' },
    { sign: inline(v('i')), shape: 'number', means: 'number of the wave, from 0; its wavelength is 2π · 10000^(2i/D)' },
    { sign: inline(v('D')), shape: 'number', means: 'width of the vectors' },
  ],
  start: { wrong: '', convention: 'interleaved', length: 48, width: 32, position: 12, dimension: 6, order: 'swapped' },
  async compute({ wrong, convention, length, width, order }, { ops }) {
    const encoding = await ops.positionalEncoding(length, width, { convention });
    const products = (await ops.attention(encoding, encoding, encoding, { scale: 1 })).scores;
    const wavelengths = await ops.wavelengths(width, { convention });
    if (wrong === '') return { encoding, products, wavelengths, orders: null };
    const places = await ops.positionalEncoding(WORDS.length, EMBEDDED.shape[1], { convention });
    const given = reordered(EMBEDDED, ORDERS[order]);
    const outputs = async (/** @type {Tensor} */ x) => (await ops.attention(x, x, x)).output;
    const right = await outputs(await ops.add(EMBEDDED, places));
    const rightMoved = reordered(await outputs(await ops.add(given, places)), back(ORDERS[order]));
    const bare = await outputs(EMBEDDED);
    const bareMoved = reordered(await outputs(given), back(ORDERS[order]));
    return { encoding, products, wavelengths, orders: { right, rightMoved, bare, bareMoved, words: ORDERS[order] } };
  },
  picture(state, { encoding, products, wavelengths, orders }, set, { theme, room }) {
    const { convention, order } = state;
    const [length, width] = encoding.shape;
    const position = Math.min(state.position, length - 1);
    const dimension = Math.min(state.dimension, width - 1);
    const { sine, i } = waveOf(dimension, width, convention);
    const wave = Array.from(
      { length },
      (_, p) => /** @type {[number, number]} */ ([p, encoding.data[p * width + dimension]]),
    );
    const near = Array.from(
      { length },
      (_, p) => /** @type {[number, number]} */ ([p, products.data[position * length + p]]),
    );
    const left = Math.min(room, 400);
    const right = room < 800 ? room : room - left - 32;
    const drag = (/** @type {number} */ x) => set({ position: Math.round(x) });
    const here = encoding.data[position * width + dimension];
    return html`<div class="controls">
        ${choice({
          label: 'convention',
          value: convention,
          options: [
            { value: 'interleaved', text: 'interleaved' },
            { value: 'halves', text: 'halves' },
          ],
          set: (value) => set({ convention: value }),
        })}
        ${slider({ label: 'D', value: state.width, min: 1, max: 64, set: (value) => set({ width: value }) })}
        ${slider({ label: 'T', value: state.length, min: 2, max: 64, unit: 'positions', set: (value) => set({ length: value }) })}
        ${slider({ label: 'position', value: position, min: 0, max: length - 1, set: (value) => set({ position: value }) })}
        ${slider({ label: 'dimension', value: dimension, min: 0, max: width - 1, set: (value) => set({ dimension: value }) })}
      </div>
      <div class="line-of">
        <div>
          <p class="name"><b>PE</b> <span class="note">dimension →, position ↓</span></p>
          ${cells({
            label: `the encoding: ${length} positions down, ${width} dimensions across`,
            tensor: encoding,
            most: 1,
            width: left,
            height: 224,
            theme,
            mark: { row: position, column: dimension },
            choose: (r, c) => set({ position: r, dimension: c }),
          })}
          ${colorBar({ most: 1, theme })}
        </div>
        <div>
          <p class="name">
            <b>dimension ${dimension}</b>: ${sine ? 'sine' : 'cosine'}, i = ${i}, wavelength
            <span class="num">${writeNumber(wavelengths.data[dimension], 1)}</span>; at position ${position}
            <span class="num">${writeNumber(here, 2)}</span>
          </p>
          ${plot({
            label: `dimension ${dimension} by position; ${writeNumber(here, 2)} at position ${position}`,
            lines: [{ name: 'value', points: wave }],
            x: 'position',
            y: '',
            room: right,
            domainY: [-1, 1],
            mark: { x: position, text: String(position) },
            drag,
          })}
        </div>
      </div>
      <div class="line-of">
        <div>
          <p class="name"><b>PE · PEᵀ</b> <span class="note">dot products of positions</span></p>
          ${cells({
            label: `dot products of ${length} positions with each other`,
            tensor: products,
            width: Math.min(left, 224),
            height: 224,
            theme,
            mark: { row: position },
            choose: (r) => set({ position: r }),
          })}
          ${colorBar({ tensor: products, theme })}
        </div>
        <div>
          <p class="name"><b>position ${position} · every position</b></p>
          ${plot({
            label: `dot products of position ${position} with every position`,
            lines: [{ name: 'dot product', points: near }],
            x: 'position',
            y: '',
            room: right,
            mark: { x: position, text: String(position) },
            drag,
          })}
        </div>
      </div>
      ${orders ? comparison({ orders, order, set, theme }) : ''}`;
  },
  caption: html`Move the position along the waves, or press a cell of the picture. Dimensions to the right turn more
  slowly. With the convention “halves” the same columns stand in another order: the dot products do not change. Try an
  odd D.`,
  mistakes: [
    {
      name: 'none',
      label: 'leave the positions out',
      says: html`The last matrices are what one attention makes of each word in two orders of the sentence. With
      positions a word’s output depends on the order. Without them the outputs of a word are equal whichever way the
      words are ordered, so “the cat sat on the mat” cannot be told from “the mat sat on the cat”.`,
    },
  ],
  sources: ['positions'],
  papers: [{ text: 'Vaswani et al. 2017, section 3.5', url: 'https://arxiv.org/html/1706.03762v7#S3.SS5' }],
  lab: () => ({ model: 'translate', text: `${WORDS.join(' ')}.`, attention: 'encoder' }),
};

/**
 * Outputs of the same words in two orders, with and without positions.
 * @param {{ orders: any, order: string, set: (patch: Record<string, any>) => void, theme: import('./kit/types.js').Theme }} of
 */
function comparison({ orders, order, set, theme }) {
  const sentence = orders.words.map((/** @type {number} */ word) => WORDS[word]).join(' ');
  const table = { rows: WORDS, theme };
  return html`<div class="controls orders">
      ${choice({
        label: 'the second order',
        value: order,
        options: [
          { value: 'swapped', text: 'cat and mat changed' },
          { value: 'reversed', text: 'backwards' },
        ],
        set: (value) => set({ order: value }),
      })}
      <span>“${sentence}”, its rows put back in the first order to compare</span>
    </div>
    <div class="line-of">
      ${matrix({ name: 'with positions', tensor: orders.right, ...table })}
      ${matrix({ name: 'with, second order', tensor: orders.rightMoved, ...table })}
      ${matrix({ name: 'without', tensor: orders.bare, ...table })}
      ${matrix({ name: 'without, second order', tensor: orders.bareMoved, ...table })}
    </div>`;
}
