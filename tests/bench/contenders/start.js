// From nothing to ready, and the first run beside later ones, of one library alone in its process or page.
import { ENCODER, TINY, randomIds } from '../lib/parameters.js';

/** @typedef {import('./index.js').Contender} Contender */
/** @typedef {import('../lib/parameters.js').Config} Config */
/**
 * Milliseconds. `scripts`: from the beginning of the process or page until its scripts are there; `ready`: from then on until
 * a tiny model has been run; then the encoder's first run and its later ones.
 * @typedef {{ scripts: number, ready: number, first: number, steady: number }} Start
 */

const LATER_RUNS = 12;

/**
 * Weights are made between the tiny model and the first run of the encoder, and count for neither.
 * @param {(job: { config: Config, ids: number[] }) => Promise<Contender>} make records every pattern
 * @returns {Promise<Start>}
 */
export async function measureStart(make) {
  const scripts = performance.now();
  const jobOf = (/** @type {{ config: Config, length: number }} */ { config, length }) => ({
    config,
    ids: randomIds(length, config.vocab_size, 1),
  });
  await (await make(jobOf(TINY))).run();
  const ready = performance.now() - scripts;
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
  return { scripts, ready, first, steady };
}

/** Measures in a page, and leaves the result or the failure in a global. @param {Parameters<typeof measureStart>[0]} make */
export function publishStart(make) {
  measureStart(make).then(
    (started) => Object.assign(globalThis, { started }),
    (error) => Object.assign(globalThis, { failure: String(error) }),
  );
}
