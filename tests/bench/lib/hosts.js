// Where contenders run: in this process, in a page, or in Python. All look the same from here.
import { readFile } from 'node:fs/promises';
import { openPage } from './browser.js';
import { gpt2Folder } from './gpt2_files.js';

/** @typedef {import('../contenders/index.js').Description} Description */
/**
 * @typedef {object} Host
 * @property {string} name
 * @property {(description: Description) => Promise<number>} prepare
 * @property {(index: number) => Promise<import('./rounds.js').Pass>} once
 * @property {(index: number, other: number) => Promise<Record<string, number>>} differences
 * @property {(index: number) => Promise<Record<string, number[]>>} results
 * @property {() => Promise<boolean>} relaxed whether the core's second binary runs here
 * @property {() => Promise<void>} close
 */

/** @returns {Promise<Host>} */
export async function nodeHost() {
  const { createContenders, hasRelaxedCore } = await import('../contenders/index.js');
  const contenders = createContenders({ gpt2Folder, read: readFile });
  return {
    name: 'Node',
    prepare: contenders.prepare,
    once: contenders.once,
    differences: async (index, other) => contenders.differences(index, other),
    results: async (index) => contenders.results(index),
    relaxed: hasRelaxedCore,
    close: async () => contenders.dispose(),
  };
}

/** @param {(page: string) => string} url @returns {Promise<Host>} */
export async function chromiumHost(url) {
  const { page, global, close } = await openPage(url('contenders.html'));
  await global('ready');
  /** Calls a function of the page's contenders. @param {string} name @param {unknown[]} args @returns {Promise<any>} */
  const call = (name, ...args) =>
    page.evaluate(
      ([known, given]) => /** @type {any} */ (globalThis).contenders[known](...given),
      /** @type {const} */ ([name, args]),
    );
  // All threads of the page's process together: ours works in a worker.
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const processorMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'ProcessTime')?.value ?? NaN);
  };
  return {
    name: 'Chromium',
    prepare: (description) => call('prepare', description),
    async once(index) {
      const before = await processorMs();
      const pass = await call('once', index);
      return { ...pass, processor: (await processorMs()) - before };
    },
    differences: (index, other) => call('differences', index, other),
    results: (index) => call('results', index),
    relaxed: () => call('hasRelaxedCore'),
    close,
  };
}
