"""The tiny random checkpoints of the families beside BERT and ELECTRA: small encoders, decoders, encoder–decoders.

Each spec sets what a family's config class leaves to it, so that between them every key that changes a number is changed.
"""

import torch

from tiny import BF16, F16, NO_DROPOUT, SPECS

ALL_RUNS = ("padded", "bare", "left", "holes", "single")
PAIRS = ("padded", "bare", "left", "longer")


def family(group, prefix, defaults):
    """A function that makes specs of one family: keys of its config replace and add to `defaults`."""
    def spec(name, architecture, runs=("padded", "single"), dtype=torch.float32, shard=None, form=None, longest=None,
             counts_pads=False, gain=1.0, seed="", **config):
        return {"name": name, "architecture": prefix + architecture, "config": {**defaults, **config}, "dtype": dtype,
                "shard": shard, "form": form, "runs": runs, "group": group,
                "longest": longest or (None if group == "models" else 12),
                "counts_pads": counts_pads, "gain": gain, "seed": seed}
    return spec


distilbert = family("models", "DistilBert", {
    "n_layers": 2, "n_heads": 2, "dim": 12, "hidden_dim": 20, "vocab_size": 23, "max_position_embeddings": 12,
    "dropout": 0.0, "attention_dropout": 0.0, "seq_classif_dropout": 0.0, "qa_dropout": 0.0, "pad_token_id": 0})
roberta = family("models", "Roberta", {
    "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 12, "intermediate_size": 20, "vocab_size": 23,
    "type_vocab_size": 1, "max_position_embeddings": 14, "pad_token_id": 1, "layer_norm_eps": 1e-5, **NO_DROPOUT})
albert = family("models", "Albert", {
    "num_hidden_layers": 3, "num_hidden_groups": 1, "num_attention_heads": 2, "embedding_size": 6, "hidden_size": 12,
    "intermediate_size": 20, "vocab_size": 23, "type_vocab_size": 2, "max_position_embeddings": 12, "pad_token_id": 0,
    "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "classifier_dropout_prob": 0.0})
gpt2 = family("decoders", "GPT2", {
    "n_layer": 2, "n_head": 2, "n_embd": 12, "vocab_size": 31, "n_positions": 12, "resid_pdrop": 0.0, "embd_pdrop": 0.0,
    "attn_pdrop": 0.0, "bos_token_id": 2, "eos_token_id": 2})
opt = family("decoders", "OPT", {
    "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 12, "ffn_dim": 20, "vocab_size": 31,
    "max_position_embeddings": 12, "word_embed_proj_dim": 12, "dropout": 0.0, "pad_token_id": 1})
neox = family("decoders", "GPTNeoX", {
    "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 16, "intermediate_size": 24, "vocab_size": 31,
    "max_position_embeddings": 16, "bos_token_id": 0, "eos_token_id": 2})
ROTARY = {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "hidden_size": 16,
          "intermediate_size": 24, "vocab_size": 31, "max_position_embeddings": 16}
llama = family("decoders", "Llama", ROTARY)
mistral = family("decoders", "Mistral", ROTARY)
qwen2 = family("decoders", "Qwen2", {**ROTARY, "bos_token_id": 1, "eos_token_id": 2})
PAIR = {"encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2, "d_model": 12,
        "encoder_ffn_dim": 20, "decoder_ffn_dim": 20, "vocab_size": 29, "max_position_embeddings": 12, "dropout": 0.0,
        "num_hidden_layers": 2}
marian = family("seq2seq", "Marian", {**PAIR, "pad_token_id": 28, "eos_token_id": 0, "decoder_start_token_id": 28,
                                      "forced_eos_token_id": 0, "decoder_vocab_size": 29})
bart = family("seq2seq", "Bart", {**PAIR, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2,
                                  "forced_eos_token_id": 2})
t5 = family("seq2seq", "T5", {
    "num_layers": 2, "num_decoder_layers": 2, "num_heads": 2, "d_model": 12, "d_kv": 5, "d_ff": 20, "vocab_size": 29,
    "relative_attention_num_buckets": 8, "relative_attention_max_distance": 6, "dropout_rate": 0.0,
    "decoder_start_token_id": 0})

LLAMA3 = {"rope_type": "llama3", "rope_theta": 100.0, "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 32}

FAMILIES = [
    gpt2("gpt2_lm", "LMHeadModel", ALL_RUNS),
    gpt2("gpt2_base", "Model", n_layer=1, n_embd=9, n_head=3, n_inner=17, activation_function="relu"),
    gpt2("gpt2_inverse", "LMHeadModel", n_layer=3, n_inner=33, scale_attn_by_inverse_layer_idx=True,
         layer_norm_epsilon=1e-3, dtype=F16),
    gpt2("gpt2_unscaled", "LMHeadModel", scale_attn_weights=False, tie_word_embeddings=False, activation_function="gelu",
         reorder_and_upcast_attn=True, n_embd=8, dtype=BF16, shard="4KB"),
    gpt2("gpt2_hub", "LMHeadModel", ("padded",), n_embd=16, n_head=4, form="hub"),

    llama("llama_lm", "ForCausalLM", ALL_RUNS, head_dim=6, rms_norm_eps=1e-5),
    llama("llama_tied", "ForCausalLM", tie_word_embeddings=True, num_attention_heads=3, num_key_value_heads=1,
          hidden_size=18, intermediate_size=31, dtype=F16, rope_parameters={"rope_type": "default", "rope_theta": 500.0}),
    llama("llama_biased", "ForCausalLM", attention_bias=True, mlp_bias=True, hidden_act="gelu", max_position_embeddings=64,
          rope_parameters=LLAMA3, longest=11),
    llama("llama_linear", "ForCausalLM", num_key_value_heads=4, form="old",
          rope_parameters={"rope_type": "linear", "rope_theta": 50.0, "factor": 2.5}),
    llama("llama_base_bf16_sharded", "Model", ("padded", "single"), num_hidden_layers=1, dtype=BF16, shard="3KB"),
    llama("llama_hub", "ForCausalLM", ("padded",), form="hub", num_key_value_heads=4),

    t5("t5_v10", "ForConditionalGeneration", PAIRS),
    t5("t5_v11", "ForConditionalGeneration", PAIRS[:2], form="untied", feed_forward_proj="gated-gelu",
       tie_word_embeddings=False, d_kv=4, num_heads=3, layer_norm_epsilon=1e-5),
    t5("t5_v11_saved", "ForConditionalGeneration", form="untied", feed_forward_proj="gated-silu",
       tie_word_embeddings=False, num_layers=1, dtype=F16),
    t5("t5_uneven", "ForConditionalGeneration", num_decoder_layers=1, d_model=9, relative_attention_num_buckets=6, form="hub"),
    t5("t5_base", "Model", num_layers=1, feed_forward_proj="gelu", num_decoder_layers=3, dtype=BF16, shard="6KB"),

    marian("marian_mt", "MTModel", PAIRS, activation_function="swish", scale_embedding=True),
    marian("marian_plain", "MTModel", d_model=10, activation_function="gelu", encoder_layers=1, decoder_layers=3,
           num_hidden_layers=1, decoder_attention_heads=5, decoder_ffn_dim=9, dtype=F16),
    marian("marian_base", "Model", activation_function="relu", scale_embedding=True, d_model=8),
    marian("marian_hub", "MTModel", ("padded",), activation_function="swish", scale_embedding=True, form="hub"),

    bart("bart_lm", "ForConditionalGeneration", PAIRS),
    bart("bart_scaled", "ForConditionalGeneration", scale_embedding=True, activation_function="relu", encoder_layers=3,
         decoder_layers=1, num_hidden_layers=3, encoder_attention_heads=3, encoder_ffn_dim=15, dtype=F16, shard="6KB"),
    bart("bart_base", "Model", d_model=9, encoder_attention_heads=1, decoder_attention_heads=3, form="hub"),

    opt("opt_lm", "ForCausalLM", ALL_RUNS),
    opt("opt_350m", "ForCausalLM", ("padded", "left"), do_layer_norm_before=False, word_embed_proj_dim=7),
    opt("opt_projected", "ForCausalLM", word_embed_proj_dim=16, activation_function="gelu", dtype=F16),
    opt("opt_unbiased", "ForCausalLM", enable_bias=False, tie_word_embeddings=False),
    opt("opt_galactica", "ForCausalLM", enable_bias=False, layer_norm_elementwise_affine=False),
    opt("opt_unfinished", "Model", ("bare", "left"), _remove_final_layer_norm=True, num_hidden_layers=1, dtype=BF16),

    neox("gpt_neox_lm", "ForCausalLM", ("padded", "bare", "left")),
    neox("gpt_neox_sequential", "ForCausalLM", use_parallel_residual=False, hidden_act="gelu_new", tie_word_embeddings=True,
         rope_parameters={"rope_type": "default", "rope_theta": 1000.0, "partial_rotary_factor": 1.0}),
    neox("gpt_neox_old", "ForCausalLM", form="old", num_attention_heads=1, dtype=F16,
         rope_parameters={"rope_type": "linear", "factor": 2.0, "rope_theta": 300.0, "partial_rotary_factor": 0.5}),
    neox("gpt_neox_unbiased", "ForCausalLM", attention_bias=False, num_attention_heads=4, dtype=BF16, shard="5KB",
         rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}),
    neox("gpt_neox_base", "Model", num_hidden_layers=1, form="hub"),

    mistral("mistral_lm", "ForCausalLM", head_dim=6, sliding_window=None),
    mistral("mistral_window", "ForCausalLM", ("short", "single"), sliding_window=4, num_hidden_layers=1),
    mistral("mistral_base", "Model", form="old", num_key_value_heads=1, dtype=BF16),

    qwen2("qwen2_lm", "ForCausalLM", ("padded", "bare")),
    qwen2("qwen2_tied", "ForCausalLM", tie_word_embeddings=True, hidden_size=12, num_attention_heads=2, form="old",
          rope_parameters={"rope_type": "default", "rope_theta": 700.0}, dtype=F16),

    distilbert("distilbert_mlm", "ForMaskedLM", ("padded", "bare", "left")),
    distilbert("distilbert_sequence", "ForSequenceClassification", num_labels=3, activation="relu", dim=10, n_heads=5),
    distilbert("distilbert_token", "ForTokenClassification", num_labels=4, sinusoidal_pos_embds=True, dtype=F16),
    distilbert("distilbert_base", "Model", n_layers=1, hidden_dim=33),
    distilbert("distilbert_hub", "ForMaskedLM", ("padded",), form="hub"),

    roberta("roberta_mlm", "ForMaskedLM", (*ALL_RUNS, "padids"), counts_pads=True),
    roberta("roberta_sequence", "ForSequenceClassification", num_labels=3, hidden_size=15, num_attention_heads=3,
            counts_pads=True, pad_token_id=0, longest=12),
    roberta("roberta_token", "ForTokenClassification", num_labels=5, hidden_act="gelu_new", dtype=BF16, counts_pads=True,
            type_vocab_size=2, longest=12),
    roberta("roberta_base", "Model", ("padids", "left"), num_hidden_layers=1, dtype=F16, counts_pads=True),
    roberta("roberta_hub", "ForMaskedLM", ("padded",), form="hub", counts_pads=True, longest=12),

    albert("albert_mlm", "ForMaskedLM", ("padded", "bare", "holes")),
    albert("albert_groups", "ForMaskedLM", num_hidden_layers=5, num_hidden_groups=2, embedding_size=16, hidden_act="gelu"),
    albert("albert_sequence", "ForSequenceClassification", num_labels=3, hidden_size=9, num_attention_heads=3, dtype=F16),
    albert("albert_token", "ForTokenClassification", num_labels=4, hidden_act="relu", embedding_size=12),
    albert("albert_base", "Model", num_hidden_layers=2, num_hidden_groups=2),
    albert("albert_hub", "ForMaskedLM", ("padded",), form="hub"),
]


def find(name):
    return next(s for s in (*SPECS, *FAMILIES) if s["name"] == name)
