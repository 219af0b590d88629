// What training needs besides the gradient: five figures of one exhibit, each in a file of training/.

import { html } from 'lit';
import { choice } from './kit/controls.js';
import { equation, inline, n, op, paren, row, sub, sup, v, words } from './kit/math.js';
import * as accumulation from './training/accumulation.js';
import * as averaging from './training/averaging.js';
import * as clipping from './training/clipping.js';
import * as schedule from './training/schedule.js';
import * as smoothing from './training/smoothing.js';

const VIEWS = /** @type {const} */ ({ schedule, smoothing, accumulation, clipping, averaging });
/** @typedef {keyof typeof VIEWS} View */

/** Where a mistake is made. @type {Record<string, View>} */
const PLACES = {
  'step-zero': 'schedule',
  undivided: 'smoothing',
  logits: 'smoothing',
  'as-probabilities': 'smoothing',
  'other-gradients': 'smoothing',
  'mean-of-means': 'accumulation',
};

/** @param {any} state @returns {View} */
const shownView = ({ wrong, view }) => PLACES[wrong] ?? view;

/** @type {import('./kit/types.js').Exhibit} */
export default {
  name: 'training',
  title: 'Training',
  text: html`<p>
    Training lowers a <dfn>loss</dfn>, a number for how badly the model predicts, by small steps against its gradient.
    Five habits help. The <dfn>learning rate</dfn>, which scales the steps, rises over a <dfn>warm-up</dfn> and then
    falls. <dfn>Label smoothing</dfn> asks for a little less than certainty. <dfn>Accumulation</dfn> adds up the
    gradients of several small parts before one step, for batches that do not fit in memory.
    <dfn>Clipping</dfn> shortens gradients that are too long. <dfn>Averaging</dfn> the weights of the last
    <dfn>checkpoints</dfn>, copies kept on the way, smooths out the noise of the last steps.
  </p>`,
  equation: equation(
    words('rate'),
    op('='),
    sup(sub(v('d'), v('model')), row(op('−'), n('½'))),
    op('·'),
    words('min'),
    paren(
      sup(v('step'), row(op('−'), n('½'))),
      op(','),
      v('step'),
      op('·'),
      sup(v('warmup', 'accent'), row(op('−'), n('1.5'))),
    ),
  ),
  symbols: [
    { sign: inline(v('step')), shape: 'number', means: 'counted from 1' },
    { sign: inline(v('warmup', 'accent')), shape: 'number', means: 'steps over which the rate rises' },
    {
      sign: inline(sub(v('d'), v('model'))),
      shape: 'number',
      means: 'width of the model: wider ones take smaller steps',
    },
  ],
  start: {
    wrong: '',
    view: 'schedule',
    warmup: 4000,
    width: 512,
    smoothing: 0.1,
    logits: { shape: [1, 5], data: Float32Array.of(2.2, 1.1, 0.6, -1.2, -1.8) },
    parts: 4,
    gradients: { shape: [1, 5], data: Float32Array.of(1.5, -2.0, 0.5, 0.2, -0.9) },
    most: 1,
    last: 5,
  },
  async compute(state, core) {
    const view = shownView(state);
    return { view, result: await VIEWS[view].compute(state, core) };
  },
  picture(state, { view, result }, set, around) {
    return html`<div class="controls">
        ${choice({
          label: 'figure',
          value: shownView(state),
          options: [
            { value: 'schedule', text: 'schedule' },
            { value: 'smoothing', text: 'label smoothing' },
            { value: 'accumulation', text: 'accumulation' },
            { value: 'clipping', text: 'clipping' },
            { value: 'averaging', text: 'averaging' },
          ],
          set: (value) => set({ view: value, wrong: '' }),
        })}
      </div>
      ${VIEWS[/** @type {View} */ (view)].picture(state, result, set, around)}`;
  },
  caption: html`Drag the warm-up along the curve. Then take the other figures in turn: edit a logit, split a batch into
  parts, shorten gradients, and average checkpoints. Losses and bytes of the last figures are measured in trainings that
  have just been run here.`,
  mistakes: [
    {
      name: 'step-zero',
      label: 'count steps from 0',
      says: html`0 to the power of −½ is infinite. Here the minimum takes the other branch, and the first step has a
      rate of 0: it is wasted; written as a division, it is an error.`,
    },
    {
      name: 'undivided',
      label: 'smooth without dividing by the number of classes',
      says: html`The targets add up to more than 1, so they are no probabilities, and no prediction can meet them: the
      loss has a floor that grows with the number of classes.`,
    },
    {
      name: 'as-probabilities',
      label: 'take logits for probabilities',
      says: html`The loss is −log of the right word’s logit as it stands: negative where that is above 1, NaN where it
      is negative. Only the right word has a gradient, so nothing holds the other words down.`,
    },
    {
      name: 'other-gradients',
      label: 'take the gradients of something else',
      says: html`The loss that is reported is the right one, but what is differentiated is the mean of the logits. All
      of them move alike, which a softmax does not notice: the curve is drawn, the numbers change, and nothing is
      learnt.`,
    },
    {
      name: 'logits',
      label: 'take a softmax of probabilities',
      says: html`A loss that expects logits takes its own softmax. Given probabilities, it sees numbers between 0 and 1
      and finds them nearly equal: gradients become small, and even a perfect prediction has a loss.`,
    },
    {
      name: 'mean-of-means',
      label: 'average the parts, not the tokens',
      says: html`Parts hold different numbers of tokens. A mean of means gives a token in a short part more weight than
      one in a long part, so the result depends on how the batch was cut.`,
    },
  ],
  sources: ['noam-rate', 'smoothed-labels', 'cross-entropy', 'trainer', 'clip'],
  papers: [
    { text: 'Vaswani et al. 2017, section 5.3', url: 'https://arxiv.org/html/1706.03762v7#S5.SS3' },
    { text: 'Vaswani et al. 2017, section 5.4', url: 'https://arxiv.org/html/1706.03762v7#S5.SS4' },
    { text: 'Popel and Bojar 2018, Training Tips', url: 'https://arxiv.org/abs/1804.00247' },
  ],
  lab: () => ({ model: 'words' }),
};
