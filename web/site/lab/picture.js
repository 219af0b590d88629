// The chosen head's picture: the heatmap or the arcs on a canvas each, with keys and a description of what is chosen.

import { html, render } from 'lit/html.js';
import { barTitle, describeCell, describeRow, visibleToken } from '../../view/index.js';
import { createArcsCanvas, createHeatmapCanvas, moveByKey, watchPixelRatio } from '../../elements/canvas/index.js';
import { missing, numbersOf, toDrawn, toTokens, viewKey, viewOf } from '../aggregate.js';
import { coloured, isComparing } from '../compare.js';
import { editedCells } from '../edited.js';
import { shownGrid } from '../grids.js';
import { colouring, litSpot, shownHead } from '../selection.js';
import { STRINGS } from '../strings.js';
import { headsName, viewNotes } from './views.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../aggregate.js').Numbers} Numbers */

const ZOOM = 1.4;
/** Two lines below the picture, and the space around them, CSS pixels. */
const WORDS = 72;

/**
 * @param {HTMLElement} frame
 * @param {import('../store.js').Store} store
 * @param {{ changed: () => void }} callbacks changed: the picture's zoom or lines
 */
export function createPicture(frame, store, { changed }) {
  render(
    html`<canvas class="matrix" tabindex="0" role="application" aria-describedby="cell-here" @keydown=${move}></canvas>
      <canvas class="arcs" tabindex="0" role="application" aria-describedby="cell-here" @keydown=${move}></canvas>
      <p id="cell-here" hidden></p>
      <p id="cell-now" class="hidden" aria-live="polite"></p>`,
    frame,
  );
  const canvasOf = (/** @type {string} */ name) =>
    /** @type {HTMLCanvasElement} */ (frame.querySelector(`canvas.${name}`));
  const canvases = { matrix: canvasOf('matrix'), arcs: canvasOf('arcs') };
  const now = /** @type {HTMLElement} */ (frame.querySelector('#cell-now'));
  const here = /** @type {HTMLElement} */ (frame.querySelector('#cell-here'));

  const callbacks = {
    /** @param {import('../../view/types.js').Spot | null} spot */
    hover(spot) {
      const { hover } = store.state;
      const { query, key } = made && spot ? toTokens(made.shown, spot) : { query: null, key: null };
      if (query === null && key === null) {
        if (hover !== null && hover.part !== 'head') store.set({ hover: null });
        return;
      }
      const part = query === null ? 'column' : key === null ? 'row' : 'cell';
      if (hover?.part === part && hover.query === query && hover.key === key) return;
      store.set({ hover: { part, query, key } });
    },
    /** @param {import('../../view/types.js').Spot} spot */
    choose: (spot) => made && store.set(toTokens(made.shown, spot)),
  };
  const heatmap = createHeatmapCanvas(canvases.matrix, { ...callbacks, zoomed: changed });
  const arcs = createArcsCanvas(canvases.arcs, callbacks);

  /** @type {{ key: string, result: State['result'], other: State['result'], shown: Numbers, picture: any } | null} */
  let made = null;

  /** The numbers on show, null while they are fetched. @param {State} state @returns {Numbers | null} */
  function read(state) {
    const { result, sequence: batch, kind } = state;
    const grid = shownGrid(state);
    if (!result || !grid) return null;
    const at = { grid, ...shownHead(state), batch, kind };
    const name = missing(result, at);
    if (name === null) return numbersOf(result, at, viewOf(state));
    result.records.get(name).then(
      () => store.state.result === result && update(),
      (error) => {
        if (store.state.result !== result) return;
        frame.classList.remove('busy');
        store.set({ problem: { code: error.code, message: error.message } });
      },
    );
    return null;
  }

  function update() {
    const { state } = store;
    const key = keyOf(state);
    if (made?.key !== key || made.result !== state.result || made.other !== state.other) {
      const shown = read(state);
      // While numbers are fetched the picture before stays, under the title of the one to come.
      frame.classList.toggle('busy', shown === null && state.result !== null);
      if (!shown) return;
      const { values, tokens } = coloured(state, shown);
      const colours = colouring(state, values, tokens);
      made = { key, result: state.result, other: state.other, shown, picture: { ...shown, ...colours } };
    }
    frame.classList.remove('busy');
    const { shown, picture } = made;
    const { width, height } = roomOf(state);
    if (width === 0) return;
    const theme = state.theme;
    for (const view of /** @type {const} */ (['matrix', 'arcs'])) {
      canvases[view].hidden = state.view !== view;
      canvases[view].setAttribute('aria-label', STRINGS.pictureLabel(headName(state, shown), STRINGS[state.kind]));
    }
    if (state.view === 'matrix') {
      heatmap.show({
        picture,
        theme,
        width,
        height,
        barTitle: barTitle(picture.scale, picture.palette, STRINGS.viewWords),
      });
    } else {
      arcs.show({ ...shown, theme, width, height });
    }
    mark();
    changed();
  }

  /** @param {State} state */
  const roomOf = ({ phone }) => {
    const width = frame.clientWidth;
    return { width, height: phone ? Math.max(width, 480) : roomBelow(frame) };
  };
  /** A spot of tokens in the picture; null where it is not in it. @param {import('../../view/types.js').Spot | null} spot */
  const drawn = (spot) => {
    const at = spot && made ? toDrawn(made.shown, spot) : null;
    return at && (at.query !== null || at.key !== null) ? at : null;
  };

  /** The cells that a reader has set, in the picture. @param {State} state */
  const edited = (state) => editedCells(state).flatMap((cell) => drawn(cell) ?? []);

  function mark() {
    const { state } = store;
    const selected = drawn(state);
    const marks = { selected, hover: drawn(litSpot(state)) };
    heatmap.mark({ ...marks, edited: edited(state) });
    arcs.mark(marks);
    // What is pointed at changes nothing of it.
    const { query, key } = state;
    if (said.made === made && said.query === query && said.key === key) return;
    said = { made, query, key };
    here.textContent = selected && made ? `${described(made.shown, selected)}.` : STRINGS.letGoSaid;
  }
  /** What the chosen cell was described from. @type {{ made: unknown, query?: number | null, key?: number | null }} */
  let said = { made: null };

  /** A cell, row or column of the picture in words. @param {Numbers} shown @param {import('../../view/types.js').Spot} spot */
  function described(shown, { query = null, key = null }) {
    if (query === null) return `${STRINGS.whyColumn} ${visibleToken(shown.keys[key ?? 0])}`;
    if (key === null) return describeRow(shown, query, { strings: STRINGS.viewWords }).replace(/\.$/, '');
    const edited = editedCells(store.state).some((cell) => {
      const at = toDrawn(shown, cell);
      return at.query === query && at.key === key;
    });
    return `${describeCell(shown, query, key, STRINGS.viewWords)}${edited ? `, ${STRINGS.edits.cell}` : ''}`;
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const { state } = store;
    if (!made) return;
    if (event.key === 'Escape') {
      store.set({ query: null, key: null, hover: null });
      now.textContent = STRINGS.letGoSaid;
      return;
    }
    const matrix = state.view === 'matrix';
    if (matrix && !event.ctrlKey && !event.metaKey && ['+', '=', '-', '0'].includes(event.key)) {
      if (event.key === '0') heatmap.fit();
      else heatmap.zoom(event.key === '-' ? 1 / ZOOM : ZOOM);
      event.preventDefault();
      return;
    }
    const { queries, keys } = made.shown;
    const at = toDrawn(made.shown, state);
    const from = at.query === null && at.key === null ? null : { row: at.query ?? 0, column: at.key ?? 0 };
    const to = moveByKey(event, from, { rows: queries.length, columns: keys.length });
    if (!to) return;
    event.preventDefault();
    const spot = { query: to.row, key: to.column };
    store.set({ ...toTokens(made.shown, spot), hover: null });
    (matrix ? heatmap : arcs).reveal(spot);
    const row = from?.row === to.row ? '' : ` ${describeRow(made.shown, spot.query, { strings: STRINGS.viewWords })}`;
    now.textContent = `${described(made.shown, spot)}.${row}`;
  }

  store.on(['result', 'sequence', 'attention', 'layer', 'head', 'kind', 'view', 'palette', 'theme', 'phone'], update);
  store.on(['over', 'by', 'special', 'unit', 'compare', 'layer2', 'head2', 'other'], update);
  store.on(['query', 'key'], mark);
  store.on(['hover'], () => {
    if (made && made.key === keyOf(store.state)) mark();
    else update();
  });
  new ResizeObserver(() => store.state.result && update()).observe(frame);
  addEventListener('resize', () => store.state.result && update());
  watchPixelRatio(() => (store.state.view === 'matrix' ? heatmap.place() : arcs.place()));

  return {
    shown: () => made?.shown ?? null,
    /** What is painted, to paint it into a file. @returns {import('../export/pictures.js').Shown | null} */
    drawn() {
      const { state } = store;
      if (!made) return null;
      const { view, theme } = state;
      const marks = { selected: drawn(state), edited: edited(state) };
      return { view, picture: made.picture, theme, ...marks, ...roomOf(state) };
    },
    zoom: heatmap.zoom,
    fit: heatmap.fit,
    get zoomable() {
      return heatmap.zoomable;
    },
    get lines() {
      return arcs.lines;
    },
  };
}

/**
 * The height that is left of the window when the page is at its top, with the words below the picture; at least a picture's.
 * What is below a tall picture is for scrolling.
 * @param {HTMLElement} frame
 */
function roomBelow(frame) {
  const top = frame.getBoundingClientRect().top + scrollY;
  return Math.max(400, Math.min(innerHeight - top - WORDS, 720));
}

/** What a picture is made for, besides a result. @param {State} state */
function keyOf(state) {
  const { layer, head } = shownHead(state);
  return [
    shownGrid(state)?.name,
    layer,
    head,
    state.sequence,
    state.kind,
    state.palette,
    state.theme.dark,
    viewKey(viewOf(state)),
    isComparing(state) && [state.compare, state.layer2, state.head2],
  ].join();
}

/** @param {State} state @param {Numbers} shown */
export function headName(state, shown) {
  const name = shownGrid(state)?.name ?? 'self';
  const place = [headsName(state, shown.heads.length, shownHead(state)), ...viewNotes(state)].join(', ');
  return name === 'self' ? place : `${STRINGS.grids[name].title}, ${place}`;
}
