// A whole encoder at work: a trained one, its vectors layer by layer, and what it makes of the same words in another order.

import { html } from 'lit';
import { line, slider } from './kit/controls.js';
import { equation, fn, inline, op, paren, sub, sup, v } from './kit/math.js';
import { bars } from './kit/plot.js';
import { strip } from './kit/strip.js';

const MODEL = 'topics';
/** Classes in the lists, likeliest first. */
const SHOWN = 4;

/** The words the other way round. @param {string} text */
const reversed = (text) => text.trim().split(/\s+/).reverse().join(' ');

/** @typedef {import('../../engine/index.js').Model} Model */
/** @typedef {import('../../engine/index.js').Run} Run */

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'encoder',
  title: 'Encoder',
  text: html`<p>
      An <dfn>encoder layer</dfn> is self-attention and a feed-forward network, each with its residual connection and
      norm. An <dfn>encoder</dfn> is a stack of N such layers with weights of their own. It takes vectors: the
      embeddings of the tokens, to which something is added that says where each stands.
    </p>
    <p>
      Every layer gives one vector for each token, of the same width as it took. At the bottom, a vector knows its word
      and its place; further up it has taken in what it attended to, and a classifier or a decoder can read from it.
    </p>`,
  equation: html`${equation(sup(v('h'), paren(v('0'))), op('='), fn('embed'), paren(v('tokens')), op('+'), fn('positions'))}
  ${equation(sup(v('h'), paren(v('l', 'accent'))), op('='), sub(fn('layer'), v('l', 'accent')), paren(sup(v('h'), paren(v('l', 'accent'), op('−'), v('1')))), op(','), v('l', 'accent'), op('='), v('1'), op('…'), v('N'))}`,
  symbols: [
    {
      sign: inline(sup(v('h'), paren(v('l', 'accent')))),
      shape: 'T × D',
      means: 'vectors after layer l, one for each token',
    },
    { sign: inline(v('N')), shape: 'number', means: 'layers; 3 in this model' },
  ],
  start: { wrong: '', text: 'fear of the dark and of the night', layer: 1 },
  async compute({ wrong, text, layer }, { ops, mistakes, model: open }) {
    /** @type {Model} */
    const model = await open(MODEL);
    const record = ['hook_embed', 'blocks.0.hook_resid_pre', 'blocks.*.hook_resid_post'];
    const edits = async (/** @type {string} */ input) => {
      if (wrong === 'no-positions') return [{ at: 'hook_pos_embed', set: 0 }];
      if (wrong !== 'ids-as-vectors') return [];
      const { ids } = await model.run(input);
      const table = await model.parameter('electra.embeddings.word_embeddings.weight');
      const given = { shape: [1, ids[0].length], data: Int32Array.from(ids[0]) };
      const { data } = await mistakes.embedding(given, table, { mistake: 'idsAsVectors' });
      return [{ at: 'hook_embed', set: data }];
    };
    const classes = async (/** @type {Run} */ run) => {
      const { data } = await ops.softmax(/** @type {any} */ (run.output.logits));
      const labels = /** @type {Record<string, string>} */ (model.config.id2label);
      const all = Array.from(data, (value, i) => ({ name: labels[i], value }));
      return all.sort((a, b) => b.value - a.value).slice(0, SHOWN);
    };
    const turned = reversed(text);
    const run = await model.run(text, { record, edits: await edits(text) });
    const other = await model.run(turned, { edits: await edits(turned) });
    const layers = Number(model.config.num_hidden_layers);
    const name = layer === 0 ? 'blocks.0.hook_resid_pre' : `blocks.${Math.min(layer, layers) - 1}.hook_resid_post`;
    return {
      tokens: run.tokens[0],
      vectors: run.get(name),
      layers,
      classes: await classes(run),
      turned,
      turnedClasses: await classes(other),
    };
  },
  picture({ text, layer }, { tokens, vectors, layers, classes, turned, turnedClasses }, set, { theme }) {
    return html`<div class="controls">
        ${line({ label: 'sentence', value: text, lang: 'en', set: (words) => set({ text: words }) })}
        ${slider({
          label: 'vectors after layer',
          value: layer,
          min: 0,
          max: layers,
          write: (l) => (l === 0 ? '0, embeddings' : String(l)),
          set: (l) => set({ layer: l }),
        })}
      </div>
      <div class="line-of">${strip({ name: `h(${layer})`, shape: 'T × D', tensor: vectors, rows: tokens, theme })}</div>
      <div class="line-of">
        <div>
          <p class="note">“${text}” is about</p>
          ${bars({ label: 'topics of the sentence', bars: classes, most: 1 })}
        </div>
        <div>
          <p class="note">“${turned}” is about</p>
          ${bars({ label: 'topics of the reversed sentence', bars: turnedClasses, most: 1 })}
        </div>
      </div>`;
  },
  caption: html`Move through the layers: the two rows of “of”, and those of “the”, begin nearly alike and grow apart
  with what is around them. Then change the sentence. The second list is of the same words in reverse: the model reads
  them differently, since positions were added.`,
  mistakes: [
    {
      name: 'no-positions',
      label: 'leave the positions out',
      says: html`Both lists are now equal to the last digit that rounding leaves: attention sees a set of vectors, not a
      sequence, and whatever order the words are in, the pooled result is the same.`,
    },
    {
      name: 'ids-as-vectors',
      label: 'give the layers ids where they need vectors',
      says: html`An id is only a name: number 2,000 is not twice as much of anything as number 1,000. Repeated over the
      width it is the same in every column, and the first norm takes it away as the row’s mean. What is left says where
      a token stands, hardly which one it is: sentences of equally many tokens get the same topics, whatever their
      words.`,
    },
  ],
  sources: ['encoder', 'layers'],
  papers: [{ text: 'Vaswani et al. 2017, section 3.1', url: 'https://arxiv.org/html/1706.03762v7#S3.SS1' }],
  lab: ({ text, layer }) => ({ model: MODEL, text, layer: Math.max(0, layer - 1), head: 1 }),
};
