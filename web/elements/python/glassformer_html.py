"""Writes the attention of a transformers model into one HTML file that shows it by itself: no server, no network, no JavaScript
library to load.

    from glassformer_html import attention_html

    model = AutoModel.from_pretrained(name, attn_implementation="eager")
    inputs = tokenizer(text, return_tensors="pt")
    outputs = model(**inputs, output_attentions=True)
    attention_html(outputs, tokenizer.convert_ids_to_tokens(inputs.input_ids[0]), "attention.html", text=text)

It needs numpy, and the file standalone.html beside it (in the package, or from a glassformer site's root). Tensors may be torch's,
numpy's, or anything else that numpy takes.
"""

import base64
import json
import os

import numpy as np

_TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "standalone.html")
# What the data takes the place of in the template.
_SLOT = '"glassformer data"'

# Where outputs have which attention: attribute, name, title, whether queries and keys are tokens of the target.
_SINGLE = [("attentions", "self", "", False, False)]
_DOUBLE = [
    ("encoder_attentions", "encoder", "encoder", False, False),
    ("decoder_attentions", "decoder", "decoder", True, True),
    ("cross_attentions", "cross", "cross-attention", True, False),
]


def attention_html(
    outputs,
    tokens,
    path,
    *,
    target_tokens=None,
    text="",
    model="a model",
    batch=0,
    attention_mask=None,
    target_attention_mask=None,
    dtype="float32",
    template=_TEMPLATE,
):
    """Writes the file.

    outputs: what a model called with output_attentions=True returns; or its attentions, one [batch, heads, queries, keys] a layer.
    model, text: what the page says they are from.
    tokens: texts of the input's tokens; target_tokens: of the decoder's, where the model has both.
    batch: which sequence of a batch. attention_mask, target_attention_mask: 0 for padding, which is left out.
    dtype: "float32", every digit, or "float16", half the size and three digits.
    """
    if dtype not in ("float32", "float16"):
        raise ValueError(f"attention_html: expected dtype float32 or float16, got {dtype}")
    sides = {
        False: _side(tokens, attention_mask, batch, "tokens"),
        True: _side(target_tokens, target_attention_mask, batch, "target_tokens"),
    }
    found = []
    for layers, name, title, target_queries, target_keys in _attentions(outputs):
        queries, keys = sides[target_queries], sides[target_keys]
        if queries is None or keys is None:
            raise ValueError(f"attention_html: the {title} needs target_tokens")
        weights = _stacked(layers, batch, name)
        for side, axis in ((queries, 2), (keys, 3)):
            if weights.shape[axis] != len(side["kept"]):
                raise ValueError(
                    f"attention_html: {name} has {weights.shape[axis]} {'queries' if axis == 2 else 'keys'}, "
                    f"but there are {len(side['kept'])} tokens"
                )
        weights = weights[:, :, queries["kept"]][:, :, :, keys["kept"]]
        found.append(_grid(weights, name, title, target_queries == target_keys, queries["tokens"], keys["tokens"], dtype))
    data = {
        "format": "glassformer attention 1",
        "model": model,
        "texts": [text] if text else [],
        "shown": {"grid": found[-1]["name"]},
        "grids": found,
    }
    with open(template, encoding="utf-8") as file:
        before, slot, after = file.read().partition(_SLOT)
    if not slot or _SLOT in after:
        raise ValueError(f"attention_html: expected {_SLOT} once in {template}")
    # No "<" is left in the data that could end the element it stands in.
    written = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(before + written + after)


def _attentions(outputs):
    """The attentions there are, each with its layers."""
    read = outputs.get if isinstance(outputs, dict) else lambda name: getattr(outputs, name, None)
    # Encoders and decoders by themselves have a place for cross-attention too; it is empty.
    kinds = _DOUBLE if read("encoder_attentions") or read("decoder_attentions") else _SINGLE
    found = [(read(kind[0]), *kind[1:]) for kind in kinds if read(kind[0])]
    if not found and isinstance(outputs, (tuple, list)):
        found = [(outputs, *_SINGLE[0][1:])]
    if not found:
        raise ValueError("attention_html: there is no attention in these outputs: call the model with output_attentions=True")
    return found


def _stacked(layers, batch, name):
    """One sequence's weights, [layers, heads, queries, keys]."""
    arrays = []
    for layer in layers:
        if layer is None:
            raise ValueError('attention_html: a layer has no weights: load the model with attn_implementation="eager"')
        if isinstance(layer, (tuple, list)):
            raise ValueError("attention_html: expected a forward's outputs, got those of generate(): run the model on its text")
        # torch's own numbers first: numpy knows neither gradients, nor devices, nor bfloat16.
        values = layer.detach().float().cpu().numpy() if hasattr(layer, "detach") else np.asarray(layer, dtype=np.float32)
        if values.ndim == 3:
            values = values[np.newaxis]
        if values.ndim != 4:
            raise ValueError(f"attention_html: {name}: expected [batch, heads, queries, keys], got {list(values.shape)}")
        arrays.append(values[batch])
    if len({values.shape for values in arrays}) != 1:
        raise ValueError(f"attention_html: {name}: layers have different shapes: {[list(values.shape) for values in arrays]}")
    return np.stack(arrays)


def _side(tokens, mask, batch, name):
    """Tokens of one side without padding, and which of all positions they are."""
    if tokens is None:
        return None
    tokens = [str(token) for token in tokens]
    if mask is None:
        return {"tokens": tokens, "kept": np.ones(len(tokens), dtype=bool)}
    kept = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask) != 0
    kept = kept[batch] if kept.ndim == 2 else kept
    if len(kept) != len(tokens):
        raise ValueError(f"attention_html: the mask of {name} has {len(kept)} entries, but there are {len(tokens)} tokens")
    return {"tokens": [token for token, keep in zip(tokens, kept) if keep], "kept": kept}


def _grid(weights, name, title, same, queries, keys, dtype):
    """One attention as the page reads it."""
    rows, columns = weights.shape[2:]
    titles = {} if name != "cross" else {"queryTitle": "output", "keyTitle": "source"}
    grid = {"name": name, "title": title, "same": same, "queries": queries, "keys": keys, **titles}
    grid["weights"] = _packed(weights, dtype)
    # What comes after a query is hidden where no head gives any of it a weight: a causal mask.
    later = np.triu(np.ones((rows, columns), dtype=bool), 1)
    if same and rows == columns > 1 and not weights[:, :, later].any():
        grid["hidden"] = {"dtype": "U8", "shape": [rows, columns], "base64": _base64(later.astype(np.uint8))}
    return grid


def _packed(values, dtype):
    kind, name = {"float32": ("<f4", "F32"), "float16": ("<f2", "F16")}[dtype]
    return {"dtype": name, "shape": list(values.shape), "base64": _base64(values.astype(kind))}


def _base64(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
