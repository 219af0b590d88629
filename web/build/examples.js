// The example pages (web/examples) on the site. They are meant to be copied, so they go there as they are written, but for the address
// of the elements, which the package has in another place.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const PACKAGED = '../dist/elements.js';

/**
 * @param {string} folder of the built site
 * @returns {import('vite').Plugin}
 */
export function examplePages(folder) {
  return {
    name: 'example-pages',
    writeBundle() {
      const there = path.join(folder, 'examples');
      cpSync(examples, there, { recursive: true, filter: (file) => !file.endsWith('.md') });
      for (const page of readdirSync(there).filter((file) => file.endsWith('.html'))) {
        const text = readFileSync(path.join(there, page), 'utf8');
        writeFileSync(path.join(there, page), text.replace(PACKAGED, '../elements.js'));
      }
    },
    // A development server has the sources.
    transformIndexHtml: (html) => html.replace(PACKAGED, '../elements/index.js'),
  };
}
