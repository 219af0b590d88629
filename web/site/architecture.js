// What a model computes, as far as the way down to its weights needs to know it: from its config, as cpp/model/families reads it, and
// what its parameters are called (architecture-names.js).

import { NAMES } from './architecture-names.js';

/** @typedef {'' | 'encoder.' | 'decoder.'} StackName what a stack's hooks begin with */
/**
 * @typedef {object} Architecture
 * @property {boolean} normFirst pre-norm
 * @property {boolean} parallel attention and feed-forward read the same
 * @property {boolean} rms norms by root mean square
 * @property {number} eps of the norms
 * @property {string} activation
 * @property {boolean} gated
 * @property {(layer: number, width: number) => number} divisor what a dot product is divided by
 * @property {number} embeddingScale of the word embeddings
 * @property {number} logitsScale of the last hidden states
 * @property {'table' | 'waves' | 'halves' | 'none'} positions waves: sines and cosines in turn; halves: one after the other
 * @property {number} positionOffset rows of the table before that of the first position
 * @property {number[] | null} rotary frequencies, one for each pair of a head's dimensions; null without
 * @property {{ buckets: number, farthest: number } | null} relative the bias by distance
 * @property {'joined' | 'interleaved' | null} projection how one matrix holds queries, keys and values
 * @property {boolean} transposed matrices of the layers are stored [in, out]
 * @property {(layer: number, layers: number) => number} group which of the layers' weights a layer has
 * @property {(stack: StackName, module: string, layer?: number) => string | null} name of a module's parameters, null where it has none
 */

/** @param {import('./types.js').Model} model @returns {Architecture} */
export function architectureOf({ config, family }) {
  const names = NAMES[family] ?? {};
  const t5 = family === 't5';
  const neox = family === 'gpt_neox';
  const llama = ['llama', 'mistral', 'qwen2'].includes(family);
  const preNorm =
    llama || t5 || family === 'gpt2' || neox || (family === 'opt' && config.do_layer_norm_before !== false);
  const width = Number(config.d_model ?? config.hidden_size ?? config.n_embd);
  const gate = t5 && String(config.feed_forward_proj ?? 'relu').startsWith('gated-');
  const tied = config.scale_decoder_outputs ?? config.tie_word_embeddings ?? true;
  return {
    normFirst: preNorm || config.norm_first === true,
    parallel: neox && config.use_parallel_residual !== false,
    rms: llama || t5,
    eps: epsOf(config, family),
    activation: activationOf(config, t5),
    gated: llama || gate,
    divisor(layer, headWidth) {
      if (t5) return 1;
      const root = family === 'gpt2' && config.scale_attn_weights === false ? 1 : Math.sqrt(headWidth);
      return family === 'gpt2' && config.scale_attn_by_inverse_layer_idx === true ? root * (layer + 1) : root;
    },
    embeddingScale: (config.scale_embedding ?? config.embedding_scale) === true ? Math.sqrt(width) : 1,
    logitsScale: t5 && tied ? 1 / Math.sqrt(width) : 1,
    positions: positionsOf(config, family),
    positionOffset: { bart: 2, opt: 2, roberta: Number(config.pad_token_id ?? 1) + 1 }[family] ?? 0,
    rotary: llama || neox ? rotaryOf(config, neox) : null,
    relative: t5
      ? {
          buckets: Number(config.relative_attention_num_buckets ?? 32),
          farthest: Number(config.relative_attention_max_distance ?? 128),
        }
      : null,
    projection: family === 'gpt2' ? 'joined' : neox ? 'interleaved' : null,
    transposed: family === 'gpt2',
    group: (layer, layers) =>
      family === 'albert' ? Math.floor((layer * Number(config.num_hidden_groups ?? 1)) / layers) : layer,
    name(stack, module, layer = 0) {
      const pattern = names[`${stack}${module}`] ?? names[module] ?? null;
      const side = stack === '' ? 'decoder' : stack.slice(0, -1);
      return pattern && pattern.replace('{s}', side).replace('{l}', String(layer));
    },
  };
}

/** @param {Record<string, any>} config @param {string} family */
function epsOf(config, family) {
  const usual = { t5: 1e-6, llama: 1e-6, mistral: 1e-6, qwen2: 1e-6, bert: 1e-12, electra: 1e-12, distilbert: 1e-12 }[
    family
  ];
  const given = config.layer_norm_eps ?? config.layer_norm_epsilon ?? config.rms_norm_eps;
  return Number(given ?? usual ?? (['albert', 'glassformer', 'roberta'].includes(family) ? 1e-12 : 1e-5));
}

/** @param {Record<string, any>} config @param {boolean} t5 */
function activationOf(config, t5) {
  if (!t5) return String(config.hidden_act ?? config.activation_function ?? config.activation ?? 'gelu');
  const name = String(config.feed_forward_proj ?? 'relu');
  return name === 'gated-gelu' ? 'gelu_new' : name.replace('gated-', '');
}

/** @param {Record<string, any>} config @param {string} family @returns {Architecture['positions']} */
function positionsOf(config, family) {
  if (family === 'marian') return 'halves';
  if (family === 'glassformer' && config.position_embedding_type !== 'learned') return 'waves';
  return ['t5', 'llama', 'mistral', 'qwen2', 'gpt_neox'].includes(family) ? 'none' : 'table';
}

/**
 * Radians a token for each pair of dimensions (Su et al. 2021, section 3.2.2); null for a scaling that is not written out here.
 * @param {Record<string, any>} config
 * @param {boolean} neox
 */
function rotaryOf(config, neox) {
  const scaling = config.rope_parameters ?? config.rope_scaling ?? {};
  const type = scaling.rope_type ?? scaling.type ?? 'default';
  if (type !== 'default' && type !== 'linear') return null;
  const heads = Number(config.num_attention_heads);
  const head = Number(config.head_dim ?? config.hidden_size / heads);
  const base = Number(scaling.rope_theta ?? config.rope_theta ?? config.rotary_emb_base ?? 10000);
  const turned = Math.floor(head * (neox ? Number(scaling.partial_rotary_factor ?? config.rotary_pct ?? 0.25) : 1));
  const slower = type === 'linear' ? Number(scaling.factor ?? 1) : 1;
  return Array.from({ length: Math.floor(turned / 2) }, (_, i) => base ** ((-2 * i) / turned) / slower);
}

/**
 * Which entry of T5's table a distance has (Raffel et al. 2020, section 2.1): near ones each their own, far ones share.
 * @param {number} distance from the query to the key
 * @param {{ buckets: number, farthest: number }} relative
 * @param {boolean} both whether keys after the query can be seen
 */
export function bucketOf(distance, { buckets, farthest }, both) {
  const side = both ? buckets / 2 : buckets;
  const first = both && distance > 0 ? side : 0;
  const away = both ? Math.abs(distance) : Math.max(0, -distance);
  const exact = Math.floor(side / 2);
  if (away < exact) return first + away;
  // In float32, as every implementation has it: at a border the rounding decides.
  const { fround } = Math;
  const share = fround(fround(Math.log(fround(away / exact))) / fround(Math.log(farthest / exact)));
  return first + Math.min(exact + Math.floor(fround(share * (side - exact))), side - 1);
}

/** An activation in doubles. @param {string} name @param {number} x */
export function activate(name, x) {
  const tanhForm = 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
  if (name === 'relu') return Math.max(0, x);
  if (name === 'silu' || name === 'swish') return x / (1 + Math.exp(-x));
  if (name === 'tanh') return Math.tanh(x);
  return name === 'gelu' ? 0.5 * x * (1 + errorFunction(x / Math.SQRT2)) : tanhForm;
}

/** To 1.5e-7 (Abramowitz & Stegun 1964, formula 7.1.26). @param {number} x */
function errorFunction(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
