// The feed-forward network on small numbers: each position by itself, through a wider layer and back.

import { html } from 'lit';
import { choice, slider } from './kit/controls.js';
import { equation, fn, inline, op, paren, sub, v } from './kit/math.js';
import { changed, matrix } from './kit/matrix.js';
import { plot } from './kit/plot.js';

const TOKENS = ['the', 'cat', 'sat'];
/** The curve is asked at so many points. */
const POINTS = 121;
const REACH = 4;

/** @param {number[][]} rows @returns {import('./kit/types.js').Tensor} */
const of = (rows) => ({ shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flat()) });
/** @param {...number} values @returns {import('./kit/types.js').Tensor} */
const vector = (...values) => ({ shape: [values.length], data: Float32Array.from(values) });

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'feed-forward',
  title: 'Feed-forward network',
  text: html`<p>
      Attention moves information between positions; the <dfn>feed-forward network</dfn> works on each position alone,
      with the same weights at every one. It widens a vector from D to F numbers, the <dfn>hidden units</dfn>, bends
      each of them by an <dfn>activation function</dfn>, and narrows them back to D.
    </p>
    <p>
      Without the bend, two linear maps in a row would be one linear map. ReLU cuts off what is negative; GELU and SiLU
      do so smoothly. F is commonly 4 · D, and most of a model’s parameters are here. Gated forms, as in Llama, multiply
      the activation by a second projection of the same vector.
    </p>`,
  equation: equation(
    fn('FFN'),
    paren(v('x')),
    op('='),
    v('φ', 'accent'),
    paren(v('x'), sub(v('W'), v('1')), op('+'), sub(v('b'), v('1'))),
    sub(v('W'), v('2')),
    op('+'),
    sub(v('b'), v('2')),
  ),
  symbols: [
    { sign: inline(v('x')), shape: 'T × D', means: 'one vector for each position' },
    {
      sign: inline(sub(v('W'), v('1')), op(','), sub(v('b'), v('1'))),
      shape: 'D × F, F',
      means: 'weights and bias that widen',
    },
    { sign: inline(v('φ', 'accent')), shape: 'number', means: 'the activation function, of each number by itself' },
    {
      sign: inline(sub(v('W'), v('2')), op(','), sub(v('b'), v('2'))),
      shape: 'F × D, D',
      means: 'weights and bias that narrow',
    },
  ],
  start: {
    wrong: '',
    activation: 'relu',
    unit: 1,
    token: 1,
    x: of([
      [0.5, -1.0, 0.3],
      [1.2, 0.8, -0.7],
      [-0.4, 0.9, 1.1],
    ]),
    weight1: of([
      [1.0, -0.5, 0.2],
      [0.6, 1.1, -0.8],
      [-1.2, 0.3, 0.9],
      [0.4, -0.9, -1.0],
      [-0.3, 0.7, 0.8],
      [0.9, 0.2, 1.3],
    ]),
    bias1: vector(0, 0.1, -0.2, 0.3, 0, -0.1),
    weight2: of([
      [0.7, -0.4, 0.3, 0.2, -0.6, 0.5],
      [-0.2, 0.9, 0.1, -0.5, 0.4, 0.3],
      [0.5, 0.2, -0.8, 0.6, 0.1, -0.3],
    ]),
    bias2: vector(0, 0, 0),
  },
  async compute({ activation, x, weight1, bias1, weight2, bias2 }, { ops }) {
    const before = await ops.linear(x, { weight: weight1, bias: bias1 });
    const after = await ops.activation(before, activation);
    const output = await ops.feedForward(x, { weight1, bias1, weight2, bias2, activation });
    const along = Float32Array.from({ length: POINTS }, (_, i) => -REACH + (2 * REACH * i) / (POINTS - 1));
    const curve = await ops.activation({ shape: [POINTS], data: along }, activation);
    return { before, after, output, along, curve };
  },
  picture({ activation, unit, token, x }, { before, after, output, along, curve }, set, { theme, room }) {
    const width = before.shape[1];
    const at = Math.min(unit, width - 1);
    const value = before.data[token * width + at];
    const choose = (/** @type {number} */ r, /** @type {number} */ c) => set({ token: r, unit: c });
    const units = Array.from({ length: width }, (_, i) => `unit ${i}`);
    return html`<div class="controls">
        ${choice({
          label: 'activation',
          value: activation,
          options: ['relu', 'gelu', 'gelu_new', 'silu', 'tanh'].map((name) => ({ value: name, text: name })),
          set: (name) => set({ activation: name }),
        })}
      </div>
      <div class="line-of">
        ${matrix({
          name: 'x',
          shape: 'T × D',
          tensor: x,
          rows: TOKENS,
          theme,
          mark: { row: token },
          edit: (r, c, number) => set({ x: changed(x, r * x.shape[1] + c, number) }),
        })}
        ${matrix({ name: 'xW₁ + b₁', shape: 'T × F', tensor: before, rows: TOKENS, columns: units, theme, choose, mark: { row: token, column: at } })}
      </div>
      <div class="line-of">
        ${matrix({ name: 'φ(xW₁ + b₁)', shape: 'T × F', tensor: after, rows: TOKENS, columns: units, theme, choose, mark: { row: token, column: at } })}
        ${matrix({ name: 'output', shape: 'T × D', tensor: output, rows: TOKENS, theme, mark: { row: token } })}
      </div>
      <div class="line-of">
        ${plot({
          label: `${activation} from −${REACH} to ${REACH}`,
          lines: [
            {
              name: activation,
              points: Array.from(along, (/** @type {number} */ a, i) => [a, curve.data[i]]),
              role: 'accent',
            },
          ],
          x: 'into the activation',
          y: 'out of it',
          room: Math.min(room, 480),
          domainX: [-REACH, REACH],
          mark: { x: Math.max(-REACH, Math.min(REACH, value)), text: `${TOKENS[token]}, unit ${at}` },
        })}
        ${slider({ label: 'unit', value: at, min: 0, max: width - 1, set: (n) => set({ unit: n }) })}
      </div>`;
  },
  caption: html`Change a number of x: only its own row changes, in every matrix. Choose a hidden unit to see where it
  stands on the curve; with ReLU, every negative unit is silent.`,
  mistakes: [],
  sources: ['feed-forward', 'activation'],
  papers: [
    { text: 'Vaswani et al. 2017, section 3.3', url: 'https://arxiv.org/abs/1706.03762' },
    { text: 'Shazeer 2020, GLU variants', url: 'https://arxiv.org/abs/2002.05202' },
  ],
  lab: 'model=words&text=the+cat+%5BMASK%5D+on+the+mat&layer=1&head=0',
};
