// What is saved for transformers to open: some checkpoints, by stored type, with the values of a run as safetensors.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { load } from '../../web/engine/index.js';
import { goldenFolder, rowsOf, readTensors } from './golden.js';

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
];

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
 * Loads a checkpoint, runs its first golden batch and saves it.
 * @param {SavedCase} one
 */
export async function savedFolder({ model: name, dtype }) {
  const model = await load(path.join(goldenFolder, name));
  const expected = readTensors(`${name}/expected.safetensors`);
  const given = (/** @type {string} */ key) => expected.get(`run0.${key}`);
  const ids = /** @type {{ shape: number[], data: Int32Array }} */ (given('input_ids'));
  const mask = given('attention_mask') ?? { shape: ids.shape, data: Int32Array.from(ids.data, () => 1) };
  const types = given('token_type_ids');
  const run = await model.run({ ids: rowsOf(ids), mask: rowsOf(mask), ...(types && { typeIds: rowsOf(types) }) });
  const files = await model.save({ dtype });
  model.dispose();
  const values = safetensors({ ids, mask, ...(types && { typeIds: types }), ...run.output });
  return { files, values };
}

/** @param {Record<string, string | Uint8Array>} files @returns {Record<string, string>} SHA-256 by name */
export const digests = (files) =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, createHash('sha256').update(content).digest('hex')]),
  );
