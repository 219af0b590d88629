// Styles that depend on numbers, set property by property: a style attribute would be refused by a strict policy.

import { Directive, directive, PartType } from 'lit/directive.js';
import { noChange } from 'lit';

class Css extends Directive {
  /** @type {Set<string>} */
  #before = new Set();

  /** @param {import('lit/directive.js').PartInfo} part */
  constructor(part) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('css() stands in an element: <td ${css({ … })}>');
  }

  /** @type {(properties: Record<string, string>) => unknown} */
  render = () => noChange;

  /** @param {import('lit/directive.js').ElementPart} part @param {[Record<string, string>]} given */
  update(part, [properties]) {
    const { style } = /** @type {HTMLElement} */ (part.element);
    for (const name of this.#before) if (!(name in properties)) style.removeProperty(name);
    for (const [name, value] of Object.entries(properties)) style.setProperty(name, value);
    this.#before = new Set(Object.keys(properties));
    return noChange;
  }
}

/** `<td ${css({ background: 'red' })}>`: what is left out later is taken away. */
export const css = directive(Css);
