// Numbers of other widths, read as float32.

/** A half-precision number. @param {number} bits */
export function halfToFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** @typedef {{ size: number, read: (view: DataView, at: number, little: boolean) => number }} NumberKind size in bytes */

const word = new DataView(new ArrayBuffer(4));

/** @type {Record<string, NumberKind>} f: floating, bf: its upper half, i: signed, u: unsigned, each with its bytes; b1: true or false */
export const KINDS = {
  f8: { size: 8, read: (view, at, little) => view.getFloat64(at, little) },
  f4: { size: 4, read: (view, at, little) => view.getFloat32(at, little) },
  f2: { size: 2, read: (view, at, little) => halfToFloat(view.getUint16(at, little)) },
  bf2: {
    size: 2,
    read(view, at, little) {
      word.setUint32(0, view.getUint16(at, little) << 16);
      return word.getFloat32(0);
    },
  },
  i8: { size: 8, read: (view, at, little) => Number(view.getBigInt64(at, little)) },
  i4: { size: 4, read: (view, at, little) => view.getInt32(at, little) },
  i2: { size: 2, read: (view, at, little) => view.getInt16(at, little) },
  i1: { size: 1, read: (view, at) => view.getInt8(at) },
  u8: { size: 8, read: (view, at, little) => Number(view.getBigUint64(at, little)) },
  u4: { size: 4, read: (view, at, little) => view.getUint32(at, little) },
  u2: { size: 2, read: (view, at, little) => view.getUint16(at, little) },
  u1: { size: 1, read: (view, at) => view.getUint8(at) },
  b1: { size: 1, read: (view, at) => (view.getUint8(at) ? 1 : 0) },
};

/**
 * Values one after the other.
 * @param {NumberKind} kind
 * @param {Uint8Array} bytes `count` of them, no more
 * @param {number} count
 * @param {boolean} [little] byte order
 */
export function readNumbers({ size, read }, bytes, count, little = true) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = read(view, i * size, little);
  return values;
}
