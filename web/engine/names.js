// Names that were not found, and those that are nearest.
import { GlassError } from './errors.js';

/** Edit distance (Levenshtein). @param {string} a @param {string} b @returns {number} */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

/** @param {string} wanted @param {readonly string[]} names @param {number} [most] @returns {string[]} nearest first */
export function nearest(wanted, names, most = 3) {
  const short = wanted.slice(0, 100);
  const ranked = names.map((name) => ({ name, far: distance(short, name.slice(0, 100)) }));
  return ranked
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/** @param {readonly string[]} names @returns {string} "a", "b" or "c" */
export function joined(names) {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/**
 * Throws 'bad-input' for options that are not an object or that nobody reads, such as misspelt ones.
 * @param {unknown} options
 * @param {readonly string[]} known
 * @param {string} where the function, for the message
 */
export function checkOptions(options, known, where) {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new GlassError('bad-input', `${where}: expected an object of options, got ${described(options)}`);
  }
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new GlassError('bad-input', `${where}: no option "${unknown}"; nearest: ${joined(nearest(unknown, known))}`);
  }
}

/**
 * Throws 'bad-input' for a signal that is none.
 * @param {unknown} signal
 */
export function checkSignal(signal) {
  if (signal === undefined || signal === null) return;
  const { aborted, addEventListener } = /** @type {Partial<AbortSignal>} */ (signal);
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return;
  throw new GlassError('bad-input', `signal: expected an AbortSignal, got ${described(signal)}`);
}

/**
 * A text, such as a name. Throws 'bad-input' for what is none.
 * @param {unknown} text
 * @param {string} what
 * @returns {string}
 */
export function checkedText(text, what) {
  if (typeof text === 'string') return text;
  throw new GlassError('bad-input', `${what}: expected a string, got ${described(text)}`);
}

/**
 * What came, for messages: the kind of a value, and the value where it is short.
 * @param {unknown} value
 * @returns {string}
 */
export function described(value) {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  if (typeof value === 'object') {
    const { constructor, length } = /** @type {{ constructor?: { name?: string }, length?: unknown }} */ (value);
    const kind = constructor?.name ?? 'object';
    return typeof length === 'number' ? `${kind} of ${length}` : `${kind}`;
  }
  return typeof value;
}
