// The pictures' frames in Chromium, drawn without a GPU, against the 16.7 ms that a display gives each.
import { openPage } from '../lib/browser.js';
import { atMost, figures, spreadText } from '../lib/report.js';
import { spread, takeTurns } from '../lib/rounds.js';

const FRAME_MS = 16.7;
const FRAMES_A_TURN = 5; // so that the clock's step of 0.1 ms matters less

/**
 * @param {(page: string) => string} url
 * @param {{ rounds: number, warmUp: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function viewSuite(url, { rounds, warmUp, progress }) {
  const { page, global, close } = await openPage(url('view.html'));
  try {
    const names = /** @type {string[]} */ (await global('names'));
    const turns = names.flatMap((name) =>
      /** @type {const} */ (['full', 'hover']).map((kind) => ({
        id: `${name}: ${kind}`,
        once: async () => ({
          ms: await page.evaluate(([scene, what, count]) => {
            const paint = /** @type {any} */ (globalThis).scenes[scene][what];
            let sum = 0;
            for (let i = 0; i < Number(count); i++) sum += paint();
            return sum / Number(count);
          }, /** @type {const} */ ([name, kind, FRAMES_A_TURN])),
        }),
      })),
    );
    const times = await takeTurns(turns, { rounds, warmUp, progress });
    const msOf = (/** @type {string} */ id) => spread(times.get(id)?.ms ?? []);
    const write = (/** @type {number} */ ms) => `${figures(ms)} ms`;
    return {
      title: 'View: frames in Chromium without a GPU',
      tables: [
        {
          head: ['picture', 'new values, ms', 'pointer moved, ms'],
          rows: names.map((name) => [name, spreadText(msOf(`${name}: full`)), spreadText(msOf(`${name}: hover`))]),
        },
      ],
      goals: turns.map(({ id }) =>
        atMost(id.replace('full', 'new values').replace('hover', 'pointer moved'), FRAME_MS, msOf(id).median, write),
      ),
      notes: [`each figure is the mean of ${FRAMES_A_TURN} frames, a frame ending when its pixels can be read`],
      data: Object.fromEntries(times),
    };
  } finally {
    await close();
  }
}
