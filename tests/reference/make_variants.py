"""Writes golden/variants: tiny random checkpoints of variants.py, their values and gradients in float64."""

import json
import shutil

import torch
from safetensors.torch import save_file
from torch import nn

import lsh
import variants
from golden_book import GOLDEN, generator, normal, one_thread, worst_ratio

FOLDER = GOLDEN / "variants"
ROWS = {"padded": [11, 8, 5], "bare": [10, 10], "left": [7, 4], "single": [1]}
TARGETS = {"padded": [6, 9, 7], "bare": [5, 5], "left": [8, 6], "single": [1]}
TOLERANCE = {"forward": 1e-4, "gradient": 3e-5, "faintGradient": 1e-6}


def side(gen, config, kind, rows):
    shape = (len(rows), max(rows))
    ids = torch.randint(1, config["vocab_size"], shape, generator=gen)
    column, count = torch.arange(shape[1]), torch.tensor(rows)[:, None]
    mask = (column >= shape[1] - count if kind == "left" else column < count).long()
    return ids, mask


def inputs(name, config, kind):
    gen = generator(f"inputs {name} {kind}")
    ids, mask = side(gen, config, kind, ROWS[kind])
    batch = {"input_ids": ids} | ({"attention_mask": mask} if kind in ("padded", "left") else {})
    if variants.is_both(config):
        ids, mask = side(gen, config, "padded", TARGETS[kind])
        ids[:, 0] = config.get("decoder_start_token_id", 0)
        batch |= {"decoder_input_ids": ids} | ({"decoder_attention_mask": mask} if kind in ("padded", "left") else {})
    return batch


def check_against_module(config, parameters, batch, values):
    """Vaswani's encoder–decoder against PyTorch's own layers as they are stacked there."""
    def attention(name):
        d = config["hidden_size"]
        return {"in_proj_weight": torch.cat([parameters[f"{name}.self.{n}.weight"] for n in ("query", "key", "value")]),
                "in_proj_bias": torch.zeros(3 * d).double(), "out_proj.bias": torch.zeros(d).double(),
                "out_proj.weight": parameters[f"{name}.output.dense.weight"]}

    def state(layer, cross):
        parts = {"self_attn": attention(f"{layer}.attention")} | (
            {"multihead_attn": attention(f"{layer}.crossattention")} if cross else {})
        norms = ["attention.output"] + (["crossattention.output"] if cross else []) + ["output"]
        for i, name in enumerate(norms):
            parts[f"norm{i + 1}"] = {k: parameters[f"{layer}.{name}.LayerNorm.{k}"] for k in ("weight", "bias")}
        for ours, theirs in (("intermediate.dense", "linear1"), ("output.dense", "linear2")):
            parts[theirs] = {k: parameters[f"{layer}.{ours}.{k}"] for k in ("weight", "bias")}
        return {f"{a}.{b}": t for a, part in parts.items() for b, t in part.items()}

    sizes = (config["hidden_size"], config["num_attention_heads"], config["intermediate_size"])
    options = {"dropout": 0.0, "activation": "relu", "layer_norm_eps": config["layer_norm_eps"], "batch_first": True,
               "dtype": torch.float64}
    model = variants.Model(config, parameters)
    hidden = batch.get("attention_mask", torch.ones_like(batch["input_ids"])) == 0
    unseen = batch.get("decoder_attention_mask", torch.ones_like(batch["decoder_input_ids"])) == 0
    x, y = model.embed("encoder.embeddings", batch["input_ids"]), model.embed("decoder.embeddings", batch["decoder_input_ids"])
    for i in range(config["num_hidden_layers"]):
        module = nn.TransformerEncoderLayer(*sizes, **options)
        module.load_state_dict(state(f"encoder.layer.{i}", False))
        x = module(x, src_key_padding_mask=hidden)
    later = torch.ones(y.shape[1], y.shape[1], dtype=torch.bool).triu(1)
    for i in range(config["num_decoder_layers"]):
        module = nn.TransformerDecoderLayer(*sizes, **options)
        module.load_state_dict(state(f"decoder.layer.{i}", True))
        y = module(y, x, tgt_mask=later, tgt_key_padding_mask=unseen, memory_key_padding_mask=hidden)
    assert (y - values["last_hidden_state"])[~unseen].abs().max() < 1e-11


def evaluate(config, parameters, batch, upstream=None):
    """Values, and the gradient of Σ upstream · output for every parameter."""
    leaves = {k: v.clone().requires_grad_(True) for k, v in parameters.items()}
    values = variants.Model(config, leaves).forward(batch)
    if upstream is None:
        return {k: v.detach() for k, v in values.items()}, None
    output = values["logits" if "logits" in values else "last_hidden_state"]
    gradients = torch.autograd.grad(output, list(leaves.values()), upstream.to(output.dtype), allow_unused=True)
    found = {k: torch.zeros_like(p) if g is None else g for (k, p), g in zip(leaves.items(), gradients)}
    return {k: v.detach() for k, v in values.items()}, found


def upstream_of(name, config, batch):
    """Random, and zero where the output belongs to padding: that depends on how padding is treated and means nothing."""
    text = "decoder_" if variants.is_both(config) else ""
    shape = batch["decoder_input_ids" if text else "input_ids"].shape
    architecture = config["architectures"][0]
    width = 3 if architecture.endswith("Classification") else config["hidden_size"] if architecture.endswith("Model") else \
        config["vocab_size"]
    gen = generator(f"upstream {name}")
    if architecture == variants.SEQUENCE:
        return normal(gen, shape[0], width)
    mask = batch.get(f"{text}attention_mask", torch.ones(shape))
    return normal(gen, *shape, width) * mask[..., None]


def make(name):
    config, parameters = variants.CONFIGS[name], variants.new_parameters(name)
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    save_file(parameters, folder / "model.safetensors", metadata={"format": "pt"})
    wide = {k: v.double() for k, v in parameters.items()}
    tensors, worst, gradient, noise, zeros, faint = {}, 0.0, 0.0, 0.0, [], []
    for i, kind in enumerate(ROWS):
        batch = inputs(name, config, kind)
        upstream = upstream_of(name, config, batch) if i == 0 else None
        values, found = evaluate(config, wide, batch, upstream)
        single, found32 = evaluate(config, parameters, batch, upstream)
        if name == "vaswani":
            with torch.no_grad():
                check_against_module(config, wide, batch, values)
        tensors |= {f"run{i}.{k}": v.int() for k, v in batch.items()}
        tensors |= {f"run{i}.{k}": v.float().contiguous().clone() for k, v in values.items()}
        worst = max([worst] + [worst_ratio(single[k], v) for k, v in values.items() if v.abs().max() > 0])
        if found:
            largest = max(g.abs().max().item() for g in found.values())
            zeros = sorted(k for k, g in found.items() if g.abs().max().item() <= 1e-12 * largest)
            faint = sorted(k for k, g in found.items() if k not in zeros and g.abs().max().item() < 3e-3 * largest)
            gradient = max(worst_ratio(found32[k], found[k]) for k in found if k not in zeros + faint)
            noise = max([(found32[k] - found[k]).abs().max().item() / largest for k in zeros + faint], default=0.0)
            tensors |= {f"run{i}.gradient.{k}": g for k, g in found.items()} | {f"run{i}.upstream": upstream}
    assert all(torch.isfinite(t).all() for t in tensors.values())
    save_file({k: t.contiguous() for k, t in tensors.items()}, folder / "expected.safetensors")
    for path in folder.iterdir():
        path.chmod(0o644)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{name:20s} {size:7d} bytes, torch float32 within {worst:.1e}, gradients {gradient:.1e}, "
          f"of {len(zeros)} zero and {len(faint)} faint ones {noise:.1e} of the largest")
    assert worst < TOLERANCE["forward"] / 4 and gradient < TOLERANCE["gradient"] / 4 and noise < TOLERANCE["faintGradient"] / 4
    return {"name": name, "architecture": config["architectures"][0], "runs": list(ROWS), "faintGradients": sorted(zeros + faint)}


if __name__ == "__main__":
    one_thread()
    lsh.check_against_transformers()
    FOLDER.mkdir(parents=True, exist_ok=True)
    index = {"format": 1, "tolerance": TOLERANCE, "models": [make(name) for name in variants.CONFIGS]}
    (FOLDER / "models.json").write_text(json.dumps(index, indent=1) + "\n")
