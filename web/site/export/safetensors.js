// Tensors as a safetensors file: the length of a header, the header in JSON, and the values, little endian.

/** @typedef {{ name: string, shape: number[], data: Float32Array }} Named */

/** The values' bytes in the file's order, whatever this machine's is. @param {Float32Array} data @returns {Uint8Array<ArrayBuffer>} */
export function littleEndian(data) {
  const bytes = new Uint8Array(data.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < data.length; i++) view.setFloat32(i * 4, data[i], true);
  return bytes;
}

/**
 * @param {Named[]} tensors
 * @param {Record<string, string>} metadata
 * @returns {Uint8Array<ArrayBuffer>[]} the file's bytes, in pieces
 */
export function safetensorsOf(tensors, metadata) {
  /** @type {Record<string, unknown>} */
  const header = { __metadata__: metadata };
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + data.length * 4] };
    offset += data.length * 4;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  // The values begin at a multiple of eight: spaces fill up.
  const start = new Uint8Array(8 + Math.ceil(json.length / 8) * 8).fill(0x20);
  new DataView(start.buffer).setBigUint64(0, BigInt(start.length - 8), true);
  start.set(json, 8);
  return [start, ...tensors.map(({ data }) => littleEndian(data))];
}
