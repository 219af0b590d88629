// What weights of eight bits change: logits of the packaged models and of the bench's decoder, beside those of 32 bits.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../wasm_build/scripts/process.js';
import { load } from '../../../web/engine/index.js';
import { promptIds } from './gpt2.js';
import { gpt2Folder } from './gpt2_files.js';

/**
 * `deviation`: of the F32 logits around their mean; `error`: the root of the mean square of what they are apart; `most`: the
 * largest of it; `same`: rows whose largest logit is the same one, of `rows`.
 * @typedef {{ model: string, rows: number, deviation: number, error: number, most: number, same: number }} Int8Error
 */

const TEXTS = [
  'It was the best of times, it was the worst of times.',
  'The committee will meet on Thursday to vote on the budget for schools.',
  'She walked to the window and looked down at the empty street.',
  'The team scored twice in the second half and won the match.',
  'In the beginning God created the heaven and the earth.',
  'Prices rose by three percent while wages stayed where they were.',
  'He had never seen so large a house, nor so small a garden.',
  'The engine failed shortly after take-off, and the crew returned safely.',
];
/** Of models that read other things. @type {Record<string, string[]>} */
const OTHER_TEXTS = {
  dates: [
    '12 May 2021',
    'Tuesday, March 3, 1998',
    '3. Oktober 1990',
    '1er juillet 2004',
    '07/04/1976',
    '2019年8月15日',
  ],
  pronounce: ['language', 'through', 'window', 'transformer', 'knowledge', 'quiet', 'beautiful', 'glass'],
};

/** @typedef {import('../../../web/engine/index.js').Model} Model */

/** Inputs for both: a text, or a source with what the model of 32 bits makes of it. @param {Model} model @param {string} text */
async function inputOf(model, text) {
  if (model.kind !== 'encoder-decoder') return text;
  const { ids } = await model.generate(text, { maxNewTokens: 48, beams: 1 }).result();
  const start = model.config.decoder_start_token_id ?? model.config.bos_token_id;
  const source = /** @type {NonNullable<Model['tokenizer']>} */ (model.tokenizer).encode(text).ids;
  return { ids: [Array.from(source)], decoderIds: [[start, ...ids.slice(0, -1)]] };
}

/** @param {string} name @param {string} source @param {(string | { ids: number[][] })[]} texts @returns {Promise<Int8Error>} */
async function compare(name, source, texts) {
  const exact = await load(source);
  /** @type {Awaited<ReturnType<typeof inputOf>>[]} */
  const inputs = [];
  /** @type {Float32Array[]} */
  const expected = [];
  let width = 0;
  for (const text of texts) {
    const input = typeof text === 'string' ? await inputOf(exact, text) : text;
    const { logits } = (await exact.run(input)).output;
    if (!logits) throw new Error(`${name} has no logits`);
    width = logits.shape[logits.shape.length - 1];
    inputs.push(input);
    expected.push(logits.data);
  }
  exact.dispose();
  const rounded = await load(source, { dtype: 'int8' });
  const found = { count: 0, sum: 0, squares: 0, errors: 0, most: 0, rows: 0, same: 0 };
  for (const [i, input] of inputs.entries()) {
    const { data } = /** @type {{ data: Float32Array }} */ ((await rounded.run(input)).output.logits);
    for (let at = 0; at < data.length; at += width, found.rows++) {
      const [a, b] = [expected[i].subarray(at, at + width), data.subarray(at, at + width)];
      let [bestA, bestB] = [0, 0];
      for (let j = 0; j < width; j++) {
        if (a[j] > a[bestA]) bestA = j;
        if (b[j] > b[bestB]) bestB = j;
        const off = Math.abs(a[j] - b[j]);
        found.sum += a[j];
        found.squares += a[j] * a[j];
        found.errors += off * off;
        found.most = Math.max(found.most, off);
      }
      found.count += width;
      if (bestA === bestB) found.same++;
    }
  }
  rounded.dispose();
  const { count, sum, squares, errors, most, rows, same } = found;
  const deviation = Math.sqrt(squares / count - (sum / count) ** 2);
  return { model: name, rows, deviation, error: Math.sqrt(errors / count), most, same };
}

/** @returns {Promise<Int8Error[]>} */
export async function int8Errors() {
  const shipped = path.join(root, 'web/models');
  const errors = [];
  for (const name of readdirSync(shipped).sort()) {
    if (!existsSync(path.join(shipped, name, 'model.safetensors'))) continue;
    errors.push(await compare(name, path.join(shipped, name), OTHER_TEXTS[name] ?? TEXTS));
  }
  errors.push(await compare("GPT-2 small's shape, random", gpt2Folder, [{ ids: [promptIds()] }]));
  return errors;
}
