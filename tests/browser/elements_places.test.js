// The elements in other places: a page of another origin, and a frame that has none.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { contentSecurityPolicy } from '../../web/vite.config.js';
import { drawn, matrixOf, openElements } from './elements.js';
import { PATIENCE } from './lab.js';
import { openBrowser, watchProblems } from './page.js';

const WHERE = 'model="topics" text="a large wild cat"';
const built = fileURLToPath(new URL('../../build/site', import.meta.url));
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

let site;
/** Another origin that serves the same files to everybody, and a frame without an origin. */
let elsewhere;
/** A page of that origin that loads the elements from the site's. */
let foreign = { page: '', policy: '' };
before(async () => {
  site = await openBrowser();
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url ?? '/', 'http://localhost');
    const cors = { 'Access-Control-Allow-Origin': '*' };
    try {
      const page = pathname === '/foreign.html' ? foreign.page : pages[pathname];
      const body = page ?? (await readFile(path.join(built, pathname)));
      const type = page ? 'text/html' : (types[path.extname(pathname)] ?? 'application/octet-stream');
      const policy = page
        ? { 'Content-Security-Policy': pathname === '/foreign.html' ? foreign.policy : contentSecurityPolicy }
        : {};
      response.writeHead(200, { 'Content-Type': type, ...policy, ...cors }).end(body);
    } catch {
      response.writeHead(404, cors).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  elsewhere = { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
});
after(() => {
  elsewhere?.close();
  return site?.close();
});

/** @type {Record<string, string>} */
const pages = {
  '/frame.html': `<!doctype html><html lang="en"><title>a frame</title><link rel="icon" href="./icon.svg">
    <script type="module" src="./elements.js"></script><attention-heatmap ${WHERE} layer="1" head="3"></attention-heatmap></html>`,
  '/around.html': `<!doctype html><html lang="en"><title>around</title><link rel="icon" href="./icon.svg">
    <iframe title="a tutorial" sandbox="allow-scripts" src="frame.html" width="800" height="600"></iframe></html>`,
};

test('from another origin: on the main thread, with the same numbers', async () => {
  const { url } = site;
  foreign = {
    page: `<!doctype html><html lang="en"><title>another</title><link rel="icon" href="./icon.svg">
      <script type="module" src="${url}elements.js"></script><attention-heatmap ${WHERE} layer="1" head="3"></attention-heatmap></html>`,
    policy: `${contentSecurityPolicy.replace("script-src 'self'", `script-src 'self' ${url}`)}; connect-src ${url}`,
  };
  const context = await site.browser.newContext({ viewport: { width: 900, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.goto(`${elsewhere.url}foreign.html`);
  await drawn(page);
  const here = await openElements(site, `<attention-heatmap ${WHERE} layer="1" head="3"></attention-heatmap>`);
  assert.equal(page.workers().length, 0);
  assert.equal(here.page.workers().length, 1);
  assert.deepEqual(await matrixOf(page, 'attention-heatmap'), await matrixOf(here.page, 'attention-heatmap'));
  assert.deepEqual(
    problems.filter((text) => !/icon|404/.test(text)),
    [],
  );
  await here.close();
  await context.close();
});

test('in a sandboxed frame: on the main thread, with the same picture', async () => {
  const context = await site.browser.newContext({ viewport: { width: 900, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = watchProblems(page);
  await page.goto(`${elsewhere.url}around.html`);
  const frame = page.frameLocator('iframe');
  await frame.locator('attention-heatmap canvas[style]').waitFor({ timeout: PATIENCE });
  await frame.locator('attention-heatmap canvas').press('ArrowDown');
  await frame.locator('attention-heatmap canvas').press('ArrowRight');
  const now = await frame.locator('attention-heatmap #now').textContent();
  assert.match(String(now), /^query '\[CLS\]', key 'a', weight 0\.54\.$/);
  assert.equal(page.workers().length, 0);
  assert.deepEqual(
    problems.filter((text) => !/icon|404/.test(text)),
    [],
  );
  await context.close();
});
