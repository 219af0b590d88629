"""Cases of the row-wise and elementwise ops."""

import math

import torch
import torch.nn.functional as F

from golden_book import generator, normal

ACTIVATIONS = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
    "tanh": torch.tanh,
}
WIDTHS = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 32, 33]


def options_of(**kwargs):
    return {k: v for k, v in kwargs.items() if v is not None}


def option_grads(options, start):
    """Paths of the float tensors among the options, keyed by their names."""
    return {k: (start, k) for k, v in options.items() if isinstance(v, torch.Tensor) and v.is_floating_point()}


def softmax(book):
    def run(x):
        return {"output": torch.softmax(x, -1)}
    for n in WIDTHS:
        book.case("softmax", f"width{n}", [normal(generator(f"softmax{n}"), 3, n, std=2)], run, {"x": (0,)})
    g = generator("softmax-more")
    book.case("softmax", "vector", [normal(g, 6)], run, {"x": (0,)})
    book.case("softmax", "four_axes", [normal(g, 2, 3, 2, 5)], run, {"x": (0,)})
    # Beyond 88 the exponential of a raw score overflows F32.
    large = torch.tensor([[500.0, 499.5, -500.0, 498.0, 0.0], [-900.0, -901.0, -902.5, -900.5, -899.0]])
    book.case("softmax", "large", [large], run, {"x": (0,)})
    masked = normal(g, 3, 9)
    masked[0, 5:], masked[1, :8], masked[2, ::2] = -math.inf, -math.inf, -math.inf
    book.case("softmax", "minus_infinity", [masked], run, {"x": (0,)})


def norms(book):
    def layer_norm(x, o):
        return {"output": F.layer_norm(x, x.shape[-1:], o.get("weight"), o.get("bias"), o["eps"])}

    def rms_norm(x, o):
        return {"output": F.rms_norm(x, x.shape[-1:], o.get("weight"), o["eps"])}

    def add(op, run, name, x, eps, weight, bias):
        g = generator(f"{op}{name}-parameters")
        n = x.shape[-1]
        o = options_of(weight=normal(g, n, std=0.4, mean=1) if weight else None, bias=normal(g, n) if bias else None, eps=eps)
        book.case(op, name, [x, o], run, {"x": (0,), **option_grads(o, 1)})

    for n in WIDTHS:
        # With so few features a normalised value is little more than its sign: under a small eps the gradient of x would
        # be a difference of equal numbers, rounding only.
        eps = [1e-5, 1e-12, 1e-3][n % 3] if n > 3 else 0.5
        x = normal(generator(f"norm{n}"), 3, n, std=1.5, mean=0.5)
        add("layerNorm", layer_norm, f"width{n}", x, eps, True, True)
        add("rmsNorm", rms_norm, f"width{n}", x, eps, True, False)
    g = generator("norm-more")
    x = normal(g, 2, 3, 12)
    for op, run in (("layerNorm", layer_norm), ("rmsNorm", rms_norm)):
        add(op, run, "plain", x, 1e-5, False, False)
        add(op, run, "weight_only", x, 1e-5, True, False)
        add(op, run, "vector", x[0, 0], 1e-5, True, op == "layerNorm")
        add(op, run, "small_values", x * 1e-3, 1e-5, True, op == "layerNorm")
        add(op, run, "equal_values", torch.full((2, 8), 2.0), 1e-5, True, op == "layerNorm")
    add("layerNorm", layer_norm, "bias_only", x, 1e-5, False, True)
    add("layerNorm", layer_norm, "mean_far_from_zero", x + 4, 1e-12, True, True)


def linear_and_feed_forward(book):
    def linear(x, o):
        return {"output": F.linear(x, o["weight"], o.get("bias"))}

    shapes = [(1, 1, 1), (2, 1, 5), (3, 3, 4), (4, 4, 4), (5, 5, 3), (1, 8, 12), (7, 12, 8), (2, 17, 9), (9, 32, 33),
              (3, 33, 1)]
    for i, (rows, d_in, d_out) in enumerate(shapes):
        g = generator(f"linear{i}")
        o = options_of(weight=normal(g, d_out, d_in), bias=normal(g, d_out) if i % 3 else None)
        book.case("linear", f"{rows}x{d_in}_to_{d_out}", [normal(g, rows, d_in), o], linear, {"x": (0,), **option_grads(o, 1)})
    g = generator("linear-more")
    o = {"weight": normal(g, 6, 5), "bias": normal(g, 6)}
    book.case("linear", "vector", [normal(g, 5), o], linear, {"x": (0,), **option_grads(o, 1)})
    book.case("linear", "three_axes", [normal(g, 2, 3, 5), o], linear, {"x": (0,), **option_grads(o, 1)})

    def feed_forward(x, o):
        hidden = ACTIVATIONS[o["activation"]](F.linear(x, o["weight1"], o.get("bias1")))
        return {"output": F.linear(hidden, o["weight2"], o.get("bias2"))}

    for i, name in enumerate(ACTIVATIONS):
        for biased in (True, False):
            g = generator(f"feedForward{name}{biased}")
            d, f = [(4, 12), (5, 17), (8, 32), (3, 8), (12, 33)][i]
            o = options_of(weight1=normal(g, f, d, std=1.5 / d**0.5), bias1=normal(g, f, std=0.5) if biased else None,
                           weight2=normal(g, d, f, std=1 / f**0.5), bias2=normal(g, d) if biased else None, activation=name)
            title = name if biased else f"{name}_without_bias"
            book.case("feedForward", title, [normal(g, 2, 3, d), o], feed_forward, {"x": (0,), **option_grads(o, 1)})

    def gated(x, o):
        gate = ACTIVATIONS[o["activation"]](F.linear(x, o["gateWeight"], o.get("gateBias")))
        return {"output": F.linear(gate * F.linear(x, o["weight1"], o.get("bias1")), o["weight2"], o.get("bias2"))}

    for name, biased, d, f in [("silu", False, 6, 16), ("gelu", True, 5, 9)]:
        g = generator(f"feedForward-gated{name}")
        o = options_of(weight1=normal(g, f, d, std=1.5 / d**0.5), bias1=normal(g, f, std=0.5) if biased else None,
                       gateWeight=normal(g, f, d, std=1.5 / d**0.5), gateBias=normal(g, f, std=0.5) if biased else None,
                       weight2=normal(g, d, f, std=1 / f**0.5), bias2=normal(g, d) if biased else None, activation=name)
        book.case("feedForward", f"gated_{name}", [normal(g, 2, 3, d), o], gated, {"x": (0,), **option_grads(o, 1)})


def activations(book):
    def run(x, name):
        return {"output": ACTIVATIONS[name](x)}
    near = torch.linspace(-6, 6, 49)
    far = torch.tensor([0.0, -0.0, 1e-20, -1e-6, 1e-3, -12.5, 20.0, -40.0, 88.0, -88.0, 100.0, -104.0, 1000.0, -1000.0])
    for name in ACTIVATIONS:
        book.case("activation", f"{name}_near", [near, name], run, {"x": (0,)})
        book.case("activation", f"{name}_far", [far, name], run, {"x": (0,)})
        book.case("activation", f"{name}_matrix", [normal(generator(name), 3, 5), name], run, {"x": (0,)})


def tables_and_sums(book):
    g = generator("embedding")
    for name, ids, shape in [
        ("repeated_ids", [[1, 3, 3], [0, 3, 1]], (5, 4)),
        ("one_id", [[2]], (3, 1)),
        ("flat", [6, 0, 6, 6, 2, 6, 1], (7, 17)),
        ("wide", [[0, 1, 1, 0]], (2, 33)),
    ]:
        book.case("embedding", name, [torch.tensor(ids, dtype=torch.int32), normal(g, *shape)],
                  lambda ids, w: {"output": F.embedding(ids, w)}, {"weight": (1,)})

    def mean_pool(x, mask):
        m = mask.to(x.dtype).unsqueeze(-1)
        return {"output": (x * m).sum(-2) / m.sum(-2)}
    for name, mask, d in [
        ("all_real", [[1, 1, 1]], 5),
        ("padded", [[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0]], 12),
        ("padding_inside", [[1, 0, 1, 0, 1], [0, 1, 1, 1, 1]], 17),
        ("width1", [[1, 1, 0]], 1),
    ]:
        m = torch.tensor(mask, dtype=torch.uint8)
        book.case("meanPool", name, [normal(g, *m.shape, d), m], mean_pool, {"x": (0,)})

    for shape in [(1,), (5,), (3, 17), (2, 3, 4)]:
        book.case("add", "x".join(map(str, shape)), [normal(g, *shape), normal(g, *shape)], lambda a, b: {"output": a + b},
                  {"a": (0,), "b": (1,)}, api=False)


def positions_and_masks(book):
    def encoding(length, d):
        # Vaswani et al. 2017, section 3.5; an odd d has one sine more than cosines.
        column = torch.arange(d)
        angle = torch.arange(length, dtype=torch.float64)[:, None] / 10000.0 ** (2 * (column // 2).double() / d)
        return {"output": torch.where(column % 2 == 0, angle.sin(), angle.cos())}
    for length, d in [(1, 1), (1, 2), (4, 3), (6, 4), (7, 5), (10, 8), (50, 12), (33, 17), (600, 6), (20, 32)]:
        # The angle must be formed in double: in F32, position 599 is already off by 3e-5.
        book.case("positionalEncoding", f"{length}x{d}", [length, d], encoding, tolerance={"forward": 1e-6})

    ids = torch.tensor([[5, 6, 0, 0], [7, 0, 8, 9]], dtype=torch.int32)
    book.case("paddingMask", "zeros", [ids, 0], lambda ids, pad: {"output": padding_mask(ids, pad)})
    book.case("paddingMask", "other_id", [ids + 1, 1], lambda ids, pad: {"output": padding_mask(ids, pad)})
    for n in (1, 2, 5):
        book.case("lookAheadMask", f"length{n}", [n],
                  lambda n: {"output": torch.full((n, n), -math.inf, dtype=torch.float64).triu(1)})


def padding_mask(ids, pad):
    return torch.zeros(ids.shape, dtype=torch.float64).masked_fill(ids == pad, -math.inf)[:, None, None, :]


def record(book):
    softmax(book)
    norms(book)
    linear_and_feed_forward(book)
    activations(book)
    tables_and_sums(book)
    positions_and_masks(book)
