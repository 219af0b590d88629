"""Records op cases: rounds inputs to F32, evaluates them in float64 and writes the tensors and their index.

Every case draws from a generator seeded by its own name, so adding or removing one leaves the others as they are.
"""

import contextlib
import json
import zlib
from pathlib import Path

import torch
from safetensors.torch import save_file

GOLDEN = Path(__file__).parent / "golden"

# The positional arguments of each op. A trailing object of named options is not listed: what it holds has names already.
SIGNATURES = {
    "softmax": ["x"],
    "attention": ["q", "k", "v"],
    "multiHeadAttention": ["query", "key", "value"],
    "layerNorm": ["x"],
    "rmsNorm": ["x"],
    "linear": ["x"],
    "feedForward": ["x"],
    "activation": ["x", "name"],
    "positionalEncoding": ["length", "dModel"],
    "paddingMask": ["ids", "padId"],
    "lookAheadMask": ["length"],
    "encoderLayer": ["x", "layer"],
    "encoder": ["x", "stack"],
    "decoderLayer": ["x", "memory", "layer"],
    "embedding": ["ids", "weight"],
    "meanPool": ["x", "mask"],
    "crossEntropy": ["logits", "labels"],
    "add": ["a", "b"],
    "noamRate": ["step"],
    "clipGradNorm": ["grads", "max"],
    "average": ["tensors"],
    "dropout": ["x"],
    "splitHeads": ["x", "heads"],
    "joinHeads": ["x"],
    "labelSmoothing": ["labels", "classes", "smoothing"],
    "lshBuckets": ["qk"],
    "lshAttention": ["qk", "v"],
    "linformerAttention": ["q", "k", "v"],
    "moments": ["x"],
    "largestDifference": ["a", "b"],
    "wavelengths": ["dModel"],
    # of the mistakes only
    "averageHeads": ["weights"],
    "countsAsIds": ["ids", "vocabSize"],
    # of the core only
    "decoder": ["x", "memory", "stack"],
    "rotaryFrequencies": [],
    "rotate": ["x", "frequencies", "positions"],
    "relativeBias": ["table"],
    "groupedAttention": ["q", "k", "v"],
    "gatedFeedForward": ["x"],
    "sinusoidalHalves": ["positions", "width"],
}

# Errors are taken over a whole tensor: max |y − expected| ≤ tolerance · max |expected|.
TOLERANCE = {"forward": 1e-5, "gradient": 1e-5, "zeroGradient": 1e-6}


def one_thread():
    """Sums in a fixed order, so that a second run writes the same bytes."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)


@contextlib.contextmanager
def in_double(dtype):
    """transformers computes norms, softmax and rotary angles in F32 whatever the model's type. Here a model in F64 does not."""
    if dtype != torch.float64:
        yield
        return
    single, narrow = torch.float32, torch.Tensor.float
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.float32 = torch.float = single
        torch.set_default_dtype(single)
        torch.Tensor.float = narrow


def generator(name):
    return torch.Generator().manual_seed(zlib.crc32(name.encode()))


def normal(gen, *shape, std=1.0, mean=0.0):
    return (torch.randn(shape, generator=gen, dtype=torch.float64) * std + mean).float()


def map_leaves(value, fn, path=()):
    if isinstance(value, torch.Tensor):
        return fn(path, value)
    if isinstance(value, dict):
        return {k: map_leaves(v, fn, path + (k,)) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [map_leaves(v, fn, path + (i,)) for i, v in enumerate(value)]
    return value


def worst_ratio(got, expected):
    """max |got − expected| / max |expected|; equal infinities are equal, and so are NaN."""
    got, expected = got.double(), expected.double()
    finite = torch.isfinite(expected)
    assert torch.allclose(got[~finite], expected[~finite], equal_nan=True)
    if not finite.any():
        return 0.0
    error = (got[finite] - expected[finite]).abs().max().item()
    return error / max(expected[finite].abs().max().item(), 1e-300) if error else 0.0


class Book:
    def __init__(self):
        self.tensors, self.cases, self.optimizers, self.float32_error = {}, [], [], {}

    def put(self, key, tensor):
        assert key not in self.tensors, key
        self.tensors[key] = tensor.detach().contiguous().clone()
        return key

    def case(self, op, name, args, fn, grads=(), api=True, tolerance=None):
        """One call `op(*args)`.

        args holds F32, I32 and U8 tensors and plain values. fn takes them with the floats widened and returns a dict
        of outputs, of which the first is differentiated. grads maps the names that gradients go by to paths in args.
        """
        name = f"{op}/{name}"
        upstream = None
        for dtype in (torch.float64, torch.float32):
            def widen(_, t):
                return t.to(dtype).requires_grad_(True) if t.is_floating_point() else t
            wide = map_leaves(args, widen)
            outputs = fn(*wide)
            first = next(iter(outputs.values()))
            found = {}
            if grads:
                if upstream is None:
                    upstream = normal(generator(name + "/upstream"), *first.shape)
                leaves = [self._at(wide, path) for path in grads.values()]
                found = dict(zip(grads, torch.autograd.grad(first, leaves, upstream.to(dtype))))
            if dtype == torch.float64:
                expected, gradients = outputs, found
            else:
                self._feasible(op, name, outputs, expected, found, gradients, tolerance)

        def key_of(path, t):
            parts = [SIGNATURES[op][path[0]]] if path[0] < len(SIGNATURES[op]) else []
            return {"tensor": self.put("/".join([name, ".".join(map(str, parts + list(path[1:])))]), t)}
        entry = {"op": op, "name": name, "args": map_leaves(args, key_of)}
        entry["expect"] = {k: self.put(f"{name}/expect.{k}", v.double()) for k, v in expected.items()}
        if grads:
            entry["upstream"] = self.put(f"{name}/upstream", upstream)
            entry["gradients"] = {k: self.put(f"{name}/gradient.{k}", g) for k, g in gradients.items()}
            entry["zeroGradients"] = self._zeros(gradients)
        if tolerance:
            entry["tolerance"] = tolerance
        if not api:
            entry["coreOnly"] = True
        self.cases.append(entry)

    @staticmethod
    def _at(value, path):
        for step in path:
            value = value[step]
        return value

    @staticmethod
    def _zeros(gradients):
        largest = max(g.abs().max().item() for g in gradients.values())
        return [k for k, g in gradients.items() if g.abs().max().item() <= 1e-13 * largest]

    def _feasible(self, op, name, outputs, expected, found, gradients, tolerance):
        """PyTorch's own float32 result must pass with room for another order of summing, or the case is too ill-conditioned
        to say anything at this tolerance and needs other inputs."""
        limits = {**TOLERANCE, **(tolerance or {})}
        zeros = self._zeros(gradients) if gradients else []
        for kind, got, want in (("forward", outputs, expected), ("gradient", found, gradients)):
            for key in want:
                if key in zeros:
                    continue
                ratio = worst_ratio(got[key], want[key])
                assert ratio <= limits[kind] / 4, (name, kind, key, ratio)
                slot = self.float32_error.setdefault(op, {"forward": 0.0, "gradient": 0.0})
                slot[kind] = max(slot[kind], ratio)

    def save(self, stem):
        GOLDEN.mkdir(exist_ok=True)
        save_file(self.tensors, GOLDEN / f"{stem}.safetensors")
        (GOLDEN / f"{stem}.safetensors").chmod(0o644)
        index = {
            "format": 1,
            "tensors": f"{stem}.safetensors",
            "tolerance": TOLERANCE,
            "signatures": {op: SIGNATURES[op] for op in SIGNATURES if any(case["op"] == op for case in self.cases)},
            "cases": self.cases,
            "optimizers": self.optimizers,
        }
        lines = json.dumps(index, indent=1, ensure_ascii=False)
        (GOLDEN / f"{stem}.json").write_text(lines + "\n")
        for op, slot in sorted(self.float32_error.items()):
            print(f"{op:20s} torch float32: forward {slot['forward']:.1e}  gradient {slot['gradient']:.1e}")
        size = (GOLDEN / f"{stem}.safetensors").stat().st_size
        print(f"{len(self.cases)} cases, {len(self.optimizers)} optimizer runs, {len(self.tensors)} tensors, {size} bytes")
