"""Writes golden/mistakes.*: what each mistake of cpp/mistakes gives, in the form of ops.json."""

import torch

import mistakes
from golden_book import Book, generator, normal, one_thread
from ops_attention import additive, lengths, random_layer, tensors_of
from ops_basic import option_grads
from ops_forms import drawn


def softmax_and_attention(book):
    g = generator("mistakes-softmax")
    large = torch.tensor([[1.0, 2.0, 3.0], [100.0, 1.0, -2.0], [-200.0, -201.0, -203.0]])  # fine, infinity / infinity, 0 / 0
    book.case("softmax", "withoutMaximum", [large, {"mistake": "withoutMaximum"}], mistakes.softmax)

    hidden = lengths(4, 2)[:, 0]  # [2, 1, 4]
    nothing = torch.tensor([[1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 1], [0, 1, 0, 0]], dtype=torch.uint8)
    left = torch.tensor([[0, 0, 1, 1]], dtype=torch.uint8)  # padding before the text: with the triangle, rows see nothing
    cube = {"q": (4, 4, 4)}
    for name, mistake, extra in [
        ("scaleByModelWidth", "scaleByModelWidth", {"dModel": 24, "mask": hidden}),
        ("noScale", "noScale", {}),
        ("invertedTriangle", "invertedTriangle", {"causal": True}),
        ("noCausalMask", "noCausalMask", {"causal": True, "mask": hidden}),
        ("billion", "billion", {"mask": nothing}),
        ("billion_and_triangle", "billion", {"mask": left, "causal": True}),
        ("billionTwice", "billionTwice", {"mask": left, "causal": True}),
        ("billionSquared", "billionSquared", {"mask": hidden}),
        ("nanRows", "nanRows", {"mask": additive(nothing)}),
        ("withoutMaximum", "withoutMaximum", {"mask": nothing, "scale": 60.0}),
        ("transposeAll", "transposeAll", {}),
        ("cachedByKeys", "cachedByKeys", {"mask": hidden}),
        ("two_at_once", ["invertedTriangle", "nanRows"], {"causal": True}),
    ]:
        shape = cube["q"] if name == "transposeAll" else (2, 4, 3)
        args = [normal(g, *shape) for _ in range(3)] + [{"mistake": mistake, **extra}]
        book.case("attention", name, args, mistakes.attention)
    book.case("averageHeads", "plain", [torch.softmax(normal(g, 2, 3, 4, 5), -1)], mistakes.average_heads)
    for n in (1, 4):
        book.case("lookAheadMask", f"inverted_{n}", [n, {"mistake": "inverted"}], mistakes.look_ahead_mask)


def norms_and_dropout(book):
    g = generator("mistakes-norm")
    for name, mistake, x, weights in [
        ("epsOutside", "epsOutside", normal(g, 2, 3, 5), (5,)),
        ("epsOutside_little", "epsOutside", normal(g, 3, 8, std=1e-3), ()),
        ("sampleVariance", "sampleVariance", normal(g, 2, 4), (4,)),
        ("sampleVariance_one", "sampleVariance", normal(g, 2, 1), ()),
        ("sampleDeviation", "sampleDeviation", normal(g, 3, 17), (17,)),
        ("weightsPerPosition", "weightsPerPosition", normal(g, 2, 3, 4), (3, 4)),
    ]:
        o = {"mistake": mistake, "eps": 1e-3}
        if weights:
            o |= {"weight": normal(g, *weights, std=0.3, mean=1), "bias": normal(g, *weights)}
        book.case("layerNorm", name, [x, o], mistakes.layer_norm)

    def drop(x, o):
        kept = drawn(x.shape, o["p"], o["seed"])
        return {"output": x * kept.to(x.dtype) / (1 if o["mistake"] == "notInverted" else 1 - o["p"]), "kept": kept}
    for mistake, more in [("notInverted", {}), ("atInference", {"training": False})]:
        o = {"mistake": mistake, "p": 0.25, "seed": 4, **more}
        book.case("dropout", mistake, [normal(g, 3, 8), o], drop, {"x": (0,)})


def decoder_weights(gen, width, hidden, heads, activation, norm_first):
    own = random_layer(gen, width, hidden, heads, activation, norm_first)
    other = random_layer(gen, width, hidden, heads, activation, norm_first)
    cross = {k.replace("self_attn", "multihead_attn"): v for k, v in other.items() if k.startswith("self_attn")}
    return {**own, **cross, "norm3.weight": other["norm1.weight"], "norm3.bias": other["norm1.bias"]}


def layers(book):
    for name, norm_first in [("post_norm", False), ("pre_norm", True)]:
        g = generator(f"mistakes-layers-{name}")
        w = random_layer(g, 8, 12, 2, "gelu", norm_first)
        book.case("encoderLayer", f"withoutResidual_{name}",
                  [normal(g, 2, 4, 8), w, {"mistake": "withoutResidual", "mask": lengths(4, 2)}], mistakes.encoder_layer,
                  {"x": (0,), **option_grads(w, 1)})
        for mistake in ("withoutResidual", "withoutFeedForward", "noCausalMask", "noMemoryMask"):
            w = decoder_weights(g, 8, 12, 2, "relu", norm_first)
            o = {"mistake": mistake, "causal": True, "memoryMask": lengths(5, 3)}
            book.case("decoderLayer", f"{mistake}_{name}", [normal(g, 2, 4, 8), normal(g, 2, 5, 8), w, o],
                      mistakes.decoder_layer, {"x": (0,), "memory": (1,), **option_grads(w, 2)})
        for mistake, more in [("withoutResidual", {}), ("neverRecomputed", {}), ("neverRecomputed", {"recomputeEvery": 2})]:
            stack = {"layers": [random_layer(g, 8, 12, 2, "gelu", norm_first) for _ in range(3)],
                     "norm": {"weight": normal(g, 8, std=0.3, mean=1), "bias": normal(g, 8)}}
            grads = {"x": (0,)}
            for i, one in enumerate(stack["layers"]):
                grads.update({f"layers.{i}.{k}": (1, "layers", i, k) for k in tensors_of(one)})
            grads.update({f"norm.{k}": (1, "norm", k) for k in stack["norm"]})
            # Without residuals tokens become alike, so gradients are sums of what nearly cancels.
            tolerance = {"gradient": 1e-4} if mistake == "withoutResidual" else None
            book.case("encoder", f"{mistake}{more.get('recomputeEvery', '')}_{name}",
                      [normal(g, 2, 4, 8), stack, {"mistake": mistake, "mask": lengths(4, 3), **more}], mistakes.encoder, grads,
                      tolerance=tolerance)


def ids_and_pooling(book):
    g = generator("mistakes-ids")
    ids = torch.tensor([[3, 1, 1], [0, 2, 4]], dtype=torch.int32)
    book.case("embedding", "idsAsVectors", [ids, normal(g, 5, 3), {"mistake": "idsAsVectors"}],
              lambda ids, w, o: {"output": ids[..., None].double().expand(*ids.shape, w.shape[1])})
    book.case("countsAsIds", "plain", [ids, 6],
              lambda ids, n: {"output": torch.stack([torch.bincount(row, minlength=n) for row in ids.long()]).double()})
    mask = torch.tensor([[1, 1, 1, 1], [1, 0, 0, 0]], dtype=torch.uint8)
    for mistake in ("overPadding", "overBatch"):
        book.case("meanPool", mistake, [normal(g, 2, 4, 5), mask, {"mistake": mistake}], mistakes.mean_pool)


def training(book):
    g = generator("mistakes-training")
    labels = torch.tensor([2, -100, 0, 4], dtype=torch.int32)
    positive = normal(g, 4, 5).abs() + 0.1
    negative = positive.clone()
    negative[2, 0] = -0.5  # the logarithm of a negative number
    for name, mistake, logits, o in [
        ("logitsAsProbabilities", "logitsAsProbabilities", positive, {}),
        ("logitsAsProbabilities_negative", "logitsAsProbabilities", negative, {}),
        ("probabilitiesAsLogits", "probabilitiesAsLogits", normal(g, 4, 5, std=3), {}),
        ("probabilitiesAsLogits_smoothed", "probabilitiesAsLogits", normal(g, 4, 5, std=3), {"labelSmoothing": 0.1}),
        ("smoothingUndivided", "smoothingUndivided", normal(g, 4, 5, std=2), {"labelSmoothing": 0.1}),
        ("smoothingOverOthers", "smoothingOverOthers", normal(g, 4, 5, std=2), {"labelSmoothing": 0.1}),
        ("gradientOfMean", "gradientOfMean", normal(g, 4, 5, std=2), {"labelSmoothing": 0.1}),
    ]:
        grads = {} if "negative" in name else {"logits": (0,)}
        book.case("crossEntropy", name, [logits, labels, {"mistake": mistake, **o}], mistakes.cross_entropy, grads)
    for mistake in ("undivided", "overOthers"):
        book.case("labelSmoothing", mistake, [torch.tensor([1, 0], dtype=torch.int32), 4, 0.1, {"mistake": mistake}],
                  mistakes.label_smoothing)
    for step in (0, 1, 400):
        book.case("noamRate", f"fromZero_{step}", [step, {"mistake": "fromZero", "dModel": 64, "warmup": 100}],
                  mistakes.noam_rate)
    parts = [normal(g, 2, 3), normal(g, 2, 3)]
    book.case("average", "meanOfMeans", [parts, {"mistake": "meanOfMeans", "weights": [9, 1]}],
              lambda tensors, o: {"output": torch.stack(tensors).mean(0)})


if __name__ == "__main__":
    one_thread()
    book = Book()
    softmax_and_attention(book)
    norms_and_dropout(book)
    layers(book)
    ids_and_pooling(book)
    training(book)
    book.save("mistakes")
