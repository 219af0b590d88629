// Inside an attention: a head's query, key and value, the turn that positions give them, what it mixes, and the numbers of a cell.

import { bucketOf } from './architecture.js';
import { cellOrigins } from './origin-cells.js';
import { explain, headMatrix, visibleToken } from '../view/index.js';
import { hookOf } from './grids.js';
import { learnt, placeIn, reckoned, term } from './origin-terms.js';
import { STRINGS } from './strings.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {import('./origin-terms.js').Terms} Terms */
/** @typedef {import('./origin-kit.js').Kit} Kit */
/** @typedef {import('./origin-kit.js').Stack} Stack */
/** @typedef {Pick<import('./grids.js').Grid, 'stack' | 'part'>} Place of an attention */
/** @typedef {{ layer: number, head: number, query: number, key: number }} CellPlace */
/** @typedef {(stack: Stack, l: number, t: number) => Promise<Origin[]>} Read what an attention's projections read of a token */

const { origins: words } = STRINGS;
const PARTS = { q: 0, k: 1, v: 2 };

/**
 * @param {Kit} kit
 * @param {{ stackNamed: (name: string) => Stack, asked: Read, askedAcross: Read,
 *   output: (stack: Stack, t: number) => Promise<Origin[]> }} stream
 */
export function createHeads(kit, { stackNamed, asked, askedAcross, output }) {
  const { arch, records } = kit;

  /** A hook of an attention, behind its stack's name. @param {Place} place @param {number} l @param {string} hook */
  const hook = ({ part }, l, hook) => `blocks.${l}.${part}.${hook}`;

  /** The stack whose tokens are keys, under the name that their hooks have. @param {Place} place @returns {Stack} */
  function keysOf({ stack, part }) {
    const own = stackNamed(stack);
    return part === 'attn' ? own : { ...own, sequence: stackNamed('encoder.').sequence };
  }

  /** Heads and their width of a recorded [B, T, H, K] tensor. @param {Stack} stack @param {string} hookName */
  async function sizes({ name }, hookName) {
    const { shape } = await records.get(`${name}${hookName}`);
    return { heads: shape[2], width: shape[3] };
  }

  /** Which of the heads of keys and values a head has: several may share one. @param {Place} place @param {number} l @param {number} h */
  async function keyHead(place, l, h) {
    const stack = stackNamed(place.stack);
    const [queries, keys] = [
      await sizes(stack, hook(place, l, 'hook_q')),
      await sizes(stack, hook(place, l, 'hook_k')),
    ];
    return Math.floor((h * keys.heads) / queries.heads);
  }

  /**
   * Number d of a token's query, key or value in a head.
   * @param {Place} place @param {'q' | 'k' | 'v'} which @param {number} l @param {number} h @param {number} t @param {number} d
   * @returns {Promise<Origin>}
   */
  async function headNumber(place, which, l, h, t, d) {
    const stack = which === 'q' ? stackNamed(place.stack) : keysOf(place);
    const own = which === 'q' ? h : await keyHead(place, l, h);
    const name = hook(place, l, `hook_${which}`);
    const { heads, width } = await sizes(stack, name);
    const row = own * width + d;
    return kit.recorded(stack, name, t, row, {
      symbol: which,
      says: words.projected[which],
      index: [own, d],
      async open() {
        const inputs =
          place.part === 'attn'
            ? await asked(stack, l, t)
            : which === 'q'
              ? await askedAcross(stack, l, t)
              : await output(stackNamed('encoder.'), t);
        const within = { part: PARTS[which], width: heads * width, head: width };
        return kit.linear(stack, `${place.part}.${which}`, l, `W${which}`, row, inputs, within);
      },
    });
  }

  /** Whether positions turn queries and keys here. @param {Place} place @param {number} l */
  const turns = ({ stack, part }, l) => records.has(`${stack}blocks.${l}.${part}.hook_rot_q`);

  /**
   * The same after its position has turned it: the number that the dot product takes (Su et al. 2021, section 3.4.2).
   * @param {Place} place @param {'q' | 'k'} which @param {number} l @param {number} h @param {number} t @param {number} d
   * @returns {Promise<Origin>}
   */
  async function turned(place, which, l, h, t, d) {
    if (!turns(place, l)) return headNumber(place, which, l, h, t, d);
    const stack = which === 'q' ? stackNamed(place.stack) : keysOf(place);
    const own = which === 'q' ? h : await keyHead(place, l, h);
    const name = hook(place, l, `hook_rot_${which}`);
    const { width } = await sizes(stack, name);
    const pairs = arch.rotary?.length ?? 0;
    return kit.recorded(stack, name, t, own * width + d, {
      symbol: `${which}′`,
      says: words.turned(t),
      index: [own, d],
      open:
        arch.rotary === null
          ? null
          : async () => {
              const plain = await headNumber(place, which, l, h, t, d);
              if (d >= 2 * pairs) return kit.addition(plain);
              const first = d < pairs;
              const i = first ? d : d - pairs;
              const angle = t * /** @type {number[]} */ (arch.rotary)[i];
              const other = await headNumber(place, which, l, h, t, first ? d + pairs : d - pairs);
              const cosine = reckoned(words.cosineLabel(i), Math.cos(angle), words.turn(t, angle));
              const sine = reckoned(
                words.sineLabel(i, first),
                first ? -Math.sin(angle) : Math.sin(angle),
                words.turn(t, angle),
              );
              return { kind: 'sum', formula: words.rotation, terms: [term(plain, cosine), term(other, sine)] };
            },
    });
  }

  /** What all heads bring to number j of a token. @param {Stack} stack @param {number} l @param {Place['part']} part @param {number} t @param {number} j @returns {Promise<Terms>} */
  async function joined(stack, l, part, t, j) {
    const place = { stack: stack.name, part };
    const name = hook(place, l, 'hook_z');
    const z = await kit.vector(stack, name, t);
    const { width } = await sizes(stack, name);
    const inputs = await kit.each(z, (r) => {
      const h = Math.floor(r / width);
      const full = `${stack.name}${name}`;
      const off = kit.edits.some(({ at, where }) => at === full && (where?.head === undefined || where.head === h));
      return kit.recorded(stack, name, t, r, {
        symbol: 'z',
        says: off ? words.switchedOff(h) : words.mixed(h),
        values: z,
        index: [h, r % width],
        open: off ? null : () => mix(place, l, h, t, r % width),
      });
    });
    return kit.linear(stack, `${part}.out`, l, 'Wo', j, inputs);
  }

  /** @param {Place} place @param {number} l @param {number} h @param {number} t @param {number} d @returns {Promise<Terms>} */
  async function mix(place, l, h, t, d) {
    const stack = stackNamed(place.stack);
    const keys = keysOf(place);
    const name = hookOf(/** @type {any} */ (place), l, 'hook_pattern');
    const row = rowOf(headMatrix(await records.get(name), { batch: stack.batch, head: h }), t);
    const terms = await kit.each(row, async (key) => {
      const weight = kit.own({
        label: `${words.weight}(${visibleToken(keys.sequence.tokens[key])})`,
        value: row[key],
        place: placeIn(name, stack.batch, h, t, key),
        from: 'recorded',
        says: words.ofWeight,
        open: async () => {
          const { weight: of } = (await cell(place, { layer: l, head: h, query: t, key })).numbers;
          return /** @type {() => Promise<Terms>} */ (of.open)();
        },
      });
      return term(weight, await headNumber(place, 'v', l, h, key, d));
    });
    return { kind: 'sum', formula: words.mix, terms };
  }

  /** What is added to a score by distance; null where nothing is. @param {Place} place @param {CellPlace} at @returns {Promise<Origin | null>} */
  async function biasAt({ stack, part }, { head, query, key }) {
    if (arch.relative === null || part !== 'attn') return null;
    const bucket = bucketOf(key - query, arch.relative, stack === 'encoder.');
    const base = kit.baseOf(stackNamed(stack), 'relative_bias', 0);
    const label = words.biasLabel(key - query);
    const origin = await learnt(kit.parameters, `${base}.weight`, label, [bucket, head]);
    return { ...origin, says: words.bias(key - query, bucket) };
  }

  /**
   * A cell of attention: its numbers, as shown and as origins.
   * @param {Place} place
   * @param {CellPlace} at
   */
  async function cell(place, at) {
    const { layer: l, head: h, query, key } = at;
    const stack = stackNamed(place.stack);
    const rotary = turns(place, l) ? 'rot_' : '';
    const matrix = async (/** @type {string} */ name) =>
      headMatrix(await records.get(`${stack.name}${hook(place, l, name)}`), { batch: stack.batch, head: h });
    const of = async (/** @type {'q' | 'k'} */ which, /** @type {number} */ t, /** @type {number} */ own) => {
      const name = hook(place, l, `hook_${rotary}${which}`);
      const { width } = await sizes(stack, name);
      return (await kit.vector(stack, name, t)).subarray(own * width, (own + 1) * width);
    };
    const [q, k, scores, weights, bias] = await Promise.all([
      of('q', query, h),
      keyHead(place, l, h).then((own) => of('k', key, own)),
      matrix('hook_attn_scores'),
      matrix('hook_pattern'),
      biasAt(place, at),
    ]);
    const scale = 1 / arch.divisor(l, q.length);
    const row = rowOf(weights, query);
    const parts = explain({ q, k, scores: rowOf(scores, query), weights: row, key, scale, bias: bias?.value ?? null });
    const tokens = {
      query: visibleToken(stack.sequence.tokens[query]),
      key: visibleToken(keysOf(place).sequence.tokens[key]),
    };
    const numbers = cellOrigins(
      { ...at, batch: stack.batch, prefix: `${stack.name}blocks.${l}.${place.part}` },
      parts,
      tokens,
      {
        bias,
        own: kit.own,
        number: (which, d) => turned(place, which, l, h, which === 'q' ? query : key, d),
      },
    );
    return { parts, numbers, tokens };
  }

  return { headNumber, joined, cell };
}

/** @param {import('../view/types.js').Matrix} matrix @param {number} row */
function rowOf({ data, columns }, row) {
  return data.subarray(row * columns, (row + 1) * columns);
}
