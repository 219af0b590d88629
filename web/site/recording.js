// Which numbers of a run are kept. All of them where that is cheap; in a large model only the patterns, and a layer's others
// when somebody asks for them, from a second run on the same input.

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').RunLike} RunLike */
/** @typedef {import('./types.js').Run} Run */
/** @typedef {import('./types.js').Tensor} Tensor */
/** @typedef {ReturnType<typeof createRecords>} Records */

/** Values that a run may record without a second thought: 32 MB. */
const CHEAP = 8_000_000;
const PATTERNS = ['*.hook_pattern'];
const OUTSIDE = ['*hook_embed', '*hook_pos_embed', '*hook_type_embed', '*ln_final.hook_normalized'];
const KEPT_LAYERS = 2;

/** Sizes from a config, to judge what recording costs. @param {Record<string, any>} config */
function sizesOf(config) {
  const encoder = Number(config.encoder_layers ?? config.num_hidden_layers ?? config.n_layer ?? config.num_layers ?? 0);
  const decoder = config.is_encoder_decoder
    ? Number(config.decoder_layers ?? config.num_decoder_layers ?? config.num_layers ?? 0)
    : 0;
  const heads = Number(
    config.num_attention_heads ?? config.n_head ?? config.num_heads ?? config.encoder_attention_heads ?? 0,
  );
  const width = Number(config.hidden_size ?? config.d_model ?? config.n_embd ?? 0);
  const feedForward = Number(
    config.intermediate_size ?? config.d_ff ?? config.ffn_dim ?? config.encoder_ffn_dim ?? 4 * width,
  );
  return { layers: encoder + 2 * decoder, heads, width, feedForward };
}

/**
 * Hook names for a first run.
 * @param {Record<string, any>} config
 * @param {number} batch
 * @param {number} length tokens
 */
export function namesToRecord(config, batch, length) {
  const { layers, heads, width, feedForward } = sizesOf(config);
  const values = batch * layers * (2 * heads * length * length + length * (10 * width + 2 * feedForward));
  return values <= CHEAP ? ['*'] : PATTERNS;
}

/**
 * What a run recorded, and what it would have.
 * @param {Model} model
 * @param {any} input
 * @param {RunLike} run
 * @param {import('../engine/edits.js').Edit[]} edits that were made in it
 */
export function createRecords(model, input, run, edits = []) {
  const known = new Set(run.names);
  const hooks = new Set(model.hooks().map(({ name }) => name));
  /** @type {Map<string, Promise<Run>>} by what was recorded */
  const later = new Map();
  /** @type {Map<string, Run>} */
  const done = new Map();

  /** @param {string} name @returns {string} the part of the model that is recorded with it */
  const partOf = (name) => /^(.*blocks\.\d+\.)/.exec(name)?.[1] ?? '';

  /** @param {string} part @returns {Promise<Run>} */
  function ask(part) {
    let asked = later.get(part);
    if (!asked) {
      asked = model.run(input, { record: part === '' ? OUTSIDE : [`${part}*`], edits });
      later.set(part, asked);
      for (const old of [...later.keys()].slice(0, -KEPT_LAYERS)) {
        later.delete(old);
        done.delete(old);
      }
      asked.then(
        (more) => later.has(part) && done.set(part, more),
        () => later.delete(part),
      );
    }
    return asked;
  }

  return {
    /** Whether the model has such a number at all. @param {string} name */
    has: (name) => hooks.has(name),
    /** A recorded tensor, null where it would need another run. @param {string} name @returns {Tensor | null} */
    peek(name) {
      if (known.has(name)) return run.get(name);
      return done.get(partOf(name))?.get(name) ?? null;
    },
    /** A recorded tensor, from another run where it needs one. @param {string} name @returns {Promise<Tensor>} */
    async get(name) {
      return known.has(name) ? run.get(name) : (await ask(partOf(name))).get(name);
    },
  };
}
