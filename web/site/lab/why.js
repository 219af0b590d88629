// Why a number is what it is: a cell's dot product, scale, mask and softmax with its own numbers, and its row. Each number
// opens; what it is made of takes the panel's place (trail.js).

import { html, nothing, render } from 'lit';
import { explain, headMatrix, roundToSum, visibleToken, writeNumber, writeUnits } from '../../view/index.js';
import { createAblation } from './ablation.js';
import { bars, prose, share } from '../dom.js';
import { numbersOf } from './numbers.js';
import { createTrail } from './trail.js';
import { shownHead, shownSequence, shownSpot } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../../view/explain.js').Explanation} Explanation */

const ROW = 6;

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ edited: ReturnType<typeof import('../lab.js').createLab>['edited'] }} lab
 */
export function createWhy(root, store, lab) {
  render(html`<div class="sheet"></div>`, root);
  const sheet = /** @type {HTMLElement} */ (root.querySelector('.sheet'));
  const trail = createTrail(update);
  const ablation = createAblation(store, lab, update);

  function update() {
    const { state } = store;
    const { result } = state;
    const spot = shownSpot(state);
    root.hidden = result === null;
    root.classList.toggle('empty', spot.query === null && spot.key === null);
    if (!result) return;
    render(content(state, result, spot), sheet);
  }

  /** @param {State} state @param {import('../types.js').Result} result @param {import('../../view/types.js').Spot} spot */
  function content(state, result, { query = null, key = null }) {
    const sequence = shownSequence(state);
    if (!sequence || (query === null && key === null)) return html`<p class="says">${STRINGS.whyNothing}</p>`;
    if (trail.open) return trail.template();
    const at = { ...shownHead(state), batch: state.sequence };
    const name = (/** @type {string} */ hook) => `blocks.${at.layer}.attn.${hook}`;
    const [scores, q, k] = ['hook_attn_scores', 'hook_q', 'hook_k'].map((hook) => result.records.peek(name(hook)));
    if (!scores || !q || !k) {
      result.records.get(name('hook_q')).then(
        () => store.state.result === result && update(),
        (error) =>
          store.state.result === result && store.set({ problem: { code: error.code, message: error.message } }),
      );
      return html`<p class="says" role="status">${STRINGS.whyWaiting}</p>`;
    }
    const weights = headMatrix(result.run.get(name('hook_pattern')), at);
    const tokens = sequence.tokens.map(visibleToken);
    if (query === null) return columnContent(tokens, weights, key ?? 0);
    const rowOf = (/** @type {import('../../view/types.js').Matrix} */ m) =>
      m.data.subarray(query * m.columns, (query + 1) * m.columns);
    const row = rowOf(weights);
    if (key === null) {
      return html`${title(html`${STRINGS.whyRow} ${chip('query', tokens[query])}`)}
        <p class="says">${STRINGS.chooseKey}</p>
        ${rowList(tokens, row, query, null)}`;
    }
    const scoreRow = rowOf(headMatrix(scores, at));
    const vector = (
      /** @type {import('../../view/types.js').Tensor} */ { shape, data },
      /** @type {number} */ token,
    ) => {
      const [, length, heads, width] = shape;
      const start = ((at.batch * length + token) * heads + at.head) * width;
      return data.subarray(start, start + width);
    };
    const parts = explain({ q: vector(q, query), k: vector(k, key), scores: scoreRow, weights: row, key });
    const numbers = numbersOf(result, at, query, key, parts, tokens);
    const shown = state.kind === 'scores' ? parts.score : parts.weight;
    return html`${title(STRINGS.why(shown.shown))}
      <p>${chip('query', tokens[query])} ${STRINGS.asks} ${chip('key', tokens[key])}</p>
      ${steps(parts, numbers, tokens, query, key)} ${rowList(tokens, row, query, key)}
      ${parts.error > 1e-3 ? html`<p class="notice">${STRINGS.differs(parts.error.toPrecision(2))}</p>` : nothing}
      ${ablation.template(result, at, query, key, parts.weight.shown)}`;
  }

  const title = (/** @type {unknown} */ text) =>
    html`<div class="title">
      <h2>${text}</h2>
      ${
        store.state.query === null && store.state.key === null
          ? nothing
          : html`<button type="button" class="link" @click=${() => store.set({ query: null, key: null, hover: null })}>
              ${STRINGS.letGo}
            </button>`
      }
    </div>`;

  /** A number that opens. @param {import('../origin-terms.js').Origin} origin @param {string} text */
  const number = (origin, text) =>
    html`<button
      type="button"
      class="number"
      aria-label=${STRINGS.openNumber(origin.label, text)}
      @click=${() => trail.start(origin)}
    >
      ${text}
    </button>`;

  /**
   * @param {Explanation} parts
   * @param {ReturnType<typeof numbersOf>} numbers
   * @param {string[]} tokens
   * @param {number} query
   * @param {number} key
   */
  function steps(parts, numbers, tokens, query, key) {
    const { softmax, mask } = parts;
    const products = parts.products.map(({ value }) => value);
    const step = (/** @type {string} */ name, /** @type {unknown} */ says, /** @type {unknown} */ value) =>
      html`<li>
        <span class="name">${name}</span>
        <div class="body">${says}</div>
        ${value}
      </li>`;
    return html`<ol class="steps">
      ${step(
        STRINGS.dot,
        html`${bars(products, { label: STRINGS.productsOf(tokens[query], tokens[key], products.length) })}
          <span>${prose(STRINGS.dotSays(parts.scale.width))}</span>`,
        number(numbers.dot, parts.dot.shown),
      )}
      ${step(STRINGS.scaleStep(parts.scale.width), STRINGS.scaleSays(parts.scale.shown), number(numbers.scaled, parts.scaled.shown))}
      ${mask === null ? nothing : step(STRINGS.maskStep, STRINGS.maskSays, html`<span class="plain">${mask.value === 0 ? '+ 0' : `+ ${mask.shown}`}</span>`)}
      ${step(
        STRINGS.softmaxStep,
        html`${prose(STRINGS.softmaxTerm)}
        ${STRINGS.softmaxSays(parts.score.shown, softmax.max.shown, softmax.numerator.shown, softmax.denominator.shown)}`,
        number(numbers.weight, parts.weight.shown),
      )}
    </ol>`;
  }

  /** The row's largest weights; what is shown adds up to 1.00. @param {string[]} tokens @param {Float32Array} row @param {number} query @param {number | null} key */
  function rowList(tokens, row, query, key) {
    const units = roundToSum(row, 2);
    const order = Array.from(row.keys()).sort((a, b) => row[b] - row[a] || a - b);
    const first = order.slice(0, ROW);
    if (key !== null && !first.includes(key)) first[first.length - 1] = key;
    const rest = order.filter((other) => !first.includes(other)).reduce((sum, other) => sum + units[other], 0);
    const total = units.reduce((sum, value) => sum + value, 0);
    return html`<h3>${STRINGS.rowTitle(tokens[query])}</h3>
      <ul class="answers row">
        ${first.map(
          (other) =>
            html`<li class=${other === key ? 'chosen' : ''}>
              <button type="button" class="link name" @click=${() => store.set({ query, key: other, hover: null })}>
                <bdi>${tokens[other]}</bdi>
              </button>
              ${share(row[other])}<span class="number">${writeUnits(units[other], 2)}</span>
            </li>`,
        )}
        ${
          order.length > first.length
            ? html`<li>
                <span class="name"><i>${STRINGS.otherKeys(order.length - first.length)}</i></span
                >${share(rest / 100)}<span class="number">${writeUnits(rest, 2)}</span>
              </li>`
            : nothing
        }
        <li class="total">
          <span class="name">${STRINGS.together}</span><span></span><span class="number">${writeUnits(total, 2)}</span>
        </li>
      </ul>`;
  }

  /** @param {string[]} tokens @param {import('../../view/types.js').Matrix} weights @param {number} key */
  function columnContent(tokens, weights, key) {
    const column = Array.from({ length: weights.rows }, (_, query) => weights.data[query * weights.columns + key]);
    const order = Array.from(column.keys()).sort((a, b) => column[b] - column[a] || a - b);
    return html`${title(html`${STRINGS.whyColumn} ${chip('key', tokens[key])}`)}
      <p class="says">${STRINGS.columnSays}</p>
      <ul class="answers row">
        ${order.slice(0, ROW + 2).map(
          (query) =>
            html`<li>
              <button type="button" class="link name" @click=${() => store.set({ query, key, hover: null })}>
                <bdi>${tokens[query]}</bdi>
              </button>
              ${share(column[query])}<span class="number">${writeNumber(column[query], 2)}</span>
            </li>`,
        )}
      </ul>`;
  }

  const chip = (/** @type {'query' | 'key'} */ role, /** @type {string} */ token) =>
    html`<span class="chip ${role}"><bdi>${token}</bdi> <small>${STRINGS.roles[role]}</small></span>`;

  store.on(['result', 'sequence', 'layer', 'head', 'query', 'key'], () => {
    trail.clear();
    ablation.clear();
    update();
  });
  store.on(['hover', 'kind'], () => {
    if (!trail.open) update();
  });
  update();
}
