// The one error of the library: an Error with a code that callers can act on, and its form as plain data for the
// worker boundary. The codes are those of cpp/tensor/error.h, and 'aborted', which only JavaScript knows.

/** @typedef {'not-found' | 'bad-config' | 'bad-weights' | 'bad-input' | 'unsupported' | 'out-of-memory' | 'aborted' | 'disposed'} ErrorCode */

/** @type {readonly ErrorCode[]} */
export const ERROR_CODES = Object.freeze([
  'not-found',
  'bad-config',
  'bad-weights',
  'bad-input',
  'unsupported',
  'out-of-memory',
  'aborted',
  'disposed',
]);

/** An error with a code; the message says what was expected, what came, and where (file, tensor or argument). */
export class GlassError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = 'GlassError';
    this.code = code;
  }
}

/** No server answered for a file: there is no network, or this page may not ask there. Asking again may help. */
export class UnansweredError extends GlassError {
  /** @param {string} message @param {unknown} cause */
  constructor(message, cause) {
    super('not-found', message, { cause });
  }
}

/**
 * The code of anything thrown: its own, or that of the platform's error it is. What remains is a TypeError or the
 * like from a call with the wrong kind of argument, hence 'bad-input'.
 * @param {unknown} error
 * @returns {ErrorCode}
 */
export function errorCode(error) {
  if (!(error instanceof Error)) return 'bad-input';
  const code = /** @type {{ code?: unknown }} */ (error).code;
  const known = ERROR_CODES.find((name) => name === code);
  if (known) return known;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'aborted';
  if (error.name === 'NotFoundError' || code === 'ENOENT' || code === 'ENOTDIR') return 'not-found';
  if (error instanceof RangeError && /memory|allocation/i.test(error.message)) return 'out-of-memory';
  return 'bad-input';
}

/**
 * As plain data: { code, message }, and nothing of the machine it happened on.
 * @param {unknown} error
 * @returns {{ code: ErrorCode, message: string }}
 */
export function errorToPlain(error) {
  return { code: errorCode(error), message: error instanceof Error ? error.message : String(error) };
}

/**
 * The inverse of errorToPlain; also right for what the core's bindings return.
 * @param {{ code: string, message: string }} plain
 * @returns {GlassError}
 */
export function errorFromPlain(plain) {
  const code = ERROR_CODES.find((name) => name === plain.code) ?? 'bad-input';
  return new GlassError(code, plain.message);
}

/**
 * Throws 'aborted' where the signal has been given.
 * @param {AbortSignal | null | undefined} signal
 * @param {string} what what was going on, for the message
 */
export function throwIfAborted(signal, what) {
  if (signal?.aborted) throw new GlassError('aborted', `${what} was aborted`, { cause: signal.reason });
}
