// Writes protocol buffers: as much of the format as an ONNX file needs. Pieces are kept apart and joined once, so that a
// model's weights are copied one time. The format: https://protobuf.dev/programming-guides/encoding

/** Bytes in pieces. @typedef {{ size: number, pieces: Uint8Array[] }} Bytes */

/** @param {number} value not negative, below 2⁵³ @returns {Uint8Array} */
function varint(value) {
  const bytes = [];
  while (value >= 128) {
    bytes.push((value % 128) | 128);
    value = Math.floor(value / 128);
  }
  return Uint8Array.from([...bytes, value]);
}

/** @param {Uint8Array[]} pieces @returns {Bytes} */
const joined = (pieces) => ({ size: pieces.reduce((sum, piece) => sum + piece.length, 0), pieces });

/** @param {number} field @param {Bytes} value */
function delimited(field, { size, pieces }) {
  return joined([varint(field * 8 + 2), varint(size), ...pieces]);
}

/** A message of fields. @param {Bytes[]} fields @returns {Bytes} */
export const message = (fields) => joined(fields.flatMap(({ pieces }) => pieces));

/** Two's complement in 64 bits. @param {bigint} value negative @returns {Uint8Array} */
function negativeVarint(value) {
  const bytes = Array.from({ length: 10 }, (_, i) => Number((BigInt.asUintN(64, value) >> BigInt(7 * i)) & 127n) | 128);
  bytes[9] &= 127;
  return Uint8Array.from(bytes);
}

/** @param {number} field @param {number | bigint} value @returns {Bytes} */
export const integer = (field, value) =>
  joined([varint(field * 8), typeof value === 'bigint' && value < 0n ? negativeVarint(value) : varint(Number(value))]);

/** @param {number} field @param {number} value @returns {Bytes} 32 bits */
export const float = (field, value) => joined([varint(field * 8 + 5), new Uint8Array(Float32Array.of(value).buffer)]);

/** @param {number} field @param {string} value @returns {Bytes} */
export const string = (field, value) => delimited(field, joined([new TextEncoder().encode(value)]));

/** @param {number} field @param {ArrayBufferView} value @returns {Bytes} */
export const bytes = (field, value) =>
  delimited(field, joined([new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]));

/** @param {number} field @param {Bytes[]} fields of the message within @returns {Bytes} */
export const nested = (field, fields) => delimited(field, message(fields));

/** @param {Bytes} message @returns {Uint8Array} */
export function serialized({ size, pieces }) {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
