// The chosen head's picture: the heatmap or the arcs on a canvas each, with keys and a description of what is chosen.

import { html, render } from 'lit/html.js';
import { barTitle, describeCell, describeRow, headMatrix } from '../../view/index.js';
import { createArcsCanvas, createHeatmapCanvas, moveByKey, watchPixelRatio } from '../../elements/canvas/index.js';
import { axesOf, hiddenCells, hookOf, shownGrid } from '../grids.js';
import { colouring, litSpot, shownHead } from '../selection.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/**
 * @typedef {object} HeadShown what is drawn, and what it is drawn from
 * @property {import('../../view/types.js').Matrix} matrix
 * @property {Uint8Array | null} masked
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {State['kind']} kind
 * @property {string} queryTitle of the axes
 * @property {string} keyTitle
 */

const ZOOM = 1.4;

/**
 * @param {HTMLElement} frame
 * @param {import('../store.js').Store} store
 * @param {{ changed: () => void }} callbacks changed: the picture's zoom or lines
 */
export function createPicture(frame, store, { changed }) {
  render(
    html`<canvas class="matrix" tabindex="0" role="application" aria-describedby="cell-now" @keydown=${move}></canvas>
      <canvas class="arcs" tabindex="0" role="application" aria-describedby="cell-now" @keydown=${move}></canvas>
      <p id="cell-now" class="hidden" aria-live="polite"></p>`,
    frame,
  );
  const canvasOf = (/** @type {string} */ name) =>
    /** @type {HTMLCanvasElement} */ (frame.querySelector(`canvas.${name}`));
  const canvases = { matrix: canvasOf('matrix'), arcs: canvasOf('arcs') };
  const now = /** @type {HTMLElement} */ (frame.querySelector('#cell-now'));

  const callbacks = {
    /** @param {import('../../view/types.js').Spot | null} spot */
    hover(spot) {
      const { hover } = store.state;
      const [query, key] = [spot?.query ?? null, spot?.key ?? null];
      if (query === null && key === null) {
        if (hover !== null && hover.part !== 'head') store.set({ hover: null });
        return;
      }
      const part = query === null ? 'column' : key === null ? 'row' : 'cell';
      if (hover?.part === part && hover.query === query && hover.key === key) return;
      store.set({ hover: { part, query, key } });
    },
    /** @param {import('../../view/types.js').Spot} spot */
    choose: ({ query = null, key = null }) => store.set({ query, key }),
  };
  const heatmap = createHeatmapCanvas(canvases.matrix, { ...callbacks, zoomed: changed });
  const arcs = createArcsCanvas(canvases.arcs, callbacks);

  /** @type {{ key: string, result: State['result'], shown: HeadShown, picture: any } | null} */
  let made = null;

  /** The numbers on show, null while they are fetched. @param {State} state @returns {HeadShown | null} */
  function read(state) {
    const { result, sequence: batch, kind } = state;
    const grid = shownGrid(state);
    if (!result || !grid) return null;
    const { layer, head } = shownHead(state);
    const name = hookOf(grid, layer, 'hook_attn_scores');
    const scores = result.records.peek(name);
    if (scores === null && (kind === 'scores' || result.padded)) {
      result.records.get(name).then(
        () => store.state.result === result && update(),
        (error) =>
          store.state.result === result && store.set({ problem: { code: error.code, message: error.message } }),
      );
      return null;
    }
    const source = kind === 'scores' ? scores : result.run.get(hookOf(grid, layer, 'hook_pattern'));
    const matrix = headMatrix(/** @type {import('../../view/types.js').Tensor} */ (source), { batch, head });
    const hides = grid.causal || result.padded;
    const masked = hides ? hiddenCells(grid, scores && headMatrix(scores, { batch, head }), matrix) : null;
    const titles = STRINGS.axes[grid.name];
    return { matrix, masked, ...axesOf(result, grid, batch), kind, ...titles };
  }

  function update() {
    const { state } = store;
    const key = keyOf(state);
    if (made?.key !== key || made.result !== state.result) {
      const shown = read(state);
      if (!shown) return;
      const colours = colouring(state, shown.matrix.data, Math.max(shown.queries.length, shown.keys.length));
      made = { key, result: state.result, shown, picture: { ...shown, ...colours } };
    }
    const { shown, picture } = made;
    const width = frame.clientWidth;
    if (width === 0) return;
    const height = state.phone ? Math.max(width, 480) : roomBelow(frame);
    const theme = state.theme;
    for (const view of /** @type {const} */ (['matrix', 'arcs'])) {
      canvases[view].hidden = state.view !== view;
      canvases[view].setAttribute('aria-label', STRINGS.pictureLabel(headName(state), STRINGS[state.kind]));
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

  function mark() {
    const { state } = store;
    const { query, key } = state;
    const selected = query === null && key === null ? null : { query, key };
    const marks = { selected, hover: litSpot(state) };
    heatmap.mark(marks);
    arcs.mark(marks);
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
    const from = state.query === null && state.key === null ? null : { row: state.query ?? 0, column: state.key ?? 0 };
    const to = moveByKey(event, from, { rows: queries.length, columns: keys.length });
    if (!to) return;
    event.preventDefault();
    const spot = { query: to.row, key: to.column };
    store.set({ ...spot, hover: null });
    (matrix ? heatmap : arcs).reveal(spot);
    const row = from?.row === to.row ? '' : ` ${describeRow(made.shown, spot.query, { strings: STRINGS.viewWords })}`;
    now.textContent = `${describeCell(made.shown, spot.query, spot.key, STRINGS.viewWords)}.${row}`;
  }

  store.on(['result', 'sequence', 'attention', 'layer', 'head', 'kind', 'view', 'palette', 'theme', 'phone'], update);
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
 * The height that is left of the window when the page is at its top; at least a picture's. What is below a tall picture is
 * for scrolling.
 * @param {HTMLElement} frame
 */
function roomBelow(frame) {
  const top = frame.getBoundingClientRect().top + scrollY;
  return Math.max(400, Math.min(innerHeight - top - 48, 720));
}

/** What a picture is made for, besides a result. @param {State} state */
function keyOf(state) {
  const { layer, head } = shownHead(state);
  return [shownGrid(state)?.name, layer, head, state.sequence, state.kind, state.palette, state.theme.dark].join();
}

/** @param {State} state */
function headName(state) {
  const { layer, head } = shownHead(state);
  const name = shownGrid(state)?.name ?? 'self';
  const place = STRINGS.headName(layer, head);
  return name === 'self' ? place : `${STRINGS.grids[name].title}, ${place}`;
}
