"""The tiny random checkpoints: their configs, weights and inputs. Shared by make_models.py and make_train.py."""

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
            "runs": runs}


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


def find(name):
    return next(s for s in SPECS if s["name"] == name)


def randomise(model, name):
    """Fills every parameter, biases and norms included, so strongly that no attention row is near uniform.

    Layer norms bring activations to about unit size; matrices of 1.4/√in then give scores with a deviation of about 2.
    """
    gen = generator(f"weights {name}")
    with torch.no_grad():
        for key, p in sorted(dict(model.named_parameters()).items()):
            if "embeddings" in key and p.dim() == 2 and "project" not in key:
                p.copy_(normal(gen, *p.shape, std=0.8))
            elif p.dim() == 2:
                p.copy_(normal(gen, *p.shape, std=1.4 / p.shape[1] ** 0.5))
            elif key.endswith("weight"):
                p.copy_(normal(gen, *p.shape, std=0.25, mean=1.0))
            else:
                p.copy_(normal(gen, *p.shape, std=0.3))


def new_model(s):
    """A model of this spec in F32 with random weights, before any rounding to the file's dtype."""
    cls = getattr(transformers, s["architecture"])
    config = cls.config_class(**s["config"])
    config._attn_implementation = "eager"
    model = cls(config)
    randomise(model, s["name"])
    model.tie_weights()
    return model.eval()


def inputs(s, kind):
    """Ids, and the mask and type ids where this kind of run has them. Ids at padding are random too: they must not matter."""
    gen = generator(f"inputs {s['name']} {kind}")
    config = s["config"]
    longest = config["max_position_embeddings"]
    rows = {
        "padded": [longest - 3, longest - 5, 2], "typed": [5, 5], "bare": [7, 7], "left": [6, 4], "holes": [9, 9],
        "full": [longest, longest - 3], "single": [1],
    }[kind]
    shape = (len(rows), max(rows))
    result = {"input_ids": torch.randint(1, config["vocab_size"], shape, generator=gen)}
    if kind in ("padded", "left", "full", "holes"):
        column = torch.arange(shape[1])
        count = torch.tensor(rows)[:, None]
        mask = column >= shape[1] - count if kind == "left" else column < count
        if kind == "holes":
            mask = mask & (torch.rand(shape, generator=gen) < 0.6)
            mask[:, 0] = True
        result["attention_mask"] = mask.long()
    if kind in ("padded", "full", "typed") and config["type_vocab_size"] > 0:
        result["token_type_ids"] = torch.randint(0, config["type_vocab_size"], shape, generator=gen).sort(dim=1).values
    return result
