// Our engine alone in a page: its size and its start.
import { create } from '../../../web/engine/index.js';
import { ourEncoder, PATTERNS } from '../contenders/glassformer.js';
import { publishStart } from '../contenders/start.js';

publishStart(async ({ config, ids }) => ourEncoder(await create(config), { ids, record: PATTERNS }));
