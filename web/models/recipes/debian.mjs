// Data that Debian packages carry: fetched by apt, unpacked under build/train/data, never installed.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where packages are unpacked, ignored by git. */
const DATA = fileURLToPath(new URL('../../../build/train/data', import.meta.url));

/**
 * The folder that a package's files lie in, as they would under /. Downloads the package if it is not there; needs neither root
 * nor a dependency of the package.
 * @param {string} name of a Debian package
 * @returns {string}
 */
export function debianPackage(name) {
  const folder = join(DATA, name);
  if (existsSync(folder)) return folder;
  // apt downloads as the user _apt in a folder that this user owns; where it cannot, it says so and downloads all the same.
  mkdirSync(DATA, { recursive: true });
  const partial = mkdtempSync(join(DATA, 'partial-'));
  try {
    run(name, 'apt-get', ['download', name], partial);
    const file = readdirSync(partial).find((entry) => entry.endsWith('.deb'));
    if (!file) throw new Error(`apt-get download ${name} left no .deb file`);
    run(name, 'dpkg-deb', ['-x', file, 'files'], partial);
    renameSync(join(partial, 'files'), folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/**
 * @param {string} name of the package that this is for
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
function run(name, program, args, cwd) {
  const { error, status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (!error && status === 0) return;
  throw new Error(
    `this recipe reads the Debian package ${name}, and \`${program} ${args.join(' ')}\` failed: ` +
      `${error ? error.message : stderr.trim()}. Without apt (or before \`apt-get update\`), download ${name} from a Debian ` +
      `mirror elsewhere and unpack it with \`dpkg-deb -x FILE ${join(DATA, name)}\`.`,
  );
}
