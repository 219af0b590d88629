"""Cases of decoder layers (PyTorch's own modules), and of the core's parts that the newer families need (transformers)."""

import math

import torch
import transformers
from torch import nn
from torch.func import functional_call
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import rotate_half
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from transformers.models.t5.modeling_t5 import T5Attention

from golden_book import generator, normal
from ops_attention import additive, lengths, random_layer, score_mask, tensors_of, visible
from ops_basic import ACTIVATIONS, option_grads, options_of


def random_decoder_layer(gen, width, hidden, heads, activation, norm_first, bias=True):
    """Parameters by nn.TransformerDecoderLayer's names: an encoder layer's, a second attention and a third norm."""
    layer = random_layer(gen, width, hidden, heads, activation, norm_first, bias)
    other = random_layer(gen, width, hidden, heads, activation, norm_first, bias)
    layer |= {k.replace("self_attn", "multihead_attn"): v for k, v in other.items() if k.startswith("self_attn")}
    return layer | {k.replace("norm1", "norm3"): v for k, v in other.items() if k.startswith("norm1")}


def torch_decoder_layer(layer, dtype):
    hidden, width = layer["linear1.weight"].shape
    return nn.TransformerDecoderLayer(width, layer["heads"], hidden, dropout=0.0, activation=layer["activation"],
                                      batch_first=True, norm_first=layer["normFirst"], bias="linear1.bias" in layer,
                                      dtype=dtype)


def masks_of(options, x, memory, heads):
    """PyTorch's two masks, one for each head of each sequence."""
    result = {}
    for ours, theirs, keys in (("mask", "tgt_mask", x), ("memoryMask", "memory_mask", memory)):
        if ours in options:
            mask = score_mask({"mask": options[ours]}, x.shape[1], keys.shape[1], x.dtype)
            shape = (x.shape[0], heads, x.shape[1], keys.shape[1])
            result[theirs] = mask.expand(shape).reshape(-1, *shape[2:])
    return result


def decoder_layer(x, memory, layer, options=None):
    module = torch_decoder_layer(layer, x.dtype)
    return {"output": functional_call(module, tensors_of(layer), (x, memory), masks_of(options or {}, x, memory, layer["heads"]))}


def decoder(x, memory, stack, options=None):
    layers = stack["layers"]
    norm = nn.LayerNorm(x.shape[-1], dtype=x.dtype) if "norm" in stack else None
    module = nn.TransformerDecoder(torch_decoder_layer(layers[0], x.dtype), len(layers), norm)
    parameters = {f"layers.{i}.{k}": v for i, layer in enumerate(layers) for k, v in tensors_of(layer).items()}
    parameters.update({f"norm.{k}": v for k, v in stack.get("norm", {}).items()})
    return {"output": functional_call(module, parameters, (x, memory), masks_of(options or {}, x, memory, layers[0]["heads"]))}


def look_ahead(length):
    return torch.full((length, length), -math.inf).triu(1)


def layer_cases(book):
    g = generator("decoder-masks")
    for name, batch, t, s, width, hidden, heads, activation, norm_first, bias, options in [
        ("post_norm_relu", 2, 3, 4, 8, 12, 2, "relu", False, True, {"mask": look_ahead(3)}),
        ("post_norm_padded_memory", 2, 4, 5, 6, 9, 3, "gelu", False, True,
         {"mask": look_ahead(4), "memoryMask": additive(lengths(5, 2))}),
        ("pre_norm_gelu", 2, 3, 4, 7, 8, 1, "gelu", True, True, {"mask": look_ahead(3), "memoryMask": lengths(4, 3)}),
        ("pre_norm_without_bias", 1, 4, 2, 8, 16, 4, "gelu", True, False, {"mask": visible(g, 4, 4)}),
        ("padded_target", 2, 4, 3, 4, 8, 2, "relu", True, True,
         {"mask": look_ahead(4) + additive(lengths(4, 2)), "memoryMask": visible(g, 4, 3)}),
        ("no_masks", 1, 1, 6, 5, 5, 1, "relu", False, True, {}),
    ]:
        gen = generator(f"decoderLayer{name}")
        layer = random_decoder_layer(gen, width, hidden, heads, activation, norm_first, bias)
        args = [normal(gen, batch, t, width), normal(gen, batch, s, width), layer] + ([options] if options else [])
        book.case("decoderLayer", name, args, decoder_layer, {"x": (0,), "memory": (1,), **option_grads(layer, 2)})


def stack_cases(book):
    for name, count, width, heads, norm_first, norm in [("pre_norm_with_final_norm", 2, 8, 2, True, True),
                                                        ("post_norm", 2, 6, 3, False, False)]:
        gen = generator(f"decoder{name}")
        layers = [random_decoder_layer(gen, width, 9, heads, "relu", norm_first) for _ in range(count)]
        stack = {"layers": layers}
        if norm:
            stack["norm"] = {"weight": normal(gen, width, std=0.3, mean=1), "bias": normal(gen, width, std=0.3)}
        grads = {"x": (0,), "memory": (1,)}
        for i, layer in enumerate(layers):
            grads.update({f"layers.{i}.{k}": (2, "layers", i, k) for k in tensors_of(layer)})
        grads.update({f"norm.{k}": (2, "norm", k) for k in stack.get("norm", {})})
        args = [normal(gen, 2, 3, width), normal(gen, 2, 4, width), stack,
                {"mask": look_ahead(3), "memoryMask": additive(lengths(4, 2))}]
        book.case("decoder", name, args, decoder, grads, api=False)


def frequencies(options):
    """Radians a token of each pair of turned dimensions, in float64; checked against transformers' F32."""
    rope = {k: v for k, v in options.items() if k != "width"}
    found = 1 / options["rope_theta"] ** (torch.arange(0, options["width"], 2, dtype=torch.float64) / options["width"])
    if rope["rope_type"] == "linear":
        found = found / rope["factor"]
    elif rope["rope_type"] == "llama3":
        length, low, high = rope["original_max_position_embeddings"], rope["low_freq_factor"], rope["high_freq_factor"]
        turns = length * found / (2 * math.pi)  # how often a pair turns within the original length
        share = ((turns - low) / (high - low)).clamp(0, 1)
        found = (1 - share) * found / rope["factor"] + share * found
    config = transformers.LlamaConfig(head_dim=options["width"], rope_parameters=dict(rope), max_position_embeddings=131072)
    if rope["rope_type"] != "default":
        theirs, attention_factor = ROPE_INIT_FUNCTIONS[rope["rope_type"]](config)
        assert attention_factor == 1 and (theirs / found - 1).abs().max() < 1e-6
    return found


ROPES = {
    "default": {"rope_type": "default", "rope_theta": 10000.0, "width": 8},
    "theta": {"rope_type": "default", "rope_theta": 500000.0, "width": 32},
    "linear": {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0, "width": 12},
    "llama3": {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0,
               "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "width": 64},
    "llama3_small": {"rope_type": "llama3", "rope_theta": 100.0, "factor": 4.0, "low_freq_factor": 1.0,
                     "high_freq_factor": 4.0, "original_max_position_embeddings": 32, "width": 16},
}


def rotary_cases(book):
    for name, rope in ROPES.items():
        book.case("rotaryFrequencies", name, [rope], lambda o: {"output": frequencies(o)}, api=False)

    def rotate(x, table, positions):
        # transformers' rotate_half on the first 2n dimensions of each head; the others stay. x: [B, T, H, K]
        angle = positions[..., :, None].to(x.dtype) * table
        angle = torch.cat([angle, angle], -1)[..., :, None, :]
        turned, kept = x[..., : angle.shape[-1]], x[..., angle.shape[-1]:]
        return {"output": torch.cat([turned * angle.cos() + rotate_half(turned) * angle.sin(), kept], -1)}

    for name, shape, rope, positions in [
        ("full", (2, 5, 2, 8), "default", torch.arange(5)),
        ("full_offset", (1, 3, 4, 16), "llama3_small", torch.arange(3) + 40),
        ("partial", (2, 4, 3, 20), "linear", torch.arange(4)),
        ("partial_one_query", (2, 1, 1, 9), "default", torch.tensor([17])),
        ("own_positions", (2, 4, 2, 12), "linear", torch.tensor([[0, 1, 2, 3], [0, 0, 0, 1]])),
    ]:
        gen = generator(f"rotate{name}")
        args = [normal(gen, *shape), frequencies(ROPES[rope]).float(), positions.int()]
        # Gradients of x only: frequencies are no parameters.
        book.case("rotate", name, args, rotate, {"x": (0,)}, api=False)


def relative_cases(book):
    def bias(table, o):
        config = transformers.T5Config(relative_attention_num_buckets=table.shape[0], num_heads=table.shape[1], d_kv=2, d_model=4,
                                       relative_attention_max_distance=o["maxDistance"])
        config.is_decoder = not o["bothDirections"]
        module = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
        module.relative_attention_bias.weight = nn.Parameter(table.detach())
        module.compute_bias(o["queries"], o["keys"], past_seen_tokens=o["keys"] - o["queries"])
        buckets = module._relative_position_bucket(
            torch.arange(o["keys"])[None] - torch.arange(o["keys"] - o["queries"], o["keys"])[:, None], o["bothDirections"],
            table.shape[0], o["maxDistance"])
        return {"output": table[buckets].permute(2, 0, 1)}

    for name, buckets, heads, queries, keys, both, longest in [
        ("both_directions", 32, 2, 9, 9, True, 128), ("both_directions_far", 8, 3, 24, 24, True, 12),
        ("causal", 32, 2, 40, 40, False, 128), ("causal_far", 6, 1, 20, 20, False, 10),
        ("last_query", 32, 4, 1, 150, False, 128), ("fewer_queries", 8, 2, 3, 11, True, 7),
    ]:
        options = {"queries": queries, "keys": keys, "bothDirections": both, "maxDistance": longest}
        book.case("relativeBias", name, [normal(generator(f"relative{name}"), buckets, heads), options], bias,
                  {"table": (0,)}, api=False)


def grouped_cases(book):
    def attention(q, k, v, o):
        """Hook layout: q [B, T, H, K], k and v [B, S, Hkv, K]. A query that sees no key gets zeros."""
        times = q.shape[2] // k.shape[2]
        q, k, v = q.transpose(1, 2), k.transpose(1, 2).repeat_interleave(times, 1), v.transpose(1, 2).repeat_interleave(times, 1)
        scores = q @ k.transpose(-1, -2) * o.get("scale", q.shape[-1] ** -0.5)
        if "bias" in o:
            scores = scores + o["bias"]
        mask = score_mask(o, q.shape[2], k.shape[2], q.dtype)
        if mask is not None:
            scores = scores + mask
        seen = torch.isfinite(scores).any(-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(~seen, 0.0), -1) * seen
        return {"output": (weights @ v).transpose(1, 2), "weights": weights}

    g = generator("grouped-masks")
    hidden = visible(g, 2, 1, 4, 5)
    hidden[1, 0, 2] = 0
    for name, batch, t, s, heads, groups, k, options in [
        ("equal_heads", 2, 4, 4, 3, 3, 5, {"causal": True}),
        ("two_groups", 2, 4, 4, 4, 2, 6, {"causal": True, "mask": lengths(4, 3)}),
        ("one_group", 1, 3, 7, 4, 1, 4, {"causal": True}),
        ("one_query", 2, 1, 6, 6, 2, 8, {"mask": additive(lengths(6, 4))}),
        ("unscaled_with_bias", 2, 3, 5, 4, 4, 3, {"scale": 1.0, "bias": normal(g, 4, 3, 5)}),
        ("bias_and_causal", 1, 3, 5, 2, 1, 4, {"causal": True, "bias": normal(g, 2, 3, 5), "mask": visible(g, 5)}),
        ("a_query_that_sees_nothing", 2, 4, 5, 2, 2, 4, {"mask": hidden}),
    ]:
        gen = generator(f"grouped{name}")
        args = [normal(gen, batch, t, heads, k), normal(gen, batch, s, groups, k), normal(gen, batch, s, groups, k), options]
        grads = {"q": (0,), "k": (1,), "v": (2,)} | ({"bias": (3, "bias")} if "bias" in options else {})
        book.case("groupedAttention", name, args, attention, grads, api=False)


def other_cases(book):
    def gated(x, o):
        gate = ACTIVATIONS[o["activation"]](nn.functional.linear(x, o["gateWeight"], o.get("gateBias")))
        return {"output": nn.functional.linear(gate * nn.functional.linear(x, o["inWeight"], o.get("inBias")), o["outWeight"],
                                               o.get("outBias"))}
    for name, d, f, activation, bias in [("silu", 5, 9, "silu", False), ("gelu_new", 8, 17, "gelu_new", False),
                                         ("gelu_with_bias", 4, 12, "gelu", True), ("relu", 3, 8, "relu", True)]:
        gen = generator(f"gated{name}")
        shapes = {"gate": (f, d), "in": (f, d), "out": (d, f)}
        o = options_of(**{f"{k}Weight": normal(gen, *s, std=1.3 / s[1] ** 0.5) for k, s in shapes.items()},
                       **{f"{k}Bias": normal(gen, s[0], std=0.5) if bias else None for k, s in shapes.items()},
                       activation=activation)
        book.case("gatedFeedForward", name, [normal(gen, 2, 3, d), o], gated, {"x": (0,), **option_grads(o, 1)}, api=False)

    def halves(positions, width):
        column = torch.arange(width)
        angle = positions[:, None].double() / 10000.0 ** (2 * (column // 2).double() / width)
        out = torch.cat([angle[:, 0::2].sin(), angle[:, 1::2].cos()], 1)
        theirs = MarianSinusoidalPositionalEmbedding(int(positions.max()) + 1, width).create_weight()[positions.long()]
        assert (theirs - out).abs().max() < 1e-7
        return {"output": out}
    for length, width, offset in [(4, 6, 0), (7, 5, 0), (3, 12, 40), (1, 2, 511), (1, 1, 0)]:
        positions = torch.arange(offset, offset + length, dtype=torch.int32)
        book.case("sinusoidalHalves", f"{length}x{width}_from{offset}", [positions, width], halves, api=False,
                  tolerance={"forward": 1e-6})


def record_public(book):
    layer_cases(book)


def record_core(book):
    stack_cases(book)
    rotary_cases(book)
    relative_cases(book)
    grouped_cases(book)
    other_cases(book)
