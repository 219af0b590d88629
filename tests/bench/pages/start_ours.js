import { create } from '../../../web/engine/index.js';
import { ourEncoder, PATTERNS } from '../contenders/glassformer.js';
import { measureStart } from '../contenders/start.js';

measureStart(async ({ config, ids }) => ourEncoder(await create(config), { ids, record: PATTERNS })).then(
  (started) => Object.assign(globalThis, { started }),
  (error) => Object.assign(globalThis, { failure: String(error) }),
);
