// Cheaper attention beside full attention, on the same input: by buckets (Reformer) or through projected keys (Linformer).

import { html } from 'lit';
import { button, line, slider } from '../kit/controls.js';
import { joined } from '../kit/given.js';
import { matrix } from '../kit/matrix.js';
import { strip } from '../kit/strip.js';

/** @typedef {import('../kit/types.js').Tensor} Tensor */

const MODEL = 'words';
const LAYER = 1;

/** [1, T, H, K] → [1, H, T, K]. @param {import('../kit/types.js').Core['ops']} ops @param {Tensor} tensor */
function byHead(ops, { shape: [batch, length, heads, width], data }) {
  return ops.splitHeads({ shape: [batch, length, heads * width], data }, heads);
}

/**
 * Means of stretches of neighbouring positions, k × S: a softmax over what each row may see, all of it alike.
 * @param {import('../kit/types.js').Core['ops']} ops
 * @param {number} k
 * @param {number} length
 */
function stretches(ops, k, length) {
  const data = new Float32Array(k * length).fill(-Infinity);
  for (let r = 0; r < k; r++) {
    const from = Math.floor((r * length) / k);
    data.fill(0, r * length + from, r * length + Math.max(Math.floor(((r + 1) * length) / k), from + 1));
  }
  return ops.softmax({ shape: [k, length], data });
}

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ text, head, paper, buckets, hashes, seed, k }, { ops, model: open }) {
  const model = await open(MODEL);
  const names = ['q', 'k', 'v'].map((name) => `blocks.${LAYER}.attn.hook_${name}`);
  const run = await model.run(text, { record: names });
  const [q, keys, values] = await Promise.all(names.map((name) => byHead(ops, run.get(name))));
  // LSH attention has queries and keys in one: full attention beside it takes the queries for both, as it does.
  const shared = paper === 'lsh';
  const [, heads, length] = q.shape;
  const full = shared
    ? await ops.lshAttention(q, values, { buckets: 1, hashes: 1, seed })
    : await ops.attention(q, keys, values);
  const mixing = await stretches(ops, Math.min(k, length), length);
  const cheap = shared
    ? await ops.lshAttention(q, values, { buckets, hashes, seed })
    : await ops.linformerAttention(q, keys, values, { e: mixing });
  const most = await ops.largestDifference(joined([full.output]), joined([cheap.output]));
  return {
    full,
    cheap,
    mixing,
    tokens: run.tokens[0],
    heads,
    most: most.data[0],
    head: Math.min(head, heads - 1),
    shared,
  };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ text, head, paper, buckets, hashes, seed, k }, result, set, { theme }) {
  const { full, cheap, mixing, tokens, heads, most, head: shown, shared } = result;
  const length = tokens.length;
  const table = { at: shown, rows: tokens, columns: tokens, kind: /** @type {const} */ ('weights'), theme };
  const from = shared ? shown * cheap.buckets.shape[2] * length : 0;
  return html`<div class="controls">
      ${line({ label: 'text', value: text, lang: 'en', set: (words) => set({ text: words }) })}
      ${slider({ label: 'head', value: Math.min(head, heads - 1), min: 0, max: heads - 1, set: (value) => set({ head: value }) })}
      ${
        paper === 'lsh'
          ? html`${slider({ label: 'buckets', value: buckets, min: 2, max: 8, step: 2, set: (value) => set({ buckets: value }) })}
            ${slider({ label: 'rounds of hashing', value: hashes, min: 1, max: 8, set: (value) => set({ hashes: value }) })}
            ${button({ label: 'other directions', press: () => set({ seed: seed + 1 }) })}`
          : slider({ label: 'k', value: k, min: 1, max: 13, set: (value) => set({ k: value }) })
      }
    </div>
    <div class="line-of">
      ${matrix({ name: shared ? 'full attention, queries as keys' : 'full attention', shape: 'T × S', tensor: full.weights, ...table })}
      ${matrix({ name: shared ? 'LSH attention' : 'what the projection amounts to', shape: 'T × S', tensor: cheap.weights, ...table })}
    </div>
    <div class="line-of">
      ${
        shared
          ? matrix({
              name: 'buckets of the first round',
              shape: '1 × T',
              tensor: { shape: [1, length], data: cheap.buckets.data.slice(from, from + length) },
              columns: tokens,
              digits: 0,
              theme,
            })
          : strip({
              name: 'E: how keys are mixed',
              shape: 'k × S',
              tensor: mixing,
              kind: 'weights',
              column: 'position',
              theme,
            })
      }
    </div>
    <p class="note">
      largest difference of the two outputs, all heads: <span class="num">${most.toPrecision(3)}</span>
    </p>`;
}
