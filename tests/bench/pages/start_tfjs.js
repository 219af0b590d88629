import { measureStart } from '../contenders/start.js';
import { tfjsEncoder } from '../contenders/tfjs.js';
import { randomParameters } from '../lib/parameters.js';

const tfjsFolder = new URL('tfjs/', location.href).href;
measureStart((job) => tfjsEncoder({ ...job, parameters: randomParameters(job.config), record: true, tfjsFolder })).then(
  (started) => Object.assign(globalThis, { started }),
  (error) => Object.assign(globalThis, { failure: String(error) }),
);
