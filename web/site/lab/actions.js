// What the page's keys do, on the store and on what has the focus.

import { gridNamed, gridsOf, headsOf } from '../grids.js';
import { otherGrid } from './head-grid.js';

/**
 * @param {import('../store.js').Store} store
 * @param {{ changes: import('../changes.js').ChangesOf, why: { edit: () => Promise<boolean> }, link: () => void }} parts
 */
export function createActions(store, { changes, why, link }) {
  const focus = (/** @type {string} */ selector) =>
    /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();

  /** The grid on show, where there is a run. */
  const shown = () => {
    const { result, attention } = store.state;
    return result && { result, grid: gridNamed(result.model, attention) };
  };
  /** A number further, around the end. @param {number} index @param {number} by @param {number} count */
  const around = (index, by, count) => (index + by + count) % count;

  return {
    picture: () => focus(store.state.view === 'arcs' ? 'canvas.arcs' : 'canvas.matrix'),
    sentence: () => focus('#sentence textarea'),
    /** @param {number} by */
    head(by) {
      const at = shown();
      if (at) store.set({ head: around(store.state.head, by, headsOf(at.result, at.grid)), hover: null });
    },
    /** @param {number} by */
    layer(by) {
      const at = shown();
      if (at) store.set({ layer: around(store.state.layer, by, at.grid.layers), hover: null });
    },
    attention() {
      const at = shown();
      if (!at) return;
      const grids = gridsOf(at.result.model);
      const next = grids[around(grids.indexOf(at.grid), 1, grids.length)];
      store.set({ ...otherGrid(store.state, next.name), hover: null });
    },
    view() {
      const matrix = store.state.view === 'matrix';
      // Arcs show weights: scores have no total that a line could be a part of. The focus stays in the picture.
      const inPicture = document.activeElement?.matches('canvas.matrix, canvas.arcs') ?? false;
      store.set(matrix ? { view: 'arcs', kind: 'weights' } : { view: 'matrix' });
      if (inPicture) queueMicrotask(() => focus(matrix ? 'canvas.arcs' : 'canvas.matrix'));
    },
    kind() {
      if (store.state.view === 'matrix') store.set({ kind: store.state.kind === 'weights' ? 'scores' : 'weights' });
    },
    edit: () => void why.edit(),
    off() {
      const at = shown();
      if (at) void changes.toggle({ grid: at.grid.name, layer: store.state.layer, head: store.state.head });
    },
    undo: () => void changes.undo(),
    redo: () => void changes.redo(),
    link,
    letGo: () => store.set({ query: null, key: null, hover: null }),
  };
}
