// Links below each exhibit: to the line of the core that computes it, to papers, and to the lab with the figure's state.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EXHIBITS } from '../../web/elements/exhibits/index.js';
import sources from '../../web/elements/exhibits/sources.js';
import { readFragment } from '../../web/site/fragment.js';
import { openExhibit } from './exhibit.js';
import { openLab } from './lab.js';
import { openBrowser } from './page.js';

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
});
after(() => site?.close());

describe('to the core', () => {
  for (const [name, { file, line, symbol }] of Object.entries(sources))
    test(`${name}: the page of ${file} has ${symbol} at its line`, async () => {
      const page = await (await fetch(`${site.url}source/${file}.html`)).text();
      const found = new RegExp(`<li id="L${line}"[^>]*>(.*)`).exec(page);
      assert.ok(found?.[1].includes(`${symbol.split('::').at(-1)}(`), found?.[0]);
    });
});

for (const { name, load } of EXHIBITS)
  test(`${name}: to papers and to the lab`, async () => {
    const { default: exhibit } = await load();
    for (const { url } of exhibit.papers)
      assert.match(url, /^https:\/\/arxiv\.org\/(abs\/\d{4}\.\d{4,5}|html\/\d{4}\.\d{4,5}v\d+#S[\d.S]+)$/);
    const fields = new URLSearchParams(exhibit.lab(exhibit.start));
    const { choice, notes } = readFragment(String(fields));
    assert.deepEqual(notes, [], 'the lab knows all of it');
    const { page, problems, close } = await openLab(site, { hash: `#${fields}` });
    assert.deepEqual(await page.locator('#status .note').allInnerTexts(), []);
    const state = await page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    for (const key of ['layer', 'head', 'query', 'key', 'attention', 'kind', 'target', 'how', 'length'])
      if (state[key] !== undefined && fields.has(key)) assert.equal(state[key], fields.get(key), key);
    if (choice.text) assert.equal(await page.locator('textarea').first().inputValue(), choice.text);
    assert.deepEqual(problems, []);
    await close();
  });

test('the link to the lab follows the figure', async () => {
  const exhibit = await openExhibit(site, 'heatmap');
  try {
    const link = () => exhibit.element.getByRole('link', { name: 'open in the lab' }).getAttribute('href');
    assert.equal(await link(), './index.html#model=words&text=the+cat+sat+on+the+mat&layer=1&head=1&palette=ylorrd');
    await exhibit.slide('head', 3);
    await exhibit.after(() => exhibit.element.getByLabel('sentence', { exact: true }).fill('a dog & a cat'));
    assert.equal(await link(), './index.html#model=words&text=a+dog+%26+a+cat&layer=1&head=3&palette=ylorrd');
  } finally {
    await exhibit.close();
  }
});
