// From nothing to ready, and the first run beside later ones, of one library alone in its process or page.
import { ENCODER, TINY, randomIds } from '../lib/parameters.js';

/** @typedef {import('./index.js').Contender} Contender */
/** @typedef {import('../lib/parameters.js').Config} Config */
/** @typedef {{ ready: number, first: number, steady: number }} Start milliseconds; ready: since the process or page began */

const LATER_RUNS = 12;

/**
 * Ready means that a tiny model has been run; the first run is the encoder's, whose weights are in place by then.
 * @param {(job: { config: Config, ids: number[] }) => Promise<Contender>} make records every pattern
 * @returns {Promise<Start>}
 */
export async function measureStart(make) {
  const jobOf = (/** @type {typeof TINY} */ { config, length }) => ({ config, ids: randomIds(length, config.vocab_size, 1) });
  await (await make(jobOf(TINY))).run();
  const ready = performance.now();
  const contender = await make(jobOf(ENCODER));
  const timed = async () => {
    const start = performance.now();
    await contender.run();
    return performance.now() - start;
  };
  const first = await timed();
  const later = [];
  for (let i = 0; i < LATER_RUNS; i++) later.push(await timed());
  // The second half: engines may still be compiling in the first.
  const steady = later.slice(LATER_RUNS / 2).sort((a, b) => a - b)[LATER_RUNS / 4];
  return { ready, first, steady };
}
