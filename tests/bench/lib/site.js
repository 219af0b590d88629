// The built site on a static host that sends everything in brotli, and Chromium that sees it through a line of 10 Mbit/s with a
// round trip of 40 ms.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { chromium } from 'playwright-core';
import { chromiumOptions, findChromium } from '../../../wasm_build/scripts/chromium.js';
import { root, Stop } from '../../../wasm_build/scripts/process.js';
import { startHost } from '../../browser/host.js';
import { folder } from './report.js';

/** @typedef {import('playwright-core').Page} Page */

export const LINE = /** @type {const} */ ({ megabits: 10, roundTrip: 40 });

const brotli = promisify(brotliCompress);
const site = path.join(root, 'build/site');

/** At its smallest, as a host compresses once and for all; kept by content. @param {Buffer} bytes @returns {Promise<Buffer>} */
async function compressed(bytes) {
  const file = path.join(folder, 'brotli', createHash('sha256').update(bytes).digest('hex'));
  if (existsSync(file)) return readFileSync(file);
  const small = await brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, small);
  return small;
}

/** @returns {Promise<import('../../browser/host.js').Host>} */
export async function hostSite() {
  if (!existsSync(path.join(site, 'index.html'))) throw new Stop('build/site is missing; npm run bench makes it');
  return startHost(site, { compress: compressed });
}

/**
 * A window in a browser of its own, so that nothing is cached.
 * @param {{ slow?: boolean, pixelRatio?: number }} [options] slow: behind the line
 */
export async function openWindow({ slow = false, pixelRatio = 1 } = {}) {
  if (!findChromium()) throw new Stop('bench: no Chromium found; set CHROMIUM to its path');
  const browser = await chromium.launch(chromiumOptions());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: pixelRatio });
  page.setDefaultTimeout(300_000); // a busy machine
  if (slow) {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const throughput = (LINE.megabits * 1e6) / 8;
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: LINE.roundTrip, downloadThroughput: throughput, uploadThroughput: throughput },
    });
  }
  return { page, close: () => browser.close() };
}
