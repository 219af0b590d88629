import assert from 'node:assert/strict';
import test from 'node:test';
import { layoutArcs } from '../../web/view/arcs.js';
import { hitHeatmap, nearestCell } from '../../web/view/hit.js';
import { LABEL_GAP, layoutHeatmap, spotBox } from '../../web/view/layout.js';
import { placeLens } from '../../web/view/lens.js';
import { weightScale } from '../../web/view/scale.js';
import { elide, visibleToken } from '../../web/view/text.js';
import { LIGHT } from '../../web/view/theme.js';
import { reveal, zoomAt } from '../../web/view/viewport.js';
import { measure } from './view_fakes.js';

/** @param {number} count */
const tokens = (count) => Array.from({ length: count }, (_, i) => ['[CLS]', 'a', 'wild', 'cat', '##believable'][i % 5]);

/** @param {number} rows @param {number} columns @param {object} [options] */
function layout(rows, columns, options = {}) {
  const { ticks, formats } = weightScale();
  return layoutHeatmap({
    queries: tokens(rows),
    keys: tokens(columns),
    width: 700,
    measure,
    fonts: LIGHT,
    ticks,
    formats,
    barTitle: 'weight · more is darker',
    ...options,
  });
}

const shapes = [
  [1, 1, {}],
  [9, 9, {}],
  [9, 9, { width: 358, dpr: 3 }],
  [5, 12, { dpr: 1.5 }],
  [40, 40, {}],
  [40, 40, { height: 300, cell: 24, scrollX: 130, scrollY: 77 }],
  [512, 512, { dpr: 2 }],
  [512, 512, { width: 360, height: 500, cell: 12, scrollX: 1e9, scrollY: 31 }],
];

test('everything stands within the room, and labels and cells do not overlap', () => {
  for (const [rows, columns, options] of shapes) {
    const box = layout(/** @type {number} */ (rows), /** @type {number} */ (columns), /** @type {object} */ (options));
    const width = /** @type {any} */ (options).width ?? 700;
    assert.ok(box.width <= width, `${rows}×${columns}: ${box.width} wide in ${width}`);
    assert.ok(box.plot.x > 0 && box.plot.y > 0);
    for (const label of box.rowLabels) assert.ok(label.x - label.width >= 0 && label.x < box.plot.x);
    for (const label of box.columnLabels) {
      // Capitals reach three quarters of the font size over the baseline.
      assert.ok(label.y - (label.width + box.labelSize * 0.75) * Math.SQRT1_2 >= 0, 'rises above the canvas');
      assert.ok(label.x + label.width * Math.SQRT1_2 <= box.width, 'leans over the edge');
    }
    for (let i = 1; i < box.rowLabels.length; i++) {
      assert.ok(box.rowLabels[i].y - box.rowLabels[i - 1].y >= box.labelSize * 1.1);
    }
  }
});

test('of very many tokens only those with a label are measured, as one axis and as the other', () => {
  const names = Array.from({ length: 65_000 }, (_, i) => String(i));
  for (const [rows, columns] of [
    [1, 65_000],
    [65_000, 1],
  ]) {
    /** @type {Set<string>} */
    const measured = new Set();
    const counted = (/** @type {string} */ text, /** @type {string} */ font) => {
      measured.add(text);
      return measure(text, font);
    };
    const room = { queries: names.slice(0, rows), keys: names.slice(0, columns), measure: counted, height: 500 };
    const { rowLabels, columnLabels } = layout(rows, columns, room);
    assert.ok(measured.size < 3000, `${rows} × ${columns}: ${measured.size} texts`);
    for (const { index, text } of [...rowLabels, ...columnLabels]) assert.equal(text, String(index));
    measured.clear();
    const arcs = layoutArcs({ queries: room.queries, keys: room.keys, width: 700, measure: counted, fonts: LIGHT });
    assert.ok(measured.size < 3000, `arcs, ${rows} × ${columns}: ${measured.size} texts`);
    assert.equal(arcs.keyTexts.at(columns - 1).text, String(columns - 1));
  }
});

test('a hit at the middle of every visible cell is that cell', () => {
  for (const [rows, columns, options] of shapes) {
    const box = layout(/** @type {number} */ (rows), /** @type {number} */ (columns), /** @type {object} */ (options));
    let seen = 0;
    for (let query = box.visibleRows.from; query < box.visibleRows.to; query += 1 + (rows === 512 ? 6 : 0)) {
      for (let key = box.visibleColumns.from; key < box.visibleColumns.to; key++) {
        const cell = spotBox(box, { query, key });
        const x = cell.x + cell.width / 2;
        const y = cell.y + cell.height / 2;
        const inside =
          x >= box.plot.x && x < box.plot.x + box.plot.width && y >= box.plot.y && y < box.plot.y + box.plot.height;
        if (!inside) continue;
        seen++;
        assert.deepEqual(hitHeatmap(box, x, y), { part: 'cell', query, key });
        assert.deepEqual(nearestCell(box, x, y), { query, key });
      }
    }
    assert.ok(seen > 0);
  }
});

test('labels are hit along their text, the slanted ones too', () => {
  const box = layout(9, 9);
  for (const label of box.rowLabels) {
    const hit = hitHeatmap(box, label.x - label.width / 2, label.y);
    assert.deepEqual(hit, { part: 'row', query: label.index, key: null });
  }
  for (const label of box.columnLabels) {
    for (const part of [0.1, 0.5, 0.9]) {
      // The middle of the text, whose baseline rises at 45°.
      const along = label.width * part * Math.SQRT1_2;
      const half = box.labelSize * 0.35 * Math.SQRT1_2;
      const hit = hitHeatmap(box, label.x + along - half, label.y - along - half);
      assert.deepEqual(hit, { part: 'column', query: null, key: label.index }, `${label.text} at ${part}`);
    }
  }
  const { plot } = box;
  assert.equal(hitHeatmap(box, plot.x + plot.width + 2, plot.y + 5), null);
  assert.equal(hitHeatmap(box, 2, 2), null);
  assert.equal(hitHeatmap(box, plot.x + 5, plot.y - LABEL_GAP + 2)?.part, 'column');
});

test('cells: numbers from a size on, whole device pixels, the modes of small ones', () => {
  const nine = layout(9, 9, { dpr: 2 });
  assert.equal(nine.mode, 'cells');
  assert.equal(nine.numbers?.format.leadingZero, true);
  assert.equal((nine.cell * 2) % 1, 0);
  const phone = layout(9, 9, { width: 358, dpr: 3 });
  assert.equal(phone.numbers?.format.leadingZero, false);
  assert.equal(phone.bar?.vertical, false);
  assert.ok(measure('.00', phone.numbers?.font ?? '') < phone.cell);
  assert.equal(layout(40, 40, { cell: 9.9 }).numbers, null);
  assert.equal(layout(40, 40, { cell: 9.9 }).mode, 'small');
  assert.equal(layout(512, 512).mode, 'overview');
  assert.equal(layout(512, 512, { cell: 3 }).mode, 'small');
  const flat = layout(1, 65_000, { dpr: 2 });
  assert.equal(flat.plot.height, 0.5, 'a row that is narrower than a device pixel is one high');
  assert.throws(() => layout(0, 3), /at least one query and one key, got 0 and 3/);
});

test('scrolling is clamped; zooming keeps the point under the pointer', () => {
  const far = layout(512, 512, { height: 500, cell: 12, scrollX: 1e9, scrollY: -5 });
  assert.equal(far.scrollX, far.maxScrollX);
  assert.equal(far.scrollY, 0);
  assert.equal(far.visibleColumns.to, 512);

  const fitted = layout(512, 512, { height: 500 });
  const point = { x: fitted.plot.x + 200, y: fitted.plot.y + 120 };
  const before = nearestCell(fitted, point.x, point.y);
  const view = zoomAt(fitted, 12, point, fitted.cell);
  const near = layout(512, 512, { height: 500, ...view });
  assert.ok(near.cell > 5);
  const after = nearestCell(near, point.x, point.y);
  assert.ok(Math.abs(after.query - before.query) <= 1 && Math.abs(after.key - before.key) <= 1);
  assert.deepEqual(zoomAt(near, 1e-3, point, fitted.cell), { cell: undefined, scrollX: 0, scrollY: 0 });

  for (const spot of [{ query: 500, key: 3 }, { query: 0, key: 511 }, { query: 7 }]) {
    const shown = layout(512, 512, { height: 500, cell: near.cell, ...reveal(near, spot) });
    const { x, y, width, height } = spotBox(shown, spot);
    const { plot } = shown;
    assert.ok(y >= plot.y - 1e-6 && y + height <= plot.y + plot.height + 1e-6);
    if (spot.key !== undefined) assert.ok(x >= plot.x - 1e-6 && x + width <= plot.x + plot.width + 1e-6);
  }
});

test('the lens stays on the canvas and shows the cell under the pointer', () => {
  const box = layout(512, 512, { height: 500 });
  for (const touch of [false, true]) {
    for (const [x, y] of [
      [box.plot.x, box.plot.y],
      [box.plot.x + box.plot.width - 1, box.plot.y + box.plot.height - 1],
      [box.plot.x + 150, box.plot.y + 90],
    ]) {
      const lens = placeLens(box, { x, y, touch });
      assert.deepEqual({ query: lens.query, key: lens.key }, nearestCell(box, x, y));
      assert.ok(lens.box.x >= 0 && lens.box.x + lens.box.width <= box.width);
      assert.ok(lens.box.y >= 0 && lens.box.y + lens.box.height <= box.height);
    }
  }
});

test('tokens: nothing invisible, cut between characters as read', () => {
  assert.equal(visibleToken(''), '∅');
  assert.equal(visibleToken('  '), '␣␣');
  assert.equal(visibleToken('a\nb\u007f'), 'a␊b␡');
  assert.equal(visibleToken('x\ud83d'), 'x\ufffd');
  assert.equal(visibleToken('😀'), '😀');
  assert.equal(visibleToken('\u202eabc'), '◌abc');
  const font = '10px x';
  assert.equal(elide('short', font, 100, measure), 'short');
  assert.equal(elide('unbelievable', font, 36, measure), 'unbel…');
  // A family is one character to a reader and is never cut in two.
  assert.equal(elide('👩‍👩‍👧xxxxxxxxxx', font, 36, measure), '👩‍👩‍👧…');
  assert.equal(elide('wide', font, 1, measure), '…');
});
