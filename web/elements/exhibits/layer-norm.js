// Layer normalization: one row at a time, to mean 0 and deviation 1, then stretched and moved by what was learned.

import { html, svg } from 'lit';
import { writeNumber } from '../../view/index.js';
import { slider } from './kit/controls.js';
import { given, rowOf, shaped } from './kit/given.js';
import { big, equation, frac, inline, n, op, paren, row, sqrt, sub, sup, v } from './kit/math.js';
import { changed, matrix } from './kit/matrix.js';

const WORDS = ['The', 'cat', 'sat'];
const WIDTH = 6;

/** @typedef {import('./kit/types.js').Tensor} Tensor */

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'layer-norm',
  title: 'Layer normalization',
  text: html`<p>
      Vectors that pass through many layers may grow, shrink or drift. <dfn>Layer normalization</dfn> looks at one row
      at a time: it takes away the row’s mean and divides by its <dfn>standard deviation</dfn>, how far its numbers lie
      from their mean. Each row then has mean 0 and deviation 1, whatever the other rows and sentences are. A learned
      weight and bias for each feature, a column, stretch and move the result. The variance divides by all D, and a
      small ε inside the root keeps a row of equal numbers from dividing by zero.
    </p>
    <p>
      <dfn>RMS normalization</dfn>, which many newer models use, leaves the mean where it is and divides by the root of
      the mean square.
    </p>`,
  equation: equation(
    v('y'),
    op('='),
    frac(row(v('x'), op('−'), v('μ', 'accent')), sqrt(sup(v('σ'), n(2)), op('+'), v('ε'))),
    op('⊙'),
    v('w'),
    op('+'),
    v('b'),
    op(','),
    sup(v('σ'), n(2)),
    op('='),
    frac(n(1), v('D')),
    big('∑', v('j'), v('D')),
    sup(paren(sub(v('x'), v('j')), op('−'), v('μ', 'accent')), n(2)),
  ),
  symbols: [
    { sign: inline(v('x'), op(','), v('y')), shape: 'D', means: 'a row before and after' },
    { sign: inline(v('μ', 'accent')), shape: 'number', means: 'mean of the row' },
    { sign: inline(v('σ')), shape: 'number', means: 'standard deviation of the row, over all D' },
    {
      sign: inline(v('ε')),
      shape: 'number',
      means: 'epsilon, a small number: 1e-5 in PyTorch, down to 1e-12 in models',
    },
    { sign: inline(v('w'), op(','), v('b')), shape: 'D', means: 'weight and bias, one for each feature, learned' },
    { sign: inline(op('⊙')), shape: '', means: 'number by number' },
  ],
  start: {
    wrong: '',
    row: 1,
    logEps: -5,
    rows: 3,
    x: given([
      [0.02, 0.01, 0.04, 0.0, 0.03, 0.02],
      [2.1, 3.4, -0.6, 1.2, 0.3, 2.6],
      [-1.5, 0.4, 0.9, -0.2, 2.2, -3.0],
    ]),
    weight: given([[1, 1, 1, 1, 1, 1]]),
    bias: given([[0, 0, 0, 0, 0, 0]]),
  },
  async compute({ wrong, logEps, rows, x: all, weight, bias }, { ops, mistakes }) {
    const x = wrong === 'per-position' ? { shape: [rows, WIDTH], data: all.data.slice(0, rows * WIDTH) } : all;
    const eps = 10 ** logEps;
    const learned = { weight: shaped(weight, [WIDTH]), bias: shaped(bias, [WIDTH]) };
    const right = await ops.layerNorm(x, { ...learned, eps });
    const rms = await ops.rmsNorm(x, { weight: learned.weight, eps });
    const marks = { before: await spread(ops, x), after: await spread(ops, right), rms: await spread(ops, rms) };
    const result = { x, right, rms, marks, other: null, refused: '' };
    if (wrong === '') return result;
    if (wrong !== 'per-position') {
      const other = await mistakes.layerNorm(x, { ...learned, eps, mistake: CORE[wrong] });
      return { ...result, other, marks: { ...marks, after: await spread(ops, other) } };
    }
    // Weight and bias have been made for three words: each word has its own, and another number of words fits none.
    const ofSequence = (/** @type {Tensor} */ one) => ({
      shape: [WORDS.length, WIDTH],
      data: Float32Array.from({ length: WORDS.length * WIDTH }, (_, i) => one.data[i % WIDTH]),
    });
    try {
      const perPosition = { weight: ofSequence(weight), bias: ofSequence(bias), eps, mistake: 'weightsPerPosition' };
      return { ...result, other: await mistakes.layerNorm(x, perPosition) };
    } catch (error) {
      return { ...result, refused: /** @type {Error} */ (error).message };
    }
  },
  picture(state, { x, right, rms, marks, other, refused }, set, { theme, room }) {
    const { logEps, rows, wrong, weight, bias } = state;
    const at = Math.min(state.row, x.shape[0] - 1);
    const names = WORDS.slice(0, x.shape[0]);
    const edit = (/** @type {'x' | 'weight' | 'bias'} */ name) => ({
      theme,
      edit: (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ value) =>
        set({ [name]: changed(state[name], r * WIDTH + c, value), ...(name === 'x' ? { row: r } : {}) }),
    });
    const choose = (/** @type {number} */ r) => set({ row: r });
    const chosen = { theme, rows: names, mark: { row: at }, choose };
    const shown = other ?? right;
    const bars = (/** @type {string} */ title, /** @type {Tensor} */ tensor, /** @type {Spread[]} */ all) =>
      columns({ title, values: rowOf(tensor, at).data, ...all[at], width: Math.max(160, Math.min(300, room)) });
    return html`<div class="controls">
        ${slider({ label: 'row', value: at + 1, min: 1, max: x.shape[0], write: (n) => names[n - 1], set: (n) => set({ row: n - 1 }) })}
        ${slider({ label: 'ε', value: logEps, min: -8, max: 0, write: (n) => `1e${String(n).replace('-', '−')}`, set: (n) => set({ logEps: n }) })}
        ${
          wrong === 'per-position'
            ? slider({
                label: 'words in the sentence',
                value: rows,
                min: 1,
                max: WORDS.length,
                set: (n) => set({ rows: n }),
              })
            : ''
        }
      </div>
      <div class="line-of">
        ${matrix({ name: 'x', shape: 'T × D', tensor: x, rows: names, mark: { row: at }, ...edit('x') })}
        <div>
          ${matrix({ name: 'weight', shape: 'D', tensor: weight, ...edit('weight') })}
          ${matrix({ name: 'bias', shape: 'D', tensor: bias, ...edit('bias') })}
        </div>
      </div>
      <div class="line-of">
        ${matrix({ name: 'y', shape: 'T × D', tensor: shown, ...chosen })}
        ${other ? matrix({ name: 'y as it should be', tensor: right, ...chosen }) : ''}
        ${matrix({ name: 'RMS norm', tensor: rms, ...chosen })}
      </div>
      ${refused ? html`<p class="problem" role="alert">${refused}</p>` : ''}
      <div class="line-of">
        ${bars(`“${names[at]}” before`, x, marks.before)} ${bars('after', shown, marks.after)}
        ${bars('RMS norm', rms, marks.rms)}
      </div>`;
  },
  caption: html`Choose a row. Its mean is the line across its bars, one standard deviation to either side is shaded.
  Make one number large: all others shrink. “The” is a row of tiny numbers that comes out as large as the others, as
  long as ε is small beside its variance. With weights other than 1 and biases other than 0, mean and deviation are the
  model’s to choose.`,
  mistakes: [
    {
      name: 'eps-outside',
      label: 'divide by σ + ε',
      says: html`ε is added to the deviation, not to the variance under the root. For rows of ordinary size it hardly
      shows; in “The”, whose deviation is about 0.013, the results differ, and more so with larger ε. Weights trained
      with the one rule do not give the same output with the other.`,
    },
    {
      name: 'sample',
      label: 'take the sample’s variance',
      says: html`Dividing by D − 1 instead of D, as statistics does for a sample, makes all results
      ${inline(sqrt(frac(row(v('D'), op('−'), n(1)), v('D'))))} times as large: with 6 features 9% too small, with 768
      not a tenth of a percent, which is why nobody notices.`,
    },
    {
      name: 'per-position',
      label: 'shape weight and bias like the sequence',
      says: html`A weight of T × D ties what was learned to the length of the sentence: it looks right as long as each
      sentence has ${WORDS.length} words. Draw “words in the sentence” to the left: the weight no longer fits. And what
      is learned for the first word is not known for the second.`,
    },
  ],
  sources: ['layer-norm', 'rms-norm'],
  papers: [
    { text: 'Ba et al. 2016, section 3', url: 'https://arxiv.org/abs/1607.06450' },
    { text: 'Zhang and Sennrich 2019, section 4', url: 'https://arxiv.org/abs/1910.07467' },
  ],
  lab: () => ({ model: 'words', text: 'The cat sat on the [MASK]', layer: 0 }),
};

/** What the core calls them. @type {Record<string, string>} */
const CORE = { 'eps-outside': 'epsOutside', sample: 'sampleVariance' };

/** @typedef {{ mean: number, deviation: number }} Spread */

/** Mean and standard deviation of each row. @param {typeof import('../../engine/index.js').ops} ops @param {Tensor} x @returns {Promise<Spread[]>} */
async function spread(ops, x) {
  const { mean, deviation } = await ops.moments(x);
  return Array.from(mean.data, (value, r) => ({ mean: value, deviation: deviation.data[r] }));
}

const HEIGHT = 140;
const LEFT = 52;

/**
 * A row as bars from zero, with the line of its mean and the band of its deviation.
 * @param {{ title: string, values: Float32Array, mean: number, deviation: number, width: number }} of
 */
function columns({ title, values, mean, deviation, width }) {
  const finite = Array.from(values).filter(Number.isFinite);
  const [low, high] = [mean - deviation, mean + deviation];
  const most = Math.max(1e-6, ...[...finite, low, high].filter(Number.isFinite).map(Math.abs));
  const y = (/** @type {number} */ value) => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 12);
  const step = (width - LEFT) / values.length;
  const digits = most < 0.1 ? 3 : 2;
  const said = `mean ${writeNumber(mean, digits)}, deviation ${writeNumber(deviation, digits)}`;
  return html`<div class="row-bars">
    <p class="name">
      <b>${title}</b> <span class="num">μ ${writeNumber(mean, digits)}, σ ${writeNumber(deviation, digits)}</span>
    </p>
    <svg role="img" aria-label="${title}: ${said}" viewBox="0 0 ${width} ${HEIGHT}" width=${width} height=${HEIGHT}>
      ${
        Number.isFinite(high - low)
          ? svg`<rect class="band" x=${LEFT} width=${width - LEFT} y=${y(high)} height=${Math.max(0, y(low) - y(high))}></rect>`
          : ''
      }
      ${svg`<line class="grid" x1=${LEFT} x2=${width} y1=${y(0)} y2=${y(0)}></line>
        <text class="tick" text-anchor="end" x=${LEFT - 6} y=${y(0) + 4}>0</text>
        <text class="tick" text-anchor="end" x=${LEFT - 6} y=${y(most) + 4}>${writeNumber(most, digits)}</text>
        <text class="tick" text-anchor="end" x=${LEFT - 6} y=${y(-most) + 4}>${writeNumber(-most, digits)}</text>`}
      ${Array.from(values, (value, i) =>
        Number.isFinite(value)
          ? svg`<rect class="column" x=${LEFT + i * step + 4} width=${step - 8} y=${Math.min(y(0), y(value))} height=${Math.abs(y(value) - y(0))}></rect>`
          : '',
      )}
      ${Number.isFinite(mean) ? svg`<line class="mean" x1=${LEFT} x2=${width} y1=${y(mean)} y2=${y(mean)}></line>` : ''}
    </svg>
  </div>`;
}
