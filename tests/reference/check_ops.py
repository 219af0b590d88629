"""Checks golden/ops.json without PyTorch: every output by the equation in NumPy, every gradient by a central difference.

It is a second opinion on the values, and an example of how the index is read.
"""

import json
import math
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

GOLDEN = Path(__file__).parent / "golden"
erf = np.vectorize(math.erf, otypes=[float])


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, o, rms=False):
    centred = x if rms else x - x.mean(-1, keepdims=True)
    y = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + o.get("eps", 1e-5))
    return y * o.get("weight", 1.0) + o.get("bias", 0.0)


def activation(x, name):
    return {
        "relu": lambda: np.maximum(x, 0),
        "gelu": lambda: x * 0.5 * (1 + erf(x / math.sqrt(2))),
        "gelu_new": lambda: x * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
        "silu": lambda: x * 0.5 * (1 + np.tanh(x / 2)),
        "tanh": lambda: np.tanh(x),
    }[name]()


def linear(x, weight, bias=None):
    return x @ weight.T + (0 if bias is None else bias)


def attention(q, k, v, o):
    scores = q @ np.swapaxes(k, -1, -2) * o.get("scale", 1 / math.sqrt(q.shape[-1]))
    mask = o.get("mask")
    if mask is not None and mask.dtype == np.uint8:
        scores = np.where(mask == 1, scores, -np.inf)
    elif mask is not None:
        scores = scores + mask
    if o.get("causal"):
        t, s = scores.shape[-2:]
        scores = np.where(np.arange(s) <= np.arange(t)[:, None] + s - t, scores, -np.inf)
    weights = softmax(scores)
    return {"output": weights @ v, "weights": weights, "scores": scores}


def multi_head(query, key, value, o):
    b, heads = query.shape[0], o["heads"]
    biases = np.split(o["inProjBias"], 3) if "inProjBias" in o else [None] * 3

    def split(x, weight, bias):
        return linear(x, weight, bias).reshape(b, x.shape[1], heads, -1).swapaxes(1, 2)
    parts = [split(*p) for p in zip((query, key, value), np.split(o["inProjWeight"], 3), biases)]
    out = attention(*parts, {k: v for k, v in o.items() if k in ("mask", "causal")})
    joined = out["output"].swapaxes(1, 2).reshape(query.shape)
    return {"output": linear(joined, o["outProjWeight"], o.get("outProjBias")), "weights": out["weights"]}


def part(p, prefix):
    return {k: p[f"{prefix}.{k}"] for k in ("weight", "bias") if f"{prefix}.{k}" in p}


def attend(p, prefix, query, memory, mask):
    names = {"inProjWeight": "in_proj_weight", "inProjBias": "in_proj_bias", "outProjWeight": "out_proj.weight",
             "outProjBias": "out_proj.bias"}
    options = {k: p[f"{prefix}.{n}"] for k, n in names.items() if f"{prefix}.{n}" in p}
    masked = {} if mask is None else {"mask": mask}
    return multi_head(query, memory, memory, {**options, "heads": p["heads"], **masked})["output"]


def residual(x, p, steps):
    """Each (norm's name, function) in turn, the norm before the function or after the sum."""
    for norm, fn in steps:
        x = x + fn(layer_norm(x, part(p, norm))) if p["normFirst"] else layer_norm(x + fn(x), part(p, norm))
    return x


def feed_forward(p):
    return lambda x: linear(activation(linear(x, **part(p, "linear1")), p["activation"]), **part(p, "linear2"))


def encoder_layer(x, p, o=None):
    return residual(x, p, [("norm1", lambda x: attend(p, "self_attn", x, x, (o or {}).get("mask"))), ("norm2", feed_forward(p))])


def decoder_layer(x, memory, p, o=None):
    o = o or {}
    return residual(x, p, [("norm1", lambda x: attend(p, "self_attn", x, x, o.get("mask"))),
                           ("norm2", lambda x: attend(p, "multihead_attn", x, memory, o.get("memoryMask"))),
                           ("norm3", feed_forward(p))])


def encoder(x, stack, o=None):
    for layer in stack["layers"]:
        x = encoder_layer(x, layer, o)
    return layer_norm(x, stack["norm"]) if "norm" in stack else x


def cross_entropy(logits, labels, o=None):
    o = o or {}
    smoothing = o.get("labelSmoothing", 0.0)
    log_p = logits - logits.max(-1, keepdims=True)
    log_p = log_p - np.log(np.exp(log_p).sum(-1, keepdims=True))
    counts = labels != o.get("ignoreIndex", -100)
    chosen = np.take_along_axis(log_p, np.where(counts, labels, 0)[..., None], -1)[..., 0]
    item = np.where(counts, -(1 - smoothing) * chosen - smoothing * log_p.mean(-1), 0.0)
    return {"loss": item.sum() / counts.sum(), "perItem": item}


def positional_encoding(length, d, o=None):
    out = np.zeros((length, d))
    order = list(range(d)) if o is None else [*range(0, d, 2), *range(1, d, 2)]  # halves: even columns first
    for position in range(length):
        for place, column in enumerate(order):
            angle = position / 10000 ** (2 * (column // 2) / d)
            out[position, place] = math.cos(angle) if column % 2 else math.sin(angle)
    return out


def clip(grads, limit):
    norm = math.sqrt(sum(float((g**2).sum()) for g in grads))
    factor = min(1.0, limit / (norm + 1e-6))
    return {"norm": norm, **{f"grads.{i}": g * factor for i, g in enumerate(grads)}}


def average(tensors, o=None):
    return np.tensordot((o or {}).get("weights", np.ones(len(tensors))), tensors, 1) / np.sum(
        (o or {}).get("weights", len(tensors)))


def linformer(q, k, v, o):
    e, f = o["e"], o.get("f", o["e"])
    pattern = softmax(q @ (e @ k).swapaxes(-1, -2) * o.get("scale", q.shape[-1] ** -0.5))
    result = {"output": pattern @ (f @ v), "projectedWeights": pattern}
    return result if o.get("weights") is False else {**result, "weights": pattern @ f}


def public_feed_forward(x, o):
    if "gateWeight" in o:
        hidden = activation(linear(x, o["gateWeight"], o.get("gateBias")), o["activation"]) * linear(x, o["weight1"], o.get("bias1"))
    else:
        hidden = activation(linear(x, o["weight1"], o.get("bias1")), o["activation"])
    return linear(hidden, o["weight2"], o.get("bias2"))


def wavelengths(d, o):
    """The length over which the angle of a column grows by a full turn."""
    column = np.arange(d)
    wave = column % ((d + 1) // 2) if o["convention"] == "halves" else column // 2
    return 2 * np.pi / np.exp(-math.log(10000) * 2 * wave / d)


OPS = {
    "softmax": softmax, "attention": attention, "multiHeadAttention": multi_head, "layerNorm": layer_norm,
    "rmsNorm": lambda x, o: layer_norm(x, o, rms=True), "linear": lambda x, o: linear(x, **o),
    "feedForward": public_feed_forward,
    "activation": activation, "positionalEncoding": positional_encoding,
    "paddingMask": lambda ids, pad: np.where(ids == pad, -np.inf, 0.0)[:, None, None, :],
    "lookAheadMask": lambda n: np.where(np.arange(n) > np.arange(n)[:, None], -np.inf, 0.0),
    "encoderLayer": encoder_layer, "encoder": encoder, "decoderLayer": decoder_layer, "embedding": lambda ids, weight: weight[ids],
    "meanPool": lambda x, mask: (x * mask[..., None]).sum(-2) / mask.sum(-1, keepdims=True, dtype=float),
    "crossEntropy": cross_entropy, "add": lambda a, b: a + b,
    "noamRate": lambda step, o: {"rate": o["dModel"] ** -0.5 * min(step**-0.5, step * o["warmup"] ** -1.5)},
    "clipGradNorm": clip, "average": average, "linformerAttention": linformer,
    "splitHeads": lambda x, n: x.reshape(*x.shape[:2], n, -1).swapaxes(1, 2),
    "joinHeads": lambda x: x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1),
    "moments": lambda x: {"mean": x.mean(-1), "deviation": ((x - x.mean(-1, keepdims=True)) ** 2).mean(-1) ** 0.5},
    "largestDifference": lambda a, b: np.abs(a - b).max(-1),
    "wavelengths": wavelengths,
    "labelSmoothing": lambda labels, classes, s: (np.arange(classes) == labels[..., None]) * (1 - s) + s / classes,
}
# These draw the library's own random numbers (lsh.py has its generator).
DRAWN = {"dropout", "lshBuckets", "lshAttention"}


def resolve(value, tensors):
    """JSON arguments with tensors in their places, floats widened."""
    if isinstance(value, list):
        return [resolve(v, tensors) for v in value]
    if isinstance(value, dict):
        if set(value) == {"tensor"}:
            t = tensors[value["tensor"]]
            return t.astype(np.float64) if t.dtype == np.float32 else t
        return {k: resolve(v, tensors) for k, v in value.items()}
    return value


def outputs(op, args):
    result = OPS[op](*args)
    return result if isinstance(result, dict) else {"output": result}


def locate(signature, args, name):
    """The array in args that a gradient of this name belongs to."""
    if name in signature:
        return args[signature.index(name)]
    head, _, rest = name.partition(".")
    if head == "layers":
        index, _, key = rest.partition(".")
        return args[1]["layers"][int(index)][key]
    if head == "norm":
        return args[1]["norm"][rest]
    return next(a[name] for a in args if isinstance(a, dict) and name in a)


def slope(case, signature, args, name, upstream, rng):
    """(direction, change of sum(output · upstream) along it) by a central difference. Values near 0 are left where they are:
    ReLU has its kink there."""
    place = locate(signature, args, name)
    direction = rng.standard_normal(place.shape) * (np.abs(place) > 1e-3)
    step, start, values = 1e-6, place.copy(), []
    for sign in (1, -1):
        place[...] = start + sign * step * direction
        values.append(float((next(iter(outputs(case["op"], args).values())) * upstream).sum()))
    place[...] = start
    return direction, (values[0] - values[1]) / (2 * step)


def check_adamw(run, tensors):
    o, worst = run["options"], 0.0
    beta1, beta2 = o["betas"]
    for name, key in run["initial"].items():
        w = tensors[key].astype(np.float64)
        m, v = np.zeros_like(w), np.zeros_like(w)
        for t, step in enumerate(run["steps"], 1):
            g = tensors[step["grads"][name]].astype(np.float64)
            m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
            update = m / (1 - beta1**t) / (np.sqrt(v / (1 - beta2**t)) + o["eps"])
            w = w * (1 - step["lr"] * o["weightDecay"]) - step["lr"] * update
            worst = max(worst, np.abs(w - tensors[step["expect"][name]]).max())
    return worst


def main():
    index = json.loads((GOLDEN / "ops.json").read_text())
    tensors = load_file(GOLDEN / index["tensors"])
    rng = np.random.default_rng(1)
    forward = gradient = 0.0
    cases = [case for case in index["cases"] if case["op"] not in DRAWN]
    for case in cases:
        args = resolve(case["args"], tensors)
        for name, value in outputs(case["op"], args).items():
            want = tensors[case["expect"][name]]
            assert np.shape(value) == want.shape, case["name"]
            finite = np.isfinite(want)
            assert np.array_equal(np.asarray(value)[~finite], want[~finite]), case["name"]
            size = max(1e-30, np.abs(want[finite]).max(initial=0))
            error = np.abs(np.asarray(value)[finite] - want[finite]).max(initial=0) / size
            assert error < 1e-9, (case["name"], name, error)
            forward = max(forward, error)
        for name, key in case.get("gradients", {}).items():
            upstream = tensors[case["upstream"]].astype(np.float64)
            direction, got = slope(case, index["signatures"][case["op"]], args, name, upstream, rng)
            terms = tensors[key] * direction
            # A difference quotient over 1e-6 keeps about half of the digits of double.
            error = abs(got - terms.sum()) / max(1e-3, np.abs(terms).sum())
            assert error < 1e-5, (case["name"], name, got, terms.sum())
            gradient = max(gradient, error)
    stepped = max(check_adamw(run, tensors) for run in index["optimizers"])
    assert stepped < 1e-12
    print(f"{len(cases)} cases of {len(index['cases'])}: outputs within {forward:.1e}, slopes within {gradient:.1e}; AdamW within {stepped:.1e}")


if __name__ == "__main__":
    main()
