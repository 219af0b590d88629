import { ortEncoder } from '../contenders/ort.js';
import { measureStart } from '../contenders/start.js';
import { randomParameters } from '../lib/parameters.js';

measureStart((job) => ortEncoder({ ...job, parameters: randomParameters(job.config), record: true })).then(
  (started) => Object.assign(globalThis, { started }),
  (error) => Object.assign(globalThis, { failure: String(error) }),
);
