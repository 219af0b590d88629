"""What transformers makes of a decoder or encoder–decoder that ships with the library: token ids, logits, greedy and beam output of
fixed texts.

    python3 tests/reference/compare_writing.py web/models/NAME

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
from open_folder import loads_cleanly, open_model

FOLDER = GOLDEN / "shipped"
TEXTS = {
    "austen": [
        "It is a truth universally acknowledged, that",
        "Emma Woodhouse, handsome, clever, and rich,",
        "“I cannot forget the follies of others,” said",
        "CHAPTER",
        "zzyzx 北京 🙂",
    ],
    "translate": [
        "In the beginning, God created the heavens and the earth.",
        "The woman gave bread to her brother, and he went out of the city.",
        "“Where is the king’s house?”",
        "Light!",
        "A computer in São Paulo (1932) 🙂",
    ],
    "dates": ["Tuesday, 6 October 1987", "6 octobre 1987", "1987年10月6日", "6. 10. 1987", "Dienstag, 31. Dezember 1999", "never"],
    "pronounce": ["glass", "transformer", "through", "xylophone", "qwrtp", "attention"],
}
NEW_TOKENS = 24
BEAMS = {"num_beams": 4, "length_penalty": 0.6}


def case_of(model, text, ids):
    """One text's values: what greedy decoding writes, what beams write, and the logits behind the last greedy token but one."""
    config = model.config
    batch = torch.tensor([ids])
    seen = {"input_ids": batch, "attention_mask": torch.ones_like(batch)}
    lead = 1 if config.is_encoder_decoder else len(ids)
    # The folder's own generation_config.json may sample: both ways are asked for in full.
    common = {"do_sample": False, "max_new_tokens": NEW_TOKENS, "max_length": None, "pad_token_id": config.pad_token_id or 0}
    greedy = model.generate(**seen, **common, num_beams=1, length_penalty=1.0)[0].tolist()
    beams = model.generate(**seen, **common, **BEAMS)[0].tolist()
    if config.is_encoder_decoder:
        logits = model(**seen, decoder_input_ids=torch.tensor([greedy[:-1]])).logits[0, -1]
    else:
        logits = model(input_ids=torch.tensor([greedy[:-1]])).logits[0, -1]
    case = {"text": text, "ids": ids, "lead": greedy[:lead], "greedy": greedy[lead:], "beams": beams[lead:]}
    return case, logits.float()


def main(folder):
    one_thread()
    folder = Path(folder)
    name = folder.resolve().name
    config = json.loads((folder / "config.json").read_text())
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model, result = open_model(folder, config["architectures"][0])
    with torch.no_grad():
        cases, logits = zip(*(case_of(model, text, tokenizer.encode(text).ids) for text in TEXTS[name]))
    FOLDER.mkdir(parents=True, exist_ok=True)
    save_file({"logits": torch.stack(logits)}, FOLDER / f"{name}.safetensors")
    (FOLDER / f"{name}.safetensors").chmod(0o644)
    result |= {"shape": [len(logits), *logits[0].shape], "opens": loads_cleanly(result)}
    options = {"maxNewTokens": NEW_TOKENS, "beams": BEAMS["num_beams"], "lengthPenalty": BEAMS["length_penalty"]}
    index = {"format": 1, "tensors": f"{name}.safetensors", "tolerance": 1e-4, "writes": options, "cases": list(cases), "opened": result}
    (FOLDER / f"{name}.json").write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n")
    print(json.dumps(result))
    return 0 if result["opens"] else 1


if __name__ == "__main__":
    if len(sys.argv) != 2 or Path(sys.argv[1]).resolve().name not in TEXTS:
        sys.exit(f"usage: compare_writing.py FOLDER, of one of {', '.join(TEXTS)}")
    sys.exit(main(sys.argv[1]))
