// What generation takes of memory, each library alone in a process or page: the most that was resident at once, and where it
// can be seen (in Node) the size of the wasm memory at the end, which never shrinks.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPage } from './browser.js';

/** @typedef {import('../contenders/index.js').Description} Description */
/** Bytes. @typedef {{ resident: number, wasm: number | null }} Memory */

const script = fileURLToPath(new URL('../contenders/memory_node.js', import.meta.url));

/** @param {Description} description @returns {Memory} */
export function memoryInNode(description) {
  const { stdout, stderr } = spawnSync(process.execPath, [script, JSON.stringify(description)], { encoding: 'utf8' });
  const line = stdout.trim().split('\n').pop();
  if (!line) throw new Error(`memory: ${stderr}`);
  return JSON.parse(line);
}

/**
 * Of the page's process, its workers included, as Linux counts it; null elsewhere.
 * @param {string} url of the contenders' page
 * @param {Description} description
 * @returns {Promise<Memory | null>}
 */
export async function memoryInChromium(url, description) {
  if (process.platform !== 'linux') return null;
  const { page, global, close } = await openPage(url);
  try {
    await global('ready');
    await page.evaluate(async (given) => {
      const { contenders } = /** @type {any} */ (globalThis);
      await contenders.once(await contenders.prepare(given));
    }, description);
    const session = await /** @type {import('playwright-core').Browser} */ (
      page.context().browser()
    ).newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const peaks = processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024);
    return { resident: Math.max(...peaks), wasm: null };
  } finally {
    await close();
  }
}
