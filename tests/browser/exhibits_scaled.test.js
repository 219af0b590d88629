// Scaled dot-product attention: every control, the core's numbers, the mistake; and the links below an exhibit.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ops } from '../../web/engine/index.js';
import scaled from '../../web/elements/exhibits/scaled-dot-product.js';
import { assertClose, openExhibit, rowsOf } from './exhibit.js';
import { PATIENCE } from './lab.js';
import { openBrowser } from './page.js';

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
/** @type {Awaited<ReturnType<typeof openExhibit>>} */
let exhibit;
before(async () => {
  site = await openBrowser();
  exhibit = await openExhibit(site, 'scaled-dot-product');
});
after(async () => {
  await exhibit?.close();
  await site?.close();
});

const { q, k, v } = scaled.start;

describe('scaled dot-product attention', () => {
  test('shows the core’s numbers, with the division and without', async () => {
    const right = await ops.attention(q, k, v);
    const raw = await ops.attention(q, k, v, { scale: 1 });
    for (const [name, tensor] of Object.entries({
      QKᵀ: raw.scores,
      scores: right.scores,
      weights: right.weights,
      output: right.output,
    }))
      assertClose(await exhibit.numbers(name), rowsOf(tensor), name);
    await exhibit.turn('divide by √K', false);
    assertClose(await exhibit.numbers('weights'), rowsOf(raw.weights), 'weights without the division');
    const largest = (/** @type {number[][]} */ rows) => rows.map((row) => Math.max(...row));
    largest(rowsOf(raw.weights)).forEach((most, r) =>
      assert.ok(most > largest(rowsOf(right.weights))[r], `row ${r} is sharper`),
    );
    await exhibit.turn('divide by √K');
  });

  test('follows an edit of each matrix', async () => {
    const edits = { q, k, v };
    for (const [label, name, at] of /** @type {[string, 'q' | 'k' | 'v', number][]} */ ([
      ['Q, it, column 1', 'q', 0],
      ['K, cat, column 2', 'k', 5],
      ['V, down, column 2', 'v', 7],
    ])) {
      await exhibit.edit(label, -1.5);
      const data = edits[name].data.slice();
      data[at] = -1.5;
      edits[name] = { shape: edits[name].shape, data };
      const { output } = await ops.attention(edits.q, edits.k, edits.v);
      assertClose(await exhibit.numbers('output'), rowsOf(output), label);
    }
    await exhibit.reset();
  });

  test('a chosen cell lights its query, its key and its value', async () => {
    await exhibit.after(() =>
      exhibit.stage('table[aria-label="weights"]').getByRole('button', { name: 'weights, sat, down:' }).click(),
    );
    const lit = (/** @type {string} */ name) =>
      exhibit.stage(`table[aria-label="${name}"] tr:has(td.along) th`).allTextContents();
    assert.deepEqual([await lit('Q'), await lit('K'), await lit('V')], [['sat'], ['down'], ['down']]);
  });

  test('division by the root of the layer’s width flattens rows, the more the more heads there are', async () => {
    await exhibit.turn('what goes wrong if you divide by the root of the layer’s width');
    let before = Infinity;
    for (const heads of [1, 4, 16]) {
      await exhibit.slide('heads in the layer', heads);
      const { weights } = await ops.attention(q, k, v, { scale: 1 / Math.sqrt(heads * q.shape[1]) });
      assertClose(await exhibit.numbers('weights'), rowsOf(weights), `${heads} heads`);
      const most = Math.max(...rowsOf(weights)[0]);
      assert.ok(most < before, `${heads} heads: the largest weight is ${most}`);
      before = most;
    }
    const right = await ops.attention(q, k, v);
    assertClose(await exhibit.numbers('weights as they should be'), rowsOf(right.weights), 'beside it');
    assert.match(await exhibit.says(), /√H times too small/);
  });

  test('the link to the core leads to the line, the one to the lab opens it', async () => {
    const source = await exhibit.element.getByRole('link', { name: /attention\.cpp/ }).getAttribute('href');
    const lab = await exhibit.element.getByRole('link', { name: 'open in the lab' }).getAttribute('href');
    const page = await exhibit.page.context().newPage();
    await page.goto(new URL(String(source), `${site.url}learn.html`).href);
    assert.match(await page.locator('li:target').innerText(), /^\s*Tensor attention_scores\(/);
    await page.goto(new URL(String(lab), `${site.url}learn.html`).href);
    await page.waitForSelector('#why:not([hidden])', { state: 'attached', timeout: PATIENCE });
    assert.match(await page.locator('textarea').first().inputValue(), /the cat \[MASK\] on the mat/);
    await page.close();
  });

  test('is accessible, and says nothing in the console', () => exhibit.clean());
});
