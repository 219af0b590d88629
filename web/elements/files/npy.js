// NumPy's .npy: one array with a header written as a Python dict. Columns first (Fortran's order) is turned into rows first.

import { GlassError } from '../../engine/errors.js';
import { KINDS, readNumbers } from './numbers.js';

/** @typedef {{ shape: number[], data: Float32Array }} Tensor */

/**
 * @param {Uint8Array} bytes
 * @param {string} name for messages
 * @returns {Tensor}
 */
export function readNpy(bytes, name) {
  const refuse = (/** @type {string} */ message, code = /** @type {const} */ ('bad-input')) => {
    throw new GlassError(code, `${name}: ${message}`);
  };
  const magic = String.fromCharCode(...bytes.subarray(1, 6));
  if (bytes.length < 12 || bytes[0] !== 0x93 || magic !== 'NUMPY')
    refuse('expected a .npy file, which begins with \\x93NUMPY');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes[6] === 1 ? 10 : 12;
  const length = bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const head = new TextDecoder().decode(bytes.subarray(start, start + length));
  const descr = /'descr':\s*'([^']+)'/.exec(head)?.[1];
  const axes = /'shape':\s*\(([\d\s,L]*)\)/.exec(head)?.[1];
  if (start + length > bytes.length || axes === undefined) refuse(`its header cannot be read: ${head.slice(0, 80)}`);
  const type = descr?.slice(1) ?? '';
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : null;
  if (!descr || !kind) {
    throw new GlassError(
      'unsupported',
      `${name}: numbers of the type ${descr ?? '(a record)'}; expected float16, float32, float64, integers or bool`,
    );
  }
  const shape = String(axes)
    .split(',')
    .map((axis) => axis.replace('L', '').trim())
    .filter(Boolean)
    .map(Number);
  const count = shape.reduce((product, extent) => product * extent, 1);
  const body = bytes.subarray(start + length);
  if (body.length !== count * kind.size) {
    refuse(`expected ${count * kind.size} bytes for the shape [${shape}], got ${body.length}`);
  }
  const data = readNumbers(kind, body, count, descr[0] !== '>');
  return { shape, data: /'fortran_order':\s*True/.test(head) ? rowsFirst(data, shape) : data };
}

/** @param {Float32Array} data columns first @param {number[]} shape */
function rowsFirst(data, shape) {
  const result = new Float32Array(data.length);
  const index = shape.map(() => 0);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, extent) => product * extent, 1));
  for (let i = 0; i < result.length; i++) {
    result[i] = data[index.reduce((at, value, axis) => at + value * strides[axis], 0)];
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
  }
  return result;
}
