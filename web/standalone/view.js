// All of the viewer: one state, and what it looks like.

import { barTitle, writeFull } from '../view/index.js';
import {
  createArcsCanvas,
  createHeadsCanvas,
  createHeatmapCanvas,
  moveByKey,
  watchPixelRatio,
} from '../elements/canvas/index.js';
import { ZOOM, createPage } from './page.js';
import { createPictures } from './pictures.js';
import { applyTheme, watchSystem } from './theme.js';
import { WORDS, filled } from './words.js';

/** @typedef {import('../view/types.js').Spot} Spot */
/** @typedef {{ query: number | null, key: number | null }} Cell */

/** Windows up to this width show heads in a strip, as in viewer.css. */
const NARROW = 759;

/** The index of a token, null where there is no such token. @param {unknown} index @param {string[]} tokens */
function tokenOf(index, tokens) {
  return Number.isInteger(index) && Number(index) in tokens ? Number(index) : null;
}

/**
 * @param {HTMLElement} root
 * @param {import('./data.js').PageData} data
 */
export function createViewer(root, data) {
  const { documentElement: page } = document;
  const words = /** @type {import('./words.js').Words} */ ({ ...WORDS, ...data.words });
  [page.lang, page.dir] = [data.language, data.direction];
  document.title = filled(words.title, { model: data.model });

  const { grids, shown } = data;
  const within = (/** @type {unknown} */ value, /** @type {number} */ count) =>
    Number.isInteger(value) ? Math.min(Math.max(0, Number(value)), count - 1) : 0;
  const first = Math.max(
    0,
    grids.findIndex(({ name }) => name === shown.grid),
  );
  const state = {
    grid: first,
    layer: within(shown.layer, grids[first].layers),
    head: within(shown.head, grids[first].heads),
    kind: shown.kind === 'scores' && grids[first].scores ? 'scores' : 'weights',
    view: shown.view === 'arcs' ? 'arcs' : 'matrix',
    query: tokenOf(shown.query, grids[first].queries),
    key: tokenOf(shown.key, grids[first].keys),
    hover: /** @type {Cell | null} */ (null),
    over: /** @type {{ layer: number, head: number } | null} */ (null),
    theme: /** @type {import('./theme.js').Preference} */ ('auto'),
  };
  let theme = applyTheme(state.theme);
  const pictures = createPictures();

  /** @param {Partial<typeof state>} change */
  const set = (change) => {
    Object.assign(state, change);
    update();
  };
  /** @param {number} index */
  const chooseGrid = (index) => {
    const grid = grids[index];
    const [layer, head] = [within(state.layer, grid.layers), within(state.head, grid.heads)];
    const kind = grid.scores ? state.kind : 'weights';
    set({ grid: index, layer, head, kind, query: null, key: null, hover: null, over: null });
  };
  const spot = {
    /** @param {Spot | null} at */
    hover(at) {
      const { query = null, key = null } = at ?? {};
      state.hover = query === null && key === null ? null : { query, key };
      mark();
    },
    /** @param {Spot} at */
    choose: ({ query = null, key = null }) => set({ query, key, hover: null }),
  };

  // Lines show parts of a whole: scores have none.
  const ui = createPage(root, data, words, {
    grid: chooseGrid,
    layer: (layer) => set({ layer }),
    head: (head) => set({ head }),
    kind: (kind) => set({ kind }),
    view: (view) => set(view === 'arcs' ? { view, kind: 'weights' } : { view }),
    theme(preference) {
      state.theme = /** @type {import('./theme.js').Preference} */ (preference);
      repaint();
    },
    hoverQuery: (token) =>
      spot.hover(token === null ? null : { query: token, key: grids[state.grid].same ? token : null }),
    hoverKey: (token) => spot.hover(token === null ? null : { key: token }),
    query: (token) => set({ query: state.query === token ? null : token, hover: null }),
    key: (token) => set({ key: state.key === token ? null : token, hover: null }),
    moveHead,
    moveCell,
    zoom: (factor) => heatmap.zoom(factor),
    fit: () => heatmap.fit(),
  });
  const { canvases, frames } = ui;
  const heatmap = createHeatmapCanvas(canvases.matrix, { ...spot, zoomed: () => showZoom() });
  const arcs = createArcsCanvas(canvases.arcs, spot);
  const heads = createHeadsCanvas(canvases.heads, {
    hover: (over) => set({ over, hover: null }),
    choose: (at) => set({ ...at, over: null, hover: null }),
  });

  /** @param {KeyboardEvent} event */
  function moveHead(event) {
    const grid = grids[state.grid];
    const to = moveByKey(event, { row: state.layer, column: state.head }, { rows: grid.layers, columns: grid.heads });
    if (!to) return;
    event.preventDefault();
    set({ layer: to.row, head: to.column, over: null });
  }

  /** @param {KeyboardEvent} event */
  function moveCell(event) {
    if (event.key === 'Escape') return set({ query: null, key: null, hover: null });
    const matrix = state.view === 'matrix';
    if (matrix && !event.ctrlKey && !event.metaKey && ['+', '=', '-', '0'].includes(event.key)) {
      event.preventDefault();
      return event.key === '0' ? heatmap.fit() : heatmap.zoom(event.key === '-' ? 1 / ZOOM : ZOOM);
    }
    const { queries: down, keys: across } = grids[state.grid];
    const { query, key } = state;
    const from = query === null && key === null ? null : { row: query ?? 0, column: key ?? 0 };
    const to = moveByKey(event, from, { rows: down.length, columns: across.length });
    if (!to) return;
    event.preventDefault();
    const cell = { query: to.row, key: to.column };
    set({ ...cell, hover: null });
    (matrix ? heatmap : arcs).reveal(cell);
  }

  /** The head on show. */
  function pictureNow() {
    const kind = /** @type {'weights' | 'scores'} */ (state.kind);
    return pictures.head(grids[state.grid], state.over ?? state, kind, theme.dark);
  }

  function showZoom() {
    ui.zoom.hidden = state.view !== 'matrix' || !heatmap.zoomable;
  }

  function update() {
    const grid = grids[state.grid];
    const count = (/** @type {number} */ n) => Array.from({ length: n }, (_, value) => ({ value, text: value }));
    ui.attention.element.hidden = grids.length < 2;
    ui.attention.show(
      grids.map(({ title, name }, value) => ({ value, text: title || name })),
      state.grid,
    );
    const at = state.over ?? state;
    ui.layer.show(count(grid.layers), at.layer);
    ui.head.show(count(grid.heads), at.head);
    ui.kinds.show(state.kind, state.view === 'arcs' || !grid.scores ? ['scores'] : []);
    ui.views.show(state.view);
    ui.queries.rename(grid.same ? words.tokens : (grid.queryTitle ?? words.queries));
    ui.keys.rename(grid.keyTitle ?? words.keys);
    ui.queries.show(grid.queries);
    ui.keys.show(grid.keys);
    ui.keys.element.hidden = grid.same;

    const narrow = innerWidth <= NARROW;
    const { layers, heads: across } = grid;
    const arrangement = narrow ? 'strip' : 'grid';
    heads.show({
      picture: pictures.heads(grid, theme.dark),
      theme,
      layers,
      heads: across,
      width: frames.heads.clientWidth,
      arrangement,
    });
    const picture = pictureNow();
    const width = frames.picture.clientWidth;
    if (width === 0) return; // not shown yet: the observer calls again
    const height = narrow ? Math.max(width, 480) : Math.max(400, Math.min(innerHeight - 160, 720));
    const label = filled(words.picture, { ...at, kind: words[/** @type {'weights'} */ (state.kind)] });
    for (const view of /** @type {const} */ (['matrix', 'arcs'])) {
      canvases[view].hidden = state.view !== view;
      canvases[view].setAttribute('aria-label', label);
    }
    if (state.view === 'arcs') arcs.show({ ...picture, theme, width, height });
    else {
      const title = barTitle(picture.scale, picture.palette, /** @type {any} */ (words));
      heatmap.show({ picture, theme, width, height, barTitle: title });
    }
    showZoom();
    mark();
  }

  /** The cells of the head on show that were set by hand. */
  function editedNow() {
    const { layer, head } = state.over ?? state;
    return grids[state.grid].edited.filter((cell) => cell.layer === layer && cell.head === head);
  }

  function mark() {
    const { query, key, hover } = state;
    const grid = grids[state.grid];
    const selected = query === null && key === null ? null : { query, key };
    heatmap.mark({ selected, hover, edited: editedNow() });
    arcs.mark({ selected, hover });
    heads.mark({ selected: state, hover: state.over, lit: hover });
    // In a strip the chosen head is kept in sight.
    const frame = frames.heads;
    const box = heads.layout?.box(state);
    if (box && (box.x < frame.scrollLeft || box.x + box.width > frame.scrollLeft + frame.clientWidth)) {
      frame.scrollLeft = box.x - (frame.clientWidth - box.width) / 2;
    }
    const lit = hover ?? { query, key };
    ui.queries.mark(grid.same ? lit : { query: lit.query, key: null }, query);
    ui.keys.mark({ query: null, key: lit.key }, key);
    ui.now.textContent = said(lit);
  }

  /** What a cell says. @param {Cell} cell */
  function said({ query, key }) {
    const { queries: down, keys: across } = grids[state.grid];
    if (query === null && key === null) return words.point;
    if (query === null || key === null) {
      return query === null
        ? filled(words.column, { key: across[key ?? 0] })
        : filled(words.row, { query: down[query] });
    }
    const { matrix, masked } = pictureNow();
    const at = query * matrix.columns + key;
    const tokens = { query: down[query], key: across[key] };
    if (masked?.[at] || !(matrix.data[at] > -Infinity)) return filled(words.masked, tokens);
    const edited = editedNow().some((cell) => cell.query === query && cell.key === key);
    const cell = filled(state.kind === 'scores' ? words.score : words.weight, {
      ...tokens,
      value: writeFull(matrix.data[at]),
    });
    return edited ? `${cell}, ${words.edited}` : cell;
  }

  function repaint() {
    theme = applyTheme(state.theme);
    ui.themes.show(state.theme);
    update();
  }
  new ResizeObserver(() => update()).observe(root);
  watchSystem(repaint);
  watchPixelRatio(() => {
    heatmap.place();
    arcs.place();
    heads.place();
  });
  update();
}
