"""Checkpoint folders rewritten to how files of older versions lie on the hub: what they name otherwise, repeat, and leave out.

FORMS: form → (function of folder and spec, what transformers may call unexpected afterwards, as a pattern).
"""

import json
import re

import torch
from safetensors import safe_open
from safetensors.torch import save_file

# Config keys of old files: what the hub's models say and no more.
COMMON = {"architectures", "model_type", "vocab_size", "tie_word_embeddings", "pad_token_id", "bos_token_id", "eos_token_id",
          "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "max_position_embeddings", "hidden_act",
          "num_labels", "id2label", "label2id", "decoder_start_token_id", "is_encoder_decoder", "initializer_range"}


def rewrite(folder, change):
    """Reads all tensors of a checkpoint of one file, lets `change` edit them and writes them back."""
    path = folder / "model.safetensors"
    with safe_open(path, framework="pt") as f:
        tensors = {k: f.get_tensor(k) for k in f.keys()}
    save_file({k: v.clone().contiguous() for k, v in change(tensors).items()}, path, metadata={"format": "pt"})


def edit_config(folder, change):
    path = folder / "config.json"
    config = change(json.loads(path.read_text()))
    path.write_text(json.dumps(config, indent=2) + "\n")


def prefixed(folder, _):
    """A plain model whose file has the prefix that a model with a head would give it."""
    rewrite(folder, lambda tensors: {f"bert.{k}": v for k, v in tensors.items()})


def bert_hub(folder, _):
    """As bert-base-uncased is stored: old norm names, a pooler and a next-sentence head that masked LM does not use, the
    tied copies, the position_ids buffer; a config that leaves keys out, has null ones and spells the dtype the old way."""
    def change(tensors):
        gen = torch.Generator().manual_seed(7)
        hidden = tensors["bert.embeddings.LayerNorm.weight"].shape[0]
        out = {}
        for key, value in tensors.items():
            out[key.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")] = value
        out["bert.pooler.dense.weight"] = torch.randn(hidden, hidden, generator=gen)
        out["bert.pooler.dense.bias"] = torch.randn(hidden, generator=gen)
        out["cls.seq_relationship.weight"] = torch.randn(2, hidden, generator=gen)
        out["cls.seq_relationship.bias"] = torch.randn(2, generator=gen)
        out["cls.predictions.decoder.weight"] = tensors["bert.embeddings.word_embeddings.weight"]
        out["cls.predictions.decoder.bias"] = tensors["cls.predictions.bias"]
        positions = tensors["bert.embeddings.position_embeddings.weight"].shape[0]
        out["bert.embeddings.position_ids"] = torch.arange(positions)[None]
        return out
    rewrite(folder, change)
    keep = ["architectures", "attention_probs_dropout_prob", "hidden_act", "hidden_dropout_prob", "hidden_size",
            "intermediate_size", "max_position_embeddings", "model_type", "num_attention_heads", "num_hidden_layers",
            "vocab_size"]
    edit_config(folder, lambda old: {k: old[k] for k in keep} | {
        "gradient_checkpointing": False, "initializer_range": 0.02, "pad_token_id": 0, "position_embedding_type": "absolute",
        "torch_dtype": "float32", "transformers_version": "4.6.0.dev0", "use_cache": True, "classifier_dropout": None,
        "finetuning_task": None,
    })


def old_rotary(config, names):
    """rope_parameters in the spelling before transformers 5: theta, share and scaling in keys of their own."""
    rope = config.pop("rope_parameters")
    theta, share = names
    config[theta] = rope["rope_theta"]
    if share:
        config[share] = rope["partial_rotary_factor"]
    if rope["rope_type"] != "default":
        config["rope_scaling"] = {"type": rope["rope_type"], "factor": rope["factor"]}
    elif not share:
        config["rope_scaling"] = None
    return config


def old_config(folder, s):
    """The config as transformers 4 wrote it: torch_dtype, rope_theta or rotary_emb_base, null where nothing is set."""
    def change(config):
        config = dict(config)
        config["torch_dtype"] = config.pop("dtype")
        config["transformers_version"] = "4.31.0"
        if "rope_parameters" in config:
            neox = config["model_type"] == "gpt_neox"
            config = old_rotary(config, ("rotary_emb_base", "rotary_pct") if neox else ("rope_theta", None))
        if config["model_type"] in ("llama", "qwen2", "mistral"):
            config.pop("head_dim", None)
        if config["model_type"] == "llama" and config["num_key_value_heads"] == config["num_attention_heads"]:
            config.pop("num_key_value_heads", None)
        return config
    edit_config(folder, change)


def causal(positions):
    return torch.ones(positions, positions, dtype=torch.uint8).tril()[None, None]


def copies(tensors, config):
    """Names as the hub has them, tied copies, and buffers that hold no weight, by family."""
    kind, out = config["model_type"], dict(tensors)
    layers = range(config.get("n_layer") or config.get("num_hidden_layers") or 0)
    if kind == "gpt2":
        out = {k.removeprefix("transformer."): v for k, v in tensors.items()}
        for i in layers:
            out[f"h.{i}.attn.bias"] = causal(config["n_positions"]).float()
            out[f"h.{i}.attn.masked_bias"] = torch.tensor(-1e4)
    elif kind == "gpt_neox":
        width = config["hidden_size"] // config["num_attention_heads"] // 4
        for i in layers:
            at = f"layers.{i}.attention."
            out[at + "rotary_emb.inv_freq"] = 1e4 ** (-torch.arange(0, width, 2) / width)
            out[at + "bias"], out[at + "masked_bias"] = causal(config["max_position_embeddings"]), torch.tensor(-1e9)
    elif kind == "llama":
        width = config["hidden_size"] // config["num_attention_heads"]
        for i in layers:
            out[f"model.layers.{i}.self_attn.rotary_emb.inv_freq"] = 1e4 ** (-torch.arange(0, width, 2) / width)
    elif kind == "t5":
        for at in ("encoder", "decoder"):
            out[f"{at}.embed_tokens.weight"] = tensors["shared.weight"]
        table = tensors["decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        out["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"] = table * 0.5
        out["lm_head.weight"] = tensors["shared.weight"]
    elif kind in ("marian", "bart"):
        at = "" if "shared.weight" in tensors else "model."
        for side in ("encoder", "decoder"):
            out[f"{at}{side}.embed_tokens.weight"] = tensors[f"{at}shared.weight"]
            if kind == "marian":
                positions, d = config["max_position_embeddings"], config["d_model"]
                angle = torch.arange(positions)[:, None] / 1e4 ** (2 * torch.arange(d // 2) / d)
                out[f"{at}{side}.embed_positions.weight"] = torch.cat([angle.sin(), angle.cos()], 1)
        if at:
            out["lm_head.weight"] = tensors["model.shared.weight"]
    elif kind == "distilbert":
        out["vocab_projector.weight"] = tensors["distilbert.embeddings.word_embeddings.weight"]
    else:
        gen, hidden = torch.Generator().manual_seed(7), config["hidden_size"]
        out[f"{kind}.embeddings.position_ids"] = torch.arange(config["max_position_embeddings"])[None]
        table = tensors[f"{kind}.embeddings.word_embeddings.weight"]
        head = {"roberta": "lm_head.", "albert": "predictions."}[kind]
        out[head + "decoder.weight"], out[head + "decoder.bias"] = table, tensors[head + "bias"]
        if kind == "albert":
            out["albert.pooler.weight"], out["albert.pooler.bias"] = torch.randn(hidden, hidden, generator=gen), torch.zeros(hidden)
            out["sop_classifier.classifier.weight"] = torch.randn(2, hidden, generator=gen)
            out["sop_classifier.classifier.bias"] = torch.zeros(2)
    return out


# What else old configs say, by family, and which keys they leave to the defaults.
KEEP = {
    "gpt2": {"n_ctx": 12, "n_embd": None, "n_head": None, "n_layer": None, "n_positions": None, "attn_pdrop": None,
             "embd_pdrop": None, "resid_pdrop": None, "layer_norm_epsilon": None, "summary_type": "cls_index",
             "summary_first_dropout": 0.1, "activation_function": None,
             "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}}},
    "gpt_neox": {"rotary_emb_base": 10000, "rotary_pct": 0.25, "layer_norm_eps": None, "use_parallel_residual": None},
    "llama": {"rms_norm_eps": None, "max_sequence_length": 16, "pretraining_tp": 1, "use_cache": True},
    "t5": {k: None for k in ("d_model", "d_kv", "d_ff", "num_heads", "num_layers", "num_decoder_layers", "dropout_rate",
                             "relative_attention_num_buckets", "relative_attention_max_distance")} | {"n_positions": 512},
    "marian": {k: None for k in ("d_model", "encoder_layers", "decoder_layers", "encoder_ffn_dim", "decoder_ffn_dim",
                                 "encoder_attention_heads", "decoder_attention_heads", "scale_embedding",
                                 "activation_function", "dropout", "forced_eos_token_id")}
              | {"static_position_embeddings": True, "normalize_before": False, "normalize_embedding": False,
                 "add_bias_logits": False, "add_final_layer_norm": False, "bad_words_ids": [[28]], "num_beams": 6,
                 "max_length": 512, "extra_pos_embeddings": 29, "classif_dropout": 0.0},
    "bart": {k: None for k in ("d_model", "encoder_layers", "decoder_layers", "encoder_ffn_dim", "decoder_ffn_dim",
                               "encoder_attention_heads", "decoder_attention_heads", "dropout", "activation_function")}
            | {"add_bias_logits": False, "add_final_layer_norm": False, "normalize_before": False,
               "normalize_embedding": True, "scale_embedding": False, "early_stopping": True, "forced_bos_token_id": 0},
    "distilbert": {k: None for k in ("dim", "hidden_dim", "n_heads", "n_layers", "dropout", "attention_dropout", "activation")}
                  | {"tie_weights_": True, "sinusoidal_pos_embds": False},
    "roberta": {"layer_norm_eps": None, "type_vocab_size": None, "hidden_dropout_prob": None, "attention_probs_dropout_prob": None},
    "albert": {"embedding_size": None, "inner_group_num": 1, "num_hidden_groups": None, "net_structure_type": 0,
               "gap_size": 0, "num_memory_blocks": 0, "down_scale_factor": 1, "type_vocab_size": None, "layer_norm_eps": None},
}


def hub(folder, s):
    config = json.loads((folder / "config.json").read_text())
    rewrite(folder, lambda tensors: copies(tensors, config))
    extra = KEEP[config["model_type"]]
    drop = {"pad_token_id"} if config.get("pad_token_id") is None else set()
    edit_config(folder, lambda old: {k: old[k] for k in sorted(COMMON & set(old) - drop)}
                | {k: old[k] if v is None else v for k, v in extra.items()}
                | {"torch_dtype": "float32", "transformers_version": "4.6.0"})


def untied(folder, s):
    """T5 v1.1 as the hub has it: tie_word_embeddings false. Names ending in _saved stay as transformers 5 writes them."""
    if not s["name"].endswith("_saved"):
        def change(config):
            config = {k: v for k, v in config.items() if k != "scale_decoder_outputs"}
            return config | {"tie_word_embeddings": False, "torch_dtype": config.pop("dtype")}
        edit_config(folder, change)


UNUSED = re.compile(r"pooler|seq_relationship|position_ids|sop_classifier|attn\.(masked_)?bias$|attention\.(masked_)?bias$|"
                    r"inv_freq|EncDecAttention\.relative_attention_bias")
FORMS = {"prefixed": prefixed, "hub": lambda folder, s: (bert_hub if s["architecture"].startswith("Bert") else hub)(folder, s),
         "old": old_config, "untied": untied}
