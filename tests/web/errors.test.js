// Errors keep code and message across a worker's boundary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ERROR_CODES,
  GlassError,
  errorCode,
  errorFromPlain,
  errorToPlain,
  throwIfAborted,
} from '../../web/engine/errors.js';

test('through plain data and back', () => {
  for (const code of ERROR_CODES) {
    const back = errorFromPlain(structuredClone(errorToPlain(new GlassError(code, 'what, where'))));
    assert.ok(back instanceof GlassError && back instanceof Error);
    assert.deepEqual([back.code, back.message, back.name], [code, 'what, where', 'GlassError']);
  }
  assert.deepEqual(errorToPlain('odd'), { code: 'bad-input', message: 'odd' });
  assert.equal(errorFromPlain({ code: 'nonsense', message: '' }).code, 'bad-input');
});

test("the platform's errors have codes", () => {
  assert.equal(errorCode(new DOMException('', 'AbortError')), 'aborted');
  assert.equal(errorCode(AbortSignal.abort().reason), 'aborted');
  assert.equal(errorCode(new DOMException('', 'NotFoundError')), 'not-found');
  assert.equal(errorCode(Object.assign(new Error(), { code: 'ENOENT' })), 'not-found');
  assert.equal(errorCode(new RangeError('Array buffer allocation failed')), 'out-of-memory');
  assert.equal(errorCode(new TypeError('x is not a function')), 'bad-input');
});

test('a signal that was given', () => {
  throwIfAborted(null, 'x');
  throwIfAborted(new AbortController().signal, 'x');
  assert.throws(() => throwIfAborted(AbortSignal.abort(), 'reading'), {
    code: 'aborted',
    message: 'reading was aborted',
  });
});
