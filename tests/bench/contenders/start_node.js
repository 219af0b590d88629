// One library's start in a Node process of its own: node start_node.js ours|ort|tfjs, the result as JSON on the last line.
import { measureStart } from './start.js';

/** @returns {Promise<(job: { config: import('../lib/parameters.js').Config, ids: number[] }) => Promise<import('./index.js').Contender>>} */
async function maker() {
  const library = process.argv[2];
  if (library === 'ours') {
    const { create } = await import('../../../web/engine/index.js');
    const { ourEncoder, PATTERNS } = await import('./glassformer.js');
    return async ({ config, ids }) => ourEncoder(await create(config), { ids, record: PATTERNS });
  }
  const make = library === 'ort' ? (await import('./ort.js')).ortEncoder : (await import('./tfjs.js')).tfjsEncoder;
  const { randomParameters } = await import('../lib/parameters.js');
  return (job) => make({ ...job, parameters: randomParameters(job.config), record: true });
}

console.log(JSON.stringify(await measureStart(await maker())));
process.exit(0); // the libraries keep handles open
