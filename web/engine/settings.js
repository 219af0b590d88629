// What callers set, as JSON for the core, which checks names and ranges. JSON would change some values without a word: NaN and
// infinities become null, functions and symbols go, and null may count as not given. These are refused here.
import { GlassError } from './errors.js';
import { described } from './names.js';
import { isTyped } from './tensor.js';

/**
 * What is wrong with a value that JSON does not have.
 * @param {unknown} value
 * @param {boolean} nullable
 * @returns {string | null} what was expected
 */
function expected(value, nullable) {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a finite number';
  if (typeof value === 'bigint') return 'a number';
  if (typeof value === 'function' || typeof value === 'symbol') return 'plain data';
  return value === null && !nullable ? 'a value, or none at all' : null;
}

/**
 * Members that are undefined are left out; typed arrays become lists. Throws an error of `code` that names the place.
 * @param {unknown} settings
 * @param {object} options
 * @param {string} options.name of the whole
 * @param {import('./errors.js').ErrorCode} [options.code]
 * @param {(member: string) => boolean} [options.nullable] whether null says something there
 * @param {(member: string) => string} [options.place] of a member, for messages
 * @returns {string}
 */
export function settingsText(settings, { name, code = 'bad-input', nullable = () => false, place = (at) => at }) {
  /** Where a list or an object among the settings is, with a dot behind. @type {WeakMap<object, string>} */
  const places = new WeakMap();
  /** @param {string} message @returns {never} */
  const refuse = (message) => {
    throw new GlassError(code, message);
  };
  /** @type {string | undefined} */
  let text;
  try {
    text = JSON.stringify(settings, function (/** @type {string} */ key, /** @type {unknown} */ value) {
      const inside = places.get(this);
      const member = inside === undefined ? '' : inside + key;
      const wrong = expected(value, inside === undefined || nullable(member));
      if (wrong) refuse(`${inside === undefined ? name : place(member)}: expected ${wrong}, got ${described(value)}`);
      const plain = isTyped(value) ? Array.from(value) : value;
      if (typeof plain === 'object' && plain !== null) places.set(plain, inside === undefined ? '' : `${member}.`);
      return plain;
    });
  } catch (error) {
    if (error instanceof GlassError) throw error;
    const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new GlassError(code, `${name}: cannot be written as JSON: ${message}`, { cause: error });
  }
  return text ?? refuse(`${name}: expected an object, got ${described(settings)}`);
}
