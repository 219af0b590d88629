// Where the core computes what an exhibit shows: links to the lines, or their places in words where the files are not at hand.

import { html } from 'lit';
import sources from '../sources.js';

/**
 * @param {string[]} names in sources.js
 * @param {string} base address of the folder that holds the files as pages; empty: none does
 */
export function sourceLinks(names, base) {
  return names.map((name) => {
    const { file, line, symbol } = sources[name];
    const words = `${symbol}, ${file}:${line}`;
    return base ? html`<a href="${base}${file}.html#L${line}">${words}</a>` : html`<span>${words}</span>`;
  });
}
