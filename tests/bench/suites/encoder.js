// The encoder's forward: ours beside onnxruntime-web and tfjs, with every attention matrix recorded and with nothing.
import { PATTERNS } from '../contenders/glassformer.js';
import { atLeast, atMost, figures, spreadText } from '../lib/report.js';
import { ratios, spread, takeTurns } from '../lib/rounds.js';

/** @typedef {import('../lib/hosts.js').Host} Host */
/** @typedef {import('../lib/rounds.js').Times} Times */
/** @typedef {{ id: string, what: string, description: import('../contenders/index.js').Description }} Row */

/**
 * How far results may be apart: 32-bit sums of up to 1536 terms in other orders, through six layers, and each library's own
 * approximations of exp and erf. Weights are at most 1, hidden values about 1 (they leave a norm).
 */
const TOLERANCE = 1e-4;

/** @type {(id: string, what: string, library: 'ours' | 'ort' | 'tfjs', record: string[], simd?: 'auto') => Row} */
const row = (id, what, library, record, simd) => ({
  id,
  what,
  description: { task: 'encoder', library, record, ...(simd ? { simd } : {}) },
});

const ROWS = [
  row('ours', 'glassformer', 'ours', PATTERNS),
  row('ort', 'onnxruntime-web', 'ort', PATTERNS),
  row('tfjs', 'tfjs-backend-wasm', 'tfjs', PATTERNS),
  row('ours nothing', 'glassformer', 'ours', []),
  row('ort nothing', 'onnxruntime-web', 'ort', []),
  row('tfjs nothing', 'tfjs-backend-wasm', 'tfjs', []),
  row('ours listening', 'glassformer', 'ours', ['hook_pos_embed']),
  row('ours everything', 'glassformer', 'ours', ['*']),
];
const RELAXED = row('relaxed', 'glassformer, relaxed SIMD', 'ours', PATTERNS, 'auto');

/** @type {Record<string, string>} */
const RECORDED = {
  ours: 'all patterns',
  relaxed: 'all patterns',
  ort: 'all patterns',
  tfjs: 'all patterns',
  'ours listening': 'one small tensor',
  'ours everything': 'everything',
};

/**
 * @param {Host} host
 * @param {Row[]} rows
 * @param {Map<string, number>} prepared
 */
async function agreement(host, rows, prepared) {
  let worst = { value: 0, where: '' };
  const first = /** @type {number} */ (prepared.get('ours'));
  for (const { id } of rows.filter(({ id }) => id !== 'ours')) {
    const index = /** @type {number} */ (prepared.get(id));
    for (const [name, value] of Object.entries(await host.differences(index, first))) {
      if (!(value <= TOLERANCE)) throw new Error(`encoder, ${host.name}: ${id} is ${value} from ours in ${name}`);
      if (value > worst.value) worst = { value, where: `${id}, ${name}` };
    }
  }
  return `${host.name}: all results within ${worst.value.toExponential(1)} of ours (${worst.where}); tolerance ${TOLERANCE}`;
}

/**
 * @param {Host[]} hosts
 * @param {{ rounds: number, warmUp: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function encoderSuite(hosts, { rounds, warmUp, progress }) {
  /** @type {import('../lib/report.js').Report} */
  const report = {
    title: 'Encoder forward: 6 layers, D 384, 12 heads, F 1536, T 128, batch 1, one thread',
    tables: [],
    goals: [],
    notes: [],
    data: {},
  };
  const table = {
    head: ['host', 'library', 'recorded', 'ms', 'times ours', 'processor ms', 'times ours', 'ms in our core'],
    rows: /** @type {string[][]} */ ([]),
  };
  report.tables.push(table);
  for (const host of hosts) {
    const rows = (await host.relaxed()) ? [RELAXED, ...ROWS] : ROWS;
    /** @type {Map<string, number>} */
    const prepared = new Map();
    for (const { id, description } of rows) {
      progress(`${host.name}: preparing ${id}`);
      prepared.set(id, await host.prepare(description));
    }
    const turns = rows.map(({ id }) => ({ id, once: () => host.once(/** @type {number} */ (prepared.get(id))) }));
    const times = await takeTurns(turns, { rounds, warmUp, progress: (text) => progress(`${host.name}: ${text}`) });
    report.notes.push(await agreement(host, rows, prepared));
    const timesOf = (/** @type {string} */ id) => /** @type {Times} */ (times.get(id));
    const ms = (/** @type {string} */ id) => timesOf(id).ms;
    for (const { id, what } of rows) {
      // Each beside ours with the same recorded.
      const base = id.endsWith(' nothing') ? 'ours nothing' : 'ours';
      const { inCore, processor } = timesOf(id);
      table.rows.push([
        host.name,
        what,
        RECORDED[id] ?? 'nothing',
        spreadText(spread(ms(id))),
        id === base ? '' : spreadText(ratios(ms(id), ms(base))),
        processor.length > 0 ? figures(spread(processor).median) : '',
        processor.length > 0 && id !== base ? figures(ratios(processor, timesOf(base).processor).median) : '',
        inCore.length > 0 ? figures(spread(inCore).median) : '',
      ]);
    }
    const node = host.name === 'Node';
    report.goals.push(
      atLeast(`ORT-web to ours, ${host.name}, simd128`, node ? 1.4 : 1.7, ratios(ms('ort'), ms('ours'))),
    );
    if (times.has('relaxed'))
      report.goals.push(atLeast(`ORT-web to ours, ${host.name}, relaxed SIMD`, 1.9, ratios(ms('ort'), ms('relaxed'))));
    // The hooks' whole machinery at work for one tensor costs more than the branch that is left when nobody listens.
    const listening = ratios(ms('ours listening'), ms('ours nothing')).median;
    report.goals.push(
      atMost(`one small tensor recorded to nothing, ${host.name}`, 1.02, listening, (value) => `${value.toFixed(3)}×`),
    );
    Object.assign(/** @type {object} */ (report.data), { [host.name]: Object.fromEntries(times) });
  }
  return report;
}
