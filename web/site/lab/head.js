// The chosen head, large: its title and controls around the picture.

import { html, nothing, render } from 'lit/html.js';
import { PALETTES, describeRows, writeNumber } from '../../view/index.js';
import { choice, prose } from '../dom.js';
import { gridsOf, headsOf, shownGrid } from '../grids.js';
import { isRecorded, viewOf } from '../aggregate.js';
import { isOff } from '../switches.js';
import { otherGrid } from './head-grid.js';
import { paletteName, shownHead } from '../selection.js';
import { STRINGS } from '../strings.js';
import { createExport } from './export.js';
import { compareChoice } from './compare-captions.js';
import { createPicture } from './picture.js';
import { createPrinting } from './printing.js';
import { headsTitle, viewNotes, viewSays, viewsFold } from './views.js';

/** @typedef {import('../types.js').State} State */

const MOST_ROWS = 60;

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {{ changes: import('../changes.js').ChangesOf, open: () => void }} actions open: a model to compare with
 */
export function createHead(root, store, { changes, open: openBeside }) {
  render(
    html`<div class="title"></div>
      <div class="pictures">
        <div>
          <div class="caption" hidden></div>
          <div class="frame"></div>
        </div>
        <div class="beside" hidden></div>
      </div>
      <p class="says"></p>
      <div class="below" hidden></div>
      <div class="beneath"></div>
      <div class="export"></div>`,
    root,
  );
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  store.on(['result'], ({ result }) => {
    root.hidden = result === null;
  });
  const picture = createPicture(part('.frame'), store, { changed: () => beneath() });
  createExport(part('.export'), store, picture);
  createPrinting(part('.frame'), store, picture.drawn);
  // Fetched when there is something to compare.
  let comparing = false;
  const compareOnce = (/** @type {State} */ { compare }) => {
    if (comparing || compare === null) return;
    comparing = true;
    const roots = { first: part('.caption'), second: part('.beside'), below: part('.below') };
    void import('./compare.js').then(({ createCompare }) => createCompare(roots, store, { picture, open: openBeside }));
  };
  store.on(['compare'], compareOnce);
  compareOnce(store.state);
  /** Whether the rows in words are open: they are written only then. */
  let open = false;

  /** @param {'layer' | 'head'} which @param {number} count */
  const select = (which, count) => {
    const shown = shownHead(store.state)[which];
    const set = (/** @type {Event} */ event) =>
      store.set({ [which]: Number(/** @type {HTMLSelectElement} */ (event.target).value), hover: null });
    return html`<label
      >${STRINGS[which]}
      <select aria-label=${STRINGS[which]} @change=${set}>
        ${Array.from({ length: count }, (_, i) => html`<option value=${i} .selected=${i === shown}>${i}</option>`)}
      </select></label
    >`;
  };

  /** Which of three attentions, where there are three. @param {State} state @param {import('../grids.js').GridName} shown */
  const attention = (state, shown) => {
    const grids = state.result ? gridsOf(state.result.model) : [];
    if (grids.length < 2) return nothing;
    const set = (/** @type {Event} */ event) => {
      const name = /** @type {import('../grids.js').GridName} */ (
        /** @type {HTMLSelectElement} */ (event.target).value
      );
      store.set({ ...otherGrid(store.state, name), hover: null });
    };
    return html`<select aria-label=${STRINGS.attention} @change=${set}>
      ${grids.map(
        ({ name }) => html`<option value=${name} .selected=${name === shown}>${STRINGS.grids[name].title}</option>`,
      )}
    </select>`;
  };

  /** The chosen head on or off. @param {State} state */
  const offSwitch = (state) => {
    const name = shownGrid({ ...state, hover: null })?.name ?? 'self';
    const place = { grid: name, layer: state.layer, head: state.head };
    const off = isOff(state.off, place);
    return html`<button
      type="button"
      class="link"
      aria-pressed=${off ? 'true' : 'false'}
      @click=${() => void changes.toggle(place)}
    >
      ${off ? STRINGS.switchOn : STRINGS.switchOff}
    </button>`;
  };

  function title() {
    const { state } = store;
    if (!state.result) return;
    const grid = shownGrid(state);
    if (!grid) return;
    const { kind, view, theme } = state;
    const numbers = picture.shown();
    const shown = paletteName(kind, state.palette, theme.dark);
    const palettes = PALETTES.filter(({ kind: sort }) => kind === 'scores' || sort === 'sequential');
    render(
      html`<h2>
          ${attention(state, grid.name)}
          ${headsTitle(state, numbers?.heads.length ?? 1, {
            layer: select('layer', grid.layers),
            head: select('head', headsOf(state.result, grid)),
          })}
          <span
            >${[kind === 'scores' ? STRINGS.beforeSoftmax : STRINGS.grids[grid.name].looks, ...viewNotes(state)].join(
              ' · ',
            )}</span
          >
        </h2>
        ${state.phone ? viewsFold(store, compareChoice(store)) : nothing}
        <div class="controls">
          ${choice({
            name: 'kind',
            legend: STRINGS.kind,
            value: kind,
            options: [
              { value: 'weights', text: STRINGS.weights },
              { value: 'scores', text: STRINGS.scores, disabled: view === 'arcs' || !isRecorded(viewOf(state)) },
            ],
            choose: (value) => store.set({ kind: value }),
          })}
          ${choice({
            name: 'view',
            legend: STRINGS.view,
            value: view,
            options: [
              { value: 'matrix', text: STRINGS.matrix },
              { value: 'arcs', text: STRINGS.arcs },
            ],
            // Arcs show weights: scores have no total that a line could be a part of.
            choose: (value) => store.set(value === 'arcs' ? { view: value, kind: 'weights' } : { view: value }),
          })}
          ${
            view === 'arcs'
              ? nothing
              : html`<label class="palette"
                  ><span class="hidden">${STRINGS.palette}</span
                  ><select
                    @change=${(/** @type {Event} */ event) =>
                      store.set({
                        palette: /** @type {any} */ (/** @type {HTMLSelectElement} */ (event.target).value),
                      })}
                  >
                    ${palettes.map(
                      ({ name, title: text }) =>
                        html`<option value=${name} .selected=${name === shown}>${text}</option>`,
                    )}
                  </select></label
                >`
          }
          ${state.phone ? nothing : viewsFold(store, compareChoice(store))}
        </div>`,
      part('.title'),
    );
    const weights = grid.name === 'cross' ? STRINGS.crossSays : grid.causal ? STRINGS.causalSays : STRINGS.weightsSay;
    const says = view === 'arcs' ? STRINGS.arcsSay : kind === 'scores' ? STRINGS.scoresSay : weights;
    const viewed = numbers && view === 'matrix' ? viewSays(state, numbers) : null;
    render(viewed ?? prose(says), part(':scope > .says'));
    beneath();
  }

  function beneath() {
    const { state } = store;
    const shown = picture.shown();
    if (!shown) return;
    const { lines } = picture;
    const zoom = (/** @type {string} */ text, /** @type {() => void} */ act) =>
      html`<button type="button" class="link" @click=${act}>${text}</button>`;
    render(
      html`${
          state.view === 'arcs'
            ? html`<p class="says">${STRINGS.linesDrawn(lines.drawn, writeNumber(lines.threshold, 2))}</p>`
            : nothing
        }
        ${
          state.view === 'matrix' && picture.zoomable
            ? html`<p class="zoom">
                ${zoom(STRINGS.zoomIn, () => picture.zoom(1.5))} ${zoom(STRINGS.zoomOut, () => picture.zoom(1 / 1.5))}
                ${zoom(STRINGS.zoomFit, () => picture.fit())}
              </p>`
            : nothing
        }
        ${state.over === null ? html`<p>${offSwitch(state)}</p>` : nothing}
        <details
          .open=${open}
          @toggle=${(/** @type {Event} */ event) => {
            open = /** @type {HTMLDetailsElement} */ (event.target).open;
            beneath();
          }}
        >
          <summary>${STRINGS.inWords}</summary>
          ${open ? words(shown) : nothing}
        </details>`,
      part('.beneath'),
    );
  }

  store.on(
    [
      'result',
      'sequence',
      'attention',
      'layer',
      'head',
      'kind',
      'view',
      'palette',
      'theme',
      'phone',
      'hover',
      'off',
      'over',
      'by',
      'special',
      'unit',
      'sort',
      'compare',
    ],
    (state, changed) => {
      // What is pointed at matters here only where it is a head.
      if (changed.size === 1 && changed.has('hover') && state.hover !== null && state.hover.part !== 'head') return;
      title();
    },
  );
  title();
}

/** @param {NonNullable<ReturnType<ReturnType<typeof createPicture>['shown']>>} shown */
function words(shown) {
  const rows = shown.queries.length;
  const some = rows > MOST_ROWS ? { ...shown, queries: shown.queries.slice(0, MOST_ROWS) } : shown;
  return html`<ul class="rows">
    ${describeRows(some, { strings: STRINGS.viewWords }).map((row) => html`<li>${row}</li>`)}
    ${rows > MOST_ROWS ? html`<li>${STRINGS.moreRows(rows - MOST_ROWS)}</li>` : nothing}
  </ul>`;
}
