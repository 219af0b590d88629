// Makes the template of exported pages: one HTML file with the viewer (web/standalone) and its styles inside and a place for the data. It goes to the
// site, where the lab fetches it, and beside the Python snippet that fills it with other programs' attention.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const web = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(web, 'standalone');
const NAME = 'standalone.html';
/** What is put in the place of this text is the data (site/export/page.js, elements/python/glassformer_html.py). */
const SLOT = '"glassformer data"';

/** The viewer as one script. @returns {Promise<string>} */
async function scriptText() {
  const result = await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: path.join(folder, 'viewer.js'), formats: ['iife'], name: 'glassformerViewer', fileName: 'viewer' },
    },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (
    Array.isArray(result) ? result : [result]
  );
  const [chunk] = output;
  if (output.length !== 1 || chunk.type !== 'chunk') throw new Error('standalone: expected the viewer as one script');
  return chunk.code.trim();
}

/** @param {string} text what stands between an element's tags */
function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** @returns {Promise<string>} */
export async function standaloneTemplate() {
  const script = await scriptText();
  const styles = [path.join(web, 'site/css/base.css'), path.join(folder, 'viewer.css')];
  const style = styles.map((file) => readFileSync(file, 'utf8')).join('\n');
  // Neither may end its element early, or begin what looks like another.
  if (/<\/script|<script|<!--/i.test(script) || /<\/style|<!--/i.test(style)) {
    throw new Error('standalone: the script or the style would end its element');
  }
  if (script.includes(SLOT)) throw new Error('standalone: the script holds the slot of the data');
  // The page may do nothing but run this script with this style: no network, whatever the data says.
  const policy =
    `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; ` +
    "base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="glassformer">
<title>attention</title>
<style>${style}</style>
</head>
<body>
<main><p>This page draws with JavaScript.</p></main>
<script id="data" type="application/json">${SLOT}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** @returns {import('vite').Plugin} */
export function standalonePage() {
  return {
    name: 'standalone-page',
    async generateBundle() {
      const source = await standaloneTemplate();
      this.emitFile({ type: 'asset', fileName: NAME, source });
      const python = path.join(web, 'elements/python');
      mkdirSync(python, { recursive: true });
      writeFileSync(path.join(python, NAME), source);
    },
    configureServer(server) {
      server.middlewares.use(`/${NAME}`, (_, response) => {
        standaloneTemplate().then(
          (text) => response.setHeader('Content-Type', 'text/html').end(text),
          (error) => response.writeHead(500).end(String(error)),
        );
      });
    },
  };
}
