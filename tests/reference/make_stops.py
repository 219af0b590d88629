"""Writes golden/generate/stops.json and tokenizers/: what transformers generates where stop strings end a text, greedily and with
beams, on the tiny models of make_generate.py; and the text that each token of four kinds of tokenizer adds."""

import json

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from transformers.generation.stopping_criteria import StopStringCriteria

from golden_book import GOLDEN, one_thread
from make_generate import FOLDER, generate

TOKENIZERS = FOLDER / "tokenizers"
LETTERS = list("abcdef")
PAIRS = [("a", "b"), ("ab", "c"), ("d", "e"), ("e", "f"), ("c", "a"), ("b", "c"), ("f", "e"), ("c", "ab"), ("de", "a")]
MERGED = ["".join(pair) for pair in PAIRS]


def numbered(tokens, size):
    """Token → id; what is left of the model's vocabulary are letters many times over."""
    more = (n * letter for n in (3, 4, 5) for letter in LETTERS)
    tokens = tokens + [next(more) for _ in range(size - len(tokens))]
    assert len(set(tokens)) == size, tokens
    return {token: i for i, token in enumerate(tokens)}


def byte_level(size):
    """GPT-2's: é is two tokens of half a character each, and one that begins in its middle."""
    tokens = ["<s>", "<pad>", "</s>", *LETTERS, "Ġ", "Ã", "©", *MERGED, "Ġa", "Ġab", "©d", "Ċ"]
    own = [("Ġ", "a"), ("Ġ", "ab"), ("©", "d")]
    tokenizer = Tokenizer(models.BPE(vocab=numbered(tokens, size), merges=PAIRS + own))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def byte_fallback(size):
    """Llama's: a space before the first word, and bytes where there is no letter."""
    tokens = ["<unk>", "<s>", "</s>", *LETTERS, "▁", "<0xC3>", "<0xA9>", "<0x0A>", *MERGED, "▁a", "▁ab", "é"]
    own = [("▁", "a"), ("▁", "ab")]
    tokenizer = Tokenizer(models.BPE(vocab=numbered(tokens, size), merges=PAIRS + own, unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                           decoders.Strip(" ", 1, 0)])
    return tokenizer


def word_piece(size):
    """BERT's: a space between words, none before what goes on with one or before marks."""
    tokens = ["[PAD]", "[UNK]", "[SEP]", *LETTERS, *("##" + letter for letter in LETTERS), "abc", "##de", "##ab", "##f", ".", "n't"]
    tokenizer = Tokenizer(models.WordPiece(vocab=numbered(list(dict.fromkeys(tokens)), size), unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece("##", cleanup=True)
    return tokenizer


def metaspace(size):
    """Marian's and T5's."""
    tokens = ["</s>", "<unk>", *LETTERS, "▁", *MERGED, "▁a", "▁ab", "▁f", "é"]
    scores = [(token, -1.0 / len(token)) for token in numbered(tokens, size)]
    tokenizer = Tokenizer(models.Unigram(scores, unk_id=1))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


KINDS = [("gpt2", byte_level), ("llama", byte_fallback), ("opt", word_piece), ("marian", metaspace), ("bart", byte_level)]


def texts_of(tokenizer):
    """The bytes that each token adds to a text, by id."""
    mode = StopStringCriteria._get_stop_string_matching_mode(tokenizer)
    texts, ids = StopStringCriteria.clean_tokenizer_vocab(tokenizer, stop_string_matching_mode=mode)
    texts = [text if isinstance(text, bytes) else text.encode() for text in texts]
    return [text for _, text in sorted(zip(ids, texts))]


def characters(data):
    """The places where characters begin, and the end."""
    return [i for i in range(len(data) + 1) if i == len(data) or data[i] & 0xC0 != 0x80]


def cut(texts, before, ids, first, last):
    """Of a text whose tokens add `texts`, the part from the last character before token `first` (which may be the prompt's) up to
    the first character of token `last`."""
    whole = [texts[i] for i in before + ids]
    joined = b"".join(whole)
    at = [sum(map(len, whole[:len(before) + i])) for i in (first, last)]
    starts = [i for i in characters(joined) if i < at[0]]
    ends = [i for i in characters(joined) if i > at[1]]
    found = joined[starts[-1]:ends[0]] if starts and ends else b""
    try:
        return found.decode().strip() and found.decode()
    except UnicodeDecodeError:
        return ""


def cases_of(name, tokenizer, texts):
    cls = getattr(transformers, json.loads((FOLDER / name / "config.json").read_text())["architectures"][0])
    single = cls.from_pretrained(FOLDER / name, dtype=torch.float32, attn_implementation="eager")
    double = cls.from_pretrained(FOLDER / name, dtype=torch.float32, attn_implementation="eager").double()
    encodes, vocab = single.config.is_encoder_decoder, single.config.vocab_size
    plain = {one["name"].split("/")[1]: one for one in json.loads((FOLDER / "generate.json").read_text())["cases"]
             if one["model"] == name}
    ids = plain["greedy_0"]["ids"]
    before = [] if encodes else ids
    cases, unstable, seen = [], [], set()

    def add(what, options):
        found, score = generate(double, ids, None, options, tokenizer=tokenizer)
        others = [generate(single, ids, None, options, tokenizer=tokenizer)]
        others += [generate(double, ids, None, options, noise, tokenizer) for noise in range(4)]
        if any(other != found for other, _ in others):
            unstable.append(what)
            return None
        assert score is None or abs(others[0][1] - score) < 1e-5
        asked = {**options, "eosTokenId": None} if options.get("eosTokenId") == vocab else options  # no end token
        cases.append({"name": f"{name}/{what}", "model": name, "tokenizer": tokenizer.kind, "ids": ids, "options": asked,
                      "expect": {"ids": found} | ({} if score is None else {"score": score})})
        return found

    ways = {"greedy": {"beams": 1}, "beams3": {"beams": 3, "lengthPenalty": 1.0, "earlyStopping": False},
            "beams4_true": {"beams": 4, "lengthPenalty": 0.6, "earlyStopping": True},
            "beams4_never": {"beams": 4, "lengthPenalty": 2.0, "earlyStopping": "never"}}
    for way, options in ways.items():
        options = {**options, "maxNewTokens": 12, **({} if encodes else {"eosTokenId": vocab})}
        unstopped, _ = generate(double, ids, None, options)
        ranked = [unstopped] if options["beams"] == 1 else losing(double, ids, options, len(before) or 1)
        for rank, text in enumerate(ranked):
            for first in range(0 if before and rank == 0 else 1, min(len(text), 8)):
                for last in range(first, min(len(text), first + 2)):
                    stop = cut(texts, before, text, first, last)
                    if not stop or (way, stop) in seen or len([key for key in seen if key[0] == way]) > 8:
                        continue
                    seen.add((way, stop))
                    add(f"{way}_rank{rank}_{first}_{last}", {**options, "stop": [stop]})
        add(f"{way}_several", {**options, "stop": ["fedcba", texts[unstopped[1]].decode(errors="ignore").strip() or "d", "cc"]})
        add(f"{way}_never", {**options, "stop": ["fedcbafedcba"]})
    ended = [case for case in cases if len(case["expect"]["ids"]) < 12]
    distinct = {tuple(case["expect"]["ids"]) for case in cases}
    print(f"{name:8s} {len(cases)} cases, {len(ended)} end early, {len(distinct)} different texts; too close: {len(unstable)}")
    assert len(ended) > len(cases) / 3 and len(unstable) < len(cases)
    return cases


def losing(model, ids, options, start):
    """The texts of all beams, best first."""
    early, penalty = options["earlyStopping"], options["lengthPenalty"]
    given = {} if model.config.is_encoder_decoder else {"eos_token_id": options["eosTokenId"]}
    with torch.no_grad():
        out = model.generate(torch.tensor([ids]), do_sample=False, num_beams=options["beams"], early_stopping=early, **given,
                             num_return_sequences=options["beams"], length_penalty=penalty, max_new_tokens=options["maxNewTokens"])
    return [[i for i in row[start:] if i >= 0] for row in out.tolist()]


def main():
    TOKENIZERS.mkdir(exist_ok=True)
    cases, kinds = [], {}
    for model, make in KINDS:
        size = json.loads((FOLDER / model / "config.json").read_text())["vocab_size"]
        kind = f"{make.__name__}_{size}"
        path = TOKENIZERS / f"{kind}.json"
        make(size).save(str(path))
        path.chmod(0o644)
        tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(path), clean_up_tokenization_spaces=False)
        tokenizer.kind = kind
        texts = texts_of(tokenizer)
        kinds[kind] = [text.hex() for text in texts]
        cases += cases_of(model, tokenizer, texts)
    lines = ["{", ' "format": 1,', ' "texts": {', ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in kinds.items()), " },",
             ' "cases": [', ",\n".join(f"  {json.dumps(case)}" for case in cases), " ]", "}"]
    (FOLDER / "stops.json").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    one_thread()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    main()
