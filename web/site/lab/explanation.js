// A cell's explanation as templates: dot product, scale, mask and softmax with this cell's numbers, and lists of a row's and
// a column's weights.

import { html, nothing } from 'lit/html.js';
import { roundToSum, writeNumber, writeUnits } from '../../view/index.js';
import { bars, prose, share } from '../dom.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../../view/explain.js').Explanation} Explanation */
/** @typedef {import('../origin-terms.js').Origin} Origin */

/** Weights in a list; all others in one line. */
const SHOWN = 6;

/** A token in its role. @param {'query' | 'key'} role @param {string} token */
export function chip(role, token) {
  return html`<span class="chip ${role}"><bdi>${token}</bdi> <small>${STRINGS.roles[role]}</small></span>`;
}

/**
 * @param {Explanation} parts
 * @param {import('../origin-cells.js').CellOrigins} numbers
 * @param {{ query: string, key: string }} tokens
 * @param {(origin: Origin) => void} open
 */
export function steps(parts, numbers, { query, key }, open) {
  const { bias, mask, scale } = parts;
  const products = parts.products.map(({ value }) => value);
  const number = (/** @type {Origin} */ origin, /** @type {string} */ text) => {
    const label = STRINGS.openNumber(origin.label, text);
    return html`<button type="button" class="number" aria-label=${label} @click=${() => open(origin)}>${text}</button>`;
  };
  const step = (/** @type {string} */ name, /** @type {unknown} */ says, /** @type {unknown} */ value) =>
    html`<li>
      <span class="name">${name}</span>
      <div class="body">${says}</div>
      ${value}
    </li>`;
  const added = () => (mask?.value === 0 ? '+ 0' : `+ ${mask?.shown}`);
  return html`<ol class="steps">
    ${step(
      STRINGS.dot,
      html`${bars(products, { label: STRINGS.productsOf(query, key, products.length) })}
      ${prose(STRINGS.dotSays(scale.width))}`,
      number(numbers.dot, parts.dot.shown),
    )}
    ${
      scale.divisor === 1
        ? nothing
        : step(
            scale.divisor === Math.sqrt(scale.width)
              ? STRINGS.scaleStep(scale.width)
              : STRINGS.scaleByStep(scale.shown),
            STRINGS.scaleSays(parts.dot.shown, scale.shown, parts.scaled.shown),
            number(numbers.scaled, parts.scaled.shown),
          )
    }
    ${
      bias && numbers.bias ? step(STRINGS.biasStep, STRINGS.biasSays, number(numbers.bias, `+ ${bias.shown}`)) : nothing
    }
    ${mask === null ? nothing : step(STRINGS.maskStep, STRINGS.maskSays, html`<span class="plain">${added()}</span>`)}
    ${step(
      STRINGS.softmaxStep,
      html`${prose(STRINGS.softmaxTerm)} ${mask?.masked ? STRINGS.softmaxMasked : STRINGS.softmaxSays(parts)}`,
      number(numbers.weight, parts.weight.shown),
    )}
  </ol>`;
}

/**
 * A row's largest weights; what is shown adds up to 1.00.
 * @param {{ query: string, keys: string[] }} names
 * @param {Float32Array} row
 * @param {number | null} key the chosen one
 * @param {(key: number) => void} choose
 */
export function rowList({ query, keys: tokens }, row, key, choose) {
  const units = roundToSum(row, 2);
  const order = Array.from(row.keys()).sort((a, b) => row[b] - row[a] || a - b);
  const first = order.slice(0, SHOWN);
  if (key !== null && !first.includes(key)) first[first.length - 1] = key;
  const others = order.filter((other) => !first.includes(other));
  const rest = others.reduce((sum, other) => sum + units[other], 0);
  const total = units.reduce((sum, value) => sum + value, 0);
  // A row without a key on show is the panel's title already.
  return html`${key === null ? nothing : html`<h3>${STRINGS.rowTitle(query)}</h3>`}
    <ul class="answers row">
      ${first.map((other) => line(tokens[other], row[other], writeUnits(units[other], 2), other === key, () => choose(other)))}
      ${
        others.length === 0
          ? nothing
          : html`<li class="others">
              <span class="name"><i>${STRINGS.otherKeys(others.length)}</i></span>
              ${share(rest / 100)}<span class="number">${writeUnits(rest, 2)}</span>
            </li>`
      }
      <li class="total">
        <span class="name">${STRINGS.together}</span><span></span><span class="number">${writeUnits(total, 2)}</span>
      </li>
    </ul>`;
}

/**
 * The queries that look most at a key.
 * @param {string[]} tokens
 * @param {import('../../view/types.js').Matrix} weights
 * @param {number} key
 * @param {(query: number) => void} choose
 */
export function columnList(tokens, weights, key, choose) {
  const column = Array.from({ length: weights.rows }, (_, query) => weights.data[query * weights.columns + key]);
  const order = Array.from(column.keys()).sort((a, b) => column[b] - column[a] || a - b);
  const lines = order
    .slice(0, SHOWN + 2)
    .map((query) => line(tokens[query], column[query], writeNumber(column[query], 2), false, () => choose(query)));
  return html`<ul class="answers column">
    ${lines}
  </ul>`;
}

/** @param {string} token @param {number} weight @param {string} text @param {boolean} chosen @param {() => void} choose */
function line(token, weight, text, chosen, choose) {
  return html`<li class=${chosen ? 'chosen' : ''}>
    <button type="button" class="link name" @click=${choose}><bdi>${token}</bdi></button>
    ${share(weight)}<span class="number">${text}</span>
  </li>`;
}
