// The feed-forward network on small numbers: each position by itself, through a wider layer and back.

import { html } from 'lit';
import { choice, slider, toggle } from './kit/controls.js';
import { given as of } from './kit/given.js';
import { equation, fn, inline, op, paren, sub, tall, v } from './kit/math.js';
import { changed, matrix } from './kit/matrix.js';
import { plot } from './kit/plot.js';

const TOKENS = ['the', 'cat', 'sat'];
/** The curve is asked at so many points. */
const POINTS = 121;
const REACH = 4;

/** @param {...number} values @returns {import('./kit/types.js').Tensor} */
const vector = (...values) => ({ shape: [values.length], data: Float32Array.from(values) });

/** Narrowing weights that leave the hidden units as they are, to see them. */
const AS_IT_IS = of(Array.from({ length: 6 }, (_, r) => Array.from({ length: 6 }, (__, c) => Number(r === c))));

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
      do so smoothly. F is commonly 4 · D, and most of a layer’s parameters are here. <dfn>Gated</dfn> forms, as in
      Llama, take the activation of another projection, the gate G, and multiply by it, unit by unit.
    </p>`,
  equation: html`${equation(
    fn('FFN'),
    paren(v('x')),
    op('='),
    v('φ', 'accent'),
    paren(v('x'), sub(v('W'), v('1')), op('+'), sub(v('b'), v('1'))),
    sub(v('W'), v('2')),
    op('+'),
    sub(v('b'), v('2')),
  )}${equation(
    sub(fn('FFN'), fn('gated')),
    paren(v('x')),
    op('='),
    tall(
      v('φ', 'accent'),
      paren(v('x'), v('G')),
      op('⊙'),
      paren(v('x'), sub(v('W'), v('1')), op('+'), sub(v('b'), v('1'))),
    ),
    sub(v('W'), v('2')),
    op('+'),
    sub(v('b'), v('2')),
  )}`,
  symbols: [
    { sign: inline(v('x')), shape: 'T × D', means: 'one vector for each position' },
    {
      sign: inline(sub(v('W'), v('1')), op(','), sub(v('b'), v('1'))),
      shape: 'D × F, F',
      means: 'weights and bias that widen',
    },
    { sign: inline(v('φ', 'accent')), shape: 'number', means: 'the activation function, of each number by itself' },
    { sign: inline(v('G')), shape: 'D × F', means: 'weights of the gate' },
    { sign: inline(op('⊙')), shape: '', means: 'number by number' },
    {
      sign: inline(sub(v('W'), v('2')), op(','), sub(v('b'), v('2'))),
      shape: 'F × D, D',
      means: 'weights and bias that narrow',
    },
  ],
  start: {
    wrong: '',
    activation: 'relu',
    gated: false,
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
    gate: of([
      [0.8, 0.4, -0.5],
      [-0.7, 0.9, 0.3],
      [1.1, -0.6, 0.4],
      [0.2, 1.0, 0.7],
      [-0.9, 0.5, 1.2],
      [0.6, -0.8, 0.9],
    ]),
  },
  async compute({ activation, gated, x, weight1, bias1, weight2, bias2, gate }, { ops }) {
    const inner = await ops.linear(x, { weight: weight1, bias: bias1 });
    const before = gated ? await ops.linear(x, { weight: gate }) : inner;
    const after = await ops.activation(before, activation);
    const widening = { weight1, bias1, activation, ...(gated ? { gateWeight: gate } : {}) };
    const hidden = gated ? await ops.feedForward(x, { ...widening, weight2: AS_IT_IS }) : after;
    const output = await ops.feedForward(x, { ...widening, weight2, bias2 });
    const along = Float32Array.from({ length: POINTS }, (_, i) => -REACH + (2 * REACH * i) / (POINTS - 1));
    const curve = await ops.activation({ shape: [POINTS], data: along }, activation);
    return { gated, inner, before, after, hidden, output, along, curve };
  },
  picture(state, result, set, { theme, room }) {
    const { activation, unit, token, x } = state;
    const { gated, inner, before, after, hidden, output, along, curve } = result;
    const width = before.shape[1];
    const at = Math.min(unit, width - 1);
    const value = before.data[token * width + at];
    const choose = (/** @type {number} */ r, /** @type {number} */ c) => set({ token: r, unit: c });
    const columns = Array.from({ length: width }, (_, i) => `unit ${i}`);
    const units = (/** @type {string} */ name, /** @type {import('./kit/types.js').Tensor} */ tensor) =>
      matrix({ name, shape: 'T × F', tensor, rows: TOKENS, columns, theme, choose, mark: { row: token, column: at } });
    return html`<div class="controls">
        ${choice({
          label: 'activation',
          value: activation,
          options: ['relu', 'gelu', 'gelu_new', 'silu', 'tanh'].map((name) => ({ value: name, text: name })),
          set: (name) => set({ activation: name }),
        })}
        ${toggle({ label: 'gated', on: state.gated, set: (on) => set({ gated: on }) })}
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
        ${units(gated ? 'xG' : 'xW₁ + b₁', before)}
      </div>
      <div class="line-of">
        ${units(gated ? 'φ(xG)' : 'φ(xW₁ + b₁)', after)}
        ${gated ? html`${units('xW₁ + b₁', inner)} ${units('φ(xG) ⊙ (xW₁ + b₁)', hidden)}` : ''}
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
  stands on the curve; with ReLU, every negative unit is silent. Switch the gate on: a unit is then silent where its
  gate is.`,
  mistakes: [],
  sources: ['feed-forward', 'activation'],
  papers: [
    { text: 'Vaswani et al. 2017, section 3.3', url: 'https://arxiv.org/html/1706.03762v7#S3.SS3' },
    { text: 'Shazeer 2020, GLU variants', url: 'https://arxiv.org/abs/2002.05202' },
  ],
  lab: () => ({ model: 'words', text: TOKENS.join(' '), layer: 1, head: 0 }),
};
