// The papers behind the course, each as a model or a form of attention at work: six figures, each in a file of papers/.

import { html } from 'lit';
import { choice } from './kit/controls.js';
import { equation, fn, frac, inline, op, paren, row, sqrt, sub, sup, tall, v, words } from './kit/math.js';
import * as bert from './papers/bert.js';
import * as folders from './papers/folders.js';
import * as original from './papers/original.js';
import * as reversible from './papers/reversible.js';
import * as variants from './papers/variants.js';

const FIGURES = /** @type {const} */ ({ original, bert, folders, lsh: variants, reversible, linformer: variants });
/** @typedef {keyof typeof FIGURES} Paper */

const TRANSLATE = { model: 'translate', attention: 'cross' };

/** What to do in each, and what to notice. @type {Record<Paper, import('./kit/types.js').Template>} */
const NOTES = {
  original: html`Three attentions: the encoder’s sees all of the source, the decoder’s sees what is written so far
  (hatched cells are hidden), and the third gives each target token a row over the source. Base and big are the paper’s
  two sizes: with random weights their heads look everywhere alike.`,
  bert: html`Nothing is hidden from a query: weights stand on both sides of the diagonal. The segment’s vector is one of
  two, the same for all tokens of a sentence; the pooled vector is what a classifier of pairs reads. These two are of a
  model with random weights: the trained one has neither two sentences nor a pooler.`,
  folders: html`Three families, each under the names that Hugging Face’s library gives its tensors: what was saved there
  opens here, and the other way round.`,
  lsh: html`Take more rounds of hashing and LSH attention comes nearer to full attention. In both, keys are the queries
  brought to length 1, and a token looks at itself only when there is nobody else. The matrix is drawn to be looked at:
  the method never makes it when it works.`,
  reversible: html`Take more layers: memory grows where activations are kept, and stays where layers are reversible,
  since each layer’s input is worked out from its output on the way back, for the work of one more forward pass.`,
  linformer: html`With k as large as the text the projection loses nothing; with less, keys that are mixed share their
  weight. The matrix is drawn to be looked at: the method never makes it when it works.`,
};

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'papers',
  title: 'Papers, and cheaper attention',
  text: html`<p>
      <cite>Attention Is All You Need</cite> put the pieces of this course together, in two sizes, base and big.
      <dfn>BERT</dfn> keeps the encoder, adds a vector for the <dfn>segment</dfn>, first or second sentence, predicts
      words that were hidden, and has a <dfn>pooler</dfn> that makes one vector of the first token’s. Hugging Face’s
      <cite>Transformers</cite> made checkpoints that open everywhere, here too. <cite>Training Tips</cite> measured
      what training needs: see figure 14.
    </p>
    <p>
      Full attention makes T × S weights. <dfn>Reformer</dfn> sorts vectors into buckets by random directions (<dfn
        >locality-sensitive hashing</dfn
      >, LSH) and lets each look into its own; its layers are <dfn>reversible</dfn>: they can be run backwards, so that
      activations need not be kept. <dfn>Linformer</dfn> mixes the S keys and values into k first.
    </p>`,
  equation: html`${equation(words('Linformer:\u2002'), fn('softmax'), tall(frac(row(v('Q', 'query'), sup(paren(v('E', 'accent'), v('K', 'key')), v('⊤'))), sqrt(sub(v('d'), v('k'))))), v('F', 'accent'), v('V', 'value'))}
  ${equation(words('LSH:\u2002'), fn('bucket'), paren(v('x')), op('='), fn('argmax'), paren(v('x'), v('R', 'accent'), op(';'), op('−'), v('x'), v('R', 'accent')))}
  ${equation(words('reversible:\u2002'), sub(v('y'), v('1')), op('='), sub(v('x'), v('1')), op('+'), fn('Attention'), paren(sub(v('x'), v('2'))), op(','), sub(v('y'), v('2')), op('='), sub(v('x'), v('2')), op('+'), fn('FFN'), paren(sub(v('y'), v('1'))))}`,
  symbols: [
    {
      sign: inline(v('E', 'accent'), op(','), v('F', 'accent')),
      shape: 'k × S',
      means: 'what keys and values are mixed by; learned in the paper, means of neighbours in this figure',
    },
    { sign: inline(v('k')), shape: 'number', means: 'how many mixtures take the place of the S keys' },
    { sign: inline(v('x')), shape: 'K', means: 'a query, which is the key too, brought to length 1' },
    { sign: inline(v('R', 'accent')), shape: 'K × buckets/2', means: 'random directions' },
    {
      sign: inline(sub(v('x'), v('1')), op(','), sub(v('x'), v('2'))),
      shape: 'T × D',
      means: 'two streams instead of one; from y₁ and y₂ they can be had back by subtraction',
    },
  ],
  start: {
    wrong: '',
    paper: 'original',
    source: 'He said to them',
    target: 'Y les dijo',
    size: 'translate',
    masked: 'the cat [MASK] on the mat',
    second: 'it is warm there',
    folder: 'topics',
    text: 'the cat sat on the mat',
    head: 1,
    buckets: 4,
    hashes: 1,
    seed: 1,
    k: 4,
    layers: 6,
  },
  async compute(state, core, waiting) {
    const paper = /** @type {Paper} */ (state.paper);
    return { paper, result: await FIGURES[paper].compute(state, core, waiting) };
  },
  picture(state, { paper, result }, set, around) {
    return html`<div class="controls">
        ${choice({
          label: 'figure',
          value: state.paper,
          options: [
            { value: 'original', text: 'Attention Is All You Need' },
            { value: 'bert', text: 'BERT' },
            { value: 'folders', text: 'Transformers' },
            { value: 'lsh', text: 'LSH attention (Reformer)' },
            { value: 'reversible', text: 'reversible layers (Reformer)' },
            { value: 'linformer', text: 'projected keys (Linformer)' },
          ],
          set: (value) => set({ paper: value }),
        })}
      </div>
      ${FIGURES[/** @type {Paper} */ (paper)].picture({ ...state, paper }, result, set, around)}
      <p class="note">${NOTES[/** @type {Paper} */ (paper)]}</p>`;
  },
  caption: html`Take the papers in turn. Each figure is the core at work: a trained model where one is shipped, else one
  with random weights, and the text says which.`,
  mistakes: [],
  sources: ['original', 'lsh', 'linformer', 'reversible'],
  papers: [
    { text: 'Vaswani et al. 2017, section 3', url: 'https://arxiv.org/html/1706.03762v7#S3' },
    { text: 'Devlin et al. 2019, section 3', url: 'https://arxiv.org/abs/1810.04805' },
    { text: 'Wolf et al. 2020', url: 'https://arxiv.org/abs/1910.03771' },
    { text: 'Popel and Bojar 2018', url: 'https://arxiv.org/abs/1804.00247' },
    { text: 'Kitaev et al. 2020, sections 2 and 3', url: 'https://arxiv.org/abs/2001.04451' },
    { text: 'Wang et al. 2020, section 4', url: 'https://arxiv.org/abs/2006.04768' },
  ],
  lab: ({ paper, ...state }) =>
    paper === 'original'
      ? {
          ...TRANSLATE,
          text: state.source,
          target: state.target,
          head: state.size === TRANSLATE.model ? state.head : 0,
        }
      : paper === 'folders'
        ? { model: state.folder, text: state.text, head: state.head }
        : { model: 'words', text: paper === 'bert' ? state.masked : state.text, layer: 1, head: state.head },
};
