// What is saved for transformers to open: some checkpoints, by stored type, with the values of a run as safetensors.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { load } from '../../web/engine/index.js';
import { goldenFolder, inputOf, readJson, readTensors } from './golden.js';

/** @typedef {{ model: string, dtype: 'F32' | 'F16' | 'BF16' }} SavedCase */

/** @type {SavedCase[]} */
export const savedCases = [
  { model: 'models/bert_mlm', dtype: 'F32' },
  { model: 'models/bert_mlm_hub', dtype: 'F32' },
  { model: 'models/bert_base_prefixed', dtype: 'F32' },
  { model: 'models/bert_token', dtype: 'F32' },
  { model: 'models/bert_sequence_f16', dtype: 'F16' },
  { model: 'models/electra_base_bf16_equal', dtype: 'BF16' },
  { model: 'models/electra_mlm', dtype: 'F32' },
  { model: 'models/electra_sequence_f16_sharded', dtype: 'F16' },
  { model: 'family/family_pre_mean', dtype: 'F32' },
  { model: 'models/distilbert_mlm', dtype: 'F32' },
  { model: 'models/roberta_token', dtype: 'BF16' },
  { model: 'models/albert_hub', dtype: 'F32' },
  { model: 'decoders/gpt2_hub', dtype: 'F32' },
  { model: 'decoders/gpt2_unscaled', dtype: 'BF16' },
  { model: 'decoders/opt_350m', dtype: 'F32' },
  { model: 'decoders/gpt_neox_old', dtype: 'F16' },
  { model: 'decoders/llama_linear', dtype: 'F32' },
  { model: 'decoders/mistral_lm', dtype: 'F32' },
  { model: 'decoders/qwen2_tied', dtype: 'F16' },
  { model: 'seq2seq/marian_hub', dtype: 'F32' },
  { model: 'seq2seq/bart_scaled', dtype: 'F16' },
  { model: 'seq2seq/t5_v11', dtype: 'F32' },
  { model: 'seq2seq/t5_v11_saved', dtype: 'F16' },
  ...['gpt2', 'llama', 'opt', 'gpt_neox', 'marian', 'bart', 't5'].map((name) => ({
    model: `generate/${name}`,
    dtype: /** @type {const} */ ('F32'),
  })),
];

/** @param {number[][]} rows */
const ints = (rows) => ({ shape: [rows.length, rows[0].length], data: Int32Array.from(rows.flat()) });

/** @param {Record<string, { shape: number[], data: Float32Array | Int32Array }>} tensors @returns {Buffer} */
function safetensors(tensors) {
  /** @type {Record<string, object>} */
  const header = {};
  let at = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = {
      dtype: data instanceof Int32Array ? 'I32' : 'F32',
      shape,
      data_offsets: [at, (at += data.byteLength)],
    };
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const bytes = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return Buffer.concat([length, json, ...bytes]);
}

/**
 * What a model that writes is run on, and what it writes: the first case that transformers' values are there for.
 * @param {import('../../web/engine/model.js').Model} model
 * @param {string} name
 */
async function written(model, name) {
  const { ids: prompt, options } = readJson('generate/generate.json').cases.find(
    (/** @type {{ model: string }} */ one) => `generate/${one.model}` === name,
  );
  const { ids: greedy } = await model.generate({ ids: [prompt] }, options).result();
  const start = [/** @type {number} */ (model.config.decoder_start_token_id), ...greedy.slice(0, -1)];
  const input =
    model.kind === 'encoder-decoder' ? { ids: [prompt], decoderIds: [start] } : { ids: [[...prompt, ...greedy]] };
  const one = (/** @type {ArrayLike<number>} */ values) => ({ shape: [values.length], data: Int32Array.from(values) });
  return { input, values: { prompt: one(prompt), greedy: one(greedy), maxNewTokens: one([options.maxNewTokens]) } };
}

/**
 * Loads a checkpoint, runs its first golden batch and saves it.
 * @param {SavedCase} one
 */
export async function savedFolder({ model: name, dtype }) {
  const model = await load(path.join(goldenFolder, name));
  const { input, values: text } = name.startsWith('generate/')
    ? await written(model, name)
    : { input: inputOf(readTensors(`${name}/expected.safetensors`), 'run0.'), values: {} };
  const run = await model.run(input);
  const files = await model.save({ dtype });
  model.dispose();
  const mask = input.mask ?? input.ids.map((/** @type {number[]} */ row) => row.map(() => 1));
  const given = Object.entries({ ...input, mask }).map(([key, rows]) => [key, ints(rows)]);
  const values = safetensors({ ...Object.fromEntries(given), ...run.output, ...text });
  return { files, values };
}

/** @param {Record<string, string | Uint8Array>} files @returns {Record<string, string>} SHA-256 by name */
export const digests = (files) =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, createHash('sha256').update(content).digest('hex')]),
  );
