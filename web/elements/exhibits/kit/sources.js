// Links to the lines of the core that compute what an exhibit shows.

import { html } from 'lit';
import sources from '../sources.js';

/** Where the project's files can be read. */
const REPOSITORY = 'https://github.com/glassformer/glassformer/blob/main/';

/** @param {string[]} names in sources.js */
export function sourceLinks(names) {
  return names.map((name) => {
    const { file, line, symbol } = sources[name];
    return html`<a href="${REPOSITORY}${file}#L${line}" rel="noopener">${symbol}, ${file}:${line}</a>`;
  });
}
