"""The tiny random checkpoints: BERT's and ELECTRA's configs (tiny_families.py has the others), and everybody's weights and inputs."""

import torch
import transformers

from golden_book import generator, normal

NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "classifier_dropout": 0.0}


def spec(name, architecture, layers, heads, hidden, ffn, vocab, act="gelu", eps=1e-12, types=2, positions=12, labels=None,
         embedding=None, dtype=torch.float32, shard=None, form=None, runs=("padded", "bare")):
    config = {
        "num_hidden_layers": layers, "num_attention_heads": heads, "hidden_size": hidden, "intermediate_size": ffn,
        "vocab_size": vocab, "hidden_act": act, "layer_norm_eps": eps, "type_vocab_size": types,
        "max_position_embeddings": positions, "pad_token_id": 0, **NO_DROPOUT,
    }
    if architecture.startswith("Electra"):
        config["embedding_size"] = embedding or hidden
    if labels:
        config["num_labels"] = labels
    return {"name": name, "architecture": architecture, "config": config, "dtype": dtype, "shard": shard, "form": form,
            "runs": runs, "group": "models"}


# What the names of id, position and bucket tables have in common.
TABLES = ("embeddings", "embed_tokens", "embed_positions", "embed_in", "shared.weight", "wte.weight", "wpe.weight",
          "relative_attention_bias")
F16, BF16 = torch.float16, torch.bfloat16
SPECS = [
    spec("bert_mlm", "BertForMaskedLM", 2, 2, 12, 20, 23, runs=("padded", "bare", "left", "typed", "holes")),
    spec("bert_mlm_long", "BertForMaskedLM", 1, 4, 32, 33, 31, act="gelu_new", eps=1e-5, positions=40, runs=("full", "bare")),
    spec("bert_mlm_bf16_sharded", "BertForMaskedLM", 3, 3, 24, 32, 33, act="silu", types=1, dtype=BF16, shard="9KB"),
    spec("bert_mlm_hub", "BertForMaskedLM", 2, 2, 16, 24, 29, form="hub"),
    spec("bert_sequence", "BertForSequenceClassification", 2, 4, 20, 24, 19, act="relu", types=3, labels=3),
    spec("bert_sequence_f16", "BertForSequenceClassification", 1, 1, 8, 33, 17, act="silu", eps=1e-5, types=1, labels=2,
         dtype=F16, runs=("padded", "single")),
    spec("bert_token", "BertForTokenClassification", 3, 1, 17, 12, 21, eps=1e-5, labels=5),
    spec("bert_base", "BertModel", 1, 2, 6, 10, 16, act="gelu_new", runs=("padded", "bare", "single")),
    spec("bert_base_prefixed", "BertModel", 2, 3, 9, 16, 16, form="prefixed"),
    spec("bert_base_sharded", "BertModel", 2, 4, 40, 24, 33, shard="20KB", types=3),
    spec("electra_mlm", "ElectraForMaskedLM", 2, 3, 12, 20, 27, act="relu", embedding=8),
    spec("electra_mlm_equal", "ElectraForMaskedLM", 1, 2, 16, 32, 25, act="gelu_new", eps=1e-5, dtype=F16),
    spec("electra_sequence", "ElectraForSequenceClassification", 2, 4, 20, 17, 22, labels=12, embedding=5,
         runs=("padded", "bare", "single")),
    spec("electra_sequence_f16_sharded", "ElectraForSequenceClassification", 3, 2, 24, 48, 40, labels=12, embedding=12,
         dtype=F16, shard="8KB"),
    spec("electra_token", "ElectraForTokenClassification", 2, 2, 10, 16, 18, act="silu", eps=1e-5, types=1, labels=4),
    spec("electra_base", "ElectraModel", 1, 4, 40, 24, 20, act="gelu_new", types=3, embedding=6),
    spec("electra_base_bf16_equal", "ElectraModel", 2, 1, 9, 12, 16, act="relu", dtype=BF16),
]


def is_table(key):
    """Whether a parameter of two axes is indexed by ids, positions or buckets."""
    return any(word in key for word in TABLES) and "project" not in key and "mapping" not in key


def randomise(model, name, gain=1.0):
    """Fills every parameter, biases and norms included, so strongly that no attention row is near uniform.

    Norms bring activations to about unit size; matrices of 1.4/√in then give scores with a deviation of about 2. T5 does not
    divide its scores by the root of the head's width: its query matrices are smaller by that. `gain` enlarges the tables.
    """
    gen = generator(f"weights {name}")
    width = model.config.d_kv if model.config.model_type == "t5" else 1
    held = {k: b for k, b in model.named_buffers() if k.endswith("final_logits_bias")}
    with torch.no_grad():
        for key, p in sorted({**dict(model.named_parameters()), **held}.items()):
            if key.endswith("embed_positions.weight") and model.config.model_type == "marian":
                continue  # sines, which are not stored
            if p.dim() == 2 and is_table(key):
                p.copy_(normal(gen, *p.shape, std=0.8 * gain))
            elif p.dim() == 2 and "bias" not in key:
                transposed = model.config.model_type == "gpt2" and "lm_head" not in key
                std = 1.4 / p.shape[0 if transposed else 1] ** 0.5
                p.copy_(normal(gen, *p.shape, std=std / width**0.5 if key.endswith("Attention.q.weight") else std))
            elif key.endswith("weight"):
                p.copy_(normal(gen, *p.shape, std=0.25, mean=1.0))
            else:
                p.copy_(normal(gen, *p.shape, std=0.3))


def new_model(s, random=True):
    """A model of this spec in F32, before any rounding to the file's dtype; with our random weights, or as transformers begins."""
    cls = getattr(transformers, s["architecture"])
    config = cls.config_class(**s["config"])
    config._attn_implementation = "eager"
    model = cls(config)
    if s["form"] == "untied":
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.clone())
    if not random:
        return model
    randomise(model, s["name"] + s.get("seed", ""), s.get("gain", 1.0))
    if s["form"] != "untied":
        model.tie_weights()
    return model.eval()


def rows_mask(gen, kind, rows):
    """1 = real, for texts of these lengths: padding after the text, before it (`left`), or inside (`holes`)."""
    shape = (len(rows), max(rows))
    column = torch.arange(shape[1])
    count = torch.tensor(rows)[:, None]
    mask = column >= shape[1] - count if kind == "left" else column < count
    if kind == "holes":
        mask = mask & (torch.rand(shape, generator=gen) < 0.6)
        mask[:, 0] = True
    return mask


def inputs(s, kind):
    """Ids, and the mask and type ids where this kind of run has them. Ids at padding are random too: they must not matter.
    RoBERTa counts positions by ids that are not padding, so there the padding is the padding token, in `padids` unmasked."""
    gen = generator(f"inputs {s['name']} {kind}")
    config = s["config"]
    longest = s.get("longest") or config["max_position_embeddings"]
    rows = {
        "padded": [longest - 3, longest - 5, 2], "typed": [5, 5], "bare": [7, 7], "left": [6, 4], "holes": [9, 9],
        "full": [longest, longest - 3], "single": [1], "short": [4, 3], "padids": [8, 8],
        "longer": [3, 2],
    }[kind]
    shape = (len(rows), max(rows))
    result = {"input_ids": torch.randint(1, config["vocab_size"], shape, generator=gen)}
    if kind in ("padded", "left", "full", "holes", "short", "longer"):
        result["attention_mask"] = rows_mask(gen, kind, rows).long()
    if kind in ("padded", "full", "typed") and config.get("type_vocab_size", 0) > 0:
        result["token_type_ids"] = torch.randint(0, config["type_vocab_size"], shape, generator=gen).sort(dim=1).values
    if s.get("counts_pads"):
        pad, ids = config["pad_token_id"], result["input_ids"]
        ids[ids == pad] = config["vocab_size"] - 1
        hidden = torch.rand(shape, generator=gen) < 0.3 if kind == "padids" else result.get("attention_mask", ids) == 0
        ids[hidden] = pad
    if s.get("group") == "seq2seq":
        target = {"padded": [6, 4, 5], "bare": [5, 5], "left": [5, 3], "holes": [6, 6], "single": [1],
                  "longer": [9, 7]}[kind]
        ids = torch.randint(1, config["vocab_size"], (len(target), max(target)), generator=gen)
        ids[:, 0] = config["decoder_start_token_id"]
        result["decoder_input_ids"] = ids
        if kind in ("padded", "left", "longer"):
            result["decoder_attention_mask"] = rows_mask(gen, kind, target).long()
    return result
