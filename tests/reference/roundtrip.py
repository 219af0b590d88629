"""Checks that transformers opens a folder this library saved, and computes what this library computed from it.

    python3 tests/reference/roundtrip.py FOLDER VALUES.safetensors [FOLDER VALUES.safetensors …]

VALUES holds ids and mask [B, T] (typeIds, decoderIds and decoderMask too where they were given) and what a run gave: logits,
lastHidden, pooled or encoderLastHidden. Of a model that writes it may hold prompt [n] and greedy [m]: what the library wrote
after this prompt, or of this source, with at most maxNewTokens [1] tokens. Prints one line of JSON for each folder, which is
what gets committed; the exit code is 0 where all is equal.
"""

import json
import sys

import torch
from safetensors.torch import load_file

from golden_book import in_double, one_thread
from open_folder import difference, loads_cleanly, open_folder, open_model

TOLERANCE = 1e-4
NAMES = {"logits": "logits", "lastHidden": "last_hidden_state", "pooled": "pooler_output",
         "encoderLastHidden": "encoder_last_hidden_state"}
INPUTS = {"ids": "input_ids", "mask": "attention_mask", "typeIds": "token_type_ids", "decoderIds": "decoder_input_ids",
          "decoderMask": "decoder_attention_mask"}


def writes(folder, architecture, given):
    """What transformers writes by the same prompt, without it and without the start token."""
    model, _ = open_model(folder, architecture)
    prompt = given["prompt"].long()[None]
    with torch.no_grad(), in_double(torch.float64):
        out = model.generate(prompt, do_sample=False, num_beams=1, max_new_tokens=int(given["maxNewTokens"]), pad_token_id=0)
    return out[0, 1 if model.config.is_encoder_decoder else prompt.shape[1]:].tolist()


def check(folder, file):
    given = load_file(file)
    run, result = open_folder(folder)
    batch = {theirs: given[ours].long() for ours, theirs in INPUTS.items() if ours in given}
    with torch.no_grad():
        values = run(batch)
    compared = {k: given[k] for k in NAMES if k in given and NAMES[k] in values}
    assert compared, f"expected one of {', '.join(NAMES)} in {file}, came: {', '.join(given)}"
    result["compared"] = {k: list(v.shape) for k, v in compared.items()}
    target = given.get("decoderMask", torch.ones_like(given["decoderIds"])) if "decoderIds" in given else given["mask"]
    largest = max(difference(v, values[NAMES[k]], given["mask"] if k == "encoderLastHidden" else target)
                  for k, v in compared.items())
    result["difference"] = float(f"{largest:.1e}")
    result["tolerance"] = TOLERANCE
    result["equal"] = loads_cleanly(result) and result["difference"] <= TOLERANCE
    if "greedy" in given:
        result["greedy"] = writes(folder, result["architecture"], given)
        result["equal"] = result["equal"] and result["greedy"] == given["greedy"].tolist()
    print(json.dumps(result), flush=True)
    return result["equal"]


if __name__ == "__main__":
    given = sys.argv[1:]
    if not given or len(given) % 2:
        sys.exit("usage: roundtrip.py FOLDER VALUES.safetensors [FOLDER VALUES.safetensors …]")
    one_thread()
    sys.exit(0 if all([check(*pair) for pair in zip(given[::2], given[1::2])]) else 1)
