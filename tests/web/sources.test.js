// Everything `load` can be given, as one folder: on disk, in memory, at an address with and without Range.
import assert from 'node:assert/strict';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { absoluteSource, openSource, weightFiles } from '../../web/engine/sources.js';
import { Tokenizer } from '../../web/engine/tokenizer.js';

const CONFIG = '{"model_type":"bert","ü":"é"}';
const WEIGHTS = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251);
const LARGE = Uint8Array.from({ length: 20 * 2 ** 20 }, (_, i) => (i >> 8) % 253);
const VOCAB = '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n';

/** @type {Record<string, string | Uint8Array<ArrayBuffer>>} */
const FILES = { 'config.json': CONFIG, 'model.safetensors': WEIGHTS, 'vocab.txt': VOCAB };

/** @param {string} code @param {RegExp} [message] */
const fails =
  (code, message = /./) =>
  (/** @type {any} */ error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };

/** @param {import('../../web/engine/sources.js').Folder} folder */
async function assertReads(folder) {
  assert.equal(await folder.has('config.json'), true);
  assert.equal(await folder.has('tokenizer.json'), false);
  assert.deepEqual(await folder.json('config.json'), JSON.parse(CONFIG));
  assert.equal(await folder.text('vocab.txt'), VOCAB);
  assert.equal(await folder.size('model.safetensors'), WEIGHTS.length);
  assert.deepEqual(await folder.slice('model.safetensors', 0, 8), WEIGHTS.slice(0, 8));
  const tail = await folder.slice('model.safetensors', 299_000, 300_000);
  assert.deepEqual(tail, WEIGHTS.slice(299_000));
  assert.equal(tail.buffer.byteLength, 1000, 'memory of its own');
  assert.deepEqual(await folder.slice('model.safetensors', 5, 5), new Uint8Array(0));
  assert.deepEqual(await weightFiles(folder), { files: ['model.safetensors'], weightMap: null });
  assert.deepEqual((await Tokenizer.fromFolder(folder))?.encode('A').tokens, ['[CLS]', 'a', '[SEP]']);
  assert.deepEqual(await folder.list(), ['config.json', 'model.safetensors', 'vocab.txt']);
  await assert.rejects(folder.slice('model.safetensors', 0, 300_001), fails('bad-weights', /ends at 300000/));
  await assert.rejects(folder.slice('model.safetensors', 9, 8), fails('bad-input', /no range/));
  await assert.rejects(folder.text('tokenizer.json'), fails('not-found', /^tokenizer.json was not found in /));
  for (const name of ['../config.json', '/etc/hostname', 'a/../b', '', 'C:\\x', 'a\0b']) {
    await assert.rejects(folder.has(name), fails('bad-input', /file name inside the folder/));
  }
}

describe('on disk', () => {
  /** @type {string} */
  let root;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'glassformer-sources-'));
    await mkdir(join(root, 'tiny'));
    for (const [name, content] of Object.entries(FILES)) await writeFile(join(root, 'tiny', name), content);
    await mkdir(join(root, 'broken'));
    await writeFile(join(root, 'broken', 'config.json'), '{');
  });
  after(() => rm(root, { recursive: true }));

  test('by path, by file address, and by the bare name of a packaged model', async () => {
    await assertReads(await openSource(join(root, 'tiny')));
    await assertReads(await openSource(pathToFileURL(join(root, 'tiny'))));
    await assertReads(await openSource('tiny', { base: pathToFileURL(root) }));
    assert.equal(absoluteSource(join(root, 'tiny')), join(root, 'tiny'));
  });

  test('errors name file and folder', async () => {
    await assert.rejects(openSource(join(root, 'none')), fails('not-found', /there is no folder at .*none/));
    await assert.rejects(
      openSource('no-such-model'),
      fails('not-found', /web\/models\/no-such-model\/ nor at no-such-model/),
    );
    await assert.rejects(openSource(join(root, 'tiny', 'config.json')), fails('not-found', /is a file/));
    const folder = await openSource(join(root, 'broken'));
    await assert.rejects(folder.json('config.json'), fails('bad-config', /^config.json in .*broken is not JSON/));
    await assert.rejects(folder.json('config.json', 'bad-weights'), fails('bad-weights'));
  });

  test('progress, and an end by signal', async () => {
    /** @type {import('../../web/engine/sources/folder.js').Progress[]} */
    const seen = [];
    const stop = new AbortController();
    const options = { signal: stop.signal, onProgress: (/** @type {any} */ progress) => seen.push(progress) };
    const folder = await openSource(join(root, 'tiny'), options);
    await folder.slice('model.safetensors', 0, 100_000);
    await folder.slice('model.safetensors', 0, 8);
    await folder.slice('model.safetensors', 100_000, 300_000);
    assert.deepEqual(seen, [
      { file: 'model.safetensors', loaded: 100_000, total: 300_000 },
      { file: 'model.safetensors', loaded: 300_000, total: 300_000 },
    ]);
    stop.abort();
    await assert.rejects(folder.text('config.json'), fails('aborted', /loading config.json from .*tiny was aborted/));
  });
});

describe('in memory', () => {
  test('an object of text, views, buffers and blobs', async () => {
    await assertReads(await openSource(FILES));
    const around = new Uint8Array(WEIGHTS.length + 6);
    around.set(WEIGHTS, 3);
    await assertReads(
      await openSource({
        'config.json': new Blob([CONFIG]),
        'model.safetensors': around.subarray(3, WEIGHTS.length + 3),
        'vocab.txt': new TextEncoder().encode(VOCAB).buffer,
      }),
    );
  });

  test("picked files: the model's folder is where config.json is", async () => {
    /** @param {string} path @param {string | Uint8Array<ArrayBuffer>} content */
    const picked = (path, content) => {
      const file = new File([content], path.split('/').at(-1) ?? '');
      return Object.defineProperty(file, 'webkitRelativePath', { value: path });
    };
    const files = Object.entries(FILES);
    await assertReads(await openSource(files.map(([name, content]) => new File([content], name))));
    await assertReads(
      await openSource([
        picked('picked/README.md', ''),
        picked('picked/deep/er/config.json', '{}'),
        ...files.map(([name, content]) => picked(`picked/tiny/${name}`, content)),
      ]).then(async (folder) => {
        assert.deepEqual(await folder.list(), Object.keys(FILES).sort());
        return folder;
      }),
    );
  });

  test('what is no source', async () => {
    for (const source of [null, 5, undefined, new Blob(['x']), new Uint8Array(3), '']) {
      await assert.rejects(openSource(/** @type {any} */ (source)), fails('bad-input', /^source: expected/));
    }
    await assert.rejects(openSource({ 'config.json': 5 }), fails('bad-input', /source\["config.json"\].*not number/));
    await assert.rejects(openSource(['config.json']), fails('bad-input', /source\[0\]: expected a File/));
  });
});

describe('at an address', () => {
  /** @type {import('node:http').Server} */
  let server;
  /** @type {string} */
  let address;
  /** @type {{ path: string, range: string | undefined, status: number }[]} */
  let log = [];

  before(async () => {
    server = createServer((request, response) => {
      const [, how = '', ...rest] = (request.url ?? '').split('?')[0].split('/');
      const name = decodeURIComponent(rest.join('/'));
      const content = { ...FILES, 'large file.bin': LARGE }[name];
      const { range } = request.headers;
      /** @param {number} status @param {Record<string, string | number>} headers @param {string | Uint8Array} [body] */
      const answer = (status, headers, body) => {
        log.push({ path: request.url ?? '', range, status });
        response.writeHead(status, headers).end(body);
      };
      const body = typeof content === 'string' ? Buffer.from(content) : content;
      if (how === 'page' && !body)
        return answer(200, { 'content-type': 'text/html; charset=utf-8' }, '<!doctype html>');
      if (how === 'broken') return answer(500, {});
      if (how === 'forbidden') return answer(403, {});
      if (!body) return answer(404, {});
      if (how === 'gzip') return answer(200, { 'content-encoding': 'gzip' }, gzipSync(body));
      if (how === 'chunked') {
        log.push({ path: request.url ?? '', range, status: 200 });
        response.write(body.subarray(0, 10));
        return response.end(body.subarray(10));
      }
      if (how === 'cut') {
        response.writeHead(200, { 'content-length': body.length + 100 }).write(body);
        return setTimeout(() => response.destroy(), 20);
      }
      if (how === 'stall') {
        response.writeHead(200, { 'content-length': body.length + 100 });
        return response.write(body);
      }
      const wanted = how === 'range' ? /^bytes=(\d+)-(\d+)$/.exec(range ?? '') : null;
      if (wanted) {
        const start = Number(wanted[1]);
        const end = Math.min(Number(wanted[2]) + 1, body.length);
        return answer(206, { 'content-range': `bytes ${start}-${end - 1}/${body.length}` }, body.subarray(start, end));
      }
      return answer(200, { 'content-length': body.length }, body);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    address = `http://127.0.0.1:${port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const how of ['plain', 'range', 'gzip', 'chunked', 'page']) {
    test(`small files, one request each (${how})`, async () => {
      log = [];
      const folder = await openSource(`${address}/${how}`);
      await assertReads(folder);
      const asked = log.filter(({ path }) => path.endsWith('model.safetensors'));
      assert.equal(asked.length, 1);
      assert.equal(asked[0].range, undefined, 'whole, so that a server may compress it');
      folder.close();
    });
  }

  test('a packaged model by its name below a base', async () => {
    await assertReads(await openSource('plain', { base: address }));
  });

  test('a large file comes in windows where the server knows Range', async () => {
    log = [];
    /** @type {import('../../web/engine/sources/folder.js').Progress[]} */
    const seen = [];
    const folder = await openSource(`${address}/range/?key=1`, { onProgress: (progress) => seen.push(progress) });
    assert.equal(await folder.size('large file.bin'), LARGE.length);
    for (let start = 0; start < LARGE.length; start += 3_000_000) {
      const end = Math.min(LARGE.length, start + 3_000_000);
      assert.ok(Buffer.from(LARGE.buffer, start, end - start).equals(await folder.slice('large file.bin', start, end)));
    }
    const whole = await folder.slice('large file.bin', 0, LARGE.length);
    assert.ok(Buffer.from(LARGE.buffer).equals(whole), 'a slice larger than a window');
    assert.ok(log.every(({ path }) => path === '/range/large%20file.bin?key=1'));
    assert.deepEqual(
      log.map(({ status, range }) => (status === 206 ? range : status)),
      [
        200,
        'bytes=0-8388607',
        'bytes=6000000-14388607',
        'bytes=12000000-20388607',
        'bytes=18000000-20971519',
        'bytes=0-20971519',
      ],
    );
    assert.deepEqual(seen.at(-1), { file: 'large file.bin', loaded: LARGE.length, total: LARGE.length });
  });

  test('a large file comes whole where it does not', async () => {
    log = [];
    const folder = await openSource(new URL(`${address}/plain/`));
    const end = LARGE.length;
    assert.ok(Buffer.from(LARGE.buffer, end - 9).equals(await folder.slice('large file.bin', end - 9, end)));
    assert.ok(Buffer.from(LARGE.buffer, 0, 9).equals(await folder.slice('large file.bin', 0, 9)));
    // The first request is broken off at its headers, the second asks for a range and is given all.
    assert.equal(log.length, 2);
  });

  test('progress grows to the total', async () => {
    for (const how of ['plain', 'chunked', 'gzip']) {
      /** @type {import('../../web/engine/sources/folder.js').Progress[]} */
      const seen = [];
      const folder = await openSource(`${address}/${how}`, { onProgress: (progress) => seen.push(progress) });
      await folder.size('model.safetensors');
      assert.ok(seen.every(({ loaded }, i) => i === 0 || loaded >= seen[i - 1].loaded));
      assert.ok(seen.every(({ file, total }) => file === 'model.safetensors' && (total === null || total === 300_000)));
      assert.deepEqual(seen.at(-1), { file: 'model.safetensors', loaded: 300_000, total: 300_000 });
    }
  });

  test('errors: missing, refused, broken off, nobody there', async () => {
    const forbidden = await openSource(`${address}/forbidden`);
    await assert.rejects(forbidden.json('config.json'), fails('not-found', /config.json was not found in http/));
    const broken = await openSource(`${address}/broken`);
    await assert.rejects(broken.has('config.json'), fails('not-found', /the server answered 500/));
    const cut = await openSource(`${address}/cut`);
    await assert.rejects(cut.text('config.json'), fails('not-found', /config.json in http.* could not be read/));
    const nobody = await openSource('http://127.0.0.1:9/x');
    await assert.rejects(
      nobody.text('config.json'),
      fails('not-found', /^config.json at http.*could not be read: no server answered$/),
    );
  });

  test('an abort ends a transfer that hangs', async () => {
    const stop = new AbortController();
    const folder = await openSource(`${address}/stall`, { signal: stop.signal, onProgress: () => stop.abort() });
    await assert.rejects(folder.text('config.json'), fails('aborted', /loading config.json from http/));
    await assert.rejects(folder.text('config.json'), fails('aborted'));
  });
});

describe('the files of the weights', () => {
  /** @param {unknown} weightMap @param {string[]} [files] */
  const sharded = (weightMap, files = []) =>
    openSource({
      'model.safetensors.index.json': JSON.stringify({ weight_map: weightMap }),
      ...Object.fromEntries(files.map((file) => [file, 'x'])),
    }).then(weightFiles);

  test('shards, each once', async () => {
    const weightMap = { a: 'm-2.safetensors', b: 'm-1.safetensors', c: 'm-2.safetensors' };
    const files = ['m-1.safetensors', 'm-2.safetensors'];
    assert.deepEqual(await sharded(weightMap, files), { files, weightMap });
    await assert.rejects(sharded(weightMap, files.slice(1)), fails('not-found', /^m-1.safetensors was not found/));
  });

  test('shards outside the folder, and no map, are refused', async () => {
    for (const file of ['../m.safetensors', '/m.safetensors', '..\\m', 5, null]) {
      await assert.rejects(sharded({ a: file }), fails('bad-weights', /the file of a, .*is not inside the folder/));
    }
    for (const map of [null, {}, 'x'])
      await assert.rejects(sharded(map), fails('bad-weights', /expected a weight_map/));
  });

  test('a pickle is unsupported, nothing is not found', async () => {
    const pickle = await openSource({ 'pytorch_model.bin': 'x' });
    await assert.rejects(weightFiles(pickle), fails('unsupported', /pytorch_model.bin.*save_pretrained/));
    await assert.rejects(weightFiles(await openSource({})), fails('not-found', /model.safetensors was not found/));
  });
});

test('a folder without a tokenizer has none; tokenizer.json comes before vocab.txt', async () => {
  assert.equal(await Tokenizer.fromFolder(await openSource({ 'config.json': '{}' })), null);
  const json = Tokenizer.fromVocab(VOCAB).files.tokenizer;
  const folder = await openSource({
    'tokenizer.json': JSON.stringify(json),
    'tokenizer_config.json': '{"model_max_length": 3}',
    'vocab.txt': 'other',
  });
  const tokenizer = await Tokenizer.fromFolder(folder);
  assert.equal(tokenizer?.maxLength, 3);
  assert.equal(tokenizer?.encode('a a').truncated, 1);
});
