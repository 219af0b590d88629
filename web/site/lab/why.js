// Why a number is what it is: the explanation of the cell on show. Each of its numbers opens; what it is made of takes the
// panel's place (trail.js). On a phone the panel is a sheet that is folded until asked for.

import { html, nothing, render } from 'lit/html.js';
import { explain, headMatrix, visibleToken } from '../../view/index.js';
import { createAblation } from './ablation.js';
import { chip, columnList, rowList, steps } from './explanation.js';
import { createTrail } from './trail.js';
import { cellOrigins } from '../origin-cells.js';
import { createOrigins } from '../origins.js';
import { shownHead, shownSequence, shownSpot } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../../view/types.js').Tensor} Tensor */
/** @typedef {import('../../view/types.js').Matrix} Matrix */

/** Recorded and recomputed numbers differ by rounding of float32, which is far below this. */
const ROUNDING = 1e-3;

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
  let folded = true;
  /** Kept while the run is the same: it holds the parameters that were asked for. @type {{ result: any, batch: number, origins: any } | null} */
  let kept = null;

  /** @param {import('../types.js').Result} result @param {number} batch @returns {import('../origins.js').Origins} */
  function originsOf(result, batch) {
    if (kept?.result !== result || kept.batch !== batch)
      kept = { result, batch, origins: createOrigins(result, batch) };
    return kept.origins;
  }

  function update() {
    const { state } = store;
    const { result } = state;
    const spot = shownSpot(state);
    root.hidden = result === null;
    root.classList.toggle('empty', spot.query === null && spot.key === null);
    root.classList.toggle('folded', folded);
    if (result) render(content(state, result, spot), sheet);
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
      fetchLayer(result, name('hook_q'));
      return html`<p class="says" role="status">${STRINGS.whyWaiting}</p>`;
    }
    const weights = headMatrix(result.run.get(name('hook_pattern')), at);
    const tokens = sequence.tokens.map(visibleToken);
    if (query === null) {
      const queries = columnList(tokens, weights, key ?? 0, (other) => choose(other, key));
      return panel(
        html`${STRINGS.whyColumn} ${chip('key', tokens[key ?? 0])}`,
        nothing,
        html`<p class="says">${STRINGS.columnSays}</p>
          ${queries}`,
      );
    }
    const row = rowOf(weights, query);
    const keys = rowList(tokens, row, { query, key }, (other) => choose(query, other));
    if (key === null) {
      return panel(
        html`${STRINGS.whyRow} ${chip('query', tokens[query])}`,
        nothing,
        html`<p class="says">${STRINGS.chooseKey}</p>
          ${keys}`,
      );
    }
    const vectors = { q: vectorOf(q, at, query), k: vectorOf(k, at, key) };
    const parts = explain({ ...vectors, scores: rowOf(headMatrix(scores, at), query), weights: row, key });
    const numbers = cellOrigins({ ...at, query, key }, parts, tokens, originsOf(result, at.batch).headNumber);
    const shown = state.kind === 'scores' ? parts.score : parts.weight;
    return panel(
      STRINGS.why(shown.shown),
      html`<p>${chip('query', tokens[query])} ${STRINGS.asks} ${chip('key', tokens[key])}</p>`,
      html`${steps(parts, numbers, { query: tokens[query], key: tokens[key] }, trail.start)} ${keys}
      ${parts.error > ROUNDING ? html`<p class="notice">${STRINGS.differs(parts.error.toPrecision(2))}</p>` : nothing}
      ${ablation.template(result, at, query, key, parts.weight.shown)}`,
    );
  }

  /** @param {number | null} query @param {number | null} key */
  const choose = (query, key) => store.set({ query, key, hover: null });

  /** @param {unknown} title @param {unknown} between @param {unknown} rest */
  function panel(title, between, rest) {
    const { query, key } = store.state;
    const toggle = () => {
      folded = !folded;
      update();
    };
    return html`<div class="title">
        <h2>${title}</h2>
        ${between}
        <button type="button" class="link only-phone" aria-expanded=${folded ? 'false' : 'true'} @click=${toggle}>
          ${folded ? STRINGS.unfold : STRINGS.fold}
        </button>
        ${
          query === null && key === null
            ? nothing
            : html`<button type="button" class="link letgo" @click=${() => choose(null, null)}>
                ${STRINGS.letGo}
              </button>`
        }
      </div>
      <div class="rest">${rest}</div>`;
  }

  /** @param {import('../types.js').Result} result @param {string} hook */
  function fetchLayer(result, hook) {
    result.records.get(hook).then(
      () => store.state.result === result && update(),
      ({ code, message }) => store.state.result === result && store.set({ problem: { code, message } }),
    );
  }

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

/** @param {Matrix} matrix @param {number} row */
function rowOf({ data, columns }, row) {
  return data.subarray(row * columns, (row + 1) * columns);
}

/** A token's query or key in a head, of a [B, T, H, K] tensor. @param {Tensor} tensor @param {{ batch: number, head: number }} at @param {number} token */
function vectorOf({ shape, data }, { batch, head }, token) {
  const [, length, heads, width] = shape;
  const start = ((batch * length + token) * heads + head) * width;
  return data.subarray(start, start + width);
}
