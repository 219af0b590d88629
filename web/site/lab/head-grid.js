// One grid of layers and heads on a canvas: pointed at, chosen, moved over by keys.

import { html, nothing, render } from 'lit/html.js';
import { describeHead, headMatrix, palette } from '../../view/index.js';
import { createHeadsCanvas, moveByKey, watchPixelRatio } from '../../elements/canvas/index.js';
import { litSpot, paletteName, scaleOfWeights } from '../selection.js';
import { axesOf, gridNamed, gridsOf, headsOf, hiddenCells, hookOf, sequenceAt } from '../grids.js';
import { placesOf } from '../switches.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Result} Result */

/** Between two paintings of all heads while the model writes, milliseconds. */
const PAUSE = 120;

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 * @param {import('../grids.js').GridName} name
 */
export function createHeadGrid(root, store, name) {
  const label = STRINGS.grids[name];
  const id = name === 'self' ? 'heads-now' : `heads-now-${name}`;
  root.className = 'headgrid';
  render(
    html`${name === 'self' ? nothing : html`<h3>${label.title} <small>${label.says}</small></h3>`}
      <div class="frame">
        <canvas
          tabindex="0"
          role="application"
          aria-label=${label.heads}
          aria-describedby=${id}
          @keydown=${move}
        ></canvas>
      </div>
      <p id=${id} class="hidden" aria-live="polite"></p>`,
    root,
  );
  const frame = /** @type {HTMLElement} */ (root.querySelector('.frame'));
  const canvas = /** @type {HTMLCanvasElement} */ (root.querySelector('canvas'));
  const now = /** @type {HTMLElement} */ (root.querySelector('.hidden'));

  const canvasOfHeads = createHeadsCanvas(canvas, {
    hover(spot) {
      const { hover } = store.state;
      if (spot === null && (hover?.part !== 'head' || hover.grid !== name)) return;
      if (spot && isAt(hover, spot)) return;
      store.set({ hover: spot && { part: 'head', grid: name, ...spot } });
    },
    choose,
  });
  /** @param {State['hover']} hover @param {{ layer: number, head: number }} spot */
  const isAt = (hover, { layer, head }) =>
    hover?.part === 'head' && hover.grid === name && hover.layer === layer && hover.head === head;

  /** @param {{ layer: number, head: number }} spot */
  function choose({ layer, head }) {
    const { result } = store.state;
    if (result) store.set({ ...otherGrid(store.state, name), layer, head, hover: null });
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const { state } = store;
    if (!state.result) return;
    const grid = gridNamed(state.result.model, name);
    const here = gridNamed(state.result.model, state.attention).name === name;
    const from = here ? { row: state.layer, column: state.head } : null;
    const to = moveByKey(event, from, { rows: grid.layers, columns: headsOf(state.result, grid) });
    if (!to) return;
    event.preventDefault();
    choose({ layer: to.row, head: to.column });
    say(state.result, to.row, to.column);
  }

  /** @param {Result} result @param {number} layer @param {number} head */
  function say(result, layer, head) {
    const grid = gridNamed(result.model, name);
    const batch = store.state.sequence;
    const keys = sequenceAt(result, grid.keys, batch);
    const matrix = headMatrix(result.run.get(hookOf(grid, layer, 'hook_pattern')), { batch, head });
    const separators = keys.tokens.flatMap((token, i) => (token === '[SEP]' || token === '</s>' ? [i] : []));
    const real = keys.padding.map((padding) => (padding ? 0 : 1));
    // "The previous token" means something only where both sides are the same.
    const tokens = grid.queries === grid.keys ? { separators, real } : null;
    now.textContent = describeHead(matrix, { layer, head }, tokens, STRINGS.viewWords);
  }

  /** @type {{ key: string, result: Result, picture: any } | null} */
  let made = null;
  let painted = 0;
  function update() {
    const { state } = store;
    const { result, theme, sequence: batch } = state;
    // While the model writes, the chosen head is painted at every token, all of them now and then.
    if (state.running && performance.now() - painted < PAUSE) return;
    painted = performance.now();
    if (!result || !gridsOf(result.model).some((grid) => grid.name === name)) return;
    const grid = gridNamed(result.model, name);
    const key = [batch, theme.dark, coloursOf(state)].join();
    if (made?.result !== result || made.key !== key) made = { key, result, picture: gridPicture(state, result, grid) };
    const arrangement = state.phone ? 'strip' : 'grid';
    const heads = headsOf(result, grid);
    canvasOfHeads.show({
      picture: made.picture,
      theme,
      layers: grid.layers,
      heads,
      width: frame.clientWidth,
      arrangement,
    });
    mark();
  }

  function mark() {
    const { state } = store;
    if (!state.result || !made) return;
    const { hover } = state;
    const hovered = hover?.part === 'head' && hover.grid === name ? { layer: hover.layer, head: hover.head } : null;
    const grid = gridNamed(state.result.model, name);
    const marks = gridMarks(state, grid);
    const { selected } = marks;
    canvasOfHeads.mark({ ...marks, hover: hovered, lit: litSpot(state, grid) });
    // In the strip the chosen head is kept in sight.
    const box = state.phone && selected && canvasOfHeads.layout?.box(selected);
    if (box && (box.x < frame.scrollLeft || box.x + box.width > frame.scrollLeft + frame.clientWidth)) {
      frame.scrollLeft = box.x - frame.clientWidth / 2 + box.width / 2;
    }
  }

  store.on(['result', 'sequence', 'theme', 'phone', 'kind', 'palette', 'running'], update);
  store.on(['hover', 'attention', 'layer', 'head', 'off'], mark);
  new ResizeObserver(() => store.state.result && update()).observe(frame);
  watchPixelRatio(canvasOfHeads.place);
}

/** The palette of all heads: that of the large one, where it shows weights. @param {State} state */
function coloursOf({ kind, palette: wanted, theme }) {
  return paletteName('weights', kind === 'weights' ? wanted : null, theme.dark);
}

/**
 * All heads of a grid, to paint.
 * @param {State} state
 * @param {Result} result
 * @param {import('../grids.js').Grid} grid
 * @returns {import('../../view/thumbnails.js').ThumbnailsPicture}
 */
export function gridPicture(state, result, grid) {
  const { sequence: batch, theme } = state;
  const layers = Array.from({ length: grid.layers }, (_, l) => l);
  const scores = layers.map((l) => result.records.peek(hookOf(grid, l, 'hook_attn_scores')));
  const { queries, keys } = axesOf(result, grid, batch);
  const patterns = layers.map((l) => result.run.get(hookOf(grid, l, 'hook_pattern')));
  const hides = grid.causal || result.padded;
  return {
    patterns,
    hidden: (layer, head) => {
      const tensor = scores[layer];
      const at = tensor && headMatrix(tensor, { batch, head });
      return hides ? hiddenCells(grid, at, headMatrix(patterns[layer], { batch, head })) : null;
    },
    batch,
    scale: scaleOfWeights(Math.max(queries.length, keys.length)),
    palette: palette(coloursOf(state), { dark: theme.dark }),
  };
}

/** Which head of a grid is chosen, and which are switched off. @param {State} state @param {import('../grids.js').Grid} grid */
export function gridMarks({ result, attention, layer, head, off }, { name }) {
  const here = result !== null && gridNamed(result.model, attention).name === name;
  return { selected: here ? { layer, head } : null, off: placesOf(off).filter((place) => place.grid === name) };
}

/**
 * What choosing another grid changes: a chosen token stays chosen where it is among that grid's queries or keys.
 * @param {State} state
 * @param {import('../grids.js').GridName} name
 * @returns {Partial<State>}
 */
export function otherGrid({ result, attention, layer, head, query, key }, name) {
  if (!result || name === 'self') return {};
  const [from, to] = [gridNamed(result.model, attention), gridNamed(result.model, name)];
  if (from.name === to.name) return { attention: name };
  return {
    attention: name,
    layer: Math.min(layer, to.layers - 1),
    head: Math.min(head, headsOf(result, to) - 1),
    query: from.queries === to.queries ? query : null,
    key: from.keys === to.keys ? key : null,
  };
}
