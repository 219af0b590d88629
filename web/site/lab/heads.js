// The grid of every layer's every head, on one canvas.

import { html, render } from 'lit/html.js';
import { describeHead, headMatrix, palette } from '../../view/index.js';
import { createHeadsCanvas, moveByKey, watchPixelRatio } from '../../elements/index.js';
import { prose } from '../dom.js';
import { litSpot, paletteName, scaleOfWeights, shownHead, shownSequence } from '../selection.js';
import { sizesOf } from '../recording.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../types.js').State} State */

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 */
export function createHeads(root, store) {
  render(
    html`<h2>${STRINGS.heads}</h2>
      <p class="says"></p>
      <div class="frame">
        <canvas
          tabindex="0"
          role="application"
          aria-label=${STRINGS.headsLabel}
          aria-describedby="heads-now"
          @keydown=${move}
        ></canvas>
      </div>
      <p id="heads-now" class="hidden" aria-live="polite"></p>`,
    root,
  );
  const frame = /** @type {HTMLElement} */ (root.querySelector('.frame'));
  const canvas = /** @type {HTMLCanvasElement} */ (root.querySelector('canvas'));
  const says = /** @type {HTMLElement} */ (root.querySelector('.says'));
  const now = /** @type {HTMLElement} */ (root.querySelector('#heads-now'));

  const grid = createHeadsCanvas(canvas, {
    hover(spot) {
      const { hover } = store.state;
      if (spot === null && hover?.part !== 'head') return;
      if (spot && hover?.part === 'head' && hover.layer === spot.layer && hover.head === spot.head) return;
      store.set({ hover: spot && { part: 'head', ...spot } });
    },
    choose: (spot) => store.set({ ...spot, hover: null }),
  });

  /** @param {KeyboardEvent} event */
  function move(event) {
    const { state } = store;
    if (!state.result) return;
    const { layers, heads } = sizesOf(state.result.model.config);
    const to = moveByKey(event, { row: state.layer, column: state.head }, { rows: layers, columns: heads });
    if (!to) return;
    event.preventDefault();
    store.set({ layer: to.row, head: to.column, hover: null });
    say();
  }

  function say() {
    const { state } = store;
    const sequence = shownSequence(state);
    if (!state.result || !sequence) return;
    const { layer, head, sequence: batch } = state;
    const tensor = state.result.run.get(`blocks.${layer}.attn.hook_pattern`);
    const separators = sequence.tokens.flatMap((token, i) => (token === '[SEP]' || token === '</s>' ? [i] : []));
    const real = sequence.padding.map((padding) => (padding ? 0 : 1));
    now.textContent = describeHead(headMatrix(tensor, { batch, head }), { layer, head }, { separators, real });
  }

  /** @type {{ result: State['result'], sequence: number, dark: boolean, name: string, picture: any } | null} */
  let made = null;
  function update() {
    const { state } = store;
    const { result, theme, sequence: batch } = state;
    root.hidden = result === null;
    if (!result) return;
    const { layers, heads } = sizesOf(result.model.config);
    const name = paletteName('weights', state.kind === 'weights' ? state.palette : null, theme.dark);
    if (made?.result !== result || made.sequence !== batch || made.dark !== theme.dark || made.name !== name) {
      const layerNames = Array.from({ length: layers }, (_, l) => `blocks.${l}.attn`);
      const scores = layerNames.map((layer) => result.records.peek(`${layer}.hook_attn_scores`));
      const picture = {
        patterns: layerNames.map((layer) => result.run.get(`${layer}.hook_pattern`)),
        scores: scores.every((tensor) => tensor !== null) ? scores : null,
        batch,
        scale: scaleOfWeights(result.run.ids[0].length),
        palette: palette(name, { dark: theme.dark }),
      };
      made = { result, sequence: batch, dark: theme.dark, name, picture };
    }
    const arrangement = state.phone ? 'strip' : 'grid';
    render(prose(state.phone ? STRINGS.headsSayStrip : STRINGS.headsSay), says);
    grid.show({ picture: made.picture, theme, layers, heads, width: frame.clientWidth, arrangement });
    mark();
  }
  function mark() {
    const { state } = store;
    const hovered = state.hover?.part === 'head' ? shownHead(state) : null;
    const lit = litSpot(state);
    grid.mark({ selected: { layer: state.layer, head: state.head }, hover: hovered, lit });
    // In the strip the chosen head is kept in sight.
    const box = state.phone && grid.layout?.box({ layer: state.layer, head: state.head });
    if (box && (box.x < frame.scrollLeft || box.x + box.width > frame.scrollLeft + frame.clientWidth)) {
      frame.scrollLeft = box.x - frame.clientWidth / 2 + box.width / 2;
    }
  }

  store.on(['result', 'sequence', 'theme', 'phone', 'kind', 'palette'], update);
  store.on(['hover', 'layer', 'head'], mark);
  new ResizeObserver(() => store.state.result && update()).observe(frame);
  watchPixelRatio(grid.place);
  root.hidden = true;
}
