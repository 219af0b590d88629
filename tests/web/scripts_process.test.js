// The scripts say when a program was ended from outside: its own last words are missing then.
import assert from 'node:assert/strict';
import test from 'node:test';
import { run } from '../../wasm_build/scripts/process.js';

test(
  'a program that a signal ends has failed, and the signal is named',
  { skip: process.platform === 'win32' },
  async (t) => {
    const said = t.mock.method(console, 'error', () => {});
    t.mock.method(console, 'log', () => {});
    assert.equal(
      await run(process.execPath, ['-e', "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 60_000)"]),
      1,
    );
    assert.match(String(said.mock.calls[0].arguments[0]), /was ended by SIGTERM/);
    assert.equal(await run(process.execPath, ['-e', 'process.exit(3)']), 3);
    assert.equal(said.mock.callCount(), 1);
  },
);
