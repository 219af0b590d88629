// What npm test says of failures: names, places and messages, from what the runners really write.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readCtest, readTap } from '../../wasm_build/scripts/reports.js';

/** The TAP of a run of these files, and the folder they were in. @param {Record<string, string>} files */
function tapOf(files) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'glassformer-'));
  try {
    for (const [name, code] of Object.entries(files)) writeFileSync(path.join(folder, name), code);
    const names = Object.keys(files).map((name) => path.join(folder, name));
    // Inside a test, Node's runner would answer its parent in a language of its own.
    const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined };
    const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...names], {
      encoding: 'utf8',
      env,
    });
    return { tap: stdout, folder };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('Node’s runner: each failed test once, with its place and its error on one line', () => {
  const { tap, folder } = tapOf({
    'a.test.mjs': `import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
describe('suite', () => {
  it('inside', () => assert.equal(1, 2));
  it('passes', () => {});
  it('is late', { timeout: 20 }, () => new Promise((done) => setTimeout(done, 200)));
});
test('outside', () => { throw new TypeError('\\u001b[2mtwo\\u001b[22m\\nlines'); });
test('left out', { skip: true }, () => {});
`,
    'b.test.mjs': `throw new Error('no test at all');`,
  });
  const { passed, failed, skipped, failures } = readTap(tap);
  assert.equal(passed, 1);
  assert.ok(failed >= 4, `${failed}`); // some versions of Node count the suite too
  assert.equal(skipped, 1);
  assert.deepEqual(
    failures.map(({ name }) => name).map((name) => path.basename(name)),
    ['inside', 'is late', 'outside', 'b.test.mjs'],
  );
  const [inside, late, outside] = failures;
  assert.equal(inside.file.replace(/:\d+$/, ''), `${folder}/a.test.mjs:4`);
  assert.match(inside.message, /strictly equal:.* 1 !== 2$/);
  assert.equal(late.message, 'test timed out after 20ms');
  assert.equal(outside.message, 'two lines');
});

test('GoogleTest in ctest’s JUnit file: counts, and each failed test once', () => {
  const xml = `<testsuite><testcase name="tensor"><system-out>
[ RUN      ] Shape.Names
tests/cpp/tensor/shape_test.cpp:12: Failure
[  FAILED  ] Shape.Names (3 ms)
[==========] 3 tests from 1 test suite ran. (4 ms total)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Shape.Names

 1 FAILED TEST
</system-out></testcase><testcase name="fuzz"><system-out>
json: replayed 27 inputs
</system-out></testcase></testsuite>`;
  assert.deepEqual(readCtest(xml), {
    passed: 2,
    failed: 1,
    skipped: 1,
    failures: [{ name: 'Shape.Names', file: '', message: '' }],
  });
});
