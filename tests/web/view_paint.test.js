import assert from 'node:assert/strict';
import test from 'node:test';
import { hitArcs, layoutArcs, paintArcs, selectLines } from '../../web/view/arcs.js';
import { differenceScale } from '../../web/view/compare.js';
import { createHeatmap, rowTexts } from '../../web/view/heatmap.js';
import { layoutHeatmap } from '../../web/view/layout.js';
import { headMatrix, maskedCells } from '../../web/view/matrix.js';
import { palette } from '../../web/view/palette.js';
import { maxPool } from '../../web/view/pool.js';
import { scoreScale, weightScale } from '../../web/view/scale.js';
import { LIGHT } from '../../web/view/theme.js';
import { createThumbnails, hitThumbnails, layoutThumbnails } from '../../web/view/thumbnails.js';
import { counts, fakeSurface, measure, someWeights } from './view_fakes.js';

const scale = weightScale();
const colors = palette('ylorrd');
const tokens = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => `t${i}`);

/** @param {number} size @param {object} [options] */
function heatmap(size, options = {}) {
  /** @type {ReturnType<typeof fakeSurface>[]} */
  const surfaces = [];
  const make = (/** @type {number} */ width, /** @type {number} */ height) => {
    surfaces.push(fakeSurface(width, height));
    return /** @type {any} */ (surfaces[surfaces.length - 1]);
  };
  const queries = tokens(size);
  const room = { width: 800, measure, fonts: LIGHT, ticks: scale.ticks, formats: scale.formats, dpr: 2 };
  const layout = layoutHeatmap({ queries, keys: queries, ...room, ...options });
  const matrix = someWeights(size, size);
  const painter = createHeatmap(make);
  painter.update({ matrix, scale, palette: colors, queries, keys: queries });
  const canvas = fakeSurface(layout.width * 2, layout.height * 2);
  /** Surfaces by what they hold. */
  const base = () => surfaces.filter(({ width, height }) => width === canvas.width && height === canvas.height)[0];
  const bitmap = () => surfaces.filter((surface) => surface !== base())[0];
  return { painter, layout, canvas, context: /** @type {any} */ (canvas.getContext()), surfaces, base, bitmap, matrix };
}

test('512 × 512 is one bitmap, not a rectangle per cell', () => {
  const { painter, layout, context, surfaces, base, bitmap } = heatmap(512);
  painter.paint(context, layout, LIGHT);
  const total = surfaces.reduce((sum, { calls }) => sum + calls.length, 0);
  assert.ok(total < 1500, `${total} calls`);
  assert.equal(surfaces.length, 2);
  assert.equal(bitmap().width, 512);
  assert.equal(counts(bitmap().calls).putImageData, 1);
  assert.equal(counts(base().calls).drawImage, 1);
  assert.ok((counts(base().calls).fillRect ?? 0) < 20);
});

test('another matrix in the same place repaints the cells alone, as a painter that begins with it does', () => {
  for (const [size, options] of /** @type {const} */ ([
    [512, {}],
    [512, { width: 300 }],
    [5, {}],
  ])) {
    const { painter, layout, context, surfaces, base } = heatmap(size, options);
    painter.paint(context, layout, LIGHT);
    const made = surfaces.length;
    base().calls.length = 0;
    const matrix = someWeights(size, size);
    matrix.data.reverse();
    matrix.data[1] = -Infinity;
    const next = { matrix, scale, palette: colors };
    painter.update(next);
    painter.paint(context, layout, LIGHT);
    const again = base().calls.slice();
    assert.equal(surfaces.length, made, 'canvases are used again');
    const cellsOnly = again.filter(([name, text]) => name === 'fillText' && !/^[-−]?[\d.]*\d$|∞/.test(text));
    assert.deepEqual(cellsOnly, [], 'no label is written');
    const fresh = heatmap(size, options);
    fresh.painter.update(next);
    fresh.painter.paint(fresh.context, fresh.layout, LIGHT);
    const all = fresh.base().calls;
    /** Calls with what each heeds of the state, and bitmaps by their size. @param {any[][]} calls */
    const drawn = (calls) =>
      calls.map((call) => {
        const [name, ...args] = call.slice(0, -1);
        const { fillStyle, direction } = call[call.length - 1];
        const heeded = name === 'fillText' ? [fillStyle, direction] : name === 'fillRect' ? [fillStyle] : [];
        return [name, ...args.map((part) => (part?.calls ? [part.width, part.height] : part)), ...heeded];
      });
    // After the canvas was cleared, and before what is around.
    assert.deepEqual(drawn(again), drawn(all).slice(2, 2 + again.length));
    base().calls.length = 0;
    painter.update({ ...next, palette: palette('viridis') });
    painter.paint(context, layout, LIGHT);
    assert.equal(base().calls.length, all.length, 'another palette has another colour bar');
  }
});

test('a frame while the pointer moves repaints no base', () => {
  const { painter, layout, context, canvas, surfaces } = heatmap(512);
  painter.paint(context, layout, LIGHT);
  const before = surfaces.map((surface) => surface.calls.length);
  canvas.calls.length = 0;
  const marks = { hover: { query: 3, key: 4 }, selected: { query: 1, key: 2 }, lens: { x: 300, y: 300 } };
  painter.paint(context, layout, LIGHT, marks);
  assert.deepEqual(
    surfaces.map((surface) => surface.calls.length),
    before,
  );
  const frame = counts(canvas.calls);
  assert.equal(frame.drawImage, 2, 'the base and the lens');
  assert.ok(canvas.calls.length < 250, `${canvas.calls.length} calls`);
});

test('smoothing is off, and fewer pixels than cells take the largest of each', () => {
  const { painter, layout, context, base, bitmap } = heatmap(512, { width: 300 });
  assert.ok(layout.cell * 2 < 1);
  painter.paint(context, layout, LIGHT);
  assert.equal(/** @type {any} */ (base().getContext()).imageSmoothingEnabled, false);
  assert.equal(bitmap().width, Math.round(layout.plot.width * 2), 'pooled to device pixels');
});

test('numbers in large cells are those of the matrix, in the ink of their colour', () => {
  const { painter, layout, context, base, matrix } = heatmap(5);
  painter.paint(context, layout, LIGHT);
  const drawn = base().calls.filter(([name, text]) => name === 'fillText' && /^[01]\.\d\d$/.test(text));
  const expected = Array.from({ length: 5 }, (_, row) =>
    rowTexts(matrix.data.subarray(row * 5, row * 5 + 5), scale, { decimals: 2, leadingZero: true }),
  ).flat();
  assert.deepEqual(
    drawn.map(([, text]) => text),
    expected,
  );
  drawn.forEach((call, i) => {
    const ink = colors.ink[Math.round(matrix.data[i] * 255)];
    assert.equal(call[call.length - 1].fillStyle, ink);
  });
  assert.throws(
    () => painter.paint(context, { ...layout, rows: 4 }, LIGHT),
    /layout is for 4 × 5, the matrix has 5 × 5/,
  );
});

test('a masked score is written as −∞; a masked weight and a difference of two masked ones are not written', () => {
  const { painter, layout, context, base } = heatmap(2);
  const masked = Uint8Array.from([0, 1, 0, 0]);
  const shown = (/** @type {number[]} */ data, /** @type {import('../../web/view/scale.js').Scale} */ of) => {
    const matrix = { rows: 2, columns: 2, data: Float32Array.from(data) };
    painter.update({ matrix, scale: of, palette: palette('brbg'), masked });
    base()?.calls.splice(0);
    painter.paint(context, layout, LIGHT);
    return base().calls.filter(([name, text]) => name === 'fillText' && /^−?(∞|\d\.\d\d)$/.test(text));
  };
  const texts = (/** @type {any[][]} */ calls) => calls.map(([, text]) => text);
  assert.deepEqual(texts(shown([1, -Infinity, -2, 3], scoreScale([3]))), ['1.00', '−∞', '−2.00', '3.00']);
  assert.deepEqual(texts(shown([1, 0, 0.25, 0.75], scale)), ['1.00', '0.25', '0.75']);
  const difference = shown([0, NaN, -0.5, 0.5], differenceScale([0.5]));
  assert.deepEqual(texts(difference), ['0.00', '−0.50', '0.50']);
  for (const call of difference) assert.equal(call[call.length - 1].direction, 'ltr');
});

test('headMatrix is a view of the right numbers; masked cells are those of −Infinity', () => {
  const shape = [2, 3, 2, 4];
  const data = Float32Array.from({ length: 48 }, (_, i) => i);
  const head = headMatrix({ shape, data }, { batch: 1, head: 2 });
  assert.deepEqual([head.rows, head.columns, head.data[0], head.data.length], [2, 4, 40, 8]);
  data[40] = -Infinity;
  assert.deepEqual(Array.from(maskedCells(head)), [1, 0, 0, 0, 0, 0, 0, 0]);
  assert.throws(() => headMatrix({ shape, data }, { head: 3 }), /head 3 is outside shape \[2, 3, 2, 4\]/);
  assert.throws(() => headMatrix({ shape: [48], data }), /2 to 4 axes/);
});

test('shrinking is the maximum of what falls into each pixel, whatever the sizes, without what is masked or no number', () => {
  for (const [rows, columns, width, height] of [
    [9, 9, 5, 5],
    [9, 10, 5, 9],
    [7, 5, 5, 7],
    [3, 4, 8, 9],
    [1, 20, 7, 1],
    [12, 5, 4, 5],
    [13, 13, 4, 3],
  ]) {
    const data = Float32Array.from({ length: rows * columns }, (_, i) => (i % 11 === 3 ? NaN : ((i * 37) % 101) - 50));
    const masked = Uint8Array.from(data, (_, i) => (i % 5 === 0 ? 1 : 0));
    const pixel = (/** @type {number} */ y, /** @type {number} */ x) => {
      let most = -Infinity;
      const edges = (/** @type {number} */ i, /** @type {number} */ count, /** @type {number} */ pixels) => {
        const first = Math.floor((i * count) / pixels);
        return [first, Math.max(first + 1, Math.floor(((i + 1) * count) / pixels))];
      };
      const [top, bottom] = edges(y, rows, height);
      const [left, right] = edges(x, columns, width);
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) {
          const at = row * columns + column;
          if (masked[at] === 0 && data[at] > most) most = data[at];
        }
      return most;
    };
    assert.deepEqual(
      Array.from(maxPool({ rows, columns, data }, width, height, masked)),
      Array.from({ length: width * height }, (_, i) => pixel(Math.floor(i / width), i % width)),
      `${rows} × ${columns} in ${height} × ${width} pixels`,
    );
  }
});

test('pooling keeps the largest value, covers every cell, and leaves what is masked', () => {
  const matrix = someWeights(128, 128);
  for (const size of [1, 7, 30, 64, 128]) {
    const pooled = maxPool(matrix, size, size);
    assert.equal(Math.max(...pooled), Math.max(...matrix.data), `to ${size}`);
    assert.equal(
      Math.max(...pooled.subarray(0, size)),
      Math.max(...matrix.data.subarray(0, Math.floor(128 / size) * 128)),
    );
  }
  assert.equal(maxPool(matrix, 128, 128), matrix.data, 'nothing to shrink, nothing copied');
  const small = { rows: 2, columns: 2, data: Float32Array.from([1, 2, 3, 4]) };
  assert.deepEqual(Array.from(maxPool(small, 4, 2)), [1, 1, 2, 2, 3, 3, 4, 4]);
  assert.deepEqual(Array.from(maxPool(small, 1, 2, Uint8Array.from([1, 1, 0, 1]))), [-Infinity, 3]);
});

test('thumbnails: one image a head, one drawImage a frame, hits inverse to boxes', () => {
  /** @type {ReturnType<typeof fakeSurface>[]} */
  const surfaces = [];
  const painter = createThumbnails((width, height) => {
    surfaces.push(fakeSurface(width, height));
    return /** @type {any} */ (surfaces[surfaces.length - 1]);
  });
  const patterns = [0, 1, 2].map(() => ({ shape: [1, 4, 9, 9], data: someWeights(36, 9).data }));
  for (const arrangement of /** @type {const} */ (['grid', 'strip'])) {
    const layout = layoutThumbnails({ layers: 3, heads: 4, width: 300, fonts: LIGHT, measure, dpr: 2, arrangement });
    for (let layer = 0; layer < 3; layer++) {
      for (let head = 0; head < 4; head++) {
        const { x, y, width, height } = layout.box({ layer, head });
        assert.deepEqual(hitThumbnails(layout, x + width / 2, y + height / 2), { layer, head });
        assert.ok(x + width < layout.width && y + height < layout.height);
      }
    }
    assert.equal(hitThumbnails(layout, -4, -4), null);
    painter.update({ patterns, scale, palette: colors });
    const canvas = fakeSurface(1, 1);
    painter.paint(/** @type {any} */ (canvas.getContext()), layout, LIGHT, { selected: { layer: 1, head: 2 } });
    assert.equal(counts(canvas.calls).drawImage, 1);
    const put = surfaces[surfaces.length - 1].calls.filter(([name]) => name === 'putImageData');
    assert.equal(put.length, 12);
    const [, image, x, y] = put[11];
    const box = layout.box({ layer: 2, head: 3 });
    assert.deepEqual([x, y, image.width], [box.x * 2, box.y * 2, box.width * 2].map(Math.round));
    const pixels = new Uint32Array(image.data.buffer);
    const corner = patterns[2].data[3 * 81];
    assert.equal(pixels[0], colors.pixels[Math.round(corner * 255)], 'upper left is query 0, key 0');
    // Other values of the same size take the place of these.
    const made = surfaces.length;
    painter.update({ patterns, scale, palette: colors });
    painter.paint(/** @type {any} */ (canvas.getContext()), layout, LIGHT);
    assert.equal(surfaces.length, made);
    assert.equal(counts(surfaces[made - 1].calls).putImageData, 24);
    assert.equal(counts(surfaces[made - 1].calls).clearRect, 2, 'labels are not written over each other');
  }
  const canvas = /** @type {any} */ (fakeSurface(1, 1).getContext());
  const wrong = layoutThumbnails({ layers: 2, heads: 4, width: 300, fonts: LIGHT, measure });
  assert.throws(() => painter.paint(canvas, wrong, LIGHT), /for 2 layers, got 3 patterns/);
});

test('lines: above the threshold, at most the limit, strongest last; strokes stay few', () => {
  const matrix = someWeights(512, 512);
  const all = selectLines(matrix, { threshold: 0, limit: 3000 });
  assert.equal(all.lines.length, 3000);
  assert.equal(all.total, 512 * 512);
  assert.equal(all.threshold, all.lines[0].weight);
  for (let i = 1; i < 3000; i++) assert.ok(all.lines[i].weight >= all.lines[i - 1].weight);
  const own = selectLines(matrix, { threshold: 0, only: { query: 7 } });
  assert.ok(own.lines.length === 512 && own.lines.every(({ query }) => query === 7));
  const into = selectLines(matrix, { threshold: 0, only: { key: 7 } });
  assert.ok(into.lines.length === 512 && into.lines.every(({ key }) => key === 7));

  const layout = layoutArcs({
    queries: tokens(512),
    keys: tokens(512),
    width: 600,
    height: 500,
    measure,
    fonts: LIGHT,
  });
  const canvas = fakeSurface(1, 1);
  paintArcs(/** @type {any} */ (canvas.getContext()), layout, LIGHT, matrix, all.lines);
  const frame = counts(canvas.calls);
  assert.ok(frame.stroke <= 8);
  assert.ok(frame.fillText < 200, 'only tokens in view');
});

test('numbers beside lines run from left to right, in a page of the other direction too', () => {
  const matrix = { rows: 2, columns: 2, data: Float32Array.of(0.25, 0.75, 0.5, 0.5) };
  const layout = layoutArcs({ queries: tokens(2), keys: tokens(2), width: 500, measure, fonts: LIGHT });
  const canvas = fakeSurface(1, 1);
  const selected = { query: 0, key: null };
  paintArcs(/** @type {any} */ (canvas.getContext()), layout, LIGHT, matrix, selectLines(matrix).lines, { selected });
  const numbers = canvas.calls.filter(([name, text]) => name === 'fillText' && /^\.\d\d$/.test(text));
  assert.deepEqual(
    numbers.map(([, text]) => text),
    ['.25', '.75'],
  );
  for (const call of numbers) assert.equal(call[call.length - 1].direction, 'ltr');
});

test('lines are hit where they are drawn, tokens on their row', () => {
  const matrix = { rows: 4, columns: 6, data: new Float32Array(24) };
  matrix.data[1 * 6 + 4] = 0.9;
  const { lines } = selectLines(matrix);
  const layout = layoutArcs({ queries: tokens(4), keys: tokens(6), width: 500, measure, fonts: LIGHT });
  assert.equal(layout.queryOffset, layout.rowHeight, 'the shorter column stands in the middle');
  const start = layout.top + layout.queryOffset + 1.5 * layout.rowHeight;
  const end = layout.top + 4.5 * layout.rowHeight;
  const middle = (layout.from + layout.to) / 2;
  assert.deepEqual(hitArcs(layout, lines, middle, (start + end) / 2), { part: 'cell', query: 1, key: 4 });
  assert.equal(hitArcs(layout, lines, middle, layout.bottom - 3), null);
  assert.deepEqual(hitArcs(layout, lines, 20, start), { part: 'row', query: 1, key: null });
  assert.deepEqual(hitArcs(layout, lines, layout.to + 9, end), { part: 'column', query: null, key: 4 });
  assert.equal(hitArcs(layout, lines, 20, layout.top + 2), null);
});
