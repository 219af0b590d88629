// The residual connection: what a sublayer adds, with its norm before or after the sum, and dropout on the way.

import { html } from 'lit';
import { button, choice, slider, toggle } from './kit/controls.js';
import { given as of } from './kit/given.js';
import { encoderLayer } from './kit/layers.js';
import { equation, inline, op, paren, v, fn, words } from './kit/math.js';
import { changed, matrix } from './kit/matrix.js';
import { strip } from './kit/strip.js';

const SENTENCE = 'a large wild cat with striped fur';
const MODEL = 'topics';
/** As many draws as the mean is taken over. */
const DRAWS = 1000;

// What the sublayer is does not matter here: a small feed-forward network.
const sublayer = {
  weight1: of([
    [0.8, -0.3, 0.5, 0.1, -0.6],
    [-0.4, 0.9, 0.2, -0.7, 0.3],
    [0.5, 0.6, -0.8, 0.4, 0.2],
    [-0.9, 0.1, 0.3, 0.8, -0.2],
  ]),
  weight2: of([
    [0.9, -0.5, 0.3, 0.4],
    [0.2, 0.8, -0.6, 0.1],
    [-0.7, 0.4, 0.9, -0.3],
    [0.5, -0.2, 0.1, 0.8],
    [0.3, 0.6, -0.4, -0.9],
  ]),
  activation: /** @type {const} */ ('relu'),
};

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'residual',
  title: 'Residual connection and dropout',
  text: html`<p>
      A <dfn>sublayer</dfn>, attention or feed-forward, does not replace its input: its output is added to it. The sum
      that runs through all layers is the <dfn>residual stream</dfn>; every sublayer reads from it and writes to it. In
      training, <dfn>gradients</dfn>, which say how to change each weight, flow back along it unhindered.
    </p>
    <p>
      The first transformers normalized after the sum (<dfn>post-norm</dfn>); most later ones normalize what the
      sublayer reads (<dfn>pre-norm</dfn>) and leave the stream alone. In training, <dfn>dropout</dfn> sets each number
      of the sublayer’s output to 0 with probability p and divides the rest by 1 − p, so that the mean over many draws
      is what it is without dropout.
    </p>`,
  equation: html`${equation(words('pre-norm:\u2002'), v('x'), op('+'), fn('dropout'), paren(v('f', 'accent'), paren(fn('norm'), paren(v('x')))))}
  ${equation(words('post-norm:\u2002'), fn('norm'), paren(v('x'), op('+'), fn('dropout'), paren(v('f', 'accent'), paren(v('x')))))}`,
  symbols: [
    { sign: inline(v('x')), shape: 'T × D', means: 'the residual stream before the sublayer' },
    { sign: inline(v('f', 'accent')), shape: 'T × D → T × D', means: 'the sublayer' },
    { sign: inline(v('p')), shape: 'number', means: 'how likely dropout sets a number to 0; 0 outside training' },
  ],
  start: { wrong: '', where: 'pre', training: true, p: 0.25, seed: 6, token: 4, x: of([[1.4, -0.6, 0.9, -1.1, 0.5]]) },
  async compute({ wrong, where, training, p, seed, x }, { ops, mistakes, model }) {
    const width = x.shape[1];
    const read = where === 'pre' ? await ops.layerNorm(x) : x;
    const given = await ops.feedForward(read, sublayer);
    const options = { p, seed, training };
    const drop = (/** @type {import('./kit/types.js').Tensor} */ tensor) =>
      wrong === 'not-inverted'
        ? mistakes.dropout(tensor, { ...options, mistake: 'notInverted' })
        : wrong === 'at-inference'
          ? mistakes.dropout(tensor, { ...options, training: false, mistake: 'atInference' })
          : ops.dropout(tensor, options);
    const dropped = await drop(given);
    const sum = wrong === 'no-residual' ? dropped.output : await ops.add(x, dropped.output);
    const output = where === 'pre' ? sum : await ops.layerNorm(sum);
    // The same vector so many times: each gets a draw of its own.
    const many = { shape: [1, DRAWS, width], data: new Float32Array(DRAWS * width) };
    for (let i = 0; i < DRAWS; i++) many.data.set(given.data, i * width);
    const counting = { shape: [1, DRAWS], data: new Int32Array(DRAWS).fill(1) };
    const mean = await ops.meanPool((await drop(many)).output, counting);
    const trained = await model(MODEL);
    const layers = Number(trained.config.num_hidden_layers);
    const record = [
      'blocks.0.hook_resid_pre',
      'blocks.*.hook_attn_out',
      'blocks.*.hook_resid_mid',
      'blocks.*.hook_mlp_out',
      'blocks.*.hook_resid_post',
    ];
    const run = await trained.run(SENTENCE, { record });
    const alike = wrong === 'no-residual' ? await withoutSums(mistakes, trained, run, layers) : null;
    return { read, given, dropped, sum, output, mean, run, layers, alike };
  },
  picture(
    { wrong, where, training, p, seed, token, x },
    { read, given, dropped, sum, output, mean, run, layers, alike },
    set,
    { theme },
  ) {
    const tokens = run.tokens[0];
    const at = Math.min(token, tokens.length - 1);
    const stream = ['blocks.0.hook_resid_pre'];
    for (let l = 0; l < layers; l++) {
      for (const name of ['hook_attn_out', 'hook_resid_mid', 'hook_mlp_out', 'hook_resid_post'])
        stream.push(`blocks.${l}.${name}`);
    }
    const names = stream.map((name) => STREAM[name.split('.')[2]](Number(name.split('.')[1])));
    const width = run.get(stream[0]).shape[2];
    const rows = { shape: [stream.length, width], data: new Float32Array(stream.length * width) };
    stream.forEach((name, i) => rows.data.set(run.get(name).data.subarray(at * width, (at + 1) * width), i * width));
    const one = (/** @type {string} */ name, /** @type {import('./kit/types.js').Tensor} */ tensor) =>
      matrix({ name, tensor, theme });
    return html`<div class="controls">
        ${choice({
          label: 'norm',
          value: where,
          options: [
            { value: 'pre', text: 'before the sublayer' },
            { value: 'post', text: 'after the sum' },
          ],
          set: (value) => set({ where: value }),
        })}
        ${toggle({ label: 'training', on: training, set: (on) => set({ training: on }) })}
        ${slider({ label: 'p', value: p, min: 0, max: 0.9, step: 0.05, write: (value) => value.toFixed(2), set: (value) => set({ p: value }) })}
        ${button({ label: 'draw again', press: () => set({ seed: seed + 1 }) })}
      </div>
      <div class="line-of">
        ${matrix({ name: 'x', shape: 'T × D', tensor: x, theme, edit: (_, c, value) => set({ x: changed(x, c, value) }) })}
        ${where === 'pre' ? one('norm(x)', read) : ''} ${one(where === 'pre' ? 'f(norm(x))' : 'f(x)', given)}
        ${one('dropout', dropped.output)} ${one(wrong === 'no-residual' ? 'no sum' : 'x + dropout', sum)}
        ${where === 'post' ? one('norm of the sum', output) : ''}
      </div>
      <div class="line-of">${one(`mean of dropout over ${DRAWS} draws`, mean)}</div>
      ${
        alike
          ? html`<div class="line-of">
              ${strip({ name: `${MODEL} without sums, after its last layer`, shape: 'T × D', tensor: alike, rows: tokens, theme })}
              ${strip({ name: 'with them', shape: 'T × D', tensor: run.get(`blocks.${layers - 1}.hook_resid_post`), rows: tokens, theme })}
            </div>`
          : ''
      }
      <div class="line-of">
        ${strip({
          name: `the stream of “${tokens[at]}” through ${MODEL}, and what is added to it`,
          shape: 'rows × D',
          tensor: rows,
          rows: names,
          theme,
          rowHeight: 16,
        })}
      </div>
      <div class="controls">
        ${slider({ label: 'token', value: at, min: 0, max: tokens.length - 1, write: (i) => tokens[i] ?? '', set: (i) => set({ token: i }) })}
      </div>`;
  },
  caption: html`Draw again: other numbers fall to 0, and the rest grow to make up for it. Below, a real model
  (post-norm): a row of the stream is the norm of the row before it plus what is added; vertical stripes are numbers
  that pass through all layers.`,
  mistakes: [
    {
      name: 'no-residual',
      label: 'leave out the sum',
      says: html`What x said is gone unless the sublayer repeats it. The trained model without its sums shows where that
      leads: after its last layer all tokens have the same vector, to a few digits, whatever they were.`,
    },
    {
      name: 'not-inverted',
      label: 'do not divide by 1 − p',
      says: html`The mean over many draws is now smaller than the sublayer’s output, by 1 − p: a model trained like this
      meets larger numbers than it knows when dropout is switched off.`,
    },
    {
      name: 'at-inference',
      label: 'leave dropout on outside training',
      says: html`Switch training off and draw again: the output still changes from run to run, for the same input.`,
    },
  ],
  sources: ['residual', 'dropout'],
  papers: [
    { text: 'Vaswani et al. 2017, section 3.1', url: 'https://arxiv.org/html/1706.03762v7#S3.SS1' },
    { text: 'Vaswani et al. 2017, section 5.4', url: 'https://arxiv.org/html/1706.03762v7#S5.SS4' },
    { text: 'Xiong et al. 2020, on where the norm stands', url: 'https://arxiv.org/abs/2002.04745' },
  ],
  lab: () => ({ model: MODEL, text: SENTENCE, layer: 1, head: 1 }),
};

/** What rows of the picture are called. @type {Record<string, (layer: number) => string>} */
const STREAM = {
  hook_resid_pre: () => 'embedding',
  hook_attn_out: (layer) => `+ attention ${layer}`,
  hook_resid_mid: () => 'sum',
  hook_mlp_out: (layer) => `+ feed-forward ${layer}`,
  hook_resid_post: (layer) => `after layer ${layer}`,
};

/**
 * What the model's layers make of its embeddings when nothing is added to anything.
 * @param {import('./kit/types.js').Core['mistakes']} mistakes
 * @param {import('../../engine/index.js').Model} model
 * @param {import('../../engine/index.js').Run} run
 * @param {number} count of layers
 */
async function withoutSums(mistakes, model, run, count) {
  const layers = await Promise.all(Array.from({ length: count }, (_, l) => encoderLayer(model, l, 'electra.')));
  return mistakes.encoder(run.get('blocks.0.hook_resid_pre'), { layers }, { mistake: 'withoutResidual' });
}
