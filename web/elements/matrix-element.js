// One head's matrix on a canvas: what the heatmap and the arcs share, which differ in how they draw it.

import { html } from 'lit';
import { describeCell, describeHead, describeRow } from '../view/index.js';
import { AttentionElement } from './attention-element.js';
import { hiddenOf, matrixOf, separatorsOf } from './attention.js';
import { moveByKey } from './canvas/index.js';
import { coloursOf } from './colouring.js';
import { WORDS } from './words.js';

/** @typedef {import('./attention.js').Attention} Attention */
/** @typedef {import('./canvas/heatmap.js').Shown['picture']} Picture */
/** @typedef {import('../view/types.js').Spot} Spot */
/**
 * @typedef {object} Drawing
 * @property {(marks: { selected: Spot | null, hover: Spot | null }) => void} mark
 * @property {(spot: Spot) => void} reveal
 * @property {(factor: number) => void} [zoom]
 * @property {() => void} [fit]
 *
 * @typedef {{ hover: (spot: Spot | null) => void, choose: (spot: Spot) => void }} Callbacks
 * @typedef {object} Pen
 * @property {() => string} label what the canvas is called
 * @property {(canvas: HTMLCanvasElement, callbacks: Callbacks) => any} create
 * @property {(drawing: any, picture: Picture, height: number) => void} place draws into a room of this height
 */

const ZOOM = 1.4;
/** A picture is no taller than this part of its width, and never less than a few rows. */
const TALLEST = 1.2;
const LEAST = 240;

export class MatrixElement extends AttentionElement {
  /** @type {{ canvas: HTMLCanvasElement, drawing: Drawing } | null} */ #made = null;
  /** @type {{ of: unknown[], picture: Picture } | null} */ #kept = null;
  /** Kept, as it is asked for whenever the pointer moves. @type {{ matrix: unknown, text: string } | null} */ #described =
    null;
  /** @type {unknown[]} */ #placed = [];

  /** How it draws. @returns {Pen} */
  get pen() {
    throw new Error(`<${this.localName}> draws nothing`);
  }

  picture() {
    return html`<div class="frame" part="frame">
      <canvas
        part="canvas"
        tabindex="0"
        role="application"
        aria-label=${this.pen.label()}
        aria-describedby="summary"
        @keydown=${this.#move}
      ></canvas>
    </div>`;
  }

  summary() {
    const shown = /** @type {Attention} */ (this.shown);
    const { matrix } = this.#pictureOf(shown);
    if (this.#described?.matrix !== matrix) {
      const means = shown.same && this.drawn === 'weights' ? { separators: separatorsOf(shown) } : null;
      this.#described = { matrix, text: describeHead(matrix, this.spot, means) };
    }
    return `${this.#described.text} ${WORDS.keys}`;
  }

  /** @param {Attention} shown */
  #pictureOf(shown) {
    const { layer, head } = this.spot;
    const { drawn: kind, palette, theme } = this;
    const of = [shown, layer, head, kind, palette, theme.dark];
    if (this.#kept && same(this.#kept.of, of)) return this.#kept.picture;
    const matrix = matrixOf(shown, kind, layer, head);
    const { queries, keys } = shown;
    const picture = {
      matrix,
      masked: hiddenOf(shown, kind, layer, head),
      queries,
      keys,
      queryTitle: WORDS.query,
      keyTitle: WORDS.key,
      kind,
      ...coloursOf({ kind, palette, dark: theme.dark }, matrix.data, Math.max(queries.length, keys.length)),
    };
    this.#kept = { of, picture };
    return picture;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    const canvas = this.renderRoot.querySelector('canvas');
    const { shown, room, theme } = this;
    if (!canvas || !shown || room === 0) return;
    if (this.#made?.canvas !== canvas) {
      const drawing = this.pen.create(canvas, {
        hover: (spot) => this.point(spot && { query: spot.query ?? null, key: spot.key ?? null }),
        choose: ({ query = null, key = null }) => this.choose({ query, key }),
      });
      this.#made = { canvas, drawing };
      this.#placed = [];
    }
    const { drawing } = this.#made;
    const picture = this.#pictureOf(shown);
    const height = this.givenHeight ?? Math.max(LEAST, room * TALLEST);
    const placed = [picture, theme, room, height];
    if (!same(this.#placed, placed)) {
      this.#placed = placed;
      this.pen.place(drawing, picture, height);
    }
    const { query = null, key = null } = this.selection ?? {};
    drawing.mark({ selected: query === null && key === null ? null : { query, key }, hover: this.pointed });
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const { shown, selection } = this;
    const drawing = this.#made?.drawing;
    if (!shown || !selection || !drawing) return;
    const { query, key } = selection;
    const chosen = query !== null || key !== null;
    if (event.key === 'Escape') {
      // With nothing to let go, Escape is the page's: it may close what the element stands in.
      if (!chosen) return;
      event.preventDefault();
      this.choose({ query: null, key: null });
      this.say(WORDS.letGo);
      return;
    }
    if (drawing.zoom && !event.ctrlKey && !event.metaKey && ['+', '=', '-', '0'].includes(event.key)) {
      if (event.key === '0') drawing.fit?.();
      else drawing.zoom(event.key === '-' ? 1 / ZOOM : ZOOM);
      event.preventDefault();
      return;
    }
    const from = chosen ? { row: query ?? 0, column: key ?? 0 } : null;
    const to = moveByKey(event, from, { rows: shown.queries.length, columns: shown.keys.length });
    if (!to) return;
    event.preventDefault();
    const spot = { query: to.row, key: to.column };
    this.choose(spot);
    drawing.reveal(spot);
    const picture = { ...this.#pictureOf(shown), kind: this.drawn };
    const row = from?.row === to.row ? '' : ` ${describeRow(picture, to.row)}`;
    this.say(`${describeCell(picture, to.row, to.column)}.${row}`);
  }
}

/** @param {unknown[]} a @param {unknown[]} b */
function same(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
