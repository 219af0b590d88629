// Child processes and messages for the npm scripts. Node built-ins only: these files run before `npm ci`.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

// Tools find the Node that runs this script, not an older one that a package manager may have brought along.
const searchPath = [path.dirname(process.execPath), process.env.PATH ?? ''].join(path.delimiter);

/** An error for people: its message is all that is printed. */
export class Stop extends Error {}

/**
 * The full path of a command on PATH, or undefined.
 * @param {string} command
 */
export function which(command) {
  return searchPath
    .split(path.delimiter)
    .map((folder) => path.join(folder, command))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let interrupted = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted = true;
    // A terminal sends SIGINT to every process of the group; the others reach only this one.
    if (signal !== 'SIGINT') for (const child of children) child.kill(signal);
    if (children.size === 0) process.exit(130);
  });
}

// npm that is ended by a signal leaves this process behind; without a parent it ends itself and what it started.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid === parent) return;
  for (const child of children) child.kill('SIGTERM');
  process.exit(130);
}, 500).unref();

/**
 * Runs a command in the project's folder with its output shown, and resolves to its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string, quiet?: boolean }} [options] quiet: output and command are not shown
 * @returns {Promise<number>}
 */
export function run(command, args, { env = {}, cwd = root, quiet = false } = {}) {
  if (!quiet) console.log(`$ ${[command === process.execPath ? 'node' : command, ...args].join(' ')}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      stdio: quiet ? 'ignore' : 'inherit',
      env: { ...process.env, PATH: searchPath, ...env },
    });
    children.add(child);
    child.on('error', (error) => {
      children.delete(child);
      reject(new Stop(`${command}: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      children.delete(child);
      if (interrupted) process.exit(130);
      if (signal && !quiet) console.error(`${command} was ended by ${signal}: what it had left to do was not done.`);
      resolve(code ?? (signal ? 1 : 0));
    });
  });
}

/**
 * As run, but a failure stops the script.
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export async function must(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0)
    throw new Stop(`${path.basename(command)} ${args.slice(0, 3).join(' ')} ended with exit code ${code}.`);
}

/**
 * The first match of a pattern in what a command prints, or undefined.
 * @param {string} command
 * @param {string[]} args
 * @param {RegExp} pattern
 * @returns {Promise<string | undefined>}
 */
export function ask(command, args, pattern) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, PATH: searchPath } });
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    child.on('error', () => resolve(undefined));
    child.on('close', () => resolve(pattern.exec(text)?.[1]));
  });
}
