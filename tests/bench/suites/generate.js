// Generation with a decoder of GPT-2 small's shape: the prompt, and a token with the cache; ours with weights of 32 and of eight
// bits beside onnxruntime-web and llama.cpp's wasm build; and what eight bits do to the result.
import { PROMPT, STEPS } from '../lib/gpt2.js';
import { writeGpt2 } from '../lib/gpt2_files.js';
import { int8Errors } from '../lib/int8_errors.js';
import { memoryInChromium, memoryInNode } from '../lib/memory.js';
import { atLeast, figures, spreadText } from '../lib/report.js';
import { ratios, spread, takeTurns } from '../lib/rounds.js';

/** @typedef {import('../lib/hosts.js').Host} Host */
/** @typedef {import('../contenders/index.js').Description} Description */
/** @typedef {{ id: string, what: string, hosts: string[], description: Description }} Row */

/** @type {(id: string, what: string, library: 'ours' | 'ort' | 'wllama', weights: 'F32' | 'int8' | 'Q8_0', more?: object) => Row} */
const row = (id, what, library, weights, more = {}) => ({
  id,
  what: `${what}, ${weights}`,
  hosts: library === 'wllama' ? ['Chromium'] : ['Node', 'Chromium'], // it needs a browser's workers
  description: { task: 'generate', library, weights, ...more },
});

export const ROWS = [
  row('ours', 'glassformer', 'ours', 'F32'),
  row('int8', 'glassformer', 'ours', 'int8'),
  row('ort', 'onnxruntime-web', 'ort', 'F32'),
  row('wllama', 'wllama', 'wllama', 'F32'),
  row('wllama q8', 'wllama', 'wllama', 'Q8_0'),
];

/**
 * The same text of all that hold the weights in 32 bits.
 * @param {Host} host
 * @param {Row[]} rows
 * @param {Map<string, number>} prepared
 */
async function agreement(host, rows, prepared) {
  const tokensOf = async (/** @type {string} */ id) =>
    (await host.results(/** @type {number} */ (prepared.get(id)))).tokens;
  const expected = await tokensOf('ours');
  const equal = [];
  for (const { id, what, description } of rows) {
    const tokens = await tokensOf(id);
    const same = tokens.filter((token, i) => token === expected[i]).length;
    if (description.weights === 'F32' && same !== STEPS + 1)
      throw new Error(`generate, ${host.name}: ${what} generated ${tokens}, ours ${expected}`);
    equal.push(`${what}: ${same}`);
  }
  return `${host.name}: tokens equal to ours of ${STEPS + 1} that were generated: ${equal.join('; ')}`;
}

/**
 * @param {Host[]} hosts
 * @param {string} page the contenders' page
 * @param {{ rounds: number, warmUp: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function generateSuite(hosts, page, { rounds, warmUp, progress }) {
  writeGpt2(progress);
  /** @type {import('../lib/report.js').Report} */
  const report = {
    title: `Generation: GPT-2 small's shape, ${PROMPT} tokens of prompt, ${STEPS} steps with the cache, one thread`,
    tables: [],
    goals: [],
    notes: [],
    data: {},
  };
  const table = {
    head: ['host', 'library', 'prompt, ms', 'times ours', 'a token, ms', 'times ours', 'times ours, int8'],
    rows: /** @type {string[][]} */ ([]),
  };
  report.tables.push(table);
  for (const host of hosts) {
    const rows = ROWS.filter((one) => one.hosts.includes(host.name));
    if (await host.relaxed()) rows.push(row('relaxed', 'glassformer, relaxed SIMD', 'ours', 'F32', { simd: 'auto' }));
    /** @type {Map<string, number>} */
    const prepared = new Map();
    for (const { id, description } of rows) {
      progress(`${host.name}: preparing ${id}`);
      prepared.set(id, await host.prepare(description));
    }
    const turns = rows.map(({ id }) => ({ id, once: () => host.once(/** @type {number} */ (prepared.get(id))) }));
    const times = await takeTurns(turns, { rounds, warmUp, progress: (text) => progress(`${host.name}: ${text}`) });
    report.notes.push(await agreement(host, rows, prepared));
    const of = (/** @type {string} */ id, /** @type {string} */ part) => times.get(id)?.parts[part] ?? [];
    for (const { id, what } of rows) {
      const against = (/** @type {string} */ part, /** @type {string} */ base) =>
        id === base ? '' : spreadText(ratios(of(id, part), of(base, part)));
      table.rows.push([
        host.name,
        what,
        spreadText(spread(of(id, 'prefill'))),
        against('prefill', 'ours'),
        spreadText(spread(of(id, 'decode'))),
        against('decode', 'ours'),
        against('decode', 'int8'),
      ]);
    }
    const ort = (/** @type {string} */ part, /** @type {string} */ id) => ratios(of('ort', part), of(id, part));
    report.goals.push(
      atLeast(`ORT-web to ours, prompt, ${host.name}`, 1.6, ort('prefill', 'ours')),
      atLeast(`ORT-web to ours with int8, a token, ${host.name}`, 3.3, ort('decode', 'int8')),
      atLeast(`ORT-web to ours, a token, ${host.name}`, 1, ort('decode', 'ours')),
    );
    Object.assign(/** @type {object} */ (report.data), { [host.name]: Object.fromEntries(times) });
    await host.close(); // what follows needs the memory
  }

  const memory = {
    head: ['host', 'library', 'resident at most, MB', 'wasm memory, MB'],
    rows: /** @type {string[][]} */ ([]),
  };
  const megabytes = (/** @type {number | null | undefined} */ size) => (size ? figures(size / 1e6) : '');
  for (const { name } of hosts) {
    for (const { id, what, description } of ROWS.filter((one) => one.hosts.includes(name))) {
      progress(`${name}: memory of ${id}`);
      const found = name === 'Node' ? memoryInNode(description) : await memoryInChromium(page, description);
      memory.rows.push([name, what, megabytes(found?.resident), megabytes(found?.wasm)]);
    }
  }
  report.tables.push(memory);

  progress('what eight bits change');
  const errors = await int8Errors();
  report.tables.push({
    head: [
      'model',
      'positions',
      'deviation of logits',
      'of their differences',
      'largest difference',
      'same first choice',
    ],
    rows: errors.map(({ model, rows, deviation, error, most, same }) => [
      model,
      String(rows),
      figures(deviation),
      error.toFixed(4),
      most.toFixed(3),
      `${((100 * same) / rows).toFixed(1)} %`,
    ]),
  });
  Object.assign(/** @type {object} */ (report.data), { memory: memory.rows, errors });
  return report;
}
