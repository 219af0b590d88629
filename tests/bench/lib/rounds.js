// Taking turns: A B C, A B C, … so that whatever else the machine does falls on all alike, and a ratio of two is one of
// neighbours in time.

/**
 * One who takes turns, wherever it runs.
 * @typedef {object} Turn
 * @property {string} id
 * @property {() => Promise<{ ms: number, inCore?: number }>} once
 *
 * @typedef {object} Times of one contender, round by round, warm-up rounds left out
 * @property {number[]} ms
 * @property {number[]} inCore where the contender tells its time in the core apart
 *
 * @typedef {{ median: number, min: number, max: number }} Spread
 */

/**
 * @param {Turn[]} turns
 * @param {{ rounds: number, warmUp: number, progress?: (text: string) => void }} options
 * @returns {Promise<Map<string, Times>>}
 */
export async function takeTurns(turns, { rounds, warmUp, progress = () => {} }) {
  /** @type {Map<string, Times>} */
  const times = new Map(turns.map(({ id }) => [id, { ms: [], inCore: [] }]));
  for (let round = -warmUp; round < rounds; round++) {
    progress(round < 0 ? `warm-up ${warmUp + round + 1} of ${warmUp}` : `round ${round + 1} of ${rounds}`);
    for (const { id, once } of turns) {
      const { ms, inCore } = await once();
      if (round < 0) continue;
      times.get(id)?.ms.push(ms);
      if (inCore !== undefined) times.get(id)?.inCore.push(inCore);
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
