"""Cases of the loss, the schedule, clipping, averaging and AdamW."""

import torch
import torch.nn.functional as F

from golden_book import generator, normal


def cross_entropy(logits, labels, options=None):
    options = options or {}
    flat, target = logits.reshape(-1, logits.shape[-1]), labels.reshape(-1).long()
    settings = {"label_smoothing": options.get("labelSmoothing", 0.0), "ignore_index": options.get("ignoreIndex", -100)}
    return {"loss": F.cross_entropy(flat, target, **settings),
            "perItem": F.cross_entropy(flat, target, reduction="none", **settings).reshape(labels.shape)}


def losses(book):
    def add(name, classes, labels, std=2.0, **options):
        g = generator(f"crossEntropy{name}")
        labels = torch.tensor(labels, dtype=torch.int32)
        args = [normal(g, *labels.shape, classes, std=std), labels] + ([options] if options else [])
        book.case("crossEntropy", name, args, cross_entropy, {"logits": (0,)})

    add("plain", 5, [0, 4, 2])
    add("one_class", 1, [0, 0])
    add("two_classes", 2, [1, 0, 1, 1])
    add("smoothed", 12, [3, 11, 0, 7], labelSmoothing=0.1)
    add("smoothed_33", 33, [32, 1], labelSmoothing=0.1)
    add("ignored", 8, [1, -100, 7, -100, 0])
    add("ignored_smoothed", 17, [-100, 2, 16, -100], labelSmoothing=0.1)
    add("ignored_other_index", 5, [0, 3, 0, 2], ignoreIndex=0, labelSmoothing=0.1)
    add("two_axes", 9, [[1, -100, 8], [0, 2, -100]])
    add("two_axes_smoothed", 4, [[1, 0, 3], [0, 2, -100]], labelSmoothing=0.1)
    # Scores far apart: a loss taken from probabilities instead of log-softmax would be infinite here.
    add("confident", 4, [0, 1, 2], std=200.0)


def schedules(book):
    for d_model, warmup in [(512, 4000), (64, 10)]:
        for step in (1, 2, 9, 10, 11, 1000, 4000, 4001, 100000):
            # Vaswani et al. 2017, equation 3.
            rate = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
            book.case("noamRate", f"d{d_model}_warmup{warmup}_step{step}", [step, {"dModel": d_model, "warmup": warmup}],
                      lambda step, o, rate=rate: {"rate": torch.tensor(rate, dtype=torch.float64)})


def clipping_and_averaging(book):
    def clip(grads, limit):
        copies = [torch.nn.Parameter(torch.zeros_like(g)) for g in grads]
        for copy, g in zip(copies, grads):
            copy.grad = g.detach().clone()
        norm = torch.nn.utils.clip_grad_norm_(copies, limit)
        return {"norm": norm, **{f"grads.{i}": c.grad for i, c in enumerate(copies)}}
    g = generator("clip")
    grads = [normal(g, 3, 4), normal(g, 5), normal(g, 1), normal(g, 17)]
    for name, limit in [("clipped", 1.0), ("clipped_hard", 0.01), ("within", 100.0)]:
        book.case("clipGradNorm", name, [grads, limit], clip)
    # Squares of these overflow or vanish in F32; the norm itself does not.
    book.case("clipGradNorm", "large", [[normal(g, 4, std=1e25), normal(g, 3, std=1e25)], 1.0], clip_scaled)
    book.case("clipGradNorm", "small", [[normal(g, 4, std=1e-25), normal(g, 3, std=1e-25)], 1.0], clip_scaled)
    for name, count, shape in [("one", 1, (3,)), ("three", 3, (2, 5)), ("five", 5, (17,))]:
        book.case("average", name, [[normal(g, *shape) for _ in range(count)]],
                  lambda tensors: {"output": torch.stack(tensors).mean(0)})


def clip_scaled(grads, limit):
    """The formula of clip_grad_norm_ in float64 whatever the precision: PyTorch's own F32 loses these two."""
    norm = torch.cat([g.double().flatten() for g in grads]).norm()
    factor = (limit / (norm + 1e-6)).clamp(max=1.0)
    return {"norm": norm, **{f"grads.{i}": g.double() * factor for i, g in enumerate(grads)}}


def optimizers(book):
    """Runs of torch.optim.AdamW in float64 on given gradients, with a rate per step."""
    for name, rates, weight_decay, betas, eps in [
        ("plain", [1e-2] * 5, 0.0, (0.9, 0.999), 1e-8),
        ("decay", [1e-2] * 5, 0.1, (0.9, 0.999), 1e-8),
        ("changing_rate", [1e-3, 2e-3, 3e-3, 2e-3, 1e-3, 0.0], 0.01, (0.9, 0.98), 1e-9),
        ("one_step", [0.5], 0.01, (0.8, 0.95), 1e-6),
    ]:
        g = generator(f"adamW{name}")
        prefix = f"adamW/{name}"
        initial = {"weight": normal(g, 5, 7), "bias": normal(g, 9), "single": normal(g, 1)}
        grads = [{k: normal(g, *v.shape, std=10.0 ** (i % 3 - 1)) for k, v in initial.items()} for i in range(len(rates))]
        if len(rates) > 2:
            grads[1]["bias"].zero_()
        parameters = {k: torch.nn.Parameter(v.double()) for k, v in initial.items()}
        optimizer = torch.optim.AdamW(parameters.values(), lr=rates[0], betas=betas, eps=eps, weight_decay=weight_decay,
                                      foreach=False)
        steps = []
        for i, rate in enumerate(rates):
            optimizer.param_groups[0]["lr"] = rate
            for k, p in parameters.items():
                p.grad = grads[i][k].double()
            optimizer.step()
            steps.append({
                "lr": rate,
                "grads": {k: book.put(f"{prefix}/{i}/grad.{k}", v) for k, v in grads[i].items()},
                "expect": {k: book.put(f"{prefix}/{i}/expect.{k}", p) for k, p in parameters.items()},
                "m": {k: book.put(f"{prefix}/{i}/m.{k}", optimizer.state[p]["exp_avg"]) for k, p in parameters.items()},
                "v": {k: book.put(f"{prefix}/{i}/v.{k}", optimizer.state[p]["exp_avg_sq"]) for k, p in parameters.items()},
            })
        book.optimizers.append({
            "op": "adamW", "name": prefix,
            "options": {"lr": rates[0], "betas": list(betas), "eps": eps, "weightDecay": weight_decay},
            "initial": {k: book.put(f"{prefix}/initial.{k}", v) for k, v in initial.items()},
            "steps": steps,
        })


def record(book):
    losses(book)
    schedules(book)
    clipping_and_averaging(book)
    optimizers(book)
