// <head-grid>: all heads of all layers, small. Pointing at one previews it in the other elements of its group, a click keeps it.

import { html } from 'lit';
import { describeHead } from '../view/index.js';
import { AttentionElement } from './attention-element.js';
import { hiddenOf, matrixOf, separatorsOf } from './attention.js';
import { createHeadsCanvas, moveByKey } from './canvas/index.js';
import { coloursOf } from './colouring.js';
import { WORDS } from './words.js';

/** @typedef {import('./attention.js').Attention} Attention */

/** Narrower than this, a grid of many heads becomes one line that scrolls. */
const NARROW = 26;

export class HeadGrid extends AttentionElement {
  /** @type {{ canvas: HTMLCanvasElement, heads: ReturnType<typeof createHeadsCanvas> } | null} */ #made = null;
  /** @type {unknown[]} */ #pictured = [];
  /** @type {unknown[]} */ #placed = [];
  /** Kept, as it is asked for whenever the pointer moves. */
  #described = { of: /** @type {unknown[]} */ ([]), text: '' };
  /** @type {any} */ #picture = null;

  /** What it draws are weights, which all heads share one scale of. @returns {'weights'} */
  get drawn() {
    return 'weights';
  }

  /** Its own layer and head are what it chooses first; what is chosen is the group's. */
  get spot() {
    const { layer = 0, head = 0 } = this.selection ?? {};
    return { layer, head };
  }

  joined() {
    this.preselect(['layer', 'head', 'query', 'key']);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('layer') || changed.has('head')) this.preselect(['layer', 'head']);
    super.willUpdate(changed);
  }

  picture() {
    return html`<div class="frame" part="frame">
      <canvas
        part="canvas"
        tabindex="0"
        role="application"
        aria-label=${WORDS.grid}
        aria-describedby="summary"
        @keydown=${this.#move}
      ></canvas>
    </div>`;
  }

  summary() {
    const shown = /** @type {Attention} */ (this.shown);
    return `${this.#describe(shown)} ${WORDS.keys}`;
  }

  /** @param {Attention} shown */
  #describe(shown) {
    const { layer, head } = this.spot;
    const of = [shown, layer, head];
    if (of.some((value, i) => value !== this.#described.of[i])) {
      const means = shown.same ? { separators: separatorsOf(shown) } : null;
      const text = describeHead(matrixOf(shown, 'weights', layer, head), { layer, head }, means);
      this.#described = { of, text };
    }
    return this.#described.text;
  }

  /** @param {Attention} shown */
  #pictureOf(shown) {
    const { palette, theme } = this;
    const of = [shown, palette, theme.dark];
    if (this.#pictured.length > 0 && of.every((value, i) => value === this.#pictured[i])) return this.#picture;
    this.#pictured = of;
    const { queries, keys, causal, name, weights } = shown;
    this.#picture = {
      patterns: weights,
      hidden: (/** @type {number} */ layer, /** @type {number} */ head) =>
        causal || name === 'given' ? hiddenOf(shown, 'weights', layer, head) : null,
      ...coloursOf({ kind: 'weights', palette, dark: theme.dark }, [], Math.max(queries.length, keys.length)),
    };
    return this.#picture;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    const canvas = this.renderRoot.querySelector('canvas');
    const { shown, room, theme } = this;
    if (!canvas || !shown || room === 0) return;
    if (this.#made?.canvas !== canvas) {
      const heads = createHeadsCanvas(canvas, {
        hover: (spot) => this.point(spot),
        choose: (spot) => this.choose(spot),
      });
      this.#made = { canvas, heads };
      this.#placed = [];
    }
    const { heads } = this.#made;
    const picture = this.#pictureOf(shown);
    const placed = [picture, theme, room];
    if (placed.some((value, i) => value !== this.#placed[i])) {
      this.#placed = placed;
      const arrangement = room / shown.heads < NARROW ? 'strip' : 'grid';
      heads.show({ picture, theme, layers: shown.layers, heads: shown.heads, width: room, arrangement });
    }
    const { layer, head, query, key, hover } = /** @type {import('./group.js').Selection} */ (this.selection);
    const pointed = hover && 'layer' in hover ? hover : null;
    const lit = this.pointed ?? (query === null && key === null ? null : { query, key });
    heads.mark({ selected: { layer, head }, hover: pointed, lit });
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const { shown, spot } = this;
    if (!shown) return;
    const to = moveByKey(event, { row: spot.layer, column: spot.head }, { rows: shown.layers, columns: shown.heads });
    if (!to) return;
    event.preventDefault();
    this.choose({ layer: to.row, head: to.column });
    this.say(this.#describe(shown));
  }
}
