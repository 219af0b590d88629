"""Writes golden/models, golden/decoders and golden/seq2seq: tiny random checkpoints of every family and what transformers
computes from them in float64. Names, or the beginnings of names, on the command line choose some.
"""

import json
import shutil
import sys

import torch
import transformers
from safetensors.torch import save_file

from forms import FORMS, UNUSED
from golden_book import GOLDEN, in_double, one_thread
from tiny import SPECS, inputs, new_model
from tiny_families import FAMILIES


def stacks(model):
    """The lists of layers of a decoder or an encoder–decoder, by the prefix that their values get."""
    found = {}
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.ModuleList) and name.rsplit(".")[-1] in ("h", "layers", "block"):
            found["encoder." if "encoder" in name else "decoder."] = list(module)
    return found if len(found) == 2 else {"": found["decoder."]}


def watch(layers, prefix, values):
    """Records what enters the first layer and what each one gives: before a final norm, which `hidden_states` is not."""
    def first(_, args, kwargs):
        values[f"{prefix}hidden_states.0"] = args[0] if args else kwargs["hidden_states"]

    def after(i):
        def hook(_, args, output):
            values[f"{prefix}hidden_states.{i + 1}"] = output if isinstance(output, torch.Tensor) else output[0]
        return hook
    handles = [layers[0].register_forward_pre_hook(first, with_kwargs=True)]
    return handles + [layer.register_forward_hook(after(i)) for i, layer in enumerate(layers)]


def evaluate(model, batch, decodes=False):
    """Everything that is compared. Where the model decodes, hidden states are taken at its layers."""
    dtype = next(model.parameters()).dtype
    values, handles = {}, []
    if decodes:
        handles = [h for prefix, layers in stacks(model).items() for h in watch(layers, prefix, values)]
    with torch.no_grad(), in_double(dtype):
        out = model(**batch, output_hidden_states=True, output_attentions=True, **({"use_cache": False} if decodes else {}))
    for handle in handles:
        handle.remove()
    if "logits" in out:
        values["logits"] = out.logits
        if decodes:
            values["last_hidden_state"] = (out.get("decoder_hidden_states") or out.hidden_states)[-1]
    else:
        values["last_hidden_state"] = out.last_hidden_state
    if out.get("pooler_output") is not None:
        values["pooler_output"] = out.pooler_output
    if model.config.is_encoder_decoder:
        values["encoder.last_hidden_state"] = out.encoder_last_hidden_state
        for prefix, kind in (("encoder.attentions", "encoder_attentions"), ("decoder.attentions", "decoder_attentions"),
                             ("decoder.cross_attentions", "cross_attentions")):
            values.update({f"{prefix}.{i}": a for i, a in enumerate(out[kind])})
        theirs = {"encoder.": out.encoder_hidden_states, "decoder.": out.decoder_hidden_states}
    else:
        values.update({f"attentions.{i}": a for i, a in enumerate(out.attentions)})
        theirs = {"": out.hidden_states}
        if not decodes:
            values.update({f"hidden_states.{i}": h for i, h in enumerate(out.hidden_states)})
    for prefix, states in theirs.items():
        assert all(torch.equal(values[f"{prefix}hidden_states.{i}"], h) for i, h in enumerate(states[:-1]))
    return values


def sharpness(attentions, mask):
    """Mean of each real query's largest weight over what a uniform row would have; 1 is flat."""
    ratio = (attentions.amax(-1) * (attentions > 0).sum(-1)).mean(1)
    return ratio[mask.bool()].mean().item()


def load(s, folder):
    """Read back what the files hold, so that what is compared starts from the file's own rounding."""
    cls = getattr(transformers, s["architecture"])
    model, info = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    assert not info["missing_keys"] and not info["mismatched_keys"], info
    assert all(s["form"] == "hub" and UNUSED.search(k) for k in info["unexpected_keys"]), info
    return model.eval()


def make(s):
    folder = GOLDEN / s["group"] / s["name"]
    shutil.rmtree(folder, ignore_errors=True)
    model = new_model(s).to(s["dtype"])
    model.save_pretrained(folder, **({"max_shard_size": s["shard"]} if s["shard"] else {}))
    if s["form"]:
        FORMS[s["form"]](folder, s)
    model = load(s, folder)
    decodes = s["group"] != "models"
    tensors, worst, sharp = {}, 0.0, []
    batches = [inputs(s, kind) for kind in s["runs"]]
    single = [evaluate(model, batch, decodes) for batch in batches]
    model.double()
    for i, batch in enumerate(batches):
        values = evaluate(model, batch, decodes)
        tensors.update({f"run{i}.{k}": v.int() for k, v in batch.items()})
        tensors.update({f"run{i}.{k}": v.float().contiguous().clone() for k, v in values.items()})
        for key, value in values.items():
            names = ("decoder_input_ids", "decoder_attention_mask") if "decoder_input_ids" in batch and not key.startswith("encoder") \
                else ("input_ids", "attention_mask")
            mask = batch.get(names[1], torch.ones_like(batch[names[0]]))
            rows = mask.bool() if value.dim() > 2 else slice(None)
            own = (lambda x: x.transpose(1, 2)[rows]) if "attentions" in key else (lambda x: x[rows])
            worst = max(worst, (own(value) - own(single[i][key])).abs().max().item() / max(1, own(value).abs().max().item()))
            if "attentions" in key and mask.shape[1] > 2:
                sharp.append(sharpness(value, mask))
    assert all(torch.isfinite(t).all() for t in tensors.values())
    save_file(tensors, folder / "expected.safetensors")
    for path in folder.iterdir():
        path.chmod(0o644)
    size = sum(p.stat().st_size for p in folder.iterdir())
    files = len(list(folder.glob("*.safetensors"))) - 1
    print(f"{s['name']:30s} {size:7d} bytes, {files} weight files, torch float32 within {worst:.1e}, "
          f"peaks {min(sharp):.1f} to {max(sharp):.1f} times uniform")
    assert worst < 2e-5 and max(sharp) > 1.5
    return {"name": s["name"], "architecture": s["architecture"], "dtype": str(s["dtype"]).split(".")[1],
            "sharded": bool(s["shard"]), "form": s["form"] or "as saved", "runs": list(s["runs"])}


if __name__ == "__main__":
    one_thread()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    wanted = sys.argv[1:]
    for group in ("models", "decoders", "seq2seq"):
        (GOLDEN / group).mkdir(parents=True, exist_ok=True)
        path = GOLDEN / group / "models.json"
        old = {m["name"]: m for m in json.loads(path.read_text())["models"]} if wanted and path.exists() else {}
        models = [make(s) if not wanted or s["name"].startswith(tuple(wanted)) else old.get(s["name"])
                  for s in (*SPECS, *FAMILIES) if s["group"] == group]
        index = {"format": 1, "tolerance": 1e-4, "models": [m for m in models if m]}
        path.write_text(json.dumps(index, indent=1) + "\n")
