// The little of the safetensors format that a recipe needs to build a model from another one's tensors: eight bytes of header
// length, a JSON header, then the data. https://github.com/huggingface/safetensors#format

/** @typedef {{ dtype: string, shape: number[], data: Buffer }} RawTensor */

/**
 * @param {Buffer} file
 * @returns {Map<string, RawTensor>} the tensors, their data as stored
 */
export function readSafetensors(file) {
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString('utf8', 8, start));
  /** @type {Map<string, RawTensor>} */
  const tensors = new Map();
  delete header.__metadata__;
  for (const [
    name,
    {
      dtype,
      shape,
      data_offsets: [from, to],
    },
  ] of Object.entries(header)) {
    tensors.set(name, { dtype, shape, data: file.subarray(start + from, start + to) });
  }
  return tensors;
}

/**
 * @param {Map<string, RawTensor>} tensors
 * @returns {Buffer}
 */
export function writeSafetensors(tensors) {
  let offset = 0;
  /** @type {Record<string, object>} */
  const header = { __metadata__: { format: 'pt' } };
  for (const [name, { dtype, shape, data }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [offset, offset + data.length] };
    offset += data.length;
  }
  const json = JSON.stringify(header);
  // Padded so that the data begin at a multiple of eight.
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...[...tensors.values()].map(({ data }) => data)]);
}

/**
 * @param {Float32Array} values
 * @param {number[]} shape
 * @returns {RawTensor}
 */
export function f32(values, shape) {
  return { dtype: 'F32', shape, data: Buffer.from(values.buffer, values.byteOffset, values.byteLength) };
}
