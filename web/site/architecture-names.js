// What families call the parameters of a module: the module as the core names it, its checkpoint's name without the prefix. {s} is
// the stack, {l} the layer. Where the stacks differ, an entry begins with the stack.

/** @type {Record<string, string>} */
const BERT = {
  'embed.word': 'embeddings.word_embeddings',
  'embed.position': 'embeddings.position_embeddings',
  'embed.type': 'embeddings.token_type_embeddings',
  'embed.norm': 'embeddings.LayerNorm',
  'embed.project': 'embeddings_project',
  'attn.q': 'encoder.layer.{l}.attention.self.query',
  'attn.k': 'encoder.layer.{l}.attention.self.key',
  'attn.v': 'encoder.layer.{l}.attention.self.value',
  'attn.out': 'encoder.layer.{l}.attention.output.dense',
  norm1: 'encoder.layer.{l}.attention.output.LayerNorm',
  'mlp.in': 'encoder.layer.{l}.intermediate.dense',
  'mlp.out': 'encoder.layer.{l}.output.dense',
  norm2: 'encoder.layer.{l}.output.LayerNorm',
  final_norm: 'encoder.norm',
};

const DISTILBERT = {
  ...BERT,
  'attn.q': 'transformer.layer.{l}.attention.q_lin',
  'attn.k': 'transformer.layer.{l}.attention.k_lin',
  'attn.v': 'transformer.layer.{l}.attention.v_lin',
  'attn.out': 'transformer.layer.{l}.attention.out_lin',
  norm1: 'transformer.layer.{l}.sa_layer_norm',
  'mlp.in': 'transformer.layer.{l}.ffn.lin1',
  'mlp.out': 'transformer.layer.{l}.ffn.lin2',
  norm2: 'transformer.layer.{l}.output_layer_norm',
};

const ALBERT = {
  ...BERT,
  'embed.project': 'encoder.embedding_hidden_mapping_in',
  'attn.q': 'encoder.albert_layer_groups.{l}.albert_layers.0.attention.query',
  'attn.k': 'encoder.albert_layer_groups.{l}.albert_layers.0.attention.key',
  'attn.v': 'encoder.albert_layer_groups.{l}.albert_layers.0.attention.value',
  'attn.out': 'encoder.albert_layer_groups.{l}.albert_layers.0.attention.dense',
  norm1: 'encoder.albert_layer_groups.{l}.albert_layers.0.attention.LayerNorm',
  'mlp.in': 'encoder.albert_layer_groups.{l}.albert_layers.0.ffn',
  'mlp.out': 'encoder.albert_layer_groups.{l}.albert_layers.0.ffn_output',
  norm2: 'encoder.albert_layer_groups.{l}.albert_layers.0.full_layer_layer_norm',
};

const GPT2 = {
  'embed.word': 'wte',
  'embed.position': 'wpe',
  norm1: 'h.{l}.ln_1',
  'attn.qkv': 'h.{l}.attn.c_attn',
  'attn.out': 'h.{l}.attn.c_proj',
  norm2: 'h.{l}.ln_2',
  'mlp.in': 'h.{l}.mlp.c_fc',
  'mlp.out': 'h.{l}.mlp.c_proj',
  final_norm: 'ln_f',
  'head.logits': 'lm_head',
};

const GPT_NEOX = {
  'embed.word': 'embed_in',
  norm1: 'layers.{l}.input_layernorm',
  'attn.qkv': 'layers.{l}.attention.query_key_value',
  'attn.out': 'layers.{l}.attention.dense',
  norm2: 'layers.{l}.post_attention_layernorm',
  'mlp.in': 'layers.{l}.mlp.dense_h_to_4h',
  'mlp.out': 'layers.{l}.mlp.dense_4h_to_h',
  final_norm: 'final_layer_norm',
  'head.logits': 'embed_out',
};

const LLAMA = {
  'embed.word': 'embed_tokens',
  norm1: 'layers.{l}.input_layernorm',
  'attn.q': 'layers.{l}.self_attn.q_proj',
  'attn.k': 'layers.{l}.self_attn.k_proj',
  'attn.v': 'layers.{l}.self_attn.v_proj',
  'attn.out': 'layers.{l}.self_attn.o_proj',
  norm2: 'layers.{l}.post_attention_layernorm',
  'mlp.gate': 'layers.{l}.mlp.gate_proj',
  'mlp.up': 'layers.{l}.mlp.up_proj',
  'mlp.out': 'layers.{l}.mlp.down_proj',
  final_norm: 'norm',
  'head.logits': 'lm_head',
};

const BART = {
  'embed.word': 'shared',
  'embed.position': '{s}.embed_positions',
  'embed.norm': '{s}.layernorm_embedding',
  'attn.q': '{s}.layers.{l}.self_attn.q_proj',
  'attn.k': '{s}.layers.{l}.self_attn.k_proj',
  'attn.v': '{s}.layers.{l}.self_attn.v_proj',
  'attn.out': '{s}.layers.{l}.self_attn.out_proj',
  norm1: '{s}.layers.{l}.self_attn_layer_norm',
  'cross_attn.q': '{s}.layers.{l}.encoder_attn.q_proj',
  'cross_attn.k': '{s}.layers.{l}.encoder_attn.k_proj',
  'cross_attn.v': '{s}.layers.{l}.encoder_attn.v_proj',
  'cross_attn.out': '{s}.layers.{l}.encoder_attn.out_proj',
  norm_cross: '{s}.layers.{l}.encoder_attn_layer_norm',
  'mlp.in': '{s}.layers.{l}.fc1',
  'mlp.out': '{s}.layers.{l}.fc2',
  norm2: '{s}.layers.{l}.final_layer_norm',
  'head.bias': 'final_logits_bias',
};

const OPT = {
  ...BART,
  'embed.word': '{s}.embed_tokens',
  'embed.project': '{s}.project_in',
  project_out: '{s}.project_out',
  final_norm: '{s}.final_layer_norm',
  'head.logits': 'lm_head',
};

const T5 = {
  'embed.word': 'shared',
  relative_bias: '{s}.block.0.layer.0.SelfAttention.relative_attention_bias',
  norm1: '{s}.block.{l}.layer.0.layer_norm',
  'attn.q': '{s}.block.{l}.layer.0.SelfAttention.q',
  'attn.k': '{s}.block.{l}.layer.0.SelfAttention.k',
  'attn.v': '{s}.block.{l}.layer.0.SelfAttention.v',
  'attn.out': '{s}.block.{l}.layer.0.SelfAttention.o',
  norm_cross: '{s}.block.{l}.layer.1.layer_norm',
  'cross_attn.q': '{s}.block.{l}.layer.1.EncDecAttention.q',
  'cross_attn.k': '{s}.block.{l}.layer.1.EncDecAttention.k',
  'cross_attn.v': '{s}.block.{l}.layer.1.EncDecAttention.v',
  'cross_attn.out': '{s}.block.{l}.layer.1.EncDecAttention.o',
  'encoder.norm2': '{s}.block.{l}.layer.1.layer_norm',
  'decoder.norm2': '{s}.block.{l}.layer.2.layer_norm',
  ...feedForward('encoder', 1),
  ...feedForward('decoder', 2),
  final_norm: '{s}.final_layer_norm',
  'head.logits': 'lm_head',
};

/** T5 has one inner matrix, or with a gate two. @param {string} stack @param {number} place */
function feedForward(stack, place) {
  const base = `{s}.block.{l}.layer.${place}.DenseReluDense`;
  return {
    [`${stack}.mlp.in`]: `${base}.wi`,
    [`${stack}.mlp.gate`]: `${base}.wi_0`,
    [`${stack}.mlp.up`]: `${base}.wi_1`,
    [`${stack}.mlp.out`]: `${base}.wo`,
  };
}

/** @type {Record<string, Record<string, string>>} */
export const NAMES = {
  bert: BERT,
  electra: BERT,
  glassformer: BERT,
  roberta: BERT,
  distilbert: DISTILBERT,
  albert: ALBERT,
  gpt2: GPT2,
  gpt_neox: GPT_NEOX,
  llama: LLAMA,
  mistral: LLAMA,
  qwen2: LLAMA,
  bart: BART,
  marian: BART,
  opt: OPT,
  t5: T5,
};
