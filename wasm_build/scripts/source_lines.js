// The lines of the core that exhibits link to: web/elements/exhibits/sources.js says in which file a function is, and its line is
// written here.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './process.js';

const TABLE = path.join(root, 'web/elements/exhibits/sources.js');
const ENTRY = /file: '([^']+)', line: (\d+), symbol: '([^']+)'/g;

/**
 * The lines, from 1, where a function's definition begins; overloads have several.
 * @param {string} text of a C++ file
 * @param {string} symbol "Generator::step"
 */
export function definitions(text, symbol) {
  const begins = new RegExp(`^[A-Za-z].*\\b${symbol}\\(`);
  return text.split('\n').flatMap((line, i) => (begins.test(line) && !line.endsWith(';') ? [i + 1] : []));
}

/**
 * The table with every line as it is now: that of the definition nearest to where it was.
 * @param {string} table
 * @param {(file: string) => string} read
 */
export function withLines(table, read) {
  return table.replace(ENTRY, (entry, file, line, symbol) => {
    const found = definitions(read(file), symbol);
    if (found.length === 0) throw new Error(`${file} has no function ${symbol}, which sources.js names`);
    const near = found.reduce((best, at) => (Math.abs(at - line) < Math.abs(best - line) ? at : best));
    return entry.replace(`line: ${line}`, `line: ${near}`);
  });
}

/** @param {{ write: boolean }} options @returns {Promise<number>} 0, or 1 where lines are wrong and are not to be written */
export async function checkSourceLines({ write }) {
  const table = readFileSync(TABLE, 'utf8');
  const right = withLines(table, (file) => readFileSync(path.join(root, file), 'utf8'));
  if (right === table) return 0;
  if (!write) {
    console.error('web/elements/exhibits/sources.js: lines of the core have moved; npm run format writes them');
    return 1;
  }
  writeFileSync(TABLE, right);
  return 0;
}
