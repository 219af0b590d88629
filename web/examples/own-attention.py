"""Writes the files that own-attention.html draws: attention weights of two transformers models, in the three forms the elements read.

Run it in this folder; it needs torch, transformers and safetensors. MODELS may be any folder or hub that from_pretrained takes.
"""

import json

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import AutoModelForSeq2SeqLM, AutoModelForSequenceClassification, PreTrainedTokenizerFast

MODELS = "../models"
EAGER = {"attn_implementation": "eager"}  # other implementations return no weights


def opened(name, kind):
    """A model and its tokenizer."""
    tokenizer = PreTrainedTokenizerFast.from_pretrained(f"{MODELS}/{name}")
    return kind.from_pretrained(f"{MODELS}/{name}", dtype=torch.float32, **EAGER).eval(), tokenizer


def one_sentence():
    """An encoder: sentence.npy is [layers, heads, queries, keys]; sentence.safetensors has one tensor a layer."""
    model, tokenizer = opened("topics", AutoModelForSequenceClassification)
    inputs = tokenizer("a bird that cannot fly", return_tensors="pt")
    with torch.no_grad():
        layers = model(**inputs, output_attentions=True).attentions
    np.save("data/sentence.npy", np.stack([layer[0].numpy() for layer in layers]))
    save_file({f"layer.{i}": layer[0].contiguous() for i, layer in enumerate(layers)}, "data/sentence.safetensors")
    print("tokens:", json.dumps(tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])))


def one_date():
    """An encoder-decoder: date.json holds where each letter of the output looks in the source, and both sides' tokens."""
    model, tokenizer = opened("dates", AutoModelForSeq2SeqLM)
    inputs = tokenizer("3 mars 2026", return_tensors="pt", return_token_type_ids=False)
    with torch.no_grad():
        written = model.generate(**inputs)[:, :-1]  # nothing is predicted from the end
        layers = model(**inputs, decoder_input_ids=written, output_attentions=True).cross_attentions
    weights = [[[[round(weight, 4) for weight in row] for row in head] for head in layer[0].tolist()] for layer in layers]
    names = {
        "queries": tokenizer.convert_ids_to_tokens(written[0]),
        "keys": tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]),
    }
    with open("data/date.json", "w", encoding="utf-8") as file:
        json.dump({"attention": weights, **names}, file, ensure_ascii=False)
        file.write("\n")
    print("date:", "".join(names["keys"]), "→", "".join(names["queries"]))


one_sentence()
one_date()
