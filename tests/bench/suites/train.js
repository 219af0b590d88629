// A training step: ours beside tfjs, and beside PyTorch where it is installed. All start from the same weights and see the
// same batch, so their losses must agree step by step.
import { createContenders } from '../contenders/index.js';
import { atLeast, atMost, figures, spreadText } from '../lib/report.js';
import { ratios, spread, takeTurns } from '../lib/rounds.js';
import { startTorch } from '../lib/torch.js';

/** @typedef {import('../lib/hosts.js').Host} Host */

/**
 * Losses of the first steps, about 5.5 each. Adam divides by the gradient's size, so rounding in a tiny gradient becomes a
 * difference of up to the learning rate (1e-3) in a weight that hardly matters.
 */
const TOLERANCE = 1e-3;
const COMPARED_STEPS = 4;

/**
 * @param {Host[]} hosts
 * @param {{ rounds: number, warmUp: number, progress: (text: string) => void }} options
 * @returns {Promise<import('../lib/report.js').Report>}
 */
export async function trainSuite(hosts, { rounds, warmUp, progress }) {
  /** @type {import('../lib/report.js').Report} */
  const report = {
    title: 'Training step: 4 layers, D 128, 4 heads, F 512, T 64, V 256, batch 16, Adam, one thread',
    tables: [],
    goals: [],
    notes: [],
    data: {},
  };
  const table = { head: ['host', 'library', 'ms', 'times ours', 'processor ms'], rows: /** @type {string[][]} */ ([]) };
  report.tables.push(table);
  const maker = createContenders();
  const weights = await maker.training();

  for (const host of hosts) {
    progress(`${host.name}: preparing`);
    const relaxed = await host.relaxed();
    const ours = await host.prepare({ task: 'train', library: 'ours' });
    const tfjs = await host.prepare({ task: 'train', library: 'tfjs' });
    const fast = relaxed ? await host.prepare({ task: 'train', library: 'ours', simd: 'auto' }) : null;
    const torch = await startTorch(weights);
    const turns = [
      { id: 'glassformer', once: () => host.once(ours) },
      ...(fast === null ? [] : [{ id: 'glassformer, relaxed SIMD', once: () => host.once(fast) }]),
      { id: 'tfjs-backend-wasm', once: () => host.once(tfjs) },
      ...(torch ? [{ id: 'torch, native', once: torch.once }] : []),
    ];
    const times = await takeTurns(turns, { rounds, warmUp, progress: (text) => progress(`${host.name}: ${text}`) });
    torch?.close();

    const base = (await host.results(ours)).losses;
    const others = [
      ['tfjs', (await host.results(tfjs)).losses],
      ...(fast === null ? [] : [['relaxed', (await host.results(fast)).losses]]),
      ...(torch ? [['torch', torch.losses]] : []),
    ];
    for (const [name, losses] of /** @type {[string, number[]][]} */ (others)) {
      const apart = base.slice(0, COMPARED_STEPS).map((loss, step) => Math.abs(loss - losses[step]));
      const most = Math.max(...apart);
      if (!(most <= TOLERANCE))
        throw new Error(`train, ${host.name}: ${name}'s losses are ${apart.join(', ')} from ours`);
      report.notes.push(
        `${host.name}: ${name}'s first ${apart.length} losses within ${most.toExponential(1)} of ours; tolerance ${TOLERANCE}`,
      );
    }

    const ms = (/** @type {string} */ id) => times.get(id)?.ms ?? [];
    const processor = (/** @type {string} */ id) => {
      const known = times.get(id)?.processor ?? [];
      return known.length > 0 ? figures(spread(known).median) : '';
    };
    for (const { id } of turns)
      table.rows.push([
        host.name,
        id,
        spreadText(spread(ms(id))),
        id === 'glassformer' ? '' : spreadText(ratios(ms(id), ms('glassformer'))),
        processor(id),
      ]);
    if (host.name === 'Chromium') {
      report.goals.push(atLeast('tfjs-wasm to ours, Chromium', 17, ratios(ms('tfjs-backend-wasm'), ms('glassformer'))));
      const slower = torch && ratios(ms('glassformer'), ms('torch, native')).median;
      if (slower)
        report.goals.push(atMost('ours to native torch, Chromium', 1.6, slower, (value) => `${value.toFixed(2)}×`));
    }
    if (!torch) report.notes.push(`${host.name}: without PyTorch, as no python3 here has it`);
    Object.assign(/** @type {object} */ (report.data), { [host.name]: Object.fromEntries(times) });
  }
  return report;
}
