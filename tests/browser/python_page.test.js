// The page that Python writes from a transformers model's outputs: opened from the disk, it shows the model's own numbers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { standaloneTemplate } from '../../web/build/standalone.js';
import { readData } from '../../web/standalone/data.js';
import { PATIENCE } from './lab.js';
import { openBrowser, watchProblems } from './page.js';

const snippet = fileURLToPath(new URL('../../web/elements/python', import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), 'glassformer-python-'));
const template = path.join(folder, 'standalone.html');
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let site;
before(async () => {
  site = await openBrowser();
  writeFileSync(template, await standaloneTemplate());
});
after(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Runs a program that knows the snippet and a folder to write to. @param {string} program */
function python(program) {
  const text = `import json, sys\nsys.path.insert(0, ${JSON.stringify(snippet)})\nfolder = ${JSON.stringify(folder)}\n${program}`;
  return spawnSync('python3', ['-c', text], { encoding: 'utf8', env: { ...process.env, HF_HUB_OFFLINE: '1' } });
}

/** Why Python cannot be asked, or false. Modules are looked for, not imported, which would take its time. @param {string[]} modules */
function without(...modules) {
  const { error, status } = python(
    `from importlib.util import find_spec\nsys.exit(not all(map(find_spec, ${JSON.stringify(modules)})))`,
  );
  return error || status !== 0 ? `python3 with ${modules.join(' and ')} is not here` : false;
}

/** What a program says in its last line, in JSON. @param {string} program @returns {any} */
function answer(program) {
  const { status, stdout, stderr } = python(program);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout.trim().split('\n').pop() ?? '');
}

/** The data of a page that was written. @param {string} name */
function dataOf(name) {
  const html = readFileSync(path.join(folder, `${name}.html`), 'utf8');
  const data = readData(/<script id="data" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
  assert.ok(data);
  return data;
}

const WITH_TORCH = `
import torch, transformers
from glassformer_html import attention_html
torch.manual_seed(1)
tokens = ["[CLS]", "a", "</script>", "cat", "[SEP]"]
ids = torch.tensor([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
common = dict(attn_implementation="eager")

def write(name, outputs, **options):
    attention_html(outputs, tokens, f"{folder}/{name}.html", template=f"{folder}/standalone.html", model=name, **options)

config = transformers.BertConfig(vocab_size=30, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=32)
bert = transformers.BertModel._from_config(config, **common).eval()(ids, output_attentions=True)
write("bert", bert, text="a <b> cat", batch=1)

config = transformers.GPT2Config(vocab_size=30, n_embd=32, n_layer=2, n_head=2, bos_token_id=1, eos_token_id=2)
gpt2 = transformers.GPT2LMHeadModel._from_config(config, **common).eval()(ids, output_attentions=True)
write("gpt2", gpt2, dtype="float16")

config = transformers.BartConfig(vocab_size=30, d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
    decoder_attention_heads=4, encoder_ffn_dim=32, decoder_ffn_dim=32)
mask = torch.tensor([[1, 1, 1, 1, 0]])
inputs = dict(input_ids=ids[:1], attention_mask=mask, decoder_input_ids=torch.tensor([[1, 2, 3]]))
bart = transformers.BartModel._from_config(config, **common).eval()(**inputs, output_attentions=True)
write("bart", bart, target_tokens=["<s>", "ein", "Tier"], attention_mask=mask)
print(json.dumps([[layer[1].tolist() for layer in bert.attentions], bart.cross_attentions[1][0, 3, 2].tolist()]))
`;

test(
  'attentions of transformers, read in a browser without a network',
  { skip: without('torch', 'transformers') },
  async () => {
    const [bert, row] = answer(WITH_TORCH);
    const [grid] = dataOf('bert').grids;
    assert.deepEqual(Array.from(grid.weights.data), bert.flat(3).map(Math.fround));
    assert.equal(grid.hidden, null);
    const context = await site.browser.newContext();
    await context.setOffline(true);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const problems = watchProblems(page);
    await page.goto(pathToFileURL(path.join(folder, 'bert.html')).href);
    await page.locator('canvas.heads').press('ArrowDown');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.locator('canvas.matrix').press(key);
    const said = await page.locator('#now').innerText();
    assert.match(said, /^query 'a', key 'a', weight 0\.\d+$/);
    assert.equal(Math.fround(Number(/[\d.]+$/.exec(said)?.[0])), Math.fround(bert[1][0][1][1]));
    assert.equal(await page.locator('.text').innerText(), 'a <b> cat');
    assert.deepEqual(problems, []);
    await context.close();

    // A decoder's mask is seen.
    const [gpt2] = dataOf('gpt2').grids;
    assert.ok(gpt2.weights.half);
    assert.deepEqual(Array.from(gpt2.hidden?.data ?? []).slice(0, 10), [0, 1, 1, 1, 1, 0, 0, 1, 1, 1]);

    // An encoder–decoder has three attentions; what is padding is left out.
    const { grids, shown } = dataOf('bart');
    assert.deepEqual(
      grids.map(({ name, layers, heads, queries, keys }) => [name, layers, heads, queries.length, keys.length]),
      [
        ['encoder', 1, 2, 4, 4],
        ['decoder', 2, 4, 3, 3],
        ['cross', 2, 4, 3, 4],
      ],
    );
    assert.equal(shown.grid, 'cross');
    assert.equal(row.length, 5);
    assert.deepEqual(Array.from(grids[2].weights.data.slice(-4)), row.slice(0, 4).map(Math.fround));
  },
);

const WITH_NUMPY = `
import numpy as np
from glassformer_html import attention_html
weights = np.full((1, 2, 3, 3), 1 / 3)
three = ["a", "b", "c"]
options = dict(template=f"{folder}/standalone.html")
attention_html([weights, weights], three, f"{folder}/numpy.html", **options)
reasons = []
for outputs, tokens, more in [
    ([weights], ["a"], {}),
    ([None], ["a"], {}),
    (object(), ["a"], {}),
    ([[weights]], three, {}),
    ([weights], three, dict(dtype="float8")),
    (dict(decoder_attentions=[weights]), three, {}),
]:
    try:
        attention_html(outputs, tokens, f"{folder}/none.html", **options, **more)
    except ValueError as error:
        reasons.append(str(error))
print(json.dumps(reasons))
`;

test('without torch: numpy arrays; what does not fit is refused with a reason', { skip: without('numpy') }, () => {
  const reasons = answer(WITH_NUMPY);
  const [grid] = dataOf('numpy').grids;
  assert.deepEqual([grid.layers, grid.heads, grid.queries], [2, 2, ['a', 'b', 'c']]);
  assert.ok(grid.weights.data.every((value) => value === Math.fround(1 / 3)));
  const expected = [
    /3 queries, but there are 1 tokens/,
    /eager/,
    /output_attentions=True/,
    /generate\(\)/,
    /float8/,
    /target_tokens/,
  ];
  assert.equal(reasons.length, expected.length);
  expected.forEach((reason, i) => assert.match(reasons[i], reason));
});
