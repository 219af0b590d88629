"""Cases of what exhibits show beside the ops that models are made of: heads, other conventions, dropout, targets, weighted means,
recomputation, the two attentions that do without a T × T matrix, and what is read off results to be shown."""

import numpy
import torch

import lsh
from golden_book import generator, normal
from ops_attention import encoder, random_layer, tensors_of


def heads(book):
    for batch, t, width, count in [(1, 1, 4, 2), (2, 3, 6, 3), (2, 5, 8, 1), (1, 4, 32, 8)]:
        name = f"{batch}x{t}x{width}_{count}"
        x = normal(generator(f"splitHeads{name}"), batch, t, width)
        book.case("splitHeads", name, [x, count],
                  lambda x, n: {"output": x.unflatten(-1, (n, -1)).transpose(1, 2)}, {"x": (0,)})
        y = normal(generator(f"joinHeads{name}"), batch, count, t, width // count)
        book.case("joinHeads", name, [y], lambda x: {"output": x.transpose(1, 2).flatten(2)}, {"x": (0,)})


def sums(book):
    g = generator("add-suffix")
    for a, b in [((2, 3, 4), (3, 4)), ((2, 3, 4), (4,)), ((5,), (5,)), ((1, 17), (17,))]:
        name = "x".join(map(str, a)) + "_and_" + "x".join(map(str, b))
        book.case("add", name, [normal(g, *a), normal(g, *b)], lambda a, b: {"output": a + b}, {"a": (0,), "b": (1,)})


def halves(book):
    def encoding(length, d, _):
        # All sines, then all cosines; an odd d has one sine more.
        sines = (d + 1) // 2
        column = torch.arange(d)
        i = torch.where(column < sines, column, column - sines).double()
        angle = torch.arange(length, dtype=torch.float64)[:, None] / 10000.0 ** (2 * i / d)
        return {"output": torch.where(column < sines, angle.sin(), angle.cos())}
    for length, d in [(1, 1), (4, 3), (6, 4), (33, 17), (600, 6)]:
        book.case("positionalEncoding", f"halves_{length}x{d}", [length, d, {"convention": "halves"}], encoding,
                  tolerance={"forward": 1e-6})


def drawn(shape, p, seed):
    """1 where a value is kept, in the order and with the numbers of cpp/tensor/random.h."""
    random = lsh.SplitMix64(seed)
    count = int(torch.tensor(shape).prod())
    limit = float(numpy.float32(p))
    kept = [0.0 if (random.bits() >> 40) * 2.0**-24 < limit else 1.0 for _ in range(count)]
    return torch.tensor(kept, dtype=torch.float64).reshape(shape)


def dropout(book):
    def run(x, o):
        kept = drawn(x.shape, o["p"], o.get("seed", 0)) if o.get("training", True) else torch.ones(x.shape)
        scale = 1 / (1 - o["p"]) if o.get("training", True) else 1.0
        return {"output": x * kept.to(x.dtype) * scale, "kept": kept}
    for name, shape, options in [
        ("half", (3, 8), {"p": 0.5, "seed": 1}),
        ("tenth", (2, 3, 17), {"p": 0.1, "seed": 2}),
        ("none", (5,), {"p": 0.0}),
        ("not_training", (4, 4), {"p": 0.5, "training": False}),
    ]:
        book.case("dropout", name, [normal(generator(f"dropout{name}"), *shape), options], run, {"x": (0,)})


def smoothed(labels, classes, smoothing):
    hot = torch.nn.functional.one_hot(labels.long(), classes).double()
    return {"output": hot * (1 - smoothing) + smoothing / classes}


def targets(book):
    for name, labels, classes, smoothing in [("plain", [2, 0], 3, 0.0), ("tenth", [1, 4, 0], 5, 0.1),
                                             ("two_axes", [[1, 0], [3, 2]], 4, 0.3), ("whole", [1], 4, 1.0)]:
        book.case("labelSmoothing", name, [torch.tensor(labels, dtype=torch.int32), classes, smoothing], smoothed)

    def weighted(tensors, o):
        weights = torch.tensor(o["weights"], dtype=torch.float64)
        return {"output": (torch.stack([t.double() for t in tensors]).flatten(1).T @ weights / weights.sum())
                .reshape(tensors[0].shape)}
    g = generator("average-weighted")
    for name, weights, shape in [("two", [3, 1], (4,)), ("three", [5, 0, 2.5], (2, 5)), ("equal", [2, 2], (17,))]:
        book.case("average", f"weighted_{name}", [[normal(g, *shape) for _ in weights], {"weights": weights}], weighted)


def recomputation(book):
    for name, count, every, norm_first in [("each", 3, 1, True), ("every_second", 3, 2, False), ("longer", 2, 5, True)]:
        gen = generator(f"encoder-recompute-{name}")
        stack = {"layers": [random_layer(gen, 8, 12, 2, "gelu", norm_first) for _ in range(count)]}
        grads = {"x": (0,)}
        for i, layer in enumerate(stack["layers"]):
            grads.update({f"layers.{i}.{k}": (1, "layers", i, k) for k in tensors_of(layer)})
        book.case("encoder", f"recomputed_{name}", [normal(gen, 2, 4, 8), stack, {"recomputeEvery": every}], encoder, grads)


def linformer(q, k, v, o):
    e, f = o["e"], o.get("f", o["e"])
    scale = o.get("scale", q.shape[-1] ** -0.5)
    pattern = torch.softmax(q @ (e @ k).transpose(-1, -2) * scale, -1)
    result = {"output": pattern @ (f @ v), "projectedWeights": pattern}
    return result if o.get("weights") is False else {**result, "weights": pattern @ f}


def linformer_cases(book):
    for name, batch, count, t, s, width, k, own, extra in [
        ("shared", 1, 2, 4, 4, 3, 2, False, {}),
        ("own_values", 2, 2, 5, 5, 4, 3, True, {}),
        ("cross", 2, 1, 3, 9, 8, 4, True, {"scale": 0.5}),
        ("without_weights", 1, 3, 6, 6, 5, 2, True, {"weights": False}),
    ]:
        g = generator(f"linformer{name}")
        o = {"e": normal(g, k, s, std=0.5), **({"f": normal(g, k, s, std=0.5)} if own else {}), **extra}
        args = [normal(g, batch, count, t, width), normal(g, batch, count, s, width), normal(g, batch, count, s, width), o]
        grads = {"q": (0,), "k": (1,), "v": (2,), "e": (3, "e"), **({"f": (3, "f")} if own else {})}
        book.case("linformerAttention", name, args, linformer, grads)


def hashed(qk, v, o):
    count, width = qk.shape[1], qk.shape[3]
    rotation = lsh.rotations(o.get("seed", 0), count, o.get("hashes", 1), o["buckets"], width)
    hidden = torch.zeros(qk.shape[0], qk.shape[2], dtype=torch.bool)
    return lsh.attention(qk, v, rotation, o["buckets"], o.get("chunk", 0), hidden, o.get("causal", False))


def lsh_attention(qk, v, o):
    output, weights, buckets = hashed(qk, v, o)
    result = {"output": output, "buckets": buckets.double()}
    return result if o.get("weights") is False else {**result, "weights": weights}


def lsh_cases(book):
    for name, batch, count, t, width, options in [
        ("one_round", 1, 1, 8, 4, {"buckets": 4, "seed": 3}),
        ("three_rounds", 2, 2, 10, 4, {"buckets": 4, "hashes": 3, "seed": 5}),
        ("causal", 1, 2, 9, 6, {"buckets": 2, "hashes": 2, "seed": 7, "causal": True}),
        ("short_chunks", 1, 2, 12, 4, {"buckets": 4, "chunk": 2, "seed": 9}),
        ("one_bucket", 2, 1, 5, 3, {"buckets": 1}),
        ("without_weights", 1, 1, 6, 4, {"buckets": 2, "seed": 1, "weights": False}),
    ]:
        g = generator(f"lshAttention{name}")
        args = [normal(g, batch, count, t, width), normal(g, batch, count, t, width), options]
        book.case("lshAttention", name, args, lsh_attention, {"qk": (0,), "v": (1,)})
        hashing = {k: options[k] for k in ("buckets", "hashes", "seed") if k in options}
        book.case("lshBuckets", name, [args[0], hashing], lambda qk, o: {"output": hashed(qk, qk, o)[2].double()})


def readings(book):
    for shape in [(3, 6), (2, 3, 17), (5,), (4, 1)]:
        name = "x".join(map(str, shape))
        g = generator(f"readings{name}")
        a, b = normal(g, *shape, mean=0.5), normal(g, *shape)
        book.case("moments", name, [a], lambda x: {"mean": x.mean(-1), "deviation": x.std(-1, correction=0)})
        book.case("largestDifference", name, [a, b], lambda a, b: {"output": (a - b).abs().amax(-1)})

    def waves(d, o):
        sines = (d + 1) // 2
        column = torch.arange(d)
        j = torch.where(column < sines, column, column - sines) if o["convention"] == "halves" else column // 2
        return {"output": 2 * torch.pi * 10000.0 ** (2 * j.double() / d)}
    for d in (1, 6, 7):
        for convention in ("interleaved", "halves"):
            book.case("wavelengths", f"{convention}_{d}", [d, {"convention": convention}], waves)


def record(book):
    heads(book)
    sums(book)
    halves(book)
    dropout(book)
    targets(book)
    recomputation(book)
    linformer_cases(book)
    lsh_cases(book)
    readings(book)
