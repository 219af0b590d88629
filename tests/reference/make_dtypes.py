"""Writes golden/dtypes.safetensors: numbers in F32, PyTorch's conversion of them to F16 and BF16, and back."""

import torch
from safetensors.torch import save_file

from golden_book import GOLDEN, generator


def values():
    """512 numbers: signs, zeros, infinities, halves, the middles between them, denormals, magnitudes from 2^-30 to 65504."""
    special = [0.0, -0.0, float("inf"), -float("inf"), 65504.0, -65504.0, 2.0**-24, 2.0**-25, 3 * 2.0**-25, 2.0**-14, 2.0**-126]
    middles = [1 + (2 * k + 1) * 2.0**-11 for k in range(64)] + [1 + (2 * k + 1) * 2.0**-8 for k in range(64)]
    denormal = [(k + 0.5) * 2.0**-24 for k in range(64)]
    fixed = torch.tensor(special + middles + denormal)
    gen = generator("dtypes")
    count = 512 - len(fixed)
    size = torch.exp2(torch.rand(count, generator=gen) * 45.9 - 30)
    return torch.cat([fixed, size * torch.randn(count, generator=gen).sign()])


if __name__ == "__main__":
    f32 = values()
    tensors = {"f32": f32}
    for name, dtype in (("f16", torch.float16), ("bf16", torch.bfloat16)):
        tensors[name] = f32.to(dtype)
        tensors[f"{name}_as_f32"] = tensors[name].to(torch.float32)
    save_file(tensors, GOLDEN / "dtypes.safetensors")
    (GOLDEN / "dtypes.safetensors").chmod(0o644)
