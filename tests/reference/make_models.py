"""Writes golden/models: tiny random BERT and ELECTRA checkpoints and what transformers computes from them in float64."""

import json
import shutil

import torch
import transformers
from safetensors import safe_open
from safetensors.torch import save_file

from golden_book import GOLDEN, one_thread
from tiny import SPECS, inputs, new_model

FOLDER = GOLDEN / "models"


def rewrite(folder, change):
    """Reads all tensors of a checkpoint of one file, lets `change` edit them and writes them back."""
    path = folder / "model.safetensors"
    with safe_open(path, framework="pt") as f:
        tensors = {k: f.get_tensor(k) for k in f.keys()}
    save_file({k: v.clone().contiguous() for k, v in change(tensors).items()}, path, metadata={"format": "pt"})


def prefixed(folder):
    """A plain model whose file has the prefix that a model with a head would give it."""
    rewrite(folder, lambda tensors: {f"bert.{k}": v for k, v in tensors.items()})


def hub(folder):
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
    path = folder / "config.json"
    old = json.loads(path.read_text())
    keep = ["architectures", "attention_probs_dropout_prob", "hidden_act", "hidden_dropout_prob", "hidden_size",
            "intermediate_size", "max_position_embeddings", "model_type", "num_attention_heads", "num_hidden_layers",
            "vocab_size"]
    new = {k: old[k] for k in keep} | {
        "gradient_checkpointing": False, "initializer_range": 0.02, "pad_token_id": 0, "position_embedding_type": "absolute",
        "torch_dtype": "float32", "transformers_version": "4.6.0.dev0", "use_cache": True, "classifier_dropout": None,
        "finetuning_task": None,
    }
    path.write_text(json.dumps(new, indent=2) + "\n")


FORMS = {"prefixed": (prefixed, set()),
         "hub": (hub, {"bert.pooler.dense.weight", "bert.pooler.dense.bias", "cls.seq_relationship.weight",
                       "cls.seq_relationship.bias", "bert.embeddings.position_ids"})}


def evaluate(model, batch):
    with torch.no_grad():
        out = model(**batch, output_hidden_states=True, output_attentions=True)
    values = {"logits": out.logits} if "logits" in out else {"last_hidden_state": out.last_hidden_state}
    if out.get("pooler_output") is not None:
        values["pooler_output"] = out.pooler_output
    values.update({f"hidden_states.{i}": h for i, h in enumerate(out.hidden_states)})
    values.update({f"attentions.{i}": a for i, a in enumerate(out.attentions)})
    return values


def sharpness(attentions, batch):
    """Mean of each real row's largest weight over what a uniform row would have; 1 is flat."""
    ids = batch["input_ids"]
    mask = batch.get("attention_mask", torch.ones_like(ids)).bool()
    uniform = 1 / mask.sum(1).double()
    ratio = attentions.amax(-1).mean(1) / uniform[:, None]
    return ratio[mask].mean().item()


def make(s):
    folder = FOLDER / s["name"]
    shutil.rmtree(folder, ignore_errors=True)
    model = new_model(s).to(s["dtype"])
    model.save_pretrained(folder, **({"max_shard_size": s["shard"]} if s["shard"] else {}))
    allowed = set()
    if s["form"]:
        form, allowed = FORMS[s["form"]]
        form(folder)
    # Read back what the files hold, so that what is compared starts from the file's own rounding.
    cls = getattr(transformers, s["architecture"])
    model, info = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    assert not info["missing_keys"] and not info["mismatched_keys"], info
    assert set(info["unexpected_keys"]) <= allowed, info
    model.eval()
    tensors, worst, sharp = {}, 0.0, []
    batches = [inputs(s, kind) for kind in s["runs"]]
    single = [evaluate(model, batch) for batch in batches]
    model.double()
    for i, batch in enumerate(batches):
        values = evaluate(model, batch)
        tensors.update({f"run{i}.{k}": v.int() for k, v in batch.items()})
        tensors.update({f"run{i}.{k}": v.float().contiguous().clone() for k, v in values.items()})
        worst = max([worst] + [(v - single[i][k]).abs().max().item() for k, v in values.items()])
        if batch["input_ids"].shape[1] > 2:
            sharp += [sharpness(v, batch) for k, v in values.items() if k.startswith("attentions")]
    assert all(torch.isfinite(t).all() for t in tensors.values())
    save_file(tensors, folder / "expected.safetensors")
    for path in folder.iterdir():
        path.chmod(0o644)
    size = sum(p.stat().st_size for p in folder.iterdir())
    files = len(list(folder.glob("*.safetensors"))) - 1
    print(f"{s['name']:30s} {size:7d} bytes, {files} weight files, torch float32 within {worst:.1e}, "
          f"peaks {min(sharp):.1f} to {max(sharp):.1f} times uniform")
    assert worst < 2e-5 and max(sharp) > 2
    return {"name": s["name"], "architecture": s["architecture"], "dtype": str(s["dtype"]).split(".")[1],
            "sharded": bool(s["shard"]), "form": s["form"] or "as saved", "runs": list(s["runs"])}


if __name__ == "__main__":
    one_thread()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    FOLDER.mkdir(parents=True, exist_ok=True)
    index = {"format": 1, "tolerance": 1e-4, "models": [make(s) for s in SPECS]}
    (FOLDER / "models.json").write_text(json.dumps(index, indent=1) + "\n")
