// Why a number is what it is: the explanation of the cell on show. Each of its numbers opens; what it is made of takes the
// panel's place (trail.js). On a phone the panel is a sheet that is folded until asked for.

import { html, nothing, render } from 'lit/html.js';
import { headMatrix, visibleToken, writeNumber } from '../../view/index.js';
import { chip, columnList, rowList, steps } from './explanation.js';
import { createEditor } from './editor.js';
import { createTrail } from './trail.js';
import { createOrigins } from '../origins.js';
import { isRecorded, missing, numbersOf, toDrawn, toTokens, viewOf } from '../aggregate.js';
import { axesOf, hookOf, shownGrid } from '../grids.js';
import { editAt, placeOf, spotOf } from '../edits.js';
import { whenResting } from '../resting.js';
import { shownHead, shownSpot } from '../selection.js';
import { STRINGS } from '../strings.js';
import { headsName, viewNotes } from './views.js';
import { viewedCell } from './views-why.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../grids.js').Grid} Grid */
/** @typedef {import('../origin-terms.js').Origin} Origin */
/** @typedef {Awaited<ReturnType<import('../origins.js').Origins['cell']>>} Cell */
/** @typedef {import('../../view/types.js').Matrix} Matrix */

/** What says which cell is explained. @type {ReadonlySet<keyof State>} */
const PLACE = new Set(['model', 'sequence', 'attention', 'layer', 'head', 'query', 'key']);

/** Recorded and recomputed numbers differ by rounding of float32, which is far below this. */
const ROUNDING = 1e-3;

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {import('../changes.js').ChangesOf} changes
 */
export function createWhy(root, store, changes) {
  render(
    html`<div class="editing"></div>
      <div class="sheet"></div>`,
    root,
  );
  const sheet = /** @type {HTMLElement} */ (root.querySelector('.sheet'));
  const editing = /** @type {HTMLElement} */ (root.querySelector('.editing'));
  const trail = createTrail(update, { beneath: (origin) => changeLink(origin) });
  /** The number whose link gets the focus when it is there again: the run after a change takes its time. @type {string | null} */
  let wanted = null;
  const editor = createEditor(store, changes, {
    changed: update,
    closed(label) {
      wanted = label;
      /** @type {HTMLElement | null} */ (sheet.querySelector('h2'))?.focus();
      focusLink();
    },
  });
  function focusLink() {
    if (wanted === null) return;
    const name = STRINGS.edits.change(wanted);
    const links = /** @type {NodeListOf<HTMLElement>} */ (sheet.querySelectorAll('button.edit'));
    const link = [...links].find((button) => button.getAttribute('aria-label') === name);
    // Whoever has gone on from there is left alone.
    if (document.activeElement !== document.body && !sheet.contains(document.activeElement)) wanted = null;
    else if (link) {
      link.focus();
      if (!store.state.busy) wanted = null;
    }
  }
  let folded = true;
  let { text } = store.state;
  /** Kept while the run is the same: it holds the parameters that were asked for. @type {{ result: any, batch: number, origins: any } | null} */
  let kept = null;

  /** @param {import('../types.js').Result} result @param {number} batch @returns {import('../origins.js').Origins} */
  function originsOf(result, batch) {
    if (kept?.result !== result || kept.batch !== batch)
      kept = { result, batch, origins: createOrigins(result, batch) };
    return kept.origins;
  }

  /** Whether numbers of what is shown are still on their way: until then there are none, or those of the run before. */
  let coming = false;

  function update() {
    const { state } = store;
    const { result } = state;
    const spot = shownSpot(state);
    root.hidden = result === null;
    coming = false;
    root.classList.toggle('empty', spot.query === null && spot.key === null && !trail.open);
    root.classList.toggle('folded', folded && !editor.open);
    if (result) {
      render(content(state, result, spot), sheet);
      render(editor.template(), editing);
      focusLink();
    }
    if (coming) root.setAttribute('aria-busy', 'true');
    else root.removeAttribute('aria-busy');
  }

  /** @param {Origin} origin @returns {Pick<import('../types.js').NumberEdit, 'at' | 'where'> | null} null where no hook announces it */
  function spotOfOrigin(origin) {
    const { result } = store.state;
    if (!result || !Number.isFinite(origin.value)) return null;
    if (origin.hook) return spotOf(result.model, origin.hook);
    return origin.from === 'recorded' ? spotOf(result.model, origin.place) : null;
  }

  /** @param {Origin} origin */
  function begin(origin) {
    const spot = spotOfOrigin(origin);
    if (!spot) return;
    wanted = null;
    editor.begin({ spot, label: origin.label, value: origin.value }, root);
  }

  /** The link that changes a number, or what it was where it is changed. @param {Origin} origin */
  function changeLink(origin) {
    const spot = spotOfOrigin(origin);
    if (!spot) return nothing;
    const words = STRINGS.edits;
    const place = placeOf(spot);
    const was = changes.was(place);
    const changed = editAt(store.state.edits, place) !== null;
    return html`<button
        type="button"
        class="link edit"
        aria-label=${words.change(origin.label)}
        @click=${() => begin(origin)}
      >
        ${words.edit}
      </button>
      ${
        changed
          ? html`<span class="changed">${was === null ? words.wasUnknown : words.was(writeNumber(was, 3))}</span>
              <button
                type="button"
                class="link"
                aria-label=${words.remove(origin.label)}
                @click=${() => void changes.remove(place)}
              >
                ${words.giveBack}
              </button>`
          : nothing
      }`;
  }

  /** A cell's own numbers, to be changed. @param {Cell} cell @param {State['kind']} kind */
  function editable({ parts, numbers }, kind) {
    const lines = [
      { name: STRINGS.edits.weight, origin: numbers.weight, shown: parts.weight.shown },
      { name: STRINGS.edits.score, origin: numbers.score, shown: parts.score.shown },
    ];
    if (kind === 'scores') lines.reverse();
    return html`<ul class="editable">
      ${lines.map(
        ({ name, origin, shown }) =>
          html`<li>
            <span>${name}</span>
            <button
              type="button"
              class="number"
              aria-label=${STRINGS.openNumber(origin.label, shown)}
              @click=${() => trail.start(origin)}
            >
              ${shown}
            </button>
            ${changeLink(origin)}
          </li>`,
      )}
    </ul>`;
  }

  /** @param {Origin} origin @param {string} shown */
  function toZero(origin, shown) {
    const spot = spotOfOrigin(origin);
    if (!spot || origin.value === 0) return nothing;
    const set = () => void changes.set({ ...spot, set: 0 }, { was: origin.value });
    return html`<div class="ablation">
      <p class="says">${STRINGS.caution}</p>
      <button type="button" class="link" @click=${set}>${STRINGS.edits.toZero(shown)}</button>
    </div>`;
  }

  /** The cell whose numbers are at hand, or on their way. @type {{ key: string, result: any, cell: Cell | null, coming: boolean }} */
  let looked = { key: '', result: null, cell: null, coming: false };

  /**
   * A cell's numbers; null while they are fetched.
   * @param {import('../types.js').Result} result @param {Grid} grid
   * @param {{ layer: number, head: number, batch: number }} at @param {number} query @param {number} key
   */
  function cellOf(result, grid, { layer, head, batch }, query, key) {
    const name = [grid.name, layer, head, batch, query, key].join();
    if (looked.result === result && looked.key === name) {
      coming = looked.coming;
      return looked.cell;
    }
    // Until the numbers of another run are there, those of the run before stay.
    const mine = { key: name, result, cell: looked.key === name ? looked.cell : null, coming: true };
    looked = mine;
    coming = true;
    originsOf(result, batch)
      .cell(grid, { layer, head, query, key })
      .then(
        (cell) => (mine.cell = cell),
        ({ code, message }) => store.state.result === result && store.set({ problem: { code, message } }),
      )
      .then(() => {
        mine.coming = false;
        if (looked === mine && store.state.result === result) update();
      });
    return mine.cell;
  }

  /** @param {State} state @param {import('../types.js').Result} result @param {import('../../view/types.js').Spot} spot */
  function content(state, result, { query = null, key = null }) {
    if (trail.open) {
      coming = trail.coming;
      return trail.template();
    }
    const grid = shownGrid(state);
    if (!grid || (query === null && key === null)) return html`<p class="says">${STRINGS.whyNothing}</p>`;
    const at = { ...shownHead(state), batch: state.sequence };
    if (!isRecorded(viewOf(state))) return viewed(state, result, { ...at, grid }, { query, key });
    const weights = headMatrix(result.run.get(hookOf(grid, at.layer, 'hook_pattern')), at);
    const axes = axesOf(result, grid, at.batch);
    const [queries, keys] = [axes.queries.map(visibleToken), axes.keys.map(visibleToken)];
    if ((query ?? 0) >= weights.rows || (key ?? 0) >= weights.columns)
      return html`<p class="says">${STRINGS.whyNothing}</p>`;
    if (query === null) {
      return panel(
        html`${STRINGS.whyColumn} ${chip('key', keys[key ?? 0])}`,
        nothing,
        html`<p class="says">${STRINGS.columnSays}</p>
          ${columnList(queries, weights, key ?? 0, (other) => choose(other, key))}`,
      );
    }
    const row = rowOf(weights, query);
    const list = rowList({ query: queries[query], keys }, row, key, (other) => choose(query, other));
    if (key === null) {
      return panel(
        html`${STRINGS.whyRow} ${chip('query', queries[query])}`,
        nothing,
        html`<p class="says">${STRINGS.chooseKey}</p>
          ${list}`,
      );
    }
    const cell = cellOf(result, grid, at, query, key);
    if (!cell) return html`<p class="says" role="status">${STRINGS.whyWaiting}</p>`;
    const { parts, numbers } = cell;
    const shown = state.kind === 'scores' ? parts.score : parts.weight;
    return panel(
      STRINGS.why(shown.shown),
      html`<p>${chip('query', queries[query])} ${STRINGS.asks} ${chip('key', keys[key])}</p>`,
      html`${editable(cell, state.kind)}
      ${steps(parts, numbers, { query: queries[query], key: keys[key] }, trail.start)} ${list}
      ${parts.error > ROUNDING ? html`<p class="notice">${differs(result, parts.error)}</p>` : nothing}
      ${toZero(numbers.weight, parts.weight.shown)}`,
    );
  }

  /**
   * The explanation of a cell, row or column that no head computed by itself.
   * @param {State} state @param {import('../types.js').Result} result
   * @param {{ grid: Grid, layer: number, head: number, batch: number }} at @param {import('../../view/types.js').Spot} spot
   */
  function viewed(state, result, at, spot) {
    const place = { ...at, kind: state.kind };
    const hook = missing(result, place);
    if (hook !== null) {
      coming = true;
      // The picture asks for it too, and tells what goes wrong.
      result.records.get(hook).then(
        () => store.state.result === result && update(),
        () => {},
      );
      return html`<p class="says" role="status">${STRINGS.whyWaiting}</p>`;
    }
    const view = viewOf(state);
    const shown = numbersOf(result, place, view);
    const { matrix } = shown;
    const { query, key } = toDrawn(shown, spot);
    if (query === null && key === null) return html`<p class="says">${STRINGS.whyNothing}</p>`;
    const [queries, keys] = [shown.queries.map(visibleToken), shown.keys.map(visibleToken)];
    const goTo = (/** @type {number | null} */ row, /** @type {number | null} */ column) => {
      const tokens = toTokens(shown, { query: row, key: column });
      choose(tokens.query, tokens.key);
    };
    const name = [headsName(state, shown.heads.length, at), ...viewNotes(state)].join(' · ');
    if (query === null) {
      return panel(
        html`${STRINGS.whyColumn} ${chip('key', keys[key ?? 0])}`,
        html`<p>${name}</p>`,
        html`<p class="says">${STRINGS.columnSays}</p>
          ${columnList(queries, matrix, key ?? 0, (other) => goTo(other, key))}`,
      );
    }
    const list = rowList({ query: queries[query], keys }, rowOf(matrix, query), key, (other) => goTo(query, other));
    if (key === null)
      return panel(html`${STRINGS.whyRow} ${chip('query', queries[query])}`, html`<p>${name}</p>`, list);
    return panel(
      STRINGS.why(writeNumber(matrix.data[query * matrix.columns + key], 2)),
      html`<p>${chip('query', queries[query])} ${STRINGS.asks} ${chip('key', keys[key])}</p>
        <p>${name}</p>`,
      html`${viewedCell(shown, view, { query, key }, axesOf(result, at.grid, at.batch), (patch) => store.set({ ...patch, hover: null }))}
      ${list}`,
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
        <h2 tabindex="-1">${title}</h2>
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

  store.on(['result', 'sequence', 'attention', 'layer', 'head', 'query', 'key'], (state, changed) => {
    trail.clear();
    // What is changed is run again: the field stays open. Another place closes it, and another text.
    if ([...PLACE].some((key) => changed.has(key)) || state.text !== text) editor.leave();
    text = state.text;
    update();
  });
  const follow = () => {
    if (!trail.open) update();
  };
  store.on(['kind', 'over', 'by', 'special', 'unit'], follow);
  // A pointer on its way over heads would otherwise have the numbers behind each of them computed.
  const rested = whenResting(follow);
  store.on(['hover'], () => {
    if (trail.open) return;
    root.setAttribute('aria-busy', 'true');
    rested();
  });
  update();

  return {
    /** Opens the field for the chosen cell's number. @returns {Promise<boolean>} whether there is one */
    async edit() {
      const { result, query, key, kind, sequence: batch } = store.state;
      const grid = shownGrid({ ...store.state, hover: null });
      // A cell that several heads, or tokens, make together is no number of the run.
      if (!result || !grid || query === null || key === null || !isRecorded(viewOf(store.state))) return false;
      const { layer, head } = store.state;
      const { numbers } = await originsOf(result, batch).cell(grid, { layer, head, query, key });
      if (store.state.result === result) begin(kind === 'scores' ? numbers.score : numbers.weight);
      return editor.open;
    },
    /** Explains how likely a token is behind a row. @param {import('../types.js').Result} result @param {number} row @param {number} id @param {Float32Array} logits */
    probability: (result, row, id, logits) =>
      trail.start(originsOf(result, store.state.sequence).probability(row, id, logits)),
  };
}

/** @param {Matrix} matrix @param {number} row */
function rowOf({ data, columns }, row) {
  return data.subarray(row * columns, (row + 1) * columns);
}

/** @param {import('../types.js').Result} result @param {number} error */
function differs({ edits }, error) {
  return edits.length > 0 ? STRINGS.edits.notice : STRINGS.differs(error.toPrecision(2));
}
