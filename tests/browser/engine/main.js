// Puts the engine where a browser test finds it.
import * as engine from '../../../web/engine/index.js';

Object.assign(globalThis, { engine });
