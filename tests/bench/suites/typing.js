// Whether the page's own thread ever stops for long while a reader types: a sentence for a classifier, and a paragraph that a
// decoder goes on from.
import { hostSite, openWindow } from '../lib/site.js';
import { atMost, figures, spreadText } from '../lib/report.js';
import { spread } from '../lib/rounds.js';

/** What the browser calls a long task, milliseconds. */
const LONG = 50;
/** Between two keys, milliseconds: faster than most people type, slow enough that runs begin in between. */
const KEYS = 90;

const CASES = /** @type {const} */ ([
  {
    name: 'a sentence, topics',
    hash: '#model=topics',
    begin: '',
    text: 'a small bird with a long tail that sings at night',
  },
  {
    name: 'after 60 words, austen',
    hash: '#model=austen',
    begin: 'She had been to see her sister every day since they came to the house, '.repeat(4),
    text: 'and she had not been happy there',
  },
]);

/** Notes every long task. Runs in the page before it does. */
function watchTasks() {
  /** @type {number[]} */
  const tasks = /** @type {any} */ (globalThis.tasks = []);
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
}

/**
 * @param {import('../../browser/host.js').Host} host
 * @param {typeof CASES[number]} what
 * @returns {Promise<number[]>} long tasks while typing, milliseconds each
 */
async function typed(host, { hash, begin, text }) {
  const { page, close } = await openWindow();
  try {
    await page.addInitScript(watchTasks);
    await page.goto(host.url + hash);
    const still = () =>
      page.waitForFunction(
        () => /** @type {any} */ (globalThis).glassformer?.run && !document.querySelector('.busy, .loading'),
      );
    await still();
    const field = page.locator('textarea').first();
    await field.fill(begin);
    // Whatever the beginning costs is over when its run is on screen and what is fetched later has been.
    await page.waitForLoadState('networkidle');
    await still();
    await page.evaluate(() => {
      /** @type {any} */ (globalThis).tasks.length = 0;
    });
    await field.pressSequentially(text, { delay: KEYS });
    await page.waitForTimeout(500);
    await still();
    return await page.evaluate(() => /** @type {any} */ (globalThis).tasks);
  } finally {
    await close();
  }
}

/**
 * @param {{ rounds: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function typingSuite({ rounds, progress }) {
  const host = await hostSite();
  /** @type {Record<string, number[][]>} */
  const found = {};
  try {
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1} of ${rounds}`);
      for (const what of CASES) (found[what.name] ??= []).push(await typed(host, what));
    }
  } finally {
    await host.stop();
  }
  const longest = (/** @type {string} */ name) => spread(found[name].map((tasks) => Math.max(0, ...tasks)));
  const ms = (/** @type {number} */ value) => (value === 0 ? `none over ${LONG} ms` : `${figures(value)} ms`);
  return {
    title: 'Typing: long tasks of the page’s thread',
    tables: [
      {
        head: ['what is typed', 'tasks over 50 ms', 'the longest, ms'],
        rows: CASES.map(({ name }) => [
          name,
          spreadText(spread(found[name].map((tasks) => tasks.length))),
          longest(name).max === 0 ? 'none' : spreadText(longest(name)),
        ]),
      },
    ],
    goals: CASES.map(({ name }) => atMost(`longest task, ${name}`, LONG, longest(name).median, ms)).map((goal) => ({
      ...goal,
      goal: `≤ ${LONG} ms`,
    })),
    notes: [`a key every ${KEYS} ms; the browser reports tasks over ${LONG} ms only`],
    data: found,
  };
}
