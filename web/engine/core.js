// Finds the wasm module that suits this engine and starts it: checks what it needs before loading, takes the one with
// relaxed SIMD where it was built and runs here. What it returns is the table of wasm_build/bindings/functions.h.
//
// No file of ours touches the wasm memory: the bindings copy typed arrays both ways.
import { GlassError } from './errors.js';

/**
 * 'auto' takes relaxed SIMD where there is some; 'baseline' never, so that results are those of every machine.
 * @typedef {'auto' | 'baseline'} Simd
 */

/** A function of the bindings' table. @typedef {(...args: any[]) => { value?: any, error?: { code: string, message: string } }} CoreFunction */
/** @typedef {Record<string, CoreFunction>} Core */

// Modules of one function each: header, type section, function section, code section.
const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** () -> v128: i32.const 0; i8x16.splat; end */
const simdModule = [...header, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 8, 1, 6, 0, 0x41, 0, 0xfd, 15, 0x0b];

/** () -> (): try; catch_all; end; end, the encoding that Emscripten writes */
const exceptionsModule = [...header, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 0x06, 0x40, 0x19, 0x0b, 0x0b];

const zeroVector = [0x41, 0, 0xfd, 15];
/** () -> v128: three vectors; f32x4.relaxed_madd; end */
const relaxedModule = [
  ...[...header, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 19, 1, 17, 0],
  ...[...zeroVector, ...zeroVector, ...zeroVector, 0xfd, 0x85, 2, 0x0b],
];

/** @param {number[]} bytes @returns {boolean} */
const validates = (bytes) => WebAssembly.validate(new Uint8Array(bytes));

/**
 * What is missing here to run the core at all; empty where nothing is.
 * @returns {string[]}
 */
export function missingFeatures() {
  if (typeof WebAssembly !== 'object') return ['WebAssembly'];
  /** @type {[string, number[]][]} */
  const needed = [
    ['WebAssembly SIMD', simdModule],
    ['WebAssembly exceptions', exceptionsModule],
  ];
  return needed.filter(([, bytes]) => !validates(bytes)).map(([name]) => name);
}

/** @returns {boolean} whether relaxed SIMD runs here */
export const hasRelaxedSimd = () => validates(relaxedModule);

/** Whether this is Node (and not a page, of which no API is assumed here either). */
export const inNode = typeof globalThis.process?.getBuiltinModule === 'function';

const HERE = import.meta.url; // in a variable: bundlers would otherwise copy what is read in Node only

/**
 * What the glue is told: in Node the module's bytes; in a browser nothing, as it finds its file by its own URL.
 * @param {string} name
 * @returns {Promise<{ wasmBinary?: Uint8Array }>}
 */
async function binary(name) {
  if (!inNode) return {};
  const fs = globalThis.process.getBuiltinModule('node:fs/promises');
  try {
    return { wasmBinary: await fs.readFile(new URL(`../../wasm_build/dist/${name}.wasm`, HERE)) };
  } catch (error) {
    const message = `wasm_build/dist/${name}.wasm is missing; npm run build makes it`;
    throw new GlassError('not-found', message, { cause: error });
  }
}

/** @returns {Promise<any>} the instantiated baseline module */
async function startBaseline() {
  const { default: create } = await import('../../wasm_build/dist/glassformer.mjs');
  return create(await binary('glassformer'));
}

/** @returns {Promise<any>} the module with relaxed SIMD, null where it was not built */
async function startRelaxed() {
  const { default: create } = await import('../../wasm_build/dist/glassformer-relaxed.mjs');
  return create ? create(await binary('glassformer-relaxed')) : null;
}

/** @param {Simd} simd @returns {Promise<Core>} */
async function start(simd) {
  const missing = missingFeatures();
  if (missing.length > 0) {
    throw new GlassError(
      'unsupported',
      `this browser lacks ${missing.join(' and ')}; expected Chrome or Edge 95, Firefox 100, Safari 16.4, Node 20.19, or newer`,
    );
  }
  /** @type {any} */
  let core = null;
  if (simd === 'auto' && hasRelaxedSimd()) core = await startRelaxed().catch(() => null);
  try {
    core ??= await startBaseline();
  } catch (error) {
    if (error instanceof GlassError) throw error;
    const reason = String(/** @type {any} */ (error)?.message ?? error);
    const place = inNode ? '' : `; its .wasm file must be served from where ${HERE} is, as application/wasm`;
    throw new GlassError('not-found', `the core could not be loaded: ${reason}${place}`, { cause: error });
  }
  core.warmUp();
  return core;
}

/** @type {Map<Simd, Promise<Core>>} */
const started = new Map();

/**
 * The core, started once. Throws 'unsupported' where the engine lacks something, naming the versions that have it, and
 * 'not-found' where the module cannot be had.
 * @param {Simd} [simd]
 * @returns {Promise<Core>}
 */
export function loadCore(simd = 'auto') {
  let core = started.get(simd);
  if (!core) {
    core = start(simd);
    started.set(simd, core);
    core.catch(() => started.delete(simd)); // a later call may find what was missing
  }
  return core;
}
