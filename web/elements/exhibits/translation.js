// Translation from end to end with a trained model: greedily, or by a beam search drawn as a tree; where each written token looks.

import { html, svg } from 'lit';
import { layoutTree, visibleToken, writeNumber } from '../../view/index.js';
import { choice, line, slider } from './kit/controls.js';
import { big, equation, fn, frac, inline, n, op, paren, row, sub, sup, v } from './kit/math.js';
import { matrix } from './kit/matrix.js';
import { bars } from './kit/plot.js';

/** @typedef {import('../../engine/index.js').Model} Model */
/** @typedef {import('./kit/types.js').Tensor} Tensor */

const MODEL = 'translate';
/** The head that was guided to look at the word it translates: its README says so. */
const ALIGNED = { hook: 'decoder.blocks.1.cross_attn.hook_pattern', head: 0 };
const MOST = 48;
/** Candidates of a step. */
const SHOWN = 5;

/** The decoder's rows of one head, one below the other. @param {import('../../engine/index.js').GenerateStep[]} steps @returns {Tensor} */
function alignment(steps) {
  const rows = steps.map(({ run }) => {
    const { shape, data } = run.get(ALIGNED.hook); // [1, H, 1 or more, S]: the last query is the token that chose this one
    const keys = shape[3];
    const end = (ALIGNED.head + 1) * shape[2] * keys;
    return data.subarray(end - keys, end);
  });
  const data = new Float32Array(rows.length * rows[0].length);
  rows.forEach((one, i) => data.set(one, i * one.length));
  return { shape: [rows.length, rows[0].length], data };
}

/** The likeliest tokens of a step. @param {import('./kit/types.js').Core['ops']} ops @param {import('../../engine/index.js').GenerateStep} step */
async function candidates(ops, { run, top = [] }) {
  const { data } = await ops.softmax(/** @type {Tensor} */ (run.output.logits)); // of the last position
  return top.slice(0, SHOWN).map(({ id }) => ({ id, probability: data[id] }));
}

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'translation',
  title: 'Translation, step by step',
  text: html`<p>
      The encoder reads the source once. The decoder begins with a <dfn>start token</dfn> (BOS, for beginning of
      sequence) and gives a probability to every token of the vocabulary; one is taken and becomes part of its input,
      and so on until it takes the <dfn>end token</dfn>. Source and target have lengths of their own, and each counts
      its positions from 0. The vectors of tokens are multiplied by √D before positions are added, which would drown
      them.
    </p>
    <p>
      <dfn>Greedy</dfn> decoding takes the likeliest token each time. A <dfn>beam search</dfn> keeps the B best texts so
      far and goes on with all of them; in the end it takes the one with the best score: its log-probability, divided by
      a power of its length so that short texts have no advantage. The model has read one book in English and Spanish,
      and speaks like it.
    </p>`,
  equation: equation(
    fn('score'),
    op('='),
    frac(n('1'), sup(v('T'), v('α', 'accent'))),
    row(
      big('∑', v('t'), v('T')),
      fn('log'),
      v('p'),
      paren(sub(v('y', 'query'), v('t')), op('|'), sub(v('y', 'query'), row(op('<'), v('t'))), op(','), v('x', 'key')),
    ),
  ),
  symbols: [
    { sign: inline(v('x', 'key')), shape: 'S', means: 'source tokens' },
    {
      sign: inline(sub(v('y', 'query'), v('t'))),
      shape: 'T',
      means: 'target tokens, the end token among them',
    },
    {
      sign: inline(v('α', 'accent')),
      shape: 'number',
      means: '0.6 in this model; 1 would make the score a mean, 0 would favour short texts',
    },
  ],
  start: { wrong: '', text: 'He said to them, Where is your faith?', how: 'greedy', beams: 3, step: 0 },
  async compute({ wrong, text, how, beams }, { ops, mistakes, model: open }, { signal, progress }) {
    /** @type {Model} */
    const model = await open(MODEL);
    const tokenizer = /** @type {NonNullable<Model['tokenizer']>} */ (model.tokenizer);
    const { ids } = tokenizer.encode(text);
    if (ids.length < 2) throw new RangeError('the source needs at least one word');
    /** @type {number[]} */
    let source = Array.from(ids);
    if (wrong === 'counts') {
      const given = { shape: [1, ids.length], data: Int32Array.from(ids) };
      const counts = await mistakes.countsAsIds(given, Number(model.config.vocab_size));
      source = Array.from(/** @type {Tensor} */ (counts).data).filter((count) => count > 0);
    }
    const input = wrong === 'no-bos' ? { ids: [source], decoderIds: [[ids[0]]] } : { ids: [source] };
    const generation = model.generate(input, {
      beams: how === 'beams' ? beams : 1,
      maxNewTokens: wrong === 'one-length' ? Math.max(1, ids.length - 1) : MOST,
      record: how === 'beams' ? [] : [ALIGNED.hook],
      signal,
    });
    const steps = [];
    const likely = [];
    for await (const step of generation) {
      steps.push(step);
      if (how === 'greedy') likely.push(await candidates(ops, step));
      if (steps.length % 8 === 0) progress(`${steps.length} tokens …`);
    }
    const result = await generation.result();
    return {
      how,
      steps,
      likely,
      result,
      source: source.map((id) => tokenizer.decode([id], { skipSpecial: false })),
      decode: (/** @type {number[]} */ all) => tokenizer.decode(all),
    };
  },
  picture({ text, how, beams, step }, { how: did, steps, likely, result, source, decode }, set, { theme, room }) {
    const at = Math.min(step, steps.length - 1);
    return html`<div class="controls">
        ${line({ label: 'English', value: text, lang: 'en', set: (words) => set({ text: words, step: 0 }) })}
        ${choice({
          label: 'decoding',
          value: how,
          options: [
            { value: 'greedy', text: 'greedy' },
            { value: 'beams', text: 'beam search' },
          ],
          set: (value) => set({ how: value }),
        })}
        ${how === 'beams' ? slider({ label: 'beams', value: beams, min: 2, max: 8, set: (value) => set({ beams: value }) }) : ''}
      </div>
      <p class="written"><b class="query" lang="es">${result.text || '∅'}</b></p>
      ${did === 'beams' ? tree(steps, result, decode) : written({ steps, likely, at, source, decode, theme, room, set })}`;
  },
  caption: html`Step through the greedy text: the list shows what else was likely, the row where that step looked. Then
  try beams: the grey branches are texts that were given up; with some sentences one that began better loses. Write
  longer or rarer English to meet the model’s limits.`,
  mistakes: [
    {
      name: 'no-bos',
      label: 'begin without the start token',
      says: html`The decoder was trained to begin from one certain token. Given a source token instead, it goes on as if
      that word had been written.`,
    },
    {
      name: 'counts',
      label: 'feed counts of words instead of ids',
      says: html`How often each token occurs says nothing about which one it is: the encoder reads tokens number 1 and
      2, whatever you type.`,
    },
    {
      name: 'one-length',
      label: 'give the target the source’s length',
      says: html`The translation is cut off where it needs more tokens than the source had. Only the end token ends a
      text.`,
    },
  ],
  sources: ['generation', 'beam-search'],
  papers: [
    { text: 'Sutskever et al. 2014, section 3.2', url: 'https://arxiv.org/abs/1409.3215' },
    { text: 'Wu et al. 2016, section 7, on lengths', url: 'https://arxiv.org/abs/1609.08144' },
  ],
  lab: ({ text, how, beams }) => ({ model: MODEL, text, attention: 'cross', layer: 1, head: 0, how, beams }),
};

/** @param {{ steps: any[], likely: { id: number, probability: number }[][], at: number, source: string[], decode: (ids: number[]) => string, theme: import('./kit/types.js').Theme, room: number, set: (patch: Record<string, any>) => void }} of */
function written({ steps, likely, at, source, decode, theme, set }) {
  const pattern = alignment(steps);
  const rows = steps.map(({ id }) => visibleToken(decode([id]) || '</s>'));
  const shown = steps[at];
  return html`<div class="line-of">
    ${matrix({
      name: 'cross-attention, layer 1, head 0',
      shape: 'T × S',
      tensor: pattern,
      rows,
      columns: source.map(visibleToken),
      kind: 'weights',
      mark: { row: at },
      choose: (r) => set({ step: r }),
      theme,
    })}
    <div>
      ${slider({ label: 'step', value: at, min: 0, max: steps.length - 1, write: (i) => `${i + 1} of ${steps.length}`, set: (i) => set({ step: i }) })}
      <p class="note">likely at this step</p>
      ${bars({
        label: `candidates of step ${at + 1}`,
        most: 1,
        bars: likely[at].map(({ id, probability }) => ({
          name: visibleToken(decode([id]) || '</s>'),
          value: probability,
          role: id === shown.id ? 'accent' : '',
        })),
      })}
    </div>
  </div>`;
}

/** @param {any[]} steps @param {{ ids: number[], score: number }} result @param {(ids: number[]) => string} decode */
function tree(steps, result, decode) {
  const levels = steps.map(({ beams }) => beams);
  const label = (/** @type {number[]} */ ids) => visibleToken(decode([ids[ids.length - 1]]) || '</s>');
  const { width, height, rows, nodes, edges } = layoutTree(levels, { chosen: result.ids, label });
  return html`<div class="tree" tabindex="0" role="region" aria-label="beam search">
      <svg
        width=${width}
        height=${height}
        role="img"
        aria-label="${levels.length} steps of ${rows} hypotheses, best on top"
      >
        ${edges.map((edge) => svg`<path class=${edge.chosen ? 'chosen' : ''} d=${edge.d}></path>`)}
        ${nodes.map((node) => svg`<text class=${node.chosen ? 'chosen' : ''} x=${node.x} y=${node.y}>${node.text}</text>`)}
      </svg>
    </div>
    <p class="note">score of the text that won: <span class="num">${writeNumber(result.score, 3)}</span></p>`;
}
