// Tables for people, in Markdown so that they can be kept as they are, and the same as JSON for programs.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../wasm_build/scripts/process.js';

/** @typedef {import('./rounds.js').Spread} Spread */
/** @typedef {{ head: string[], rows: string[][] }} Table */
/**
 * What a suite found.
 * @typedef {object} Report
 * @property {string} title
 * @property {Table[]} tables
 * @property {Goal[]} goals
 * @property {string[]} notes
 * @property {unknown} data all that was measured
 *
 * @typedef {object} Goal
 * @property {string} what
 * @property {string} goal
 * @property {string} reached
 * @property {boolean} met
 */

export const folder = path.join(root, 'build/bench');

/** Three figures, which is more than a busy machine gives. @param {number} value */
export const figures = (value) =>
  value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);

/** "1.62 (1.55–1.71)" @param {Spread} spread */
export const spreadText = ({ median, min, max }) => `${figures(median)} (${figures(min)}–${figures(max)})`;

/** @param {number} bytes */
export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} KB`;

/**
 * A ratio against a goal of at least so many times.
 * @param {string} what
 * @param {number} least
 * @param {Spread} reached
 * @returns {Goal}
 */
export const atLeast = (what, least, reached) => ({
  what,
  goal: `≥ ${least}×`,
  reached: `${spreadText(reached)}×`,
  met: reached.median >= least,
});

/**
 * @param {string} what
 * @param {number} most
 * @param {number} reached
 * @param {(value: number) => string} write
 * @returns {Goal}
 */
export const atMost = (what, most, reached, write) => ({
  what,
  goal: `≤ ${write(most)}`,
  reached: write(reached),
  met: reached <= most,
});

/** @param {Table} table @returns {string} */
export function markdown({ head, rows }) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column].length), 3));
  const line = (/** @type {string[]} */ cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** @param {Report} report */
export function print({ title, tables, goals, notes }) {
  console.log(`\n## ${title}\n`);
  for (const table of tables) console.log(`${markdown(table)}\n`);
  if (goals.length > 0) {
    const rows = goals.map(({ what, goal, reached, met }) => [what, goal, reached, met ? 'yes' : 'no']);
    console.log(`${markdown({ head: ['goal', 'at', 'reached', 'met'], rows })}\n`);
  }
  for (const note of notes) console.log(`- ${note}`);
}

/**
 * Writes everything to build/bench: latest.json, and one file a run.
 * @param {{ date: string } & Record<string, unknown>} results
 * @returns {string} the file
 */
export function save(results) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${results.date.replaceAll(':', '-')}.json`);
  const text = JSON.stringify(results, null, 1);
  writeFileSync(file, text);
  writeFileSync(path.join(folder, 'latest.json'), text);
  return file;
}
