"""Checks that transformers opens a folder this library saved, and computes what this library computed from it.

    python3 tests/reference/roundtrip.py FOLDER VALUES.safetensors

VALUES holds ids and mask [B, T] (typeIds too where they were given) and what a run gave: logits, or lastHidden and, where
there is one, pooled. Prints one line of JSON, which is what gets committed; the exit code is 0 where all is equal.
"""

import json
import sys

import torch
from safetensors.torch import load_file

from golden_book import one_thread
from open_folder import difference, loads_cleanly, open_folder

TOLERANCE = 1e-4
NAMES = {"logits": "logits", "lastHidden": "last_hidden_state", "pooled": "pooler_output"}


def main(folder, file):
    one_thread()
    given = load_file(file)
    run, result = open_folder(folder)
    batch = {"input_ids": given["ids"].long(), "attention_mask": given["mask"].long()}
    if "typeIds" in given:
        batch["token_type_ids"] = given["typeIds"].long()
    with torch.no_grad():
        values = run(batch)
    compared = {k: given[k] for k in NAMES if k in given and NAMES[k] in values}
    assert compared, f"expected one of {', '.join(NAMES)} in {file}, came: {', '.join(given)}"
    result["compared"] = {k: list(v.shape) for k, v in compared.items()}
    largest = max(difference(v, values[NAMES[k]], given["mask"]) for k, v in compared.items())
    result["difference"] = float(f"{largest:.1e}")
    result["tolerance"] = TOLERANCE
    result["equal"] = loads_cleanly(result) and result["difference"] <= TOLERANCE
    print(json.dumps(result))
    return 0 if result["equal"] else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: roundtrip.py FOLDER VALUES.safetensors")
    sys.exit(main(*sys.argv[1:]))
