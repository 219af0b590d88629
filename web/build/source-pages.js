// The files of the core that exhibits link to, as pages with a place for every line: so that the links work on any host, and without
// a network.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sources from '../elements/exhibits/sources.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'";

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** @param {string} file its path from the project's root */
function page(file) {
  const lines = readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n');
  const up = '../'.repeat(file.split('/').length);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="color-scheme" content="light dark" />
    <title>${file} · glassformer</title>
    <link rel="icon" href="${up}source/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${up}source/source.css" />
  </head>
  <body>
    <h1><a href="${up}learn.html">glassformer</a> ${file}</h1>
    <ol>
${lines.map((line, i) => `      <li id="L${i + 1}"><code>${escaped(line)}</code></li>`).join('\n')}
    </ol>
  </body>
</html>
`;
}

/** What the site has beside its pages, by address. @returns {Record<string, string>} */
function files() {
  const css = readFileSync(path.join(root, 'web/site/css/source.css'), 'utf8');
  const icon = readFileSync(path.join(root, 'web/site/icon.svg'), 'utf8');
  const all = new Set(Object.values(sources).map(({ file }) => file));
  return {
    'source/source.css': css,
    'source/icon.svg': icon,
    ...Object.fromEntries([...all].map((file) => [`source/${file}.html`, page(file)])),
  };
}

/** @returns {import('vite').Plugin} */
export function sourcePages() {
  return {
    name: 'source-pages',
    generateBundle() {
      for (const [fileName, source] of Object.entries(files())) this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const content = files()[(request.url ?? '').slice(1).replace(/[?#].*$/, '')];
        if (content === undefined) return next();
        const type = request.url?.includes('.css')
          ? 'text/css'
          : request.url?.includes('.svg')
            ? 'image/svg+xml'
            : 'text/html';
        response.setHeader('Content-Type', `${type}; charset=utf-8`);
        response.end(content);
      });
    },
  };
}
