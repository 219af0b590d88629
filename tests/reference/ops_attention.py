"""Cases of attention and of the encoder built from it; PyTorch's own modules give the expected values."""

import math

import torch
from torch import nn
from torch.func import functional_call

from golden_book import generator, normal
from ops_basic import option_grads, options_of


def visible(gen, *shape):
    """A U8 mask, 1 = may be seen, with the first key of every row visible so that no row is empty."""
    mask = (torch.rand(*shape, generator=gen) < 0.6).to(torch.uint8)
    mask[..., 0] = 1
    return mask


def lengths(*counts):
    """A U8 padding mask [B, 1, 1, S] of sequences of these lengths."""
    longest = max(counts)
    return torch.tensor([[1] * n + [0] * (longest - n) for n in counts], dtype=torch.uint8)[:, None, None, :]


def additive(mask):
    return torch.zeros(mask.shape).masked_fill(mask == 0, -math.inf)


def score_mask(options, t, s, dtype):
    """Mask and causal as one tensor to add, or None."""
    total = None
    mask = options.get("mask")
    if mask is not None:
        total = mask if mask.is_floating_point() else additive(mask).to(dtype)
    if options.get("causal"):
        # The last query is aligned with the last key: query i sees keys up to i + S − T.
        causal = torch.full((t, s), -math.inf, dtype=dtype).triu(1 + s - t)
        total = causal if total is None else total + causal
    return total


def attention(q, k, v, options):
    scale = options.get("scale", k.shape[-1] ** -0.5)
    scores = q @ k.transpose(-1, -2) * scale
    mask = score_mask(options, q.shape[-2], k.shape[-2], q.dtype)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, -1)
    return {"output": weights @ v, "weights": weights, "scores": scores}


def attention_cases(book):
    def add(name, lead, t, s, k, v, std=1.0, **options):
        g = generator(f"attention{name}")
        args = [normal(g, *lead, t, k, std=std), normal(g, *lead, s, k, std=std), normal(g, *lead, s, v), options]
        book.case("attention", name, args, attention, {"q": (0,), "k": (1,), "v": (2,)})

    g = generator("attention-masks")
    add("matrix", (), 3, 3, 4, 4)
    add("one_key", (), 2, 1, 3, 5)
    add("one_of_each", (), 1, 1, 1, 1)
    add("values_wider", (), 4, 9, 3, 17)
    add("values_narrower", (2,), 5, 8, 17, 3)
    add("batch_and_heads", (2, 3), 5, 7, 8, 5)
    add("five_axes", (2, 1, 2), 3, 4, 5, 5)
    add("keys33", (1, 2), 4, 33, 12, 32)
    add("scale", (2,), 4, 5, 8, 8, scale=0.3)
    add("sharp", (), 4, 6, 8, 4, std=4.0, scale=1.0)
    add("mask_boolean_TS", (2,), 4, 6, 5, 5, mask=visible(g, 4, 6))
    add("mask_boolean_S", (), 3, 5, 4, 4, mask=visible(g, 5))
    add("mask_boolean_padding", (3, 2), 4, 4, 8, 8, mask=lengths(4, 2, 1))
    add("mask_boolean_full", (2, 2), 3, 5, 4, 4, mask=visible(g, 2, 2, 3, 5))
    add("mask_boolean_per_head", (2, 3), 3, 4, 4, 4, mask=visible(g, 3, 1, 4))
    add("mask_additive_TS", (2,), 4, 6, 5, 5, mask=additive(visible(g, 4, 6)))
    add("mask_additive_padding", (2, 2), 5, 5, 3, 12, mask=additive(lengths(5, 3)))
    add("mask_additive_full", (2, 2), 3, 5, 4, 4, mask=additive(visible(g, 2, 2, 3, 5)))
    add("mask_additive_finite", (2,), 4, 5, 8, 8, mask=normal(g, 4, 5))
    add("mask_one_key_each", (), 3, 3, 4, 4, mask=torch.eye(3, dtype=torch.uint8))
    add("causal", (2, 2), 5, 5, 4, 4, causal=True)
    add("causal_17", (1,), 17, 17, 5, 8, causal=True)
    add("causal_fewer_queries", (2,), 3, 7, 8, 8, causal=True)
    add("causal_one_query", (1, 4), 1, 6, 8, 8, causal=True)
    add("causal_and_padding", (3, 2), 4, 4, 5, 5, causal=True, mask=lengths(4, 3, 1))
    add("causal_and_scale", (), 4, 4, 3, 3, causal=True, scale=1.0)


def multi_head(query, key, value, options):
    heads, width = options["heads"], query.shape[-1]
    module = nn.MultiheadAttention(width, heads, bias="inProjBias" in options, batch_first=True).to(query.dtype)
    names = {"inProjWeight": "in_proj_weight", "inProjBias": "in_proj_bias", "outProjWeight": "out_proj.weight",
             "outProjBias": "out_proj.bias"}
    parameters = {names[k]: v for k, v in options.items() if k in names}
    batch, t, s = query.shape[0], query.shape[1], key.shape[1]
    mask = score_mask(options, t, s, query.dtype)
    if mask is not None:
        mask = mask.expand(batch, heads, t, s).reshape(batch * heads, t, s)
    output, weights = functional_call(module, parameters, (query, key, value),
                                      {"attn_mask": mask, "need_weights": True, "average_attn_weights": False})
    return {"output": output, "weights": weights}


def multi_head_cases(book):
    def add(name, batch, t, s, width, heads, bias=True, **options):
        g = generator(f"multiHeadAttention{name}")
        std = 1.3 / width**0.5
        o = options_of(
            inProjWeight=normal(g, 3 * width, width, std=std), inProjBias=normal(g, 3 * width, std=0.5) if bias else None,
            outProjWeight=normal(g, width, width, std=std), outProjBias=normal(g, width, std=0.5) if bias else None,
            heads=heads, **options)
        args = [normal(g, batch, t, width), normal(g, batch, s, width), normal(g, batch, s, width), o]
        grads = {"query": (0,), "key": (1,), "value": (2,), **option_grads(o, 3)}
        grads.pop("mask", None)
        book.case("multiHeadAttention", name, args, multi_head, grads)

    g = generator("multiHeadAttention-masks")
    add("one_head", 2, 3, 3, 5, 1)
    add("one_head_width1", 2, 2, 3, 1, 1)
    add("two_heads", 2, 4, 4, 8, 2)
    add("two_heads_of_3", 2, 4, 4, 6, 2)
    add("four_heads", 2, 5, 5, 12, 4)
    add("four_heads_of_8", 1, 3, 3, 32, 4)
    add("four_heads_without_bias", 2, 3, 3, 8, 4, bias=False)
    add("heads_of_one", 1, 4, 4, 4, 4)
    add("cross", 2, 3, 5, 8, 2)
    add("cross_one_query", 2, 1, 7, 4, 1)
    add("cross_more_queries", 1, 6, 2, 12, 2, bias=False)
    add("padding_boolean", 3, 4, 4, 8, 2, mask=lengths(4, 2, 1))
    add("padding_additive_cross", 2, 3, 5, 12, 4, mask=additive(lengths(5, 2)))
    add("mask_TS", 2, 4, 5, 8, 4, mask=additive(visible(g, 4, 5)))
    add("mask_per_head", 2, 3, 3, 8, 2, mask=visible(g, 2, 2, 3, 3))
    add("causal", 2, 5, 5, 8, 2, causal=True)
    add("causal_fewer_queries", 1, 2, 6, 8, 4, causal=True)
    add("causal_and_padding", 2, 4, 4, 4, 2, causal=True, mask=lengths(4, 2))


def random_layer(gen, width, hidden, heads, activation, norm_first, bias=True):
    """Parameters by nn.TransformerEncoderLayer's names, and the three settings."""
    shapes = {
        "self_attn.in_proj_weight": (3 * width, width), "self_attn.in_proj_bias": (3 * width,),
        "self_attn.out_proj.weight": (width, width), "self_attn.out_proj.bias": (width,),
        "linear1.weight": (hidden, width), "linear1.bias": (hidden,), "linear2.weight": (width, hidden),
        "linear2.bias": (width,), "norm1.weight": (width,), "norm1.bias": (width,), "norm2.weight": (width,),
        "norm2.bias": (width,),
    }
    layer = {}
    for name, shape in shapes.items():
        if len(shape) == 2:
            layer[name] = normal(gen, *shape, std=1.2 / shape[1] ** 0.5)
        elif bias or not name.endswith("bias"):
            layer[name] = normal(gen, *shape, std=0.3, mean=1.0 if "norm" in name and name.endswith("weight") else 0.0)
    return {**layer, "heads": heads, "activation": activation, "normFirst": norm_first}


def torch_layer(layer, dtype):
    hidden, width = layer["linear1.weight"].shape
    return nn.TransformerEncoderLayer(width, layer["heads"], hidden, dropout=0.0, activation=layer["activation"],
                                      batch_first=True, norm_first=layer["normFirst"], bias="linear1.bias" in layer,
                                      dtype=dtype)


def tensors_of(layer):
    return {k: v for k, v in layer.items() if isinstance(v, torch.Tensor)}


def full_mask(options, x, heads):
    mask = score_mask(options, x.shape[1], x.shape[1], x.dtype)
    if mask is None:
        return None
    shape = (x.shape[0], heads, x.shape[1], x.shape[1])
    return mask.expand(shape).reshape(-1, *shape[2:])


def encoder_layer(x, layer, options=None):
    mask = full_mask(options or {}, x, layer["heads"])
    return {"output": functional_call(torch_layer(layer, x.dtype), tensors_of(layer), (x,), {"src_mask": mask})}


def encoder(x, stack, options=None):
    layers = stack["layers"]
    norm = nn.LayerNorm(x.shape[-1], dtype=x.dtype) if "norm" in stack else None
    module = nn.TransformerEncoder(torch_layer(layers[0], x.dtype), len(layers), norm, enable_nested_tensor=False)
    parameters = {f"layers.{i}.{k}": v for i, layer in enumerate(layers) for k, v in tensors_of(layer).items()}
    parameters.update({f"norm.{k}": v for k, v in stack.get("norm", {}).items()})
    return {"output": functional_call(module, parameters, (x,), {"mask": full_mask(options or {}, x, layers[0]["heads"])})}


def encoder_cases(book):
    g = generator("encoder-masks")
    for name, batch, t, width, hidden, heads, activation, norm_first, bias, mask in [
        ("post_norm_relu", 2, 3, 8, 12, 2, "relu", False, True, None),
        ("post_norm_gelu", 2, 4, 12, 17, 4, "gelu", False, True, lengths(4, 2)),
        ("pre_norm_relu", 3, 4, 7, 8, 1, "relu", True, True, additive(lengths(4, 3, 1))),
        ("pre_norm_gelu", 2, 5, 6, 32, 2, "gelu", True, True, visible(g, 5, 5)),
        ("pre_norm_gelu_without_bias", 1, 3, 8, 16, 4, "gelu", True, False, None),
        ("one_token", 1, 1, 4, 5, 2, "relu", False, True, None),
    ]:
        gen = generator(f"encoderLayer{name}")
        layer = random_layer(gen, width, hidden, heads, activation, norm_first, bias)
        args = [normal(gen, batch, t, width), layer] + ([{"mask": mask}] if mask is not None else [])
        book.case("encoderLayer", name, args, encoder_layer, {"x": (0,), **option_grads(layer, 1)})

    for name, count, batch, t, width, hidden, heads, activation, norm_first, norm, mask in [
        ("pre_norm_final_norm", 2, 2, 4, 8, 16, 2, "gelu", True, True, additive(lengths(4, 2))),
        ("post_norm_final_norm", 2, 2, 3, 12, 8, 4, "relu", False, True, lengths(3, 1)),
        ("post_norm", 2, 1, 5, 9, 12, 1, "gelu", False, False, None),
        ("pre_norm_three_layers", 3, 1, 4, 6, 9, 2, "relu", True, True, visible(g, 4, 4)),
    ]:
        gen = generator(f"encoder{name}")
        layers = [random_layer(gen, width, hidden, heads, activation, norm_first) for _ in range(count)]
        stack = {"layers": layers}
        if norm:
            stack["norm"] = {"weight": normal(gen, width, std=0.3, mean=1), "bias": normal(gen, width, std=0.3)}
        grads = {"x": (0,)}
        for i, layer in enumerate(layers):
            grads.update({f"layers.{i}.{k}": (1, "layers", i, k) for k in tensors_of(layer)})
        grads.update({f"norm.{k}": (1, "norm", k) for k in stack.get("norm", {})})
        args = [normal(gen, batch, t, width), stack] + ([{"mask": mask}] if mask is not None else [])
        book.case("encoder", name, args, encoder, grads)


def record(book):
    attention_cases(book)
    multi_head_cases(book)
    encoder_cases(book)
