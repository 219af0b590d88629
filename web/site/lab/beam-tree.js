// A beam search: its hypotheses in a table, and how they came about as a tree. The hypothesis whose attention is shown is marked all
// the way back.

import { html, svg } from 'lit/html.js';
import { layoutTree, visibleToken, writeNumber } from '../../view/index.js';
import { prose } from '../dom.js';
import { piecesOf, tokenOf } from '../sequences.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../beams.js').Hypotheses} Hypotheses */
/** @typedef {import('../beams.js').Hypothesis} Hypothesis */
/** @typedef {import('../types.js').Result} Result */

/**
 * Draws searches in one place, one after the other.
 * @param {HTMLElement} root holds what is drawn
 * @param {(ids: number[]) => void} choose
 * @returns {{ draw: (hypotheses: Hypotheses, result: Result) => import('lit/html.js').TemplateResult,
 *   follow: (hypotheses: Hypotheses | null) => void }} follow: once it is drawn, the newest step of a search stays in sight
 */
export function createBeams(root, choose) {
  /** Steps that were in sight. */
  let seen = 0;
  return {
    draw: (hypotheses, result) =>
      html`${beamTable(hypotheses, result, choose)} ${beamTree(hypotheses, result, choose)}`,
    follow(hypotheses) {
      const steps = hypotheses?.levels.length ?? 0;
      const tree = root.querySelector('.tree');
      if (tree && steps > seen) tree.scrollLeft = tree.scrollWidth;
      seen = steps;
    },
  };
}

/**
 * @param {Hypotheses} hypotheses
 * @param {Result} result
 * @param {(ids: number[]) => void} choose
 */
function beamTree({ levels, chosen }, { model }, choose) {
  const { width, height, rows, nodes, edges } = layoutTree(levels, {
    chosen,
    label: (ids) => visibleToken(tokenOf(model.tokenizer, ids[ids.length - 1])),
  });
  return html`<p class="says">${prose(STRINGS.beamsSay)}</p>
    <div class="tree" tabindex="0" role="region" aria-label=${STRINGS.treeLabel}>
      <svg width=${width} height=${height} role="img" aria-label=${STRINGS.treeSays(levels.length, rows)}>
        ${edges.map((edge) => svg`<path class=${edge.chosen ? 'chosen' : ''} d=${edge.d}></path>`)}
        ${nodes.map(
          (node) =>
            svg`<text class=${node.chosen ? 'chosen' : ''} x=${node.x} y=${node.y}
              @click=${() => node.level === levels.length - 1 && choose(node.ids)}>${node.text}</text>`,
        )}
      </svg>
    </div>`;
}

/**
 * The hypotheses after the last step, best first, in a table: each can be chosen.
 * @param {Hypotheses} hypotheses
 * @param {Result} result
 * @param {(ids: number[]) => void} choose
 */
function beamTable({ levels, chosen, finished }, { model }, choose) {
  // At the end only the text that was found is left of the last step: those of the step before are there to compare.
  const running = (/** @type {Hypothesis[]} */ level) =>
    level.filter(({ ids }) => !finished || !equal(ids, finished.ids));
  const last = levels.map(running).findLast((level) => level.length > 0) ?? [];
  const same = (/** @type {number[]} */ ids) => equal(ids, chosen);
  const textOf = (/** @type {number[]} */ ids) => piecesOf(model.tokenizer, ids).join('').trim() || '∅';
  const row = (/** @type {number[]} */ ids, /** @type {string} */ score) =>
    html`<tr class=${same(ids) ? 'chosen' : ''}>
      <td>
        <button type="button" class="link" aria-pressed=${same(ids) ? 'true' : 'false'} @click=${() => choose(ids)}>
          <bdi>${textOf(ids)}</bdi>
        </button>
      </td>
      <td class="number">${score}</td>
    </tr>`;
  return html`<p class="says">${prose(STRINGS.hypothesesSay)}</p>
    <table class="beams">
      <thead>
        <tr>
          <th scope="col">${STRINGS.hypothesis}</th>
          <th scope="col">${STRINGS.score}</th>
        </tr>
      </thead>
      <tbody>
        ${finished ? row(finished.ids, writeNumber(finished.score, 2)) : ''}
        ${last.map(({ ids, score }) => row(ids, writeNumber(score, 2)))}
      </tbody>
    </table>`;
}

/** @param {number[]} a @param {number[]} b */
function equal(a, b) {
  return a.length === b.length && a.every((id, i) => b[i] === id);
}
