"""Writes golden/family: tiny random checkpoints of the library's own encoder family and their values in float64."""

import json
import shutil

import torch
from safetensors.torch import save_file
from torch import nn

import family
from golden_book import GOLDEN, one_thread
from make_models import sharpness
from tiny import inputs

FOLDER = GOLDEN / "family"
RUNS = ["padded", "bare", "left", "single"]


def check_against_module(config, parameters, batch, values):
    """The layers in a loop against PyTorch's nn.TransformerEncoder as a whole, with its padding mask."""
    x = values["hidden_states.0"]
    last = nn.LayerNorm(x.shape[-1], eps=config["layer_norm_eps"], dtype=x.dtype) if config["final_norm"] else None
    module = nn.TransformerEncoder(family.layer_module(config, x.dtype), config["num_hidden_layers"], last,
                                   enable_nested_tensor=False)
    state = {f"layers.{i}.{k}": v for i in range(config["num_hidden_layers"])
             for k, v in family.layer_parameters(parameters, i).items()}
    if last:
        state |= {f"norm.{k}": parameters[f"encoder.norm.{k}"] for k in ("weight", "bias")}
    module.load_state_dict(state)
    mask = batch.get("attention_mask", torch.ones_like(batch["input_ids"]))
    with torch.no_grad():
        whole = module(x, src_key_padding_mask=mask == 0)
    real = mask.bool()
    assert (whole - values["last_hidden_state"])[real].abs().max() < 1e-12


def make(name):
    config, parameters = family.CONFIGS[name], family.new_parameters(name)
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    save_file(parameters, folder / "model.safetensors", metadata={"format": "pt"})
    wide = {k: v.double() for k, v in parameters.items()}
    tensors, worst, sharp = {}, 0.0, []
    for i, kind in enumerate(RUNS):
        batch = inputs({"name": name, "config": config}, kind)
        with torch.no_grad():
            values, single = family.forward(config, wide, batch), family.forward(config, parameters, batch)
        check_against_module(config, wide, batch, values)
        tensors.update({f"run{i}.{k}": v.int() for k, v in batch.items()})
        tensors.update({f"run{i}.{k}": v.float().contiguous().clone() for k, v in values.items()})
        worst = max([worst] + [(v - single[k]).abs().max().item() for k, v in values.items()])
        if kind != "single":
            mask = batch.get("attention_mask", torch.ones_like(batch["input_ids"]))
            sharp += [sharpness(v, mask) for k, v in values.items() if k.startswith("attentions")]
    assert all(torch.isfinite(t).all() for t in tensors.values())
    save_file(tensors, folder / "expected.safetensors")
    for path in folder.iterdir():
        path.chmod(0o644)
    size = sum(p.stat().st_size for p in folder.iterdir())
    print(f"{name:20s} {size:7d} bytes, torch float32 within {worst:.1e}, "
          f"peaks {min(sharp):.1f} to {max(sharp):.1f} times uniform")
    assert worst < 2e-5 and max(sharp) > 2
    return {"name": name, "architecture": config["architectures"][0], "dtype": "float32", "sharded": False,
            "form": "as saved", "runs": RUNS}


if __name__ == "__main__":
    one_thread()
    index = {"format": 1, "tolerance": 1e-4, "models": [make(name) for name in family.CONFIGS]}
    (FOLDER / "models.json").write_text(json.dumps(index, indent=1) + "\n")
