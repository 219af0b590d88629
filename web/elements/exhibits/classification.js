// A classifier from end to end: trained in the page on thirty-six sentences, then asked; attention, pooling and probabilities are
// those of that model.

import { html } from 'lit';
import { line, slider } from './kit/controls.js';
import { big, equation, frac, fn, inline, op, row, sub, tall, v } from './kit/math.js';
import { matrix } from './kit/matrix.js';
import { bars } from './kit/plot.js';
import { CLASSES, PAD, SENTENCES, VOCABULARY, numbered } from './kit/sentences.js';
import { strip } from './kit/strip.js';

/** @typedef {import('../../engine/index.js').Model} Model */
/** @typedef {import('./kit/types.js').Core} Core */

const LONGEST = 12;
const STEPS = 120;
const CONFIG = {
  model_type: 'glassformer',
  architectures: ['GlassformerForSequenceClassification'],
  vocab_size: VOCABULARY.length,
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: LONGEST,
  pad_token_id: PAD,
  pooling: 'mean',
  id2label: Object.fromEntries(CLASSES.map((name, i) => [i, name])),
  label2id: Object.fromEntries(CLASSES.map((name, i) => [name, i])),
};

/** @type {Promise<Model> | null} */
let trained = null;

/** Trained once for a page: it takes a fraction of a second. @param {Core} core @returns {Promise<Model>} */
async function trainedModel({ create, train }) {
  const model = await create(CONFIG, { seed: 1 });
  const examples = SENTENCES[0].flatMap((_, i) =>
    CLASSES.map((__, label) => ({ ids: numbered(SENTENCES[label][i]).ids, labels: [label] })),
  );
  const endless = (function* () {
    for (;;) yield* examples;
  })();
  const options = { data: endless, steps: STEPS, batchSize: 12, optimizer: { lr: 3e-3 }, dropout: 0.1, seed: 1 };
  for await (const step of train(model, /** @type {any} */ (options))) void step;
  return model;
}

/** Words numbered in the order in which a set of another run would have given them out. */
const SHUFFLED = [...VOCABULARY.slice(0, 2), ...VOCABULARY.slice(2).reverse()];

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'classification',
  title: 'Classifying a text',
  text: html`<p>
      From end to end: words become numbers, numbers become vectors, an encoder mixes them by attention, and the mean
      over the words (<dfn>mean pooling</dfn>) gives one vector for the whole text. A last linear map gives a
      <dfn>logit</dfn> for each class, and a softmax makes probabilities of them.
    </p>
    <p>
      This model was made when you came here: it read thirty-six sentences of three kinds, a hundred and twenty steps of
      training. It knows ${VOCABULARY.length - 2} words; all others are <code>[UNK]</code> to it. The shorter of two
      texts in a batch is filled up with <code>[PAD]</code>, which must not count in the mean.
    </p>`,
  equation: equation(
    v('p'),
    op('='),
    fn('softmax'),
    tall(
      v('W'),
      frac(
        row(big('∑', v('t'), v('T')), sub(v('m', 'accent'), v('t')), sub(v('h'), v('t'))),
        row(big('∑', v('t'), v('T')), sub(v('m', 'accent'), v('t'))),
      ),
      op('+'),
      v('b'),
    ),
  ),
  symbols: [
    { sign: inline(sub(v('h'), v('t'))), shape: 'D', means: 'the encoder’s vector of token t' },
    { sign: inline(sub(v('m', 'accent'), v('t'))), shape: 'number', means: '1 for a word, 0 for padding' },
    { sign: inline(v('W'), op(','), v('b')), shape: 'classes × D, classes', means: 'the last linear map' },
    { sign: inline(v('p')), shape: 'classes', means: 'probabilities, which add up to 1' },
  ],
  start: {
    wrong: '',
    text: 'a cat slept in the warm sun',
    other: 'we ate hot soup and fresh bread with butter and cheese',
    layer: 1,
    head: 0,
  },
  async compute({ wrong, text, other }, core, { progress }) {
    const { ops, mistakes } = core;
    if (!trained) progress('training on 36 sentences …');
    trained ??= trainedModel(core);
    trained.catch(() => (trained = null));
    const model = await trained;
    const texts = [text, other].map((one) => numbered(one, wrong === 'unordered' ? SHUFFLED : VOCABULARY));
    const cut = texts.map(({ words, ids }) => ({ words: words.slice(0, LONGEST), ids: ids.slice(0, LONGEST) }));
    const empty = cut.findIndex(({ ids }) => ids.length === 0);
    if (empty >= 0) {
      const [which, given] = [
        ['text', text],
        ['another in the batch', other],
      ][empty];
      throw new RangeError(`${which}: expected at least one word, got “${given.slice(0, 40)}”`);
    }
    const length = Math.max(...cut.map(({ ids }) => ids.length));
    const fill = (/** @type {number[]} */ ids, /** @type {number} */ value) => [
      ...ids,
      ...new Array(length - ids.length).fill(value),
    ];
    const ids = cut.map((one) => fill(one.ids, PAD));
    const mask = cut.map((one) =>
      fill(
        one.ids.map(() => 1),
        0,
      ),
    );
    const run = await model.run({ ids, mask }, { record: ['blocks.*.attn.hook_pattern'] });
    const hidden = run.output.lastHidden;
    const counting = { shape: [2, length], data: Int32Array.from(mask.flat()) };
    const mean = await ops.meanPool(hidden, counting);
    const pooled =
      wrong === 'over-padding'
        ? await mistakes.meanPool(hidden, counting, { mistake: 'overPadding' })
        : wrong === 'over-batch'
          ? await mistakes.meanPool(hidden, counting, { mistake: 'overBatch' })
          : mean;
    const [weight, bias] = await Promise.all([
      model.parameter('classifier.weight'),
      model.parameter('classifier.bias'),
    ]);
    const logits = await ops.linear(pooled, { weight, bias });
    const probabilities = await ops.softmax(logits);
    const tokens = cut.map(({ words }) => [...words, ...new Array(length - words.length).fill('[PAD]')]);
    return {
      tokens,
      mask,
      ids,
      run,
      hidden,
      mean,
      pooled,
      probabilities,
      layers: CONFIG.num_hidden_layers,
      heads: CONFIG.num_attention_heads,
    };
  },
  picture(
    { wrong, text, other, layer, head },
    { tokens, mask, ids, run, pooled, probabilities, layers, heads },
    set,
    { theme },
  ) {
    const pattern = run.get(`blocks.${layer}.attn.hook_pattern`);
    const size = pattern.shape[3];
    const rows = pooled.shape[0];
    const padded = (/** @type {number} */ r, /** @type {number} */ c) => mask[0][r] === 0 || mask[0][c] === 0;
    const list = (/** @type {number} */ i) =>
      CLASSES.map((name, c) => ({ name, value: probabilities.data[i * CLASSES.length + c] }));
    return html`<div class="controls">
        ${line({ label: 'text', value: text, lang: 'en', set: (words) => set({ text: words }) })}
        ${line({ label: 'another in the batch', value: other, lang: 'en', set: (words) => set({ other: words }) })}
      </div>
      <div class="line-of">
        <div>
          ${matrix({
            name: 'attention of the text',
            shape: 'T × S',
            tensor: { shape: [size, size], data: pattern.data },
            at: head,
            rows: tokens[0],
            columns: tokens[0],
            kind: 'weights',
            hatched: padded,
            theme,
          })}
          <div class="controls">
            ${slider({ label: 'layer', value: layer, min: 0, max: layers - 1, set: (l) => set({ layer: l }) })}
            ${slider({ label: 'head', value: head, min: 0, max: heads - 1, set: (h) => set({ head: h }) })}
          </div>
        </div>
        <div>
          <p class="note">the text is about</p>
          ${bars({ label: 'classes of the text', bars: list(0), most: 1 })}
          ${
            rows > 1
              ? html`<p class="note">the other is about</p>
                  ${bars({ label: 'classes of the other text', bars: list(1), most: 1 })}`
              : ''
          }
          <p class="note">numbers of the words: <span class="num">${ids[0].join(' ')}</span></p>
        </div>
      </div>
      <div class="line-of">
        ${strip({
          name: wrong === 'over-batch' ? 'pooled: one vector for each position' : 'pooled: one vector for each text',
          shape: wrong === 'over-batch' ? 'T × D' : 'B × D',
          tensor: pooled,
          rows:
            wrong === 'over-batch'
              ? tokens[0].map((/** @type {string} */ _, /** @type {number} */ i) => `position ${i}`)
              : ['text', 'another'],
          theme,
        })}
      </div>`;
  },
  caption: html`The sleeping cat passes for weather. The map shows what was mixed with what, not why the model decided;
  take words out to test that: without “warm”, it is about animals again. Make the other text longer: the hatched
  padding grows, and nothing else changes, because padding is neither looked at nor counted.`,
  mistakes: [
    {
      name: 'over-padding',
      label: 'count padding in the mean',
      says: html`The shorter text’s vector is now diluted by its padding: its probabilities move when the other text
      grows, though it has not changed.`,
    },
    {
      name: 'over-batch',
      label: 'pool over the batch',
      says: html`One vector for each position instead of one for each text: it mixes the texts of the batch, and the
      first list is now about the first words of both.`,
    },
    {
      name: 'unordered',
      label: 'number the words anew in each run',
      says: html`A set has no order, so another run gives other numbers: the model reads other words than those it was
      trained on. The list of words belongs to the model and is saved with it.`,
    },
  ],
  sources: ['mean-pool', 'classification'],
  papers: [
    { text: 'Devlin et al. 2019, section 4.1, on fine-tuning a classifier', url: 'https://arxiv.org/abs/1810.04805' },
  ],
  lab: ({ text }) => ({ model: 'topics', text }),
};
