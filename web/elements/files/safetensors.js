// A .safetensors file: the length of a JSON header, the header, then the bytes of the tensors it names.

import { GlassError } from '../../engine/errors.js';
import { KINDS, readNumbers } from './numbers.js';

/** @typedef {{ shape: number[], data: Float32Array }} Tensor */

/** @type {Record<string, import('./numbers.js').NumberKind>} */
const TYPES = {
  F64: KINDS.f8,
  F32: KINDS.f4,
  F16: KINDS.f2,
  BF16: KINDS.bf2,
  I64: KINDS.i8,
  I32: KINDS.i4,
  I16: KINDS.i2,
  I8: KINDS.i1,
  U64: KINDS.u8,
  U32: KINDS.u4,
  U16: KINDS.u2,
  U8: KINDS.u1,
  BOOL: KINDS.b1,
};

const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0;
const areCounts = (/** @type {unknown} */ list) => Array.isArray(list) && list.every(isCount);

/**
 * @param {Uint8Array} bytes
 * @param {string} name for messages
 * @returns {{ names: string[], read: (tensor: string) => Tensor }}
 */
export function readSafetensors(bytes, name) {
  const refuse = (/** @type {string} */ message) => {
    throw new GlassError('bad-input', `${name}: ${message}`);
  };
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
  if (length > bytes.length - 8) refuse(`its header would be ${length} bytes, the file has ${bytes.length}`);
  /** @type {Record<string, { dtype: string, shape: number[], data_offsets: [number, number] }>} */
  let head = {};
  try {
    head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  } catch {
    refuse('its header is not JSON');
  }
  return {
    names: Object.keys(head).filter((key) => key !== '__metadata__'),
    read(tensor) {
      const { dtype, shape, data_offsets: offsets } = head[tensor] ?? {};
      if (!areCounts(shape) || !areCounts(offsets) || offsets.length !== 2) {
        const got = JSON.stringify(head[tensor]).slice(0, 80);
        refuse(`"${tensor}": expected dtype, shape and data_offsets of whole numbers from 0, got ${got}`);
      }
      const kind = Object.hasOwn(TYPES, dtype) ? TYPES[dtype] : null;
      if (!kind) {
        const known = Object.keys(TYPES).join(', ');
        throw new GlassError('unsupported', `${name}: "${tensor}" is of the type ${dtype}; expected one of ${known}`);
      }
      const count = shape.reduce((product, extent) => product * extent, 1);
      const [from, to] = offsets;
      if (to - from !== count * kind.size) {
        refuse(`"${tensor}": expected ${count * kind.size} bytes for the shape [${shape}], got ${to - from}`);
      }
      const size = bytes.length - 8 - length;
      if (to > size) refuse(`"${tensor}": expected its end within the ${size} bytes of numbers, got ${to}`);
      return { shape, data: readNumbers(kind, bytes.subarray(8 + length + from, 8 + length + to), count) };
    },
  };
}
