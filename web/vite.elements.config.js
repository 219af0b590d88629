// How the elements are built for pages without a bundler (web/dist, which the package holds): modules that need nothing but each
// other, with the worker and the wasm as files beside them. All lie in one folder beside models/, where the engine looks for
// models by name.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const web = fileURLToPath(new URL('.', import.meta.url));
const names = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  assetFileNames: '[name]-[hash][extname]',
};

export default defineConfig({
  root: web,
  base: './', // any folder of any host
  publicDir: false,
  worker: { format: 'es', rolldownOptions: { output: { ...names, entryFileNames: '[name]-[hash].js' } } },
  build: {
    outDir: path.join(web, 'dist'),
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0, // a data: URL of wasm would break strict policies
    target: 'es2022',
    license: { fileName: 'LICENSES.md' }, // of the libraries inside
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false, pluginTimings: false }, // advice on speed, which depends on the machine
      input: { elements: path.join(web, 'elements/index.js'), engine: path.join(web, 'engine/index.js') },
      preserveEntrySignatures: 'strict',
      output: names,
    },
  },
});
