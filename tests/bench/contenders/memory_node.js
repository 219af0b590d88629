// One library's generation in a Node process of its own: node memory_node.js DESCRIPTION, the memory it took as JSON.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gpt2Folder } from '../lib/gpt2_files.js';
import { createContenders } from './index.js';

/** @type {Set<WebAssembly.Memory>} */
const memories = new Set();
/** @param {Record<string, unknown>} values */
const keep = (values) => {
  for (const value of Object.values(values)) if (value instanceof WebAssembly.Memory) memories.add(value);
};
const { instantiate } = WebAssembly;
/** @param {any} source @param {Record<string, any>} [imports] */
const watched = async (source, imports) => {
  for (const group of Object.values(imports ?? {})) keep(group);
  const result = /** @type {any} */ (await instantiate(source, imports));
  keep((result.instance ?? result).exports);
  return result;
};
Object.assign(WebAssembly, { instantiate: watched });

const contenders = createContenders({ gpt2Folder, read: readFile });
await contenders.once(await contenders.prepare(JSON.parse(process.argv[2])));
const wasm = Math.max(0, ...[...memories].map(({ buffer }) => buffer.byteLength));
// Linux's maxRSS is at least what the parent had when it started this process; this is not.
const own = existsSync('/proc/self/status') && /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
const resident = 1024 * (own ? Number(own[1]) : process.resourceUsage().maxRSS);
console.log(JSON.stringify({ resident, wasm }));
process.exit(0); // the libraries keep handles open
