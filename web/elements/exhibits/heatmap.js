// The heatmap itself: query tokens down, key tokens across, a number in each cell, a colour bar. Drawn from a run, and beside it the
// two things that go wrong most.

import { html } from 'lit';
import { AttentionHeatmap } from '../attention-heatmap.js';
import { define } from '../base.js';
import { choice, line, slider } from './kit/controls.js';
import { equation, inline, op, row, sub, v, big, n } from './kit/math.js';
import { matrix } from './kit/matrix.js';

define('attention-heatmap', AttentionHeatmap);

/** @typedef {import('../../engine/index.js').Model} Model */

const MODEL = 'words';

/** A model of the same shape that nobody has trained. @type {Promise<Model> | null} */
let untrained = null;

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'heatmap',
  title: 'Reading a heatmap',
  text: html`<p>
      A <dfn>heatmap</dfn> shows a head’s weights as colours: each row is a query, each column a key, and a row’s cells
      add up to 1. So read it by rows: where does this token look? A column that stands out is a token that many look
      at, often a separator: a place to rest, it seems, when there is nothing to find.
    </p>
    <p>
      The colour bar says what a colour means; its direction, its ends and the title belong to the picture. Weights are
      what this head mixes by: they are not an explanation of what the model decided. To test that, take a word away, or
      set a weight to 0 in the lab, and see what changes.
    </p>`,
  equation: equation(
    row(big('∑', v('s', 'key'), v('S', 'key')), sub(v('A'), row(v('t', 'query'), v('s', 'key'))), op('='), n('1')),
  ),
  symbols: [
    {
      sign: inline(sub(v('A'), row(v('t', 'query'), v('s', 'key')))),
      shape: 'T × S',
      means: 'weight of key s for query t',
    },
  ],
  start: { wrong: '', text: 'the cat sat on the mat', layer: 1, head: 1, palette: 'ylorrd' },
  async compute({ wrong, text }, { model: open, create }) {
    /** @type {Model} */
    const trained = await open(MODEL);
    let model = trained;
    if (wrong === 'random') {
      untrained ??= create(trained.config, { seed: 1 });
      model = await untrained;
    }
    const { ids, tokens } = await trained.run(text);
    const run = await model.run({ ids: [Array.from(ids[0])] }, { record: ['blocks.*.attn.hook_pattern'] });
    const patterns = run.names.map((name) => run.get(name));
    return { patterns, tokens: tokens[0], heads: patterns[0].shape[1] };
  },
  picture({ wrong, text, layer, head, palette }, { patterns, tokens, heads }, set, { theme }) {
    const l = Math.min(layer, patterns.length - 1);
    const h = Math.min(head, heads - 1);
    const [, , rows, columns] = patterns[l].shape;
    const data = patterns[l].data.subarray(h * rows * columns, (h + 1) * rows * columns);
    return html`<div class="controls">
        ${line({ label: 'sentence', value: text, lang: 'en', set: (words) => set({ text: words }) })}
        ${slider({ label: 'layer', value: l, min: 0, max: patterns.length - 1, set: (value) => set({ layer: value }) })}
        ${slider({ label: 'head', value: h, min: 0, max: heads - 1, set: (value) => set({ head: value }) })}
        ${choice({
          label: 'palette',
          value: palette,
          options: [
            { value: 'ylorrd', text: 'YlOrRd' },
            { value: 'viridis', text: 'viridis' },
          ],
          set: (value) => set({ palette: value }),
        })}
      </div>
      <p class="note">
        ${wrong === 'random' ? 'a model that has learnt nothing' : MODEL}, layer ${l}, head ${h}: “${text}”
      </p>
      ${
        wrong === 'black'
          ? matrix({
              name: 'weights',
              shape: 'T × S',
              tensor: { shape: [rows, columns], data },
              rows: tokens,
              columns: tokens,
              kind: 'weights',
              ink: 'black',
              palette,
              theme,
            })
          : html`<attention-heatmap
              .data=${{ shape: [rows, columns], data }}
              .tokens=${tokens}
              .palette=${palette}
            ></attention-heatmap>`
      }`;
  },
  caption: html`Move over the cells, or focus the picture and use the arrow keys: each cell says its query, key and
  weight. Type another sentence and look for the heads that look at the word before, the word after, or nowhere in
  particular.`,
  mistakes: [
    {
      name: 'random',
      label: 'draw random numbers',
      says: html`These are the weights of a model of the same shape with random parameters. A softmax of anything is a
      tidy picture: without a run of the real model behind it, a heatmap says nothing.`,
    },
    {
      name: 'black',
      label: 'write black on dark cells',
      says: html`Numbers on dark cells can no longer be read: on a light page those of the largest weights, on a dark
      one those of the smallest. Done right, the ink turns white where the cell is dark, and the contrast is at least
      4.5 to 1.`,
    },
  ],
  sources: ['pattern'],
  papers: [
    { text: 'Clark et al. 2019, on what heads look at', url: 'https://arxiv.org/abs/1906.04341' },
    { text: 'Jain and Wallace 2019, on what attention does not say', url: 'https://arxiv.org/abs/1902.10186' },
  ],
  lab: ({ text, layer, head, palette }) => ({ model: MODEL, text, layer, head, palette }),
};
