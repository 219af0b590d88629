// Tensors as text, for a file of one piece: their values' bytes, little endian, in base64.

import { littleEndian } from './safetensors.js';

/** @typedef {{ dtype: 'F32' | 'F16' | 'U8', shape: number[], base64: string }} Packed */

/**
 * A float32 as a half-precision number's sixteen bits, rounded to the nearest, ties to even.
 * @param {number} bits of the float32
 */
export function halfOf(bits) {
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00; // not a number
  if (size >= 0x47800000) return sign | 0x7c00; // 65536 and more, ∞
  if (size < 0x38800000) {
    // Under 2^−14 a half has no exponent left: whole multiples of 2^−24.
    const value = new Float32Array(new Uint32Array([size]).buffer)[0] * 2 ** 24;
    const down = Math.floor(value);
    const rest = value - down;
    return sign | (rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down);
  }
  // The exponents differ by 112; thirteen bits of the fraction go. What is rounded up may carry into the exponent, as it should.
  const shifted = size - 0x38000000;
  const rest = shifted & 0x1fff;
  const half = shifted >>> 13;
  return sign | (rest > 0x1000 || (rest === 0x1000 && half % 2 === 1) ? half + 1 : half);
}

/** @param {Uint8Array} bytes */
function base64Of(bytes) {
  let text = '';
  // As many characters at once as a function may have arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** @param {number[]} shape @param {Float32Array} data @returns {Packed} every digit */
export function packFloats(shape, data) {
  return { dtype: 'F32', shape, base64: base64Of(littleEndian(data)) };
}

/** @param {number[]} shape @param {Float32Array} data @returns {Packed} half the size, three digits */
export function packHalves(shape, data) {
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  const bytes = new Uint8Array(data.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < bits.length; i++) view.setUint16(i * 2, halfOf(bits[i]), true);
  return { dtype: 'F16', shape, base64: base64Of(bytes) };
}

/** @param {number[]} shape @param {Uint8Array} data @returns {Packed} */
export function packBytes(shape, data) {
  return { dtype: 'U8', shape, base64: base64Of(data) };
}
