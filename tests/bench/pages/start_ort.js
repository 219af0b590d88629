// onnxruntime-web alone in a page: its size and its start.
import { ortEncoder } from '../contenders/ort.js';
import { publishStart } from '../contenders/start.js';
import { randomParameters } from '../lib/parameters.js';

publishStart((job) => ortEncoder({ ...job, parameters: randomParameters(job.config), record: true }));
