// A beam search as a tree: a column for each token written, the best hypothesis of each step on top, a line from each to the one
// that it goes on from. The hypothesis whose attention is shown is marked all the way back.

import { html, svg } from 'lit/html.js';
import { visibleToken, writeNumber } from '../../view/index.js';
import { prose } from '../dom.js';
import { piecesOf, tokenOf } from '../sequences.js';
import { STRINGS } from '../strings.js';

/** @typedef {import('../beams.js').Hypotheses} Hypotheses */
/** @typedef {import('../beams.js').Hypothesis} Hypothesis */
/** @typedef {import('../types.js').Result} Result */

/** CSS pixels: a row, the room around a token, and of a character of the monospaced font at 13 px. */
const ROW = 22;
const GAP = 36;
const CHARACTER = 7.9;
const LONGEST = 12;

/**
 * @param {Hypotheses} hypotheses
 * @param {Result} result
 * @param {(ids: number[]) => void} choose
 */
export function beamTree({ levels, chosen }, { model }, choose) {
  const kept = levels.map((level) => level.map((one, row) => ({ ...one, row })));
  const label = (/** @type {Hypothesis} */ { ids }) => {
    const token = visibleToken(tokenOf(model.tokenizer, ids[ids.length - 1]));
    return token.length > LONGEST ? `${token.slice(0, LONGEST - 1)}…` : token;
  };
  const widths = kept.map((level) => Math.max(...level.map((one) => label(one).length), 1) * CHARACTER);
  const lefts = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width + GAP, 2));
  const rows = Math.max(1, ...levels.map((level) => level.length));
  const width = (lefts[lefts.length - 1] ?? 0) + (widths[widths.length - 1] ?? 0) + 4;
  const y = (/** @type {number} */ row) => row * ROW + ROW / 2;
  const onPath = (/** @type {number[]} */ ids) => ids.every((id, i) => chosen[i] === id);
  const edges = kept.flatMap((level, l) =>
    level.flatMap(({ ids, parent, row }) => {
      if (l === 0) return [];
      const from = lefts[l - 1] + widths[l - 1] + 4;
      const to = lefts[l] - 4;
      const third = (to - from) / 3;
      const d = `M${from} ${y(parent)}C${from + third} ${y(parent)} ${to - third} ${y(row)} ${to} ${y(row)}`;
      return [svg`<path class=${onPath(ids) ? 'chosen' : ''} d=${d}></path>`];
    }),
  );
  const nodes = kept.flatMap((level, l) =>
    level.map(
      (one) =>
        svg`<text class=${onPath(one.ids) ? 'chosen' : ''} x=${lefts[l]} y=${y(one.row) + 4.5}
          @click=${() => l === levels.length - 1 && choose(one.ids)}>${label(one)}</text>`,
    ),
  );
  return html`<p class="says">${prose(STRINGS.beamsSay)}</p>
    <div class="tree" tabindex="0" role="region" aria-label=${STRINGS.treeLabel}>
      <svg width=${width} height=${rows * ROW} role="img" aria-label=${STRINGS.treeSays(levels.length, rows)}>
        ${edges}${nodes}
      </svg>
    </div>`;
}

/**
 * The hypotheses after the last step, best first, in a table: each can be chosen.
 * @param {Hypotheses} hypotheses
 * @param {Result} result
 * @param {(ids: number[]) => void} choose
 */
export function beamTable({ levels, chosen, finished }, { model }, choose) {
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
          ${textOf(ids)}
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
