"""The mistakes of cpp/mistakes as people write them in PyTorch. Where a mistake is one of 32-bit floats (an exponential that
overflows, −1e9 that swallows the score beside it), it is made in F32 here too."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

from ops_attention import additive, tensors_of


def softmax(x, o):
    e = torch.exp(x.float())
    return {"output": e / e.sum(-1, keepdim=True), "exponentials": e}


def hidden_part(mask, hidden):
    """A mask, given as what is added or as 1 = visible, with another number where it hides."""
    added = mask.float() if mask.is_floating_point() else additive(mask)
    return torch.where(torch.isinf(added), torch.full_like(added, hidden), added)


def attention(q, k, v, o):
    made = [o["mistake"]] if isinstance(o["mistake"], str) else o["mistake"]
    width = q.shape[-1]
    scale = o["dModel"] ** -0.5 if "scaleByModelWidth" in made else 1.0 if "noScale" in made else o.get("scale", width**-0.5)
    turned = k.permute(2, 1, 0) if "transposeAll" in made else k.transpose(-1, -2)
    scores = q @ turned * scale
    t, s = scores.shape[-2:]
    of_mask = of_triangle = -math.inf
    if "billion" in made:
        of_mask = of_triangle = -1e9
    if "billionTwice" in made:
        of_mask, of_triangle = -2e9, -1e9
    if "billionSquared" in made:
        of_mask = -1e9 * -1e9
    if "mask" in o:
        scores = scores.float() + hidden_part(o["mask"], of_mask)
    if o.get("causal") and "noCausalMask" not in made:
        ones = torch.ones(t, s)
        triangle = ones.tril(s - t) if "invertedTriangle" in made else ones.triu(1 + s - t)
        scores = scores.float() + torch.zeros(t, s).masked_fill(triangle == 1, of_triangle)
    if "withoutMaximum" in made:
        weights = softmax(scores, {})["output"]
    else:
        weights = torch.softmax(scores, -1)  # NaN where a row is −∞
        if "nanRows" not in made:
            weights = weights.masked_fill(torch.isinf(scores).all(-1, keepdim=True), 0.0)
    if "cachedByKeys" in made:
        weights = weights[..., :1, :].expand_as(weights)
    return {"output": weights.to(v.dtype) @ v, "weights": weights, "scores": scores}


def average_heads(weights):
    mean = weights.mean(1)
    return {"weights": mean, "lost": (weights - mean[:, None]).abs().amax(1)}


def look_ahead_mask(n, o):
    return {"output": torch.zeros(n, n).masked_fill(torch.ones(n, n).tril() == 1, -math.inf)}


def layer_norm(x, o):
    mean, eps, mistake = x.mean(-1, keepdim=True), o.get("eps", 1e-5), o["mistake"]
    if mistake == "epsOutside":
        by = x.std(-1, keepdim=True, unbiased=False) + eps
    elif mistake == "sampleVariance":
        by = torch.sqrt(x.var(-1, keepdim=True) + eps)
    elif mistake == "sampleDeviation":
        by = x.std(-1, keepdim=True) + eps
    else:
        by = torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + eps)
    return {"output": (x - mean) / by * o.get("weight", 1.0) + o.get("bias", 0.0)}


def layer(x, memory, w, cross, masks, residual=True, feed_forward=True):
    """PyTorch's own parts in the order of its layers, without those that are left out."""
    width, heads = x.shape[-1], w["heads"]
    norm = lambda n, y: F.layer_norm(y, (width,), w[f"norm{n}.weight"], w[f"norm{n}.bias"], w.get("eps", 1e-5))

    def attend(name, y, keys, mask):
        module = nn.MultiheadAttention(width, heads, batch_first=True, dtype=x.dtype)
        parameters = {k.removeprefix(name + "."): v for k, v in w.items() if k.startswith(name + ".")}
        mask = None if mask is None else mask.to(x.dtype).expand(x.shape[0], heads, y.shape[1], keys.shape[1]).flatten(0, 1)
        return functional_call(module, parameters, (y, keys, keys), {"attn_mask": mask, "need_weights": False})[0]

    def fed(y):
        act = {"relu": F.relu, "gelu": F.gelu}[w["activation"]]
        return F.linear(act(F.linear(y, w["linear1.weight"], w["linear1.bias"])), w["linear2.weight"], w["linear2.bias"])

    parts = [(1, lambda y: attend("self_attn", y, y, masks[0]))]
    if cross:
        parts.append((2, lambda y: attend("multihead_attn", y, memory, masks[1])))
    if feed_forward:
        parts.append((3 if cross else 2, fed))
    for n, part in parts:
        y = part(norm(n, x) if w["normFirst"] else x)
        y = x + y if residual else y
        x = y if w["normFirst"] else norm(n, y)
    return x


def added_mask(mask):
    return None if mask is None else mask if mask.is_floating_point() else additive(mask)


def encoder_layer(x, w, o):
    return {"output": layer(x, None, w, False, [added_mask(o.get("mask"))], residual=False)}


def decoder_layer(x, memory, w, o):
    own, source = added_mask(o.get("mask")), added_mask(o.get("memoryMask"))
    if o.get("causal"):
        causal = torch.full((x.shape[1],) * 2, -math.inf).triu(1)
        own = causal if own is None else own + causal
    mistake = o["mistake"]
    masks = [None if mistake == "noCausalMask" else own, None if mistake == "noMemoryMask" else source]
    y = layer(x, memory, w, True, masks, mistake != "withoutResidual", mistake != "withoutFeedForward")
    return {"output": y + 0 * sum(t.sum() for t in tensors_of(w).values())}  # what is left out has gradients of zero


def encoder(x, stack, o):
    every, n = o.get("recomputeEvery", 1), len(stack["layers"])
    last = (n - 1) // every * every  # where the only segment begins whose activations are kept
    start = x
    for i, w in enumerate(stack["layers"]):
        forgotten = o["mistake"] == "neverRecomputed" and i < last
        if forgotten:
            with torch.no_grad():
                x = layer(x, None, w, False, [added_mask(o.get("mask"))])
        else:
            x = layer(x, None, w, False, [added_mask(o.get("mask"))], residual=o["mistake"] != "withoutResidual")
    if "norm" in stack:
        x = F.layer_norm(x, x.shape[-1:], stack["norm"]["weight"], stack["norm"]["bias"], 1e-5)
    reached = [start] + [t for w in stack["layers"] for t in tensors_of(w).values()]
    return {"output": x + 0 * sum(t.sum() for t in reached)}  # gradients that do not arrive are zeros


def mean_pool(x, mask, o):
    return {"output": x.mean(1) if o["mistake"] == "overPadding" else x.mean(0)}


def mistaken_targets(labels, classes, smoothing, mistake):
    hot = F.one_hot(labels.long().clamp(min=0), classes).double()
    spread = smoothing / (classes - 1) if "thers" in mistake else smoothing
    return hot * (1 - smoothing) + spread


def label_smoothing(labels, classes, smoothing, o):
    return {"output": mistaken_targets(labels, classes, smoothing, o["mistake"])}


def cross_entropy(logits, labels, o):
    flat, y, mistake = logits.flatten(0, -2), labels.flatten().long(), o["mistake"]
    ignore, smoothing = o.get("ignoreIndex", -100), o.get("labelSmoothing", 0.0)
    counts = y != ignore
    safe = torch.where(counts, y, torch.zeros_like(y))
    if mistake == "logitsAsProbabilities":
        each = -torch.log(flat.gather(1, safe[:, None])[:, 0])
    elif mistake == "probabilitiesAsLogits":
        each = F.cross_entropy(torch.softmax(flat, -1), safe, reduction="none", label_smoothing=smoothing)
    elif mistake == "gradientOfMean":
        each = F.cross_entropy(flat, safe, reduction="none", label_smoothing=smoothing)
    else:
        target = mistaken_targets(safe, flat.shape[1], smoothing, mistake).to(flat.dtype)
        each = -(target * torch.log_softmax(flat, -1)).sum(-1)
    each = torch.where(counts, each, torch.zeros_like(each))
    loss = each.sum() / counts.sum()
    if mistake == "gradientOfMean":
        loss = loss.detach() + flat.mean() - flat.mean().detach()
    return {"loss": loss, "perItem": each.reshape(labels.shape)}


def noam_rate(step, o):
    s = torch.tensor(float(step), dtype=torch.float64)
    by_step, by_warmup = s**-0.5, s * o["warmup"] ** -1.5
    return {"rate": o["dModel"] ** -0.5 * torch.minimum(by_step, by_warmup), "byStep": by_step, "byWarmup": by_warmup}
