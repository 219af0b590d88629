"""LSH attention (Kitaev et al. 2020) token by token in PyTorch: each round's lists of keys, as appendix A of the paper puts it.

`style` "paper" is what this library computes. "transformers" is ReformerModel's LSHSelfAttention, which differs in four points: a
chunk's tokens see other buckets too, the first chunk sees the last of the round before (the first round's that of the last), a
pair found by two rounds counts twice, and what is masked keeps a tiny weight. It is here to check everything else against it.
"""

import math

import numpy
import torch


class SplitMix64:
    """The library's generator (cpp/tensor/random.h)."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    def normal(self):
        """Box & Muller 1958, rounded to F32."""
        radius = math.sqrt(-2.0 * math.log(((self.bits() >> 11) + 0.5) * 2.0**-53))
        return float(numpy.float32(radius * math.cos(6.283185307179586 * ((self.bits() >> 40) * 2.0**-24))))


def rotations(seed, heads, rounds, buckets, width):
    """[heads, rounds, buckets / 2, width]"""
    random = SplitMix64(seed)
    count = heads * rounds * (buckets // 2) * width
    return torch.tensor([random.normal() for _ in range(count)]).reshape(heads, rounds, buckets // 2, width)


def unit_length(x):
    return x * torch.rsqrt((x**2).mean(-1, keepdim=True) + 1e-6) / x.shape[-1] ** 0.5


def buckets_of(keys, rotation, buckets, hidden, least_gap=3e-5):
    """[B, H, rounds, T] of keys [B, H, T, K]. A bucket that a rounding could change is refused: the case needs another seed."""
    B, H, T, _ = keys.shape
    if buckets == 1:
        out = torch.zeros(B, H, rotation.shape[1], T, dtype=torch.long)
    else:
        turned = torch.einsum("bhtk,hrnk->bhrtn", keys.detach(), rotation.to(keys.dtype))
        both = torch.cat([turned, -turned], -1)
        top = both.topk(2, -1).values
        real = ~hidden[:, None, None, :].expand(both.shape[:-1])
        assert (top[..., 0] - top[..., 1])[real].min() > least_gap, "two buckets are too near"
        out = both.argmax(-1)
    return out.masked_fill(hidden[:, None, None, :], buckets)


def rounds_of(order, m, length, style):
    """For each round a list, by position, of the positions in its chunk and the one before."""
    chunks = [[row[i:i + m] for i in range(0, length, m)] for row in order]
    flat = [chunk for row in chunks for chunk in row]
    out, at = [], 0
    for row in chunks:
        near = {}
        for c, chunk in enumerate(row):
            before = flat[at - 1] if c > 0 or style == "transformers" else []
            near |= {i: before + chunk for i in chunk}
            at += 1
        out.append(near)
    return out


def one_head(q, k, v, buckets, hidden, causal, m, style):
    """q, k, v [T, K], buckets [rounds, T] → values read [T, K] and the T × T matrix."""
    T = q.shape[0]
    scores = q @ k.T
    order = [sorted(range(T), key=lambda s: (int(row[s]), s)) for row in buckets]
    lists = rounds_of(order, m, T, style)
    outputs, rows = [], []
    for i in range(T):
        found = []  # by round: keys and their scores
        for near, row in zip(lists, buckets):
            keys = near[i]
            if style == "paper":
                keys = [j for j in keys if j != i and row[j] == row[i] and not hidden[j] and (j <= i or not causal)]
            found.append(keys)
        weights = torch.zeros(T, dtype=q.dtype)
        if style == "paper" and not any(found):
            if not hidden[i]:
                weights[i] = 1.0
            outputs.append(weights @ v)
            rows.append(weights)
            continue
        partial, sums = [], []
        for keys in found:
            if not keys:
                continue
            if style == "paper":
                times = torch.tensor([float(sum(j in other for other in found)) for j in keys], dtype=q.dtype)
                logits = scores[i, keys] - times.log()
            else:
                logits = torch.stack([scores[i, j] if not hidden[j] and (j <= i or not causal) else scores[i, j] * 0 - 1e9
                                      for j in keys])
                logits = torch.where(torch.tensor(keys) == i, torch.full_like(logits, -1e5), logits)
            z = logits.logsumexp(0)
            p = (logits - z).exp()
            partial.append(torch.zeros(T, dtype=q.dtype).index_add(0, torch.tensor(keys), p))
            sums.append(z)
        z = torch.stack(sums)
        weights = ((z - z.logsumexp(0)).exp()[:, None] * torch.stack(partial)).sum(0)
        if style == "paper":  # what all rounds amount to: one softmax over everything that any of them found
            union = sorted(set().union(*found))
            assert (weights[union] - scores[i, union].softmax(0)).abs().max() < 1e-5
        outputs.append(weights @ v)
        rows.append(weights)
    return torch.stack(outputs), torch.stack(rows)


def attention(q, v, rotation, buckets, chunk_length, hidden, causal, style="paper"):
    """q, v [B, H, T, K], hidden [B, T] → values [B, H, T, K], matrices [B, H, T, T], buckets [B, H, rounds, T]."""
    k = unit_length(q)
    numbers = buckets_of(k, rotation, buckets, hidden)
    outputs, matrices = [], []
    for b in range(q.shape[0]):
        real = int((~hidden[b]).sum())
        m = min(chunk_length or max(1, -(-2 * real // buckets)), q.shape[2])
        for h in range(q.shape[1]):
            z, matrix = one_head(q[b, h], k[b, h], v[b, h], numbers[b, h].tolist(), hidden[b].tolist(), causal, m, style)
            outputs.append(z)
            matrices.append(matrix)
    return (torch.stack(outputs).reshape(v.shape), torch.stack(matrices).reshape(*q.shape[:3], q.shape[2]), numbers)


def check_against_transformers():
    """transformers' own LSHSelfAttention with its rotations, one round and three, causal and not, with padding and without."""
    from transformers import ReformerConfig
    from transformers.models.reformer.modeling_reformer import LSHSelfAttention
    worst = 0.0
    for seed, (rounds, causal, padded) in enumerate([(1, False, False), (3, False, True), (2, True, False), (4, True, True)]):
        H, K, T, D = 3, 4, 12, 10
        config = ReformerConfig(hidden_size=D, num_attention_heads=H, attention_head_size=K, num_hashes=rounds, num_buckets=4,
                                lsh_attn_chunk_length=3, lsh_num_chunks_before=1, lsh_num_chunks_after=0, is_decoder=causal,
                                hash_seed=40 + seed, lsh_attention_probs_dropout_prob=0.0, max_position_embeddings=16,
                                axial_pos_embds=False)
        module = LSHSelfAttention(config).double().eval()
        gen = torch.Generator().manual_seed(seed)
        for p in module.parameters():
            p.data = torch.randn(p.shape, generator=gen, dtype=torch.float64)
        x = torch.randn(2, T, D, generator=gen, dtype=torch.float64)
        mask = torch.ones(2, T, dtype=torch.long)
        if padded:
            mask[1, -2:] = 0
        with torch.no_grad():
            theirs = module(x, attention_mask=mask).hidden_states
            torch.manual_seed(40 + seed)
            drawn = torch.randn(H, K, rounds, 2, dtype=torch.float64).permute(0, 2, 3, 1)
            q, v = (w(x).unflatten(-1, (H, K)).transpose(1, 2) for w in (module.query_key, module.value))
            ours = attention(q, v, drawn, 4, 3, mask == 0, causal, "transformers")[0].transpose(1, 2).flatten(2)
        worst = max(worst, (theirs - ours)[mask.bool()].abs().max().item())
    print(f"transformers' LSHSelfAttention: within {worst:.1e}")
    assert worst < 1e-12


if __name__ == "__main__":
    check_against_transformers()
