// The contenders in a page, for the program that takes the turns.
import { createContenders, hasRelaxedCore } from '../contenders/index.js';

const tfjsFolder = new URL('tfjs/', location.href).href;
const gpt2Folder = new URL('gpt2', location.href).href;
Object.assign(globalThis, {
  contenders: { ...createContenders({ tfjsFolder, gpt2Folder }), hasRelaxedCore },
  ready: true,
});
