// How the site is built (build/site) and served. Root: this folder.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { chunks } from './build/chunks.js';
import { examplePages } from './build/examples.js';
import { serviceWorker } from './build/service-worker.js';
import { sourcePages } from './build/source-pages.js';
import { standalonePage } from './build/standalone.js';

const web = fileURLToPath(new URL('.', import.meta.url));
const outDir = path.resolve(web, '../build/site');

/** What the page is built to live under; a host that sends it loses nothing. */
export const contentSecurityPolicy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'";

/** The site's own pages. */
function pages() {
  const files = readdirSync(web).filter((file) => file.endsWith('.html'));
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.html'.length), path.join(web, file)]));
}

/** Folders of models that are complete: one that is still in training has no weights yet. */
function completeModels() {
  const models = path.join(web, 'models');
  const needed = ['config.json', 'model.safetensors', 'tokenizer.json'];
  return readdirSync(models).filter((name) => needed.every((file) => existsSync(path.join(models, name, file))));
}

/** Models are fetched by name at run time, so their files go to the site as they are; the page is told which there are. */
function modelFolders() {
  return {
    name: 'model-folders',
    /** @param {string} html */
    transformIndexHtml: (html) =>
      html.replace(/(name="glassformer-models" content=")[^"]*/, `$1${completeModels().join(' ')}`),
    writeBundle() {
      const models = path.join(web, 'models');
      for (const name of completeModels()) {
        for (const file of readdirSync(path.join(models, name)))
          if (/\.(json|safetensors)$/.test(file))
            cpSync(path.join(models, name, file), path.join(outDir, 'models', name, file));
      }
    },
  };
}

export default defineConfig({
  root: web,
  base: './', // any folder of any static host
  appType: 'mpa', // what is not there is a 404, as on a static host, not index.html
  publicDir: false,
  plugins: [modelFolders(), sourcePages(), standalonePage(), examplePages(outDir), serviceWorker(outDir)],
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0, // a data: URL of wasm or an icon would break the policy
    target: 'es2022',
    rolldownOptions: {
      checks: { bundlerTimings: false, pluginTimings: false }, // advice on speed, which depends on the machine
      input: { ...pages(), elements: path.join(web, 'elements/index.js') },
      // Other pages load the elements by name, and may import from them.
      preserveEntrySignatures: 'exports-only',
      output: {
        entryFileNames: ({ name }) => (name === 'elements' ? 'elements.js' : 'assets/[name]-[hash].js'),
        codeSplitting: chunks(
          path.join(web, 'site/main.js'),
          ['elements/index.js', 'site/learn.js', 'site/embed.js'].map((script) => path.join(web, script)),
        ),
      },
    },
  },
  server: { fs: { allow: [path.resolve(web, '..')] } }, // wasm_build/dist and node_modules lie beside web
  preview: { headers: { 'Content-Security-Policy': contentSecurityPolicy } },
});
