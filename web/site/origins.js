// Where the numbers of a run come from, one step at a time: from a query's or key's number through the layers below to word,
// position and segment, and to the weights. Values are the run's recorded ones; only norms that no hook announces are
// computed here, from recorded numbers, and say so.

import { createParameters, linearTerms, normTerms, normed, placeIn, term } from './origin-terms.js';
import { STRINGS } from './strings.js';
import { cellOrigins } from './origin-cells.js';
import { explain, headMatrix, visibleToken } from '../view/index.js';

/** @typedef {import('./origin-terms.js').Origin} Origin */
/** @typedef {import('./origin-terms.js').Terms} Terms */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {ReturnType<typeof createOrigins>} Origins */

/**
 * @param {Result} result
 * @param {number} b which sequence
 */
export function createOrigins({ model, records, sequences }, b) {
  const { config } = model;
  const { tokens, ids, typeIds } = sequences[b];
  const parameters = createParameters(model);
  const words = STRINGS.origins;
  const eps = Number(config.layer_norm_eps ?? 1e-12);
  const normFirst = config.norm_first === true;
  const heads = Number(config.num_attention_heads);
  const projected = parameters.find('embeddings_project.weight') !== null;
  const embeddingNorm = parameters.find('embeddings.LayerNorm.weight') !== null;
  const block = (/** @type {number} */ l, /** @type {string} */ part) => `encoder.layer.${l}.${part}`;
  const named = (/** @type {string} */ symbol, /** @type {number} */ t, /** @type {number} */ j) =>
    `${symbol}(${visibleToken(tokens[t])})[${j}]`;

  /** A token's vector of a recorded [B, T, …] tensor, all its last axes in a row. @param {string} name @param {number} t */
  async function vector(name, t) {
    const { shape, data } = await records.get(name);
    const width = data.length / (shape[0] * shape[1]);
    return data.subarray((b * shape[1] + t) * width, (b * shape[1] + t + 1) * width);
  }
  /**
   * @param {string} label @param {string} place @param {ArrayLike<number>} values @param {number} j @param {string} says
   * @param {(() => Promise<Terms>) | null} open @returns {Origin}
   */
  const recorded = (label, place, values, j, says, open) => ({
    label,
    value: values[j],
    place,
    from: 'recorded',
    says,
    open,
  });
  /** @type {(label: string, values: ArrayLike<number>, j: number, says: string, open: () => Promise<Terms>) => Origin} */
  const computed = (label, values, j, says, open) => ({
    label,
    value: values[j],
    place: '',
    from: 'computed',
    says,
    open,
  });
  /** @type {(...factors: Origin[]) => Terms} */
  const addition = (...factors) => ({
    kind: 'sum',
    formula: words.addition,
    terms: factors.map((factor) => term(factor)),
  });
  /** @template T @param {ArrayLike<T>} values @param {(j: number) => Promise<Origin>} make */
  const each = (values, make) => Promise.all(Array.from(values, (_, j) => make(j)));

  // --- embeddings: word + position + segment, normed, projected

  const EMBEDDINGS = /** @type {const} */ ([
    ['hook_embed', 'word', 'embeddings.word_embeddings.weight', (/** @type {number} */ t) => ids[t]],
    ['hook_pos_embed', 'position', 'embeddings.position_embeddings.weight', (/** @type {number} */ t) => t],
    ['hook_type_embed', 'segment', 'embeddings.token_type_embeddings.weight', (/** @type {number} */ t) => typeIds[t]],
  ]);
  /** @param {number} t @returns {Promise<Origin[][]>} for each of E numbers: word, position, segment */
  async function embeddingParts(t) {
    const present = EMBEDDINGS.filter(([hook]) => records.has(hook));
    const vectors = await Promise.all(present.map(([hook]) => vector(hook, t)));
    return Array.from(vectors[0], (_, e) =>
      present.map(([hook, part, ending, row], i) => {
        const name = parameters.find(ending);
        const place = name === null ? placeIn(hook, b, t, e) : placeIn(name, row(t), e);
        const says = words.embedding[part](visibleToken(tokens[t]), row(t));
        return {
          label: `${words.parts[part]}[${e}]`,
          value: vectors[i][e],
          place,
          from: name === null ? 'recorded' : 'stored',
          says,
          open: null,
        };
      }),
    );
  }
  /** @param {number} t @returns {Promise<Origin[]>} what the first layer, or the projection, reads */
  async function embedded(t) {
    const parts = await embeddingParts(t);
    const sums = parts.map((of) => of.reduce((sum, { value }) => sum + value, 0));
    const sum = (/** @type {number} */ e) =>
      computed(named('e', t, e), sums, e, words.embeddingSum, async () => addition(...parts[e]));
    if (!embeddingNorm) return sums.map((_, e) => sum(e));
    const base = 'embeddings.LayerNorm';
    const out = await normed(parameters, base, sums, eps);
    return sums.map((_, e) =>
      computed(named('n', t, e), out, e, words.embeddingNorm, () => normTerms(parameters, base, sums, eps, e, sum(e))),
    );
  }

  // --- the residual stream

  /** Number j of token t before layer l. @param {number} l @param {number} t @param {number} j @returns {Promise<Origin>} */
  async function residual(l, t, j) {
    const name = `blocks.${l}.hook_resid_pre`;
    const values = await vector(name, t);
    const open = async () => {
      if (l > 0) return afterLayer(l - 1, t, j);
      const inputs = await embedded(t);
      if (projected) return linearTerms(parameters, 'embeddings_project', 'P', j, inputs);
      return /** @type {() => Promise<Terms>} */ (inputs[j].open)();
    };
    return recorded(named('x', t, j), placeIn(name, b, t, j), values, j, words.residual(l), open);
  }
  /** @param {number} l @param {number} t @param {number} j @returns {Promise<Terms>} */
  async function afterLayer(l, t, j) {
    const fed = await vector(`blocks.${l}.hook_mlp_out`, t);
    const out = recorded(named('m', t, j), placeIn(`blocks.${l}.hook_mlp_out`, b, t, j), fed, j, words.mlp, () =>
      mlpTerms(l, t, j),
    );
    if (normFirst) return addition(await middle(l, t, j), out);
    const base = block(l, 'attention.output.LayerNorm');
    const attended = await normed(parameters, base, await vector(`blocks.${l}.hook_resid_mid`, t), eps);
    const sums = Float64Array.from(fed, (value, i) => value + attended[i]);
    const sum = computed(named('s', t, j), sums, j, words.secondSum, async () =>
      addition(await afterAttention(l, t, j), out),
    );
    return normTerms(parameters, block(l, 'output.LayerNorm'), sums, eps, j, sum);
  }
  /** What the feed-forward part reads: the middle of the layer, normed. @param {number} l @param {number} t @param {number} j */
  async function afterAttention(l, t, j) {
    const base = block(l, normFirst ? 'output.LayerNorm' : 'attention.output.LayerNorm');
    const sums = await vector(`blocks.${l}.hook_resid_mid`, t);
    const out = await normed(parameters, base, sums, eps);
    return computed(named('a', t, j), out, j, words.afterAttention, async () =>
      normTerms(parameters, base, sums, eps, j, await middle(l, t, j)),
    );
  }
  /** @param {number} l @param {number} t @param {number} j @returns {Promise<Origin>} */
  async function middle(l, t, j) {
    const name = `blocks.${l}.hook_resid_mid`;
    const outName = `blocks.${l}.hook_attn_out`;
    const out = await vector(outName, t);
    const attention = recorded(named('o', t, j), placeIn(outName, b, t, j), out, j, words.attention, () =>
      attentionTerms(l, t, j),
    );
    return recorded(named('s', t, j), placeIn(name, b, t, j), await vector(name, t), j, words.firstSum, async () =>
      addition(await residual(l, t, j), attention),
    );
  }

  // --- inside a layer

  /** @param {number} l @param {number} t @param {number} j @returns {Promise<Terms>} */
  async function attentionTerms(l, t, j) {
    const name = `blocks.${l}.attn.hook_z`;
    const z = await vector(name, t);
    const width = z.length / heads;
    const inputs = Array.from(z, (_, r) => {
      const place = placeIn(name, b, t, Math.floor(r / width), r % width);
      return recorded(named('z', t, r), place, z, r, words.mixed(Math.floor(r / width)), () =>
        mixTerms(l, t, r, width),
      );
    });
    return linearTerms(parameters, block(l, 'attention.output.dense'), 'Wo', j, inputs);
  }
  /** @param {number} l @param {number} t @param {number} r @param {number} width @returns {Promise<Terms>} */
  async function mixTerms(l, t, r, width) {
    const h = Math.floor(r / width);
    const name = `blocks.${l}.attn.hook_pattern`;
    const { shape, data } = await records.get(name);
    const start = ((b * shape[1] + h) * shape[2] + t) * shape[3];
    const row = data.subarray(start, start + shape[3]);
    const terms = await each(row, async (key) => headNumber('v', l, h, key, r % width));
    const weight = (/** @type {number} */ key) =>
      recorded(
        `${words.weight}(${visibleToken(tokens[key])})`,
        placeIn(name, b, h, t, key),
        row,
        key,
        words.ofWeight,
        async () => cellOf(l, h, t, key),
      );
    return { kind: 'sum', formula: words.mix, terms: terms.map((value, key) => term(weight(key), value)) };
  }
  /** What a weight is made of. @param {number} l @param {number} h @param {number} query @param {number} key @returns {Promise<Terms>} */
  async function cellOf(l, h, query, key) {
    const hook = (/** @type {string} */ of) => `blocks.${l}.attn.hook_${of}`;
    const of = (/** @type {Float32Array} */ all) =>
      all.subarray((h * all.length) / heads, ((h + 1) * all.length) / heads);
    const [q, k] = await Promise.all([vector(hook('q'), query), vector(hook('k'), key)]);
    const tensors = await Promise.all([records.get(hook('attn_scores')), records.get(hook('pattern'))]);
    const [scores, weights] = tensors.map((tensor) => {
      const { data, columns } = headMatrix(tensor, { batch: b, head: h });
      return data.subarray(query * columns, (query + 1) * columns);
    });
    const parts = explain({ q: of(q), k: of(k), scores, weights, key });
    const cell = { layer: l, head: h, batch: b, query, key };
    return /** @type {() => Promise<Terms>} */ (cellOrigins(cell, parts, tokens, headNumber).weight.open)();
  }
  /** @param {number} l @param {number} t @param {number} j @returns {Promise<Terms>} */
  async function mlpTerms(l, t, j) {
    const [postName, preName] = [`blocks.${l}.mlp.hook_post`, `blocks.${l}.mlp.hook_pre`];
    const [post, pre] = await Promise.all([vector(postName, t), vector(preName, t)]);
    const before = (/** @type {number} */ i) =>
      recorded(named('h', t, i), placeIn(preName, b, t, i), pre, i, words.hidden, async () => {
        const inputs = await each(await vector(`blocks.${l}.hook_resid_mid`, t), (at) => afterAttention(l, t, at));
        return linearTerms(parameters, block(l, 'intermediate.dense'), 'W₁', i, inputs);
      });
    const inputs = Array.from(post, (_, i) =>
      recorded(
        named('f', t, i),
        placeIn(postName, b, t, i),
        post,
        i,
        words.active(String(config.hidden_act)),
        async () => ({
          kind: 'function',
          formula: words.activation(String(config.hidden_act)),
          terms: [term(before(i))],
        }),
      ),
    );
    return linearTerms(parameters, block(l, 'output.dense'), 'W₂', j, inputs);
  }
  /**
   * Number d of a token's query, key or value in a head.
   * @param {'q' | 'k' | 'v'} which @param {number} l @param {number} h @param {number} t @param {number} d @returns {Promise<Origin>}
   */
  async function headNumber(which, l, h, t, d) {
    const name = `blocks.${l}.attn.hook_${which}`;
    const values = await vector(name, t);
    const row = h * (values.length / heads) + d;
    const base = block(l, `attention.self.${{ q: 'query', k: 'key', v: 'value' }[which]}`);
    return recorded(named(which, t, d), placeIn(name, b, t, h, d), values, row, words.projected[which], async () =>
      linearTerms(parameters, base, `W${which}`, row, await asked(l, t)),
    );
  }
  /** What attention reads of a token. @param {number} l @param {number} t @returns {Promise<Origin[]>} */
  async function asked(l, t) {
    const name = `blocks.${l}.hook_resid_pre`;
    const values = await vector(name, t);
    if (!normFirst) return each(values, (j) => residual(l, t, j));
    const base = block(l, 'attention.output.LayerNorm');
    const out = await normed(parameters, base, values, eps);
    return Array.from(values, (_, j) =>
      computed(named('a', t, j), out, j, words.before, async () =>
        normTerms(parameters, base, values, eps, j, await residual(l, t, j)),
      ),
    );
  }

  return { headNumber };
}
