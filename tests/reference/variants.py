"""The library's own family beyond plain encoders, in PyTorch: decoders, encoder–decoders (Vaswani et al. 2017), LSH attention and
reversible layers (Kitaev et al. 2020), Linformer (Wang et al. 2020). Parameters by their names in checkpoints."""

import torch
import torch.nn.functional as F

import lsh
from family import linear, norm, sinusoids
from golden_book import generator, normal
from ops_basic import ACTIVATIONS


def config_of(architecture, **changes):
    config = {
        "architectures": [architecture], "model_type": "glassformer", "dtype": "float32", "vocab_size": 19, "hidden_size": 12,
        "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 20, "hidden_act": "gelu", "layer_norm_eps": 1e-5,
        "max_position_embeddings": 12, "position_embedding_type": "sinusoidal", "norm_first": True, "final_norm": True,
        "embedding_norm": False, "embedding_scale": True, "attention_bias": True, "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0, "classifier_dropout": 0.0, "pad_token_id": 0, "pooling": "mean",
    } | changes
    if architecture.endswith("Classification"):
        config["id2label"] = {str(i): f"LABEL_{i}" for i in range(3)}
        config["label2id"] = {f"LABEL_{i}": i for i in range(3)}
    return config


def lsh_of(hashes, buckets, chunk=None, seed=0):
    keys = {"attention": "lsh", "lsh_num_hashes": hashes, "lsh_num_buckets": buckets, "attention_seed": seed}
    return keys | ({"lsh_chunk_length": chunk} if chunk else {})


TOKEN, SEQUENCE, MASKED = (f"GlassformerFor{n}" for n in ("TokenClassification", "SequenceClassification", "MaskedLM"))
CAUSAL, BOTH = "GlassformerForCausalLM", "GlassformerForConditionalGeneration"
PAPER = {"norm_first": False, "final_norm": False, "hidden_act": "relu", "attention_bias": False}
CONFIGS = {
    "lsh_token": config_of(TOKEN, **lsh_of(2, 4, 3, 5)),
    "lsh_mlm": config_of(MASKED, **lsh_of(4, 2, None, 21), position_embedding_type="learned", norm_first=False, final_norm=False),
    "lsh_one_bucket": config_of("GlassformerModel", **lsh_of(1, 1), num_hidden_layers=1),
    "lsh_causal": config_of(CAUSAL, **lsh_of(3, 4, 2, 7), is_decoder=True),
    "linformer_headwise": config_of(SEQUENCE, attention="linformer", linformer_k=4),
    "linformer_key_value": config_of(TOKEN, attention="linformer", linformer_k=3, linformer_share="key-value", norm_first=False,
                                     final_norm=False),
    "linformer_layerwise": config_of(MASKED, attention="linformer", linformer_k=5, linformer_share="layerwise",
                                     position_embedding_type="learned", embedding_norm=True, embedding_size=7),
    "reversible_mlm": config_of(MASKED, reversible=True, num_hidden_layers=3),
    "reformer_causal": config_of(CAUSAL, **lsh_of(2, 4, 3, 12), reversible=True, position_embedding_type="learned"),
    "causal": config_of(CAUSAL, attention_bias=False),
    "vaswani": config_of(BOTH, **PAPER, num_decoder_layers=3, decoder_start_token_id=2),
    "reformer_both": config_of(BOTH, **lsh_of(2, 2, 4, 3), reversible=True, num_hidden_layers=1, num_decoder_layers=2,
                               embedding_norm=True, position_embedding_type="learned"),
    "linformer_reversible": config_of("GlassformerModel", attention="linformer", linformer_k=3, reversible=True),
}


def is_both(config):
    return config["architectures"][0] == BOTH


def is_causal(config):
    return config["architectures"][0] == CAUSAL


def shapes(config):
    d, f, v = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    e, n = config.get("embedding_size", d), config["max_position_embeddings"]
    out = {"embeddings.word_embeddings.weight": (v, e)}

    def put_norm(name, width):
        out[f"{name}.weight"], out[f"{name}.bias"] = (width,), (width,)

    def put_linear(name, rows, columns, bias=True):
        out[f"{name}.weight"] = (rows, columns)
        if bias:
            out[f"{name}.bias"] = (rows,)

    def put_attention(name, names):
        for part in names:
            put_linear(f"{name}.self.{part}", d, d, config["attention_bias"])
        put_linear(f"{name}.output.dense", d, d, config["attention_bias"])
        put_norm(f"{name}.output.LayerNorm", d)

    def put_stack(side, embeddings, layers, cross):
        if config["position_embedding_type"] == "learned":
            out[f"{embeddings}.position_embeddings.weight"] = (n, e)
        if config["embedding_norm"]:
            put_norm(f"{embeddings}.LayerNorm", e)
        if e != d:
            put_linear("embeddings_project", d, e)
        kind, share = config.get("attention", "full"), config.get("linformer_share", "headwise")
        mix = (config.get("linformer_k"), n)
        if kind == "linformer" and share == "layerwise":
            out[f"{side}.linformer.weight"] = mix
        for i in range(layers):
            layer = f"{side}.layer.{i}"
            put_attention(f"{layer}.attention", ("query_key", "value") if kind == "lsh" else ("query", "key", "value"))
            if kind == "linformer" and share == "headwise":
                out[f"{layer}.attention.self.linformer_key.weight"] = out[f"{layer}.attention.self.linformer_value.weight"] = mix
            if kind == "linformer" and share == "key-value":
                out[f"{layer}.attention.self.linformer.weight"] = mix
            if cross:
                put_attention(f"{layer}.crossattention", ("query", "key", "value"))
            put_linear(f"{layer}.intermediate.dense", f, d)
            put_linear(f"{layer}.output.dense", d, f)
            put_norm(f"{layer}.output.LayerNorm", d)
        if config["final_norm"]:
            put_norm(f"{side}.norm", d)

    both = is_both(config)
    put_stack("encoder", "encoder.embeddings" if both else "embeddings", config["num_hidden_layers"], False)
    if both:
        put_stack("decoder", "decoder.embeddings", config.get("num_decoder_layers", config["num_hidden_layers"]), True)
    architecture = config["architectures"][0]
    if architecture.endswith("Classification"):
        put_linear("classifier", 3, d)
    elif architecture == MASKED:
        put_linear("cls.predictions.transform.dense", e, d)
        put_norm("cls.predictions.transform.LayerNorm", e)
        out["cls.predictions.bias"] = (v,)
    return out


def new_parameters(name):
    """F32, so strong that no attention row is near uniform."""
    config, gen, out = CONFIGS[name], generator(f"weights {name}"), {}
    for key, shape in shapes(config).items():
        if "_embeddings" in key:
            out[key] = normal(gen, *shape, std=0.8 / config["hidden_size"] ** 0.5 if "word" in key else 0.8)
        elif "linformer" in key:
            out[key] = normal(gen, *shape, std=shape[0] ** -0.5)
        elif len(shape) == 2:
            out[key] = normal(gen, *shape, std=1.4 / shape[1] ** 0.5)
        elif key.endswith("weight"):
            out[key] = normal(gen, *shape, std=0.25, mean=1.0)
        else:
            out[key] = normal(gen, *shape, std=0.3)
    return out


class Model:
    def __init__(self, config, parameters):
        self.config, self.p, self.values = config, parameters, {}

    def linear(self, name, x):
        return F.linear(x, self.p[f"{name}.weight"], self.p.get(f"{name}.bias"))

    def norm(self, name, x):
        return norm(self.config, self.p, name, x)

    def heads(self, x):
        return x.unflatten(-1, (self.config["num_attention_heads"], -1)).transpose(1, 2)

    def embed(self, name, ids):
        config, word = self.config, self.p["embeddings.word_embeddings.weight"]
        x = F.embedding(ids, word)
        if config["embedding_scale"]:
            x = x * config["hidden_size"] ** 0.5
        positions = self.p.get(f"{name}.position_embeddings.weight")
        x = x + (sinusoids(ids.shape[1], x.shape[-1]).to(x.dtype) if positions is None else positions[: ids.shape[1]])
        if config["embedding_norm"]:
            x = self.norm(f"{name}.LayerNorm", x)
        return linear(self.p, "embeddings_project", x) if "embeddings_project.weight" in self.p else x

    def attend(self, name, kind, x, memory, hidden, causal, label, i, seed):
        """One attention with its projections. `label` begins the names of its values."""
        part = f"{name}.self"
        v = self.heads(self.linear(f"{part}.value", memory))
        if kind == "lsh":
            q, config = self.heads(self.linear(f"{part}.query_key", x)), self.config
            rotation = lsh.rotations(seed + i, q.shape[1], config["lsh_num_hashes"], config["lsh_num_buckets"], q.shape[3])
            z, pattern, buckets = lsh.attention(q, v, rotation, config["lsh_num_buckets"], config.get("lsh_chunk_length"), hidden,
                                                causal)
            self.values[f"{label}buckets.{i}"] = buckets.to(x.dtype)
            if rotation.numel():
                self.values[f"{label}rotations.{i}"] = rotation.to(x.dtype)
        else:
            q, k = self.heads(self.linear(f"{part}.query", x)), self.heads(self.linear(f"{part}.key", memory))
            if kind == "linformer":
                def mix(which):
                    for key in (f"{part}.linformer_{which}.weight", f"{part}.linformer.weight", "encoder.linformer.weight"):
                        if key in self.p:
                            return self.p[key][:, : k.shape[2]]
                real = (~hidden)[:, None, :, None].to(x.dtype)
                scores = q @ (mix("key") @ (k * real)).transpose(-1, -2) / q.shape[-1] ** 0.5
                small = scores.softmax(-1)
                z = small @ (mix("value") @ (v * real))
                pattern = small @ mix("value") * real.transpose(-1, -2)
                self.values[f"{label}attentions_projected.{i}"] = small
                assert (pattern @ v - z).abs().max() < 1e-4 * z.abs().max()
            else:
                scores = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(hidden[:, None, None, :], float("-inf"))
                if causal:
                    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
                    scores = scores.masked_fill(later, float("-inf"))
                pattern = scores.softmax(-1).nan_to_num(0.0)  # a row without keys reads nothing
                z = pattern @ v
        self.values[f"{label}attentions.{i}"] = pattern
        return self.linear(f"{name}.output.dense", z.transpose(1, 2).flatten(2))

    def stack(self, side, label, embeddings, layers, ids, hidden, causal, memory=None, memory_hidden=None):
        config, seed = self.config, self.config.get("attention_seed", 0)
        x = self.embed(embeddings, ids)
        act, pre = ACTIVATIONS[config["hidden_act"]], config["norm_first"]
        first = second = x
        for i in range(layers):
            layer = f"{side}.layer.{i}"
            steps = [(f"{layer}.attention.output.LayerNorm",
                      lambda y: self.attend(f"{layer}.attention", config.get("attention", "full"), y, y, hidden, causal, label, i,
                                            seed))]
            if memory is not None:
                steps.append((f"{layer}.crossattention.output.LayerNorm",
                              lambda y: self.attend(f"{layer}.crossattention", "full", y, memory, memory_hidden, False,
                                                    f"{label}cross_", i, 0)))
            steps.append((f"{layer}.output.LayerNorm",
                          lambda y: self.linear(f"{layer}.output.dense", act(self.linear(f"{layer}.intermediate.dense", y)))))
            for name, change in steps:
                if config.get("reversible"):
                    first, second = second, first + change(self.norm(name, second))
                elif pre:
                    x = x + change(self.norm(name, x))
                else:
                    x = self.norm(name, x + change(x))
            self.values[f"{label}hidden_states.{i + 1}"] = second if config.get("reversible") else x
        if config.get("reversible"):
            x = (first + second) / 2
        return self.norm(f"{side}.norm", x) if config["final_norm"] else x

    def forward(self, batch):
        """Every value that is compared; hidden_states.{l+1} is what layer l gave, of reversible layers its second stream."""
        config, p = self.config, self.p
        ids = batch["input_ids"]
        mask = batch.get("attention_mask", torch.ones_like(ids))
        layers = config["num_hidden_layers"]
        if is_both(config):
            memory = self.stack("encoder", "encoder.", "encoder.embeddings", layers, ids, mask == 0, False)
            self.values["encoder.last_hidden_state"] = memory
            target = batch["decoder_input_ids"]
            seen = batch.get("decoder_attention_mask", torch.ones_like(target))
            x = self.stack("decoder", "decoder.", "decoder.embeddings", config.get("num_decoder_layers", layers), target, seen == 0,
                           True, memory, mask == 0)
        else:
            x = self.stack("encoder", "", "embeddings", layers, ids, mask == 0, is_causal(config))
        self.values["last_hidden_state"] = x
        architecture, word = config["architectures"][0], p["embeddings.word_embeddings.weight"]
        if architecture == SEQUENCE:
            m = mask.to(x.dtype).unsqueeze(-1)
            self.values["logits"] = linear(p, "classifier", (x * m).sum(1) / m.sum(1))
        elif architecture == TOKEN:
            self.values["logits"] = linear(p, "classifier", x)
        elif architecture == MASKED:
            x = ACTIVATIONS[config["hidden_act"]](linear(p, "cls.predictions.transform.dense", x))
            self.values["logits"] = F.linear(self.norm("cls.predictions.transform.LayerNorm", x), word, p["cls.predictions.bias"])
        elif architecture in (CAUSAL, BOTH):
            self.values["logits"] = F.linear(x, word)
        return self.values
