// How soon a first visit shows something: tokens, then the picture, behind a line of 10 Mbit/s. Every measurement has a browser
// profile of its own.
import { LINE, hostSite, openWindow } from '../lib/site.js';
import { atMost, figures, kilobytes, spreadText } from '../lib/report.js';
import { spread } from '../lib/rounds.js';

/** @typedef {{ tokens: number, picture: number, bytes: number, files: { path: string, bytes: number }[] }} Visit milliseconds since the page was asked for */

/** Runs in the page before it does: notes when the first tokens and the first picture have been drawn. */
function watchSight() {
  /** @type {Record<string, number>} */
  const seen = /** @type {any} */ (globalThis.seen = {});
  const { port1, port2 } = new MessageChannel();
  // Sent in a frame, it arrives when the frame is on its way to the screen.
  port1.onmessage = ({ data }) => {
    for (const what of data) seen[what] ??= performance.now();
  };
  const painted = () => {
    const canvas = /** @type {HTMLCanvasElement | null} */ (document.querySelector('#head canvas.matrix'));
    if (!(/** @type {any} */ (globalThis).glassformer?.run) || !canvas || canvas.width === 0) return false;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    // Its middle is a cell; nothing is painted yet where it is transparent.
    return context.getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data[3] > 0;
  };
  const look = () => {
    const now = [...(document.querySelector('.token') ? ['tokens'] : []), ...(painted() ? ['picture'] : [])];
    if (now.length > 0) port2.postMessage(now);
    if (!now.includes('picture')) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** @param {import('../../browser/host.js').Host} host @returns {Promise<Visit>} */
async function visit(host) {
  const { page, close } = await openWindow({ slow: true });
  try {
    await page.addInitScript(watchSight);
    host.sent.length = 0;
    await page.goto(host.url);
    await page.waitForFunction(() => /** @type {any} */ (globalThis).seen.picture);
    const { seen, origin } = await page.evaluate(() => ({
      seen: /** @type {any} */ (globalThis).seen,
      origin: performance.timeOrigin,
    }));
    // What is fetched for a visit without a network comes later.
    const files = host.sent.filter(({ at }) => at < origin + seen.picture).map(({ path, bytes }) => ({ path, bytes }));
    return { ...seen, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await close();
  }
}

/**
 * @param {{ rounds: number, warmUp: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function sightSuite({ rounds, warmUp, progress }) {
  const host = await hostSite();
  /** @type {Visit[]} */
  const visits = [];
  try {
    for (let round = -warmUp; round < rounds; round++) {
      progress(round < 0 ? 'compressing the page' : `visit ${round + 1} of ${rounds}`);
      const seen = await visit(host);
      if (round >= 0) visits.push(seen);
    }
  } finally {
    await host.stop();
  }
  const of = (/** @type {'tokens' | 'picture' | 'bytes'} */ what) => spread(visits.map((seen) => seen[what]));
  const ms = (/** @type {number} */ value) => `${figures(value)} ms`;
  const { files } = visits[0];
  const sum = (/** @type {RegExp} */ kind) =>
    files.filter(({ path }) => kind.test(path)).reduce((total, { bytes }) => total + bytes, 0);
  /** @type {[string, RegExp][]} */
  const kinds = [
    ['page, styles, icon', /\.(html|css|svg)$/],
    ['scripts of the page', /^(?!.*(glassformer|worker)).*\.js$/],
    ['core, its glue and its worker', /\/(glassformer|worker)[^/]*$/],
    ['model', /^models\//],
  ];
  return {
    title: `First sight: a first visit behind ${LINE.megabits} Mbit/s with a round trip of ${LINE.roundTrip} ms`,
    tables: [
      {
        head: ['what is seen', 'ms'],
        rows: [
          ['first tokens', spreadText(of('tokens'))],
          ['first picture', spreadText(of('picture'))],
        ],
      },
      {
        head: ['fetched until then', 'files', 'brotli'],
        rows: [...kinds, /** @type {[string, RegExp]} */ (['all', /./])].map(([what, kind]) => [
          what,
          String(files.filter(({ path }) => kind.test(path)).length),
          kilobytes(sum(kind)),
        ]),
      },
    ],
    goals: [
      atMost('first tokens', 500, of('tokens').median, ms),
      atMost('first picture', 1500, of('picture').median, ms),
      atMost('fetched until the first picture', 1_000_000, of('bytes').median, kilobytes),
    ],
    notes: [
      'a new browser profile each time; HTTP/1.1, all files in brotli 11; something is seen when the frame that draws it ends',
    ],
    data: visits,
  };
}
