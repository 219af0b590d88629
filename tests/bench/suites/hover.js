// Frames of the whole page while a pointer moves over a text of 512 tokens: what the page's thread works from the event to the end
// of the frame, lists of words and marks on other pictures included, beside the 16.7 ms that a display gives.
import { createFolders, pick } from '../../browser/folders.js';
import { hostSite, openWindow } from '../lib/site.js';
import { atMost, figures, spreadText } from '../lib/report.js';
import { spread } from '../lib/rounds.js';

const TOKENS = 512;
const FRAME_MS = 16.7;
/** Moves of the pointer a round, over each part. */
const MOVES = 60;

/** A model of a usual shape that reads so many tokens; its weights are random, which changes no picture's size. */
const CONFIG = {
  ...{ model_type: 'electra', architectures: ['ElectraForMaskedLM'], vocab_size: 8000, embedding_size: 32 },
  ...{ hidden_size: 64, num_hidden_layers: 6, num_attention_heads: 8, intermediate_size: 128, hidden_act: 'gelu' },
  ...{ max_position_embeddings: TOKENS, type_vocab_size: 2, initializer_range: 0.4, pad_token_id: 0 },
};

const PARTS = /** @type {const} */ ([
  { name: 'over the heatmap', selector: '#head canvas.matrix' },
  { name: 'over the grid of heads', selector: '#heads canvas' },
  { name: 'over the tokens', selector: '#tokens .tokens' },
]);

/**
 * Runs in the page: moves a pointer across an element, a step a frame.
 * @param {readonly [string, number]} what
 * @returns {Promise<number[]>} what each frame took, milliseconds
 */
async function across([selector, moves]) {
  const element = /** @type {HTMLElement} */ (document.querySelector(selector));
  element.scrollIntoView({ block: 'center' });
  const box = element.getBoundingClientRect();
  const { port1, port2 } = new MessageChannel();
  const nextFrame = () =>
    new Promise((/** @type {(at: number) => void} */ done) => requestAnimationFrame(() => done(performance.now())));
  const times = [];
  for (let i = 0; i < moves; i++) {
    // Between two frames, where events of a pointer come in.
    await new Promise((done) => setTimeout(done, 20));
    const part = (i + 0.5) / moves;
    const x = box.x + box.width * (0.1 + 0.8 * part);
    const y = box.y + Math.min(box.height, innerHeight - box.y) * (0.2 + 0.6 * ((part * 7) % 1));
    const target = document.elementFromPoint(x, y) ?? element;
    const begun = performance.now();
    const frame = nextFrame(); // asked for first: the frame begins with it
    const about = { bubbles: true, clientX: x, clientY: y, pointerType: 'mouse', isPrimary: true, pointerId: 1 };
    target.dispatchEvent(new PointerEvent('pointerover', about));
    target.dispatchEvent(new PointerEvent('pointermove', about));
    await null; // listeners of the store are told in a microtask
    await null;
    const handled = performance.now() - begun;
    const ended = new Promise((/** @type {(at: number) => void} */ done) => {
      port1.onmessage = () => done(performance.now());
    });
    requestAnimationFrame(() => port2.postMessage(null)); // arrives when the frame is on its way to the screen
    times.push(handled + (await ended) - (await frame));
  }
  return times;
}

/**
 * @param {{ rounds: number, warmUp: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function hoverSuite({ rounds, warmUp, progress }) {
  const host = await hostSite();
  const folders = createFolders();
  /** @type {Record<string, number[]>} */
  const times = {};
  try {
    const folder = await folders.make('hover', CONFIG);
    for (const pixelRatio of [1, 2]) {
      const { page, close } = await openWindow({ pixelRatio });
      try {
        await page.goto(`${host.url}#text=${encodeURIComponent('the cat sat on a mat '.repeat(TOKENS / 5))}`);
        await page.waitForFunction(() => /** @type {any} */ (globalThis).glassformer?.run);
        await pick(page, folder);
        await page.waitForFunction((count) => document.querySelectorAll('.token').length === count, TOKENS);
        for (let round = -warmUp; round < rounds; round++) {
          progress(`${pixelRatio} pixels per CSS pixel, round ${round + 1} of ${rounds}`);
          for (const { name, selector } of PARTS) {
            const frames = await page.evaluate(across, /** @type {const} */ ([selector, MOVES]));
            if (round >= 0) (times[`${name}, ${pixelRatio} pixels per CSS pixel`] ??= []).push(...frames);
          }
        }
      } finally {
        await close();
      }
    }
  } finally {
    folders.remove();
    await host.stop();
  }
  const ms = (/** @type {number} */ value) => `${figures(value)} ms`;
  /** @param {number[]} values the time that 95 of 100 frames keep to */
  const most = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)];
  return {
    title: `Hover: frames of the page at ${TOKENS} tokens, 6 layers of 8 heads, without a GPU`,
    tables: [
      {
        head: ['pointer', 'ms a frame', '95 of 100 frames within, ms', 'frames over 16.7 ms'],
        rows: Object.entries(times).map(([name, values]) => [
          name,
          spreadText(spread(values)),
          figures(most(values)),
          `${((100 * values.filter((value) => value > FRAME_MS).length) / values.length).toFixed(1)} %`,
        ]),
      },
    ],
    goals: Object.entries(times).map(([name, values]) =>
      atMost(`${name}: 95 of 100 frames`, FRAME_MS, most(values), ms),
    ),
    notes: [
      'a frame: from the pointer’s event to the end of the frame that shows it, waiting for the display left out',
    ],
    data: times,
  };
}
