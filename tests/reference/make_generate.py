"""Writes golden/generate: tiny models, what transformers generates from them in float64, and what its samplers keep of logits."""

import json
import shutil

import torch
import transformers
from transformers import LogitsProcessorList
from transformers.generation import logits_process

from golden_book import GOLDEN, generator, in_double, normal, one_thread
from tiny import new_model
from tiny_families import bart, gpt2, llama, marian, neox, opt, t5

FOLDER = GOLDEN / "generate"
MODELS = [
    gpt2("gpt2", "LMHeadModel", n_positions=32, tie_word_embeddings=False, seed=" 5"),
    llama("llama", "ForCausalLM", max_position_embeddings=32, seed=" 10"),
    opt("opt", "ForCausalLM", max_position_embeddings=32, tie_word_embeddings=False, seed=" 6"),
    neox("gpt_neox", "ForCausalLM", max_position_embeddings=32, seed=" 12"),
    marian("marian", "MTModel", max_position_embeddings=32, d_model=16, scale_embedding=True, activation_function="swish",
           init_std=0.1),
    bart("bart", "ForConditionalGeneration", max_position_embeddings=32, d_model=16, init_std=0.1),
    t5("t5", "ForConditionalGeneration", d_model=16),
]
# The public interface's names, and transformers'.
NAMES = {
    "maxNewTokens": "max_new_tokens", "minNewTokens": "min_new_tokens", "beams": "num_beams", "lengthPenalty": "length_penalty",
    "earlyStopping": "early_stopping", "repetitionPenalty": "repetition_penalty", "suppressTokens": "suppress_tokens",
    "beginSuppressTokens": "begin_suppress_tokens", "badWordsIds": "bad_words_ids", "forcedBosTokenId": "forced_bos_token_id",
    "forcedEosTokenId": "forced_eos_token_id", "eosTokenId": "eos_token_id", "noRepeatNgramSize": "no_repeat_ngram_size",
    "padTokenId": "pad_token_id", "stop": "stop_strings",
}
LENGTH = 14
STEPS = 150


def taught(s):
    """An encoder–decoder after some steps of saying its source backwards, which leaves it in doubt here and there. A random one
    with a tied head would repeat one token, and never end."""
    gen, config = generator(f"backwards {s['name']}"), s["config"]
    torch.manual_seed(1)
    model = new_model(s, random=False)
    for key, bias in model.named_buffers():
        if key.endswith("final_logits_bias"):
            bias.copy_(normal(gen, *bias.shape, std=0.5))
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.0, foreach=False)
    start, end = config["decoder_start_token_id"], model.config.eos_token_id
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = 1e-2 * min((step + 1) / 50, 1) * (1 - step / STEPS)
        ids = torch.randint(3, config["vocab_size"] - 1, (64, 2 + step % 5), generator=gen)
        ends = torch.full((64, 1), end)
        labels = torch.cat([ids.flip(1), ends], 1)
        read = torch.cat([torch.full((64, 1), start), labels[:, :-1]], 1)
        loss = model(input_ids=torch.cat([ids, ends], 1), decoder_input_ids=read, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{s['name']:10s} {STEPS} steps, loss {loss.item():.2f}")
    return model.eval()


class Noise(transformers.LogitsProcessor):
    """Shifts logits by some 1e-4, as an implementation in F32 might at worst: no choice may hang on so little."""

    def __init__(self, seed):
        self.gen = generator(f"noise {seed}")

    def __call__(self, ids, scores):
        return scores + normal(self.gen, *scores.shape, std=1e-4).to(scores.dtype)


def generate(model, ids, decoder_ids, options, noise=None, tokenizer=None):
    """(ids without the prompt and the start token, end token included, and the score of beams)."""
    given = {NAMES[k]: v for k, v in options.items()}
    dtype = next(model.parameters()).dtype
    if decoder_ids:
        given["decoder_input_ids"] = torch.tensor([decoder_ids])
    processors = LogitsProcessorList([Noise(noise)] if noise is not None else [])
    with torch.no_grad(), in_double(dtype):
        out = model.generate(torch.tensor([ids]), do_sample=False, return_dict_in_generate=True, output_scores=True,
                             logits_processor=processors, tokenizer=tokenizer, **given)
    start = len(decoder_ids or [0]) if model.config.is_encoder_decoder else len(ids)
    sequence = out.sequences[0, start:].tolist()
    ends = options.get("eosTokenId", model.generation_config.eos_token_id)
    ends = ends if isinstance(ends, list) else [ends]
    stop = next((i for i, token in enumerate(sequence) if token in ends), len(sequence))
    score = out.sequences_scores[0].item() if out.get("sequences_scores") is not None else None
    return sequence[: stop + 1], score


def options_list(text, encodes, end):
    """(name, options) for a model whose greedy text, without an end token, is `text`."""
    distinct = list(dict.fromkeys(text))
    late = end if encodes else text[5] if text[5] not in text[:5] else distinct[-1]
    base = {"maxNewTokens": LENGTH}
    stops = {**base, "eosTokenId": late}
    yield "greedy", base
    yield "greedy_penalty", {**base, "repetitionPenalty": 1.3}
    yield "greedy_end", stops
    yield "greedy_ends", {**base, "eosTokenId": [end, distinct[-1], late]}
    yield "greedy_not_before", {**stops, "minNewTokens": 9}
    yield "suppress", {**base, "suppressTokens": distinct[:2]}
    yield "begin_suppress", {**base, "beginSuppressTokens": [text[0]]}
    yield "bad_words", {**base, "badWordsIds": [[distinct[1]], [distinct[-1]]]}
    yield "bad_word_of_two", {**base, "badWordsIds": [text[2:4]]}
    yield "no_repeat", {**base, "noRepeatNgramSize": 2}
    yield "forced_end", {**stops, "maxNewTokens": 4, "forcedEosTokenId": late}
    if encodes:
        yield "forced_begin", {**base, "forcedBosTokenId": distinct[-1]}
        yield "beams3_forced_begin", {**stops, "beams": 3, "forcedBosTokenId": distinct[-1]}
    for beams, penalty in ((3, 1.0), (4, 0.6), (4, 2.0)):
        for early in (True, False, "never"):
            name = f"beams{beams}_penalty{penalty}_{str(early).lower()}"
            yield name, {**stops, "beams": beams, "lengthPenalty": penalty, "earlyStopping": early}
    yield "beams3_penalty0_true", {**stops, "beams": 3, "lengthPenalty": 0.0, "earlyStopping": True}
    yield "beams4_ends", {**base, "beams": 4, "eosTokenId": [end, distinct[-1], late], "earlyStopping": True}
    yield "beams3_penalty", {**stops, "beams": 3, "repetitionPenalty": 1.3}
    yield "beams4_many", {**stops, "beams": 4, "suppressTokens": distinct[:1], "minNewTokens": 5, "noRepeatNgramSize": 3,
                          "forcedEosTokenId": late, "maxNewTokens": 8}
    yield "beams2_no_end", {**base, "beams": 2, "maxNewTokens": 6}


def cases_of(s):
    folder = FOLDER / s["name"]
    shutil.rmtree(folder, ignore_errors=True)
    model = taught(s) if s["group"] == "seq2seq" else new_model(s)
    if s["name"] == "marian":  # as the hub's models are: settings of their own, the padding token never said
        model.generation_config.update(num_beams=4, length_penalty=0.6, bad_words_ids=[[28]], max_length=12)
    model.save_pretrained(folder)
    for path in folder.iterdir():
        path.chmod(0o644)
    cls = getattr(transformers, s["architecture"])
    single = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    double = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").double()
    vocab, encodes, end = s["config"]["vocab_size"], single.config.is_encoder_decoder, single.generation_config.eos_token_id
    cases, unstable = [], []

    def add(name, ids, options, decoder_ids=None):
        found, score = generate(double, ids, decoder_ids, options)
        others = [generate(single, ids, decoder_ids, options)]
        others += [generate(double, ids, decoder_ids, options, noise) for noise in range(4)]
        if any(other != found for other, _ in others):
            unstable.append(name)
            return found
        assert score is None or abs(others[0][1] - score) < 1e-5
        case = {"name": f"{s['name']}/{name}", "model": s["name"], "ids": ids, "options": options,
                "expect": {"ids": found} | ({} if score is None else {"score": score})}
        if decoder_ids:
            case["decoderIds"] = decoder_ids
        cases.append(case)
        return found

    for n in range(2):
        ids = torch.randint(3, vocab - 1, (6 - 2 * n,), generator=generator(f"generate {s['name']} {n}")).tolist()
        if encodes:
            ids += ids[:2] + [end]  # longer than it was taught
        text, _ = generate(double, ids, None, {"maxNewTokens": LENGTH, "eosTokenId": vocab, "beams": 1})
        chosen = list(options_list(text, encodes, end))
        for name, options in chosen if n == 0 else [c for c in chosen if c[0] in SECOND]:
            plain = {"beams": 1} if s["name"] == "marian" and "beams" not in options else {}
            add(f"{name}_{n}", ids, {**options, **plain})
        if n == 0 and encodes:
            start = [s["config"]["decoder_start_token_id"], *text[:2]]
            add("continued", ids, {"maxNewTokens": 6, "beams": 1}, start)
            add("beams_continued", ids, {"maxNewTokens": 6, "beams": 3, "eosTokenId": text[4]}, start)
        if n == 0 and s["name"] == "marian":
            add("own_settings", ids, {})
        if n == 0 and s["name"] == "gpt2":
            add("one_token_forced_begin", [ids[0]], {"maxNewTokens": 5, "forcedBosTokenId": text[3]})
    sizes = sum(p.stat().st_size for p in folder.iterdir())
    distinct = {tuple(c["expect"]["ids"]) for c in cases}
    print(f"{s['name']:10s} {sizes:6d} bytes, {len(cases)} cases, {len(distinct)} different texts, "
          f"greedy {cases[0]['expect']['ids']}; left out as too close: {' '.join(unstable) or 'none'}")
    assert len(unstable) <= 6 and len(distinct) > len(cases) / 3
    return cases


SECOND = {"greedy", "greedy_penalty", "beams3_penalty1.0_false", "beams4_penalty0.6_true", "beams4_penalty2.0_never",
          "beams4_ends"}


def samplers():
    """What is left of logits after the named options, in the order in which transformers applies them; null is −∞."""
    gen = generator("samplers")
    logits = normal(gen, 12, std=2.0)
    tied = logits.clone()
    tied[[1, 4, 7]] = 3.0
    seen = [2, 5, 5, 9]
    for name, values, options in [
        ("temperature", logits, {"temperature": 0.7}), ("hot", logits, {"temperature": 2.5}),
        ("top_k", logits, {"topK": 4}), ("top_k_of_all", logits, {"topK": 50}), ("top_k_one", logits, {"topK": 1}),
        ("top_k_tied", tied, {"topK": 2}), ("top_p", logits, {"topP": 0.8}), ("top_p_small", logits, {"topP": 0.05}),
        ("top_p_zero", logits, {"topP": 0.0}), ("top_p_most", logits, {"topP": 0.999}),
        ("all", logits, {"temperature": 0.7, "topK": 6, "topP": 0.9}),
        ("all_hot", logits, {"temperature": 1.8, "topK": 9, "topP": 0.6}),
        ("penalty", logits, {"repetitionPenalty": 1.3}), ("reward", logits, {"repetitionPenalty": 0.8}),
        ("penalty_and_all", logits, {"repetitionPenalty": 1.5, "temperature": 0.9, "topK": 5, "topP": 0.95}),
    ]:
        scores = values.double()[None]
        for key, processor in (("repetitionPenalty", logits_process.RepetitionPenaltyLogitsProcessor),
                               ("temperature", logits_process.TemperatureLogitsWarper),
                               ("topK", logits_process.TopKLogitsWarper), ("topP", logits_process.TopPLogitsWarper)):
            if key in options:
                scores = processor(options[key])(torch.tensor([seen]), scores)
        left = [None if value == float("-inf") else value for value in scores[0].tolist()]
        yield {"name": name, "logits": values.tolist(), "seen": seen, "options": options, "expect": left}


if __name__ == "__main__":
    one_thread()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    FOLDER.mkdir(parents=True, exist_ok=True)
    index = {"format": 1, "tolerance": {"score": 1e-4, "logits": 1e-5}, "cases": [c for s in MODELS for c in cases_of(s)],
             "samplers": list(samplers())}
    lines = ["{", *(f' "{k}": {json.dumps(index[k])},' for k in ("format", "tolerance"))]
    for key, last in (("cases", ","), ("samplers", "")):
        lines += [f' "{key}": [', ",\n".join(f"  {json.dumps(one)}" for one in index[key]), f" ]{last}"]
    (FOLDER / "generate.json").write_text("\n".join([*lines, "}"]) + "\n")
