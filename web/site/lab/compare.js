// Two pictures side by side with one selection, and their difference below where they have the same rows and columns.

import { html, nothing, render } from 'lit/html.js';
import { barTitle, describeCell, visibleToken, writeNumber } from '../../view/index.js';
import { toDrawn, toTokens } from '../aggregate.js';
import {
  besideOf,
  coloured,
  counterpart,
  differenceOf,
  differencePicture,
  editedBeside,
  isComparing,
} from '../compare.js';
import { colouring, litSpot } from '../selection.js';
import { STRINGS } from '../strings.js';
import { createComparedCanvas } from './compare-canvas.js';
import { differenceSays, firstCaption, secondCaption, secondName, status } from './compare-captions.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../aggregate.js').Numbers} Numbers */
/** @typedef {import('./compare-canvas.js').Cell} Cell */

const NOWHERE = Object.freeze({ query: null, key: null });

/**
 * @param {{ first: HTMLElement, second: HTMLElement, below: HTMLElement }} roots the first picture's caption, the second picture, the
 *   difference
 * @param {import('../store.js').Store} store
 * @param {{ picture: { shown: () => Numbers | null, drawn: () => { height: number } | null }, open: () => void }} parts open: a
 *   model to compare with
 */
export function createCompare(roots, store, { picture, open }) {
  for (const root of [roots.second, roots.below]) {
    render(
      html`<div class="caption"></div>
        <div class="frame"></div>
        <div class="line"></div>`,
      root,
    );
  }
  const part = (/** @type {HTMLElement} */ root, /** @type {string} */ name) =>
    /** @type {HTMLElement} */ (root.querySelector(`.${name}`));
  const frames = { second: part(roots.second, 'frame'), below: part(roots.below, 'frame') };
  /** @type {{ second: Numbers, difference: import('../compare.js').Difference } | null} */
  let drawn = null;

  /** A cell of the second picture as one of the first. @param {Cell} cell */
  const inFirst = (cell) => {
    const first = picture.shown();
    return first && drawn ? counterpart(drawn.second, first, cell) : NOWHERE;
  };
  /** @param {(cell: Cell) => Cell} map to the first picture */
  const pointing = (map) => ({
    /** @param {Cell | null} cell */
    hover(cell) {
      const first = picture.shown();
      const { query, key } = first && cell ? toTokens(first, map(cell)) : NOWHERE;
      const { hover } = store.state;
      if (query === null && key === null) {
        if (hover && hover.part !== 'head') store.set({ hover: null });
        return;
      }
      const kind = query === null ? 'column' : key === null ? 'row' : 'cell';
      if (hover?.part !== kind || hover.query !== query || hover.key !== key)
        store.set({ hover: { part: kind, query, key } });
    },
    /** @param {Cell} cell */
    choose(cell) {
      const first = picture.shown();
      if (first) store.set({ ...toTokens(first, map(cell)), hover: null });
    },
  });
  const second = createComparedCanvas(frames.second, 'second', {
    ...pointing(inFirst),
    say({ query, key }) {
      if (!drawn) return '';
      const said = describeCell(drawn.second, query, key, STRINGS.viewWords);
      const edited = editedBeside(store.state, drawn.second).some((at) => at.query === query && at.key === key);
      return edited ? `${said}, ${STRINGS.edits.cell}` : said;
    },
  });
  const below = createComparedCanvas(frames.below, 'difference', {
    ...pointing((cell) => cell),
    say: (cell) => compared(cell) ?? '',
  });

  /** A cell in both, with the difference. @param {Cell} cell of the first picture @returns {string | null} */
  function compared(cell) {
    const first = picture.shown();
    if (!first || !drawn || cell.query === null || cell.key === null) return null;
    const { second: numbers, difference } = drawn;
    const other = counterpart(first, numbers, cell);
    if (other.query === null || other.key === null) return null;
    const value = first.matrix.data[cell.query * first.matrix.columns + cell.key];
    const beside = numbers.matrix.data[other.query * numbers.matrix.columns + other.key];
    const names = difference ?? first;
    return STRINGS.views.compared(
      STRINGS.views.cellOf(visibleToken(names.queries[cell.query]), visibleToken(names.keys[cell.key])),
      writeNumber(value, 2),
      writeNumber(beside, 2),
      // Of two keys that may not be seen there is none.
      Number.isNaN(beside - value) ? '—' : writeNumber(beside - value, 2),
    );
  }

  function update() {
    const { state } = store;
    const comparing = isComparing(state) && state.result !== null;
    roots.first.closest('main')?.classList.toggle('comparing', comparing);
    for (const root of [roots.first, roots.second]) root.hidden = !comparing;
    if (!comparing) {
      drawn = null;
      roots.below.hidden = true;
      return;
    }
    render(firstCaption(state, picture.shown()?.heads.length ?? 1), roots.first);
    render(secondCaption(store, open), part(roots.second, 'caption'));
    const beside = besideOf(state);
    if (beside?.wanted) {
      const { result, wanted } = beside;
      result.records.get(wanted).then(update, ({ code, message }) => store.set({ otherProblem: { code, message } }));
    }
    render(status(state), part(roots.second, 'line'));
    dim();
    const first = picture.shown();
    frames.second.hidden = !beside?.numbers;
    roots.below.hidden = !beside?.numbers || !first;
    if (!beside?.numbers || !first) {
      drawn = null;
      return;
    }
    drawn = { second: beside.numbers, difference: differenceOf(first, beside.numbers) };
    draw(state, first, drawn);
    mark();
  }

  /** @param {State} state @param {Numbers} first @param {NonNullable<typeof drawn>} now */
  function draw(state, first, { second: numbers, difference }) {
    const { theme } = state;
    const width = frames.second.clientWidth;
    if (width === 0) return;
    // As high as the first, so that cells are of one size.
    const height = picture.drawn()?.height ?? width;
    const { values, tokens } = coloured(state, first);
    const colours = colouring(state, values, tokens);
    const title = barTitle(colours.scale, colours.palette, STRINGS.viewWords);
    second.show(
      { picture: { ...numbers, ...colours }, theme, width, height, barTitle: title },
      STRINGS.pictureLabel(`${STRINGS.views.second}: ${secondName(state)}`, STRINGS[state.kind]),
    );
    frames.below.hidden = difference === null;
    render(
      html`<h3>${STRINGS.views.difference}</h3>
        <p class="says">${differenceSays(first, numbers, difference)}</p>`,
      part(roots.below, 'caption'),
    );
    if (!difference) return;
    below.show(
      { ...differencePicture(difference, theme), theme, width: frames.below.clientWidth, height },
      STRINGS.pictureLabel(STRINGS.views.difference, STRINGS.views.differenceBar),
    );
  }

  /** What the run to come will replace. */
  function dim() {
    for (const root of [frames.second, roots.below]) root.classList.toggle('busy', store.state.otherBusy);
  }

  function mark() {
    const first = picture.shown();
    if (!first || !drawn) return;
    const { second: numbers } = drawn;
    const { state } = store;
    const chosen = toDrawn(first, state);
    const lit = toDrawn(first, litSpot(state) ?? NOWHERE);
    const inSecond = (/** @type {Cell} */ cell) => counterpart(first, numbers, cell);
    second.mark(inSecond(chosen), inSecond(lit), editedBeside(state, numbers));
    below.mark(chosen, lit);
    const cell = lit.query === null && lit.key === null ? chosen : lit;
    render(
      html`<p class="compared">${compared(cell) ?? (drawn.difference ? STRINGS.views.choosePlace : nothing)}</p>`,
      part(roots.below, 'line'),
    );
  }

  // After the first picture, which hears of the same changes before.
  store.on(['result', 'sequence', 'attention', 'layer', 'head', 'kind', 'view', 'palette', 'theme', 'phone'], update);
  store.on(['over', 'by', 'special', 'unit', 'compare', 'layer2', 'head2', 'other', 'otherProblem'], update);
  store.on(['text2', 'model2', 'folder'], update);
  store.on(['otherBusy'], dim);
  store.on(['query', 'key'], mark);
  store.on(['hover'], ({ hover }, changed) => (hover?.part === 'head' || changed.size > 1 ? update() : mark()));
  new ResizeObserver(() => drawn && update()).observe(roots.second);
  update();
}
