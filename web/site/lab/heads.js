// Every head of every layer: a grid for each attention that the model has, one canvas each.

import { html, render } from 'lit/html.js';
import { prose } from '../dom.js';
import { gridsOf } from '../grids.js';
import { createHeadGrid } from './head-grid.js';
import { createSorted } from './sorted.js';
import { STRINGS } from '../strings.js';

/**
 * @param {HTMLElement} root
 * @param {import('../store.js').Store} store
 */
export function createHeads(root, store) {
  render(
    html`<h2>${STRINGS.heads}</h2>
      <p class="says"></p>
      <div class="grids"></div>
      <div class="sorted" hidden></div>`,
    root,
  );
  const says = /** @type {HTMLElement} */ (root.querySelector('.says'));
  const place = /** @type {HTMLElement} */ (root.querySelector('.grids'));
  /** @type {{ name: string, element: HTMLElement }[]} */
  let shown = [];

  function update() {
    const { result, phone } = store.state;
    root.hidden = result === null;
    if (!result) return;
    render(prose(phone ? STRINGS.headsSayStrip : STRINGS.headsSay), says);
    const names = gridsOf(result.model).map(({ name }) => name);
    if (names.join() === shown.map(({ name }) => name).join()) return;
    for (const { element } of shown) element.hidden = true;
    shown = names.map((name) => ({ name, element: elementOf(name) }));
    for (const { element } of shown) {
      element.hidden = false;
      place.append(element);
    }
  }

  /** Grids are made once and kept: another model of the kind shows them again. @type {Map<string, HTMLElement>} */
  const made = new Map();
  /** @param {import('../grids.js').GridName} name */
  function elementOf(name) {
    let element = made.get(name);
    if (!element) {
      element = document.createElement('div');
      made.set(name, element);
      place.append(element);
      createHeadGrid(element, store, name);
    }
    return element;
  }

  createSorted(/** @type {HTMLElement} */ (root.querySelector('.sorted')), store);
  store.on(['result', 'phone'], update);
  root.hidden = true;
}
