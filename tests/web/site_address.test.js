// The address holds the reader's choice: what is written is read back, and nonsense is passed over.
import assert from 'node:assert/strict';
import test from 'node:test';
import { DEFAULTS, readFragment, writeFragment } from '../../web/site/fragment.js';
import { isOff, placesOf, switched, undone } from '../../web/site/switches.js';

test('every part of a choice comes back as it was', () => {
  /** @type {import('../../web/site/types.js').Choice} */
  const choice = {
    model: 'translate',
    text: 'one & two = three + 4 % # ü',
    pair: 'second',
    join: 'batch',
    target: 'uno',
    sequence: 1,
    attention: 'decoder',
    layer: 2,
    head: 3,
    query: 4,
    key: 5,
    view: 'arcs',
    kind: 'scores',
    palette: 'viridis',
    off: 'cross.1.0 decoder.0.3',
    how: 'sample',
    temperature: 0.7,
    topk: 20,
    topp: 0.9,
    seed: 77,
    beams: 5,
    penalty: -0.5,
    length: 12,
    taken: [5, 0, 123456],
    over: 'layers',
    by: 'max',
    special: 'renormalised',
    unit: 'words',
    sort: 'duplicate',
    compare: 'text',
    layer2: 1,
    head2: 2,
    text2: 'a second & a third',
    model2: 'words',
  };
  assert.deepEqual(readFragment(`#${writeFragment(choice)}`), choice);
  assert.equal(writeFragment({ ...DEFAULTS, text: 'a' }), 'text=a', 'what is as by default is left out');
  const none = { ...DEFAULTS, text: 'a', taken: [] };
  assert.deepEqual(readFragment(writeFragment(none)), { text: 'a', taken: [] }, 'nothing taken is a choice too');
});

test('nonsense is left out, the rest is read', () => {
  const fragment =
    '#text=a&attention=both&off=x.1&how=guess&temperature=-1&topk=1.5&topp=0&seed=abc&beams=99&penalty=NaN&length=0&taken=1,2' +
    '&over=rows&by=min&special=gone&unit=letters&sort=best&compare=all&layer2=-1';
  assert.deepEqual(readFragment(fragment), { text: 'a' });
  assert.deepEqual(readFragment('taken=1.2.&off=self.0.1&beams=3'), { taken: [1, 2], off: 'self.0.1', beams: 3 });
});

test('heads are switched off, on again, and undone in turn', () => {
  const place = { grid: /** @type {const} */ ('cross'), layer: 1, head: 0 };
  let off = switched('', place);
  off = switched(off, { grid: 'self', layer: 0, head: 3 });
  assert.equal(off, 'cross.1.0 self.0.3');
  assert.ok(isOff(off, place));
  assert.deepEqual(placesOf(off)[1], { grid: 'self', layer: 0, head: 3 });
  assert.equal(undone(off), 'cross.1.0');
  assert.equal(switched(off, place), 'self.0.3');
  assert.equal(undone(undone(off)), '');
});
