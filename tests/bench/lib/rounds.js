// Taking turns: A B C, A B C, … so that whatever else the machine does falls on all alike, and a ratio of two is one of
// neighbours in time.

/**
 * Milliseconds of one pass.
 * @typedef {object} Pass
 * @property {number} ms wall time
 * @property {number} [processor] the time that the process had a processor, where it can be known: other programs disturb
 *   it less
 * @property {number} [inCore] wall time within our core
 * @property {Record<string, number>} [parts] of the pass, by name
 *
 * One who takes turns, wherever it runs.
 * @typedef {object} Turn
 * @property {string} id
 * @property {() => Promise<Pass>} once
 *
 * @typedef {object} Times of one contender, round by round, warm-up rounds left out
 * @property {number[]} ms
 * @property {number[]} processor empty where it is not known
 * @property {number[]} inCore
 * @property {Record<string, number[]>} parts
 *
 * @typedef {{ median: number, min: number, max: number }} Spread
 */

/**
 * @param {Turn[]} turns
 * @param {{ rounds: number, warmUp: number, settle?: boolean, progress?: (text: string) => void }} options
 *   settle: a turn is two passes, of which the second counts: the first meets the caches and the garbage of the one before
 * @returns {Promise<Map<string, Times>>}
 */
export async function takeTurns(turns, { rounds, warmUp, settle = false, progress = () => {} }) {
  /** @type {Map<string, Times>} */
  const times = new Map(turns.map(({ id }) => [id, { ms: [], processor: [], inCore: [], parts: {} }]));
  for (let round = -warmUp; round < rounds; round++) {
    progress(round < 0 ? `warm-up ${warmUp + round + 1} of ${warmUp}` : `round ${round + 1} of ${rounds}`);
    for (const { id, once } of turns) {
      if (settle) await once();
      const { ms, processor, inCore, parts = {} } = await once();
      if (round < 0) continue;
      times.get(id)?.ms.push(ms);
      if (processor !== undefined) times.get(id)?.processor.push(processor);
      if (inCore !== undefined) times.get(id)?.inCore.push(inCore);
      const known = /** @type {Times} */ (times.get(id)).parts;
      for (const [part, value] of Object.entries(parts)) (known[part] ??= []).push(value);
    }
  }
  return times;
}

/** @param {number[]} values at least one @returns {Spread} */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted[sorted.length - 1] };
}

/**
 * How many times as long `slow` took as `fast`, round by round.
 * @param {number[]} slow
 * @param {number[]} fast
 * @returns {Spread}
 */
export const ratios = (slow, fast) => spread(slow.map((ms, round) => ms / fast[round]));
