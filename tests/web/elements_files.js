// Files of numbers as NumPy and safetensors write them, for tests.

/** @type {Record<string, [number, (view: DataView, at: number, value: number, little: boolean) => void]>} */
const WRITERS = {
  f8: [8, (view, at, value, little) => view.setFloat64(at, value, little)],
  f4: [4, (view, at, value, little) => view.setFloat32(at, value, little)],
  f2: [2, (view, at, value, little) => view.setUint16(at, half(value), little)],
  bf2: [2, (view, at, value, little) => view.setUint16(at, upper(value), little)],
  i8: [8, (view, at, value, little) => view.setBigInt64(at, BigInt(value), little)],
  i4: [4, (view, at, value, little) => view.setInt32(at, value, little)],
  u1: [1, (view, at, value) => view.setUint8(at, value)],
  b1: [1, (view, at, value) => view.setUint8(at, value)],
};

/** The float16 of a number that is one exactly, and not tiny. @param {number} value */
function half(value) {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(value));
  return ((exponent + 15) << 10) | ((value / 2 ** exponent - 1) * 1024);
}

/** The bfloat16 of a number that is one exactly. @param {number} value */
function upper(value) {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint16(0);
}

/** @param {string} kind @param {ArrayLike<number>} values @param {boolean} little */
function bytesOf(kind, values, little) {
  const [size, write] = WRITERS[kind] ?? WRITERS.f4;
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) write(view, i * size, values[i], little);
  return bytes;
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * A .npy file.
 * @param {{ descr: string, shape: number[], values: ArrayLike<number>, fortran?: boolean, version?: number }} of values in the
 *   order of memory
 */
export function npy({ descr, shape, values, fortran = false, version = 1 }) {
  const axes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const head = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${axes}), }\n`;
  const before = version === 1 ? 10 : 12;
  const start = new Uint8Array(before);
  start.set([0x93, ...new TextEncoder().encode('NUMPY'), version, 0]);
  const view = new DataView(start.buffer);
  if (version === 1) view.setUint16(8, head.length, true);
  else view.setUint32(8, head.length, true);
  return joined([start, new TextEncoder().encode(head), bytesOf(descr.slice(1), values, descr[0] !== '>')]);
}

/** A .safetensors file. @param {Record<string, { dtype: string, shape: number[], values: number[] }>} tensors */
export function safetensors(tensors) {
  /** @type {Record<string, string>} */
  const kinds = { F32: 'f4', F16: 'f2', BF16: 'bf2', F64: 'f8' };
  /** @type {Record<string, unknown>} */
  const head = { __metadata__: { format: 'np' } };
  /** @type {Uint8Array[]} */
  const parts = [];
  let at = 0;
  for (const [name, { dtype, shape, values }] of Object.entries(tensors)) {
    const bytes = bytesOf(kinds[dtype] ?? 'f4', values, true);
    head[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    parts.push(bytes);
    at += bytes.length;
  }
  return withHead(head, joined(parts));
}

/** A .safetensors file with a header that says what it likes. @param {Record<string, unknown>} head @param {Uint8Array} body */
export function withHead(head, body) {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(json.length), true);
  return joined([length, json, body]);
}
