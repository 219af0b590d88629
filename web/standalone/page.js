// What the viewer's page is made of: its controls, tokens and canvases, in their places.

import { createChoice, createSelect, createTokens, make } from './parts.js';
import { filled } from './words.js';

/**
 * @typedef {object} Callbacks what a reader chooses
 * @property {(index: number) => void} grid
 * @property {(layer: number) => void} layer
 * @property {(head: number) => void} head
 * @property {(kind: string) => void} kind
 * @property {(view: string) => void} view
 * @property {(theme: string) => void} theme
 * @property {(token: number | null) => void} hoverQuery
 * @property {(token: number | null) => void} hoverKey
 * @property {(token: number) => void} query
 * @property {(token: number) => void} key
 * @property {(event: KeyboardEvent) => void} moveHead
 * @property {(event: KeyboardEvent) => void} moveCell
 * @property {(factor: number) => void} zoom
 * @property {() => void} fit
 */

export const ZOOM = 1.4;

/**
 * @param {HTMLElement} root
 * @param {import('./data.js').PageData} data
 * @param {import('./words.js').Words} words
 * @param {Callbacks} on
 */
export function createPage(root, { model, texts, changes, grids }, words, on) {
  const several = (/** @type {(keyof import('./words.js').Words)[]} */ ...names) =>
    names.map((value) => ({ value: String(value), text: String(words[value]) }));
  const attention = createSelect(words.attention, (value) => on.grid(Number(value)));
  const layer = createSelect(words.layer, (value) => on.layer(Number(value)));
  const head = createSelect(words.head, (value) => on.head(Number(value)));
  const kinds = createChoice('kind', words.kind, several('weights', 'scores'), on.kind);
  const views = createChoice('view', words.view, several('matrix', 'arcs'), on.view);
  const themes = createChoice('theme', words.theme, several('auto', 'light', 'dark'), on.theme);
  const queries = createTokens(words.queries, { hover: on.hoverQuery, choose: on.query });
  const keys = createTokens(words.keys, { hover: on.hoverKey, choose: on.key });

  const canvasOf = (/** @type {string} */ name, /** @type {(event: KeyboardEvent) => void} */ onkeydown) =>
    /** @type {HTMLCanvasElement} */ (
      make('canvas', { class: name, tabIndex: 0, role: 'application', 'aria-describedby': 'now', onkeydown })
    );
  const canvases = {
    heads: canvasOf('heads', on.moveHead),
    matrix: canvasOf('matrix', on.moveCell),
    arcs: canvasOf('arcs', on.moveCell),
  };
  canvases.heads.setAttribute('aria-label', words.headsSay);
  const frames = {
    heads: make('div', { class: 'frame' }, canvases.heads),
    picture: make('div', { class: 'frame' }, canvases.matrix, canvases.arcs),
  };
  const now = make('p', { id: 'now', 'aria-live': 'polite' });
  const link = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
    make('button', { type: 'button', class: 'link', onclick }, text);
  const zoom = make(
    'p',
    { class: 'zoom' },
    link(words.zoomIn, () => on.zoom(ZOOM)),
    link(words.zoomOut, () => on.zoom(1 / ZOOM)),
    link(words.fit, on.fit),
  );
  const half = grids.some(({ weights, scores }) => weights.half || scores?.half);
  root.replaceChildren(
    make('header', {}, make('h1', {}, filled(words.title, { model })), themes.element),
    ...texts.map((text) => make('p', { class: 'text', dir: 'auto' }, text)),
    make('p', { class: 'says' }, filled(words.says, { model }), half ? ` ${words.half}` : ''),
    ...(changes === '' ? [] : [make('p', { class: 'changes' }, changes)]),
    make('section', { class: 'sides', 'aria-label': words.tokens }, queries.element, keys.element),
    make('section', { class: 'all', 'aria-label': words.heads }, make('h2', {}, words.heads), frames.heads),
    make(
      'section',
      { class: 'one', 'aria-label': words.head },
      make(
        'div',
        { class: 'controls' },
        attention.element,
        make('label', {}, `${words.layer} `, layer.element),
        make('label', {}, `${words.head} `, head.element),
        kinds.element,
        views.element,
      ),
      now,
      frames.picture,
      zoom,
    ),
  );
  themes.show('auto');
  return { attention, layer, head, kinds, views, themes, queries, keys, canvases, frames, now, zoom };
}
