// The words around two pictures side by side: what to compare with, what each picture is, chosen where it stands, and what their
// difference says.

import { html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { largestDifference, visibleToken, writeNumber } from '../../view/index.js';
import { placeBeside } from '../compare.js';
import { problemText } from '../dom.js';
import { headsOf } from '../grids.js';
import { SHIPPED } from '../models.js';
import { shownHead } from '../selection.js';
import { STRINGS } from '../strings.js';
import { headsName, pick } from './views.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../aggregate.js').Numbers} Numbers */

/** The choice of what to compare with, for the fold of views. @param {import('../store.js').Store} store */
export function compareChoice(store) {
  const { state } = store;
  const { comparisons, compare } = STRINGS.views;
  const values = /** @type {const} */ (['head', 'text', 'model', 'edits']);
  const options = values.map((value) => ({
    value,
    text: comparisons[value],
    disabled:
      (value === 'edits' && !state.result?.edits.length && state.compare !== 'edits') ||
      (value === 'model' && SHIPPED.length < 2),
  }));
  return pick(compare, state.compare ?? '', [{ value: '', text: comparisons.none }, ...options], (value) =>
    store.set(begun(store.state, value === '' ? null : value)),
  );
}

/** What choosing a comparison sets: something to compare with is there at once. @param {State} state @param {State['compare']} compare @returns {Partial<State>} */
function begun(state, compare) {
  const fresh = { compare, view: /** @type {const} */ ('matrix'), layer2: null, head2: null, hover: null };
  if (compare === 'head' && state.result) {
    const place = placeBeside({ ...state, ...fresh });
    const heads = place ? headsOf(place.result, place.at.grid) : 1;
    return { ...fresh, layer2: state.layer, head2: (state.head + 1) % heads };
  }
  if (compare === 'text') return { ...fresh, text2: state.text2 ?? state.text };
  const other = SHIPPED.find(({ name }) => name !== state.model);
  if (compare === 'model' && other) return { ...fresh, model2: other.name, layer2: other.layer, head2: other.head };
  return fresh;
}

/**
 * What the difference says, or why there is none.
 * @param {Numbers} first @param {Numbers} second @param {import('../compare.js').Difference} difference
 */
export function differenceSays(first, second, difference) {
  const { views } = STRINGS;
  if (!difference) {
    const [a, b] = [first.matrix, second.matrix];
    return views.noDifference(a.rows, a.columns, b.rows, b.columns);
  }
  const most = largestDifference(difference.matrix);
  const { queries, keys } = difference;
  const largest =
    most === null
      ? views.allEqual
      : views.largestDifference(
          visibleToken(queries[most.query]),
          visibleToken(keys[most.key]),
          writeNumber(most.value, 2),
        );
  return [views.differenceSays, largest, ...(difference.sameTokens ? [] : [views.otherTokens])].join(' ');
}

/** What the first picture is. @param {State} state @param {number} count of its heads */
export function firstName(state, count) {
  const { views, models } = STRINGS;
  const what = {
    head: headsName(state, count, shownHead(state)),
    text: state.text,
    model: models[/** @type {keyof typeof models} */ (state.model)] ?? state.modelTitle,
    edits: views.changed,
  };
  return what[state.compare ?? 'head'];
}

/** The name of the model beside the picture. @param {State} state */
function secondModel({ model2, folder }) {
  const { models } = STRINGS;
  if (model2 === '') return folder?.name ?? '';
  return models[/** @type {keyof typeof models} */ (model2 ?? '')] ?? model2;
}

/** What the second picture is. @param {State} state */
export function secondName(state) {
  const { views } = STRINGS;
  const place = placeBeside(state);
  if (state.compare === 'text') return state.text2 ?? '';
  if (state.compare === 'edits') return views.unchanged;
  const head = place ? STRINGS.headName(place.at.layer, place.at.head) : '';
  if (state.compare === 'head') return head;
  return `${secondModel(state)}, ${head}`;
}

/** @param {State} state @param {number} count of its heads */
export function firstCaption(state, count) {
  return html`<h3>${STRINGS.views.first} <bdi>${firstName(state, count)}</bdi></h3>`;
}

/**
 * What the second picture is, to be chosen where it stands.
 * @param {import('../store.js').Store} store
 * @param {() => void} open a model of the reader's
 */
export function secondCaption(store, open) {
  const { state } = store;
  const { views, models } = STRINGS;
  const place = placeBeside(state);
  const number = (/** @type {'layer2' | 'head2'} */ which, /** @type {number} */ value, /** @type {number} */ count) =>
    pick(
      which === 'layer2' ? STRINGS.layer : STRINGS.head,
      String(value),
      Array.from({ length: count }, (_, i) => ({ value: String(i), text: String(i) })),
      (text) => store.set({ [which]: Number(text) }),
    );
  const head = place
    ? html`${number('layer2', place.at.layer, place.at.grid.layers)}
      ${number('head2', place.at.head, headsOf(place.result, place.at.grid))}`
    : nothing;
  const model = () => {
    const shipped = SHIPPED.map(({ name }) => ({ value: /** @type {string} */ (name), text: models[name] }));
    const opened = state.folder ? [{ value: '', text: STRINGS.openedModel(state.folder.name) }] : [];
    return html`${pick(STRINGS.model, state.model2 ?? '', [...shipped, ...opened], (name) =>
        store.set({ model2: name, layer2: null, head2: null }),
      )} <button type="button" class="link" @click=${open}>${STRINGS.open}</button>`;
  };
  const text = () =>
    html`<input
      type="text"
      dir="auto"
      spellcheck="false"
      autocomplete="off"
      aria-label=${views.secondText}
      placeholder=${STRINGS.fields.sentence.placeholder}
      .value=${live(state.text2 ?? '')}
      @input=${(/** @type {Event} */ event) => store.set({ text2: /** @type {HTMLInputElement} */ (event.target).value })}
    />`;
  return html`<h3>
      ${views.second}
      ${
        state.compare === 'head'
          ? head
          : state.compare === 'text'
            ? text()
            : state.compare === 'model'
              ? html`${model()} ${head}`
              : views.unchanged
      }
    </h3>
    <button type="button" class="link" @click=${() => store.set({ compare: null })}>${views.endComparison}</button>`;
}

/** @param {State} state */
export function status({ compare, result, other, otherProblem }) {
  if (otherProblem) return problemText(otherProblem);
  if (compare === 'edits' && result?.edits.length === 0)
    return html`<p class="notice">${STRINGS.views.nothingChanged}</p>`;
  if (compare !== 'head' && !other) return html`<p class="says" role="status">${STRINGS.running}</p>`;
  return compare === 'model' ? html`<p class="says">${STRINGS.views.otherModelSays}</p>` : nothing;
}
