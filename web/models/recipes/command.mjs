// What every recipe's command line shares: its options, the progress line, stopping with Ctrl-C, and where things lie.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { trainNative } from './native.mjs';

/** @typedef {{ fresh: boolean, steps?: number, seed: number, threads: number, scoreOnly: boolean, compare: boolean }} Command */
/** @typedef {import('./streams.mjs').Example} Example */

/**
 * @param {string} name of a model
 * @returns {string} its folder
 */
export function modelFolder(name) {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

/**
 * @param {string} name of a model
 * @returns {string} where its training keeps state and checkpoints, ignored by git
 */
export function trainingFolder(name) {
  return fileURLToPath(new URL(`../../../build/train/${name}`, import.meta.url));
}

/**
 * @param {string[]} argv `--fresh` starts over, `--score-only` scores what the model's folder holds without training, `--compare`
 *   runs a recipe's comparison where it has one
 * @returns {Command}
 */
export function parseCommand(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      fresh: { type: 'boolean', default: false },
      'score-only': { type: 'boolean', default: false },
      compare: { type: 'boolean', default: false },
      steps: { type: 'string' },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: '2' },
    },
  });
  const number = (/** @type {string} */ name, /** @type {string} */ text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`--${name}: expected a positive whole number, got '${text}'`);
    return value;
  };
  return {
    fresh: values.fresh,
    scoreOnly: values['score-only'],
    compare: values.compare,
    seed: number('seed', values.seed),
    threads: number('threads', values.threads),
    ...(values.steps === undefined ? {} : { steps: number('steps', values.steps) }),
  };
}

/**
 * Runs a recipe with the command line's options; an error ends the process with its message and status 1.
 * `npm run train -- NAME [--fresh] [--steps N] [--seed N] [--threads N] [--score-only] [--compare]`
 * @param {(command: Command) => Promise<void>} recipe
 */
export async function runRecipe(recipe) {
  try {
    await recipe(parseCommand(process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * Trains with a progress line until the steps are done or Ctrl-C, which saves. The next call goes on from there. With
 * `--score-only` it trains nothing and tells how long the last training took.
 * @param {object} options
 * @param {string} options.name of the model; state goes to build/train/<name>
 * @param {string} options.start folder with config.json and perhaps weights to start from
 * @param {(from: number) => Iterable<Example>} options.examples
 * @param {{ steps: number } & Record<string, unknown>} options.settings
 * @param {Command} options.command
 * @returns {Promise<{ finished: boolean, seconds: number, step: number }>} `seconds` over all sessions of this training
 */
export async function train({ name, start, examples, settings, command }) {
  const out = trainingFolder(name);
  const clock = join(out, 'clock.json');
  const log = join(out, 'log.jsonl');
  if (command.fresh && !command.scoreOnly) for (const file of [clock, log]) rmSync(file, { force: true });
  const before = existsSync(clock) ? JSON.parse(readFileSync(clock, 'utf8')) : { seconds: 0, step: 0 };
  if (command.scoreOnly || before.step >= settings.steps) return { finished: true, ...before };
  if (before.step > 0) console.log(`going on from step ${before.step} of ${settings.steps} (--fresh starts over)`);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const began = performance.now();
  const reached = { ...before };
  mkdirSync(out, { recursive: true });
  const progress = new ProgressLine(settings.steps, before.step);
  const run = trainNative({ model: start, out, examples, settings, fresh: command.fresh, signal: stopping.signal });
  try {
    for await (const event of run) {
      if ('saved' in event) {
        reached.step = event.step;
        reached.seconds = before.seconds + (performance.now() - began) / 1000;
        writeFileSync(clock, JSON.stringify(reached));
      } else {
        progress.show(event);
        if (event.step % 50 === 0) writeFileSync(log, `${JSON.stringify(event)}\n`, { flag: 'a' });
      }
    }
  } finally {
    progress.end();
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
  if (reached.step < settings.steps)
    console.log(`stopped and saved at step ${reached.step}; the same command goes on from there`);
  return { finished: reached.step >= settings.steps, ...reached };
}

/** One line that is rewritten on a terminal; elsewhere a line about every minute. */
class ProgressLine {
  #steps;
  #first;
  #began = performance.now();
  #shown = 0;
  #loss = 0;

  /**
   * @param {number} steps in all
   * @param {number} first the step that this session starts from
   */
  constructor(steps, first) {
    this.#steps = steps;
    this.#first = first;
  }

  /** @param {import('./native.mjs').Step} event */
  show({ step, loss, tokensPerSecond }) {
    // A running mean over some 50 steps: single batches jump too much to be read.
    this.#loss = this.#loss ? 0.98 * this.#loss + 0.02 * loss : loss;
    const now = performance.now();
    const terminal = process.stdout.isTTY;
    if (now - this.#shown < (terminal ? 200 : 60_000) && step < this.#steps) return;
    this.#shown = now;
    const left = ((now - this.#began) / 1000 / (step - this.#first)) * (this.#steps - step);
    const text = `step ${step}/${this.#steps}  loss ${this.#loss.toFixed(3)}  ${Math.round(tokensPerSecond)} tokens/s  ${duration(left)} left`;
    process.stdout.write(terminal ? `\r${text}\x1b[K` : `${text}\n`);
  }

  end() {
    if (process.stdout.isTTY) process.stdout.write('\n');
  }
}

/**
 * @param {number} seconds
 * @returns {string} such as '1 h 05 min' or '42 s'
 */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return '…';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
