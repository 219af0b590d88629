"""Opens a checkpoint folder with transformers, or with family.py where the family is this library's own."""

import json
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file

import family
from golden_book import in_double


def open_folder(folder):
    """(function of a batch to float64 values, report). The report names what transformers found missing, unexpected or of
    another shape; a folder is good when all three lists are empty."""
    folder = Path(folder)
    config = json.loads((folder / "config.json").read_text())
    architecture = config["architectures"][0]
    report = {"folder": folder.resolve().name, "architecture": architecture}
    if config["model_type"] == "glassformer":
        stored = {k: v.double() for k, v in load_file(folder / "model.safetensors").items()}
        wanted = family.shapes(config)
        report |= {
            "missing": sorted(set(wanted) - set(stored)), "unexpected": sorted(set(stored) - set(wanted)),
            "misshaped": sorted(k for k in wanted if k in stored and tuple(stored[k].shape) != wanted[k]),
            "parameters": sum(v.numel() for v in stored.values()), "torch": torch.__version__,
        }
        return lambda batch: family.forward(config, stored, batch), report
    model, found = open_model(folder, architecture)

    def run(batch):
        with in_double(torch.float64):
            return {k: v for k, v in model(**batch).items() if isinstance(v, torch.Tensor)}
    return run, report | found


def open_model(folder, architecture):
    """(transformers' model in float64, the same report)."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    cls = getattr(transformers, architecture)
    model, info = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    return model.eval().double(), {
        "folder": Path(folder).resolve().name, "architecture": architecture,
        "missing": sorted(info["missing_keys"]), "unexpected": sorted(info["unexpected_keys"]),
        "misshaped": sorted(str(k) for k in info["mismatched_keys"]),
        "parameters": sum(p.numel() for p in model.parameters()), "transformers": transformers.__version__,
    }


def loads_cleanly(report):
    return not (report["missing"] or report["unexpected"] or report["misshaped"])


def difference(ours, theirs, mask):
    """Largest absolute difference; of values for each token, at real tokens only."""
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    gap = (ours.double() - theirs).abs().nan_to_num(nan=float("inf"))
    return (gap[mask.bool()] if gap.dim() == 3 else gap).max().item()
