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

// Who takes turns with whom: all with the same recorded, then ours with more and more.
const GROUPS = [
  [
    row('ours', 'glassformer', 'ours', PATTERNS),
    row('ort', 'onnxruntime-web', 'ort', PATTERNS),
    row('tfjs', 'tfjs-backend-wasm', 'tfjs', PATTERNS),
  ],
  [
    row('ours nothing', 'glassformer', 'ours', []),
    row('ort nothing', 'onnxruntime-web', 'ort', []),
    row('tfjs nothing', 'tfjs-backend-wasm', 'tfjs', []),
  ],
  [
    row('again nothing', 'glassformer', 'ours', []),
    row('again small', 'glassformer', 'ours', ['hook_pos_embed']),
    row('again patterns', 'glassformer', 'ours', PATTERNS),
  ],
  // Alone: it leaves 27 MB of garbage a pass, which others would have to clear away.
  [row('everything', 'glassformer', 'ours', ['*'])],
];
const RELAXED = row('relaxed', 'glassformer, relaxed SIMD', 'ours', PATTERNS, 'auto');

/** @param {Row} row */
function recordedText({ description: { record = [] } }) {
  if (record.length === 0) return 'nothing';
  return record === PATTERNS ? 'all patterns' : record[0] === '*' ? 'everything' : 'one small tensor';
}

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
    head: ['host', 'library', 'recorded', 'ms', 'times the first', 'processor ms', 'times the first', 'ms in core'],
    rows: /** @type {string[][]} */ ([]),
  };
  report.tables.push(table);
  for (const host of hosts) {
    const [first, ...others] = GROUPS;
    const groups = (await host.relaxed()) ? [[...first, RELAXED], ...others] : GROUPS;
    /** @type {Map<string, number>} */
    const prepared = new Map();
    /** @type {Map<string, Times>} */
    const times = new Map();
    for (const group of groups) {
      for (const { id, description } of group) {
        progress(`${host.name}: preparing ${id}`);
        prepared.set(id, await host.prepare(description));
      }
      const turns = group.map(({ id }) => ({ id, once: () => host.once(/** @type {number} */ (prepared.get(id))) }));
      const named = (/** @type {string} */ text) => progress(`${host.name}, ${group[0].id} and others: ${text}`);
      const taken = await takeTurns(turns, { rounds, warmUp, settle: true, progress: named });
      for (const [id, measured] of taken) times.set(id, measured);
    }
    report.notes.push(await agreement(host, groups.flat(), prepared));
    const timesOf = (/** @type {string} */ id) => /** @type {Times} */ (times.get(id));
    const ms = (/** @type {string} */ id) => timesOf(id).ms;
    for (const group of groups) {
      const base = group[0].id;
      for (const row of group) {
        const { inCore, processor } = timesOf(row.id);
        const other = row.id !== base;
        table.rows.push([
          host.name,
          row.what,
          recordedText(row),
          spreadText(spread(ms(row.id))),
          other ? spreadText(ratios(ms(row.id), ms(base))) : '1',
          processor.length > 0 ? figures(spread(processor).median) : '',
          processor.length > 0 && other ? figures(ratios(processor, timesOf(base).processor).median) : '',
          inCore.length > 0 ? figures(spread(inCore).median) : '',
        ]);
      }
    }
    const node = host.name === 'Node';
    report.goals.push(
      atLeast(`ORT-web to ours, ${host.name}, simd128`, node ? 1.4 : 1.7, ratios(ms('ort'), ms('ours'))),
    );
    if (times.has('relaxed'))
      report.goals.push(atLeast(`ORT-web to ours, ${host.name}, relaxed SIMD`, 1.9, ratios(ms('ort'), ms('relaxed'))));
    // The hooks' whole machinery at work for one tensor costs more than the branch that is left when nobody listens.
    const listening = ratios(ms('again small'), ms('again nothing')).median;
    report.goals.push(
      atMost(`one small tensor recorded to nothing, ${host.name}`, 1.02, listening, (value) => `${value.toFixed(3)}×`),
    );
    Object.assign(/** @type {object} */ (report.data), { [host.name]: Object.fromEntries(times) });
  }
  return report;
}
