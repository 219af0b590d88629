// The same weights in the form that each library reads, written once under build/bench/gpt2 (1.6 GB).
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ggufPieces } from '../contenders/gguf.js';
import { decoderGraph } from '../contenders/onnx_decoder.js';
import { GPT2, gpt2Shapes, gpt2Tensor } from './gpt2.js';
import { folder } from './report.js';

export const gpt2Folder = path.join(folder, 'gpt2');

/** @param {ArrayBufferView} view */
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Pieces of a file, one at a time. @returns {Generator<Uint8Array>} */
function* safetensorsPieces() {
  /** @type {Record<string, object>} */
  const header = {};
  let at = 0;
  for (const [name, shape] of gpt2Shapes()) {
    const end = at + 4 * shape.reduce((a, b) => a * b);
    header[`transformer.${name}`] = { dtype: 'F32', shape, data_offsets: [at, end] };
    at = end;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  yield bytesOf(BigUint64Array.of(BigInt(text.length)));
  yield text;
  for (const [name] of gpt2Shapes()) yield bytesOf(gpt2Tensor(name).data);
}

/** @param {(text: string) => void} progress */
export function writeGpt2(progress) {
  mkdirSync(gpt2Folder, { recursive: true });
  writeFileSync(path.join(gpt2Folder, 'config.json'), JSON.stringify(GPT2));
  /** @type {Record<string, () => Iterable<Uint8Array>>} */
  const files = {
    'model.safetensors': safetensorsPieces,
    'model.onnx': () => decoderGraph().pieces,
    'f32.gguf': () => ggufPieces('F32'),
    'q8_0.gguf': () => ggufPieces('Q8_0'),
  };
  for (const [name, pieces] of Object.entries(files)) {
    const file = path.join(gpt2Folder, name);
    if (existsSync(file)) continue;
    progress(`writing ${name}`);
    const unfinished = openSync(`${file}.part`, 'w');
    for (const piece of pieces()) for (let at = 0; at < piece.length;) at += writeSync(unfinished, piece, at);
    closeSync(unfinished);
    renameSync(`${file}.part`, file);
  }
}
