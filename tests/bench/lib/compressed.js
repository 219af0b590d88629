// Sizes as a host would send them at best: gzip 9 and brotli 11. Results are kept by content, since brotli takes half a minute
// for the largest file here.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { folder } from './report.js';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** @param {Buffer} bytes @returns {Promise<{ gzip: number, brotli: number }>} */
export async function compressed(bytes) {
  const file = path.join(folder, 'compressed', createHash('sha256').update(bytes).digest('hex'));
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Not seen before.
  }
  const [small, smaller] = await Promise.all([gzipAsync(bytes, { level: 9 }), brotliAsync(bytes)]); // brotli's default is 11
  const sizes = { gzip: small.length, brotli: smaller.length };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(sizes));
  return sizes;
}
