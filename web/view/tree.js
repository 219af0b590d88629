// The layout of a beam search: a column for each token written, the best hypothesis of each step on top, a line from each to the one
// that it goes on from.

/** @typedef {{ ids: number[], parent: number }} Branch a text so far, and its place among those of the step before */
/** @typedef {{ x: number, y: number, text: string, ids: number[], chosen: boolean, level: number, row: number }} TreeNode */
/** @typedef {{ d: string, chosen: boolean }} TreeEdge d: an SVG path */

/** CSS pixels: a row, the room around a token, and of a character of the monospaced font at 13 px. */
const ROW = 22;
const GAP = 36;
const CHARACTER = 7.9;
const LONGEST = 12;

/**
 * @param {Branch[][]} levels by steps
 * @param {object} options
 * @param {number[]} options.chosen the text that is marked all the way back
 * @param {(ids: number[]) => string} options.label what a branch's last token is called
 * @returns {{ width: number, height: number, rows: number, nodes: TreeNode[], edges: TreeEdge[] }} in CSS pixels; nodes at their text's baseline
 */
export function layoutTree(levels, { chosen, label }) {
  const text = (/** @type {Branch} */ { ids }) => {
    const token = label(ids);
    return token.length > LONGEST ? `${token.slice(0, LONGEST - 1)}…` : token;
  };
  const widths = levels.map((level) => Math.max(...level.map((one) => text(one).length), 1) * CHARACTER);
  const lefts = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width + GAP, 2));
  const rows = Math.max(1, ...levels.map((level) => level.length));
  const y = (/** @type {number} */ row) => row * ROW + ROW / 2;
  const onPath = (/** @type {number[]} */ ids) => ids.every((id, i) => chosen[i] === id);
  const edges = levels.slice(1).flatMap((level, before) =>
    level.map(({ ids, parent }, row) => {
      const from = lefts[before] + widths[before] + 4;
      const to = lefts[before + 1] - 4;
      const third = (to - from) / 3;
      const d = `M${from} ${y(parent)}C${from + third} ${y(parent)} ${to - third} ${y(row)} ${to} ${y(row)}`;
      return { d, chosen: onPath(ids) };
    }),
  );
  const nodes = levels.flatMap((level, l) =>
    level.map((one, row) => ({
      x: lefts[l],
      y: y(row) + 4.5,
      text: text(one),
      ids: one.ids,
      chosen: onPath(one.ids),
      level: l,
      row,
    })),
  );
  const last = lefts.length - 1;
  return { width: (lefts[last] ?? 0) + (widths[last] ?? 0) + 4, height: rows * ROW, rows, nodes, edges };
}
