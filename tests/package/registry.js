// A package registry of this machine: what is installed in the checkout, as npm asks for it. An install from the packed tarball
// then goes its usual way, dependencies and all, without the network.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../wasm_build/scripts/process.js';

const call = promisify(execFile);
const MODULES = path.join(root, 'node_modules');

/** @param {string} name @param {string} url what a registry says of a package: here, that there is one version */
function packument(name, url) {
  const manifest = JSON.parse(readFileSync(path.join(MODULES, name, 'package.json'), 'utf8'));
  const { version } = manifest;
  const dist = { tarball: `${url}${encodeURIComponent(name)}.tgz` };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

/** @param {string} name @returns {Promise<Buffer>} its files under one folder, gzipped */
async function tarball(name) {
  const folder = path.join(MODULES, name);
  const args = ['-cz', '--exclude', 'node_modules', '-f', '-', '-C', path.dirname(folder), path.basename(folder)];
  const { stdout } = await call('tar', args, { encoding: 'buffer', maxBuffer: 2 ** 28 });
  return stdout;
}

/** @returns {Promise<{ url: string, close: () => Promise<void> }>} */
export async function startRegistry() {
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    try {
      if (name.endsWith('.tgz')) {
        response.end(await tarball(name.slice(0, -'.tgz'.length)));
      } else {
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(packument(name, url)));
      }
    } catch {
      response.writeHead(404).end('{}'); // not installed here
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
