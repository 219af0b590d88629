"""Writes golden/train: gradients of whole models and five AdamW steps, in float64 from F32 weights."""

import json
import re

import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import load_file, save_file
from torch.func import functional_call

import family
from golden_book import GOLDEN, generator, in_double, one_thread, worst_ratio
from tiny_families import find

FOLDER = GOLDEN / "train"
STEPS = 5


def noam(d_model, warmup, factor):
    """Vaswani et al. 2017, equation 3, steps from 1, times a factor."""
    return [factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5) for step in range(1, STEPS + 1)]


def linear(rate, warmup, total):
    """Up to the rate at step `warmup`, then straight down to zero at step `total`."""
    return [rate * min(step / warmup, (total - step) / (total - warmup)) for step in range(1, STEPS + 1)]


RECIPES = [
    {"model": "models/bert_mlm", "task": "masked_lm", "labelSmoothing": 0.0, "weightDecay": 0.01, "betas": [0.9, 0.98],
     "eps": 1e-6, "clip": 1.0, "rates": noam(12, 3, 0.02), "schedule": "noam, dModel 12, warmup 3, times 0.02"},
    {"model": "models/electra_sequence", "task": "sequence", "labelSmoothing": 0.1, "weightDecay": 0.1, "betas": [0.9, 0.999],
     "eps": 1e-6, "clip": 1.0, "rates": linear(2e-3, 2, 10), "schedule": "linear, lr 2e-3, warmup 2, steps 10"},
    {"model": "models/bert_token", "task": "token", "labelSmoothing": 0.0, "weightDecay": 0.01, "betas": [0.9, 0.999],
     "eps": 1e-6, "clip": 5.5, "rates": [1e-3] * STEPS, "schedule": "constant, lr 1e-3"},
    {"model": "family/family_pre_mean", "task": "sequence", "labelSmoothing": 0.1, "weightDecay": 0.05, "betas": [0.9, 0.98],
     "eps": 1e-6, "clip": 1.0, "rates": [1e-3] * STEPS, "schedule": "constant, lr 1e-3"},
    {"model": "family/family_pre_mlm", "task": "masked_lm", "labelSmoothing": 0.1, "weightDecay": 0.01, "betas": [0.9, 0.98],
     "eps": 1e-6, "clip": 1.0, "rates": noam(20, 4, 0.005), "schedule": "noam, dModel 20, warmup 4, times 0.005"},
    # The key third of GPT-2's c_attn.bias has a gradient of rounding noise, which a smaller eps would scale up.
    {"model": "decoders/gpt2_lm", "task": "causal_lm", "labelSmoothing": 0.1, "weightDecay": 0.01, "betas": [0.9, 0.98],
     "eps": 1e-3, "clip": 1.0, "rates": noam(12, 3, 0.02), "schedule": "noam, dModel 12, warmup 3, times 0.02"},
    {"model": "decoders/llama_lm", "task": "causal_lm", "labelSmoothing": 0.1, "weightDecay": 0.1, "betas": [0.9, 0.95],
     "eps": 1e-6, "clip": 1.0, "rates": [1e-3] * STEPS, "schedule": "constant, lr 1e-3"},
    {"model": "seq2seq/t5_v10", "task": "seq2seq", "labelSmoothing": 0.1, "weightDecay": 0.01, "betas": [0.9, 0.999],
     "eps": 1e-6, "clip": 1.0, "rates": linear(2e-3, 2, 10), "schedule": "linear, lr 2e-3, warmup 2, steps 10"},
    {"model": "seq2seq/marian_mt", "task": "seq2seq", "labelSmoothing": 0.1, "weightDecay": 0.01, "betas": [0.9, 0.98],
     "eps": 1e-6, "clip": 1.0, "rates": noam(12, 4, 0.005), "schedule": "noam, dModel 12, warmup 4, times 0.005"},
]


def batches(name, config, task, labels):
    """One batch for each step: three texts of unequal length, type ids in every other batch."""
    gen = generator(f"train {name}")
    out = []
    for step in range(STEPS):
        lengths = torch.tensor([9 - step % 3, 5, 3 + step % 2])[:, None]
        shape = (3, int(lengths.max()))
        mask = torch.arange(shape[1]) < lengths
        ids = torch.randint(1, config["vocab_size"], shape, generator=gen) * mask
        batch = {"input_ids": ids, "attention_mask": mask.long()}
        if step % 2 == 0 and config.get("type_vocab_size", 0) > 1:
            types = torch.randint(0, config["type_vocab_size"], shape, generator=gen).sort(dim=1).values
            batch["token_type_ids"] = types * mask
        if task == "causal_lm":
            # Label t is the token that follows token t; the last token of a text has none.
            following = torch.cat([ids[:, 1:], ids[:, :1]], 1)
            batch["labels"] = following.masked_fill(torch.arange(shape[1]) >= lengths - 1, -100)
        elif task == "seq2seq":
            batch |= target_of(gen, config, step)
        elif task == "sequence":
            batch["labels"] = torch.randint(0, labels, (3,), generator=gen)
        else:
            classes = config["vocab_size"] if task == "masked_lm" else labels
            target = torch.randint(0, classes, shape, generator=gen)
            counts = mask if task == "token" else mask & (torch.rand(shape, generator=gen) < 0.4)
            counts[0, 1] = True  # so that some position always counts
            batch["labels"] = target.masked_fill(~counts, -100)
        out.append(batch)
    return out


def target_of(gen, config, step):
    """Targets of unequal length: what the decoder reads begins with the start token, what it must say ends with the end token."""
    lengths = torch.tensor([4 + step % 2, 7 - step, 2])[:, None]
    shape = (3, int(lengths.max()))
    column = torch.arange(shape[1])
    labels = torch.randint(1, config["vocab_size"], shape, generator=gen)
    labels[column == lengths - 1] = config["eos_token_id"]
    mask = column < lengths
    ids = torch.cat([torch.full((3, 1), config["decoder_start_token_id"]), labels[:, :-1]], 1)
    return {"decoder_input_ids": ids * mask, "decoder_attention_mask": mask.long(), "labels": labels.masked_fill(~mask, -100)}


def open_model(recipe):
    """(config, F32 parameters by their names in the file, function of parameters and inputs to logits)."""
    folder = GOLDEN / recipe["model"]
    stored = load_file(folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    if config["model_type"] == "glassformer":
        return config, stored, lambda parameters, batch: family.forward(config, parameters, batch)["logits"]
    cls = getattr(transformers, find(folder.name)["architecture"])
    model = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").train()
    assert all(m.p == 0 for m in model.modules() if isinstance(m, torch.nn.Dropout))
    for module in model.modules():
        if isinstance(module, torch.nn.Embedding):
            module.padding_idx = None  # PyTorch would leave out what the padding token's row gets, also as Marian's start token
    sines = {k for k, _ in model.named_parameters() if config["model_type"] == "marian" and "embed_positions" in k}
    assert set(dict(model.named_parameters())) - sines | buffers(stored) == set(stored)

    def logits(parameters, batch):
        dtype = next(iter(parameters.values())).dtype
        with in_double(dtype):
            return functional_call(model.to(dtype), parameters, (), batch, tie_weights=True).logits
    return config, stored, logits


def buffers(stored):
    """What a file holds and no optimizer of a transformers model gets."""
    return {k for k in stored if k == "final_logits_bias"}


def loss_of(logits, labels, smoothing):
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten(), ignore_index=-100, label_smoothing=smoothing)


def decays(tensor):
    """Matrices and tables do, vectors do not, also where they are stored as one row."""
    return tensor.dim() >= 2 and tensor.shape[0] > 1


def train(recipe, stored, logits, data, dtype):
    """Gradients of the first batch, before clipping, buffers' too, and the run of five steps."""
    parameters = {k: v.to(dtype).clone().requires_grad_(True) for k, v in stored.items()}
    trained = [p for k, p in parameters.items() if k not in buffers(stored)]
    groups = [{"params": [p for p in trained if decays(p)], "weight_decay": recipe["weightDecay"]},
              {"params": [p for p in trained if not decays(p)], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.0, betas=recipe["betas"], eps=recipe["eps"], foreach=False)
    steps, first = [], None
    for rate, batch in zip(recipe["rates"], data):
        optimizer.zero_grad()
        given = {k: v for k, v in batch.items() if k != "labels"}
        loss = loss_of(logits(parameters, given), batch["labels"], recipe["labelSmoothing"])
        loss.backward()
        if first is None:
            first = {k: p.grad.clone() for k, p in parameters.items()}
        norm = torch.nn.utils.clip_grad_norm_(trained, recipe["clip"])
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        steps.append({"lr": rate, "loss": loss.item(), "gradNorm": norm.item()})
    return first, steps, {k: p.detach() for k, p in parameters.items()}


def layer_largest(gradients, name):
    """The largest absolute gradient in the layer that this parameter belongs to."""
    layer = re.match(r".*?\.\d+\.", name)[0]
    return max(g.abs().max().item() for k, g in gradients.items() if k.startswith(layer))


def make(recipe):
    config, stored, logits = open_model(recipe)
    name = recipe["model"].split("/")[1]
    data = batches(name, config, recipe["task"], len(config.get("id2label", {})))
    first, steps, after = train(recipe, stored, logits, data, torch.float64)
    first32, steps32, after32 = train(recipe, stored, logits, data, torch.float32)

    largest = max(g.abs().max().item() for g in first.values())
    zeros = sorted(k for k, g in first.items() if g.abs().max().item() <= 1e-13 * largest)
    assert zeros == sorted(k for k in stored if k.endswith(("self.key.bias", "k_proj.bias"))), zeros
    gradient = max(worst_ratio(first32[k], first[k]) for k in first if k not in zeros)
    noise = max((first32[k].abs().max().item() / layer_largest(first, k) for k in zeros), default=0.0)
    moved = max((after32[k] - after[k]).abs().max().item() for k in after if k not in zeros)
    figures = max(abs(a[k] / b[k] - 1) for a, b in zip(steps32, steps) for k in ("loss", "gradNorm"))
    print(f"{name:18s} torch float32: gradients {gradient:.1e}, key biases {noise:.1e}, parameters {moved:.1e}, "
          f"loss and norm {figures:.1e}; norms {' '.join('%.2f' % s['gradNorm'] for s in steps)}")
    assert gradient < 3.5e-6 and noise < 2.5e-7 and moved < 2.5e-6 and figures < 2.5e-6
    assert max(s["gradNorm"] for s in steps) > recipe["clip"]  # at least one step is clipped

    tensors = {f"gradient.{k}": g for k, g in first.items()}
    tensors |= {f"after.{k}": p for k, p in after.items()}
    tensors |= {f"step{i}.{k}": v.int() for i, batch in enumerate(data) for k, v in batch.items()}
    assert all(torch.isfinite(t).all() for t in tensors.values())
    file = f"{name}.safetensors"
    save_file({k: v.contiguous() for k, v in tensors.items()}, FOLDER / file)
    (FOLDER / file).chmod(0o644)
    return {"name": name, **{k: v for k, v in recipe.items() if k != "rates"}, "tensors": file, "steps": steps,
            "decay": sorted(k for k, p in stored.items() if decays(p)),
            "zeroGradients": zeros}


if __name__ == "__main__":
    one_thread()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    FOLDER.mkdir(parents=True, exist_ok=True)
    tolerance = {"gradient": 1e-5, "zeroGradient": 1e-6, "parameters": 5e-6, "loss": 1e-5, "gradNorm": 1e-5}
    index = {"format": 1, "tolerance": tolerance, "runs": [make(r) for r in RECIPES]}
    (FOLDER / "train.json").write_text(json.dumps(index, indent=1) + "\n")
