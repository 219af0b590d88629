// The contenders in a page, for the program that takes the turns.
import { createContenders, hasRelaxedCore } from '../contenders/index.js';

const tfjsFolder = new URL('tfjs/', location.href).href;
Object.assign(globalThis, { contenders: { ...createContenders({ tfjsFolder }), hasRelaxedCore }, ready: true });
