"""What transformers makes of a model that ships with the library: token ids and logits of fixed texts.

    python3 tests/reference/compare_folder.py web/models/NAME

Writes golden/shipped/NAME.safetensors and NAME.json, which the tests compare the library with, and prints one line of JSON. Run
it again after a model was trained anew. The tokenizer is the Rust library's, from the folder's tokenizer.json.
"""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from golden_book import GOLDEN, one_thread
from open_folder import loads_cleanly, open_folder

FOLDER = GOLDEN / "shipped"
TEXTS = [
    "a small wooden boat with a flat bottom",
    "the act of giving something to a person in need",
    "a disease of the [MASK] that is passed from animals to man",
    "an edible fruit, round and red, of a tree of the rose family; it keeps through the winter if stored in a cool place",
    "water",
    "Naïve café-goers in São Paulo (1932): “très bien”!",
    "someone who plays the [MASK] in an orchestra",
    "zzyzx qwrtp 北京 🙂",
]


def main(folder):
    one_thread()
    folder = Path(folder)
    config = json.loads((folder / "config.json").read_text())
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_padding(pad_id=config.get("pad_token_id", 0))
    tokenizer.enable_truncation(config["max_position_embeddings"])
    encoded = tokenizer.encode_batch(TEXTS)
    batch = {"input_ids": torch.tensor([e.ids for e in encoded]),
             "attention_mask": torch.tensor([e.attention_mask for e in encoded])}
    run, result = open_folder(folder)
    with torch.no_grad():
        logits = run(batch)["logits"]
    FOLDER.mkdir(parents=True, exist_ok=True)
    name = folder.resolve().name
    tensors = {"ids": batch["input_ids"].int(), "mask": batch["attention_mask"].int()}
    if logits.dim() == 3:
        # A vocabulary wide row for every token would be a megabyte: the tokens that are asked for are enough.
        mask_id = tokenizer.token_to_id("[MASK]")
        rows = (batch["input_ids"] == mask_id) if mask_id is not None else torch.zeros_like(batch["input_ids"]).bool()
        rows[:, 0] = True
        where = rows.nonzero()
        tensors["positions"], tensors["logits"] = where.int(), logits[where[:, 0], where[:, 1]].float()
    else:
        tensors["logits"] = logits.float()
    save_file({k: v.contiguous() for k, v in tensors.items()}, FOLDER / f"{name}.safetensors")
    (FOLDER / f"{name}.safetensors").chmod(0o644)
    result |= {"shape": list(tensors["logits"].shape), "opens": loads_cleanly(result)}
    index = {"format": 1, "tensors": f"{name}.safetensors", "tolerance": 1e-4, "texts": TEXTS, "opened": result}
    (FOLDER / f"{name}.json").write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n")
    print(json.dumps(result))
    return 0 if result["opens"] else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: compare_folder.py FOLDER")
    sys.exit(main(sys.argv[1]))
