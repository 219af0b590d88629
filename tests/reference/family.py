"""The library's own encoder family, evaluated with PyTorch's transformer layers; and its tiny random checkpoints.

The family has no class in transformers. Its parameters go by BERT's names; here they are put together to what
nn.TransformerEncoderLayer wants, so gradients reach them under their own names.
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

from golden_book import generator, normal
from ops_basic import ACTIVATIONS


def sinusoids(length, width):
    """Vaswani et al. 2017, section 3.5: sines on even columns, cosines on odd."""
    column = torch.arange(width)
    angle = torch.arange(length, dtype=torch.float64)[:, None] / 10000.0 ** (2 * (column // 2).double() / width)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


def shapes(config):
    """Name → shape of every parameter of this config, in the order of the layers."""
    d, f, e, v = (config[k] for k in ("hidden_size", "intermediate_size", "embedding_size", "vocab_size"))
    out = {"embeddings.word_embeddings.weight": (v, e)}
    if config["position_embedding_type"] == "learned":
        out["embeddings.position_embeddings.weight"] = (config["max_position_embeddings"], e)
    if config["type_vocab_size"] > 0:
        out["embeddings.token_type_embeddings.weight"] = (config["type_vocab_size"], e)

    def norm(name, width):
        out[f"{name}.weight"], out[f"{name}.bias"] = (width,), (width,)

    def linear(name, rows, columns):
        out[f"{name}.weight"], out[f"{name}.bias"] = (rows, columns), (rows,)

    if config["embedding_norm"]:
        norm("embeddings.LayerNorm", e)
    if e != d:
        linear("embeddings_project", d, e)
    for i in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{i}"
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            linear(f"{layer}.{name}", d, d)
        norm(f"{layer}.attention.output.LayerNorm", d)
        linear(f"{layer}.intermediate.dense", f, d)
        linear(f"{layer}.output.dense", d, f)
        norm(f"{layer}.output.LayerNorm", d)
    if config["final_norm"]:
        norm("encoder.norm", d)
    architecture = config["architectures"][0]
    if architecture.endswith("Classification"):
        linear("classifier", len(config["id2label"]), d)
    elif architecture.endswith("ForMaskedLM"):
        linear("cls.predictions.transform.dense", e, d)
        norm("cls.predictions.transform.LayerNorm", e)
        out["cls.predictions.bias"] = (v,)
    return out


def layer_module(config, dtype):
    return nn.TransformerEncoderLayer(
        config["hidden_size"], config["num_attention_heads"], config["intermediate_size"], dropout=0.0,
        activation=ACTIVATIONS[config["hidden_act"]], layer_norm_eps=config["layer_norm_eps"], batch_first=True,
        norm_first=config["norm_first"], dtype=dtype)


def layer_parameters(parameters, i):
    """Layer i by nn.TransformerEncoderLayer's names. norm1 belongs to attention and norm2 to the feed-forward part,
    before or after it."""
    def at(name):
        return parameters[f"encoder.layer.{i}.{name}"]
    out = {}
    for kind in ("weight", "bias"):
        out[f"self_attn.in_proj_{kind}"] = torch.cat([at(f"attention.self.{n}.{kind}") for n in ("query", "key", "value")])
        out[f"self_attn.out_proj.{kind}"] = at(f"attention.output.dense.{kind}")
        out[f"norm1.{kind}"] = at(f"attention.output.LayerNorm.{kind}")
        out[f"linear1.{kind}"] = at(f"intermediate.dense.{kind}")
        out[f"linear2.{kind}"] = at(f"output.dense.{kind}")
        out[f"norm2.{kind}"] = at(f"output.LayerNorm.{kind}")
    return out


def embed(config, parameters, batch):
    ids = batch["input_ids"]
    word = parameters["embeddings.word_embeddings.weight"]
    x = F.embedding(ids, word)
    if config["embedding_scale"]:  # Vaswani et al. 2017, section 3.4
        x = x * config["hidden_size"] ** 0.5
    if config["position_embedding_type"] == "learned":
        x = x + parameters["embeddings.position_embeddings.weight"][: ids.shape[1]]
    else:
        x = x + sinusoids(ids.shape[1], config["embedding_size"]).to(x.dtype)
    if config["type_vocab_size"] > 0:
        types = batch.get("token_type_ids", torch.zeros_like(ids))
        x = x + F.embedding(types, parameters["embeddings.token_type_embeddings.weight"])
    if config["embedding_norm"]:
        x = norm(config, parameters, "embeddings.LayerNorm", x)
    if "embeddings_project.weight" in parameters:
        x = linear(parameters, "embeddings_project", x)
    return x


def norm(config, parameters, name, x):
    return F.layer_norm(x, x.shape[-1:], parameters[f"{name}.weight"], parameters[f"{name}.bias"], config["layer_norm_eps"])


def linear(parameters, name, x):
    return F.linear(x, parameters[f"{name}.weight"], parameters[f"{name}.bias"])


def forward(config, parameters, batch):
    """Every value that is compared: hidden_states.{l+1} is what layer l gave, last_hidden_state is after the final norm."""
    ids = batch["input_ids"]
    mask = batch.get("attention_mask", torch.ones_like(ids))
    x = embed(config, parameters, batch)
    heads = config["num_attention_heads"]
    additive = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(mask == 0, float("-inf"))
    additive = additive[:, None, None, :].expand(-1, heads, ids.shape[1], -1).flatten(0, 1)
    values = {"hidden_states.0": x}
    for i in range(config["num_hidden_layers"]):
        layer = layer_parameters(parameters, i)
        module = layer_module(config, x.dtype)
        seen = F.layer_norm(x, x.shape[-1:], layer["norm1.weight"], layer["norm1.bias"], config["layer_norm_eps"]) \
            if config["norm_first"] else x
        attention = {k.removeprefix("self_attn."): v for k, v in layer.items() if k.startswith("self_attn.")}
        values[f"attentions.{i}"] = functional_call(module.self_attn, attention, (seen, seen, seen),
                                                    {"attn_mask": additive, "average_attn_weights": False})[1]
        x = functional_call(module, layer, (x,), {"src_mask": additive})
        values[f"hidden_states.{i + 1}"] = x
    if config["final_norm"]:
        x = norm(config, parameters, "encoder.norm", x)
    values["last_hidden_state"] = x
    architecture = config["architectures"][0]
    if architecture.endswith("ForSequenceClassification"):
        if config["pooling"] == "mean":
            m = mask.to(x.dtype).unsqueeze(-1)
            x = (x * m).sum(1) / m.sum(1)
        else:
            x = x[:, 0]
        values["logits"] = linear(parameters, "classifier", x)
    elif architecture.endswith("ForTokenClassification"):
        values["logits"] = linear(parameters, "classifier", x)
    elif architecture.endswith("ForMaskedLM"):
        x = ACTIVATIONS[config["hidden_act"]](linear(parameters, "cls.predictions.transform.dense", x))
        x = norm(config, parameters, "cls.predictions.transform.LayerNorm", x)
        values["logits"] = F.linear(x, parameters["embeddings.word_embeddings.weight"], parameters["cls.predictions.bias"])
    return values


def config_of(architecture, layers, heads, hidden, ffn, vocab, labels=None, embedding=None, act="gelu", eps=1e-5, types=0,
              positions=12, norm_first=True, position="sinusoidal", final_norm=True, embedding_norm=False,
              embedding_scale=False, pooling="mean"):
    config = {
        "architectures": [architecture], "model_type": "glassformer", "dtype": "float32", "vocab_size": vocab,
        "embedding_size": embedding or hidden, "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": ffn, "hidden_act": act, "layer_norm_eps": eps,
        "type_vocab_size": types, "max_position_embeddings": positions, "position_embedding_type": position,
        "norm_first": norm_first, "final_norm": final_norm, "embedding_norm": embedding_norm,
        "embedding_scale": embedding_scale, "pooling": pooling, "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0, "classifier_dropout": 0.0, "initializer_range": 0.02, "pad_token_id": 0,
        "tie_word_embeddings": True,
    }
    if labels:
        config["id2label"] = {str(i): f"LABEL_{i}" for i in range(labels)}
        config["label2id"] = {f"LABEL_{i}": i for i in range(labels)}
    return config


CONFIGS = {
    "family_pre_mean": config_of("GlassformerForSequenceClassification", 2, 4, 16, 24, 21, labels=4, embedding_scale=True),
    "family_post_mean": config_of("GlassformerForSequenceClassification", 2, 2, 12, 20, 18, labels=3, act="relu",
                                  norm_first=False, final_norm=False, embedding_scale=True),
    "family_post_first": config_of("GlassformerForSequenceClassification", 1, 3, 9, 16, 19, labels=2, act="silu", types=2,
                                   norm_first=False, position="learned", final_norm=True, embedding_norm=True,
                                   pooling="first", eps=1e-12),
    "family_pre_mlm": config_of("GlassformerForMaskedLM", 2, 2, 20, 32, 29, embedding=8, types=2, position="learned",
                                embedding_norm=True),
    "family_post_mlm": config_of("GlassformerForMaskedLM", 1, 4, 12, 17, 23, act="gelu_new", norm_first=False,
                                 final_norm=False, embedding_scale=True),
    "family_pre_token": config_of("GlassformerForTokenClassification", 3, 3, 12, 16, 17, labels=5, embedding=7, types=3,
                                  act="gelu_new", embedding_norm=True, embedding_scale=True),
    "family_base": config_of("GlassformerModel", 1, 1, 5, 8, 16, act="silu", final_norm=False),
}


def new_parameters(name):
    """F32, as strong as tiny.randomise makes them."""
    gen = generator(f"weights {name}")
    scaled = CONFIGS[name]["embedding_scale"]
    out = {}
    for key, shape in shapes(CONFIGS[name]).items():
        if "_embeddings" in key:
            std = 0.8 / CONFIGS[name]["hidden_size"] ** 0.5 if scaled and "word" in key else 0.8
            out[key] = normal(gen, *shape, std=std)
        elif len(shape) == 2:
            out[key] = normal(gen, *shape, std=1.4 / shape[1] ** 0.5)
        elif key.endswith("weight"):
            out[key] = normal(gen, *shape, std=0.25, mean=1.0)
        else:
            out[key] = normal(gen, *shape, std=0.3)
    return out
