// What test runners report, read: how many tests passed, and which failed with what message.
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {Counts & { failures: Failure[] }} Outcome */

/**
 * @typedef {object} Failure
 * @property {string} name the test's
 * @property {string} file where it threw or stands: path, line and column; '' where the runner does not say
 * @property {string} message its error, on one line
 */

/**
 * GoogleTest's output and that of fuzz replays, inside the JUnit file that ctest writes.
 * @param {string} xml
 * @returns {Outcome}
 */
export function readCtest(xml) {
  const sum = (/** @type {RegExp} */ pattern) =>
    [...xml.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
  const replayed = [...xml.matchAll(/^.*replayed \d+ inputs$/gm)].length;
  // With its time in milliseconds where it fails, without in the list at the end.
  const failures = [...xml.matchAll(/\[ {2}FAILED {2}\] (\S+\.\S+) \(\d+ ms\)/g)].map(([, name]) => ({
    name,
    file: '',
    message: '',
  }));
  return {
    passed: sum(/\[ {2}PASSED {2}\] (\d+) test/g) + replayed,
    failed: sum(/\[ {2}FAILED {2}\] (\d+) test/g),
    skipped: sum(/\[ {2}SKIPPED \] (\d+) test/g),
    failures,
  };
}

/**
 * The TAP of Node's test runner.
 * @param {string} tap
 * @returns {Outcome}
 */
export function readTap(tap) {
  const count = (/** @type {string} */ word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(tap)?.[1] ?? 0);
  /** @type {Failure[]} */
  const failures = [];
  for (const [, indent, name, yaml] of tap.matchAll(/^( *)not ok \d+ - (.*)(\n\1 {2}---\n[^]*?)\n\1 {2}\.\.\.$/gm)) {
    const details = yaml.replaceAll(`\n${indent}  `, '\n');
    // A suite fails where a test in it does: the test is listed.
    if (details.includes("\nfailureType: 'subtestsFailed'\n")) continue;
    const test = /^location: '(.*)'$/m.exec(details)?.[1] ?? '';
    // Where it threw, if that is in a test's file: `file:///…` in the stack.
    const threw = /file:\/\/(\/[^\s)]*\/tests\/[^\s)]*)/.exec(/^stack: [^]*/m.exec(details)?.[0] ?? '')?.[1];
    // Words in quotes, or lines that stand further in than the key.
    const error = /^error: (?:\|-\n((?: .*\n|\n)+)|'(.*)'$|(.*)$)/m.exec(details)?.slice(1).join('') ?? '';
    const message = stripVTControlCharacters(error).replace(/\s+/g, ' ').trim(); // Playwright's errors have colours
    failures.push({ name, file: threw ?? test, message });
  }
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
    failures,
  };
}
