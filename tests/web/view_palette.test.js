import assert from 'node:assert/strict';
import test from 'node:test';
import { PALETTES, colorAt, contrast, defaultPalette, inkAt, luminance, palette } from '../../web/view/palette.js';
import { fillPixels, indexOf, positionOf, scoreScale, weightScale } from '../../web/view/scale.js';
import { DARK, LIGHT, customProperties, themeFrom } from '../../web/view/theme.js';

const tables = PALETTES.flatMap(({ name }) => [palette(name), palette(name, { dark: true })]);

test('text on every colour of every palette has a contrast of at least 4.5', () => {
  for (const table of tables) {
    assert.equal(table.css.length, 256);
    table.css.forEach((color, i) => {
      const reached = contrast(color, table.ink[i]);
      assert.ok(reached >= 4.5, `${table.name} ${table.dark} ${i}: ${color} with ${table.ink[i]} is ${reached}`);
    });
  }
});

test('more is further from the background: luminance runs one way', () => {
  for (const { name, kind, dark, bytes } of tables) {
    const light = Array.from({ length: 256 }, (_, i) => luminance(bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2]));
    const away = dark ? 1 : -1;
    // A step of one in one channel of 8 bits may turn back by its rounding, no more.
    const rounding = 0.004;
    const sides = kind === 'sequential' ? [light] : [light.slice(128), light.slice(0, 128).reverse()];
    for (const side of sides) {
      for (let i = 1; i < side.length; i++) {
        assert.ok((side[i] - side[i - 1]) * away > -rounding, `${name} ${dark}: turns back at ${i}`);
      }
      assert.ok((side[side.length - 1] - side[0]) * away > 0.25, `${name} ${dark}: has too little range`);
    }
  }
});

test('a diverging palette is centred: both ends are equally far from the middle, which is nearest to the background', () => {
  for (const dark of [false, true]) {
    const table = palette('brbg', { dark });
    const { background } = dark ? DARK : LIGHT;
    const [low, middle, high] = [0, 0.5, 1].map((t) => contrast(colorAt(table, t), background));
    assert.ok(middle < 1.5 && low > 6 && high > 6, `${dark}: ${low} ${middle} ${high}`);
  }
});

test('words of the table are its bytes in memory order, on any machine', () => {
  const table = palette('viridis');
  const copy = new Uint8Array(new Uint32Array([table.pixels[7]]).buffer);
  assert.deepEqual(Array.from(copy), Array.from(table.bytes.subarray(28, 32)));
  assert.equal(copy[3], 255);
  assert.equal(palette('viridis'), table, 'made once');
  assert.throws(() => palette(/** @type {any} */ ('jet')), /expected one of viridis, ylorrd, brbg, got jet/);
});

test('known ends: d3 gives viridis #440154 to #fde725, turned round on a light page', () => {
  assert.equal(colorAt(palette('viridis', { dark: true }), 0), 'rgb(68, 1, 84)');
  assert.equal(colorAt(palette('viridis', { dark: true }), 7), 'rgb(253, 231, 37)');
  assert.equal(colorAt(palette('viridis'), 1), 'rgb(68, 1, 84)');
  assert.equal(inkAt(palette('viridis'), 1), '#fff');
  assert.deepEqual([defaultPalette('weights', true), defaultPalette('weights', false)], ['viridis', 'ylorrd']);
});

test('scales: weights from 0 to 1, scores symmetric about 0, masked has no colour', () => {
  const weights = weightScale();
  assert.deepEqual(
    [0, 0.5, 1, 2].map((v) => indexOf(weights, v)),
    [0, 128, 255, 255],
  );
  const scores = scoreScale([-3.21, 1, -Infinity, NaN]);
  assert.deepEqual([scores.min, scores.max], [-3.3, 3.3]);
  assert.equal(positionOf(scores, 0), 0.5);
  assert.equal(indexOf(scores, -Infinity), -1);
  assert.deepEqual(
    scoreScale([4]).ticks.map(({ text }) => text),
    ['−4', '−2', '0', '2', '4'],
  );
  assert.equal(scoreScale([]).max, 1);
  const root = weightScale({ curve: 'sqrt' });
  for (const { at, value } of root.ticks) assert.equal(positionOf(root, value), at);
});

test('fillPixels agrees with indexOf for every curve and leaves masked cells transparent', () => {
  const table = palette('ylorrd');
  const values = Float32Array.from([0, 0.013, 0.31, 0.5, 0.999, 1, -Infinity, NaN, 0.7]);
  const masked = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 1]);
  for (const scale of [weightScale(), weightScale({ curve: 'sqrt' }), weightScale({ max: 0.6 })]) {
    const out = new Uint32Array(values.length);
    fillPixels(scale, table, values, out, masked);
    values.forEach((value, i) => {
      const index = masked[i] ? -1 : indexOf(scale, value);
      assert.equal(out[i], index < 0 ? 0 : table.pixels[index], `${scale.curve} ${value}`);
    });
  }
});

test('themes: every text colour reads on its background; query and key differ in luminance too', () => {
  for (const theme of [LIGHT, DARK]) {
    for (const part of /** @type {const} */ (['text', 'muted', 'accent', 'query', 'key', 'positive', 'negative'])) {
      assert.ok(contrast(theme[part], theme.background) >= 4.5, `${part} of ${theme.dark ? 'dark' : 'light'}`);
    }
    assert.ok(contrast(theme.query, theme.key) >= 1.7);
  }
  const values = customProperties(LIGHT);
  assert.deepEqual(
    themeFrom((name) => values[name] ?? ''),
    LIGHT,
  );
  const mixed = themeFrom((name) => (name === '--glass-accent' ? ' #123456 ' : ''), { dark: true });
  assert.deepEqual(mixed, { ...DARK, accent: '#123456' });
});
