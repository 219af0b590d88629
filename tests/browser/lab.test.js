// The lab draws the run and nothing else: pixels, explanation and answers are its numbers, and change with its weights.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cellsOf, colourOf, colours, openLab, picture, printable, recorded, settled, tokens, type } from './lab.js';
import { openBrowser } from './page.js';

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site.close());

test('the page opens under its policy with a picture and without a message', async () => {
  const { page, problems, close } = await openLab(site);
  assert.deepEqual(await tokens(page), ['[CLS]', 'a', 'large', 'wild', 'cat', 'with', 'striped', 'fur', '[SEP]']);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy ?? '', /default-src 'self'; script-src 'self' 'wasm-unsafe-eval'/);
  assert.equal(await page.evaluate(() => document.querySelectorAll('[style*="color"]').length), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('typing changes tokens, picture and answers, and the last text wins', async () => {
  const { page, problems, close } = await openLab(site);
  const [heatmap, grid] = [await picture(page, 'canvas.matrix'), await picture(page, '#heads canvas')];
  await page.locator('textarea').pressSequentially(' and teeth', { delay: 15 });
  await page.waitForFunction(() => document.querySelectorAll('.token').length === 11);
  await settled(page);
  assert.deepEqual((await tokens(page)).slice(-4), ['fur', 'and', 'teeth', '[SEP]']);
  assert.notEqual(await picture(page, 'canvas.matrix'), heatmap);
  assert.notEqual(await picture(page, '#heads canvas'), grid);
  // The field's own undo takes typing back.
  await page.locator('textarea').press('Control+z');
  await page.waitForFunction(() => !document.querySelector('textarea')?.value.endsWith('teeth'));
  assert.deepEqual(problems, []);
  await close();
});

for (const scheme of /** @type {const} */ (['light', 'dark'])) {
  test(`the heatmap's pixels are the run's weights (${scheme})`, async () => {
    const { page, close } = await openLab(site, { hash: '#layer=1&head=1', colorScheme: scheme });
    const { rows, columns, cell } = await cellsOf(page);
    const { shape, data } = await recorded(page, 'blocks.1.attn.hook_pattern');
    const [, , queries, keys] = shape;
    assert.equal(rows.length, queries);
    assert.equal(columns.length, keys);
    await settled(page);
    // Beside the number, which stands in the middle of its cell.
    const points = rows.flatMap((y) => columns.map((x) => /** @type {[number, number]} */ ([x, y - cell * 0.33])));
    const shown = await colours(page, points);
    const name = scheme === 'dark' ? 'viridis' : 'ylorrd';
    const start = 1 * queries * keys;
    shown.forEach((colour, i) => {
      assert.deepEqual(
        colour,
        colourOf(data[start + i], name, scheme === 'dark'),
        `query ${Math.floor(i / keys)}, key ${i % keys}`,
      );
    });
    await close();
  });
}

test('a changed weight changes the picture, its explanation and the answers', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=0&head=0' });
  const read = async () => ({
    heatmap: await picture(page, 'canvas.matrix'),
    grid: await picture(page, '#heads canvas'),
    why: await page.locator('.steps').innerText(),
    logits: await page.evaluate(() =>
      Array.from(/** @type {any} */ (globalThis).glassformer.run.output.logits.data).join(),
    ),
  });
  /** @param {string} ending of the parameter's name @param {number} by what is added to every other value */
  const change = async (ending, by) => {
    await page.evaluate(
      async ([end, amount]) => {
        const { model, refresh } = /** @type {any} */ (globalThis).glassformer;
        const names = model.parameters().map((/** @type {{ name: string }} */ { name }) => name);
        const name = names.find((/** @type {string} */ of) => of.endsWith(String(end)));
        const { shape, data } = await model.parameter(name);
        for (let i = 0; i < data.length; i += 2) data[i] += Number(amount);
        await model.setParameter(name, { shape, data });
        await refresh();
      },
      [ending, by],
    );
    await settled(page);
  };
  const before = await read();
  await change('layer.0.attention.self.query.bias', 2);
  const after = await read();
  for (const part of /** @type {const} */ (['heatmap', 'grid', 'why', 'logits']))
    assert.notEqual(after[part], before[part], part);
  await change('classifier.out_proj.bias', 50);
  // The classes with even numbers: act, artifact, cognition, food, person, state.
  const answers = await page.locator('#answers .name').allInnerTexts();
  for (const name of answers.slice(0, 3))
    assert.ok(['act', 'artifact', 'cognition', 'food', 'person', 'state'].includes(name), name);
  await close();
});

test('the explanation adds up, and is the run', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=1&head=0&query=3&key=4' });
  const number = async (/** @type {number} */ step) =>
    Number((await page.locator('.steps li').nth(step).locator('.number').innerText()).replace('−', '-'));
  const [dot, scaled, weight] = [await number(0), await number(1), await number(2)];
  const { shape, data: scores } = await recorded(page, 'blocks.1.attn.hook_attn_scores');
  const { data: weights } = await recorded(page, 'blocks.1.attn.hook_pattern');
  const at = 3 * shape[3] + 4;
  const width = (await recorded(page, 'blocks.1.attn.hook_q')).shape[3];
  // Shown with two decimals; the core sums in another order than this page, by less than 1e-3.
  assert.ok(Math.abs(scaled - scores[at]) < 0.0061, `${scaled} is shown for the score ${scores[at]}`);
  assert.ok(Math.abs(dot / Math.sqrt(width) - scores[at]) < 0.0061);
  assert.ok(Math.abs(weight - weights[at]) < 0.01, 'rounded by at most one unit, so that a row adds up');
  assert.equal(await page.locator('.notice').count(), 0, 'recorded and recomputed agree');
  const row = await page.locator('.answers.row .number').allInnerTexts();
  const cents = row.map((text) => Math.round(Number(text) * 100));
  assert.equal(
    cents.slice(0, -1).reduce((sum, value) => sum + value, 0),
    100,
  );
  assert.equal(cents.at(-1), 100);
  await close();
});

test('a number leads down to weights, each step adding up', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=1&head=0&query=3&key=4' });
  const value = async () =>
    Number((await page.locator('.trail .full').innerText()).replace('= ', '').replace('−', '-'));
  await page.locator('.steps li').first().locator('button.number').click();
  const places = [];
  for (let depth = 0; depth < 14; depth++) {
    const terms = page.locator('.terms .total .number');
    const more = page.locator('.terms button.number');
    await page.waitForFunction(
      () =>
        document.querySelector('.terms') ||
        document.querySelector('.trail')?.textContent?.includes('a parameter of the model'),
    );
    if (await terms.count()) {
      const total = Number((await terms.innerText()).replace('−', '-'));
      // Three decimals are shown; the core's float32 sums differ in the last of them at most.
      assert.ok(Math.abs(total - (await value())) < 0.0021, `${total} of terms for ${await value()}`);
    }
    places.push(await page.locator('.trail').innerText());
    if ((await more.count()) === 0) break;
    await more.first().click();
  }
  assert.match(places.join('\n'), /blocks\.1\.attn\.hook_q/);
  assert.match(places.join('\n'), /blocks\.0\.hook_mlp_out|blocks\.0\.hook_resid_mid/);
  assert.match(places.at(-1) ?? '', /embeddings\.word_embeddings\.weight\[\d+, \d+\]|a parameter of the model/);
  await page.locator('.trail nav button').first().click();
  assert.match(await page.locator('#why h2').innerText(), /^why \d\.\d\d\?$/);
  await close();
});

test('setting a weight to 0 runs the model again and says what became of its answer', async () => {
  const { page, close } = await openLab(site, { hash: '#layer=1&head=0&query=3&key=1' });
  const first = await page.locator('#answers .name').first().innerText();
  await page.locator('.ablation button').click();
  const said = page.locator('#switches .said');
  await page.waitForFunction(() => document.querySelector('#switches .said')?.textContent?.trim());
  assert.match(await said.innerText(), new RegExp(`${first},? 0\\.\\d{3}`));
  const { shape, data } = await recorded(page, 'blocks.1.attn.hook_pattern');
  assert.equal(data[3 * shape[3] + 1], 0);
  await close();
});

test('scores have a diverging palette about 0, arcs show weights', async () => {
  const { page, problems, close } = await openLab(site, { hash: '#layer=1' });
  const weights = await picture(page, 'canvas.matrix');
  await page.getByRole('radio', { name: 'scores' }).check();
  await settled(page);
  assert.notEqual(await picture(page, 'canvas.matrix'), weights);
  assert.match(await page.locator('.palette').innerText(), /BrBG/);
  assert.match(await page.locator('#why h2').innerText(), /^why −?\d+\.\d\d\?$/);
  await page.getByRole('radio', { name: 'arcs' }).check();
  await settled(page);
  assert.ok(await page.locator('canvas.arcs').isVisible());
  assert.ok(await page.locator('canvas.matrix').isHidden());
  assert.ok(await page.getByRole('radio', { name: 'weights' }).isChecked());
  assert.deepEqual(problems, []);
  await close();
});

test('a palette that was chosen is in the address, after the #', async () => {
  const { page, close } = await openLab(site);
  await page.locator('.palette select').selectOption('viridis');
  await page.waitForFunction(() => location.hash.includes('palette=viridis'));
  await settled(page);
  assert.equal(new URL(page.url()).search, '');
  await close();
});

test('text goes nowhere: no request carries it', async () => {
  const { page, close } = await openLab(site);
  await printable(page);
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await type(page, 'a secret word');
  await page.waitForFunction(() => location.hash.includes('secret'));
  const ownIcon = /\/assets\/icon-[^/?]*$/; // which the browser fetches when it likes
  assert.deepEqual(
    requests.filter((request) => !ownIcon.test(request)),
    [],
  );
  assert.equal(new URL(page.url()).search, '');
  await close();
});
