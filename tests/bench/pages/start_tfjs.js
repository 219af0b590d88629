// tfjs with its WebAssembly backend alone in a page: its size and its start.
import { publishStart } from '../contenders/start.js';
import { tfjsEncoder } from '../contenders/tfjs.js';
import { randomParameters } from '../lib/parameters.js';

const tfjsFolder = new URL('tfjs/', location.href).href;
publishStart((job) => tfjsEncoder({ ...job, parameters: randomParameters(job.config), record: true, tfjsFolder }));
